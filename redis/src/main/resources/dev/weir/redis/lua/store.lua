-- What every script does with a key: read and decode it, bring each limit's state to the time of
-- the call, describe the states, and write them.
--
-- A call is judged by reading everything first; it writes last, all limits of it or none.

-- The limits of the policy at hand, and whether one of them is a log.
local limits, is_own, has_log
local MOST_CARRIED = 16

-- Reads a policy from the arguments, from the number of its limits on: for each limit its letter,
-- id, capacity and three parameters. Returns the index after it.
local function read_policy(at)
  limits, is_own, has_log = {}, {}, false
  for i = 1, tonumber(ARGV[at]) do
    local letter = ARGV[at + 1]
    local algorithm = algorithms[letter]
    local limit = {
      algorithm = algorithm, id = tonumber(ARGV[at + 2]), capacity = tonumber(ARGV[at + 3])
    }
    algorithm.parameters(
      limit, tonumber(ARGV[at + 4]), tonumber(ARGV[at + 5]), tonumber(ARGV[at + 6]))
    has_log = has_log or letter == 'L'
    limits[i] = limit
    is_own[limit.id] = true
    at = at + 6
  end
  return at + 1
end

-- A policy with a log keeps its states in a field of a hash, beside the chunks of the log; others
-- are a plain string. The policy may have changed since the key was written.
local STATES = 's'

-- A value of the key, or nil if the key is of another type. Any other error ends the script: a
-- missing permission must never look like a fresh key.
local function read_of_type(...)
  local text = redis.pcall(...)
  if type(text) ~= 'table' then
    return text
  end
  if string.find(text.err, 'WRONGTYPE', 1, true) then
    return nil
  end
  return redis.call(...)
end

local function read_field(key)
  return read_of_type('HGET', key, STATES)
end

local function read_string(key)
  return read_of_type('GET', key)
end

-- The stored text or false, and whether the key is of the other or a foreign type.
local function read(key)
  local text
  if has_log then
    text = read_field(key)
    if text == false and redis.call('EXISTS', key) == 1 then
      return '?', true
    end
    if text == nil then
      return read_string(key) or '?', true
    end
    return text, false
  end
  text = read_string(key)
  if text == nil then
    return read_field(key) or '?', true
  end
  return text, false
end

local function advance_all(key, stored, now)
  local states = {}
  for i, limit in ipairs(limits) do
    states[i] = limit.algorithm.advance(limit, stored[limit.id], now, key)
  end
  return states
end

-- How long until the state has that many permits, counted from this reading of the clock.
local function wait_micros(limit, state, permits, now, key)
  return state.last - now + limit.algorithm.wait_micros(limit, state, permits, key)
end

-- Adds what the limit says to the answer, and returns its time to a fresh state.
local function describe(limit, state, wait, delay, now, key, answer)
  local ahead = state.last - now
  local algorithm = limit.algorithm
  local available = algorithm.available(limit, state)
  local reset = algorithm.reset_micros(limit, state)
  local at = #answer
  answer[at + 1] = available
  answer[at + 2] = wait
  answer[at + 3] =
    available == limit.capacity and 0 or wait_micros(limit, state, available + 1, now, key)
  answer[at + 4] = reset == 0 and 0 or ahead + reset
  answer[at + 5] = delay == 0 and 0 or ahead + delay
  return answer[at + 4]
end

-- Adds the states of limits that this policy does not know, as they were: a node with an older or
-- newer policy may know them. Tells whether there are any, and whether one is a log.
local function carry(stored, texts)
  local count, log = 0, false
  for id, state in pairs(stored) do
    if not is_own[id] and count < MOST_CARRIED then
      count = count + 1
      texts[#texts + 1] = encode(state)
      log = log or state.letter == 'L'
    end
  end
  return count > 0, log
end

local function write(key, stored, states, reset, is_other_type)
  local texts, writes, removals = {}, {}, {}
  for i, limit in ipairs(limits) do
    if limit.algorithm.fields then
      limit.algorithm.fields(limit, states[i], writes, removals)
    end
    texts[i] = encode(states[i])
  end
  local expiry = expiry_millis(key, reset)
  local carries, carries_log = carry(stored, texts)
  if carries then
    expiry = max(expiry, redis.call('PTTL', key))
  end
  local text = #texts == 1 and texts[1] or table.concat(texts)
  local is_hash = is_other_type ~= has_log
  local stays_hash = has_log or carries_log
  if is_hash ~= stays_hash then
    -- What was there may be a long log, which takes a while to free.
    redis.call('UNLINK', key)
  end
  if not stays_hash then
    redis.call('SET', key, text, 'PX', expiry)
    return
  end
  redis.call('HSET', key, STATES, text, unpack(writes))
  if #removals > 0 then
    redis.call('HDEL', key, unpack(removals))
  end
  redis.call('PEXPIRE', key, expiry)
end

-- The waits of all limits for the permits, at least that long, and whether there is none.
local function judge(states, permits, now, key, waits, least_wait)
  local admitted = true
  for i, limit in ipairs(limits) do
    local wait = least_wait or 0
    if permits > limit.capacity then
      wait = -1
    elseif permits > limit.algorithm.available(limit, states[i]) then
      wait = max(wait, wait_micros(limit, states[i], permits, now, key))
    end
    waits[i] = wait
    admitted = admitted and wait == 0
  end
  return admitted
end

-- Whether a limit can keep a charge beyond what is available.
local function keeps_debt(limit, state, permits)
  local can_owe = limit.algorithm.can_owe
  local in_use = state.letter == 'L' and (state[4] - state.counting_before) % 281474976710656
    or used(state)
  return in_use + permits <= limit.capacity + MAX_PERMITS
    and (not can_owe or can_owe(limit, state, permits))
end

-- The wait of each limit for a charge beyond what is available: 0, or -1 if it cannot keep it.
local function judge_debt(states, permits, waits)
  local kept = true
  for i, limit in ipairs(limits) do
    waits[i] = 0
    if not keeps_debt(limit, states[i], permits) then
      waits[i] = -1
      kept = false
    end
  end
  return kept
end

local function note_delays(states, delays)
  for i, limit in ipairs(limits) do
    local delay_micros = limit.algorithm.delay_micros
    delays[i] = delay_micros and delay_micros(limit, states[i]) or 0
  end
end

local function charge_all(states, permits, key)
  for i, limit in ipairs(limits) do
    limit.algorithm.charge(limit, states[i], permits, key)
  end
end

-- What a call asks for: ask(states, now, key, waits, delays) fills in waits and delays, changes the
-- states, and returns whether it changed them and whether it charged them.
--
-- Returns the numbers of the answer, the states after it, the time until they equal fresh ones,
-- whether they are to be written, and the time of the charge or -1.
local function attempt(key, stored, now, ask)
  chunks, is_damaged, is_outside = {}, false, false
  local states = advance_all(key, stored, now)
  local waits, delays = {}, {}
  local changed, charged = ask(states, now, key, waits, delays)
  local answer, reset, latest = {}, 0, 0
  for i, limit in ipairs(limits) do
    local state = states[i]
    local own = describe(limit, state, waits[i] or 0, delays[i] or 0, now, key, answer)
    reset = max(reset, own)
    latest = max(latest, state.last)
  end
  return answer, states, reset, changed, charged and latest or -1
end

-- A key that something else made permanent gets its expiry back.
local function repair_expiry(key, reset)
  if redis.call('PTTL', key) == -1 then
    redis.call('PEXPIRE', key, expiry_millis(key, reset))
  end
end

-- What to answer if the windows of a calendar do not reach to the time: 2, the time, -1, and for
-- each limit the time that it was asked for at.
local function reply_outside(states, now, reply)
  local at = #reply
  reply[at + 1], reply[at + 2], reply[at + 3] = 2, now, -1
  for i = 1, #states do
    reply[at + i * 5 - 1] = states[i].last
    for rest = 0, 3 do
      reply[at + i * 5 + rest] = 0
    end
  end
end

-- Decides one call and adds its numbers to the reply: 1 if damaged state was found; the time of the
-- decision, and that of the charge or -1; for each limit five numbers. Returns the time of the
-- charge or -1, and the numbers of the limits, which are nil if nothing was decided.
local function decide(key, now, ask, reply, repairs)
  local text, is_other_type = read(key)
  local stored = text and decode(text)
  local damaged = text and not stored
  is_other_type = is_other_type or damaged
  local answer, states, reset, changed, charged_at = attempt(key, stored or {}, now, ask)
  if is_damaged then
    damaged, is_other_type, stored = true, true, nil
    answer, states, reset, changed, charged_at = attempt(key, {}, now, ask)
  end
  if is_outside then
    reply_outside(states, now, reply)
    return -1, nil
  end
  local at = #reply
  reply[at + 1] = damaged and 1 or 0
  reply[at + 2] = now
  reply[at + 3] = charged_at
  for i = 1, #answer do
    reply[at + 3 + i] = answer[i]
  end
  if changed then
    write(key, stored or {}, states, reset, is_other_type)
  elseif text and repairs then
    repair_expiry(key, reset)
  end
  return charged_at, answer
end

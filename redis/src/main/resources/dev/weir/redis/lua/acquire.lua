-- Judges calls: reads everything and decides first, writes last, all limits of a call or none.
--
-- KEYS: one key for each call
-- ARGV: 'acquire' or 'peek'; the number of limits; for each limit its letter, id, capacity and
--       three parameters; then the permits of each call
-- REPLY: for each call 1 if damaged state was found, then for each limit: remaining,
--        wait (0 admitted, -1 never), time to the next permit, time to a fresh state, delay;
--        all times in microseconds. Or 2 if the time is outside of the windows sent, and nothing
--        was judged: then for each limit the time it was asked for at, this server's, 0, 0, 0

local charges = ARGV[1] == 'acquire'
local limits = {}
local is_own = {}
local has_log = false
local MOST_CARRIED = 16
for i = 1, tonumber(ARGV[2]) do
  local at = i * 6 - 3
  local algorithm = algorithms[ARGV[at]]
  local limit = {
    algorithm = algorithm, id = tonumber(ARGV[at + 1]), capacity = tonumber(ARGV[at + 2])
  }
  algorithm.parameters(
    limit, tonumber(ARGV[at + 3]), tonumber(ARGV[at + 4]), tonumber(ARGV[at + 5]))
  has_log = has_log or ARGV[at] == 'L'
  limits[i] = limit
  is_own[limit.id] = true
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
  local expiry = expiry_millis(reset)
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

-- The waits of all limits for the permits, and whether there is none.
local function judge(states, permits, now, key)
  local waits, admitted = {}, true
  for i, limit in ipairs(limits) do
    local wait = 0
    if permits > limit.algorithm.available(limit, states[i]) then
      wait = -1
      if permits <= limit.capacity then
        wait = wait_micros(limit, states[i], permits, now, key)
      end
      admitted = false
    end
    waits[i] = wait
  end
  return waits, admitted
end

-- Everything about a call but the writing: the numbers of the answer, the states after it, the
-- time until they equal fresh ones, and whether it was charged.
local function compute(key, stored, permits, now)
  chunks, is_damaged, is_outside = {}, false, false
  local states = advance_all(key, stored, now)
  local waits, admitted = judge(states, permits, now, key)
  local charged = charges and admitted and permits > 0
  local answer, reset = {}, 0
  for i, limit in ipairs(limits) do
    local algorithm = limit.algorithm
    local delay = algorithm.delay_micros and algorithm.delay_micros(limit, states[i]) or 0
    if charged then
      algorithm.charge(limit, states[i], permits, key)
    end
    reset = max(reset, describe(limit, states[i], waits[i], delay, now, key, answer))
  end
  return answer, states, reset, charged
end

-- A key that something else made permanent gets its expiry back.
local function repair_expiry(key, reset)
  if redis.call('PTTL', key) == -1 then
    redis.call('PEXPIRE', key, expiry_millis(reset))
  end
end

-- What to answer if the windows of a calendar do not reach to the time.
local function reply_outside(states, now, reply)
  reply[#reply + 1] = 2
  for i = 1, #states do
    reply[#reply + 1] = states[i].last
    reply[#reply + 1] = now
    for _ = 3, 5 do
      reply[#reply + 1] = 0
    end
  end
end

local function decide(key, permits, now, reply)
  local text, is_other_type = read(key)
  local stored = text and decode(text)
  local damaged = text and not stored
  is_other_type = is_other_type or damaged
  local answer, states, reset, charged = compute(key, stored or {}, permits, now)
  if is_damaged then
    damaged, is_other_type, stored = true, true, nil
    answer, states, reset, charged = compute(key, {}, permits, now)
  end
  if is_outside then
    reply_outside(states, now, reply)
    return
  end
  reply[#reply + 1] = damaged and 1 or 0
  for i = 1, #answer do
    reply[#reply + 1] = answer[i]
  end
  if charged then
    write(key, stored or {}, states, reset, is_other_type)
  elseif text and charges and permits > 0 then
    repair_expiry(key, reset)
  end
end

local now = now_micros()
local reply = {}
local first_permits = 2 + #limits * 6
for i, key in ipairs(KEYS) do
  decide(key, tonumber(ARGV[first_permits + i]), now, reply)
end
return reply

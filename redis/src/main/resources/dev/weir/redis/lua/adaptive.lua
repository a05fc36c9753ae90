-- Judges a call by its subject's behaviour and by the limits: those of the policy, and those that
-- the subject's tier lowers, which have a state of their own.
--
-- KEYS: the key; that of the lowered limits; that of the behaviour
-- ARGV: 'adaptive' or 'adaptive_peek'; the policy; for each of its limits in tier elevated, then in
--       suspicious: capacity and three parameters; the settings of the model; the subject's hash;
--       a pinned tier or -1; 1 if the tier may refuse; outcomes of earlier calls; the call; permits
-- REPLY: as acquire.lua, for one call and the policy's own limits; then the tier; the wait that it
--        and its limits want, as there; 1 if allowed; 1 if the subject is in good standing

local charges = ARGV[1] == 'adaptive'
local at = read_policy(2)
local base_limits = limits
local lowered_at = at
at = at + 8 * #limits
behaviour.read_settings(ARGV[at])
local seed, pinned, enforced = tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2]), ARGV[at + 3] == '1'
local permits = tonumber(ARGV[at + 6])
local now = now_micros()

local text = read_string(KEYS[3])
local subject, is_damaged_subject = behaviour.at(text == nil and '' or text, now)
behaviour.outcomes(subject, ARGV[at + 4], seed)
behaviour.request(subject, ARGV[at + 5], seed)
local tier = pinned >= 0 and pinned or subject.tier

-- The limits of a tier. A share of a calendar's limit has the same windows.
local function limits_of_tier()
  if tier == 0 then
    return base_limits
  end
  local lowered = {}
  local first = lowered_at + (tier == 1 and 0 or 4 * #base_limits)
  for i, base in ipairs(base_limits) do
    local argument = first + 4 * (i - 1)
    local limit = {
      algorithm = base.algorithm, id = base.id, capacity = tonumber(ARGV[argument])
    }
    if ARGV[2 + 6 * (i - 1) + 1] == 'Z' then
      argument = 2 + 6 * (i - 1) + 3
    end
    base.algorithm.parameters(
      limit, tonumber(ARGV[argument + 1]), tonumber(ARGV[argument + 2]),
      tonumber(ARGV[argument + 3]))
    lowered[i] = limit
  end
  return lowered
end

-- The wait of a whole policy: the longest of its limits, or never.
local function longest(waits)
  local wait = 0
  for _, own in ipairs(waits) do
    if own < 0 then
      return own
    end
    wait = max(wait, own)
  end
  return wait
end

local base_wait, wait, allowed, lowered

-- Asks the lowered limits, and charges them if everything admits the call. Nothing is written yet.
local function ask_lowered(base_admits)
  local key = KEYS[2]
  local lowered_text, is_other_type = read(key)
  local stored = lowered_text and decode(lowered_text)
  local damaged = lowered_text and not stored
  local function ask(states, _, _, waits)
    local admitted = judge(states, permits, now, key, waits)
    wait = longest(waits)
    local charged = admitted and base_admits and charges and permits > 0
    if charged then
      charge_all(states, permits, key)
    end
    return charged, charged
  end
  limits = limits_of_tier()
  local _, states, reset, changed = attempt(key, stored or {}, now, ask)
  if is_damaged then
    damaged, stored = true, nil
    _, states, reset, changed = attempt(key, {}, now, ask)
  end
  lowered = {
    limits = limits, chunks = chunks, states = states, stored = stored or {}, reset = reset,
    changed = changed, damaged = damaged, is_other_type = is_other_type or damaged
  }
end

-- As ask_lowered; the policy's own limits are at hand again after it.
local function ask_tier(base_admits)
  if tier == 3 then
    wait = pinned == 3 and -1 or max(1, subject.block_end * TICK_MICROS - now)
    return
  end
  local own_chunks = chunks
  ask_lowered(base_admits)
  limits, chunks, is_damaged = base_limits, own_chunks, false
end

local function ask_both(states, _, key, waits, delays)
  local admitted = judge(states, permits, now, key, waits)
  note_delays(states, delays)
  if is_damaged or is_outside then
    return false, false
  end
  base_wait = longest(waits)
  ask_tier(admitted)
  allowed = admitted and (wait == 0 or not enforced)
  local charged = allowed and charges and permits > 0 and not is_outside
  if charged then
    charge_all(states, permits, key)
  end
  return charged, charged
end

local reply = {}
local _, answer = decide(KEYS[1], now, ask_both, reply, charges and permits > 0)
if answer then
  if not allowed then
    behaviour.refused(subject, max(base_wait, enforced and wait or 0), now)
  end
  if charges then
    if lowered and lowered.changed then
      limits, chunks = lowered.limits, lowered.chunks
      write(KEYS[2], lowered.stored, lowered.states, lowered.reset, lowered.is_other_type)
    end
    write_subject(KEYS[3], subject, now)
  end
  if is_damaged_subject or lowered and lowered.damaged then
    reply[1] = 1
  end
end
local last = #reply
reply[last + 1], reply[last + 2], reply[last + 3] = tier, wait or 0, allowed and 1 or 0
reply[last + 4] = behaviour.is_in_good_standing(subject) and 1 or 0
return reply

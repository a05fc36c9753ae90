-- Judges calls on several keys, each under its own policy, and charges all of them or none.
--
-- KEYS: the keys, no two the same
-- ARGV: 'joint'; then for each key its policy and the permits
-- REPLY: as acquire.lua, for each key

local calls = {}
local next_argument = 2
for i = 1, #KEYS do
  next_argument = read_policy(next_argument)
  calls[i] = { limits = limits, is_own = is_own, has_log = has_log }
  calls[i].permits = tonumber(ARGV[next_argument])
  next_argument = next_argument + 1
end

local now = now_micros()
local charges = false
local permits
local admitted = true

local function ask(states, _, key, waits, delays)
  local admits = judge(states, permits, now, key, waits)
  admitted = admitted and admits
  note_delays(states, delays)
  local charged = charges and admits and permits > 0
  if charged then
    charge_all(states, permits, key)
  end
  return charged, charged
end

-- Asks for all keys, and tells whether all were admitted.
local function ask_all(reply)
  admitted = true
  for i, key in ipairs(KEYS) do
    local call = calls[i]
    limits, is_own, has_log, permits = call.limits, call.is_own, call.has_log, call.permits
    local _, answer = decide(key, now, ask, reply, charges and permits > 0)
    admitted = admitted and answer ~= nil
  end
  return admitted
end

local looks = {}
if not ask_all(looks) then
  return looks
end
charges = true
local reply = {}
ask_all(reply)
return reply

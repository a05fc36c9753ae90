-- Charges a call whatever is available.
--
-- KEYS: the key
-- ARGV: 'charge'; the policy; the permits
-- REPLY: as acquire.lua, for one call; the wait of a limit that cannot keep such a debt is -1

local permits = tonumber(ARGV[read_policy(2)])

local function charge(states, _, key, waits, delays)
  local charged = permits > 0 and judge_debt(states, permits, waits)
  note_delays(states, delays)
  if charged then
    charge_all(states, permits, key)
  end
  return charged, charged
end

local reply = {}
decide(KEYS[1], now_micros(), charge, reply, permits > 0)
return reply

-- Judges calls and charges those that are admitted.
--
-- KEYS: one key for each call
-- ARGV: 'acquire' or 'peek'; the policy; then the permits of each call
-- REPLY: for each call 1 if damaged state was found; the time of the decision; the time of the
--        charge, -1 if none; then for each limit: remaining, wait (0 admitted, -1 never), time to
--        the next permit, time to a fresh state, delay; all times in microseconds. Or 2 if the
--        time is outside of the windows of a calendar that were sent, and nothing was judged

local charges = ARGV[1] == 'acquire'
local first_permits = read_policy(2)
local permits

local function acquire(states, now, key, waits, delays)
  local charged = judge(states, permits, now, key, waits) and charges and permits > 0
  note_delays(states, delays)
  if charged then
    charge_all(states, permits, key)
  end
  return charged, charged
end

local now = now_micros()
local reply = {}
for i, key in ipairs(KEYS) do
  permits = tonumber(ARGV[first_permits + i - 1])
  decide(key, now, acquire, reply, charges and permits > 0)
end
return reply

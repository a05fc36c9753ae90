-- Gives permits back.
--
-- KEYS: the key
-- ARGV: 'refund'; the policy; the permits; the time they were charged at, -1 for the newest in use;
--       then for each limit the permits in use after the charge, and the time at which nothing is
--       left of it: 0 and 0 for a limit that was not charged
-- REPLY: as acquire.lua, for one call

local at = read_policy(2)
local permits = tonumber(ARGV[at])
local charged_at = tonumber(ARGV[at + 1])

-- What was charged under a limit: nil if the newest permits are meant, false if nothing was.
local function charged_under(i)
  if charged_at < 0 then
    return nil
  end
  local expires = tonumber(ARGV[at + i * 2 + 1])
  return expires > 0
    and { at = charged_at, used = tonumber(ARGV[at + i * 2]), expires = expires }
end

local function refund(states, _, key)
  local changed = false
  for i, limit in ipairs(limits) do
    local charged = charged_under(i)
    if permits > 0 and charged ~= false then
      changed = limit.algorithm.refund(limit, states[i], permits, charged, key) or changed
    end
  end
  return changed, false
end

local reply = {}
decide(KEYS[1], now_micros(), refund, reply, false)
return reply

-- A clock for replays, in place of clock.lua: the time is the last argument. Keys are kept for a
-- day, so that none expires by the server's own clock while the recorded time stands still.

local REPLAY_LIFETIME_MILLIS = 86400000

local function now_micros()
  return tonumber(ARGV[#ARGV])
end

local function expiry_millis()
  return REPLAY_LIFETIME_MILLIS
end

local function reservations_millis()
  return REPLAY_LIFETIME_MILLIS
end

-- The only reading of time in a script, and how long a key is kept.

-- Microseconds since the epoch on this server's clock: below 2^51 until the year 2041,
-- and every sum with the longest lifetime (2^52) stays below 2^53.
local function now_micros()
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end

-- The time to live for a key whose state equals a fresh one after that time: rounded up to
-- milliseconds, and one more since the server counts from the start of the script.
local function expiry_millis(_, reset_micros)
  return math.ceil(reset_micros / 1000) + 1
end

-- The time to live for reservations that are open for that long.
local function reservations_millis(life_micros)
  return math.ceil(life_micros / 1000) + 1
end

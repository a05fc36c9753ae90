-- A clock that a test moves: the time is in a key. Lifetimes are noted down, and the real ones are
-- long, so that no key expires by the server's own clock while the test's stands still.

local TEST_TIME = 'weir-test-time'
local TEST_DEADLINES = 'weir-test-deadlines'
local TEST_LIFETIME_MILLIS = 86400000

local function now_micros()
  return tonumber(redis.call('GET', TEST_TIME))
end

local function expiry_millis(key, reset_micros)
  local millis = math.ceil(reset_micros / 1000) + 1
  local deadline = now_micros() + millis * 1000
  redis.call('HSET', TEST_DEADLINES, key, string.format('%.0f', deadline))
  return TEST_LIFETIME_MILLIS
end

local function reservations_millis()
  return TEST_LIFETIME_MILLIS
end

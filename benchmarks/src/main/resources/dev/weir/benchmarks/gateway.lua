-- A token bucket in two keys and whole seconds, as gateways have it.
-- KEYS: tokens, time. ARGV: tokens per second, capacity, tokens asked for.
local rate, capacity, asked = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local now = tonumber(redis.call('TIME')[1])
local life = math.floor(capacity / rate * 2)
local tokens = tonumber(redis.call('GET', KEYS[1])) or capacity
local last = tonumber(redis.call('GET', KEYS[2])) or 0
local filled = math.min(capacity, tokens + math.max(0, now - last) * rate)
local allowed = 0
if filled >= asked then
  filled = filled - asked
  allowed = 1
end
redis.call('SETEX', KEYS[1], life, filled)
redis.call('SETEX', KEYS[2], life, now)
return { allowed, filled }

-- What a limiter needs of its Redis, looked at when an application starts.
--
-- KEYS: a key with the limiter's prefix, which is written and removed
-- REPLY: version as major * 10000 + minor * 100 + patch, 0 if unknown; 1 if the user
--        may look at all this; 1 if a replica; 1 if memory is limited; 1 if keys with an expiry
--        may be evicted when it is full; 1 if a Cluster node; how many slots of its Cluster
--        nobody serves

local allowed = 1

-- What the named field of a report says, or '' if there is none or the user may not look.
local function value(name, ...)
  local report = redis.pcall(...)
  if type(report) ~= 'string' then
    allowed = 0
    return ''
  end
  return string.match(report, name .. ':([^\r\n]*)') or ''
end

local function version()
  local text = value('redis_version', 'INFO', 'server')
  local major, minor, patch = string.match(text, '(%d+)%.(%d+)%.(%d+)')
  return major and major * 10000 + minor * 100 + patch or 0
end

-- Each command that the scripts of limiters use, so that a missing permission is met here.
local function try_commands(key)
  redis.call('TIME')
  redis.call('SET', key, '', 'PX', 1000)
  redis.call('GET', key)
  redis.call('PTTL', key)
  redis.call('PEXPIRE', key, 1000)
  redis.call('EXISTS', key)
  redis.call('DEL', key)
  redis.call('HSET', key, 'field', '')
  redis.call('PEXPIRE', key, 1000)
  redis.call('HGET', key, 'field')
  redis.call('HLEN', key)
  redis.call('HDEL', key, 'field')
  redis.call('UNLINK', key)
end

local found = { version() }
-- Before version 5 nothing can be written after the time was read.
if found[1] == 0 or found[1] >= 50000 then
  try_commands(KEYS[1])
end
found[3] = value('role', 'INFO', 'replication') == 'slave' and 1 or 0
found[4] = (tonumber(value('maxmemory', 'INFO', 'memory')) or 0) > 0 and 1 or 0
local policy = value('maxmemory_policy', 'INFO', 'memory')
found[5] = policy ~= 'noeviction' and policy ~= '' and 1 or 0
found[6] = value('cluster_enabled', 'INFO', 'cluster') == '1' and 1 or 0
found[7] = 0
if found[6] == 1 then
  local served = tonumber(value('cluster_slots_ok', 'CLUSTER', 'INFO'))
  found[7] = served and 16384 - served or 0
end
found[2] = allowed
return found

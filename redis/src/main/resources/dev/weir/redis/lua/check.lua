-- What a limiter needs of its Redis, looked at when an application starts.
--
-- KEYS: a key with the limiter's prefix, which is written and removed
-- REPLY: version as major * 10000 + minor * 100 + patch; 1 if a master; 1 if memory is limited;
--        1 if keys with an expiry may be evicted when it is full; 1 if a Cluster node

local function value(section, name)
  local info = redis.call('INFO', section)
  return string.match(info, name .. ':([^\r\n]*)') or ''
end

local major, minor, patch = string.match(value('server', 'redis_version'), '(%d+)%.(%d+)%.(%d+)')
local version = 0
if major then
  version = major * 10000 + minor * 100 + patch
end
redis.call('TIME')
redis.call('SET', KEYS[1], '', 'PX', 1)
redis.call('DEL', KEYS[1])
return {
  version,
  value('replication', 'role') == 'master' and 1 or 0,
  tonumber(value('memory', 'maxmemory')) > 0 and 1 or 0,
  value('memory', 'maxmemory_policy') ~= 'noeviction' and 1 or 0,
  tonumber(value('cluster', 'cluster_enabled') or 0),
}

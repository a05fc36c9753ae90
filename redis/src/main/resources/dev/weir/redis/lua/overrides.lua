-- What people decided by hand: sets, lifts, notes and reads it, by this server's clock. Texts are
-- percent-encoded, so that no space or line break is in them.
--
-- KEYS: a hash of rulings by target, beside them its version; a list of changes, the newest first
-- ARGV: 'set', target, ruling, how long it lasts in microseconds or '', author, reason, most
--         rulings, most changes
--       'lift' or 'note', target, author, reason, most changes
--       'read', the version that is known
--       'changes'
-- REPLY: set: 1, since, until or -1; or 0 if there is no room
--        lift: 0, or 1, the length of what was lifted, its bytes, six in a number
--        note: 1
--        read: a text: version, time, and unless the version is known a line for each ruling
--        changes: a text, a line for each

local VERSION = 'version'
local rulings, changes = KEYS[1], KEYS[2]

local function check_type(key, wanted)
  local kind = redis.call('TYPE', key).ok
  if kind ~= wanted and kind ~= 'none' then
    error('the key ' .. key .. ' of the overrides is a ' .. kind .. '; delete or rename it')
  end
end

local function whole(number)
  return string.format('%.0f', number)
end

local function now_micros()
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end

local function is_over(ruling, now)
  local ends = string.match(ruling, '^%d+ (%d+) ')
  return ends ~= nil and tonumber(ends) <= now
end

local function changed(now, line, most)
  -- A version that starts at the time is never one that a store had before it was emptied.
  if redis.call('HEXISTS', rulings, VERSION) == 0 then
    redis.call('HSET', rulings, VERSION, whole(now))
  end
  redis.call('HINCRBY', rulings, VERSION, 1)
  redis.call('LPUSH', changes, whole(now) .. ' ' .. line)
  redis.call('LTRIM', changes, 0, tonumber(most) - 1)
end

local function drop_ended(now)
  local all = redis.call('HGETALL', rulings)
  for at = 1, #all, 2 do
    if all[at] ~= VERSION and is_over(all[at + 1], now) then
      redis.call('HDEL', rulings, all[at])
    end
  end
end

local function has_room(target, now, most)
  if redis.call('HEXISTS', rulings, target) == 1 then
    return true
  end
  -- One field is the version.
  if redis.call('HLEN', rulings) - 1 >= most then
    drop_ended(now)
  end
  return redis.call('HLEN', rulings) - 1 < most
end

local function set(now)
  local target, ruling, lasts, author, reason = ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]
  if not has_room(target, now, tonumber(ARGV[7])) then
    return { 0 }
  end
  local ends = lasts == '' and -1 or now + tonumber(lasts)
  local until_text = lasts == '' and '-' or whole(ends)
  local text = whole(now) .. ' ' .. until_text .. ' ' .. ruling
  redis.call('HSET', rulings, target, text)
  changed(now, 'set ' .. target .. ' ' .. author .. ' ' .. reason .. ' ' .. text, ARGV[8])
  return { 1, now, ends }
end

local function lift(now)
  local target, author, reason = ARGV[2], ARGV[3], ARGV[4]
  local ruling = redis.call('HGET', rulings, target)
  if not ruling then
    return { 0 }
  end
  redis.call('HDEL', rulings, target)
  if is_over(ruling, now) then
    return { 0 }
  end
  changed(now, 'lifted ' .. target .. ' ' .. author .. ' ' .. reason .. ' ' .. ruling, ARGV[5])
  local reply = { 1, #ruling }
  local padded = ruling .. string.rep('\0', 5)
  for at = 1, #ruling, 6 do
    reply[#reply + 1] = struct.unpack('>I6', padded, at)
  end
  return reply
end

local function note(now)
  changed(now, 'forgotten ' .. ARGV[2] .. ' ' .. ARGV[3] .. ' ' .. ARGV[4], ARGV[5])
  return { 1 }
end

local function read(now)
  local version = redis.call('HGET', rulings, VERSION) or '0'
  local lines = { version .. ' ' .. whole(now) }
  if version ~= ARGV[2] then
    local all = redis.call('HGETALL', rulings)
    for at = 1, #all, 2 do
      if all[at] ~= VERSION then
        lines[#lines + 1] = all[at] .. ' ' .. all[at + 1]
      end
    end
  end
  return table.concat(lines, '\n')
end

check_type(rulings, 'hash')
check_type(changes, 'list')
local operation = ARGV[1]
if operation == 'changes' then
  return table.concat(redis.call('LRANGE', changes, 0, -1), '\n')
end
local now = now_micros()
if operation == 'set' then
  return set(now)
elseif operation == 'lift' then
  return lift(now)
elseif operation == 'note' then
  return note(now)
end
return read(now)

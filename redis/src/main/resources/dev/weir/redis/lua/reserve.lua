-- Judges a call, charges it if it is admitted, and notes it down to be settled later.
--
-- KEYS: the key, and that of its reservations
-- ARGV: 'reserve'; the policy; the permits; a nonce; how long it is open, in microseconds
-- REPLY: as acquire.lua, for one call, and the number of the reservation or -1

local at = read_policy(2)
local permits, nonce, life = tonumber(ARGV[at]), ARGV[at + 1], tonumber(ARGV[at + 2])
local now = now_micros()
local reservations = KEYS[2]

local function number_of(field)
  local text = read_of_type('HGET', reservations, field)
  return text and tonumber(text) or 0, text == nil
end

local next_number, is_foreign = number_of(NEXT)
local oldest = number_of(OLDEST)
local expired = {}

-- Finds some of the oldest that have expired, and returns how long there is no room for one more.
local function full_for_micros()
  local wait = 1
  for _ = 1, MOST_LOOKED_AT do
    if oldest >= next_number then
      break
    end
    local field = reservation_field(oldest)
    local text = redis.call('HGET', reservations, field)
    local first = read_reservation(text)
    if first and first.expires > now then
      wait = first.expires - now
      break
    end
    if text then
      expired[#expired + 1] = field
    end
    oldest = oldest + 1
  end
  return redis.call('HLEN', reservations) - 2 - #expired < MAX_OPEN and 0 or wait
end

local function text_of(answer, charged_at)
  local parts = { struct.pack(HEAD, tonumber(nonce), now + life, permits, charged_at) }
  for i, limit in ipairs(limits) do
    local in_use = limit.capacity - answer[i * 5 - 4]
    parts[i + 1] = struct.pack(PART, limit.id, in_use, now + answer[i * 5 - 1])
  end
  return table.concat(parts)
end

local full_for = is_foreign and 0 or full_for_micros()

local function reserve(states, _, key, waits, delays)
  local charged = judge(states, permits, now, key, waits, full_for)
  note_delays(states, delays)
  if charged then
    charge_all(states, permits, key)
  end
  return charged, charged
end

local function note_down(text)
  if is_foreign then
    redis.call('UNLINK', reservations)
  end
  redis.call(
    'HSET', reservations, NEXT, reservation_field(next_number + 1),
    OLDEST, reservation_field(oldest), reservation_field(next_number), text)
  if #expired > 0 then
    redis.call('HDEL', reservations, unpack(expired))
  end
  local millis = reservations_millis(life)
  if redis.call('PTTL', reservations) < millis then
    redis.call('PEXPIRE', reservations, millis)
  end
end

local reply = {}
local charged_at, answer = decide(KEYS[1], now, reserve, reply, true)
if charged_at >= 0 then
  note_down(text_of(answer, charged_at))
end
reply[#reply + 1] = charged_at >= 0 and next_number or -1
return reply

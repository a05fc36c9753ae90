-- Ends a reservation at its real cost: gives back what it took too much, charges what it took too
-- little, and gives back what is held.
--
-- KEYS: the key, and that of its reservations
-- ARGV: 'settle'; the policy; the number of the reservation; its nonce; the real cost
-- REPLY: as acquire.lua, for one call, and the cost that was settled at, -1 if there is no such
--        reservation

local at = read_policy(2)
local number, nonce, cost = ARGV[at], tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
local now = now_micros()
local text = read_of_type('HGET', KEYS[2], number)
local reservation = read_reservation(text)
if reservation and reservation.nonce ~= nonce then
  text, reservation = nil, nil
end
if reservation and reservation.expires <= now then
  reservation = nil
end
local settled = -1

local function holds(state)
  return state.letter == 'K'
end

local function can_owe(states, more)
  for i, limit in ipairs(limits) do
    if not holds(states[i]) and not keeps_debt(limit, states[i], more) then
      return false
    end
  end
  return true
end

local function give_back(limit, state, permits, key)
  local charged = reservation.charged[limit.id]
  return permits > 0 and charged ~= nil
    and limit.algorithm.refund(limit, state, permits, charged, key)
end

local function settle(states, _, key)
  if not reservation then
    return false, false
  end
  local more = cost - reservation.permits
  settled = cost
  if more > 0 and not can_owe(states, more) then
    settled, more = reservation.permits, 0
  end
  local changed = false
  for i, limit in ipairs(limits) do
    if holds(states[i]) then
      changed = give_back(limit, states[i], reservation.permits, key) or changed
    elseif more > 0 then
      limit.algorithm.charge(limit, states[i], more, key)
      changed = true
    else
      changed = give_back(limit, states[i], -more, key) or changed
    end
  end
  return changed, false
end

local reply = {}
local _, answer = decide(KEYS[1], now, settle, reply, false)
if text and answer then
  redis.call('HDEL', KEYS[2], number)
end
reply[#reply + 1] = settled
return reply

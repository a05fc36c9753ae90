-- Token bucket whose tokens arrive together at each whole period after its first charge.
-- STATE I: last, anchor, used, capacity
-- PARAM: capacity, refill, period

-- How long until that many more tokens have arrived.
local function interval_arrival(limit, state, tokens)
  if tokens <= 0 then
    return 0
  end
  return state[1] + div_ceil(tokens, limit.refill) * limit.period - state.last
end

local function interval_is_too_much(limit, tokens)
  return div_ceil(tokens, limit.refill) * limit.period >= MAX_LIFETIME_MICROS
end

-- What was used within the old capacity, clamped to the new one, and what was owed beyond it.
local function interval_adopt(limit, stored)
  local taken = used(stored)
  local before = stored.letter == 'I' and stored[3] or taken
  local owed = max(0, taken - before)
  taken = min(taken, before, limit.capacity) + owed
  return interval_is_too_much(limit, taken) and limit.capacity or taken
end

-- What is left of a charge: what was used after it, less what has arrived since.
local function interval_left(limit, state, permits, charged)
  local periods = div_ceil(max(0, charged.expires - state.last), limit.period)
  if periods == 0 then
    return 0
  end
  local arrived = (div_ceil(charged.used, limit.refill) - periods) * limit.refill
  return min(permits, charged.used - arrived)
end

algorithms.I = {
  parameters = function(limit, a, b)
    limit.refill, limit.period = a, b
  end,

  advance = function(limit, stored, now)
    local state = { letter = 'I', id = limit.id, last = now, now, 0, limit.capacity }
    if not stored then
      return state
    end
    state.last = max(now, stored.last)
    local own = stored.letter == 'I'
    local anchor = own and stored[1] or stored.last
    local taken = interval_adopt(limit, stored)
    local periods = floor((state.last - anchor) / limit.period)
    if periods >= div_ceil(taken, limit.refill) then
      state[1] = state.last
      return state
    end
    state[1] = anchor + periods * limit.period
    state[2] = taken - periods * limit.refill
    return state
  end,

  available = function(limit, state)
    return max(0, limit.capacity - state[2])
  end,

  wait_micros = function(limit, state, permits)
    return interval_arrival(limit, state, state[2] - (limit.capacity - permits))
  end,

  charge = function(_, state, permits)
    state[2] = state[2] + permits
  end,

  can_owe = function(limit, state, permits)
    return not interval_is_too_much(limit, state[2] + permits)
  end,

  refund = function(limit, state, permits, charged)
    local left = charged and interval_left(limit, state, permits, charged) or permits
    local given = min(left, state[2])
    if given <= 0 then
      return false
    end
    state[2] = state[2] - given
    if state[2] == 0 then
      state[1] = state.last
    end
    return true
  end,

  reset_micros = function(limit, state)
    return interval_arrival(limit, state, state[2])
  end,
}

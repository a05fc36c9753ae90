-- Token bucket whose tokens arrive together at each whole period after its first charge.
-- STATE I: last, anchor, used
-- PARAM: capacity, refill, period

-- How long until that many more tokens have arrived.
local function interval_arrival(limit, state, tokens)
  if tokens <= 0 then
    return 0
  end
  return state[1] + div_ceil(tokens, limit.refill) * limit.period - state.last
end

algorithms.I = {
  parameters = function(limit, a, b)
    limit.refill, limit.period = a, b
  end,

  advance = function(limit, stored, now)
    local state = { letter = 'I', id = limit.id, last = now, now, 0 }
    if not stored then
      return state
    end
    state.last = max(now, stored.last)
    local own = stored.letter == 'I'
    local anchor = own and stored[1] or stored.last
    local taken = min(used(stored), limit.capacity)
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

  reset_micros = function(limit, state)
    return interval_arrival(limit, state, state[2])
  end,
}

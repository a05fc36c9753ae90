-- Smooth token bucket and leaky bucket: a level of used permits that drains continuously.
-- STATE D: last, whole, fraction, denominator
-- PARAM: capacity, drained, period, shaping

local function drain_micros(limit, whole, fraction)
  local quotient, parts = mul_div(whole, limit.period, limit.drained)
  return quotient + div_ceil(parts + fraction, limit.drained)
end

-- The stored level in this limit's parts, rounded up, and clamped to its capacity.
local function drain_adopt(limit, stored)
  local whole, fraction = stored[1], stored[2]
  if stored[3] ~= limit.period then
    fraction = mul_div_ceil(limit.period, fraction, stored[3])
    if fraction == limit.period then
      whole, fraction = whole + 1, 0
    end
  end
  if whole >= limit.capacity then
    return limit.capacity, 0
  end
  return whole, fraction
end

algorithms.D = {
  parameters = function(limit, a, b, c)
    limit.drained, limit.period, limit.shaping = a, b, c == 1
  end,

  advance = function(limit, stored, now)
    local state = { letter = 'D', id = limit.id, last = now, 0, 0, limit.period }
    if not stored then
      return state
    end
    local whole, fraction
    if stored.letter == 'D' then
      whole, fraction = drain_adopt(limit, stored)
    else
      whole, fraction = min(used(stored), limit.capacity), 0
    end
    state.last = max(now, stored.last)
    local elapsed = state.last - stored.last
    if elapsed >= drain_micros(limit, whole, fraction) then
      return state
    end
    local gone, parts = mul_div(elapsed, limit.drained, limit.period)
    whole, fraction = whole - gone, fraction - parts
    if fraction < 0 then
      whole, fraction = whole - 1, fraction + limit.period
    end
    state[1], state[2] = whole, fraction
    return state
  end,

  available = function(limit, state)
    return max(0, limit.capacity - state[1] - (state[2] > 0 and 1 or 0))
  end,

  wait_micros = function(limit, state, permits)
    return drain_micros(limit, state[1] - (limit.capacity - permits), state[2])
  end,

  charge = function(_, state, permits)
    state[1] = state[1] + permits
  end,

  reset_micros = function(limit, state)
    return drain_micros(limit, state[1], state[2])
  end,

  delay_micros = function(limit, state)
    return limit.shaping and drain_micros(limit, state[1], state[2]) or 0
  end,
}

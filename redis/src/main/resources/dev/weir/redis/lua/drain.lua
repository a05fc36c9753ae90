-- Smooth token bucket and leaky bucket: a level of used permits that drains continuously.
-- STATE D: last, whole, fraction, denominator, capacity
-- PARAM: capacity, drained, period, shaping

local function drain_micros(limit, whole, fraction)
  local quotient, parts = mul_div(whole, limit.period, limit.drained)
  return quotient + div_ceil(parts + fraction, limit.drained)
end

-- Whether a level would take longer to drain than any state may last.
local function drain_is_too_much(limit, whole)
  return whole * limit.period / limit.drained >= MAX_LIFETIME_MICROS
end

-- The stored level in this limit's parts, rounded up. What was used within the old capacity is
-- clamped to the new one; what was owed beyond it stays owed.
local function drain_adopt(limit, stored)
  local whole, fraction = stored[1], stored[2]
  if stored[3] ~= limit.period then
    fraction = mul_div_ceil(limit.period, fraction, stored[3])
    if fraction == limit.period then
      whole, fraction = whole + 1, 0
    end
  end
  if whole >= stored[4] then
    whole = whole + min(stored[4], limit.capacity) - stored[4]
  elseif whole >= limit.capacity then
    return limit.capacity, 0
  end
  if drain_is_too_much(limit, whole) then
    return limit.capacity, 0
  end
  return whole, fraction
end

algorithms.D = {
  parameters = function(limit, a, b, c)
    limit.drained, limit.period, limit.shaping = a, b, c == 1
  end,

  advance = function(limit, stored, now)
    local state = { letter = 'D', id = limit.id, last = now, 0, 0, limit.period, limit.capacity }
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

  can_owe = function(limit, state, permits)
    local used = state[1] + (state[2] > 0 and 1 or 0)
    return not drain_is_too_much(limit, used + permits)
  end,

  refund = function(limit, state, permits, charged)
    local whole, fraction = permits, 0
    if charged then
      -- What is left of the charge is what drains until it would all have drained.
      local left = max(0, charged.expires - state.last)
      local left_whole, left_parts = mul_div(left, limit.drained, limit.period)
      if left_whole < permits then
        whole, fraction = left_whole, left_parts
      end
    end
    if whole + fraction == 0 or state[1] + state[2] == 0 then
      return false
    end
    whole, fraction = state[1] - whole, state[2] - fraction
    if fraction < 0 then
      whole, fraction = whole - 1, fraction + limit.period
    end
    if whole < 0 then
      whole, fraction = 0, 0
    end
    state[1], state[2] = whole, fraction
    return true
  end,

  reset_micros = function(limit, state)
    return drain_micros(limit, state[1], state[2])
  end,

  delay_micros = function(limit, state)
    return limit.shaping and drain_micros(limit, state[1], state[2]) or 0
  end,
}

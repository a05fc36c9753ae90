-- Sliding window counter: two counts in windows aligned to the clock.
-- STATE C: last, current, previous, carried
-- PARAM: capacity, window

local function counter_state(limit, now, current, previous)
  local left = limit.window - now % limit.window
  local carried = mul_div_ceil(left, previous, limit.window)
  return { letter = 'C', id = limit.id, last = now, current, previous, carried }
end

-- How far into a window the previous one carries no more than that; at most the window.
local function counter_carried_down_to(limit, previous, carried)
  if previous <= carried then
    return 0
  end
  return limit.window - (mul_div(limit.window, carried, previous))
end

algorithms.C = {
  parameters = function(limit, a)
    limit.window = a
  end,

  advance = function(limit, stored, now)
    if not stored then
      return counter_state(limit, now, 0, 0)
    end
    local last = max(now, stored.last)
    local own = stored.letter == 'C'
    local current = own and stored[1] or used(stored)
    local windows = floor(last / limit.window) - floor(stored.last / limit.window)
    if windows == 0 then
      return counter_state(limit, last, current, own and stored[2] or 0)
    end
    return counter_state(limit, last, 0, windows == 1 and current or 0)
  end,

  available = function(limit, state)
    return max(0, limit.capacity - state[1] - state[3])
  end,

  wait_micros = function(limit, state, permits)
    local elapsed = state.last % limit.window
    local room = limit.capacity - permits - state[1]
    if room >= 0 then
      return counter_carried_down_to(limit, state[2], room) - elapsed
    end
    local next_room = limit.capacity - permits
    return limit.window - elapsed + counter_carried_down_to(limit, state[1], next_room)
  end,

  charge = function(_, state, permits)
    state[1] = state[1] + permits
  end,

  refund = function(limit, state, permits, charged)
    local windows = 0
    if charged then
      windows = floor(state.last / limit.window) - floor(charged.at / limit.window)
    end
    local from_current = windows == 0 and min(permits, state[1]) or 0
    local rest = windows == 1 and permits or 0
    if not charged then
      rest = permits - from_current
    end
    local from_previous = min(rest, state[2])
    if from_current + from_previous == 0 then
      return false
    end
    state[1], state[2] = state[1] - from_current, state[2] - from_previous
    state[3] = mul_div_ceil(limit.window - state.last % limit.window, state[2], limit.window)
    return true
  end,

  reset_micros = function(limit, state)
    local to_end = limit.window - state.last % limit.window
    if state[1] > 0 then
      return to_end + limit.window
    end
    return state[2] > 0 and to_end or 0
  end,
}

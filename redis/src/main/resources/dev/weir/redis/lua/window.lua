-- Fixed window, aligned to its first charge or to the clock.
-- STATE W: last, start, used
-- PARAM: capacity, window, clock

local function window_start(limit, micros)
  return limit.clock and micros - micros % limit.window or micros
end

algorithms.W = {
  parameters = function(limit, a, b)
    limit.window, limit.clock = a, b == 1
  end,

  advance = function(limit, stored, now)
    local state = { letter = 'W', id = limit.id, last = now, window_start(limit, now), 0 }
    if not stored then
      return state
    end
    state.last = max(now, stored.last)
    local start
    if limit.clock then
      start = window_start(limit, stored.last)
    else
      start = stored.letter == 'W' and stored[1] or stored.last
    end
    -- A window of which all was given back has not started.
    if state.last - start >= limit.window or used(stored) == 0 then
      state[1] = window_start(limit, state.last)
    else
      state[1], state[2] = start, used(stored)
    end
    return state
  end,

  available = function(limit, state)
    return max(0, limit.capacity - state[2])
  end,

  wait_micros = function(limit, state)
    return state[1] + limit.window - state.last
  end,

  charge = function(_, state, permits)
    state[2] = state[2] + permits
  end,

  refund = function(_, state, permits, charged)
    if charged and charged.at < state[1] or state[2] == 0 then
      return false
    end
    state[2] = state[2] - min(permits, state[2])
    return true
  end,

  reset_micros = function(limit, state)
    return state[2] == 0 and 0 or state[1] + limit.window - state.last
  end,
}

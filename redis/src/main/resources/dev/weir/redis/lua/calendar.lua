-- Calendar window: a count for each hour, day, week, month or year of a time zone. The rules of
-- zones are the client's: it sends two windows around the time it takes for this server's. If that
-- is outside of them, the call is not judged, and the client is told the time it was asked for at.
-- STATE W: last, start, used
-- PARAM: capacity, first, second, third

algorithms.Z = {
  parameters = function(limit, a, b, c)
    limit.first, limit.second, limit.third = a, b, c
  end,

  advance = function(limit, stored, now)
    local last = stored and max(now, stored.last) or now
    if last < limit.first or last >= limit.third then
      is_outside = true
    end
    local state = { letter = 'W', id = limit.id, last = last, limit.first, 0 }
    state.stop = limit.second
    if last >= limit.second then
      state[1], state.stop = limit.second, limit.third
    end
    if stored and stored.last >= state[1] then
      state[2] = used(stored)
    end
    return state
  end,

  available = function(limit, state)
    return max(0, limit.capacity - state[2])
  end,

  wait_micros = function(_, state)
    return state.stop - state.last
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

  reset_micros = function(_, state)
    return state[2] == 0 and 0 or state.stop - state.last
  end,
}

-- Concurrency: permits that are held until they are given back, or until their lease ends.
-- STATE K: last, held, leases
-- PARAM: capacity, lease

local MAX_LEASES = 10000

-- The time and the permits of a lease, the first of them 0.
local function lease_of(state, lease)
  local at = lease * LEASE_LENGTH + 1
  if at + LEASE_LENGTH - 1 > #state.leases then
    is_damaged = true
    return 0, MAX_PERMITS
  end
  return struct.unpack(LEASE, state.leases, at)
end

-- Leaves out or replaces one lease.
local function lease_replaced(state, lease, text)
  local at = lease * LEASE_LENGTH
  state.leases = string.sub(state.leases, 1, at)
    .. text .. string.sub(state.leases, at + LEASE_LENGTH + 1)
end

local function leases_are_full(state)
  return state[2] >= MAX_LEASES and (lease_of(state, state[2] - 1)) ~= state.last
end

local function lease_without(state, lease, permits)
  local time, held = lease_of(state, lease)
  local given = min(permits, held)
  state[1] = state[1] - given
  if given == held then
    state[2] = state[2] - 1
    lease_replaced(state, lease, '')
  else
    lease_replaced(state, lease, struct.pack(LEASE, time, held - given))
  end
  return given
end

algorithms.K = {
  parameters = function(limit, a)
    limit.lease = a
  end,

  advance = function(limit, stored, now)
    local state = { letter = 'K', id = limit.id, last = now, 0, 0, leases = '' }
    if not stored then
      return state
    end
    state.last = max(now, stored.last)
    if stored.letter == 'K' then
      state[1], state[2], state.leases = stored[1], stored[2], stored.leases
    elseif used(stored) > 0 then
      state[1], state[2] = used(stored), 1
      state.leases = struct.pack(LEASE, stored.last, used(stored))
    end
    local ended = 0
    while ended < state[2] do
      local time, permits = lease_of(state, ended)
      if time > state.last - limit.lease then
        break
      end
      state[1] = state[1] - permits
      ended = ended + 1
    end
    state[2] = state[2] - ended
    state.leases = string.sub(state.leases, ended * LEASE_LENGTH + 1)
    return state
  end,

  available = function(limit, state)
    return leases_are_full(state) and 0 or max(0, limit.capacity - state[1])
  end,

  wait_micros = function(limit, state, permits)
    local excess = state[1] - (limit.capacity - permits)
    local ending = 0
    local time, freed = lease_of(state, 0)
    while freed < excess do
      ending = ending + 1
      local time_of_next, permits_of_next = lease_of(state, ending)
      time, freed = time_of_next, freed + permits_of_next
    end
    return time + limit.lease - state.last
  end,

  can_owe = function(_, state)
    return not leases_are_full(state)
  end,

  charge = function(_, state, permits)
    state[1] = state[1] + permits
    local newest = state[2] - 1
    if newest >= 0 then
      local time, held = lease_of(state, newest)
      if time == state.last then
        lease_replaced(state, newest, struct.pack(LEASE, time, held + permits))
        return
      end
    end
    state[2] = state[2] + 1
    state.leases = state.leases .. struct.pack(LEASE, state.last, permits)
  end,

  refund = function(_, state, permits, charged)
    if state[2] == 0 then
      return false
    end
    if not charged then
      while permits > 0 and state[2] > 0 and not is_damaged do
        permits = permits - lease_without(state, state[2] - 1, permits)
      end
      return true
    end
    local low, high = 0, state[2]
    while low < high do
      local middle = floor((low + high) / 2)
      if (lease_of(state, middle)) >= charged.at then
        high = middle
      else
        low = middle + 1
      end
    end
    if low == state[2] or (lease_of(state, low)) ~= charged.at then
      return false
    end
    lease_without(state, low, permits)
    return true
  end,

  reset_micros = function(limit, state)
    return state[2] == 0 and 0 or (lease_of(state, state[2] - 1)) + limit.lease - state.last
  end,
}

-- Exact arithmetic, and how a key's state is written down.
--
-- All numbers are doubles, exact for whole numbers up to 2^53 = 9007199254740992.
-- Permits are at most 10^9, periods below 2^49 microseconds, times and waits below 2^53.

local floor, max, min = math.floor, math.max, math.min

-- floor(a * b / c) and the remainder, for whole a, b >= 0 and c > 0 below 2^50.
-- A product below 2^53 is exact, and so is the floor of its quotient. A larger one is never
-- computed: a / c is kept as quotient and remainder and doubled for each bit of b.
local function mul_div(a, b, c)
  local product = a * b
  if product < 9007199254740992 then
    local quotient = floor(product / c)
    return quotient, product - quotient * c
  end
  local quotient, remainder = 0, 0
  local part_quotient = floor(a / c)
  local part_remainder = a - part_quotient * c
  while true do
    if b % 2 == 1 then
      quotient = quotient + part_quotient
      remainder = remainder + part_remainder
      if remainder >= c then
        remainder = remainder - c
        quotient = quotient + 1
      end
    end
    b = floor(b / 2)
    if b == 0 then
      return quotient, remainder
    end
    part_quotient = part_quotient * 2
    part_remainder = part_remainder * 2
    if part_remainder >= c then
      part_remainder = part_remainder - c
      part_quotient = part_quotient + 1
    end
  end
end

-- ceil(a / b) for whole a >= 0 and b > 0 below 2^53.
local function div_ceil(a, b)
  return -floor(-a / b)
end

-- ceil(a * b / c), as mul_div.
local function mul_div_ceil(a, b, c)
  local quotient, remainder = mul_div(a, b, c)
  return remainder > 0 and quotient + 1 or quotient
end

-- The states, each as: letter, id of its limit, latest time seen, then its own fields.
-- The letter stands for the layout: a layout that changes gets another letter.
local layouts = {
  D = { format = '>c1I2I7I4I7I7I4', length = 32 }, -- whole, fraction, denominator, capacity
  I = { format = '>c1I2I7I7I4I4', length = 25 }, -- anchor, used, capacity
  W = { format = '>c1I2I7I7I5', length = 22 }, -- start, used
  C = { format = '>c1I2I7I5I5I5', length = 25 }, -- current, previous, carried
  L = { format = '>c1I2I7I6I6I6I6I7I4', length = 45 }, -- first, end, before, total, newest, chunk
  K = { format = '>c1I2I7I6I4', length = 20 }, -- held, leases
}

-- The leases of a state K follow it, each the time it was taken at and its permits.
local LEASE = '>I7I4'
local LEASE_LENGTH = 11

-- No clock of ours shows a later time: 2^52 microseconds, in the year 2112.
local LATEST_MICROS = 4503599627370496

-- The longest that any state may last: 2^52 microseconds.
local MAX_LIFETIME_MICROS = 4503599627370496

-- The most that can be owed beyond a limit.
local MAX_PERMITS = 1000000000

-- Filled in by the files of the algorithms: letter -> functions.
local algorithms = {}

-- What an algorithm reads beside the states, by field, for the key at hand; and whether something
-- that must be there was missing.
local chunks = {}
local is_damaged = false

-- Whether the time is outside of the windows of a calendar that the client has sent.
local is_outside = false

-- The permits in use at the state's latest time, rounded up.
local function used(state)
  local letter = state.letter
  if letter == 'D' then
    return state[1] + (state[2] > 0 and 1 or 0)
  elseif letter == 'I' or letter == 'W' then
    return state[2]
  elseif letter == 'C' then
    return state[1] + state[3]
  elseif letter == 'K' then
    return state[1]
  end
  return (state[4] - state[3]) % 281474976710656
end

local function is_sound(state)
  if state.last > LATEST_MICROS then
    return false
  end
  local letter = state.letter
  if letter == 'D' then
    return state[2] < state[3]
  elseif letter == 'I' or letter == 'W' then
    return state[1] <= state.last
  elseif letter == 'L' then
    return state[1] <= state[2] and state[5] <= state.last
  elseif letter == 'K' then
    local count = state[2]
    return count == 0 and state[1] == 0
      or count > 0 and #state.leases == count * LEASE_LENGTH
        and struct.unpack('>I7', state.leases, (count - 1) * LEASE_LENGTH + 1) <= state.last
  end
  return true
end

-- The states in a stored text by the id of their limit, or nil if it is not one of ours.
local function decode(text)
  local states = {}
  local at, length = 1, #text
  while at <= length do
    local layout = layouts[string.sub(text, at, at)]
    if not layout or at + layout.length - 1 > length then
      return nil
    end
    local state = {}
    state.letter, state.id, state.last, state[1], state[2], state[3], state[4], state[5], state[6] =
      struct.unpack(layout.format, text, at)
    at = at + layout.length
    if state.letter == 'K' then
      local after = at + state[2] * LEASE_LENGTH
      state.leases = string.sub(text, at, after - 1)
      at = after
    end
    if not is_sound(state) then
      return nil
    end
    states[state.id] = state
  end
  return states
end

local function encode(state)
  local layout = layouts[state.letter]
  return struct.pack(
    layout.format, state.letter, state.id, state.last,
    state[1], state[2], state[3], state[4], state[5], state[6]) .. (state.leases or '')
end

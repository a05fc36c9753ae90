-- The reservations of a key: a hash beside it, of the numbers of the next and of the oldest one and
-- of a field for each that is open.
--
-- A reservation is a nonce, the time at which it expires, the permits, the time of their charge,
-- and for each limit its id, the permits in use after the charge and the time at which nothing is
-- left of it.

local NEXT, OLDEST = 'n', 'o'
local HEAD, HEAD_LENGTH = '>I6I7I5I7', 25
local PART, PART_LENGTH = '>I2I5I7', 14
local MAX_OPEN = 100000
local MOST_LOOKED_AT = 4

local function reservation_field(number)
  return string.format('%.0f', number)
end

-- A reservation from its text, or nil if it is not one.
local function read_reservation(text)
  if not text or #text < HEAD_LENGTH or (#text - HEAD_LENGTH) % PART_LENGTH ~= 0 then
    return nil
  end
  local nonce, expires, permits, at = struct.unpack(HEAD, text)
  local charged = {}
  for from = HEAD_LENGTH + 1, #text, PART_LENGTH do
    local id, in_use, over = struct.unpack(PART, text, from)
    charged[id] = { at = at, used = in_use, expires = over }
  end
  return { nonce = nonce, expires = expires, permits = permits, charged = charged }
end

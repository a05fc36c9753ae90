-- Which hashes a subject was seen with lately, as SeenSet of the Java core: one bit for each
-- remainder, in two generations.
--
-- A set is a text of two halves, the younger generation first; nil if never used. Its words are of
-- 64 bits, big-endian: bit b is in byte 8 * floor(b / 64) + 7 - floor(b % 64 / 8).

local function has_bit(byte, mask)
  return byte % (mask + mask) >= mask
end

local function turned(bits)
  local half = #bits / 2
  return string.rep('\0', half) .. string.sub(bits, 1, half)
end

local sets = {
  moved = function(bits, from, to, length)
    local generations = bits and floor(to / length) - floor(from / length) or 0
    if generations > 0 then
      bits = turned(bits)
      if generations > 1 then
        bits = turned(bits)
      end
    end
    return bits
  end,

  is_empty = function(bits)
    return not bits or not string.find(bits, '[^%z]')
  end,

  distinct = function(bits)
    local count, half = 0, bits and #bits / 2 or 0
    for i = 1, half do
      local a, b = string.byte(bits, i), string.byte(bits, i + half)
      local mask = 1
      for _ = 1, 8 do
        if has_bit(a, mask) or has_bit(b, mask) then
          count = count + 1
        end
        mask = mask + mask
      end
    end
    return count
  end,
}

-- Whether more than half of the younger generation's bits are set.
local function is_half_full(bits, half)
  local count, most = 0, half * 4
  for i = 1, half do
    local byte = string.byte(bits, i)
    while byte > 0 do
      count = count + byte % 2
      byte = floor(byte / 2)
    end
  end
  return count > most
end

-- The set with a hash, and whether the hash was new.
local function with_bit(bits, hash, half)
  bits = bits or string.rep('\0', 2 * half)
  local bit = hash % (half * 8)
  local in_word = bit % 64
  local at = (bit - in_word) / 8 + 8 - floor(in_word / 8)
  local mask = 2 ^ (in_word % 8)
  local byte = string.byte(bits, at)
  if has_bit(byte, mask) then
    return bits, false
  end
  local is_new = not has_bit(string.byte(bits, at + half), mask)
  bits = string.sub(bits, 1, at - 1) .. string.char(byte + mask) .. string.sub(bits, at + 1)
  if is_half_full(bits, half) then
    bits = turned(bits)
  end
  return bits, is_new
end

-- Reads what is stored of a subject's behaviour, and writes nothing.
--
-- KEYS: the key of the behaviour
-- ARGV: 'explain'
-- REPLY: 1 if the key is of another type; the time; the length of the state in bytes; its bytes,
--        six in a number, big-endian, the last ones filled up with zeros

local text = read_string(KEYS[1])
local reply = { text == nil and 1 or 0, now_micros(), text and #text or 0 }
if text then
  local padded = text .. string.rep('\0', 5)
  for at = 1, #text, 6 do
    reply[#reply + 1] = struct.unpack('>I6', padded, at)
  end
end
return reply

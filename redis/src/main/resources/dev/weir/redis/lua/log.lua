-- Sliding window log: the time of every charge, in chunks that are fields of the key's hash.
-- STATE L: last, first, end, before, total, newest, chunk
-- PARAM: capacity, window
--
-- Entries are numbered from the first ever made. An entry is a time and the total of all permits
-- up to and with it, modulo 2^48; CHUNK of them are one field. `before` is the total before
-- `first`, `total` that of the last entry, `newest` its time or 0 if there is none, `chunk` the
-- oldest field not removed yet.

local CHUNK = 128
local ENTRY_LENGTH = 13
local MAX_ENTRIES = 1048576
local MOST_CHUNKS_REMOVED = 8
-- A refund changes the totals of all later entries; one further back gives nothing.
local MOST_REWRITTEN = 2048
local TOTALS = 281474976710656

local function log_field(limit, chunk)
  return struct.pack('>c1I2I6', 'c', limit.id, chunk)
end

local function log_chunk(limit, key, chunk)
  local field = log_field(limit, chunk)
  local text = chunks[field]
  if not text then
    text = redis.call('HGET', key, field) or ''
    chunks[field] = text
  end
  return text
end

-- The time and the total of an entry.
local function log_entry(limit, key, entry)
  local text = log_chunk(limit, key, floor(entry / CHUNK))
  local at = entry % CHUNK * ENTRY_LENGTH + 1
  if at + ENTRY_LENGTH - 1 > #text then
    is_damaged = true
    return 0, 0
  end
  return struct.unpack('>I7I6', text, at)
end

-- The first entry from `low` to `high` for which the test holds, `high` if for none before it.
-- Looks near `low` first: most often few entries have left the window.
local function log_search(low, high, test)
  local step, known = 1, low
  while known < high and not test(known) do
    low = known + 1
    known = min(high, known + step)
    step = step * 2
  end
  high = known
  while low < high do
    local middle = floor((low + high) / 2)
    if test(middle) then
      high = middle
    else
      low = middle + 1
    end
  end
  return low
end

-- A log whose only entry is what another algorithm had in use.
local function log_converted(limit, stored)
  local total = used(stored)
  if total == 0 then
    return { letter = 'L', id = limit.id, last = stored.last, 0, 0, 0, 0, 0, 0 }
  end
  chunks[log_field(limit, 0)] = struct.pack('>I7I6', stored.last, total)
  return { letter = 'L', id = limit.id, last = stored.last, 0, 1, 0, total, stored.last, 0 }
end

local function log_total_before(limit, key, state, entry)
  if entry == state[1] then
    return state[3]
  end
  local _, total = log_entry(limit, key, entry - 1)
  return total
end

local function log_used(state)
  return (state[4] - state.counting_before) % TOTALS
end

local function log_write(limit, key, entry, time, total)
  local chunk = floor(entry / CHUNK)
  local at = entry % CHUNK * ENTRY_LENGTH
  local text = at == 0 and '' or log_chunk(limit, key, chunk)
  is_damaged = is_damaged or #text < at
  chunks[log_field(limit, chunk)] =
    string.sub(text, 1, at) .. struct.pack('>I7I6', time, total)
  return chunk
end

-- Takes permits out of an entry and so out of all later totals.
local function log_take(limit, key, state, entry, permits)
  local last_chunk = floor((state[2] - 1) / CHUNK)
  for chunk = floor(entry / CHUNK), last_chunk do
    local from = max(entry, chunk * CHUNK)
    local to = min(state[2], (chunk + 1) * CHUNK) - 1
    local parts = { string.sub(log_chunk(limit, key, chunk), 1, from % CHUNK * ENTRY_LENGTH) }
    for each = from, to do
      local time, total = log_entry(limit, key, each)
      parts[#parts + 1] = struct.pack('>I7I6', time, (total - permits) % TOTALS)
    end
    chunks[log_field(limit, chunk)] = table.concat(parts)
    state.rewritten[#state.rewritten + 1] = chunk
  end
  state[4] = (state[4] - permits) % TOTALS
end

-- The first entry from `low` whose permits and those before it, from `before` on, are that many.
local function log_first_with(limit, key, state, before, permits)
  return log_search(state[1], state[2] - 1, function(entry)
    local _, total = log_entry(limit, key, entry)
    return (total - before) % TOTALS >= permits
  end)
end

-- Entries of which nothing is left must not be the newest, which tells when all is over.
local function log_drop_empty_newest(limit, key, state)
  local left = (state[4] - state[3]) % TOTALS
  if left == 0 then
    state[2], state[5] = state[1], 0
    return
  end
  local newest = log_first_with(limit, key, state, state[3], left)
  state[2] = newest + 1
  state[5] = (log_entry(limit, key, newest))
end

local function log_refund_newest(limit, key, state, permits)
  local left = log_used(state) - min(permits, log_used(state))
  state[1], state[3] = state.counting, state.counting_before
  state[4] = (state[3] + left) % TOTALS
  if left == 0 then
    state[2], state[5] = state[1], 0
    return
  end
  local newest = log_first_with(limit, key, state, state[3], left)
  state[2] = newest + 1
  state[5] = (log_entry(limit, key, newest))
  state.rewritten[1] = log_write(limit, key, newest, state[5], state[4])
end

algorithms.L = {
  parameters = function(limit, a)
    limit.window = a
  end,

  advance = function(limit, stored, now, key)
    if not stored then
      local fresh = { letter = 'L', id = limit.id, last = now, 0, 0, 0, 0, 0, 0 }
      fresh.counting, fresh.counting_before = 0, 0
      return fresh
    end
    local state = stored.letter == 'L' and stored or log_converted(limit, stored)
    state.last = max(now, state.last)
    local cutoff = state.last - limit.window
    if state[5] <= cutoff then
      state.counting, state.counting_before = state[2], state[4]
      return state
    end
    state.counting = log_search(state[1], state[2], function(entry)
      return (log_entry(limit, key, entry)) > cutoff
    end)
    state.counting_before = log_total_before(limit, key, state, state.counting)
    return state
  end,

  available = function(limit, state)
    if state[2] - state.counting >= MAX_ENTRIES and state[5] ~= state.last then
      return 0
    end
    return max(0, limit.capacity - log_used(state))
  end,

  wait_micros = function(limit, state, permits, key)
    local excess = log_used(state) - (limit.capacity - permits)
    local leaving = state.counting
    if excess > 0 then
      leaving = log_search(leaving, state[2] - 1, function(entry)
        local _, total = log_entry(limit, key, entry)
        return (total - state.counting_before) % TOTALS >= excess
      end)
    end
    return (log_entry(limit, key, leaving)) + limit.window - state.last
  end,

  charge = function(limit, state, permits, key)
    local total = (state[4] + permits) % TOTALS
    local counts = state[2] > state.counting
    if not (counts and state[5] == state.last) then
      state[2] = state[2] + 1
    end
    state[1], state[3] = state.counting, state.counting_before
    state[4], state[5] = total, state.last
    state.written = log_write(limit, key, state[2] - 1, state.last, total)
  end,

  refund = function(limit, state, permits, charged, key)
    state.rewritten = {}
    if log_used(state) == 0 then
      return false
    end
    if not charged then
      log_refund_newest(limit, key, state, permits)
      return true
    end
    local entry = log_search(state.counting, state[2], function(each)
      return (log_entry(limit, key, each)) >= charged.at
    end)
    if entry == state[2] or state[2] - entry > MOST_REWRITTEN then
      return false
    end
    local time, total = log_entry(limit, key, entry)
    local before = state.counting_before
    if entry > state.counting then
      before = log_total_before(limit, key, state, entry)
    end
    local given = min(permits, (total - before) % TOTALS)
    if time ~= charged.at or given == 0 then
      return false
    end
    state[1], state[3] = state.counting, state.counting_before
    log_take(limit, key, state, entry, given)
    log_drop_empty_newest(limit, key, state)
    return true
  end,

  reset_micros = function(limit, state)
    return state[2] == state.counting and 0 or state[5] + limit.window - state.last
  end,

  -- Adds to the fields of the hash to write and to remove.
  fields = function(limit, state, writes, removals)
    for _, chunk in ipairs(state.rewritten or { state.written }) do
      writes[#writes + 1] = log_field(limit, chunk)
      writes[#writes + 1] = chunks[log_field(limit, chunk)]
    end
    local oldest = floor(state[1] / CHUNK)
    local removed = 0
    while state[6] < oldest and removed < MOST_CHUNKS_REMOVED do
      removals[#removals + 1] = log_field(limit, state[6])
      state[6] = state[6] + 1
      removed = removed + 1
    end
  end,
}

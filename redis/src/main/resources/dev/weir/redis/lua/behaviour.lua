-- The model of behaviour: counters, points, risk and tiers of a subject, bit for bit as RiskModel,
-- Scoring, Tiers and SubjectStateBytes of the Java core. docs/adaptive.md has the arithmetic.
--
-- SETTINGS: one text of doubles, big-endian, as ModelArguments writes them:
--   1 to 13 half-lives in ticks, by counter; 14 points, from, to of unmatched, slow, probes, auth,
--   burst, repeat, routes, denied, agentless; 41 repeat's share from, to; 43 unmatched hard at,
--   hard points; 45 expected burst, baseline to burst; 47 errors' slope, grace; 49 weights of an
--   authentication attempt and failure, a tripwire, a popular path; 53 enter elevated, suspicious,
--   blocked; 56 leave elevated, suspicious; 58 dwell, first block, longest block in ticks; 61
--   jitter; 62 points of enough evidence; 63 shared principals, agents
-- STATE: SubjectStateBytes

local TICK_MICROS = 100000
local behaviour = {}

do
  local SETTINGS = '>' .. string.rep('d', 64)
  local LEAST_KEPT_TICKS = 9000
  local PATH_GENERATION, GENERATION = 36000, 6000
  local MOST, NOTHING = 1048576, 1 / 1048576
  local BAD, SLOW, AUTH, BURST, BASELINE, TOTAL, ROUTES = 1, 2, 3, 4, 5, 6, 7
  local DENIED, AGENTLESS, ERRORS, STRIKES, RISK, PROBES = 8, 9, 10, 11, 12, 13
  local FIXED = '>I1I1I1I6I6I6I6fffffffffffff'
  local FIXED_LENGTH = 79
  local FLOATS = 'fffffffffffffffff'

  local set -- The settings.

  behaviour.read_settings = function(text)
    set = { struct.unpack(SETTINGS, text) }
  end

  local function tick_of(micros)
    return floor(micros / TICK_MICROS)
  end

  local function fresh(tick)
    return {
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      tier = 0, tick = tick, calm = tick, block_end = 0, retry_at = 0,
      prints = { 0, 0, 0, 0 }, repeats = { 0, 0, 0, 0 }
    }
  end

  local function part(text, at, length, is_there)
    if is_there then
      return string.sub(text, at, at + length - 1), at + length
    end
    return nil, at
  end

  -- The state in a text, or nil if it is not one.
  local function decode_subject(text)
    local version, flags = string.byte(text, 1, 2)
    if version ~= 1 or #text < FIXED_LENGTH then
      return nil
    end
    local s = fresh(0)
    version, flags, s.tier, s.tick, s.calm, s.block_end, s.retry_at,
      s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8], s[9], s[10], s[11], s[12], s[13] =
      struct.unpack(FIXED, text)
    local slots = floor(flags / 16)
    for i = 1, 13 do
      if not (s[i] >= 0) then
        return nil
      end
    end
    local at = FIXED_LENGTH + 1
    if slots > 4 or s.tier > 3 or #text < FIXED_LENGTH + slots * 8 then
      return nil
    end
    for i = 1, slots do
      s.prints[i], s.repeats[i] = struct.unpack('>I4f', text, at)
      at = at + 8
    end
    s.paths, at = part(text, at, 64, has_bit(flags, 1))
    s.routes, at = part(text, at, 128, has_bit(flags, 2))
    s.principals, at = part(text, at, 16, has_bit(flags, 4))
    s.agents, at = part(text, at, 16, has_bit(flags, 8))
    return at == #text + 1 and s or nil
  end

  behaviour.encode = function(s)
    local parts, flags = { '' }, 0
    for i = 1, 4 do
      if s.repeats[i] > 0 then
        parts[#parts + 1] = struct.pack('>I4f', s.prints[i], s.repeats[i])
        flags = flags + 16
      end
    end
    local mask = 1
    for i = 1, 4 do
      local bits
      if i == 1 then bits = s.paths elseif i == 2 then bits = s.routes
      elseif i == 3 then bits = s.principals else bits = s.agents end
      if not sets.is_empty(bits) then
        parts[#parts + 1] = bits
        flags = flags + mask
      end
      mask = mask + mask
    end
    parts[1] = struct.pack(
      FIXED, 1, flags, s.tier, s.tick, s.calm, s.block_end, s.retry_at,
      s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8], s[9], s[10], s[11], s[12], s[13])
    return table.concat(parts)
  end

  -- The whole half-lives until a counter is below a mark.
  local function fading(s, counter, mark)
    local ticks, count = 0, s[counter]
    while count >= mark do
      ticks = ticks + set[counter]
      count = count * 0.5
    end
    return ticks
  end

  local function kept_ticks(s)
    return max(
      LEAST_KEPT_TICKS, s.block_end - s.tick + LEAST_KEPT_TICKS,
      fading(s, RISK, 1), fading(s, SLOW, 1), fading(s, PROBES, 1), fading(s, STRIKES, 0.5))
  end

  -- How long the state has to be kept from now on.
  behaviour.kept_micros = function(s, now)
    return (s.tick + kept_ticks(s)) * TICK_MICROS - now
  end

  -- Counters are kept as floats of 32 bits, rounded to nearest.
  local function round(s)
    local r = s.repeats
    s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8], s[9], s[10], s[11], s[12], s[13],
      r[1], r[2], r[3], r[4] = struct.unpack(FLOATS, struct.pack(FLOATS,
      s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8], s[9], s[10], s[11], s[12], s[13],
      r[1], r[2], r[3], r[4]))
  end

  local function factor_of(ticks, half_life)
    local halvings = floor(ticks / half_life)
    if halvings >= 64 then
      return 0
    end
    local z = (ticks - halvings * half_life) / half_life * 0.08664339756999316
    local p = 1 - z / 6
    p = 1 - z / 5 * p
    p = 1 - z / 4 * p
    p = 1 - z / 3 * p
    p = 1 - z / 2 * p
    p = 1 - z * p
    p = p * p
    p = p * p
    p = p * p
    for _ = 1, halvings do
      p = p * 0.5
    end
    return p
  end

  local function decay(s, ticks)
    local factors = {}
    for i = 1, 13 do
      local count = s[i]
      if count > 0 then
        local half_life = set[i]
        local factor = factors[half_life]
        if not factor then
          factor = factor_of(ticks, half_life)
          factors[half_life] = factor
        end
        count = count * factor
        s[i] = count < NOTHING and 0 or count
      end
    end
    local factor = factors[set[TOTAL]] or factor_of(ticks, set[TOTAL])
    local prints, repeats, kept = s.prints, s.repeats, 0
    for i = 1, 4 do
      local count = repeats[i] * factor
      if count >= NOTHING then
        kept = kept + 1
        prints[kept], repeats[kept] = prints[i], count
      end
    end
    for i = kept + 1, 4 do
      prints[i], repeats[i] = 0, 0
    end
  end

  -- The state in a text at a time, with everything decayed, and whether the text was damaged.
  behaviour.at = function(text, now)
    local tick = tick_of(now)
    local s = text and decode_subject(text)
    if not s then
      return fresh(tick), text and true or false
    end
    local ticks = tick - s.tick
    if ticks >= LEAST_KEPT_TICKS and ticks >= kept_ticks(s) then
      return fresh(tick), false
    end
    if ticks > 0 then
      decay(s, ticks)
      s.paths = sets.moved(s.paths, s.tick, tick, PATH_GENERATION)
      s.routes = sets.moved(s.routes, s.tick, tick, GENERATION)
      s.principals = sets.moved(s.principals, s.tick, tick, GENERATION)
      s.agents = sets.moved(s.agents, s.tick, tick, GENERATION)
      s.tick = tick
      round(s)
    end
    return s, false
  end

  local function saturation(value, from, to)
    return max(0, min(1, (value - from) / (to - from)))
  end

  -- The points of a value whose points, from and to are the settings from there on.
  local function points(value, at)
    return set[at] * saturation(value, set[at + 1], set[at + 2])
  end

  local function grace(s)
    if s[TOTAL] <= 0 then
      return 1
    end
    return 1 - set[48] * min(1, set[47] * s[ERRORS] / s[TOTAL])
  end

  local function repeat_points(s)
    local total, repeats = s[TOTAL], s.repeats
    local top = max(repeats[1], repeats[2], repeats[3], repeats[4])
    if total <= 0 then
      return 0
    end
    return points(top, 29) * saturation(top / total, set[41], set[42])
  end

  local function scan_points(s)
    local minutes = points(s[BAD], 14)
    if s[BAD] >= set[43] then
      minutes = minutes + set[44]
    end
    return max(minutes, points(s[SLOW], 17), points(s[PROBES], 20))
  end

  -- The evidence, how many signals have enough of it, and whether all of it is soft.
  local function evidence_of(s)
    local g = grace(s)
    local scan, auth = scan_points(s), points(s[AUTH], 23)
    local burst = g * points(s[BURST] / max(set[45], s[BASELINE] * set[46]), 26)
    local repeats = g * repeat_points(s)
    local routes = points(s[ROUTES], 32)
    local denied = g * points(s[DENIED], 35)
    local agentless = points(s[AGENTLESS], 38)
    local sum = scan + auth + burst + repeats + routes + denied + agentless
    local enough = set[62]
    -- Of the three views of the same paths two have no points.
    local strong = 0 >= enough and 2 or 0
    strong = strong + (scan >= enough and 1 or 0) + (auth >= enough and 1 or 0)
      + (burst >= enough and 1 or 0) + (repeats >= enough and 1 or 0)
      + (routes >= enough and 1 or 0) + (denied >= enough and 1 or 0)
      + (agentless >= enough and 1 or 0)
    return min(100, sum), strong, scan <= 0 and auth <= 0 and strong < 2
  end

  -- Ends a block whose time has come, and comes down a tier for each calm dwelling time.
  local function settle(s, risk)
    local tick = s.tick
    if s.tier == 3 then
      if tick < s.block_end then
        return
      end
      s.tier, s.calm = 2, s.block_end
    end
    if s.tier > 0 and risk >= set[55 + s.tier] then
      s.calm = tick
    end
    while s.tier > 0 and risk < set[55 + s.tier] and tick - s.calm >= set[58] do
      s.tier = s.tier - 1
      s.calm = s.calm + set[58]
    end
  end

  local function is_blockable(s, strong)
    return (s[BAD] >= set[43] or s[AUTH] >= set[25] or strong >= 2)
      and sets.distinct(s.principals) < set[63] and sets.distinct(s.agents) < set[64]
  end

  local function block_ticks(s, seed)
    local ticks, longest = set[59], set[60]
    local n = floor(s[STRIKES] + 0.5)
    while n > 1 and ticks < longest do
      ticks = ticks * 2
      n = n - 1
    end
    local spread = (seed % 65536 + s.tick % 65536) * 40503
    spread = spread - floor(spread / 65536) * 65536
    ticks = min(ticks, longest) * (1 - set[61] * (spread / 65536))
    return max(1, math.ceil(ticks))
  end

  -- Goes up to where the evidence says. A block that runs is left alone.
  local function raise(s, total, strong, seed)
    local level = 0
    while level < 3 and total >= set[53 + level] do
      level = level + 1
    end
    if level == 3 and s.tier < 3 and not is_blockable(s, strong) then
      level = 2
    end
    if level <= s.tier then
      return
    end
    s.tier, s.calm = level, s.tick
    if level == 3 then
      s[STRIKES] = min(MOST, s[STRIKES] + 1)
      round(s)
      s.block_end = s.tick + block_ticks(s, seed)
    end
  end

  local function judge_subject(s, seed)
    round(s)
    local total, strong, is_soft = evidence_of(s)
    local risk = max(total, s[RISK])
    settle(s, risk)
    if not is_soft then
      raise(s, total, strong, seed)
    end
    s[RISK] = risk
  end

  local function add(s, counter, increment)
    s[counter] = min(MOST, s[counter] + increment)
  end

  local function unmatched(s, path, is_tripwire, is_popular)
    local is_new
    s.paths, is_new = with_bit(s.paths, path, 32)
    if not is_new then
      return
    end
    local increment = 1
    if is_tripwire then
      increment = set[51]
      add(s, PROBES, 1)
    elseif is_popular then
      increment = set[52]
    end
    add(s, BAD, increment)
    add(s, SLOW, increment)
  end

  -- Space-Saving: a request that has no slot takes the least used one, with its count.
  local function note_repeat(s, fingerprint, weight)
    local prints, repeats, slot = s.prints, s.repeats, 1
    for i = 1, 4 do
      if repeats[i] > 0 and prints[i] == fingerprint then
        slot = i
        break
      end
      if repeats[i] < repeats[slot] then
        slot = i
      end
    end
    prints[slot] = fingerprint
    repeats[slot] = min(MOST, repeats[slot] + weight)
  end

  -- A request: ModelArguments has the layout of the text and of its flags.
  behaviour.request = function(s, text, seed)
    local print, route, path, principal, agent, weight, flags =
      struct.unpack('>I4I4I4I4I4dI1', text)
    local is_static = has_bit(flags, 1)
    if not is_static and s[TOTAL] >= 3 then
      local is_new
      s.routes, is_new = with_bit(s.routes, route, 64)
      if is_new then
        add(s, ROUTES, 1)
      end
    end
    add(s, BURST, weight)
    add(s, BASELINE, weight)
    add(s, TOTAL, weight)
    note_repeat(s, print, weight)
    if has_bit(flags, 32) then
      add(s, AGENTLESS, 1)
    end
    if has_bit(flags, 16) then
      add(s, AUTH, set[49])
    end
    if has_bit(flags, 2) and not is_static then
      unmatched(s, path, has_bit(flags, 4), has_bit(flags, 8))
    end
    if principal > 0 then
      s.principals = with_bit(s.principals, principal, 8)
    end
    if agent > 0 then
      s.agents = with_bit(s.agents, agent, 8)
    end
    judge_subject(s, seed)
  end

  -- The application's answers, one after the other in the text.
  behaviour.outcomes = function(s, text, seed)
    for at = 1, #text, 5 do
      local flags, path = struct.unpack('>I1I4', text, at)
      if has_bit(flags, 1) then
        unmatched(s, path, has_bit(flags, 2), has_bit(flags, 4))
      end
      if has_bit(flags, 8) then
        add(s, AUTH, set[50])
      end
      if has_bit(flags, 16) then
        add(s, ERRORS, 1)
      end
      judge_subject(s, seed)
    end
  end

  -- The call was refused, and told to wait; -1 for never.
  behaviour.refused = function(s, wait, now)
    if s.tick < s.retry_at then
      add(s, DENIED, 1)
    elseif wait >= 0 then
      s.retry_at = tick_of(now + wait)
    end
  end

  -- Whether what is missing for the subject may be taken as missing for people in general.
  behaviour.is_in_good_standing = function(s)
    return s.tier == 0 and s[BAD] < set[15]
  end
end

-- Writes a subject's state, from now on.
local function write_subject(key, s, now)
  redis.call(
    'SET', key, behaviour.encode(s), 'PX', expiry_millis(key, behaviour.kept_micros(s, now)))
end

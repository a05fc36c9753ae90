/** Durations as the service writes them (`250ms`, `1s`, `7d`) and as people read them. Pure. */

const UNITS = [["d", 86400e6], ["h", 3600e6], ["m", 60e6], ["s", 1e6], ["ms", 1e3], ["us", 1]];
const MAKERS = { d: "ofDays", h: "ofHours", m: "ofMinutes", s: "ofSeconds", ms: "ofMillis" };
const TEXT = /^(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?(?:(\d+)ms)?(?:(\d+)us)?$/;

/** Microseconds of a duration text, or null if it is none. */
export function parseMicros(text) {
  const parts = TEXT.exec(String(text).trim());
  if (!parts || parts[0] === "") return null;
  return UNITS.reduce((sum, [, micros], i) => sum + Number(parts[i + 1] ?? 0) * micros, 0);
}

/** Milliseconds of a duration text, or null if it is none. */
export function parseMs(text) {
  const micros = parseMicros(text);
  return micros === null ? null : micros / 1000;
}

/** The Java expression for a duration text: in its own unit, or in the longest that is exact. */
export function javaDuration(text) {
  const micros = parseMicros(text);
  const own = /^\d+([a-z]+)$/.exec(String(text).trim())?.[1];
  const [unit, size] = UNITS.find(([name, length]) =>
    own === undefined ? micros % length === 0 : name === own);
  if (unit === "us") return `Duration.ofNanos(${javaLong(String(micros * 1000))})`;
  return `Duration.${MAKERS[unit]}(${javaLong(String(micros / size))})`;
}

/** A whole number as a Java literal, grouped by thousands; long where an int is too small. */
export function javaLong(digits) {
  const grouped = String(digits).replace(/\B(?=(\d{3})+$)/g, "_");
  return Number(digits) > 2147483647 ? `${grouped}L` : grouped;
}

/** A time for people, never shorter than it is: `0.8 s`, `12 s`, `3 min 5 s`, `2 h 10 min`. */
export function readable(ms) {
  if (ms < 100) return `${Math.ceil(ms)} ms`;
  if (ms < 1000) return `${(Math.ceil(ms / 10) / 100).toFixed(2)} s`;
  if (ms < 10_000) return `${(Math.ceil(ms / 100) / 10).toFixed(1)} s`;
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return twoUnits(seconds, 60, "min", "s");
  if (seconds < 86400) return twoUnits(Math.ceil(seconds / 60), 60, "h", "min");
  return twoUnits(Math.ceil(seconds / 3600), 24, "d", "h");
}

/** A countdown: as readable, with one decimal place that does not change width below a minute. */
export function countdown(ms) {
  return ms < 60_000 ? `${(Math.ceil(Math.max(0, ms) / 100) / 10).toFixed(1)} s` : readable(ms);
}

/** A duration setting with spaces: `1 h 30 min` for `1h30m`. */
export function spaced(text) {
  return String(text).trim().replace(/(\d+)(us|ms|s|m|h|d)/g, (_, count, unit) =>
    `${count} ${unit === "m" ? "min" : unit} `).trimEnd();
}

function twoUnits(value, size, large, small) {
  const rest = value % size;
  const whole = `${Math.floor(value / size)} ${large}`;
  return rest === 0 ? whole : `${whole} ${rest} ${small}`;
}

/** Durations as the service writes them (`250ms`, `1s`, `7d`) and as people read them. Pure. */

const UNIT_MICROS = { us: 1, ms: 1e3, s: 1e6, m: 60e6, h: 3600e6, d: 86400e6 };

/** Microseconds of a duration text, or null if it is none. */
export function parseMicros(text) {
  const parts = /^(\d+)(us|ms|s|m|h|d)$/.exec(String(text).trim());
  return parts ? Number(parts[1]) * UNIT_MICROS[parts[2]] : null;
}

/** Milliseconds of a duration text, or null if it is none. */
export function parseMs(text) {
  const micros = parseMicros(text);
  return micros === null ? null : micros / 1000;
}

/** The Java expression for a duration text. */
export function javaDuration(text) {
  const parts = /^(\d+)(us|ms|s|m|h|d)$/.exec(String(text).trim());
  if (!parts) return `Duration.parse("${text}")`;
  const makers = { ms: "ofMillis", s: "ofSeconds", m: "ofMinutes", h: "ofHours", d: "ofDays" };
  const maker = makers[parts[2]];
  if (maker) return `Duration.${maker}(${javaLong(parts[1])})`;
  return `Duration.ofNanos(${javaLong(String(Number(parts[1]) * 1000))})`;
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

/** A duration setting with a space, `250ms` to `250 ms`; anything else as it is. */
export function spaced(text) {
  return String(text).trim().replace(/^(\d+)(us|ms|s|m|h|d)$/, (_, n, unit) =>
    `${n} ${unit === "m" ? "min" : unit}`);
}

function twoUnits(value, size, large, small) {
  const rest = value % size;
  const whole = `${Math.floor(value / size)} ${large}`;
  return rest === 0 ? whole : `${whole} ${rest} ${small}`;
}

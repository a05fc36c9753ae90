/** Numbers, times and tiers as people read them. Pure. */

const COUNT = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const SHORT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** A number with its thousands apart. */
export function count(number) {
  return COUNT.format(number);
}

/** A large number in few characters. */
export function short(number) {
  return number < 10000 ? COUNT.format(number) : SHORT.format(number);
}

/** A share of a whole in percent. */
export function percent(part, whole) {
  if (whole === 0) return "–";
  const share = (100 * part) / whole;
  return `${share > 0 && share < 1 ? share.toFixed(1) : Math.round(share)}%`;
}

/** A span of time. */
export function span(millis) {
  if (millis === null) return "never";
  if (millis < 1000) return `${Math.ceil(millis)} ms`;
  const seconds = Math.ceil(millis / 1000);
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172800) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86400)} days`;
}

/** How long ago something was. */
export function ago(atMillis, nowMillis) {
  const age = nowMillis - atMillis;
  return age < 2000 ? "now" : `${span(age)} ago`;
}

/** A point in time as a clock shows it, with the day unless it is today. */
export function clock(atMillis) {
  const date = new Date(atMillis);
  const time = date.toLocaleTimeString("en-GB");
  return date.toDateString() === new Date().toDateString()
    ? time : `${date.toLocaleDateString("en-CA")} ${time}`;
}

/** A latency. */
export function micros(number) {
  return number < 1000 ? `${number} µs` : `${COUNT.format(number / 1000)} ms`;
}

/** A limit in words, from its fields. */
export function limitWords(limit) {
  const parts = Object.entries(limit)
    .filter(([name]) => name !== "algorithm")
    .map(([name, value]) => `${name} ${value}`);
  return `${limit.algorithm}: ${parts.join(", ")}`;
}

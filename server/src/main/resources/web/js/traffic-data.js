/** Counts of answers over time, in bins of one second. Pure. */

/** Counts an answer in its second; returns new bins. */
export function countAnswer(bins, atMs, allowed) {
  const second = Math.floor(atMs / 1000);
  const found = bins.get(second) ?? { allowed: 0, denied: 0 };
  const next = allowed ? { ...found, allowed: found.allowed + 1 }
    : { ...found, denied: found.denied + 1 };
  return new Map(bins).set(second, next);
}

/** Forgets bins before the last `seconds`. */
export function dropOld(bins, nowMs, seconds) {
  const oldest = Math.floor(nowMs / 1000) - seconds;
  return new Map([...bins].filter(([second]) => second > oldest));
}

/**
 * The columns of a stacked chart of the last `seconds`, oldest first: seconds before now, all
 * answers, and the allowed ones that cover them from below.
 */
export function columns(bins, nowMs, seconds) {
  const last = Math.floor(nowMs / 1000);
  const ages = [];
  const all = [];
  const allowed = [];
  for (let age = seconds - 1; age >= 0; age--) {
    const bin = bins.get(last - age) ?? { allowed: 0, denied: 0 };
    ages.push(-age);
    all.push(bin.allowed + bin.denied);
    allowed.push(bin.allowed);
  }
  return [ages, all, allowed];
}

/** What the chart shows, in a sentence. */
export function chartSentence(bins, seconds) {
  const total = { allowed: 0, denied: 0 };
  for (const bin of bins.values()) {
    total.allowed += bin.allowed;
    total.denied += bin.denied;
  }
  return `In the last ${seconds} seconds: ${total.allowed} allowed, ${total.denied} denied.`;
}

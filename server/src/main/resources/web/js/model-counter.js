/** The two counts of a sliding window counter, as far as its answers tell them. Pure. */

/** The counts at a time: windows that have passed move on. */
export function advanceCounter(counter, windowMs, now) {
  const passed = Math.floor((now - counter.start) / windowMs);
  if (passed <= 0) return counter;
  const start = counter.start + passed * windowMs;
  return { start, prev: passed === 1 ? counter.curr : 0, curr: 0 };
}

/**
 * The counts after an answer. The time to reset tells where in its window the store is: two
 * windows less the time passed if something was charged in this one, one window less it if not.
 * What is left tells the sum; what this page did not charge itself counts as charged just now.
 */
export function observeCounter(state, answer, call) {
  const windowMs = state.numbers.periodMs;
  const used = answer.limit - answer.remaining;
  if (answer.resetAfterMs <= 0) {
    const counter = state.counter && advanceCounter(state.counter, windowMs, call.at);
    return counter && { ...counter, prev: 0, curr: 0 };
  }
  const inCurrent = answer.resetAfterMs > windowMs;
  const left = answer.resetAfterMs - (inCurrent ? windowMs : 0);
  const start = call.at - (windowMs - left);
  const weight = left / windowMs;
  const before = carriedOver(state.counter, windowMs, start);
  const charged = call.charged && answer.allowed ? call.cost : 0;
  if (!inCurrent) return { start, prev: likely(before.prev, used / weight, 1 / weight), curr: 0 };
  const curr = likely(before.curr + charged, Math.max(0, used - before.prev * weight), 1);
  return { start, prev: before.prev, curr };
}

/** What to draw of a counter. */
export function viewCounter(state, now) {
  const { capacity, periodMs } = state.numbers;
  if (!state.counter) {
    return { prev: 0, curr: 0, weight: 1, used: 0, remaining: capacity, resetMs: 0, start: null };
  }
  const { start, prev, curr } = advanceCounter(state.counter, periodMs, now);
  const weight = 1 - Math.min(1, Math.max(0, (now - start) / periodMs));
  const used = Math.min(capacity, prev * weight + curr);
  const remaining = Math.max(0, Math.floor(capacity - used + 1e-6));
  const resetMs = curr > 0 ? (1 + weight) * periodMs : prev > 0 ? weight * periodMs : 0;
  return { prev, curr, weight, used, remaining, resetMs, start };
}

/** The counts as of a window's start, which two clocks place some milliseconds apart. */
function carriedOver(counter, windowMs, start) {
  if (!counter) return { prev: 0, curr: 0 };
  return advanceCounter(counter, windowMs, start + windowMs / 2);
}

/** What was counted, unless the answer says otherwise by more than its rounding. */
function likely(counted, told, slack) {
  return Math.abs(counted - told) <= slack + 1e-6 ? counted : Math.round(told);
}

/**
 * What a key's bucket or window holds between two answers, worked out from the numbers of the
 * last answer and the parameters of the limit. Pure: the time is an argument, in milliseconds.
 */

import { observeCounter, viewCounter } from "./model-counter.js";

const MOST_MARKS = 400;
/** A wait that is over for longer than this, and still nothing is left, has been overtaken. */
const LATE_MS = 50;

/** A key that has not been asked for yet. */
export function freshState(numbers) {
  return {
    numbers, known: false, at: 0, remaining: numbers.capacity, resetMs: 0, marks: [],
    retry: null, counter: null, phaseAt: null, queue: [],
  };
}

/**
 * The state after an answer.
 *
 * @param answer the body of the answer
 * @param call `{cost, charged, sentAt, at}`: charged is false for a peek
 */
export function observe(state, answer, call) {
  const before = view(state, call.at);
  const next = { ...state, known: true };
  if (call.charged && call.cost > 0) {
    next.marks = withMark(state, { at: call.at, cost: call.cost, allowed: answer.allowed });
  }
  next.retry = retryOf(state.retry, answer, call);
  if (isStale(state, before, answer, call)) return next;
  next.at = call.at;
  next.remaining = answer.remaining;
  next.resetMs = answer.resetAfterMs;
  next.queue = withQueued(state.queue, answer, call);
  if (answer.resetAfterMs > 0) next.phaseAt = call.at + answer.resetAfterMs;
  if (state.numbers.word === "sliding-window-counter") {
    next.counter = observeCounter(state, answer, call);
  }
  return next;
}

/** The same key under other numbers, until the next answer tells its new state. */
export function withNumbers(state, numbers) {
  return { ...freshState(numbers), marks: state.marks };
}

/** What there is to draw at a time. */
export function view(state, now) {
  const n = state.numbers;
  const passed = Math.max(0, now - state.at);
  const common = { numbers: n, known: state.known, now, marks: state.marks };
  switch (n.word) {
    case "token-bucket":
      return { ...common, shape: "bucket", ...viewTokens(state, passed) };
    case "leaky-bucket":
      return { ...common, shape: "leak", ...viewLeak(state, passed, now) };
    case "fixed-window":
      return { ...common, shape: "window", ...viewWindow(state, now) };
    case "sliding-window-log":
      return { ...common, shape: "log", ...viewLog(state, now) };
    default:
      return { ...common, shape: "counter", ...viewCounter(state, now) };
  }
}

/** Time until the next permit of that cost as the service told it: a number, "never" or null. */
export function untilRetry(state, cost, now) {
  if (!state.retry || state.retry.cost !== cost) return null;
  if (state.retry.never) return "never";
  const left = state.retry.at - now;
  return left < -LATE_MS ? null : Math.max(0, left);
}

function viewTokens(state, passed) {
  const { capacity, tokens, periodMs, ratePerMs, variant } = state.numbers;
  const missing = capacity - state.remaining;
  const resetMs = Math.max(0, state.resetMs - passed);
  if (missing <= 0 || resetMs <= 0) return { level: capacity, remaining: capacity, resetMs: 0 };
  if (variant === "smooth") {
    const level = Math.min(capacity, Math.max(state.remaining, capacity - resetMs * ratePerMs));
    return { level, remaining: Math.floor(level), resetMs };
  }
  const periods = Math.ceil(missing / tokens);
  const firstMs = Math.min(periodMs, Math.max(0, state.resetMs - (periods - 1) * periodMs));
  const arrived = passed < firstMs ? 0 : 1 + Math.floor((passed - firstMs) / periodMs);
  const level = Math.min(capacity, state.remaining + arrived * tokens);
  const nextMs = firstMs + arrived * periodMs - passed;
  return { level, remaining: level, resetMs, nextMs: level < capacity ? nextMs : null };
}

function viewLeak(state, passed, now) {
  const { capacity, ratePerMs } = state.numbers;
  const resetMs = Math.max(0, state.resetMs - passed);
  const used = capacity - state.remaining;
  const exact = Math.min(state.resetMs * ratePerMs, used);
  const level = Math.max(0, exact - passed * ratePerMs);
  const queue = state.queue.filter((call) => call.releaseAt > now)
    .map((call) => ({ waitMs: call.releaseAt - now, cost: call.cost }));
  return { level, remaining: Math.floor(capacity - level + 1e-9), resetMs, queue };
}

function viewWindow(state, now) {
  const { capacity, periodMs, variant } = state.numbers;
  if (state.phaseAt === null) return { used: 0, remaining: capacity, resetMs: 0, start: null };
  const over = now >= state.phaseAt;
  const used = over ? 0 : capacity - state.remaining;
  const resetMs = over || used === 0 ? 0 : state.phaseAt - now;
  const rest = { used, remaining: capacity - used, resetMs };
  if (over && variant !== "clock") return { ...rest, start: null };
  const start = state.phaseAt - periodMs;
  return { ...rest, start: start + Math.max(0, Math.floor((now - start) / periodMs)) * periodMs };
}

function viewLog(state, now) {
  const { capacity, periodMs } = state.numbers;
  const used = capacity - state.remaining;
  const lastLeaves = state.at + state.resetMs;
  if (used <= 0 || now >= lastLeaves) return { used: 0, remaining: capacity, resetMs: 0, other: 0 };
  const own = state.marks.filter((mark) =>
    mark.allowed && mark.at <= state.at && mark.at + periodMs > state.at);
  const left = own.filter((mark) => mark.at + periodMs <= now);
  const stillUsed = Math.min(capacity, Math.max(0, used - sum(left)));
  const other = Math.max(0, used - sum(own));
  return { used: stillUsed, remaining: capacity - stillUsed, resetMs: lastLeaves - now, other };
}

/** An answer that was overtaken by a later one of the same burst tells an older state. */
function isStale(state, before, answer, call) {
  return state.known && call.sentAt < state.at && answer.remaining > before.remaining;
}

function retryOf(retry, answer, call) {
  if (!answer.allowed) {
    return answer.retryAfterMs === null ? { never: true, cost: call.cost }
      : { at: call.at + answer.retryAfterMs, cost: call.cost };
  }
  return call.cost > 0 ? null : retry;
}

function withMark(state, mark) {
  const oldest = mark.at - 2 * state.numbers.periodMs;
  const kept = state.marks.filter((one) => one.at > oldest);
  return [...kept.slice(1 - MOST_MARKS), mark];
}

function withQueued(queue, answer, call) {
  const waiting = queue.filter((one) => one.releaseAt > call.at);
  if (!call.charged || !answer.allowed || !(answer.delayMs > 0)) return waiting;
  return [...waiting.slice(-MOST_MARKS), { releaseAt: call.at + answer.delayMs, cost: call.cost }];
}

function sum(marks) {
  return marks.reduce((total, mark) => total + mark.cost, 0);
}


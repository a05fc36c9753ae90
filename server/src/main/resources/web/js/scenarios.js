/**
 * The ready scenarios. Each says what to look for, which limit it needs, and, from the answers,
 * what was seen. Their `run` gets `{numbers, key, send, burst, pause}` and touches nothing else.
 */

import { readable } from "./duration.js";
import { tally } from "./traffic.js";

const EXTRA = 5;
const BEFORE_EDGE_MS = 250;
const AFTER_EDGE_MS = 60;
const TURN_MS = 120;
const QUICK_BUCKET = { count: 10, period: "1s" };
const QUICK_WINDOW = { limit: 5, window: "4s" };

export const SCENARIOS = [
  {
    id: "burst-then-wait",
    title: "Burst, then wait",
    lookFor: "A burst takes all there is, the rest is denied, and a request after exactly the " +
      "stated wait is allowed.",
    limitFor: (limit, n) => (n.capacity <= 50 && n.periodMs <= 10_000 ? limit : quick(limit)),
    run: burstThenWait,
  },
  {
    id: "double-burst",
    title: "Double burst",
    lookFor: "Two bursts, just before and just after a window's edge: a fixed window lets both " +
      "through, a sliding one does not.",
    limitFor: (limit, n) => {
      if (limit.algorithm.endsWith("bucket")) {
        return { algorithm: "fixed-window", ...QUICK_WINDOW, alignment: "first-charge" };
      }
      const fits = n.capacity <= 50 && n.periodMs >= 1000 && n.periodMs <= 10_000;
      return fits ? limit : quick(limit);
    },
    run: doubleBurst,
  },
  {
    id: "two-clients",
    title: "Two clients",
    lookFor: "One client uses up its limit; another, with a key of its own, notices nothing.",
    limitFor: (limit, n) => (n.capacity <= 50 && n.capacity >= 3 ? limit : quick(limit)),
    run: twoClients,
  },
  {
    id: "costly-request",
    title: "Costly request",
    lookFor: "A costly request that does not fit is denied and charges nothing, so that a cheap " +
      "one still passes.",
    limitFor: (limit, n) => {
      const slow = n.capacity / n.ratePerMs >= 2000 && n.periodMs * (n.capacity / n.tokens) >= 2000;
      return n.capacity >= 4 && slow ? limit : quick(limit);
    },
    run: costlyRequest,
  },
];

/** The same algorithm with numbers that a scenario ends with soon. */
export function quick(limit) {
  const { algorithm } = limit;
  if (algorithm === "token-bucket") {
    return { algorithm, capacity: QUICK_BUCKET.count, refillTokens: 1,
      refillPeriod: QUICK_BUCKET.period, refill: limit.refill ?? "interval" };
  }
  if (algorithm === "leaky-bucket") {
    return { algorithm, capacity: QUICK_BUCKET.count, leakPermits: 1,
      leakPeriod: QUICK_BUCKET.period, mode: limit.mode ?? "policing" };
  }
  const alignment = algorithm === "fixed-window" ? { alignment: limit.alignment } : {};
  return { algorithm, ...QUICK_WINDOW, ...alignment };
}

async function burstThenWait({ numbers, key, send, burst, pause }) {
  const answers = await burst(key, numbers.capacity + EXTRA);
  const { allowed, denied } = tally(answers);
  const seen = `${allowed} of ${answers.length} allowed, ${denied} denied.`;
  if (denied === 0) return `${seen} This limit gives permits back faster than the burst came.`;
  const now = performance.now();
  const waitMs = Math.max(...answers.filter((one) => !one.body.allowed)
    .map((one) => one.at + one.body.retryAfterMs - now), 0);
  await pause(waitMs);
  const next = await send(key, 1);
  return `${seen} After the stated wait of ${readable(waitMs)} the next request was ` +
    `${next.body.allowed ? "allowed" : "denied"}.`;
}

async function doubleBurst({ numbers, key, send, burst, pause }) {
  let asked = key;
  let edgeAt = edgeOf(numbers, await send(asked, 1));
  if (edgeAt - performance.now() < 2 * BEFORE_EDGE_MS) {
    await pause(edgeAt - performance.now() + AFTER_EDGE_MS);
    asked = `${key}.next`;
    edgeAt = edgeOf(numbers, await send(asked, 1));
  }
  await pause(edgeAt - performance.now() - BEFORE_EDGE_MS);
  const before = tally(await burst(asked, numbers.capacity)).allowed;
  await pause(edgeAt - performance.now() + AFTER_EDGE_MS);
  const after = tally(await burst(asked, numbers.capacity)).allowed;
  const together = before + after;
  const verdict = together > numbers.capacity
    ? `though the limit is ${numbers.capacity}. A sliding window prevents it.`
    : `so the limit of ${numbers.capacity} holds.`;
  return `${before} allowed just before the edge and ${after} just after it: ${together} within ` +
    `half a second, ${verdict}`;
}

/** When the window of a first request ends, on the page's clock. */
function edgeOf(numbers, answer) {
  const isCounter = numbers.word === "sliding-window-counter";
  return answer.at + answer.body.resetAfterMs - (isCounter ? numbers.periodMs : 0);
}

async function twoClients({ numbers, key, send, burst, pause }) {
  const [busy, calm] = [`${key}.busy`, `${key}.calm`];
  const ofBusy = await burst(busy, numbers.capacity + EXTRA);
  const ofCalm = [];
  for (let i = 0; i < 3; i++) {
    await pause(TURN_MS);
    ofCalm.push(await send(calm, 1));
    ofBusy.push(await send(busy, 1));
  }
  const first = tally(ofBusy);
  const second = tally(ofCalm);
  return `The busy client: ${first.allowed} allowed, ${first.denied} denied. ` +
    `The calm client, in between: ${second.allowed} of ${ofCalm.length} allowed.`;
}

async function costlyRequest({ numbers, key, send }) {
  const cost = Math.ceil(numbers.capacity * 0.6);
  const first = await send(key, cost);
  const second = await send(key, cost);
  const third = await send(key, 1);
  const fourth = await send(key, numbers.capacity + 1);
  const never = fourth.body.retryAfterMs === null ? "can never pass, and has no Retry-After"
    : `was ${word(fourth)}`;
  return `Cost ${cost}: ${word(first)}, ${first.body.remaining} left. Cost ${cost} again: ` +
    `${word(second)}. Cost 1: ${word(third)}, ${third.body.remaining} left. ` +
    `Cost ${numbers.capacity + 1}, more than the limit, ${never}.`;
}

function word(answer) {
  return answer.body.allowed ? "allowed" : "denied";
}

/** Keeps what is known of each key, and asks the service where the answers leave a gap. */

import * as api from "./api.js";
import { numbersOf } from "./algorithms.js";
import { emit, on } from "./bus.js";
import { isDown } from "./connection.js";
import { freshState, observe, untilRetry, view, withNumbers } from "./model.js";
import { POLICY } from "./policy-name.js";
import { currentLimit } from "./policy.js";

const LOOK_MS = 2000;
const MOST_KEYS = 50;
const states = new Map();
let numbers = null;
let focused = "";
let cost = 1;

/** Starts to follow answers and changes of the limit. */
export function watchKeys() {
  on("answer", (answer) => {
    take(answer.key, answer.body, { ...answer, charged: true });
    if (answer.body.allowed && answer.key === focused) askForNext();
  });
  on("limit", ({ limit }) => {
    numbers = numbersOf(limit);
    for (const [key, state] of states) states.set(key, withNumbers(state, numbers));
    look();
  });
  on("recovered", () => look());
  setInterval(() => !document.hidden && !isDown() && isInUse() && look(), LOOK_MS);
}

/** Shows that key, and counts down to the next request of that cost. */
export function focusOn(key, ofCost = cost) {
  focused = key;
  cost = ofCost;
  emit("focus", key);
  return look();
}

/** The key shown. */
export function focusedKey() {
  return focused;
}

/** What to draw of the key shown, or null before the limit is known. */
export function focusedView(now) {
  if (!numbers) return null;
  const state = stateOf(focused);
  const shown = view(state, now);
  return { ...shown, cost, retry: shown.remaining >= cost ? 0 : untilRetry(state, cost, now) };
}

/** Forgets all of a key on the service and here. */
export async function resetKey(key) {
  const answer = await api.reset(POLICY, key);
  if (answer.status === 200 && numbers) states.set(key, freshState(numbers));
  emit("focus", focused);
}

/** Asks for the state of the key shown, free of charge; answers a problem of the input, or null. */
export async function look() {
  if (!currentLimit() || focused === null) return null;
  const problem = await ask(0);
  return problem ?? askForNext();
}

async function askForNext() {
  const shown = focusedView(performance.now());
  if (shown === null || shown.remaining >= cost || shown.retry !== null) return null;
  return ask(cost);
}

async function ask(ofCost) {
  const key = focused;
  const judged = numbers;
  try {
    const answer = await api.peek(POLICY, key, ofCost);
    if (answer.body.allowed === undefined) return answer.body;
    if (judged === numbers) {
      take(key, answer.body, { cost: ofCost, charged: false, ...times(answer) });
    }
  } catch {
    return null;
  }
  return null;
}

function take(key, body, call) {
  if (!numbers) return;
  states.set(key, observe(stateOf(key), body, call));
  if (states.size > MOST_KEYS) states.delete(states.keys().next().value);
  emit("state", { key, source: body.source, limit: body.limit });
}

function isInUse() {
  const shown = focusedView(performance.now());
  return shown !== null && (shown.resetMs > 0 || shown.remaining < shown.numbers.capacity);
}

function stateOf(key) {
  return states.get(key) ?? freshState(numbers);
}

function times({ sentAt, at }) {
  return { sentAt, at };
}

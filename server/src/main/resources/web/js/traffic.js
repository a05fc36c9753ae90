/** Sends requests: one, a burst, or a steady stream. */

import * as api from "./api.js";
import { emit } from "./bus.js";
import { isDown } from "./connection.js";
import { POLICY } from "./policy-name.js";

const MOST_IN_FLIGHT = 20;
let nextId = 1;

/**
 * Sends one request and tells `answer`. Answers it, or null if there was none, or if the service
 * refused the input, which is told as `bad-input`.
 */
export async function sendOne(key, cost) {
  try {
    const answer = await api.acquire(POLICY, key, cost);
    if (answer.body.allowed === undefined) {
      emit("bad-input", answer.body);
      return null;
    }
    const told = { id: nextId++, key, cost, time: new Date(), ...answer };
    emit("answer", told);
    return told;
  } catch {
    return null;
  }
}

/** Sends that many requests at once; answers what came back. */
export async function sendBurst(key, cost, count) {
  const all = await Promise.all(Array.from({ length: count }, () => sendOne(key, cost)));
  return all.filter((answer) => answer !== null);
}

/** How many of the answers were allowed and denied. */
export function tally(answers) {
  const allowed = answers.filter((answer) => answer.body.allowed).length;
  return { allowed, denied: answers.length - allowed };
}

/** A stream of requests, a fixed time apart; what the page missed while asleep is not caught up. */
export class Stream {
  #perSecond = 1;
  #timer = 0;
  #dueAt = 0;
  #inFlight = 0;
  #request;

  /** @param request answers the `{key, cost}` of the next request */
  constructor(request) {
    this.#request = request;
  }

  get running() {
    return this.#timer !== 0;
  }

  /** Sets the pace, also while it runs. */
  set perSecond(value) {
    this.#perSecond = value;
    if (!this.running) return;
    clearTimeout(this.#timer);
    this.#dueAt = Math.min(this.#dueAt, performance.now() + 1000 / value);
    this.#schedule();
  }

  start() {
    if (this.running) return;
    this.#dueAt = performance.now();
    this.#schedule();
  }

  stop() {
    clearTimeout(this.#timer);
    this.#timer = 0;
  }

  #schedule() {
    this.#timer = setTimeout(() => this.#step(), Math.max(0, this.#dueAt - performance.now()));
  }

  #step() {
    const gap = 1000 / this.#perSecond;
    this.#dueAt = Math.max(this.#dueAt + gap, performance.now());
    this.#schedule();
    if (this.#inFlight >= MOST_IN_FLIGHT || isDown()) return;
    this.#inFlight++;
    const { key, cost } = this.#request();
    sendOne(key, cost).finally(() => this.#inFlight--);
  }
}

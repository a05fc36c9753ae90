/** Tells readers of screen readers what happened, at most about once a second. */

import { byId } from "./dom.js";

const PAUSE_MS = 1000;
let pending = null;
let timer = 0;
let lastAt = -Infinity;

/** Says a message; of several within a second only the last. */
export function announce(message) {
  pending = message;
  if (timer) return;
  timer = setTimeout(say, Math.max(0, lastAt + PAUSE_MS - performance.now()));
}

function say() {
  timer = 0;
  lastAt = performance.now();
  byId("live").textContent = pending;
}

/** Says when the service cannot be reached, and keeps asking until it can. */

import * as api from "./api.js";
import { emit, on } from "./bus.js";
import { announce } from "./announce.js";
import { byId, setText } from "./dom.js";
import { POLICY } from "./policy-name.js";

const RETRY_MS = 1500;
let down = false;
/** Whether it runs but cannot decide, which only a decision shows to be over. */
let undecided = false;

/** Whether the last thing heard is that the service is gone. */
export function isDown() {
  return down;
}

/** Starts to listen for answers and failures. */
export function watchConnection() {
  on("unreached", ({ reason, isRunning }) => {
    undecided = isRunning;
    describe(reason, isRunning);
    if (down) return;
    change(true, byId("outage-title").textContent);
    setTimeout(tryAgain, RETRY_MS);
  });
  on("reached", ({ decides }) => {
    if (!down || (undecided && !decides)) return;
    change(false, "Connected to the service again.");
    emit("recovered");
  });
}

async function tryAgain() {
  try {
    await api.peek(POLICY, "", 0);
  } catch {
    setTimeout(tryAgain, RETRY_MS);
  }
}

function describe(reason, isRunning) {
  setText(byId("outage-title"), isRunning ? "The service cannot decide."
    : `Nothing answers at ${location.origin}.`);
  setText(byId("outage-reason"), isRunning ? reason : "");
  byId("outage-start").hidden = isRunning;
}

function change(isNowDown, message) {
  down = isNowDown;
  document.documentElement.classList.toggle("is-down", down);
  byId("outage").hidden = !down;
  setText(byId("status"), down ? "not connected" : byId("status").dataset.source || "connected");
  announce(message);
}

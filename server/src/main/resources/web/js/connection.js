/** Says when the service cannot be reached, and keeps asking until it can. */

import * as api from "./api.js";
import { emit, on } from "./bus.js";
import { announce } from "./announce.js";
import { byId, setText } from "./dom.js";

const RETRY_MS = 1500;
let down = false;

/** Whether the last thing heard is that the service is gone. */
export function isDown() {
  return down;
}

/** Starts to listen for answers and failures. */
export function watchConnection() {
  setText(byId("outage-address"), location.origin);
  on("unreached", (reason) => {
    setText(byId("outage-reason"), reason);
    if (down) return;
    change(true, "No connection to the service.");
    setTimeout(tryAgain, RETRY_MS);
  });
  on("reached", () => {
    if (!down) return;
    change(false, "Connected to the service again.");
    emit("recovered");
  });
}

async function tryAgain() {
  try {
    await api.policies();
  } catch {
    setTimeout(tryAgain, RETRY_MS);
  }
}

function change(isNowDown, message) {
  down = isNowDown;
  document.documentElement.classList.toggle("is-down", down);
  byId("outage").hidden = !down;
  setText(byId("status"), down ? "not connected" : byId("status").dataset.source || "connected");
  announce(message);
}

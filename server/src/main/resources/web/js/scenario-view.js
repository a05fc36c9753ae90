/** Lets the reader choose and run a scenario. */

import { announce } from "./announce.js";
import { describe, numbersOf, sameLimit } from "./algorithms.js";
import { on } from "./bus.js";
import { byId, make, setText } from "./dom.js";
import { applyLimit } from "./limit-form.js";
import { currentLimit } from "./policy.js";
import { key } from "./requests.js";
import { SCENARIOS } from "./scenarios.js";
import { focusOn } from "./tracker.js";
import { sendBurst, sendOne } from "./traffic.js";

/** A timer of a browser may fire a little early. */
const TIMER_SLACK_MS = 4;

let chosen = SCENARIOS[0];
let running = null;
let runs = 0;

class Stopped extends Error {}

/** Builds the choice of scenarios. */
export function watchScenarios() {
  byId("scenarios").append(...SCENARIOS.map((one) =>
    make("label", { class: "choice" },
      make("input", { type: "radio", name: "scenario", value: one.id, checked: one === chosen }),
      make("span", {}, one.title))));
  byId("scenarios").addEventListener("change", (event) => {
    chosen = SCENARIOS.find((one) => one.id === event.target.value);
    showSeen("", "Not run yet.");
    show();
  });
  byId("run-scenario").addEventListener("click", () => (running ? running.abort() : run()));
  on("limit", show);
  show();
}

function show() {
  setText(byId("look-for"), chosen.lookFor);
  const limit = currentLimit();
  if (limit === null || running) return;
  const wanted = chosen.limitFor(limit, numbersOf(limit));
  setText(byId("scenario-limit"), sameLimit(limit, wanted) ? "Runs with the settings shown."
    : `Changes the settings to a ${describe(wanted)}, and runs.`);
}

async function run() {
  running = new AbortController();
  byId("scenario-form").toggleAttribute("disabled", true);
  setText(byId("run-scenario"), "Stop");
  showSeen("Running", "…");
  try {
    const limit = currentLimit();
    const wanted = chosen.limitFor(limit, numbersOf(limit));
    if (!sameLimit(limit, wanted) && !(await applyLimit(wanted))) throw new Stopped();
    const seen = await chosen.run(context(running.signal, numbersOf(wanted)));
    showSeen("Seen", seen);
    announce(`Seen: ${seen}`);
  } catch (error) {
    if (!(error instanceof Stopped) && error.name !== "AbortError") throw error;
    showSeen("Stopped", "before its end.");
  } finally {
    running = null;
    byId("scenario-form").toggleAttribute("disabled", false);
    setText(byId("run-scenario"), "Run");
    show();
  }
}

function context(signal, numbers) {
  const own = `${key()}.run${++runs}`;
  const checked = async (request) => {
    signal.throwIfAborted();
    const answers = await request;
    if (answers === null || answers.length === 0) throw new Stopped();
    return answers;
  };
  return {
    numbers,
    key: own,
    send: (asked, cost) => checked(shown(asked, () => sendOne(asked, cost))),
    burst: (asked, count) => checked(shown(asked, () => sendBurst(asked, 1, count))),
    pause: (ms) => pause(ms, signal),
  };
}

function shown(asked, request) {
  focusOn(asked, 1);
  return request();
}

function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const timer = setTimeout(resolve, Math.max(0, ms) + TIMER_SLACK_MS);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    }, { once: true });
  });
}

function showSeen(title, text) {
  setText(byId("seen-title"), title);
  setText(byId("seen"), text);
  byId("seen").classList.toggle("hint", title !== "Seen");
}

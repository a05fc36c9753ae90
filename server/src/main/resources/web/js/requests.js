/** The controls that send requests, and the key and cost they are sent with. */

import { announce } from "./announce.js";
import { numbersOf } from "./algorithms.js";
import { on } from "./bus.js";
import { byId, debounce, setText } from "./dom.js";
import { readable } from "./duration.js";
import { currentLimit, withoutField } from "./policy.js";
import { comparison, paceOf, perSecondText, sliderOf } from "./pace.js";
import { focusOn, resetKey } from "./tracker.js";
import { Stream, sendBurst, sendOne, tally } from "./traffic.js";

const MOST_IN_BURST = 500;
const stream = new Stream(() => ({ key: key(), cost: cost() ?? 1 }));

/** Starts the controls; a tab has a key of its own, so that several do not disturb each other. */
export function watchRequests() {
  byId("key").value = `user:${randomName()}`;
  byId("request-form").addEventListener("submit", (event) => {
    event.preventDefault();
    sendSingle();
  });
  byId("send-burst").addEventListener("click", sendMany);
  byId("stream").addEventListener("click", toggleStream);
  byId("pace").addEventListener("input", () => setPace(paceOf(byId("pace").value)));
  byId("pace-slow").addEventListener("click", () => setPace(limitPerSecond() / 2));
  byId("pace-fast").addEventListener("click", () => setPace(limitPerSecond() * 2));
  byId("reset-key").addEventListener("click", forgetKey);
  const follow = debounce(250, followInput);
  byId("key").addEventListener("input", follow);
  byId("cost").addEventListener("input", follow);
  on("limit", () => setPace(paceOf(byId("pace").value)));
  on("bad-input", (problem) => showProblem(problem));
  setPace(2);
  focusOn(key(), 1);
}

/** The key that requests are sent with. */
export function key() {
  return byId("key").value;
}

/** The cost that requests are sent with; null if it is no whole number. */
export function cost() {
  const text = byId("cost").value.trim();
  return /^\d+$/.test(text) ? Number(text) : null;
}

function costToSend() {
  return cost() ?? byId("cost").value.trim();
}

async function sendSingle() {
  focusOn(key());
  const answer = await sendOne(key(), costToSend());
  if (answer === null) return;
  showProblem(null);
  announce(spoken(answer));
}

async function sendMany() {
  const count = Number(byId("burst-size").value);
  const isFine = Number.isInteger(count) && count >= 1 && count <= MOST_IN_BURST;
  byId("burst-size").toggleAttribute("aria-invalid", !isFine);
  setText(byId("burst-problem"), isFine ? "" : `from 1 to ${MOST_IN_BURST}`);
  if (!isFine) return;
  focusOn(key());
  const answers = await sendBurst(key(), costToSend(), count);
  if (answers.length === 0) return;
  showProblem(null);
  const { allowed, denied } = tally(answers);
  announce(`Burst of ${answers.length}: ${allowed} allowed, ${denied} denied.`);
}

function toggleStream() {
  if (stream.running) stream.stop();
  else stream.start();
  setText(byId("stream"), stream.running ? "Stop stream" : "Start stream");
  byId("stream").classList.toggle("is-running", stream.running);
  announce(stream.running ? `Stream started: ${byId("pace-text").textContent}` : "Stream stopped.");
}

function setPace(perSecond) {
  const within = paceOf(sliderOf(perSecond));
  stream.perSecond = within;
  byId("pace").value = sliderOf(within);
  const text = `${perSecondText(within)}, ${comparison(within, limitPerSecond())}`;
  setText(byId("pace-text"), text);
  byId("pace").setAttribute("aria-valuetext", text);
}

function limitPerSecond() {
  return currentLimit() ? numbersOf(currentLimit()).ratePerMs * 1000 : 1;
}

async function forgetKey() {
  try {
    await resetKey(key());
    announce("The key is as new.");
  } catch {
    // The outage panel says what happened.
  }
}

async function followInput() {
  const wanted = costToSend();
  if (typeof wanted === "number") showProblem(await focusOn(key(), wanted));
  else showProblem({ field: "cost", detail: "must be a whole number, 0 or more" });
}

function showProblem(problem) {
  const isCost = problem !== null && String(problem.field ?? "cost").endsWith("cost");
  const message = problem && withoutField(problem.detail ?? problem.title, problem.field);
  setText(byId("cost-problem"), isCost ? `Cost ${message}` : "");
  setText(byId("key-problem"), problem && !isCost ? `Key ${message}` : "");
  for (const [id, isBad] of [["cost", isCost], ["key", problem !== null && !isCost]]) {
    if (isBad) byId(id).setAttribute("aria-invalid", "true");
    else byId(id).removeAttribute("aria-invalid");
  }
}

function spoken({ body }) {
  if (body.allowed) return `Allowed. ${body.remaining} of ${body.limit} left.`;
  if (body.retryAfterMs === null) return "Denied. It costs more than the limit can ever hold.";
  return `Denied. Retry in ${readable(body.retryAfterMs)}.`;
}

function randomName() {
  const letters = "abcdefghjkmnpqrstuvwxyz23456789";
  return [...crypto.getRandomValues(new Uint8Array(4))]
    .map((byte) => letters[byte % letters.length]).join("");
}

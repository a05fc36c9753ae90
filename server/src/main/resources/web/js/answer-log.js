/** The list of answers, newest first, each with its headers and body. */

import { on } from "./bus.js";
import { byId, make, setText } from "./dom.js";
import { readable } from "./duration.js";

const MOST = 200;
const SHOWN_FIRST = ["retry-after", "x-ratelimit-limit", "x-ratelimit-remaining",
  "x-ratelimit-reset", "ratelimit", "ratelimit-policy"];
const clock = new Intl.DateTimeFormat("en-GB",
  { hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3 });

/** Starts to list answers. */
export function watchAnswerLog() {
  on("answer", add);
  byId("clear-log").addEventListener("click", () => {
    byId("answers").replaceChildren();
    showCount();
  });
}

function add(answer) {
  const list = byId("answers");
  list.prepend(row(answer));
  while (list.childElementCount > MOST) list.lastElementChild.remove();
  showCount();
}

function showCount() {
  const count = byId("answers").childElementCount;
  byId("no-answers").hidden = count > 0;
  byId("clear-log").disabled = count === 0;
  setText(byId("answer-count"), count === MOST ? `the last ${MOST}` : "");
}

function row(answer) {
  const { body } = answer;
  const details = make("details", {},
    make("summary", {},
      make("span", { class: `verdict ${body.allowed ? "allowed" : "denied"}` },
        `${answer.status} ${body.allowed ? "Allowed" : "Denied"}`),
      make("span", { class: "what" }, outcome(body, answer.cost)),
      make("time", { datetime: answer.time.toISOString() }, clock.format(answer.time))));
  details.addEventListener("toggle", () => {
    if (details.childElementCount === 1) details.append(inside(answer));
  });
  return make("li", {}, details);
}

function outcome(body, cost) {
  const costs = cost === 1 ? "" : `cost ${cost}, `;
  if (!body.allowed) {
    return costs + (body.retryAfterMs === null ? "never fits the limit"
      : `retry in ${readable(body.retryAfterMs)}`);
  }
  const delay = body.delayMs > 0 ? `, go in ${readable(body.delayMs)}` : "";
  return `${costs}${body.remaining.toLocaleString("en")} left${delay}`;
}

function inside(answer) {
  const took = `${Math.max(1, Math.round(answer.at - answer.sentAt))} ms`;
  const { key, cost, body } = answer;
  const request = JSON.stringify({ policy: body.policy, key, cost });
  return make("div", { class: "inside" },
    make("h3", {}, `Request, answered in ${took}`),
    make("pre", { tabindex: "0" }, `POST /v1/acquire\n${request}`),
    make("h3", {}, "Headers"),
    make("dl", {}, ...sorted(answer.headers).flatMap(([name, value]) =>
      [make("dt", {}, shownName(name)), make("dd", {}, value)])),
    make("h3", {}, "Body"),
    make("pre", { tabindex: "0" }, JSON.stringify(body, null, 2)));
}

function sorted(headers) {
  const place = (name) => (SHOWN_FIRST.indexOf(name) + 1 || SHOWN_FIRST.length + 1);
  return [...headers].sort(([a], [b]) => place(a) - place(b) || (a < b ? -1 : 1));
}

/** Browsers tell names in lower case; headers are read more easily as they are usually written. */
function shownName(name) {
  return name.replace(/(^|-)([a-z])/g, (_, dash, letter) => dash + letter.toUpperCase())
    .replace("Ratelimit", "RateLimit");
}

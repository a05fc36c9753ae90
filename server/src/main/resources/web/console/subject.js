/** One subject: what is left of its limits, its risk and why, and what can be done. */

import { byId, make } from "../js/dom.js";
import { act, look } from "./admin.js";
import { chart } from "./charts.js";
import { ago, clock, count, limitWords, span } from "./format.js";
import { overrideForm, takeBack } from "./override-form.js";
import { button, fill, panel, problem, table, tierMark, tile } from "./parts.js";

const POLL_MS = 3000;

/** Opens the page; answers what closes it. */
export function subjectPage(page, parameters) {
  const limits = parameters.get("limits") ?? "";
  const key = parameters.get("key") ?? "";
  const tiles = Object.fromEntries(
    ["Tier", "Risk", "Requests", "Refused", "Last seen"].map((it) => [it, tile(it)]));
  const states = make("div", { id: "states" });
  const next = make("p", { id: "next" });
  const signals = make("div", { id: "signals" });
  const risk = make("div", { id: "risk" });
  const decided = make("div", { id: "decided" });
  const trouble = make("div", {});
  page.append(
    make("p", { class: "crumb" }, make("a", { href: "#/subjects" }, "Subjects")),
    make("div", { class: "page-head" }, make("h1", { class: "key" }, key),
      make("p", { class: "hint" }, `under ${limits}`)),
    trouble,
    make("dl", { class: "tiles" }, ...Object.values(tiles).map((it) => it.element)),
    make("div", { class: "pair" },
      panel("Limits", null, states),
      panel("Why", null, next, signals)),
    panel("Risk over time", null, risk),
    panel("Decide", null, decided, overrideForm(key, refresh),
      make("div", { class: "row forget" },
        button("Forget", forget, { id: "forget" }),
        make("p", { class: "hint" },
          "Forgets what it used and how it behaved; its next request meets fresh limits."))));
  const riskChart = chart(risk, "lines", [{ label: "Risk", color: "--denied-fill" }],
    { height: 160, most: 100, label: ([, risks]) => `Risk, the latest ${risks.at(-1) ?? 0}.` });

  async function refresh() {
    if (document.hidden) return;
    try {
      const subject = await look("subject", { limits, key });
      show(subject);
      trouble.replaceChildren();
      byId("page").dataset.state = "drawn";
    } catch (error) {
      trouble.replaceChildren(problem(error));
    }
  }

  function show(subject) {
    const { seen, nowMillis } = subject;
    tiles.Tier.set(subject.tier, subject.mode === "off" ? "the policy does not adapt"
      : `adaptive layer: ${subject.mode}`, `tier-${subject.tier}`);
    tiles.Risk.set(count(subject.risk), `evidence of now: ${count(subject.evidence)}`);
    tiles.Requests.set(seen ? count(seen.requests) : "–",
      seen ? `since ${clock(seen.firstMillis)}` : "not seen by this process");
    tiles.Refused.set(seen ? count(seen.refused) : "–",
      seen ? `${count(seen.refusedLately)} in ten minutes` : "\u00a0");
    tiles["Last seen"].set(seen ? ago(seen.lastMillis, nowMillis) : "–",
      seen ? clock(seen.lastMillis) : "\u00a0");
    fill(states, ...subject.limitStates.map(limitState));
    next.textContent = subject.next;
    fill(signals, signalList(subject));
    fill(decided, decision(subject.override, refresh));
    riskChart.set([subject.risks.map(([at]) => at / 1000), subject.risks.map(([, it]) => it)]);
  }

  async function forget(event) {
    try {
      await act("subject/reset", { limits, key });
      await refresh();
    } catch (error) {
      event.target.after(problem(error));
    }
  }

  const timer = setInterval(refresh, POLL_MS);
  refresh();
  return () => {
    clearInterval(timer);
    riskChart.close();
  };
}

function limitState(state) {
  const used = state.capacity - state.remaining;
  return make("div", { class: "limit-state" },
    make("p", {}, make("b", {}, state.name),
      ` ${count(state.remaining)} of ${count(state.capacity)} left`),
    make("meter",
      { min: 0, max: state.capacity, value: used, "aria-label": `${state.name}, used` }),
    make("p", { class: "hint" }, waits(state, used)),
    make("p", { class: "hint" }, limitWords(state.limit)));
}

function waits(state, used) {
  if (used === 0) return "Nothing is used.";
  const first = state.retryAfterMs === 0 ? "One more would be allowed now"
    : `One more would be allowed in ${span(state.retryAfterMs)}`;
  return `${first}; as new in ${span(state.resetAfterMs)}.`;
}

function signalList(subject) {
  if (subject.mode === "off") return make("p", {});
  const rows = subject.signals.map((it) => [it.words, it.signal, count(it.points)]);
  const notes = [];
  if (subject.isShared) {
    notes.push("Several people seem to share it, so it is suspicious at most.");
  }
  if (subject.strikes >= 0.5) {
    notes.push(`${count(subject.strikes)} strikes count against it; the next block is longer.`);
  }
  if (subject.blockEndMillis !== null) {
    notes.push(`The block ends at ${clock(subject.blockEndMillis)}.`);
  }
  return make("div", {},
    table("Signals", [["It…", "wide"], ["Signal"], ["Points", "number"]], rows,
      "No signal has points: nothing stands out now."),
    ...notes.map((note) => make("p", { class: "hint" }, note)));
}

function decision(override, changed) {
  if (!override) return make("p", { class: "hint" }, "Nothing is decided by hand.");
  const until = override.untilMillis === null ? "until it is taken back"
    : `until ${clock(override.untilMillis)}`;
  return make("div", { class: "decision" },
    override.kind === "pin" ? tierMark(override.tier) : make("b", {}, override.kind),
    make("p", {}, `${until}, by ${override.author}: ${override.reason}`),
    takeBack(override, changed));
}

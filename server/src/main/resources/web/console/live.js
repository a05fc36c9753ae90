/** What happens now: figures of the last half hour, and who stands out. */

import { byId, make } from "../js/dom.js";
import { look } from "./admin.js";
import { chart } from "./charts.js";
import { ago, count, micros, percent, short } from "./format.js";
import { fill, panel, problem, select, subjectLink, table, tierMark, tile } from "./parts.js";

const POLL_MS = 2000;
const FIGURES = ["requests", "allowed", "limited", "blocked", "anomalies", "degraded"];
const SERIES = [
  { label: "Allowed", color: "--allowed-fill" },
  { label: "Limited", color: "--denied-fill" },
  { label: "Blocked", color: "--blocked-fill" },
];

/** Opens the page; answers what closes it. */
export function livePage(page) {
  const tiles = Object.fromEntries(
    ["Requests", "Allowed", "Limited", "Blocked", "Anomalies", "Store"]
      .map((it) => [it, tile(it)]));
  const choice = select("live-policy", [["", "All policies"]]);
  const traffic = make("div", { id: "traffic" });
  const latency = make("div", { id: "latency" });
  const byPolicy = make("div", {});
  const anomalies = make("div", {});
  const limited = make("div", {});
  const above = make("div", {});
  const trouble = make("div", {});
  page.append(
    make("div", { class: "page-head" }, make("h1", {}, "Live"),
      make("label", { for: "live-policy", class: "hidden" }, "Policy"), choice),
    trouble,
    make("dl", { class: "tiles" }, ...Object.values(tiles).map((it) => it.element)),
    panel("Answers in the last 30 minutes", [legend(SERIES)], traffic),
    make("div", { class: "pair" },
      panel("Recent anomalies", null, anomalies),
      panel("Most limited in ten minutes", null, limited)),
    make("div", { class: "pair" },
      panel("Policies", null, byPolicy),
      panel("Above normal now", null, above)),
    panel("Slowest answer of the store in each 10 s", null, latency));
  const trafficChart = chart(traffic, "bars", SERIES, { label: trafficSentence });
  const latencyChart = chart(latency, "lines", [{ label: "Store", color: "--surface" }],
    { height: 130, most: 1000, format: micros, label: () => "Latency of the store over time." });
  let figures = null;

  function draw() {
    if (!figures) return;
    const chosen = choice.value === "" ? Object.values(figures.policies)
      : [figures.policies[choice.value]].filter(Boolean);
    const sums = Object.fromEntries(FIGURES.map((it) => [it, added(chosen, it, figures.steps)]));
    const last = Math.floor(figures.nowMillis / figures.stepMillis);
    const times = sums.requests.map((_, i) =>
      ((last - figures.steps + 1 + i) * figures.stepMillis) / 1000);
    trafficChart.set([times, sums.allowed.map((all, i) =>
      Math.max(0, Math.min(all, sums.requests[i] - sums.limited[i] - sums.blocked[i]))),
    sums.limited, sums.blocked]);
    latencyChart.set([times, figures.storeMicros.map((it) => (it < 0 ? null : it))]);
    showTiles(tiles, sums);
    fill(byPolicy, policyTable(figures.policies));
  }

  async function refresh() {
    if (document.hidden) return;
    try {
      const [live, odd, most, high, status] = await Promise.all([
        look("live"), look("anomalies", { limit: 8 }),
        look("subjects", { view: "limited", limit: 8 }),
        look("subjects", { view: "above-normal", limit: 8 }), look("status")]);
      figures = live;
      offer(choice, Object.keys(live.policies));
      draw();
      showStore(tiles.Store, status.store);
      fill(anomalies, anomalyTable(odd.anomalies, live.nowMillis));
      fill(limited, subjectTable("Most limited", most.subjects, "Nobody was limited lately."));
      fill(above, subjectTable("Above normal", high.subjects, "Everybody is in the tier normal."));
      trouble.replaceChildren();
      byId("page").dataset.state = "drawn";
    } catch (error) {
      trouble.replaceChildren(problem(error));
    }
  }

  choice.addEventListener("change", draw);
  const timer = setInterval(refresh, POLL_MS);
  refresh();
  return () => {
    clearInterval(timer);
    trafficChart.close();
    latencyChart.close();
  };
}

function legend(series) {
  return make("p", { class: "legend" }, ...series.flatMap((it) => [
    make("span", { class: `swatch swatch${it.color.slice(1)}` }), it.label]));
}

function added(policies, figure, steps) {
  const sums = new Array(steps).fill(0);
  for (const policy of policies) policy[figure].forEach((number, i) => { sums[i] += number; });
  return sums;
}

function total(numbers) {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function showTiles(tiles, sums) {
  const all = total(sums.requests);
  // The last whole step, since the one that runs has just begun.
  tiles.Requests.set(short(all), `${count(sums.requests.at(-2) / 10)} a second now`);
  tiles.Allowed.set(percent(total(sums.allowed), all), `${short(total(sums.allowed))} of them`);
  tiles.Limited.set(percent(total(sums.limited), all), `${short(total(sums.limited))} by a limit`);
  tiles.Blocked.set(
    percent(total(sums.blocked), all), `${short(total(sums.blocked))} by a tier or by hand`);
  tiles.Anomalies.set(short(total(sums.anomalies)), "subjects went up a tier");
}

function showStore(tile, store) {
  if (!store.isUp) tile.set("silent", "failure modes decide", "bad");
  else tile.set(store.isLocal ? "in memory" : micros(store.lastMicros), store.name);
}

function offer(choice, names) {
  const known = [...choice.options].map((it) => it.value).filter((it) => it !== "");
  if (known.join() === names.join()) return;
  const chosen = choice.value;
  choice.replaceChildren(make("option", { value: "" }, "All policies"),
    ...names.map((name) => make("option", { value: name }, name)));
  choice.value = names.includes(chosen) ? chosen : "";
}

function policyTable(policies) {
  const rows = Object.entries(policies).map(([name, it]) => {
    const all = total(it.requests);
    return [name, short(all), percent(total(it.limited), all), percent(total(it.blocked), all),
      short(total(it.degraded))];
  });
  return table("Policies", [["Policy"], ["Requests", "number"], ["Limited", "number"],
    ["Blocked", "number"], ["Degraded", "number"]], rows, "There are no policies.");
}

function anomalyTable(anomalies, now) {
  return table("Recent anomalies", [["When"], ["Subject"], ["Tier"], ["Why", "wide"]],
    anomalies.map((it) => [ago(it.atMillis, now), subjectLink(it), tierMark(it.to), it.why]),
    "Nobody went up a tier since the service started.");
}

function subjectTable(caption, subjects, empty) {
  return table(caption, [["Subject"], ["Policy"], ["Tier"], ["Refused lately", "number"]],
    subjects.map((it) => [subjectLink(it), it.policy, tierMark(it.tier), count(it.refusedLately)]),
    empty);
}

function trafficSentence([, allowed, limited, blocked]) {
  return `In the last 30 minutes: ${total(allowed)} allowed, ${total(limited)} limited, `
    + `${total(blocked)} blocked.`;
}

"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const number = new Intl.NumberFormat("en");
const KINDS = [
  ["allowed", "allowed", "var(--ok)"],
  ["flagged", "allowed, of suspicious subjects", "var(--watched)"],
  ["deniedByLimits", "refused by the limits", "var(--limits)"],
  ["refusedByTier", "refused by the tier alone", "var(--tier)"],
];

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.map((child) => (child instanceof Node ? child : String(child))));
  return made;
}

function drawn(name, attributes, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

const percent = (share) => (share === null ? "-" : (share * 100).toFixed(2) + "%");
const shown = (value) => (value === null ? "-" : number.format(value));

function figure(value, name) {
  return element("div", { class: "figure" }, element("b", {}, value), element("span", {}, name));
}

function title(result) {
  return result.title + " (adaptive: " + result.policy.adaptive.mode + ")";
}

function totals(result) {
  const figures = [
    figure(shown(result.requests), "requests"),
    figure(shown(result.subjects), "subjects"),
    figure(shown(result.deniedByLimits), "refused by the limits"),
    figure(shown(result.refusedByTier), "refused by the tier alone"),
    figure(shown(result.elevated), "ever elevated"),
    figure(shown(result.suspicious), "ever suspicious"),
    figure(shown(result.blocked), "ever blocked"),
    figure(shown(result.blocks), "blocks"),
  ];
  const policy = element("pre", {}, JSON.stringify(result.policy, null, 2));
  return element(
    "div",
    { class: "card" },
    element("h3", {}, title(result)),
    element("div", { class: "figures" }, ...figures),
    element("details", {}, element("summary", {}, "The policy"), policy),
  );
}

function timeText(micros) {
  return new Date(micros / 1000).toISOString().slice(0, 16).replace("T", " ");
}

function partTitle(part) {
  const counts = KINDS.map(([key, name]) => number.format(part[key]) + " " + name);
  return timeText(part.startMicros) + " UTC\n" + counts.join("\n");
}

function chart(parts) {
  const width = 1200;
  const height = 190;
  const svg = drawn("svg", {
    viewBox: `0 0 ${width} ${height}`,
    preserveAspectRatio: "none",
    role: "img",
    "aria-label": "requests over time",
  });
  const total = (part) => KINDS.reduce((sum, [key]) => sum + part[key], 0);
  const most = Math.max(1, ...parts.map(total));
  const step = width / parts.length;
  parts.forEach((part, i) => {
    const bar = drawn("g", {});
    bar.append(drawn("title", {}, partTitle(part)));
    let y = height - 20;
    for (const [key, , color] of KINDS) {
      const tall = (part[key] / most) * (height - 40);
      y -= tall;
      const place = { x: i * step, y, width: Math.max(1, step - 1), height: tall };
      bar.append(drawn("rect", { ...place, fill: color }));
    }
    svg.append(bar);
  });
  svg.append(drawn("text", { x: 2, y: 12 }, "at most " + number.format(most) + " in a bar"));
  if (parts.length > 0) {
    const last = parts[parts.length - 1];
    svg.append(drawn("text", { x: 2, y: height - 5 }, timeText(parts[0].startMicros)));
    const end = timeText(last.startMicros + last.lengthMicros);
    svg.append(drawn("text", { x: width - 2, y: height - 5, "text-anchor": "end" }, end));
  }
  return svg;
}

function timeline(result) {
  const legend = KINDS.map(([, name, color]) =>
    element("span", {}, element("i", { style: "background:" + color }), name),
  );
  return element(
    "div",
    { class: "card" },
    element("h3", {}, title(result)),
    chart(result.timeline),
    element("div", { class: "legend" }, ...legend),
  );
}

function row(cells, numbers, name = "td") {
  return element(
    "tr",
    {},
    ...cells.map((cell, i) => element(name, i >= numbers ? { class: "n" } : {}, cell)),
  );
}

function labels(result) {
  const q = result.quality;
  const figures = [
    figure(percent(q.precision), "precision"),
    figure(percent(q.recall), "scanners found (10 requests or more)"),
    figure(shown(q.peopleAboveNormal), "people above normal"),
    figure(percent(q.innocentRefused), "innocent requests refused"),
    figure(shown(q.detectionMedian), "request of detection, median"),
    figure(shown(q.detectionP90), "request of detection, p90"),
  ];
  const head = ["label", "subjects", "requests", "elevated", "flagged", "blocked", "by limits",
    "by tier"];
  const rows = Object.entries(result.labels).map(([label, it]) =>
    row([label, ...[it.subjects, it.requests, it.elevated, it.flagged, it.blocked,
      it.deniedByLimits, it.refusedByTier].map(shown)], 1),
  );
  return element(
    "div",
    { class: "card" },
    element("h3", {}, title(result)),
    element("div", { class: "figures" }, ...figures),
    element("table", {}, row(head, 1, "th"), ...rows),
  );
}

function mark(tier) {
  return element("span", { class: "mark " + tier }, tier);
}

function reasons(points) {
  const parts = Object.entries(points || {}).map(([name, value]) => name + " " + value);
  return parts.length > 0 ? parts.join(", ") : "-";
}

function history(subject) {
  const rows = subject.history.map((change) => {
    const bar = element("span", { class: "bar", style: `width:${change.risk}px` });
    const risk = element("span", {}, bar, change.risk);
    const time = change.at.replace("T", " ").replace("Z", "");
    return row([time, mark(change.tier), risk, reasons(change.points), change.request], 4);
  });
  const counters = Object.entries(subject.counters || {})
    .filter(([, value]) => value > 0)
    .map(([name, value]) => name + " " + value.toFixed(1));
  return element(
    "div",
    {},
    element("p", { class: "hint" }, `First ${subject.first}, last ${subject.last}.`
      + (subject.shared ? " Several people seem to share it." : "")
      + (counters.length > 0 ? " Counters at the worst: " + counters.join(", ") + "." : "")),
    element("table", {}, row(["time", "tier", "risk", "reasons", "at request"], 4, "th"), ...rows),
  );
}

function subjectRows(subject) {
  const cells = [subject.subject, subject.label, mark(subject.tier), reasons(subject.reasons),
    ...[subject.requests, subject.flaggedAtRequest, subject.blocks, subject.deniedByLimits,
      subject.refusedByTier].map(shown)];
  const line = row(cells, 4);
  line.className = "subject";
  line.tabIndex = 0;
  const more = element("tr", { hidden: "" }, element("td", { colspan: "9" }, history(subject)));
  const turn = () => {
    more.hidden = !more.hidden;
  };
  line.addEventListener("click", turn);
  line.addEventListener("keydown", (event) => {
    if (event.key === "Enter") turn();
  });
  return [line, more];
}

function subjects(result) {
  const head = ["subject", "label", "tier", "reasons", "requests", "flagged at", "blocks",
    "by limits", "by tier"];
  return element(
    "div",
    { class: "card" },
    element("h3", {}, title(result)),
    element("table", {}, row(head, 4, "th"), ...result.top.flatMap(subjectRows)),
  );
}

document.getElementById("input").textContent =
  `${number.format(data.lines)} lines read: ${number.format(data.broken)} unreadable, ` +
  `${number.format(data.foreign)} no HTTP requests, ` +
  `${number.format(data.outOfOrder)} out of order. ` +
  "A client in a log does not react to refusals, so these are the most there could be.";
document.getElementById("totals").append(...data.results.map(totals));
document.getElementById("timelines").append(...data.results.map(timeline));
document.getElementById("subjects").append(...data.results.map(subjects));
if (data.labelled) {
  document.getElementById("quality").hidden = false;
  document.getElementById("labels").append(...data.results.map(labels));
}

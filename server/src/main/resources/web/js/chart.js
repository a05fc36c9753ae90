/** Answers over time as a chart of stacked columns. */

import uPlot from "./chart-library.js";
import { on } from "./bus.js";
import { byId, debounce } from "./dom.js";
import { chartSentence, columns, countAnswer, dropOld } from "./traffic-data.js";

const SECONDS = 60;
const HEIGHT = 236;
const TICK_MS = 1000;
let bins = new Map();
let plot = null;
let drawn = "";

/** Starts the chart. */
export function watchChart() {
  const box = byId("chart");
  new ResizeObserver(debounce(50, () => plot?.setSize(size(box)))).observe(box);
  plot = create(box);
  on("answer", (answer) => {
    bins = countAnswer(dropOld(bins, answer.at, SECONDS), answer.at, answer.body.allowed);
    byId("no-traffic").hidden = true;
    draw();
  });
  on("theme", () => {
    plot.destroy();
    plot = create(box);
  });
  setInterval(() => !document.hidden && draw(), TICK_MS);
}

function draw() {
  const now = performance.now();
  bins = dropOld(bins, now, SECONDS);
  const data = columns(bins, now, SECONDS);
  const text = data.join(";");
  if (text === drawn) return;
  drawn = text;
  plot.setData(data);
  byId("chart").setAttribute("aria-label", chartSentence(bins, SECONDS));
}

function create(box) {
  const text = color("--muted");
  const grid = { stroke: color("--line"), width: 1 };
  const font = `12px ${getComputedStyle(document.body).fontFamily}`;
  const axis = { stroke: text, font, ticks: { show: false } };
  const bars = uPlot.paths.bars({ size: [0.72, 18], radius: 0.15 });
  const column = (label, name) =>
    ({ label, fill: color(name), width: 0, paths: bars, points: { show: false } });
  return new uPlot({
    ...size(box),
    padding: [10, 16, 0, 0],
    cursor: { show: false },
    legend: { show: false },
    scales: {
      x: { time: false, range: [-SECONDS, 0.5] },
      y: { range: (_, __, most) => [0, Math.max(5, Math.ceil(most * 1.1))] },
    },
    axes: [
      { ...axis, grid: { show: false }, size: 28, splits: () => [-60, -45, -30, -15, 0],
        values: (_, ages) => ages.map((age) => (age === 0 ? "now" : `${-age} s`)) },
      { ...axis, grid, size: 36, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500] },
    ],
    series: [{}, column("Denied", "--denied-fill"), column("Allowed", "--allowed-fill")],
  }, columns(bins, performance.now(), SECONDS), box);
}

function size(box) {
  return { width: Math.max(200, box.clientWidth), height: HEIGHT };
}

/** The value of a colour variable as the page shows it now; a canvas cannot read variables. */
function color(name) {
  const probe = byId("color-probe");
  probe.style.color = `var(${name})`;
  return getComputedStyle(probe).color;
}

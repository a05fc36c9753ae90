/** Charts over time. */

import uPlot from "../js/chart-library.js";
import { on } from "../js/bus.js";
import { byId, debounce } from "../js/dom.js";
import { clock, short } from "./format.js";

const charts = new Set();
on("theme", () => charts.forEach((chart) => chart.redraw()));

/** Where a time of the clock ends: with seconds if the chart is of a few minutes. */
function cut(times) {
  return times.at(-1) - times[0] < 900 ? undefined : -3;
}

/** The value of a colour variable as the page shows it now; a canvas cannot read variables. */
function color(name) {
  const probe = byId("color-probe");
  probe.style.color = `var(${name})`;
  return getComputedStyle(probe).color;
}

/**
 * A chart in a box.
 *
 * @param kind "bars", stacked, the first at the bottom; or "lines"
 * @param series `{label, color}` each
 * @param options `{height, most, format, label}`: `most` is the top of the scale at least
 */
export function chart(box, kind, series, { height = 220, most = 5, format = short, label }) {
  let plot = null;
  let data = [[], ...series.map(() => [])];
  box.classList.add("chart");
  box.setAttribute("role", "img");

  function draw() {
    plot?.destroy();
    plot = new uPlot(settings(), arranged(), box);
  }

  function settings() {
    const font = `12px ${getComputedStyle(document.body).fontFamily}`;
    const axis = { stroke: color("--muted"), font, ticks: { show: false } };
    return {
      width: Math.max(160, box.clientWidth), height, padding: [10, 34, 0, 0],
      cursor: { show: false }, legend: { show: false },
      scales: {
        x: { time: false, range: (_, low, high) => [low ?? 0, high ?? 1] },
        y: { range: (_, __, top) => [0, Math.max(most, (top ?? 0) * 1.1)] },
      },
      axes: [
        { ...axis, grid: { show: false }, size: 28, space: 90,
          values: (_, times) => times.map((time) => clock(time * 1000).slice(-8, cut(data[0]))) },
        { ...axis, grid: { stroke: color("--line"), width: 1 }, size: 54,
          values: (_, numbers) => numbers.map((number) => format(number)) },
      ],
      series: [{}, ...(kind === "bars" ? series.toReversed().map(bar) : series.map(line))],
    };
  }

  function bar(each) {
    return { label: each.label, fill: color(each.color), width: 0, points: { show: false },
      paths: uPlot.paths.bars({ size: [0.86, 40], align: 1 }) };
  }

  function line(each) {
    return { label: each.label, stroke: color(each.color), width: 2, points: { show: false },
      spanGaps: false };
  }

  /** Stacked bars are drawn from the highest sum to the lowest, each over the one before. */
  function arranged() {
    if (kind !== "bars") return data;
    const sums = [];
    for (const values of data.slice(1)) {
      const below = sums.at(-1);
      sums.push(values.map((value, i) => value + (below ? below[i] : 0)));
    }
    return [data[0], ...sums.toReversed()];
  }

  const made = {
    /** Shows `[times in seconds, ...values]`. */
    set(next) {
      data = next;
      if (plot) plot.setData(arranged());
      else draw();
      box.setAttribute("aria-label", label(data));
    },
    redraw: draw,
    close() {
      observer.disconnect();
      charts.delete(made);
      plot?.destroy();
    },
  };
  const observer = new ResizeObserver(debounce(50, () =>
    plot?.setSize({ width: Math.max(160, box.clientWidth), height })));
  observer.observe(box);
  charts.add(made);
  return made;
}

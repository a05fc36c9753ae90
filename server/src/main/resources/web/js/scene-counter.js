/** The drawing of the sliding window counter. Pure. */

import { label, line, marks, path, rect } from "./shapes.js";
import { BASE, CELLS_HEIGHT, CELLS_Y, SIDE, STRIP_TOP } from "./scene-window.js";

/** The weighted sum as a bar, and under it both windows with the sliding one over them. */
export function counterScene(view, width) {
  const { numbers: n } = view;
  const right = width - SIDE;
  const perPermit = (right - SIDE) / n.capacity;
  const weighted = view.prev * view.weight;
  const prevWidth = Math.min(right - SIDE, weighted * perPermit);
  const currWidth = Math.min(right - SIDE - prevWidth, view.curr * perPermit);
  return [
    label(SIDE, CELLS_Y - 14, sum(view, width), "note"),
    label(right, CELLS_Y - 14, `${view.used.toFixed(1)} of ${n.capacity.toLocaleString("en")}`,
      "count end"),
    rect(SIDE, CELLS_Y, right - SIDE, CELLS_HEIGHT, "cell", 3),
    rect(SIDE, CELLS_Y, prevWidth, CELLS_HEIGHT, "cell before", 3),
    rect(SIDE + prevWidth, CELLS_Y, currWidth, CELLS_HEIGHT, "cell used", 3),
    ...windows(view, width),
  ];
}

function windows(view, width) {
  const { numbers: n, now, start } = view;
  const right = width - SIDE;
  const middle = width / 2;
  const half = middle - SIDE;
  const shapes = [rect(SIDE, STRIP_TOP, right - SIDE, BASE - STRIP_TOP, "strip", 4)];
  if (start === null) {
    shapes.push(line(SIDE, BASE, right, BASE, "base"));
    shapes.push(line(middle, STRIP_TOP, middle, BASE, "edge"));
    shapes.push(label(SIDE, BASE + 24, "last window", "axis"));
    shapes.push(label(right, BASE + 24, "this window", "axis end"));
    return shapes;
  }
  const x = Math.round(middle + ((now - start) / n.periodMs) * half);
  shapes.push(rect(x - half, STRIP_TOP, half, BASE - STRIP_TOP, "covered", 4));
  shapes.push(line(SIDE, BASE, right, BASE, "base"));
  shapes.push(line(middle, STRIP_TOP, middle, BASE, "edge"));
  const from = start - n.periodMs;
  shapes.push(...marks(view.marks, from, start + n.periodMs, SIDE, right, BASE));
  shapes.push(path(`M${x - half} ${STRIP_TOP}v-8h${half}v8`, "bracket"));
  shapes.push(label(x - half / 2, STRIP_TOP - 14, `the last ${n.period}`, "axis middle"));
  shapes.push(line(x, STRIP_TOP, x, BASE + 6, "now"));
  shapes.push(label(SIDE, BASE + 24, `last window: ${view.prev}`, "axis"));
  shapes.push(label(right, BASE + 24, `this window: ${view.curr}`, "axis end"));
  return shapes;
}

function sum(view, width) {
  const percent = Math.round(view.weight * 100);
  const terms = `${view.prev} × ${percent} % + ${view.curr}`;
  return width < 420 ? terms : `last window × overlap + this window: ${terms}`;
}

/** The drawings of the fixed window and the sliding window log. Pure. */

import { cells, label, line, marks, rect } from "./shapes.js";
import { countdown } from "./duration.js";

export const SIDE = 24;
export const CELLS_Y = 48;
export const CELLS_HEIGHT = 30;
export const BASE = 178;
export const STRIP_TOP = 132;

/** The permits used in the window now, and its time from start to end. */
export function windowScene(view, width) {
  const { numbers: n, now, start } = view;
  const right = width - SIDE;
  const shapes = usage(width, view.used, n.capacity, "used in this window");
  shapes.push(rect(SIDE, STRIP_TOP, right - SIDE, BASE - STRIP_TOP, "strip", 4));
  if (start === null) {
    shapes.push(line(SIDE, BASE, right, BASE, "base"));
    shapes.push(label(width / 2, BASE + 24, "the next request starts a window", "note middle"));
    return shapes;
  }
  const x = SIDE + ((now - start) / n.periodMs) * (right - SIDE);
  shapes.push(rect(SIDE, STRIP_TOP, x - SIDE, BASE - STRIP_TOP, "covered", 4));
  shapes.push(line(SIDE, BASE, right, BASE, "base"));
  shapes.push(...marks(view.marks, start, start + n.periodMs, SIDE, right, BASE));
  shapes.push(line(x, STRIP_TOP - 6, x, BASE + 6, "now"));
  shapes.push(label(SIDE, BASE + 24, "window starts", "axis"));
  const left = start + n.periodMs - now;
  shapes.push(label(right, BASE + 24, `ends in ${countdown(left)}`, "axis end"));
  return shapes;
}

/** The permits used in the last window's length, and the requests as they move out of it. */
export function logScene(view, width) {
  const { numbers: n, now } = view;
  const right = width - SIDE;
  const shapes = usage(width, view.used, n.capacity, `used in the last ${n.period}`);
  shapes.push(rect(SIDE, STRIP_TOP, right - SIDE, BASE - STRIP_TOP, "covered", 4));
  shapes.push(line(SIDE, BASE, right, BASE, "base"));
  shapes.push(...marks(view.marks, now - n.periodMs, now, SIDE, right, BASE));
  shapes.push(line(right, STRIP_TOP - 6, right, BASE + 6, "now"));
  shapes.push(label(SIDE, BASE + 24, `${n.period} ago`, "axis"));
  shapes.push(label(right, BASE + 24, "now", "axis end"));
  if (view.other > 0) {
    shapes.push(label(width / 2, BASE + 24, `${view.other} used by others`, "note middle"));
  }
  return shapes;
}

/** The row of permits with its two captions. */
export function usage(width, used, capacity, caption) {
  const right = width - SIDE;
  return [
    label(SIDE, CELLS_Y - 14, caption, "note"),
    label(right, CELLS_Y - 14, `${used.toLocaleString("en")} of ${capacity.toLocaleString("en")}`,
      "count end"),
    ...cells(SIDE, CELLS_Y, right - SIDE, CELLS_HEIGHT, used, capacity),
  ];
}

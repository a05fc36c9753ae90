/** What is drawn for a view, as a list of SVG elements. Pure. */

import { logScene, windowScene } from "./scene-window.js";
import { counterScene } from "./scene-counter.js";
import { bar, label, line, path, plural, rect } from "./shapes.js";
import { readable } from "./duration.js";

export const HEIGHT = 240;
const TOP = 52;
const BOTTOM = 188;
const MOST_TICKS = 25;

/** The elements for a view, `{tag, attrs, text}` each, for a drawing of that width. */
export function scene(view, width) {
  switch (view.shape) {
    case "bucket":
      return tokenScene(view, width);
    case "leak":
      return leakScene(view, width);
    case "window":
      return windowScene(view, width);
    case "log":
      return logScene(view, width);
    default:
      return counterScene(view, width);
  }
}

/** One sentence that says what the drawing shows. */
export function sentence(view) {
  const { capacity } = view.numbers;
  if (view.shape === "bucket") return `${plural(view.remaining, "token")} of ${capacity} left.`;
  if (view.shape === "leak") return `Filled to ${round(view.level)} of ${capacity}.`;
  if (view.shape === "counter") return `${round(view.used)} of ${capacity} used, as estimated.`;
  return `${view.used} of ${capacity} used.`;
}

function tokenScene(view, width) {
  const { numbers: n } = view;
  const full = view.level >= n.capacity;
  const vessel = vesselOf(width);
  const rate = `${plural(n.tokens, "token")} every ${n.period}`;
  const shapes = [
    ...water(vessel, view.level / n.capacity, n.capacity),
    label(vessel.middle, 18, n.variant === "smooth" ? `flowing in: ${rate}` : `+ ${rate}`,
      "note middle"),
    ...levelLabels(vessel, view.level / n.capacity, n.capacity, amount(view.level, n)),
  ];
  if (n.variant === "smooth") {
    if (!full) shapes.push(stream(vessel.middle, 28, surface(vessel, view.level / n.capacity)));
    shapes.push(label(vessel.middle, 214, full ? "full" : `full in ${readable(view.resetMs)}`,
      "note middle"));
    return shapes;
  }
  const done = view.nextMs === null || view.nextMs === undefined ? 0 : 1 - view.nextMs / n.periodMs;
  shapes.push(...bar(vessel.middle - 60, 28, 120, 5, full ? 0 : done, "drip"));
  shapes.push(label(vessel.middle, 214, full ? "full" : `full in ${readable(view.resetMs)}`,
    "note middle"));
  return shapes;
}

function leakScene(view, width) {
  const { numbers: n } = view;
  const vessel = vesselOf(width);
  const rate = `${n.tokens} every ${n.period}`;
  const shapes = [
    ...water(vessel, view.level / n.capacity, n.capacity),
    label(vessel.middle, 18, `requests fill it, up to ${n.capacity}`, "note middle"),
    ...levelLabels(vessel, view.level / n.capacity, n.capacity, round(view.level)),
    rect(vessel.middle - 5, BOTTOM, 10, 6, "spout"),
  ];
  if (view.level > 0) shapes.push(stream(vessel.middle, BOTTOM + 6, BOTTOM + 16));
  const height = BOTTOM - TOP - 4;
  for (const call of view.queue.slice(0, 100)) {
    const share = (call.waitMs * n.ratePerMs) / n.capacity;
    shapes.push(line(vessel.left + 10, BOTTOM - share * height, vessel.right - 10,
      BOTTOM - share * height, "queued"));
  }
  const waiting = view.queue.length === 0 ? ""
    : `; ${plural(view.queue.length, "request")} waiting`;
  shapes.push(label(vessel.middle, 222, `leaks ${rate}${waiting}`, "note middle"));
  return shapes;
}

function vesselOf(width) {
  const size = Math.min(240, width - 130);
  const middle = width / 2;
  return { middle, left: middle - size / 2, right: middle + size / 2 };
}

function surface(vessel, share) {
  return BOTTOM - Math.max(0, Math.min(1, share)) * (BOTTOM - TOP - 4);
}

function water(vessel, share, capacity) {
  const { left, right } = vessel;
  const y = surface(vessel, share);
  const shapes = [rect(left, y, right - left, BOTTOM - y, "water", 3)];
  if (share > 0) shapes.push(line(left + 2, y, right - 2, y, "surface"));
  if (capacity <= MOST_TICKS) {
    for (let i = 1; i < capacity; i++) {
      const at = surface(vessel, i / capacity);
      shapes.push(line(left, at, left + 8, at, "tick"));
    }
  }
  shapes.push(path(
    `M${left} ${TOP - 8}V${BOTTOM - 8}a8 8 0 0 0 8 8H${right - 8}a8 8 0 0 0 8 -8V${TOP - 8}`,
    "vessel"));
  return shapes;
}

function levelLabels(vessel, share, capacity, text) {
  const y = surface(vessel, share);
  const shapes = [label(vessel.right + 12, y + 5, text, "level")];
  const edges = [[capacity, TOP + 4], [0, BOTTOM]];
  for (const [value, at] of edges) {
    shapes.push(label(vessel.left - 10, at + 4, value.toLocaleString("en"), "axis end"));
  }
  return shapes;
}

function stream(x, from, to) {
  return line(x, from, x, Math.max(from, to), "stream");
}

function amount(level, numbers) {
  return numbers.variant === "smooth" ? round(level) : level.toLocaleString("en");
}

function round(value) {
  if (value >= 1000) return Math.floor(value).toLocaleString("en");
  return Number.isInteger(value) ? String(value) : (Math.floor(value * 10 + 1e-6) / 10).toFixed(1);
}

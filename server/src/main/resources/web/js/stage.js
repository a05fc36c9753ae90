/** Draws the key's bucket or window, and the numbers beside it, as time goes on. */

import { on } from "./bus.js";
import { byId, prefersLessMotion, setText } from "./dom.js";
import { countdown, readable } from "./duration.js";
import { HEIGHT, scene, sentence } from "./scene.js";
import { focusedView } from "./tracker.js";

const SVG = "http://www.w3.org/2000/svg";
const CALM_MS = 500;
const FRAME_MS = 33;
const FLASH_MS = 350;
const FRESH_NAMES = { bucket: "Full again", leak: "Empty again" };
const counts = { allowed: 0, denied: 0 };
let width = 600;
let waiting = false;
let drawnAt = -Infinity;
let described = "";

/** Starts to draw, anew whenever something changes. */
export function watchStage() {
  const svg = byId("drawing");
  new ResizeObserver(([entry]) => {
    width = Math.max(240, Math.round(entry.contentRect.width));
    svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    schedule();
  }).observe(svg.parentElement);
  for (const name of ["state", "limit", "focus"]) on(name, schedule);
  on("answer", count);
  document.addEventListener("visibilitychange", schedule);
}

function schedule() {
  if (waiting) return;
  waiting = true;
  const pause = prefersLessMotion() ? CALM_MS : FRAME_MS;
  const due = drawnAt + pause - performance.now();
  if (due > 0) setTimeout(() => requestAnimationFrame(draw), due);
  else requestAnimationFrame(draw);
}

function draw() {
  waiting = false;
  drawnAt = performance.now();
  const view = focusedView(drawnAt);
  if (view === null) return;
  patch(byId("drawing"), scene(view, width));
  showNumbers(view);
  if (moves(view) && !document.hidden) schedule();
}

function moves(view) {
  if (view.resetMs > 0 || view.retry > 0) return true;
  if (view.shape === "log") return view.marks.some((m) => m.at > view.now - view.numbers.periodMs);
  return (view.shape === "window" || view.shape === "counter") && view.start !== null;
}

/** Makes the children of the drawing those shapes, keeping elements that are of the right kind. */
function patch(svg, shapes) {
  shapes.forEach((shape, index) => {
    let element = svg.children[index];
    if (!element || element.tagName !== shape.tag) {
      const made = document.createElementNS(SVG, shape.tag);
      if (element) svg.replaceChild(made, element);
      else svg.append(made);
      element = made;
    }
    for (const [name, value] of Object.entries(shape.attrs)) {
      const text = String(value);
      if (element.getAttribute(name) !== text) element.setAttribute(name, text);
    }
    if (shape.text !== undefined) setText(element, shape.text);
  });
  while (svg.children.length > shapes.length) svg.lastChild.remove();
}

function showNumbers(view) {
  setText(byId("left"), view.remaining.toLocaleString("en"));
  setText(byId("left-of"), `of ${view.numbers.capacity.toLocaleString("en")}`);
  setText(byId("next"), nextText(view));
  byId("next").classList.toggle("is-waiting", view.retry !== 0);
  setText(byId("next-name"), view.cost === 1 ? "Next permit" : `Next ${view.cost} permits`);
  setText(byId("fresh-name"), FRESH_NAMES[view.shape] ?? "All free again");
  setText(byId("fresh"), view.resetMs > 0 ? `in ${readable(view.resetMs)}` : "now");
  const words = sentence(view);
  if (words !== described) {
    described = words;
    byId("drawing").setAttribute("aria-label", words);
  }
}

function nextText(view) {
  if (view.cost === 0) return "a look is free";
  if (view.retry === 0) return "now";
  if (view.retry === "never") return "never";
  return view.retry === null ? "…" : `in ${countdown(view.retry)}`;
}

function count(answer) {
  const kind = answer.body.allowed ? "allowed" : "denied";
  counts[kind]++;
  setText(byId(`count-${kind}`), counts[kind].toLocaleString("en"));
  const stage = byId("stage");
  stage.dataset.last = kind;
  clearTimeout(count.timer);
  count.timer = setTimeout(() => delete stage.dataset.last, FLASH_MS);
}

/** The elements that scenes are made of. Pure. */

export function rect(x, y, width, height, kind, radius = 0) {
  return { tag: "rect", attrs: { x: fixed(x), y: fixed(y), width: fixed(Math.max(0, width)),
    height: fixed(Math.max(0, height)), rx: radius, class: kind } };
}

export function line(x1, y1, x2, y2, kind) {
  return { tag: "line",
    attrs: { x1: fixed(x1), y1: fixed(y1), x2: fixed(x2), y2: fixed(y2), class: kind } };
}

export function path(d, kind) {
  return { tag: "path", attrs: { d, class: kind } };
}

export function label(x, y, text, kind) {
  return { tag: "text", attrs: { x: fixed(x), y: fixed(y), class: kind }, text: String(text) };
}

/** A horizontal bar, filled to a share from 0 to 1. */
export function bar(x, y, width, height, share, kind) {
  const filled = Math.max(0, Math.min(1, share)) * width;
  return [
    rect(x, y, width, height, "track", height / 2),
    rect(x, y, filled, height, kind, Math.min(height, filled) / 2),
  ];
}

/** A cell for each permit, used ones filled; one bar where there are too many for cells. */
export function cells(x, y, width, height, used, capacity) {
  const gap = 3;
  const size = (width - gap * (capacity - 1)) / capacity;
  if (size < 5) {
    return [rect(x, y, width, height, "cell", 3),
      rect(x, y, (width * Math.min(used, capacity)) / capacity, height, "cell used", 3)];
  }
  const shapes = [];
  for (let i = 0; i < capacity; i++) {
    const left = x + i * (size + gap);
    shapes.push(rect(left, y, size, height, "cell", 3));
    const share = Math.max(0, Math.min(1, used - i));
    shapes.push(rect(left, y, size * share, height, "cell used", 3));
  }
  return shapes;
}

/** Requests on a time strip: allowed ones stand on its line, denied ones are crosses above it. */
export function marks(all, from, to, left, right, base) {
  const scale = (right - left) / (to - from);
  const shapes = [];
  for (const mark of all) {
    if (mark.at < from || mark.at > to) continue;
    const x = left + (mark.at - from) * scale;
    if (mark.allowed) {
      shapes.push(rect(x - 1.5, base - 22, 3, 22, "mark allowed", 1.5));
    } else {
      shapes.push(path(`M${fixed(x - 3)} ${base - 36}l6 6m0 -6l-6 6`, "mark denied"));
    }
  }
  return shapes;
}

export function plural(count, word) {
  return `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
}

/** To half a pixel, so that what has hardly moved is not drawn anew. */
function fixed(value) {
  return Math.round(value * 2) / 2;
}

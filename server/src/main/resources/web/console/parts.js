/** Parts that several pages are made of. */

import { make } from "../js/dom.js";

/** A panel with a title; `tools` stand beside it. */
export function panel(title, tools, ...children) {
  const id = `title-${title.toLowerCase().replaceAll(/[^a-z]+/g, "-")}`;
  return make("section", { class: "panel", "aria-labelledby": id },
    make("div", { class: "panel-head" }, make("h2", { id }, title), ...(tools ?? [])),
    ...children);
}

/** A button. */
export function button(text, action, attributes = {}) {
  const element = make("button", { type: "button", ...attributes }, text);
  element.addEventListener("click", action);
  return element;
}

/** A field with its label. */
export function field(label, control, hint = "") {
  return make("div", { class: "field" },
    make("label", { for: control.id }, label), control,
    hint === "" ? null : make("p", { class: "hint" }, hint));
}

/** A choice of several words: `[value, text]` each. */
export function select(id, options, value = "") {
  const element = make("select", { id },
    ...options.map(([word, text]) => make("option", { value: word }, text)));
  element.value = value === "" ? options[0][0] : value;
  return element;
}

/** A table; a row is a list of cells, each a text or an element. Without rows the text stands. */
export function table(caption, heads, rows, empty) {
  if (rows.length === 0) return make("p", { class: "empty" }, empty);
  return make("div", { class: "scroll" }, make("table", {},
    make("caption", { class: "hidden" }, caption),
    make("thead", {}, make("tr", {}, ...heads.map(([text, kind]) =>
      make("th", { scope: "col", class: kind ?? null }, text)))),
    make("tbody", {}, ...rows.map((cells) => make("tr", {}, ...cells.map((cell, i) =>
      make("td", { class: heads[i][1] ?? null }, cell)))))));
}

/** A tier as a mark. */
export function tierMark(tier) {
  return make("span", { class: `tier tier-${tier}` }, tier);
}

/** The address of a subject's page. */
export function subjectLink(subject) {
  const parameters = new URLSearchParams({ limits: subject.limits, key: subject.key });
  return make("a", { href: `#/subject?${parameters}`, class: "key", title: subject.key },
    subject.key);
}

/** A number with its name. */
export function tile(name) {
  const value = make("dd", {}, "–");
  const note = make("p", { class: "hint" }, "\u00a0");
  const element = make("div", { class: "tile" }, make("dt", {}, name), value, note);
  return {
    element,
    set(text, hint = "\u00a0", state = "") {
      if (value.textContent !== text) value.textContent = text;
      if (note.textContent !== hint) note.textContent = hint;
      element.dataset.state = state;
    },
  };
}

/**
 * Replaces what is in an element if it differs, and leaves the focus where the reader has it. What
 * stays as it is can be clicked at any moment.
 */
export function fill(element, ...children) {
  const next = make("div", {}, ...children);
  if (next.innerHTML === element.innerHTML) return;
  if (element.contains(document.activeElement) && document.activeElement !== element) {
    const focused = document.activeElement;
    const mark = focused.getAttribute("href") ?? focused.textContent;
    element.replaceChildren(...children);
    [...element.querySelectorAll("a, button")]
      .find((each) => (each.getAttribute("href") ?? each.textContent) === mark)?.focus();
    return;
  }
  element.replaceChildren(...children);
}

/** Shows what went wrong where it happened. */
export function problem(error) {
  return make("p", { class: "hint problem", role: "alert" }, error.message);
}

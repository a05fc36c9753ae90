/** Short ways to find, make and change elements. */

/** The element with that id. */
export function byId(id) {
  return document.getElementById(id);
}

/** Makes an element with attributes and children; a null child is left out. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** Sets a text only if it differs, so that nothing is laid out or announced anew. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Runs the action once, after the calls have paused for that long. */
export function debounce(pauseMs, action) {
  let timer = 0;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(action, pauseMs, ...args);
  };
}

/** Whether the reader asked for less motion. */
export function prefersLessMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

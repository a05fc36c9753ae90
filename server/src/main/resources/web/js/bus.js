/** Tells parts of the page of what happened in others. */

const target = new EventTarget();

/** Calls the listener with the detail of each such event. */
export function on(name, listener) {
  target.addEventListener(name, (event) => listener(event.detail));
}

/** Tells all listeners of that name. */
export function emit(name, detail) {
  target.dispatchEvent(new CustomEvent(name, { detail }));
}

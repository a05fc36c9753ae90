/** Shows the Java code for the settings, and copies it. */

import { announce } from "./announce.js";
import { on } from "./bus.js";
import { byId, debounce, make, setText } from "./dom.js";
import { imports, pieces, statements } from "./java-code.js";
import { POLICY } from "./policy-name.js";
import { currentLimit } from "./policy.js";
import { cost, key } from "./requests.js";

const COPIED_MS = 2000;

/** Starts to show code. */
export function watchCode() {
  for (const name of ["limit", "focus"]) on(name, show);
  byId("stores").addEventListener("change", show);
  byId("key").addEventListener("input", debounce(250, show));
  byId("cost").addEventListener("input", debounce(250, show));
  byId("copy").addEventListener("click", copy);
}

function show() {
  const limit = currentLimit();
  if (limit === null) return;
  const store = byId("stores").querySelector("input:checked").value;
  const settings = { store, policy: POLICY, key: key(), cost: cost() ?? 1 };
  byId("code").replaceChildren(
    ...imports(limit, store).map((text) => line(text, "import")),
    line("", "import"),
    ...statements(limit, settings).map((text) => line(text, "statement")));
}

function line(text, kind) {
  const shown = pieces(text).map((piece) =>
    piece.kind === null ? piece.text : make("span", { class: piece.kind }, piece.text));
  return make("span", { class: `code-line ${kind}` }, ...shown, "\n");
}

async function copy() {
  const text = byId("code").textContent;
  try {
    await navigator.clipboard.writeText(text);
    say("Copied");
  } catch {
    getSelection().selectAllChildren(byId("code"));
    say("Selected: press Ctrl+C");
  }
}

function say(message) {
  setText(byId("copy"), message);
  announce(message);
  clearTimeout(say.timer);
  say.timer = setTimeout(() => setText(byId("copy"), "Copy"), COPIED_MS);
}

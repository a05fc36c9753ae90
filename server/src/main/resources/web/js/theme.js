/** Light and dark: as the system says, until the reader chooses. */

import { emit } from "./bus.js";
import { byId } from "./dom.js";

const root = document.documentElement;
const system = matchMedia("(prefers-color-scheme: dark)");

/** Starts the toggle. */
export function watchTheme() {
  byId("theme").addEventListener("click", () => {
    const chosen = isDark() ? "light" : "dark";
    root.dataset.theme = chosen;
    remember(chosen);
    show();
  });
  system.addEventListener("change", show);
  byId("theme").setAttribute("aria-pressed", String(isDark()));
}

function isDark() {
  return root.dataset.theme ? root.dataset.theme === "dark" : system.matches;
}

function show() {
  byId("theme").setAttribute("aria-pressed", String(isDark()));
  emit("theme");
}

function remember(chosen) {
  try {
    localStorage.setItem("weir-theme", chosen);
  } catch {
    // Storage may be switched off; the choice then lasts as long as the page.
  }
}

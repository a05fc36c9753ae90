/* Runs before the page is drawn, so that a chosen theme does not flash up late. */
try {
  const chosen = localStorage.getItem("weir-theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // Storage may be switched off; the system's theme is used.
}

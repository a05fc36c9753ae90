/** Who is limited: search, lists, and what was decided by hand. */

import { byId, debounce, make } from "../js/dom.js";
import { look } from "./admin.js";
import { ago, clock, count } from "./format.js";
import { overrideForm, takeBack } from "./override-form.js";
import { fill, panel, problem, select, subjectLink, table, tierMark } from "./parts.js";

const POLL_MS = 4000;
const MOST = 20;
const VIEWS = [["recent", "Seen last"], ["limited", "Most limited"],
  ["above-normal", "Above normal"], ["blocked", "Blocked now"]];

/** Opens the page; answers what closes it. */
export function subjectsPage(page) {
  const search = make("input", { id: "search", type: "search", placeholder: "part of a key",
    autocomplete: "off", spellcheck: "false" });
  const view = select("view", VIEWS);
  const found = make("div", { id: "found" });
  const known = make("span", { class: "hint", id: "known" });
  const overrides = make("div", { id: "overrides" });
  const trail = make("div", { id: "trail" });
  page.append(
    make("div", { class: "page-head" }, make("h1", {}, "Subjects")),
    panel("Find a subject", [known],
      make("div", { class: "row" },
        make("div", { class: "field grow" }, make("label", { for: "search" }, "Search"), search),
        make("div", { class: "field" }, make("label", { for: "view" }, "Show"), view)),
      found),
    panel("Decided by hand", null,
      overrides,
      make("details", {}, make("summary", {}, "Decide about a subject or a range of addresses"),
        overrideForm(null, refresh))),
    panel("Trail", null, trail));

  async function refresh() {
    if (document.hidden) return;
    const isSearch = search.value.trim() !== "";
    try {
      const [subjects, decided, audit] = await Promise.all([
        look("subjects", { search: search.value.trim(), view: isSearch ? "recent" : view.value,
          limit: MOST }),
        look("overrides"), look("audit", { limit: 20 })]);
      known.textContent = `${count(subjects.known)} seen by this process`;
      fill(found, list(subjects, isSearch));
      fill(overrides, overrideTable(decided.overrides, refresh));
      fill(trail, trailTable(audit.lines));
      byId("page").dataset.state = "drawn";
    } catch (error) {
      found.replaceChildren(problem(error));
    }
  }

  search.addEventListener("input", debounce(200, refresh));
  view.addEventListener("change", refresh);
  const timer = setInterval(refresh, POLL_MS);
  refresh();
  return () => clearInterval(timer);
}

function list({ subjects, nowMillis }, isSearch) {
  return table("Subjects",
    [["Subject"], ["Policy"], ["Tier"], ["Requests", "number"], ["Refused", "number"],
      ["Refused lately", "number"], ["Seen"]],
    subjects.map((it) => [subjectLink(it), it.limits, tierMark(it.tier), count(it.requests),
      count(it.refused), count(it.refusedLately), ago(it.lastMillis, nowMillis)]),
    isSearch ? "No subject seen by this process has that in its key."
      : "Nobody is in this list yet.");
}

function overrideTable(overrides, changed) {
  return table("Decided by hand",
    [["Subject or range"], ["Decision"], ["Until"], ["By"], ["Why", "wide"], [""]],
    overrides.map((it) => [
      make("span", { class: "key" }, it.subject ?? it.range),
      it.kind === "pin" ? `pin to ${it.tier}` : it.kind,
      it.untilMillis === null ? "taken back" : clock(it.untilMillis), it.author, it.reason,
      takeBack(it, changed)]),
    "Nothing is decided by hand: behaviour and limits decide.");
}

function trailTable(lines) {
  return table("Trail", [["When"], ["What"], ["Subject or range"], ["By"], ["Why", "wide"]],
    lines.map((it) => [clock(it.atMillis), done(it),
      make("span", { class: "key" }, it.subject ?? it.range ?? ""), it.author, it.reason]),
    "Nobody has decided anything by hand yet.");
}

function done({ action, kind, tier }) {
  const what = kind === "pin" ? `pin to ${tier}` : kind;
  return action === "set" ? what : action === "lifted" ? `take back: ${what}` : "forget";
}

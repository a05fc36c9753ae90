/** The policies: those that run, a draft of the next ones, and how they were before. */

import { byId, make } from "../js/dom.js";
import { act, look } from "./admin.js";
import { clock, count, percent } from "./format.js";
import { button, field, fill, panel, problem, table } from "./parts.js";

const EXAMPLE = `policies:
  - name: api
    match: any
    key: user-or-address
    limits:
      - {algorithm: token-bucket, capacity: 60, refillTokens: 10, refillPeriod: 1s}
`;

/** Opens the page; answers what closes it. */
export function policiesPage(page) {
  const running = make("div", { id: "running" });
  const versions = make("div", { id: "versions" });
  const text = make("textarea", { id: "draft", spellcheck: "false", rows: 14, wrap: "off" });
  const note = make("input", { id: "note", type: "text", autocomplete: "off",
    placeholder: "why" });
  const request = make("textarea", { id: "request", spellcheck: "false", rows: 3 });
  request.value = '{"method": "GET", "path": "/", "address": "203.0.113.7"}';
  const outcome = make("div", { id: "outcome", "aria-live": "polite" });
  let version = 0;

  const tools = make("div", { class: "row" },
    button("Check", () => tell(check), { id: "check" }),
    button("Differences", () => tell(differences), { id: "differences" }),
    button("Compare on the last 10 minutes", () => tell(compare), { id: "compare" }),
    make("div", { class: "field grow" }, make("label", { for: "note", class: "hidden" }, "Why"),
      note),
    button("Apply", () => tell(apply), { id: "apply", class: "main-action" }));
  page.append(
    make("div", { class: "page-head" }, make("h1", {}, "Policies")),
    panel("Running, in the order in which they are tried", null, running),
    panel("Draft", [make("span", { class: "hint" },
      "Policies set here run on all nodes; those of a file are changed there.")],
    make("label", { for: "draft", class: "hidden" }, "Policies as YAML"), text, tools,
    make("details", {}, make("summary", {}, "Try a request on the draft"),
      field("Request", request, "What POST /v1/decide takes. Nothing is charged."),
      button("Try", () => tell(tryOut), { id: "try" })),
    outcome),
    panel("Versions", null, versions));

  async function tell(action) {
    outcome.replaceChildren(make("p", { class: "hint" }, "…"));
    try {
      outcome.replaceChildren(...(await action()));
    } catch (error) {
      outcome.replaceChildren(problem(error));
    }
  }

  async function check() {
    const { isGood, mistakes, policies } = await act("draft/validate", { text: text.value });
    return isGood ? [make("p", { class: "good" }, `Good: ${policies} policies.`)]
      : [make("p", { class: "problem" }, mistakes.length === 1 ? "1 mistake"
        : `${mistakes.length} mistakes`),
      make("ul", { class: "mistakes" }, ...mistakes.map((it) => make("li", {},
        button(`Line ${it.line}`, () => goTo(text, it.line, it.column), { class: "small" }),
        it.message)))];
  }

  async function ifGood(action) {
    const told = await check();
    return told.length > 1 ? told : action();
  }

  function differences() {
    return ifGood(async () => [diffView((await act("draft/diff", { text: text.value })).lines)]);
  }

  function compare() {
    return ifGood(async () =>
      comparison(await act("draft/compare", { text: text.value, minutes: 10 })));
  }

  function tryOut() {
    return ifGood(async () => {
      let asked;
      try {
        asked = JSON.parse(request.value);
      } catch {
        throw new Error("The request is not JSON.");
      }
      return [attempt(await act("draft/try", { text: text.value, request: asked }))];
    });
  }

  function apply() {
    return ifGood(async () => {
      const applied = await act("draft/apply", { text: text.value, version, note: note.value });
      note.value = "";
      await refresh(true);
      return [make("p", { class: "good" },
        `Version ${applied.version} runs here now, and on all nodes within a second.`)];
    });
  }

  async function rollBack(number) {
    await tell(async () => {
      const now = await act("rollback", { version: number });
      await refresh(true);
      return [make("p", { class: "good" },
        `The policies are those of version ${number} again, as version ${now.version}.`)];
    });
  }

  async function showVersion(number) {
    await tell(async () => {
      const { diff } = await look(`versions/${number}`);
      return [make("p", { class: "hint" }, `What version ${number} changed:`), diffView(diff)];
    });
  }

  async function refresh(replace) {
    const [policies, old] = await Promise.all([look("policies"), look("versions")]);
    version = policies.version;
    if (replace) text.value = policies.text === "policies: []\n" ? EXAMPLE : policies.text;
    fill(running, runningTable(policies.policies));
    fill(versions, versionTable(old, showVersion, rollBack));
    byId("page").dataset.state = "drawn";
  }

  refresh(true).catch((error) => outcome.replaceChildren(problem(error)));
  return () => {};
}

function runningTable(policies) {
  return table("Running policies",
    [["Policy"], ["Set in"], ["For"], ["Counted for"], ["Limits", "wide"], ["Mode"], [""]],
    policies.map(({ name, source, fields }) => [make("b", {}, name), source, matchWords(fields),
      [fields.key ?? "user-or-address"].flat().join(" + "),
      fields.limits.map((it) => it.name ?? it.algorithm).join(", "),
      [fields.mode ?? "enforce",
        fields.adaptive ? `adaptive: ${fields.adaptive.mode ?? "shadow"}` : ""]
        .filter((it) => it !== "").join(", "),
      make("a", { href: `../?policy=${encodeURIComponent(name)}` }, "Try it")]),
    "There are no policies: every request goes on.");
}

function matchWords({ match }) {
  if (!match) return "its name only";
  if (match === "any") return "any request";
  return Object.values(match).map((it) => [it].flat().join(", ")).join(" · ");
}

function versionTable({ versions, current }, show, rollBack) {
  return table("Versions", [["Version"], ["When"], ["By"], ["Why", "wide"], [""], [""]],
    versions.map((it) => [String(it.number), clock(it.atMillis), it.author, it.note,
      button("Changes", () => show(it.number), { class: "small" }),
      it.number === current ? "runs now"
        : button("Roll back to it", () => rollBack(it.number), { class: "small" })]),
    "Nothing was set here yet.");
}

/** Puts the cursor where a mistake is. */
function goTo(area, line, column) {
  const start = area.value.split("\n").slice(0, line - 1).join("\n").length
    + (line > 1 ? 1 : 0) + column - 1;
  area.focus();
  area.setSelectionRange(start, start + 1);
}

function diffView(lines) {
  if (lines.every((it) => it.sign === " ")) return make("p", { class: "hint" }, "Nothing differs.");
  const near = lines.map((_, i) =>
    lines.slice(Math.max(0, i - 3), i + 4).some((it) => it.sign !== " "));
  const shown = [];
  lines.forEach((it, i) => {
    if (near[i]) {
      const kind = it.sign === "+" ? "added" : it.sign === "-" ? "removed" : null;
      shown.push(make("span", { class: kind }, `${it.sign} ${it.text}\n`));
    } else if (i === 0 || near[i - 1]) {
      shown.push(make("span", { class: "hint" }, "  …\n"));
    }
  });
  return make("pre", { class: "diff", tabindex: 0, "aria-label": "Differences" }, ...shown);
}

function comparison({ requests, now, draft, differences }) {
  if (requests === 0) {
    const none = "This process decided no request in the last 10 minutes.";
    return [make("p", { class: "empty" }, none)];
  }
  const names = [...new Set([...Object.keys(now), ...Object.keys(draft)])];
  const cell = (side, name) => {
    const it = side[name] ?? { requests: 0, refused: 0 };
    return it.requests === 0 ? "–"
      : `${count(it.refused)} of ${count(it.requests)} (${percent(it.refused, it.requests)})`;
  };
  return [
    make("p", { class: "hint" },
      `${count(requests)} requests replayed in memory, from a fresh start.`),
    table("Refused now and by the draft",
      [["Policy"], ["Refused now", "number"], ["Refused by the draft", "number"]],
      names.map((name) => [name === "" ? "none" : name, cell(now, name), cell(draft, name)]), ""),
    table("Who is treated differently", [["Subject"], ["Policy"], ["Requests", "number"],
      ["Refused now", "number"], ["Refused by the draft", "number"]],
    differences.map((it) => [make("span", { class: "key" }, it.key), it.policy, count(it.requests),
      count(it.refusedNow), count(it.refusedByDraft)]), "Nobody is treated differently.")];
}

function attempt(answer) {
  if (answer.policy === null) {
    return make("p", {}, "No policy is for this request: it goes on.");
  }
  const verdict = answer.allowed ? "allowed" : "refused";
  return make("div", {},
    make("p", { class: answer.allowed ? "good" : "problem" },
      `${verdict} by ${answer.limits} for ${answer.key}, at a cost of ${answer.cost}`
        + `; ${answer.remaining} of ${answer.limit} left.`),
    answer.isFresh ? make("p", { class: "hint" },
      "Limits in memory are tried as new; on Redis with what is used.") : null,
    make("pre", { class: "diff", tabindex: 0 }, JSON.stringify(answer, null, 2)));
}

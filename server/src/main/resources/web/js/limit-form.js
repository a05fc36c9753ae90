/** The form that chooses the algorithm and its parameters, and applies them as they are typed. */

import { ALGORITHMS, algorithm, describe, initialValues, toLimit, toValues } from "./algorithms.js";
import { announce } from "./announce.js";
import { emit, on } from "./bus.js";
import { byId, debounce, make, setText } from "./dom.js";
import { changeLimit } from "./policy.js";

const PAUSE_MS = 250;
const remembered = new Map();
let word = ALGORITHMS[0].word;
let hasProblem = false;
let before = null;

/** Builds the form and keeps it in step with the policy. */
export function watchLimitForm() {
  byId("algorithms").append(...ALGORITHMS.map(radio));
  byId("algorithms").addEventListener("change", (event) => choose(event.target.value));
  byId("parameters").addEventListener("input", debounce(PAUSE_MS, apply));
  byId("limit-form").addEventListener("submit", (event) => event.preventDefault());
  byId("notice-undo").addEventListener("click", putBack);
  byId("notice-close").addEventListener("click", () => showNotice(""));
  on("limit", follow);
  on("strange-policy", (message) => {
    showNotice(message);
    before ??= toLimit(word, remembered.get(word) ?? initialValues(word));
  });
}

/** Applies a limit and shows it in the form; answers whether the service took it. */
export async function applyLimit(limit) {
  showLimit(limit);
  return apply();
}

function follow({ limit, before: earlier, outside, first }) {
  if (!outside && !first) return;
  if (outside) {
    before = earlier;
    showNotice(`The policy was changed outside this tab: ${describe(limit)}.`);
  }
  if (hasProblem && outside) return;
  showLimit(limit);
}

function radio(one) {
  return make("label", { class: "choice" },
    make("input", { type: "radio", name: "algorithm", value: one.word }),
    make("span", {}, one.name));
}

function choose(chosen) {
  showLimit(toLimit(chosen, remembered.get(chosen) ?? initialValues(chosen)));
  apply();
}

function showLimit(limit) {
  const values = toValues(limit);
  const one = algorithm(limit.algorithm);
  byId("algorithms").querySelector(`[value="${one.word}"]`).checked = true;
  setText(byId("summary"), one.summary);
  if (word !== one.word || byId("parameters").childElementCount === 0) {
    word = one.word;
    byId("parameters").replaceChildren(...one.fields.map(field),
      ...(one.variant ? [variant(one.variant)] : []));
  }
  for (const [name, value] of Object.entries(values)) {
    const input = byId("limit-form").elements[name];
    if (document.activeElement !== input || input instanceof RadioNodeList) input.value = value;
  }
  showProblem(null);
}

function field(one) {
  const id = `parameter-${one.name}`;
  return make("div", { class: "field" },
    make("label", { for: id }, one.label),
    make("input", { id, name: one.name, type: "text", autocomplete: "off", spellcheck: "false",
      inputmode: one.type === "count" ? "numeric" : "text", "aria-describedby": `${id}-hint` }),
    make("p", { class: "hint", id: `${id}-hint`, "data-hint": one.hint }, one.hint));
}

function variant(one) {
  return make("fieldset", { class: "field segments", id: `parameter-${one.name}` },
    make("legend", {}, one.label),
    make("div", {}, ...one.options.map((option) =>
      make("label", {},
        make("input", { type: "radio", name: one.name, value: option.value }),
        make("span", {}, option.label)))),
    make("p", { class: "hint", id: `parameter-${one.name}-hint`, "data-hint": "" }));
}

async function apply() {
  const typed = {};
  for (const name of Object.keys(initialValues(word))) {
    typed[name] = byId("limit-form").elements[name].value;
  }
  const problem = await changeLimit(toLimit(word, typed));
  if (problem === undefined) return false;
  showProblem(problem);
  if (problem === null) remembered.set(word, typed);
  return problem === null;
}

function showProblem(problem) {
  hasProblem = problem !== null;
  for (const hint of byId("parameters").querySelectorAll(".hint")) {
    const isHere = hasProblem && hint.id === `parameter-${problem.field}-hint`;
    setText(hint, isHere ? problem.detail : hint.dataset.hint);
    hint.classList.toggle("problem", isHere);
    const input = hint.parentElement.querySelector("input");
    if (isHere) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
  }
  const isShown = hasProblem && byId(`parameter-${problem.field}-hint`) !== null;
  setText(byId("limit-problem"), hasProblem && !isShown ? problem.detail : "");
  if (hasProblem) announce(`Not applied. ${problem.detail}`);
  setText(byId("applied"), hasProblem ? "Not applied" : "Applied");
  byId("applied").classList.toggle("problem", hasProblem);
  emit("form-problem", hasProblem);
}

function showNotice(message) {
  byId("notice").hidden = message === "";
  setText(byId("notice-text"), message);
  if (message !== "") announce(message);
}

async function putBack() {
  const limit = before;
  before = null;
  if (limit !== null && (await applyLimit(limit))) showNotice("");
}

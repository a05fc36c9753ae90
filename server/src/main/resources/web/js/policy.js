/** The limit of the policy of this page, which every tab and client of the service shares. */

import * as api from "./api.js";
import { algorithm, sameLimit } from "./algorithms.js";
import { emit, on } from "./bus.js";
import { POLICY } from "./policy-name.js";

const POLL_MS = 2000;

let limit = null;
let strange = "";
let latest = 0;
let sending = 0;
const otherTabs = new BroadcastChannel("weir-demo");

/** The limit that the service applies, or null before the first answer. */
export function currentLimit() {
  return limit;
}

/** Reads the policy now, and then again and again while the page is visible. */
export async function watchPolicy() {
  otherTabs.addEventListener("message", () => refresh());
  on("recovered", () => refresh());
  document.addEventListener("visibilitychange", () => !document.hidden && refresh());
  setInterval(() => !document.hidden && refresh(), POLL_MS);
  await refresh();
}

/** Reads the policy and tells `limit` with `{limit, outside: true}` if it is another one. */
export async function refresh() {
  const before = latest;
  let answer;
  try {
    answer = await api.policies();
  } catch {
    return;
  }
  if (before !== latest || sending > 0) return;
  const found = (answer.body.policies ?? []).find((policy) => policy.name === POLICY);
  const message = strangeness(found);
  if (message !== "") {
    if (message !== strange) emit("strange-policy", message);
    strange = message;
  } else if (limit === null || strange !== "" || !sameLimit(limit, found.limits[0])) {
    adopt(found.limits[0], true);
  }
}

/** Why this page cannot show the policy, or nothing. */
function strangeness(found) {
  if (!found) return `The service has no policy named ${POLICY}.`;
  const { length } = found.limits;
  if (length !== 1) {
    return `The policy ${POLICY} has ${length} limits now, and this page shows policies of one.`;
  }
  const word = found.limits[0].algorithm;
  return algorithm(word)
    ? ""
    : `The policy ${POLICY} is a ${word} now, which this page cannot show.`;
}

/**
 * Gives the policy another limit. Answers null if the service took it, or `{field, detail}` if it
 * refused; undefined if a later call has overtaken this one or there was no answer.
 */
export async function changeLimit(wanted) {
  const mine = ++latest;
  sending++;
  try {
    const answer = await api.putPolicy(POLICY, [wanted]);
    if (mine !== latest) return undefined;
    if (answer.status >= 400) {
      const { field, detail, title } = answer.body;
      return { field: lastPart(field), detail: withoutField(detail ?? title, field) };
    }
    adopt(answer.body.limits?.[0] ?? wanted, false);
    otherTabs.postMessage("changed");
    return null;
  } catch {
    return undefined;
  } finally {
    sending--;
  }
}

function adopt(found, outside) {
  const first = limit === null;
  const before = limit;
  limit = found;
  strange = "";
  emit("limit", { limit, before, first, outside: outside && !first });
}

/** A message without the name of the field that it is shown at. */
export function withoutField(message, field) {
  return message.startsWith(`${field}: `) ? message.slice(field.length + 2) : message;
}

/** The parameter that `limits[0].capacity` or `/limits/0/capacity` is about. */
function lastPart(field) {
  return String(field ?? "").split(/[./]/).pop();
}

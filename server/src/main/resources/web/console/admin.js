/** The admin interface of the service. */

import { keyHeaders } from "../js/api-key.js";
import { emit } from "../js/bus.js";

const TIMEOUT_MS = 15000;
const ROOT = new URL("../v1/admin/", document.baseURI);

/** An answer that says that something is wrong: `status`, `message`, `field`. */
export class Refused extends Error {
  constructor(status, problem) {
    super(problem.detail ?? `The service answered ${status}.`);
    this.status = status;
    this.field = problem.field ?? "";
  }
}

/** Looks at something; parameters that are empty are left out. */
export function look(path, parameters = {}) {
  const url = new URL(path, ROOT);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== "") url.searchParams.set(name, value);
  }
  return send("GET", url);
}

/** Does something. */
export function act(path, content) {
  return send("POST", new URL(path, ROOT), content);
}

async function send(method, url, content) {
  let response;
  let body;
  try {
    response = await fetch(url, {
      method,
      cache: "no-store",
      headers: { ...(content ? { "Content-Type": "application/json" } : {}), ...keyHeaders() },
      body: content && JSON.stringify(content),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    body = await response.json();
  } catch {
    emit("unreached");
    throw new Refused(0, { detail: "The service does not answer." });
  }
  emit("reached");
  if (response.status === 401) emit("key-needed");
  if (!response.ok) throw new Refused(response.status, body);
  return body;
}

/** The HTTP interface of the service. */

import { keyHeaders } from "./api-key.js";
import { emit } from "./bus.js";

const TIMEOUT_MS = 5000;
const ROOT = new URL("v1/", document.baseURI);

/** The service gave no answer that this page can use. */
export class Unreachable extends Error {}

/** Asks for permits and charges them if allowed. */
export function acquire(policy, key, cost) {
  return send("POST", "acquire", { policy, key, cost });
}

/** Asks what acquire would answer. */
export function peek(policy, key, cost) {
  return send("POST", "peek", { policy, key, cost });
}

/** Forgets what was charged to a key. */
export function reset(policy, key) {
  return send("POST", "reset", { policy, key });
}

/** All policies. */
export function policies() {
  return send("GET", "policies");
}

/** Gives a policy new limits, and leaves what else it has as it is. */
export async function putPolicy(name, limits) {
  const path = `policies/${encodeURIComponent(name)}`;
  const { status, body } = await send("GET", path);
  return send("PUT", path, { ...(status === 200 ? body : {}), limits });
}

/**
 * Sends a request; answers `{status, headers, body, sentAt, at}` with times of performance.now().
 *
 * @throws Unreachable if there is no answer, or one that says the service is not working
 */
async function send(method, path, content) {
  const sentAt = performance.now();
  try {
    const response = await fetch(new URL(path, ROOT), {
      method,
      cache: "no-store",
      headers: { ...(content ? { "Content-Type": "application/json" } : {}), ...keyHeaders() },
      body: content && JSON.stringify(content),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const body = await bodyOf(response);
    const at = performance.now();
    if (response.status >= 500) {
      throw new Unreachable(body.detail ?? `It answered ${response.status}.`, { cause: response });
    }
    emit("reached", { decides: path === "acquire" || path === "peek" });
    return { status: response.status, headers: [...response.headers], body, sentAt, at };
  } catch (error) {
    const reason = error instanceof Unreachable ? error.message : "There was no answer.";
    emit("unreached", { reason, isRunning: Boolean(error.cause) });
    throw new Unreachable(reason);
  }
}

async function bodyOf(response) {
  const text = await response.text();
  if (text === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    throw new Unreachable("Its answer was not JSON.");
  }
}

/** The key that this tab sends along, if the reader gave one. */

const NAME = "weir-key";

/** The key, or nothing. */
export function apiKey() {
  try {
    return sessionStorage.getItem(NAME) ?? "";
  } catch {
    return "";
  }
}

/** Keeps a key until the tab is closed. */
export function keepApiKey(key) {
  try {
    sessionStorage.setItem(NAME, key);
  } catch {
    // Storage may be switched off; the key is asked for again then.
  }
}

/** The headers that a request needs for it. */
export function keyHeaders() {
  const key = apiKey();
  return key === "" ? {} : { Authorization: `Bearer ${key}` };
}

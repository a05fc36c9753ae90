/** Forms that decide by hand: allow, block, pin, take back, forget. */

import { make } from "../js/dom.js";
import { act } from "./admin.js";
import { button, field, problem, select } from "./parts.js";

const KINDS = [["block", "Block: refuse everything"], ["allow", "Allow: limit nothing"],
  ["pin", "Pin a tier"]];
const TIERS = [["normal", "normal"], ["elevated", "elevated"], ["suspicious", "suspicious"],
  ["blocked", "blocked"]];
const EXPIRIES = [["10m", "10 minutes"], ["1h", "1 hour"], ["1d", "1 day"], ["7d", "7 days"],
  ["", "until taken back"]];

/** A form about a subject, or about any subject or range if none is given. */
export function overrideForm(subject, changed) {
  const target = make("input", { id: "target", type: "text", autocomplete: "off",
    spellcheck: "false", placeholder: "address:203.0.113.7 or 203.0.113.0/24" });
  const kind = select("kind", KINDS);
  const tier = select("tier", TIERS, "suspicious");
  const expiry = select("expiry", EXPIRIES, "1h");
  const reason = make("input", { id: "reason", type: "text", autocomplete: "off", required: true });
  const tierField = field("Tier", tier);
  const outcome = make("div", { "aria-live": "polite" });
  const form = make("form", { class: "decide", novalidate: true },
    subject === null ? field("Subject or range", target) : null,
    field("Decision", kind), tierField, field("For", expiry), field("Why", reason),
    make("button", { type: "submit", class: "main-action" }, "Decide"), outcome);
  tierField.hidden = true;
  kind.addEventListener("change", () => { tierField.hidden = kind.value !== "pin"; });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const text = subject ?? target.value.trim();
    const isRange = subject === null && /^[0-9a-fA-F.:]+\/\d+$/.test(text);
    try {
      await act("overrides/put", {
        [isRange ? "range" : "subject"]: text,
        kind: kind.value,
        ...(kind.value === "pin" ? { tier: tier.value } : {}),
        ...(expiry.value === "" ? {} : { expiresAfter: expiry.value }),
        reason: reason.value.trim(),
      });
      outcome.replaceChildren(
        make("p", { class: "hint" }, "Decided. It holds on all nodes within a second."));
      reason.value = "";
      changed();
    } catch (error) {
      outcome.replaceChildren(problem(error));
      (error.field === "reason" ? reason : target).focus();
    }
  });
  return form;
}

/** A button that takes a decision back. */
export function takeBack(override, changed) {
  const about = override.range ? { range: override.range } : { subject: override.subject };
  return button("Take back", async (event) => {
    try {
      await act("overrides/remove", about);
    } catch (error) {
      event.target.after(problem(error));
    }
    changed();
  }, { class: "small" });
}

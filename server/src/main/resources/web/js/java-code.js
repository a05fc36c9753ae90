/** The Java code for a limit, and its colouring. Pure. */

import { algorithm, toValues } from "./algorithms.js";
import { javaDuration, javaLong } from "./duration.js";

export const STORES = ["memory", "redis"];

const WORDS = /("(?:[^"\\]|\\.)*")|\b(import|if|new)\b|\b([A-Z]\w*)\b|\b(\d[\d_]*L?)\b/g;
const CLASSES = [null, "string", "keyword", "type", "number"];

/** The expression that makes a limit: `TokenBucket.interval(10, 1, Duration.ofSeconds(1))`. */
export function limitExpression(limit) {
  const one = algorithm(limit.algorithm);
  const values = toValues(limit);
  const maker = one.variant
    ? one.variant.options.find((option) => option.value === values[one.variant.name]).java
    : "of";
  const args = one.fields.map((field) =>
    field.type === "count" ? javaLong(values[field.name]) : javaDuration(values[field.name]));
  return `${one.java}.${maker}(${args.join(", ")})`;
}

/** The statements: make the limiter, ask, read the decision. */
export function statements(limit, { store, policy, key, cost }) {
  const maker = store === "redis" ? "LettuceRateLimiter.create(redisClient, "
    : "LocalRateLimiter.create(";
  const ask = cost === 1 ? javaString(key) : `${javaString(key)}, ${javaLong(String(cost))}`;
  return [
    "RateLimiter limiter =",
    `    ${maker}`,
    `        RateLimitPolicy.of(${javaString(policy)}, ${limitExpression(limit)}));`,
    `Decision decision = limiter.tryAcquire(${ask});`,
    ...reading(limit),
  ].map((line) => line.trimEnd());
}

/** The imports that the statements need, in order. */
export function imports(limit, store) {
  const one = algorithm(limit.algorithm);
  const names = ["Decision", "RateLimitPolicy", "RateLimiter", one.java]
    .map((name) => `dev.weir.${name}`);
  names.push(store === "redis" ? "dev.weir.redis.LettuceRateLimiter"
    : "dev.weir.local.LocalRateLimiter");
  names.push("java.time.Duration");
  return names.sort().map((name) => `import ${name};`);
}

/** A line of code as pieces of `{text, kind}`; kind is null for plain text. */
export function pieces(line) {
  const found = [];
  let end = 0;
  for (const match of line.matchAll(WORDS)) {
    if (match.index > end) found.push({ text: line.slice(end, match.index), kind: null });
    const group = match.slice(1).findIndex((text) => text !== undefined) + 1;
    found.push({ text: match[0], kind: CLASSES[group] });
    end = match.index + match[0].length;
  }
  if (end < line.length) found.push({ text: line.slice(end), kind: null });
  return found;
}

/** A text as a Java literal. */
export function javaString(text) {
  const escapes = { '"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };
  const units = text.split("").map((unit) => escapes[unit] ?? escapeUnit(unit));
  return `"${units.join("")}"`;
}

/** Octal for control characters: Java would read a unicode escape of one as the character. */
function escapeUnit(unit) {
  const code = unit.charCodeAt(0);
  if (code < 0x20) return `\\${code.toString(8).padStart(3, "0")}`;
  return code < 0x7f ? unit : `\\u${code.toString(16).padStart(4, "0")}`;
}

function reading(limit) {
  if (limit.algorithm === "leaky-bucket" && limit.mode === "shaping") {
    return [
      "if (decision.allowed()) {",
      "  Duration untilItsTurn = decision.delay();",
      "}",
    ];
  }
  return [
    "if (!decision.allowed()) {",
    "  System.out.println(\"Denied; retry after \" + decision.retryAfter());",
    "}",
  ];
}

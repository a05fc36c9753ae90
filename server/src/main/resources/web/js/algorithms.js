/** The algorithms: their words, parameters and defaults. Pure. */

import { parseMicros, parseMs, spaced } from "./duration.js";

const COUNT = { type: "count", hint: "a whole number from 1 to 1,000,000,000" };
const TIME = { type: "time", hint: "such as 250ms, 1s, 1h30m or 7d" };

export const ALGORITHMS = [
  {
    word: "token-bucket",
    name: "Token bucket",
    java: "TokenBucket",
    summary:
      "A bucket of tokens that starts full. Requests take tokens; the refill brings them back.",
    fields: [
      { name: "capacity", label: "Capacity", initial: "10", ...COUNT },
      { name: "refillTokens", label: "Refill tokens", initial: "1", ...COUNT },
      { name: "refillPeriod", label: "Refill period", initial: "1s", ...TIME },
    ],
    variant: {
      name: "refill",
      label: "Refill",
      ifAbsent: "smooth",
      options: [
        { value: "interval", label: "At intervals", java: "interval" },
        { value: "smooth", label: "Smooth", java: "smooth" },
      ],
    },
  },
  {
    word: "fixed-window",
    name: "Fixed window",
    java: "FixedWindow",
    summary: "A count that starts anew with each window. Simple, but two windows meet at an edge.",
    fields: [
      { name: "limit", label: "Limit", initial: "10", ...COUNT },
      { name: "window", label: "Window", initial: "10s", ...TIME },
    ],
    variant: {
      name: "alignment",
      label: "Window starts",
      options: [
        { value: "first-charge", label: "At first request", java: "of" },
        { value: "clock", label: "By the clock", java: "alignedToClock" },
      ],
    },
  },
  {
    word: "sliding-window-log",
    name: "Sliding window log",
    java: "SlidingWindowLog",
    summary: "The time of every request is kept. Exact over any interval of that length.",
    fields: [
      { name: "limit", label: "Limit", initial: "10", ...COUNT },
      { name: "window", label: "Window", initial: "10s", ...TIME },
    ],
  },
  {
    word: "sliding-window-counter",
    name: "Sliding window counter",
    java: "SlidingWindowCounter",
    summary:
      "Two counts stand for the log: this window's, and the last one's, weighted by overlap.",
    fields: [
      { name: "limit", label: "Limit", initial: "10", ...COUNT },
      { name: "window", label: "Window", initial: "10s", ...TIME },
    ],
  },
  {
    word: "leaky-bucket",
    name: "Leaky bucket",
    java: "LeakyBucket",
    summary:
      "Requests fill the bucket, and it leaks at a steady rate. What would overflow is denied.",
    fields: [
      { name: "capacity", label: "Capacity", initial: "10", ...COUNT },
      { name: "leakPermits", label: "Leak permits", initial: "1", ...COUNT },
      { name: "leakPeriod", label: "Leak period", initial: "1s", ...TIME },
    ],
    variant: {
      name: "mode",
      label: "Admitted requests",
      options: [
        { value: "policing", label: "Go at once", java: "policing" },
        { value: "shaping", label: "Wait their turn", java: "shaping" },
      ],
    },
  },
];

/** The algorithm of that word, or undefined. */
export function algorithm(word) {
  return ALGORITHMS.find((one) => one.word === word);
}

/** The parameters that a form of this algorithm starts with, all as text. */
export function initialValues(word) {
  const one = algorithm(word);
  const values = Object.fromEntries(one.fields.map((field) => [field.name, field.initial]));
  if (one.variant) values[one.variant.name] = one.variant.options[0].value;
  return values;
}

/** The limit to send for the texts of a form; what is no number is sent as it was typed. */
export function toLimit(word, values) {
  const one = algorithm(word);
  const limit = { algorithm: word };
  for (const field of one.fields) {
    limit[field.name] = field.type === "count" ? numberOrText(values[field.name])
      : String(values[field.name]).trim();
  }
  if (one.variant) limit[one.variant.name] = values[one.variant.name];
  return limit;
}

/** The texts of a form for a limit of the service. */
export function toValues(limit) {
  const values = initialValues(limit.algorithm);
  const { variant } = algorithm(limit.algorithm);
  if (variant?.ifAbsent) values[variant.name] = variant.ifAbsent;
  for (const name of Object.keys(values)) {
    if (limit[name] !== undefined) values[name] = String(limit[name]);
  }
  return values;
}

/** Whether two limits mean the same, however they are written. */
export function sameLimit(a, b) {
  return meaning(a) === meaning(b);
}

/** What the drawing and the traffic need to know of a limit, times in milliseconds. */
export function numbersOf(limit) {
  const one = algorithm(limit.algorithm);
  const values = toValues(limit);
  const variant = one.variant ? values[one.variant.name] : null;
  const capacity = Number(values.capacity ?? values.limit);
  const tokens = Number(values.refillTokens ?? values.leakPermits ?? capacity);
  const periodMs = parseMs(values.refillPeriod ?? values.leakPeriod ?? values.window);
  const period = spaced(values.refillPeriod ?? values.leakPeriod ?? values.window);
  return { word: limit.algorithm, variant, capacity, tokens, periodMs, period,
    ratePerMs: tokens / periodMs, fullMs: capacity / (tokens / periodMs) };
}

/** The limit in a few words: `10 tokens, 1 more every 1 s`. */
export function describe(limit) {
  const n = numbersOf(limit);
  const name = algorithm(limit.algorithm).name.toLowerCase();
  if (limit.algorithm === "token-bucket") {
    return `${name} of ${n.capacity}, ${n.tokens} more every ${n.period}`;
  }
  if (limit.algorithm === "leaky-bucket") {
    return `${name} of ${n.capacity}, leaking ${n.tokens} every ${n.period}`;
  }
  return `${name} of ${n.capacity} in ${n.period}`;
}

function meaning(limit) {
  const one = algorithm(limit.algorithm);
  if (!one) return JSON.stringify(limit);
  const values = toValues(limit);
  const parts = one.fields.map((field) =>
    field.type === "time" ? parseMicros(values[field.name]) ?? values[field.name]
      : Number(values[field.name]));
  return JSON.stringify([limit.algorithm, one.variant ? values[one.variant.name] : "", ...parts]);
}

function numberOrText(text) {
  const trimmed = String(text ?? "").trim();
  return /^-?\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : trimmed;
}

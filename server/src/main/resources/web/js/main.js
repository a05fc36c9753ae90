/** Starts all parts of the page. */

import { watchAnswerLog } from "./answer-log.js";
import { numbersOf } from "./algorithms.js";
import { on } from "./bus.js";
import { watchChart } from "./chart.js";
import { watchCode } from "./code-view.js";
import { watchConnection } from "./connection.js";
import { byId, setText } from "./dom.js";
import { watchLimitForm } from "./limit-form.js";
import { currentLimit, refresh, watchPolicy } from "./policy.js";
import { watchRequests } from "./requests.js";
import { watchScenarios } from "./scenario-view.js";
import { watchStage } from "./stage.js";
import { watchTheme } from "./theme.js";
import { focusedKey, watchKeys } from "./tracker.js";

const SOURCES = {
  memory: "in memory",
  redis: "on Redis",
  "degraded-open": "Redis is silent: all allowed",
  "degraded-closed": "Redis is silent: all denied",
  "degraded-local": "Redis is silent: decided in memory",
};

on("focus", () => setText(byId("stage-key"), focusedKey()));

watchTheme();
watchConnection();
watchKeys();
watchLimitForm();
watchRequests();
watchStage();
watchAnswerLog();
watchChart();
watchCode();
watchScenarios();

on("state", ({ source, limit }) => {
  const text = `connected, ${SOURCES[source] ?? source}`;
  byId("status").dataset.source = text;
  setText(byId("status"), text);
  if (limit !== numbersOf(currentLimit()).capacity) refresh();
});

await watchPolicy();
document.documentElement.classList.add("is-ready");

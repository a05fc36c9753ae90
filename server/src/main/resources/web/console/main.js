/** Chooses the page that the address names, and keeps the state of the service in view. */

import { keepApiKey } from "../js/api-key.js";
import { on } from "../js/bus.js";
import { byId, make, setText } from "../js/dom.js";
import { watchTheme } from "../js/theme.js";
import { act, look } from "./admin.js";
import { micros } from "./format.js";
import { livePage } from "./live.js";
import { button } from "./parts.js";
import { policiesPage } from "./policies.js";
import { subjectPage } from "./subject.js";
import { subjectsPage } from "./subjects.js";

const STATUS_MS = 2000;
const PAGES = {
  live: { title: "Live", open: livePage },
  subjects: { title: "Subjects", open: subjectsPage },
  subject: { title: "Subject", open: subjectPage, nav: "subjects" },
  policies: { title: "Policies", open: policiesPage },
};

let close = () => {};
let isDown = false;

/** Opens the page of the address; every page answers a function that closes it. */
async function open() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const name = path in PAGES ? path : "live";
  const { title, open: show, nav = name } = PAGES[name];
  close();
  const page = byId("page");
  page.replaceChildren();
  page.dataset.page = name;
  document.title = `${title} · Weir console`;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.dataset.page === nav) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  close = show(page, new URLSearchParams(query));
  document.documentElement.classList.add("is-ready");
}

async function showStatus() {
  if (document.hidden) return;
  try {
    const status = await look("status");
    const { store, version, me } = status;
    const place = store.isLocal ? "in memory" : `${store.name}, ${micros(store.lastMicros)}`;
    const state = store.isUp ? place : `${store.name} is silent`;
    setText(byId("status-text"), `${state} · version ${version} · ${me.name} (${me.role})`);
    byId("status").dataset.state = store.isUp ? "" : "bad";
    document.documentElement.dataset.role = me.role;
    banners(status);
  } catch (error) {
    if (error.status !== 401) setText(byId("status-text"), error.message);
    byId("status").dataset.state = "bad";
  }
}

function banners({ config, selfCheck }) {
  const lines = [];
  if (config && config.mistakes.length > 0) {
    const first = config.mistakes[0];
    const more = config.mistakes.length > 1 ? `, and ${config.mistakes.length - 1} more` : "";
    lines.push([`${config.file} cannot be used; what it said before stays in use. `
      + `Line ${first.line}: ${first.message}${more}.`, null]);
  }
  if (selfCheck) {
    lines.push([`The adaptive layer is in shadow, since it is more likely wrong: ${selfCheck}.`,
      button("Let it enforce again", () => act("self-check/clear", {}).then(showStatus))]);
  }
  const text = lines.map(([line]) => line).join();
  if (byId("banners").dataset.text === text) return;
  byId("banners").dataset.text = text;
  byId("banners").replaceChildren(...lines.map(([line, tool]) =>
    make("div", { class: "banner", role: "alert" }, make("p", {}, line), tool)));
}

function watchKey() {
  const dialog = byId("key-dialog");
  on("key-needed", () => {
    if (dialog.open) return;
    setText(byId("key-problem"), byId("api-key").value === "" ? "" : "That key is not known here.");
    dialog.showModal();
  });
  byId("key-form").addEventListener("submit", (event) => {
    event.preventDefault();
    keepApiKey(byId("api-key").value.trim());
    dialog.close();
    open();
    showStatus();
  });
}

on("unreached", () => { isDown = true; });
on("reached", () => {
  if (isDown) {
    isDown = false;
    open();
  }
});
byId("skip").addEventListener("click", (event) => {
  event.preventDefault();
  byId("page").focus();
});
watchTheme();
watchKey();
addEventListener("hashchange", open);
setInterval(showStatus, STATUS_MS);
showStatus();
open();

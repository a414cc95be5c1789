// Pages without network: registers the service worker, says how old a saved page is, and shows what waits to be sent.

const MINUTE = 60_000;
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const say = (words) => document.dispatchEvent(new CustomEvent("hallway:say", { detail: words }));
const slug = document.querySelector('link[rel="manifest"]')?.getAttribute("href").split("/")[1];
const { saved, why, arrived } = document.body.dataset;
const isAgenda = location.pathname === `/${slug}/agenda/`;

// ---- The line above the page

const line = document.createElement("aside");
line.className = "banner";
line.id = "offline-line";
line.setAttribute("aria-label", "Network");
line.setAttribute("role", "status");
const words = { page: [], waiting: [], listed: [], changed: [] };

function draw(part, ...nodes) {
  const former = words[part];
  // The focus stays on a link that is drawn again.
  if (former.length === nodes.length && nodes.every((node, place) => !node.onclick && node.isEqualNode(former[place]))) return;
  words[part] = nodes;
  const shown = Object.values(words).filter((it) => it.length).map((it) => {
    const paragraph = document.createElement("p");
    paragraph.append(...it);
    return paragraph;
  });
  line.replaceChildren(...shown);
  if (!shown.length) line.remove();
  else if (!line.isConnected) document.querySelector(".sign")?.after(line);
}

function text(sentence) {
  const span = document.createElement("span");
  span.textContent = sentence;
  return span;
}

function link(label, href, onclick) {
  const anchor = document.createElement("a");
  Object.assign(anchor, { textContent: label, href, onclick });
  return anchor;
}

function button(label, onclick) {
  const control = document.createElement("button");
  Object.assign(control, { textContent: label, type: "button", className: "link", onclick });
  return control;
}

const count = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

// In the time zone of the page, with the day unless it is today.
function moment(time) {
  const timeZone = document.querySelector("[data-zone]")?.dataset.zone;
  const date = new Date(time);
  const isToday = date.toLocaleDateString("en-GB", { timeZone }) === new Date().toLocaleDateString("en-GB", { timeZone });
  const day = isToday ? {} : { weekday: "short", day: "numeric", month: "short" };
  return new Intl.DateTimeFormat("en-GB", { ...day, hour: "2-digit", minute: "2-digit", timeZone }).format(date);
}

// ---- A saved page

const reload = (event) => {
  event?.preventDefault();
  location.reload();
};

let hasNewer = false;
function sayAge(...more) {
  const reason = why === "slow" ? "The site does not answer." : navigator.onLine ? "The site cannot be reached." : "No network.";
  const age = why === "missing" ? "" : `This page is as of ${moment(saved)}.`;
  const isPinned = new URLSearchParams(location.search).has("at");
  const pinned = why !== "missing" && isPinned ? "The time in the address needs the network: this is the present." : "";
  const newer = hasNewer ? [link("A newer one is here: show it", location.href, reload)] : [];
  draw("page", text([hasNewer ? "" : reason, age, pinned].filter(Boolean).join(" ")), ...newer, ...more);
}

// What was true for a minute. The templates mark it; some of it is known by its look.
const FLEETING = "[data-fleeting], .flag[data-flag='now'], .event-soon, .live, #status > .message, #heard, .crowd, .grid-now, .area [data-role='state']";

function markPast() {
  const now = new Date();
  all(".event-card, .session-rows > li, .hour[data-end]").forEach((element) => {
    const end = element.dataset.end ?? all(".event-when time", element).at(-1)?.dateTime;
    if (end) element.toggleAttribute("data-past", new Date(end) <= now);
  });
  // "Next" is right until it begins.
  all(".next-stop, .next-room, .stop[data-next]").filter((it) => new Date(it.querySelector("time")?.dateTime) <= now).forEach((it) => {
    if (it.matches(".stop")) it.removeAttribute("data-next");
    (it.matches(".stop") ? it.querySelector(".stop-next") : it)?.remove();
  });
}

function showAsSaved() {
  sayAge();
  all(FLEETING).forEach((element) => element.remove());
  all("[data-unsaved]").forEach((element) => { element.hidden = why !== "missing"; });
  all("[data-saves]").forEach((element) => { element.hidden = why === "missing"; });
  // Headings of what was on then.
  all("[data-then]").forEach((element) => {
    element.textContent = element.dataset.then || `On at ${moment(saved)}`;
  });
  all("[data-on]").forEach((element) => element.removeAttribute("data-on"));
  document.dispatchEvent(new CustomEvent("hallway:clock"));
  markPast();
  setInterval(markPast, MINUTE);
  // Not at once: the page may be about to be left.
  window.addEventListener("online", () => look(500));
  window.addEventListener("offline", () => sayAge());
  if (why !== "slow") look();
}

const isTyping = () => all("input:not([type=hidden]), textarea").some((field) => field.value !== field.defaultValue);
const openAtFirst = new Set(all("details[open]"));
// Browsers without popovers skip what they do not know inside ":is".
const isInUse = () => all("details[open], dialog[open], button.htmx-request, :is(:popover-open)").some((it) => !openAtFirst.has(it));

// Nobody has begun to read: the page is replaced without a question.
function showNewer() {
  if (!isTyping() && !isInUse() && window.scrollY < 1) location.reload();
  hasNewer = true;
  sayAge();
}

function back() {
  if (isTyping()) sayAge(link("The network is back: reload", location.href, reload));
  else location.reload();
}

// The network may be there a moment before it works, or without the site. Not all phones of a hall ask at the same second.
let looking;
function look(pause = 3_000) {
  clearTimeout(looking);
  looking = setTimeout(async () => {
    const answer = navigator.onLine && !document.hidden && await fetch("/healthz", { cache: "no-store" }).catch(() => null);
    if (answer?.ok) back();
    else look(Math.min(pause * 2, MINUTE));
  }, pause + Math.random() * pause);
}

// ---- Bookmarks that wait

const WAITING = "hallway-waiting";
const MAX_TITLE_CHARS = 200;
const MAX_LISTED = 20;

function showStar(path, { on, level }, isWaiting) {
  const isOn = Boolean(level) || on === "1";
  all(`.bookmark[formaction="${path}"]`).forEach((star) => {
    star.setAttribute("aria-pressed", isOn);
    star.value = isOn ? "0" : "1";
    if (star.dataset.size === "wide") star.lastChild.textContent = isOn ? "Bookmarked" : "Bookmark";
    showWaiting(star, isWaiting);
  });
  const choices = all(`.level[formaction="${path}"]`);
  // As the site does: what was not in the agenda is a must.
  const shown = level ?? (isOn && !choices.some((it) => it.getAttribute("aria-pressed") === "true") ? "must" : undefined);
  choices.forEach((choice) => {
    if (shown || !isOn) choice.setAttribute("aria-pressed", choice.value === shown);
    showWaiting(choice, isWaiting && choice.value === level);
    const label = choice.closest(".level-menu")?.querySelector(".level-now > :not(.visually-hidden, .icon)");
    if (label && choice.value === shown) {
      label.textContent = choice.textContent;
      showWaiting(label, isWaiting);
    }
  });
}

function showWaiting(control, isWaiting) {
  control.toggleAttribute("data-waiting", isWaiting);
  if (isWaiting) control.title = "Not sent yet";
  else control.removeAttribute("title");
}

async function waiting() {
  if (!(await caches.has(WAITING))) return new Map();
  const cache = await caches.open(WAITING);
  const rows = await Promise.all((await cache.keys()).map(async (key) => {
    const found = await cache.match(key);
    return [new URL(key.url).pathname, await found?.json()];
  }));
  return new Map(rows.filter(([, decision]) => decision));
}

// The agenda names what waits, which any page with its star knows.
async function nameWaiting(rows) {
  const cache = await caches.open(WAITING);
  await Promise.all([...rows].filter(([, { title }]) => !title).map(async ([path, decision]) => {
    const control = document.querySelector(`:is(.bookmark, .level)[formaction="${path}"]`);
    if (!control) return;
    const label = control.closest("[aria-label]:is(.bookmark, .levels)")?.getAttribute("aria-label");
    const title = (label ?? document.querySelector("h1")?.textContent ?? "").trim().replace(/^(Bookmark|How much you want it:) /, "").slice(0, MAX_TITLE_CHARS);
    const page = control.closest(".event-card")?.querySelector(".event-title a")?.getAttribute("href") ?? location.pathname;
    Object.assign(decision, { title, page });
    // It may have been sent meanwhile.
    const current = await (await cache.match(path))?.json();
    if (current?.at === decision.at) await cache.put(path, Response.json({ ...current, title, page }));
  }));
}

function listWaiting(rows) {
  if (!isAgenda) return;
  const named = [...rows.values()].filter(({ title }) => title);
  const links = named.slice(0, MAX_LISTED).map(({ title, page, on }) => link(on === "0" ? `Removed: ${title}` : title, page, null));
  const surplus = named.length - links.length;
  draw("listed", ...links, ...(surplus ? [text(`and ${surplus} more`)] : []));
  const isAdding = [...rows.values()].some(({ on }) => on !== "0");
  all("#main .empty").forEach((element) => { element.hidden = isAdding; });
}

let nextAttempt;
async function showAllWaiting(pause = 3_000) {
  const rows = await waiting();
  if (rows.size) await nameWaiting(rows);
  listWaiting(rows);
  all("[data-waiting]").filter((it) => !rows.has(it.getAttribute("formaction"))).forEach((it) => showWaiting(it, false));
  rows.forEach((decision, path) => showStar(path, decision, true));
  const asked = [...rows].filter(([, decision]) => decision.asks);
  const number = rows.size - asked.length;
  const sentence = `${count(number, "bookmark")} ${number === 1 ? "waits" : "wait"} to be sent.`;
  if (asked.length) {
    const whose = text(`${count(asked.length, "bookmark")} could not be sent: this browser has another agenda now, or none.`);
    draw("waiting", whose, button("Add to this one", () => resend(asked)), button("Discard", () => discard(asked)));
  } else draw("waiting", ...(number ? [text(sentence)] : []));
  clearTimeout(nextAttempt);
  // Another saved page is about to be replaced.
  if (number && (!saved || why === "slow")) sendLater(pause);
  return rows;
}

// The network may be back before the site answers. Not all phones of a hall send at the same second.
function sendLater(pause) {
  nextAttempt = setTimeout(async () => {
    if (navigator.onLine && !document.hidden) await ask("send");
    await showAllWaiting(Math.min(pause * 2, MINUTE));
  }, pause + Math.random() * pause);
}

async function resend(rows) {
  const cache = await caches.open(WAITING);
  await Promise.all(rows.map(([path, { asks, ...decision }]) => cache.put(path, Response.json({ ...decision, whose: "" }))));
  await showAllWaiting();
  await ask("send");
}

async function discard(rows) {
  const cache = await caches.open(WAITING);
  await Promise.all(rows.map(([path]) => cache.delete(path)));
  location.reload();
}

const noteOf = async (name) => (await caches.has("hallway-notes")) && (await caches.open("hallway-notes")).match(`/offline/notes/${name}`);

// What the site accepted since this page was saved, and the number at “Agenda” on the saved agenda if that is newer.
async function showAccepted() {
  const found = await noteOf("bookmarks/accepted");
  const since = Date.parse(saved ?? arrived);
  const newer = found ? Object.entries(await found.json()).filter(([, { at }]) => at > since) : [];
  newer.forEach(([path, decision]) => showStar(path, decision, false));
  const agenda = newer.length && await caches.match(`/${slug}/agenda/`, { ignoreVary: true });
  if (!agenda || Date.parse(agenda.headers.get("Hallway-Saved")) < since) return;
  const page = new DOMParser().parseFromString(await agenda.text(), "text/html");
  all("#agenda-count-bar, #agenda-count-rail").forEach((it) => { it.textContent = page.getElementById(it.id)?.textContent ?? ""; });
}

// What became of those that were sent; the first page that stays shows it.
async function showResults() {
  const found = await noteOf("results");
  if (!found) return;
  await (await caches.open("hallway-notes")).delete("/offline/notes/results");
  const results = await found.json();
  const accepted = results.filter(({ status }) => status === 200);
  accepted.forEach(({ path, level }) => showStar(path, { on: level ? "1" : "0", level }, false));
  const gone = results.filter(({ status }) => status === 404 || status === 410).length;
  const refused = results.filter(({ status }) => status === 422 || status === "old").length;
  const sentences = accepted.length > 3 ? [`${count(accepted.length, "bookmark")} sent.`] : accepted.map(({ sentence }) => sentence);
  if (gone) sentences.push(`${count(gone, "bookmark")} not sent: no longer in the programme.`);
  if (refused) sentences.push(`${count(refused, "bookmark")} not sent: chosen too long ago.`);
  if (sentences.length) say(sentences.join(" "));
  if (accepted.length) redrawAgenda();
}

// The number at “Agenda” and the day beside the page, as after a tap; on the agenda what is in it.
async function redrawAgenda() {
  const target = document.getElementById(isAgenda ? "main" : "agenda-count-bar");
  const more = `${isAgenda ? "#agenda-count-bar," : ""}#agenda-count-rail,#my-day-column`;
  if (target) await htmx.ajax("GET", location.href, { target, select: `#${target.id}`, selectOOB: more, swap: "outerHTML" });
  if (isAgenda) await showAllWaiting();
}

async function update() {
  if (saved || arrived) await showAccepted();
  if (!saved) await showResults();
  await showAllWaiting();
}

// ---- The worker

async function ask(what, more = {}) {
  const { active } = await navigator.serviceWorker.ready;
  active.postMessage({ ask: what, ...more });
}

let submitted = null;
function refusal() {
  const isTyped = [...submitted?.elements ?? []].some((field) => field.matches("textarea, select, input:not([type=hidden])"));
  return `No network. Nothing was sent${isTyped ? "; what you typed is still here" : ""}.`;
}

function hear({ data }) {
  if (data.refused) say(refusal());
  if (data.waiting) showAllWaiting();
  if (data.sent || data.results) update();
  if (data.sent) say("1 bookmark sent.");
  if (data.sent || (data.results && why === "slow")) redrawAgenda();
  if (data.arrived && saved && why !== "missing") showNewer();
  if (data.changed) {
    const changes = link("See changes", `/${slug}/changes/`);
    draw("changed", text(`The programme has changed since ${moment(data.changed)}.`), changes);
  }
}

async function start() {
  // Not waited for: a site that hangs does not answer this either.
  navigator.serviceWorker.register("/sw.js").catch(() => {});
  if (saved) return;
  window.addEventListener("online", () => ask("send"));
  if (slug) await ask("check", { slug, saveData: Boolean(navigator.connection?.saveData) });
  else await ask("send");
}

document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (!detail.xhr?.getResponseHeader("Hallway-Waiting")) return;
  const busy = "The site does not answer. Saved on this device, and sent when it does.";
  say(navigator.onLine ? busy : "No network. Saved on this device, and sent when the network is back.");
});
// What a browser cannot send would end on its own error page. The worker takes bookmarks.
document.addEventListener("submit", (event) => {
  submitted = event.target;
  const address = event.submitter?.getAttribute("formaction") ?? event.target.action;
  if (navigator.onLine || event.defaultPrevented || event.target.method !== "post" || address.endsWith("/bookmark/")) return;
  event.preventDefault();
  say(refusal());
});

if (saved) showAsSaved();
if ("serviceWorker" in navigator && "caches" in window) {
  navigator.serviceWorker.addEventListener("message", hear);
  navigator.serviceWorker.startMessages();
  update().catch(() => {});
  // The first page comes first.
  const later = () => setTimeout(() => start().catch(() => {}), 0);
  if (document.readyState === "complete") later();
  else window.addEventListener("load", later);
}

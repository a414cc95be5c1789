// A screen on a wall: keeps the hour, fetches what changed, keeps what it has when the network is gone.

const EVERY = 20_000;
const PATIENCE = 10_000;
const SILENT = 120_000;
const STALE = 900_000;
const TURN = 10_000;
const COUNTDOWN = 90;

const find = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];

let etag = "";
let ahead = 0;
let heard = performance.now();
let lost = "";

// What the server's clock shows; a screen's own is often wrong. A page for another moment does not advance.
function now() {
  const { pinned } = find("#screen").dataset;
  return pinned ? new Date(pinned) : new Date(Date.now() + ahead);
}

function follow(answer) {
  const date = Date.parse(answer.headers.get("Date") ?? "");
  // Seconds that a cache on the way kept the answer.
  const age = Number(answer.headers.get("Age")) * 1000;
  if (!Number.isNaN(date + age)) ahead = date + age - Date.now();
}

function spoken(minutes) {
  const hours = Math.floor(minutes / 60);
  return [hours ? `${hours} h` : "", minutes % 60 || !hours ? `${minutes % 60} min` : ""].filter(Boolean).join(" ");
}

function write(element, words) {
  if (element.textContent !== words) element.textContent = words;
}

// Without connection, what was next is not "now" for ever.
function startWords(minutes, isOver) {
  if (isOver) return "over";
  if (minutes < -1) return "started";
  if (minutes < 1) return "now";
  return minutes > COUNTDOWN ? "" : `in ${spoken(minutes)}`;
}

function tellTime(root) {
  const moment = now();
  const clock = find("[data-clock]", root);
  const hour = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: root.dataset.zone };
  write(clock, new Intl.DateTimeFormat("en-GB", hour).format(moment));
  clock.dateTime = moment.toISOString();
  all("[data-starts]", root).forEach((element) => {
    const { starts, until } = element.dataset;
    const minutes = Math.floor((new Date(starts) - moment) / 60_000);
    element.toggleAttribute("data-begun", minutes < 0);
    write(element, startWords(minutes, new Date(until) <= moment));
  });
  // Without connection it stays on the screen, but is no longer marked as on.
  all("[data-ends]", root).forEach((element) => element.toggleAttribute("data-past", new Date(element.dataset.ends) <= moment));
  root.dataset.shift = Math.floor(moment / 60_000) % 4;
}

// What does not fit takes turns: the same on every screen, since it goes by the clock.
function takeTurns(root) {
  const turn = Math.floor((Date.now() + ahead) / TURN);
  all("[data-turns]", root).forEach((box) => {
    [...box.children].forEach((child, place, { length }) => { child.hidden = place !== turn % length; });
  });
}

function tellState(root) {
  const silence = performance.now() - heard;
  find("[data-state]", root).toggleAttribute("data-lost", silence > SILENT);
  write(find("[data-why]", root), silence > SILENT ? `, ${lost || "no network"}` : "");
  root.toggleAttribute("data-stale", silence > STALE);
}

function tick() {
  const root = find("#screen");
  tellTime(root);
  takeTurns(root);
  tellState(root);
}

// What changes on the page has an address of its own.
function partAddress() {
  const address = new URL(location.href);
  address.searchParams.set("part", "screen");
  return address.href;
}

function ask(address, headers = {}) {
  return fetch(address, { headers, cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
}

const parsed = (html) => new DOMParser().parseFromString(html, "text/html");

// Another version of the page's files. Reload only once all of them can be loaded: nobody is there to react to an error.
async function loadAnew() {
  const page = await ask(location.href);
  const files = all("link[rel=stylesheet], script[src]", parsed(await page.text()));
  const answers = await Promise.all(files.map((it) => ask(it.getAttribute("href") ?? it.getAttribute("src"))));
  const ready = page.ok && answers.every((it) => it.ok);
  if (ready) location.reload();
  return ready;
}

async function show(answer) {
  const fresh = find("#screen", parsed(await answer.text()));
  const old = find("#screen");
  if (!fresh) return false;
  if (fresh.dataset.version !== old.dataset.version) return loadAnew();
  old.replaceWith(document.adoptNode(fresh));
  etag = answer.headers.get("ETag") ?? "";
  return true;
}

async function fetchNews() {
  const answer = await ask(partAddress(), etag ? { "If-None-Match": etag } : {});
  follow(answer);
  if (answer.status === 304 || (answer.ok && (await show(answer)))) return true;
  lost = answer.status === 404 ? "page not found" : "no answer";
  return false;
}

async function keepUp() {
  try {
    if (await fetchNews()) heard = performance.now();
  } catch {
    lost = "no network";
  }
  tick();
}

async function stayAwake() {
  try {
    if (document.visibilityState === "visible") await navigator.wakeLock?.request("screen");
  } catch {
    // Some screens are not asked: they stay on by themselves.
  }
}

setInterval(tick, 1000);
setInterval(keepUp, EVERY);
window.addEventListener("online", keepUp);
document.addEventListener("visibilitychange", stayAwake);
stayAwake();
keepUp();

// A screen on a wall: keeps the hour, fetches what changed, keeps what it has when the network is gone.

const EVERY = 20_000;
const PATIENCE = 10_000;
const SILENT = 120_000;
const TURN = 15_000;

const find = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];

let etag = "";
let ahead = 0;
let heard = performance.now();
let lost = "";

// What the server's clock shows; a screen's own is often wrong. A page for another moment stands still.
function now() {
  const screen = find("#screen");
  return "pinned" in screen.dataset ? new Date(screen.dataset.now) : new Date(Date.now() + ahead);
}

function follow(answer) {
  const date = Date.parse(answer.headers.get("Date") ?? "");
  if (!Number.isNaN(date)) ahead = date - Date.now();
}

function spoken(minutes) {
  const hours = Math.floor(minutes / 60);
  return [hours ? `${hours} h` : "", minutes % 60 || !hours ? `${minutes % 60} min` : ""].filter(Boolean).join(" ");
}

function write(element, words) {
  if (element.textContent !== words) element.textContent = words;
}

function tellTime(root) {
  const moment = now();
  const clock = find("[data-clock]", root);
  const hour = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: root.dataset.zone };
  write(clock, new Intl.DateTimeFormat("en-GB", hour).format(moment));
  clock.dateTime = moment.toISOString();
  all("[data-starts]", root).forEach((element) => {
    const minutes = Math.floor((new Date(element.dataset.starts) - moment) / 60_000);
    write(element, minutes > 0 ? `in ${spoken(minutes)}` : "now");
  });
}

// What does not fit takes turns: the same on every screen, since it goes by the clock.
function takeTurns(root) {
  const turn = Math.floor((Date.now() + ahead) / TURN);
  all("[data-turns]", root).forEach((box) => {
    [...box.children].forEach((child, place, { length }) => { child.hidden = place !== turn % length; });
  });
}

function tellState(root) {
  const silent = performance.now() - heard > SILENT;
  find("[data-state]", root).toggleAttribute("data-lost", silent);
  write(find("[data-why]", root), silent ? `, ${lost || "no network"}` : "");
}

function tick() {
  const root = find("#screen");
  tellTime(root);
  takeTurns(root);
  tellState(root);
}

function show(html) {
  const fresh = find("#screen", new DOMParser().parseFromString(html, "text/html"));
  const old = find("#screen");
  if (!fresh) return false;
  if (fresh.dataset.version !== old.dataset.version) {
    location.reload();
    return true;
  }
  const ready = document.adoptNode(fresh);
  old.replaceWith(ready);
  return true;
}

async function fetchNews() {
  const headers = { "HX-Request": "true", ...(etag && { "If-None-Match": etag }) };
  const answer = await fetch(location.href, { headers, cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
  follow(answer);
  if (answer.status === 304) return true;
  if (!answer.ok || !show(await answer.text())) {
    lost = "no answer";
    return false;
  }
  etag = answer.headers.get("ETag") ?? "";
  return true;
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

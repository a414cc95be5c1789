// ---- Bookmarks that wait, and those that the site accepted: the second part of worker.js

const BOOKMARK_PATIENCE = 8_000;
const SEND_PATIENCE = 20_000;
const AGENDA_PAUSE = 1_000;
const MAX_WAITING_AGE = CONFIG.maxWaitingDays * DAY;
const MAX_WAITING = 200;
const LEVELS = ["must", "maybe", "later"];

async function bookmark(event, path) {
  const number = wiped;
  const form = event.request.clone().text().then((text) => new URLSearchParams(text));
  const sent = fetch(event.request);
  const answer = await Promise.race([sent.catch(() => null), wait(BOOKMARK_PATIENCE).then(() => null)]);
  if (answer && !BUSY.includes(answer.status)) {
    // A newer decision: what waited for this event is over.
    await (await caches.open(WAITING)).delete(path);
    if (isAccepted(answer)) event.waitUntil(accept(path, wantedBy(await form), number, answer));
    return answer;
  }
  const decision = await addWaiting(path, await form);
  if (!decision) {
    // The script of the page says itself that its request failed, and leaves Undo beside it.
    if (event.request.mode !== "navigate") return answer || Response.error();
    await tell(event.clientId, { refused: true });
    return answer || new Response(null, { status: 204 });
  }
  event.waitUntil(sent.then((late) => isAccepted(late) && sentLate(path, decision, number, late), () => {}));
  await self.registration.sync?.register("bookmarks").catch(() => {});
  await tellAll({ waiting: true });
  return new Response(null, { status: 204, headers: { "Hallway-Waiting": "1" } });
}

// All our answers have this header, a page of the network that asks to sign in lacks it.
const isAccepted = (answer) => answer.type === "opaqueredirect" || (answer.ok && answer.headers.has("Cross-Origin-Resource-Policy"));

function wantedBy(form) {
  const [on, level] = [form.get("on"), form.get("undo")?.split("+")[0] ?? form.get("level")];
  if (level === "out") return { on: "0" };
  if (level) return LEVELS.includes(level) ? { level } : null;
  return ["0", "1"].includes(on) ? { on } : null;
}

// As on the site: what is removed and added again is a must, and what is there already stays at its level.
function combined(former, wanted) {
  if (wanted.on !== "1") return wanted;
  const level = former?.on === "0" ? "must" : former?.level;
  return level ? { level } : wanted;
}

// By address, so that the last decision about an event is the only one. Undo and other forms are not repeated later.
async function addWaiting(path, form) {
  const wanted = form.has("undo") ? null : wantedBy(form);
  const cache = await caches.open(WAITING);
  const former = await readWaiting(path);
  if (!wanted || (!former && (await cache.keys()).length >= MAX_WAITING)) return null;
  const decision = { ...combined(former, wanted), at: Date.now(), whose: await whoseOf(slugOf(path)) };
  await cache.put(path, Response.json(decision));
  return decision;
}

async function readWaiting(path) {
  const found = await (await caches.open(WAITING)).match(path);
  return found?.json();
}

async function removeWaiting(path, at) {
  const decision = await readWaiting(path);
  return decision?.at === at && (await caches.open(WAITING)).delete(path);
}

// The first attempt was accepted after all.
async function sentLate(path, decision, number, answer) {
  if (!(await removeWaiting(path, decision.at))) return;
  const renewed = accept(path, decision, number, answer);
  await tellAll({ sent: true });
  await renewed;
}

// ---- What the site accepted: saved pages are older

async function accept(path, wanted, number, answer) {
  if (wanted) await noteAccepted(path, wanted, number);
  await noteWhose(slugOf(path), answer.headers.get("Hallway-Whose"), number);
  await renewAgenda(slugOf(path));
}

// One after the other, since each reads the note first.
let noting = Promise.resolve();
let lastAccepted = 0;
function noteAccepted(path, wanted, number) {
  lastAccepted = Date.now();
  noting = noting.then(async () => {
    const { [path]: former, ...others } = await readNote("bookmarks/accepted", {});
    const { on, level } = combined(former, wanted);
    const rows = Object.entries({ ...others, [path]: { on, level, at: Date.now() } });
    const recent = rows.filter(([, { at }]) => Date.now() - at < MAX_WAITING_AGE).slice(-MAX_WAITING);
    if (number === wiped) await writeNote("bookmarks/accepted", Object.fromEntries(recent));
  }).catch(() => {});
  return noting;
}

// The agenda may have begun with this bookmark, after the list of pages was fetched.
const whoseOf = async (slug) => await readNote(`whose/${slug}`) || (await readNote(slug, {})).whose || "";

async function noteWhose(slug, whose, number) {
  if (whose && number === wiped) await writeNote(`whose/${slug}`, whose);
}

// Once for several bookmarks in a row, and after the pages that are being fetched, which may be older.
const renewals = new Map();
async function renewAgenda(slug) {
  if (navigator.connection?.saveData) return;
  const [turn, number, address] = [{}, wiped, `/${slug}/agenda/`];
  renewals.set(slug, turn);
  await Promise.all([wait(AGENDA_PAUSE), checks.get(slug)?.catch(() => {})]);
  if (renewals.get(slug) !== turn) return;
  renewals.delete(slug);
  const began = Date.now();
  const answer = await fetch(address, { redirect: "manual" }).catch(() => null);
  // Otherwise the next page that is opened asks what changed.
  if (!answer || !(await save(address, answer, number, began))) await noteShown(slug);
  // A bookmark set on the agenda is answered by that page, which does not say whose it is.
  if (await whoseOf(slug)) return;
  const list = await fetch(`/${slug}/offline.json`, { cache: "no-store" }).then((it) => it.json()).catch(() => null);
  await noteWhose(slug, list?.whose, number);
}

// ---- Sending

let sending = null;
function sendWaiting(event) {
  sending ??= sendAll().finally(() => { sending = null; });
  event.waitUntil(sending.then((slugs) => Promise.all(slugs.map(renewAgenda))));
  return sending;
}

// The conferences whose agenda has changed.
async function sendAll() {
  if (!(await caches.has(WAITING))) return [];
  const number = wiped;
  const paths = (await (await caches.open(WAITING)).keys()).map((key) => new URL(key.url).pathname);
  const results = [];
  for (const path of paths) {
    const decision = await readWaiting(path);
    if (!decision || decision.asks) continue;
    const result = Date.now() - decision.at > MAX_WAITING_AGE ? { status: "old" } : await sendOne(path, decision, number);
    if (!result) break;
    if (result.status === 403) await (await caches.open(WAITING)).put(path, Response.json({ ...decision, asks: true }));
    else await removeWaiting(path, decision.at);
    if (result.status === 200) await noteAccepted(path, result.level ? { level: result.level } : { on: "0" }, number);
    results.push({ path, ...result });
  }
  if (!results.length) return [];
  // Also for whoever opens a page later: the browser may have sent them without one.
  await writeNote("results", [...(await readNote("results", [])), ...results].slice(-MAX_WAITING));
  await tellAll({ results: true });
  return [...new Set(results.filter(({ status }) => status === 200).map(({ path }) => slugOf(path)))];
}

// What the server did with it; nothing if it has to wait longer.
async function sendOne(path, { on, level, at, whose }, number) {
  const secondsAgo = Math.max(0, Math.round((Date.now() - at) / 1000));
  const body = new URLSearchParams({ ...(level ? { level } : { on }), seconds_ago: secondsAgo, whose });
  const request = { method: "POST", body, redirect: "error", signal: AbortSignal.timeout(SEND_PATIENCE) };
  const answer = await fetch(path, request).catch(() => null);
  if (!answer) return null;
  if ([403, 404, 410, 422].includes(answer.status)) return { status: answer.status };
  // A network that asks to sign in first answers with a page of its own.
  const isOurs = answer.ok && /^application\/json/.test(answer.headers.get("Content-Type"));
  if (!isOurs) return null;
  await noteWhose(slugOf(path), answer.headers.get("Hallway-Whose"), number);
  return { status: answer.status, ...(await answer.json()) };
}

self.addEventListener("sync", (event) => {
  if (event.tag === "bookmarks") sendWaiting(event);
});

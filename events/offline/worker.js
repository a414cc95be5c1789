// Saves pages for times without network, and bookmarks until they can be sent (docs/offline.md).
// The server writes CONFIG above: the static files of this release, and the bounds.

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const JUST_NOW = 5_000;
const PATIENCE = 3_000;
const CHECK_EVERY = 15 * MINUTE;
const RENEW_AFTER = 6 * 60 * MINUTE;
const MAX_PAGE_AGE = 7 * DAY;
const MAX_PAGE_BYTES = 600_000;
const MAX_FILES = 40;
const BUSY = [502, 503, 504];

// All of the first three is personal. Files of a release stay as long as a page of it may be shown.
const PAGES = "hallway-pages";
const WAITING = "hallway-waiting";
const NOTES = "hallway-notes";
const FILES = "hallway-files";
const RELEASE = `hallway-release-${CONFIG.release}`;

const GUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
// Every other page is never saved: secret addresses, forms, what belongs to the account, devices, search, the admin.
const SAVED = new RegExp(`^/(?!account/)[\\w-]+/(?:|about/|announcements/|changes/|agenda/|talks/|socials/|awards/|services/|offline/\
|sponsors/|pages/[\\w-]+/|schedule/\\d{4}-\\d\\d-\\d\\d/|events/(?!${GUID}/)[\\w-]+-\\d+/|people/(?:${GUID}/)?|papers/(?:${GUID}/)?|topics/(?:[\\w-]+/)?|venue/(?:directions/)?)$`);
// The words in the address of an event may change, the number at its end stays.
const EVENT = new RegExp(`^(/[\\w-]+/events/)(?!${GUID}/)[\\w-]+-(\\d+)/`);
const SAVED_FILE = /^\/(?:media\/(?:looks|pages)\/[\w-]+\.webp|[\w-]+\/(?:colours\.css|venue\/plans\/[\w-]+\.svg))$/;
const BOOKMARK = new RegExp(`^/[\\w-]+/events/${GUID}/bookmark/$`);
// After these the browser may have another agenda, or none.
const NEW_OWNER = /^\/(?:account\/(?:code|sign-out|delete)|[\w-]+\/(?:agenda\/(?:forget-me|take(?:\/[^/]+)?)|shared\/[^/]+\/copy))\/$/;
const FORM = new RegExp(`^/[\\w-]+/(?:agenda|announcements|attendance|events/${GUID}|missing|proposals|shared|socials|time-zone|venue)/`);

const wait = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });
const slugOf = (path) => path.split("/")[1];
const savedAt = (response) => Date.parse(response.headers.get("Hallway-Saved"));

// ---- The life of this worker

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(RELEASE).then((cache) => cache.addAll(CONFIG.files)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([self.clients.claim(), forgetReleases()]));
});

async function forgetReleases() {
  const ended = await readNote("releases", {});
  for (const name of await caches.keys()) {
    if (!name.startsWith("hallway-release-") || name === RELEASE) continue;
    ended[name] ??= Date.now();
    if (Date.now() - ended[name] > MAX_PAGE_AGE) {
      await caches.delete(name);
      delete ended[name];
    }
  }
  delete ended[RELEASE];
  await writeNote("releases", ended);
}

// ---- Requests

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== self.location.origin) return;
  if (request.method === "POST") post(event, url);
  else if (request.method !== "GET") return;
  else if (request.mode === "navigate") event.respondWith(page(event, url));
  else if (url.pathname.startsWith("/static/")) event.respondWith(staticFile(request));
  else if (SAVED_FILE.test(url.pathname)) event.respondWith(file(event));
});

function post(event, url) {
  if (BOOKMARK.test(url.pathname)) event.respondWith(bookmark(event, url.pathname));
  else if (NEW_OWNER.test(url.pathname)) event.respondWith(form(event, { wipes: true }));
  else if (event.request.mode === "navigate" && FORM.test(url.pathname)) event.respondWith(form(event));
}

// One that cannot be sent leaves the page as it is, with what was typed. One that was accepted is answered by a redirect.
async function form(event, { wipes = false } = {}) {
  try {
    const answer = await fetch(event.request);
    if (wipes && (answer.type === "opaqueredirect" || answer.redirected)) await wipe();
    return answer;
  } catch {
    await tell(event.clientId, { refused: true });
    return event.request.mode === "navigate" ? new Response(null, { status: 204 }) : Response.error();
  }
}

async function staticFile(request) {
  const found = await caches.match(request, { ignoreVary: true });
  if (found) return found;
  const answer = await fetch(request);
  if (answer.status === 200) await (await caches.open(RELEASE)).put(request, answer.clone());
  return answer;
}

// Renewed behind: a style that waits for a dead network would hang the page.
async function file(event) {
  const cache = await caches.open(FILES);
  const found = await cache.match(event.request, { ignoreVary: true });
  const fresh = fetch(event.request).then(async (answer) => {
    if (answer.status === 200) await cache.put(event.request, answer.clone());
    return answer;
  });
  if (!found) return fresh;
  event.waitUntil(fresh.catch(() => {}));
  return found;
}

// ---- Pages

// The pinned time is left out: without network the page of now is better than none.
function addressOf(url) {
  const query = new URLSearchParams(url.search);
  query.delete("at");
  query.sort();
  return `${url.pathname}${query.size ? `?${query}` : ""}`;
}

async function page(event, url) {
  const address = addressOf(url);
  const isSaved = SAVED.test(url.pathname);
  const isPinned = new URLSearchParams(url.search).has("at");
  const newer = !isPinned && await takeArrived(address);
  if (newer) return newer;
  const [number, began] = [wiped, Date.now()];
  const fresh = fetch(event.request);
  let isSlow = false;
  if (isSaved && !isPinned) {
    const copy = fresh.then((answer) => answer.clone());
    const saving = copy.then((answer) => save(address, answer, number, began));
    event.waitUntil(saving.then((done) => done && isSlow && arrived(event, address)).catch(() => {}));
  }
  const saved = isSaved ? await savedPage(address) : undefined;
  if (!saved) return fresh.catch(() => notSaved(url.pathname));
  const answer = await Promise.race([fresh.catch(() => "failed"), wait(PATIENCE).then(() => "slow")]);
  if (answer instanceof Response && !BUSY.includes(answer.status)) {
    sendWaiting(event);
    return answer;
  }
  isSlow = answer === "slow";
  await noteShown(slugOf(url.pathname));
  return asSaved(saved, answer instanceof Response ? "failed" : answer);
}

async function notSaved(path) {
  const help = await savedPage(`/${slugOf(path)}/offline/`);
  return help ? asSaved(help, "missing") : Response.error();
}

async function savedPage(address) {
  const cache = await caches.open(PAGES);
  for (const key of [address, ...(await underOtherWords(cache, address))]) {
    const found = await cache.match(key, { ignoreVary: true });
    if (found && Date.now() - savedAt(found) < MAX_PAGE_AGE) return found;
    if (found) await cache.delete(key, { ignoreVary: true });
  }
  return undefined;
}

const savedAddresses = async (cache) => (await cache.keys()).map((key) => key.url.slice(self.location.origin.length));

async function underOtherWords(cache, address) {
  if (!EVENT.test(address)) return [];
  const event = address.replace(EVENT, "$1$2/");
  return (await savedAddresses(cache)).filter((key) => key !== address && key.replace(EVENT, "$1$2/") === event);
}

const asSaved = (saved, why) => marked(saved, `data-saved="${saved.headers.get("Hallway-Saved")}" data-why="${why}"`);

async function marked(saved, attributes) {
  const html = (await saved.text()).replace("<body", `<body ${attributes}`);
  return new Response(html, { headers: saved.headers });
}

function isSavable(answer) {
  const headers = answer.headers;
  const isPage = answer.status === 200 && !answer.redirected && answer.type === "basic";
  return isPage && /^text\/html/.test(headers.get("Content-Type")) && !/no-store/.test(headers.get("Cache-Control"));
}

// A request that began before everything was deleted may have the page of the former agenda. One that began before
// a bookmark was accepted may not show it, however late it is answered: the page is as of when it was asked for.
async function save(address, answer, number, began) {
  if (!isSavable(answer)) return false;
  const html = await answer.text();
  if (html.length > MAX_PAGE_BYTES || number !== wiped) return false;
  const headers = new Headers(answer.headers);
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
  headers.set("Hallway-Saved", new Date(began).toISOString());
  const cache = await caches.open(PAGES);
  await cache.put(address, new Response(html, { headers }));
  for (const key of await underOtherWords(cache, address)) await cache.delete(key, { ignoreVary: true });
  await trim(cache, address);
  return true;
}

async function trim(cache, address) {
  const keys = await savedAddresses(cache);
  const note = await readNote(slugOf(address), {});
  const listed = new Set(note.pages);
  const others = keys.filter((key) => !listed.has(key) && key !== address);
  const surplus = others.slice(0, Math.max(0, keys.length - CONFIG.maxPages));
  await Promise.all(surplus.map((key) => cache.delete(key, { ignoreVary: true })));
}

// The page was shown as saved, and its answer came after all.
const arrivals = new Map();
async function arrived(event, address) {
  arrivals.set(address, Date.now());
  if (event.resultingClientId) await tell(event.resultingClientId, { arrived: address });
}

// Asked again at once it is not waited for a second time.
async function takeArrived(address) {
  const isNew = Date.now() - arrivals.get(address) < JUST_NOW;
  arrivals.delete(address);
  const saved = isNew && await savedPage(address);
  return saved && savedAt(saved) > lastAccepted && marked(saved, `data-arrived="${saved.headers.get("Hallway-Saved")}"`);
}

let wiped = 0;
async function wipe() {
  wiped += 1;
  await Promise.all([PAGES, WAITING, NOTES].map((name) => caches.delete(name)));
}

// ---- Notes: what was saved for which conference

async function readNote(name, otherwise) {
  const found = await (await caches.open(NOTES)).match(`/offline/notes/${name}`);
  return found ? found.json() : otherwise;
}

async function writeNote(name, value) {
  await (await caches.open(NOTES)).put(`/offline/notes/${name}`, Response.json(value));
}

async function noteShown(slug) {
  const note = await readNote(slug);
  if (note && !note.shown) await writeNote(slug, { ...note, shown: true });
}

const checks = new Map();
function check(slug, options) {
  if (!checks.has(slug)) checks.set(slug, renew(slug, options).finally(() => checks.delete(slug)));
  return checks.get(slug);
}

async function renew(slug, { client, saveData }) {
  let note = await readNote(slug, {});
  const known = await whoseOf(slug);
  const isRenewed = saveData || note.renewed === note.revision;
  if (!note.shown && isRenewed && Date.now() - note.checked < CHECK_EVERY) return;
  const answer = await fetch(`/${slug}/offline.json?since=${note.renewed ?? ""}`, { cache: "no-store" });
  if (!answer.ok) return;
  const list = await answer.json();
  if (known && known !== list.whose) {
    await wipe();
    note = {};
  }
  if (note.shown && note.revision !== list.revision) await tell(client, { changed: note.checked });
  const { revision, whose, pages } = list;
  const next = { ...note, revision, whose, pages, checked: Date.now(), shown: false };
  await writeNote(slug, next);
  if (saveData) return;
  const isNewAgenda = note.agendaRevision !== list.agenda_revision;
  const stale = new Set([...list.changed, ...(isNewAgenda ? [`/${slug}/agenda/`] : [])]);
  const number = wiped;
  const isComplete = (await Promise.all([saveSome(pages, stale, number), saveFiles(list.files)])).every(Boolean);
  if (isComplete && number === wiped) await writeNote(slug, { ...next, renewed: revision, agendaRevision: list.agenda_revision });
}

// Two at a time: a hall full of phones does this at once.
async function saveSome(pages, stale, number) {
  const cache = await caches.open(PAGES);
  const queue = [...pages];
  let isComplete = true;
  const work = async () => {
    for (let address = queue.shift(); address; address = queue.shift()) {
      const saved = await cache.match(address, { ignoreVary: true });
      if (saved && !stale.has(address) && Date.now() - savedAt(saved) < RENEW_AFTER) continue;
      const began = Date.now();
      const answer = await fetch(address, { redirect: "manual" }).catch(() => null);
      if (!answer || answer.status >= 500 || answer.status === 429) isComplete = false;
      else if (!(await save(address, answer, number, began)) && answer.status === 404) await forgetPage(address);
    }
  };
  await Promise.all([work(), work()]);
  return isComplete;
}

async function forgetPage(address) {
  await (await caches.open(PAGES)).delete(address, { ignoreVary: true });
}

async function saveFiles(files) {
  const cache = await caches.open(FILES);
  const answers = await Promise.all(files.map(async (address) => {
    if (await cache.match(address, { ignoreVary: true })) return true;
    return cache.add(address).then(() => true, () => false);
  }));
  const keys = await cache.keys();
  await Promise.all(keys.slice(0, Math.max(0, keys.length - MAX_FILES)).map((key) => cache.delete(key)));
  return answers.every(Boolean);
}

// ---- Pages and this worker

async function tell(client, message) {
  (await self.clients.get(client))?.postMessage(message);
}

async function tellAll(message) {
  for (const client of await self.clients.matchAll({ type: "window" })) client.postMessage(message);
}

self.addEventListener("message", (event) => {
  const { ask, slug, saveData } = event.data;
  if (ask === "send") sendWaiting(event);
  if (ask === "check" && slug) event.waitUntil(sendWaiting(event).then(() => check(slug, { client: event.source.id, saveData })));
});

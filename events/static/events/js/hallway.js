// Improves pages that also work without it.

const MINUTE = 60_000;
const MESSAGE_TIME = 6_000;

const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const isShown = (element) => element.getClientRects().length > 0;

// Controls that only a script can answer are written hidden.
function reveal(root) {
  all("[data-script]", root).forEach((element) => { element.hidden = false; });
}

// ``request`` is what htmx says of one that failed. A message whose Undo failed stays beside the failure, since Undo may be
// all there is to try again.
function say(words, request = null) {
  const region = document.getElementById("status");
  if (!region) return null;
  const message = document.getElementById("message-form").content.cloneNode(true).firstElementChild;
  message.querySelector("p").textContent = words;
  all(".message", region).forEach((former) => {
    if (request && former.contains(request.elt)) former.toggleAttribute("data-stays", true);
    else former.remove();
  });
  message.toggleAttribute("data-stays", Boolean(request) && !isRead(request));
  if (request) message.dataset.failed = isRead(request) ? "read" : "write";
  region.append(message);
  reveal(message);
  timeMessages();
  return message;
}

// A message without a conflict leaves, but not while somebody points at it, is inside, or looks at another tab.
// What it says is on the page as well.
const timed = new WeakSet();
function timeMessages() {
  all(".message:not([data-stays])").filter((message) => !timed.has(message)).forEach((message) => {
    let timer;
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (document.hidden || message.matches(":hover, :focus-within, [data-stays]")) wait();
        else message.remove();
      }, MESSAGE_TIME);
    };
    timed.add(message);
    ["pointerenter", "pointerleave", "focusin", "focusout"].forEach((name) => message.addEventListener(name, wait));
    wait();
  });
}

// The zone this device is set to: chosen in the list of zones, and one tap away in the footer.
function offerOwnZone() {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!zone) return;
  all("select[data-own-zone]").forEach((select) => {
    const option = [...select.options].find((it) => [it.value, ...(it.dataset.former ?? "").split(" ")].includes(zone));
    if (option) select.value = option.value;
  });
  all("[data-own-zone-form]").forEach((form) => {
    if (form.dataset.ownZoneForm === zone) return;
    form.elements.zone.value = zone;
    form.querySelector("button span").textContent = `Show ${zone.split("/").pop().replaceAll("_", " ")} time`;
    form.hidden = false;
  });
}

function clockTime(moment, timeZone = document.querySelector("[data-zone]")?.dataset.zone) {
  return new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone }).format(moment);
}

// What says "now" keeps the minute, and the now rule moves past groups that have ended.
function moveNow() {
  const now = new Date();
  all("[data-now]").forEach((element) => {
    const label = element.querySelector("time");
    label.dateTime = now.toISOString();
    label.textContent = clockTime(now, element.dataset.now);
  });
  const rule = document.querySelector(".now-rule[data-now]");
  while (rule && new Date(rule.nextElementSibling?.dataset.end) <= now) rule.nextElementSibling.after(rule);
}

// A link within the page (the now rule, a talk inside its session) may be in a closed disclosure.
function openTarget() {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  const disclosure = target && target.closest("details");
  if (disclosure) disclosure.open = true;
}

async function copy(button) {
  const field = document.getElementById(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(field.value);
    say("Copied.");
  } catch {
    field.focus();
    field.select();
    say("Press Ctrl+C or ⌘C to copy.");
  }
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy], [data-print], [data-dismiss]");
  if (!button) return;
  if ("print" in button.dataset) window.print();
  if ("copy" in button.dataset) copy(button);
  if ("dismiss" in button.dataset) dismiss(button.closest(".message"));
});

// The focus returns to where it was before it came to the messages, or to what replaced that.
let focusedOutside = null;
document.addEventListener("focusin", ({ target }) => {
  if (!target.closest("#status")) focusedOutside = target;
});
function dismiss(message) {
  const hadFocus = message.contains(document.activeElement);
  const former = focusedOutside?.isConnected ? focusedOutside : document.getElementById(focusedOutside?.id);
  message.remove();
  if (hadFocus) (former ?? document.getElementById("main")).focus({ preventScroll: true });
}

// The menu covers the page of a phone: nobody should get to a control behind it.
const menu = document.getElementById("pages");
function cover(isCovered) {
  [...document.body.children, ...menu.parentElement.children].forEach((it) => { if (!it.contains(menu)) it.inert = isCovered; });
}
function holdFocusInMenu() {
  menu.addEventListener("toggle", ({ newState }) => {
    if (newState !== "open") return;
    all("button, a", menu).find(isShown).focus();
    cover(true);
  });
  // Before it closes: the browser then gives the focus back to the button, which must not be inert.
  menu.addEventListener("beforetoggle", ({ newState }) => { if (newState === "closed") cover(false); });
  // A tablet that is turned has room for the menu beside the page.
  matchMedia("(min-width: 900px)").addEventListener("change", () => { if (menu.matches(":popover-open")) menu.hidePopover(); });
}

// Without popovers the address opens the menu, and it closes when the focus leaves it.
function closeMenuByAddress() {
  const close = (next) => {
    if (location.hash !== "#pages") return;
    location.replace("#main");
    next?.focus();
  };
  document.addEventListener("focusin", ({ target }) => { if (!menu.contains(target)) close(); });
  document.addEventListener("keydown", ({ key }) => { if (key === "Escape") close(document.querySelector("a.sign-menu")); });
}
if (menu) {
  if ("popover" in menu) holdFocusInMenu();
  else closeMenuByAddress();
}

// A menu over the page closes by Escape, by a tap or the focus beside it, and after a choice that waits, which draws nothing anew.
const openMenus = (but = null) => all("details:is(.more, .level-menu)[open]").filter((menu) => !menu.contains(but));
const closeMenu = (details) => {
  const hadFocus = details.contains(document.activeElement);
  details.open = false;
  if (hadFocus) details.querySelector("summary").focus();
};
document.addEventListener("keydown", ({ key }) => { if (key === "Escape") openMenus().forEach(closeMenu); });
["click", "focusin"].forEach((what) => {
  document.addEventListener(what, ({ target }) => openMenus(target).forEach(closeMenu));
});
document.addEventListener("htmx:afterRequest", ({ detail }) => { if (isWaiting(detail.xhr)) openMenus().forEach(closeMenu); });

// "/" goes to the search field, as on many sites; without one on the page, it opens the search page.
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea, select, [contenteditable]");
  if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const field = all("[data-search]").find(isShown);
  const door = document.querySelector(".sign-find");
  if (!field && !door) return;
  event.preventDefault();
  if (field) field.select();
  else door.click();
});

// The panel under the search field: arrows walk through its links, Esc closes it.
document.addEventListener("keydown", (event) => {
  const form = event.target.closest("form");
  const panel = form?.querySelector("[data-search-panel]");
  if (!panel) return;
  const field = form.querySelector("[data-search]");
  const stops = [field, ...all("a", panel)];
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === "Escape" && panel.childElementCount) {
    event.preventDefault();
    panel.replaceChildren();
    field.focus();
  } else if (step && stops.length > 1) {
    event.preventDefault();
    stops.at((stops.indexOf(event.target) + step) % stops.length)?.focus();
  }
});

// What asks every minute says nothing when it fails: nobody did anything. Without connection one line says since when.
const isRead = ({ requestConfig }) => requestConfig.verb === "get";
const isPoll = (detail) => isRead(detail) && "keep" in detail.elt.dataset;
function showOffline(isOffline) {
  const line = document.getElementById("connection");
  // A saved page says so itself (offline.js).
  if (!isOffline || "saved" in document.body.dataset) line.textContent = "";
  else if (!line.textContent) line.textContent = `Offline since ${clockTime(new Date())}`;
}
window.addEventListener("offline", () => showOffline(true));
window.addEventListener("online", () => showOffline(false));

// A network that asks people to sign in may answer with a page of its own, which lacks this header of all our answers.
const isOurs = (xhr) => xhr.getResponseHeader("Cross-Origin-Resource-Policy") !== null;
// The service worker's answer to a bookmark that waits for the network.
const isWaiting = (xhr) => xhr.getResponseHeader("Hallway-Waiting") !== null;
function sayUnanswered(detail, words) {
  showOffline(true);
  if (!isPoll(detail)) say(words, detail);
}
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.isError || isOurs(detail.xhr) || isWaiting(detail.xhr)) return;
  detail.shouldSwap = false;
  sayUnanswered(detail, "This network answered with a page of its own. Nothing was changed: sign in to the network, then try again.");
});

// A request that failed must not look like one that worked.
document.addEventListener("htmx:sendError", ({ detail }) => {
  sayUnanswered(detail, "No connection. Nothing was changed; try again in a moment.");
});
document.addEventListener("htmx:timeout", ({ detail }) => {
  sayUnanswered(detail, `No answer${isRead(detail) ? "" : ", so it may not have worked"}. Try again in a moment.`);
});
// htmx sends a second tap once the first one has failed.
let stillWaiting = null;
document.addEventListener("click", ({ target }) => {
  const waiting = target.closest("button")?.closest(".htmx-request");
  if (waiting && !waiting.hasAttribute("hx-get")) stillWaiting = say("Still waiting for an answer to your first tap.");
}, { capture: true });
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (!isPoll(detail)) stillWaiting?.remove();
});
document.addEventListener("htmx:responseError", (event) => {
  if (isPoll(event.detail)) return;
  const known = {
    429: "Too many attempts this hour. Nothing was changed; try again later.",
    503: "That could not be done just now. Try again in half a minute.",
  };
  const words = known[event.detail.xhr.status] || "That did not work. Reload the page and try again.";
  say(words, event.detail);
});
// Once something works, "nothing was changed" is no longer true; a page that was read says nothing of a change that failed.
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (!detail.successful || !isOurs(detail.xhr)) return;
  showOffline(false);
  if (isPoll(detail)) return;
  all(isRead(detail) ? ".message[data-failed=read]" : ".message[data-failed]").forEach((message) => message.remove());
});
// Polled fragments are mostly unchanged. An unchanged one is not swapped, so that screen readers do not repeat it
// and the keyboard focus stays.
const lastResponses = new Map();
document.addEventListener("htmx:beforeSwap", (event) => {
  const { target, serverResponse, shouldSwap, requestConfig } = event.detail;
  if (!shouldSwap || !("keep" in target.dataset)) return;
  const response = serverResponse.trim();
  const last = lastResponses.get(target.id) ?? target.innerHTML.trim();
  if (requestConfig.verb !== "get") lastResponses.delete(target.id);
  else if (last === response) event.detail.shouldSwap = false;
  else lastResponses.set(target.id, response);
});
// Room reports are fetched once, and shown on every card of an event that is on.
document.addEventListener("htmx:afterSwap", ({ target }) => {
  if (target.id !== "heard") return;
  all("[data-live]").forEach((place) => {
    const heard = target.querySelector(`[data-of="${place.dataset.live}"]`);
    place.replaceChildren(...(heard ? heard.cloneNode(true).childNodes : []));
  });
});
// An error response that names its target is shown there.
document.addEventListener("htmx:beforeSwap", (event) => {
  const { detail } = event;
  if (detail.isError && detail.xhr.getResponseHeader("HX-Reswap")) {
    detail.shouldSwap = true;
    detail.isError = false;
  }
});
// It may be far from what was pressed, above a long text.
document.addEventListener("htmx:afterSettle", ({ detail }) => {
  if (!detail.xhr?.getResponseHeader("HX-Reswap")) return;
  const problem = detail.target.querySelector('[role="alert"]');
  problem?.scrollIntoView({ block: "center" });
  detail.target.querySelector('[aria-invalid="true"]')?.focus({ preventScroll: Boolean(problem) });
});
// What was pressed may be in a closed disclosure after the swap, where it cannot have the focus: its summary takes it.
document.addEventListener("htmx:afterSettle", ({ detail }) => {
  const pressed = document.getElementById(detail.requestConfig?.elt.id);
  pressed?.closest("details:not([open])")?.querySelector("summary").focus();
});
// A hidden page fetches nothing.
document.addEventListener("htmx:beforeRequest", (event) => {
  if (document.hidden && "keep" in event.target.dataset) event.preventDefault();
});
// What was fetched is a part with an address of its own; the browser shows the address of its page.
document.addEventListener("htmx:beforeHistoryUpdate", ({ detail }) => {
  detail.history.path = detail.history.path.replace(/([?&])part=[^&#]*(&|(?=#|$))/, (_, before, after) => (after ? before : ""));
});
// In a strip of days or hours the current one is in view.
function centre(root) {
  const current = [".day-strip", ".hour-strip"].map((strip) => (
    root.querySelector(`${strip} [aria-current]`) ?? root.querySelector(`${strip} [data-today]`)
  ));
  current.filter(Boolean).forEach((link) => {
    const strip = link.closest("ul, ol, nav");
    strip.scrollLeft = link.offsetLeft - strip.offsetLeft - (strip.clientWidth - link.offsetWidth) / 2;
  });
}

// The link to now is quiet while now is in view.
const sight = new IntersectionObserver((entries) => {
  all(".now-link").forEach((link) => link.toggleAttribute("data-here", entries.at(-1).isIntersecting));
});

function prepare(root) {
  reveal(root);
  centre(root);
  timeMessages();
  all(".now-rule", root).forEach((rule) => sight.observe(rule));
}

document.addEventListener("htmx:load", (event) => prepare(event.target));
// A new main part is added before the former one is removed: the browser would follow the former one down.
// A page that comes back from the history settles without a target.
const followNothing = (isSwapping) => ({ detail }) => {
  if (detail.target?.id === "main") document.documentElement.toggleAttribute("data-swapping", isSwapping);
};
document.addEventListener("htmx:beforeSwap", followNothing(true));
document.addEventListener("htmx:afterSettle", followNothing(false));
// Where the focused control is gone: after Undo the star that it set, after "Keep …" the card that stays,
// in the place of a removed star the next one, and otherwise the first filter of the swapped part, or the part.
let starsBefore = [];
let focusedBefore = null;
let focusedPart = "";
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  // What asks every minute may answer after the control is gone and before its place is known.
  if (document.activeElement === document.body) return;
  starsBefore = all("#main .bookmark");
  focusedBefore = document.activeElement;
  focusedPart = detail.target.contains(focusedBefore) ? detail.target.id : "";
});
function focusPart() {
  const part = document.getElementById(focusedPart)?.closest("#main, #main *");
  if (!part) return;
  part.tabIndex = -1;
  (all(".filter-bar .chip", part).find(isShown) ?? part).focus({ preventScroll: true });
}
document.addEventListener("htmx:afterSettle", (event) => {
  if (!focusedBefore || focusedBefore.isConnected) return;
  const gone = focusedBefore;
  focusedBefore = null;
  if (document.activeElement !== document.body) return;
  const isUndo = gone.matches(".message-undo");
  const place = starsBefore.indexOf(gone);
  const kept = gone.matches(".conflict-choices button") && gone.form.elements.next.value.split("#")[1];
  if (!isUndo && !kept && place < 0) {
    focusPart();
    return;
  }
  const stars = all("#main .bookmark");
  const path = event.detail.requestConfig?.path;
  const star = isUndo ? stars.find((it) => it.getAttribute("formaction") === path) : stars[Math.min(place, stars.length - 1)];
  const stop = kept && document.getElementById(kept);
  const control = stop && (stop.matches("button") ? stop : stop.querySelector("a"));
  const next = control || star;
  (next || document.getElementById("main")).focus({ preventScroll: true });
  next?.scrollIntoView({ block: "nearest" });
});

// What other scripts have to say, and a page that was saved at another minute (offline.js).
document.addEventListener("hallway:say", ({ detail }) => say(detail));
document.addEventListener("hallway:clock", moveNow);

prepare(document);
openTarget();
// The browser may search long for its zone, and the page is painted first. A busy phone may never be idle.
if (window.requestIdleCallback) requestIdleCallback(offerOwnZone, { timeout: 2000 });
else setTimeout(offerOwnZone);
window.addEventListener("hashchange", openTarget);
setInterval(moveNow, MINUTE);

// Improves pages that also work without it.

const MINUTE = 60_000;

const all = (selector, root = document) => [...root.querySelectorAll(selector)];

// Controls that only a script can answer are written hidden.
function reveal(root) {
  all("[data-script]", root).forEach((element) => { element.hidden = false; });
}

function say(words) {
  const region = document.getElementById("status");
  if (!region) return;
  const message = document.createElement("div");
  const line = document.createElement("p");
  message.className = "message";
  line.textContent = words;
  message.append(line);
  region.replaceChildren(message);
}

// The zone this device is set to: chosen in the list of zones, and one tap away in the footer.
function offerOwnZone() {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!zone) return;
  all("select[data-own-zone]").forEach((select) => {
    if ([...select.options].some((option) => option.value === zone)) select.value = zone;
  });
  all("[data-own-zone-form]").forEach((form) => {
    if (form.dataset.ownZoneForm === zone) return;
    form.elements.zone.value = zone;
    form.querySelector("button span").textContent = `Show ${zone.split("/").pop().replaceAll("_", " ")} time`;
    form.hidden = false;
  });
}

// The now rule keeps the minute and moves past groups as they begin.
function moveNow() {
  const rule = document.querySelector("[data-now]");
  if (!rule) return;
  const label = rule.querySelector("time");
  const now = new Date();
  label.dateTime = now.toISOString();
  label.textContent = new Intl.DateTimeFormat("en-GB", {
    hour: "2-digit", minute: "2-digit", timeZone: rule.dataset.now,
  }).format(now);
  const groups = all("[data-start]").filter((group) => group.parentElement === rule.parentElement);
  const next = groups.find((group) => new Date(group.dataset.start) > now);
  if (next && next.previousElementSibling !== rule) next.before(rule);
}

// A link within the page (the now rule, a talk inside its session) may be in a closed disclosure.
function openTarget() {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
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
  if ("dismiss" in button.dataset) button.closest(".message").remove();
});

// "/" goes to the search field, as on many sites; without one on the page, it opens the search page.
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea, select, [contenteditable]");
  if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const field = all("[data-search]").find((element) => element.checkVisibility());
  const door = document.querySelector(".sign-find");
  if (!field && !door) return;
  event.preventDefault();
  if (field) field.select();
  else door.click();
});

// A request that failed must not look like one that worked.
document.addEventListener("htmx:sendError", () => say("No connection. Nothing was changed; try again in a moment."));
document.addEventListener("htmx:responseError", (event) => {
  const known = {
    429: "Too many attempts this hour. Nothing was changed; try again later.",
    503: "That could not be done just now. Try again in half a minute.",
  };
  say(known[event.detail.xhr.status] || "That did not work. Reload the page and try again.");
});
// Polled fragments are mostly unchanged. An unchanged one is not swapped, so that screen readers do not repeat it
// and the keyboard focus stays.
const lastResponses = new Map();
document.addEventListener("htmx:beforeSwap", (event) => {
  const { target, serverResponse, requestConfig } = event.detail;
  if (!("keep" in target.dataset)) return;
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
// A hidden page fetches nothing.
document.addEventListener("htmx:beforeRequest", (event) => {
  if (document.hidden && "keep" in event.target.dataset) event.preventDefault();
});
document.addEventListener("htmx:load", (event) => reveal(event.target));

reveal(document);
(document.querySelector(".day-strip [aria-current]") ?? document.querySelector(".day-strip [data-today]"))?.scrollIntoView({ block: "nearest", inline: "center" });
offerOwnZone();
openTarget();
window.addEventListener("hashchange", openTarget);
setInterval(moveNow, MINUTE);

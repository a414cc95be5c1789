// The line about the next room: it changes its words when it is time to leave, and goes when the event begins.
// The banner's poll brings a new one when something moved.

const MAX_WAIT = 24 * 60 * 60_000;
const announced = new Set();
// What each place was given last, so that the same again neither moves the focus nor is drawn.
const given = new WeakMap();
let timer;

// Once, when it becomes true; what the page said from its beginning was read with the page.
function announce(line, { aloud }) {
  const words = line.querySelector(".leave-due").textContent.trim().replace(/\s+/g, " ");
  if (aloud && !announced.has(words)) document.getElementById("announcer").textContent = words;
  announced.add(words);
}

function update({ loaded = false } = {}) {
  clearTimeout(timer);
  const line = document.querySelector("#leave-line .leave-line[data-start]");
  if (!line) return;
  const [leave, start] = [line.dataset.leave, line.dataset.start].map((text) => new Date(text).getTime());
  const now = Date.now();
  // The server may be right where this device's clock is slow.
  const isDue = now >= leave || "due" in line.dataset;
  line.toggleAttribute("data-due", isDue);
  line.hidden = now >= start;
  if (isDue && !line.hidden) announce(line, { aloud: !loaded });
  const next = [leave, start].filter((moment) => moment > now);
  if (next.length) timer = setTimeout(update, Math.min(Math.min(...next) - now, MAX_WAIT));
}

document.addEventListener("htmx:configRequest", ({ detail }) => {
  if (detail.elt.id === "agenda-news") detail.parameters.leave = "too";
});
// The line comes with the news, and is none of them: where they are compared and read aloud, it is left out.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (!["agenda-news", "leave-watch"].includes(detail.target.id)) return;
  const answer = document.createElement("template");
  answer.innerHTML = detail.serverResponse;
  const brought = answer.content.querySelector("template[data-leave-line]");
  if (!brought) return;
  const place = document.getElementById("leave-line");
  if (place && given.get(place) !== brought.innerHTML) {
    given.set(place, brought.innerHTML);
    const hadFocus = place.contains(document.activeElement);
    place.innerHTML = brought.innerHTML;
    if (hadFocus) (place.querySelector("a") ?? document.getElementById("main")).focus({ preventScroll: true });
  }
  brought.remove();
  detail.serverResponse = answer.innerHTML;
  update();
});
// A page that slept, and a page whose main part was drawn anew.
document.addEventListener("visibilitychange", () => { if (!document.hidden) update(); });
document.addEventListener("htmx:afterSettle", () => update());

update({ loaded: true });

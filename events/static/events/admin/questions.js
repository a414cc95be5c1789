// The stage reloads itself between two questions.
"use strict";

const EVERY = 10_000;

async function fetched() {
  const response = await fetch(window.location.href, { credentials: "same-origin" });
  // After a logout, go to the login page.
  if (!response.ok || response.redirected) return null;
  return new DOMParser().parseFromString(await response.text(), "text/html");
}

function show(page, part) {
  const old = document.querySelector(part);
  const fresh = page.querySelector(part);
  // Unchanged text is not replaced, so that screen readers do not repeat it. Tokens differ each time, the text does not.
  if (fresh && fresh.textContent !== old.textContent) old.replaceChildren(...document.adoptNode(fresh).childNodes);
}

async function renew() {
  const stage = document.querySelector("[data-stage]");
  // A button that is about to be pressed stays where it is.
  if (!stage || document.hidden || stage.querySelector(":focus, button:hover")) return;
  const page = await fetched().catch(() => null);
  // Old questions must not look like all there are.
  document.querySelector("[data-stale]").hidden = Boolean(page);
  if (!page) return;
  show(page, "[data-stage-count]");
  show(page, "[data-stage]");
}

setInterval(renew, EVERY);

// The stage fetches itself anew, so that nobody has to reload it between two questions.
"use strict";

const EVERY = 10_000;

async function fetched() {
  const response = await fetch(window.location.href, { credentials: "same-origin" });
  // Who was logged out is led to the login.
  if (!response.ok || response.redirected) return null;
  return new DOMParser().parseFromString(await response.text(), "text/html");
}

function show(page, part) {
  const old = document.querySelector(part);
  const fresh = page.querySelector(part);
  // What says the same stays: a screen reader need not hear it again. Tokens differ each time, words do not.
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

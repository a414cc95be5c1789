// The stage fetches itself anew, so that nobody has to reload it between two questions.
"use strict";

const EVERY = 10_000;

async function renew() {
  const stage = document.querySelector("[data-stage]");
  // A button that is about to be pressed stays where it is.
  if (!stage || document.hidden || stage.querySelector(":focus, button:hover")) return;
  const response = await fetch(window.location.href, { credentials: "same-origin" });
  if (!response.ok || response.redirected) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const fresh = page.querySelector("[data-stage]");
  if (fresh) stage.replaceWith(document.adoptNode(fresh));
}

setInterval(() => renew().catch(() => {}), EVERY);

// A report that was not sent must not look like one that was.
"use strict";

const said = document.querySelector("[data-board-said]");

function say(words, isFailure = false) {
  said.textContent = words;
  said.toggleAttribute("data-failed", isFailure);
}

function sayFailed({ detail }, why) {
  const room = detail.elt.closest("[data-board-room]");
  if (room) say(`Not sent: ${why} ${room.dataset.name} is as it was; press again.`, true);
  else say(`${why} What is below may be old.`, true);
}

// After a logout, and in a network that asks for a password, another page answers.
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.isError || event.detail.serverResponse.includes("data-board-room")) return;
  event.detail.shouldSwap = false;
  sayFailed(event, "another page answered. Reload this page and sign in.");
});
document.addEventListener("htmx:sendError", (event) => sayFailed(event, "no connection."));
document.addEventListener("htmx:timeout", (event) => sayFailed(event, "no answer in 15 seconds."));
document.addEventListener("htmx:responseError", (event) => sayFailed(event, "the site did not accept it."));

document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (!detail.successful || !detail.xhr.responseText.includes("data-board-room")) return;
  const room = detail.target.id.startsWith("room-") && document.getElementById(detail.target.id);
  const words = room && room.querySelector("[data-words]");
  say(words ? `${room.dataset.name}: ${words.textContent.trim().replace(/\s+/g, " ")}` : "");
});

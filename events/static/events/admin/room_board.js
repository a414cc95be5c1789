// A report that was not sent must not look like one that was.
"use strict";

const said = document.querySelector("[data-board-said]");

function say(words, failed = "") {
  said.textContent = words;
  if (failed) said.dataset.failed = failed;
  else delete said.dataset.failed;
}

const nameOf = (element) => element.closest("[data-board-room]").dataset.name;

function sayFailed({ detail }, why) {
  if (detail.elt.closest("[data-board-room]")) say(`Not sent: ${why} ${nameOf(detail.elt)} is as it was; press again.`, "press");
  else if (said.dataset.failed !== "press") say(`What is below may be old: ${why}`, "read");
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
  const isPress = detail.requestConfig.verb === "post";
  const words = document.getElementById(detail.target.id)?.querySelector("[data-words]");
  // What was not sent stays so, whatever is read afterwards.
  if (isPress && words) say(`${nameOf(words)}: ${words.textContent.trim().replace(/\s+/g, " ")}`);
  else if (isPress || said.dataset.failed === "read") say("");
});

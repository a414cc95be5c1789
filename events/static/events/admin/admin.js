// Django puts the focus on the first control, which is a button above the form: the first field is meant, or the first mistake.
"use strict";

const beginInFirstField = () => {
  // Somebody may be typing already.
  if (document.activeElement?.matches("input:not([type='submit']), select, textarea")) return;
  const form = document.querySelector("#content-main > form[id$='_form']");
  const fields = "input:not([type='hidden'], [type='file']), select, textarea";
  const wrong = form?.querySelector(`.errors :is(${fields})`);
  const first = wrong ?? [...(form?.querySelectorAll(`fieldset :is(${fields})`) ?? [])].find((field) => field.offsetParent && field.name !== "conference");
  // On a phone that would scroll past what a message says.
  first?.focus({ preventScroll: !wrong && Boolean(document.querySelector(".messagelist")) });
};
document.addEventListener("DOMContentLoaded", beginInFirstField);
// Django's script may come after that, but not after this.
window.addEventListener("load", beginInFirstField);

// Another conference has other days, rooms and people: load a new form before anything else is typed.
document.addEventListener("DOMContentLoaded", () => {
  const conference = document.querySelector("form[id$='_form'] select[name='conference']");
  if (!conference) return;
  conference.addEventListener("change", () => {
    const address = new URL(window.location.href);
    address.searchParams.set("conference", conference.value);
    window.location.assign(address);
  });
});

// Whoever types another colour means that one.
document.addEventListener("input", (event) => {
  if (!event.target.name?.endsWith("_other")) return;
  const choice = document.getElementById(`${event.target.id}_choice`);
  if (choice) choice.checked = true;
});

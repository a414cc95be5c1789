// Another conference has other days, rooms and people: load a new form before anything else is typed.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const conference = document.querySelector("form[id$='_form'] select[name='conference']");
  if (!conference) return;
  conference.addEventListener("change", () => {
    const address = new URL(window.location.href);
    address.searchParams.set("conference", conference.value);
    window.location.assign(address);
  });
});

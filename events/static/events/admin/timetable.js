// An event is moved by pointer or keyboard to another hour or room. What is sent is the form of the page.
"use strict";

const STEP = 5;
const STEPS_PER_HOUR = 60 / STEP;
const DRAG_PIXELS = 5;
const EDGE_PIXELS = 56;
const SCROLL_PIXELS = 14;

const table = document.querySelector("[data-timetable]");
const scroller = document.querySelector("[data-scroll]");
const mark = document.querySelector("[data-mark]");
const said = document.querySelector("[data-said]");
const form = document.querySelector("form#move");

if (table && form) begin();

// Another event than that whose hour and room are in the form: these stay as they are.
form?.elements.event.addEventListener("change", () => {
  form.elements.start.value = "";
  form.elements.room.value = "";
});

function begin() {
  const rows = [...table.querySelectorAll("tr[data-time]")];
  const columns = [...table.querySelectorAll("th[data-room]")];
  const items = [...document.querySelectorAll("[data-event]")].map(readItem);
  let move = null;

  function readItem(element) {
    const { event, token, title, start, minutes, room, within } = element.dataset;
    return {
      element,
      key: event,
      token,
      title,
      room,
      start: start === "" ? null : Number(start),
      minutes: Number(minutes),
      within: within.split(" "),
      claims: JSON.parse(element.dataset.claims),
      shares: "shares" in element.dataset,
    };
  }

  const itemOf = (element) => items.find((item) => item.element === element);
  const clock = (minutes) => {
    const [hour, minute] = rows[0].dataset.time.split(":").map(Number);
    const all = (((hour * 60 + minute + minutes) % 1440) + 1440) % 1440;
    return `${String(Math.floor(all / 60)).padStart(2, "0")}:${String(all % 60).padStart(2, "0")}`;
  };
  const overlap = (a, aEnd, b, bEnd) => a < bEnd && b < aEnd;

  // Where it would be, and what is in the way.

  function conflicts(item, row, column) {
    const start = row * STEP;
    const room = columns[column].dataset.room;
    // People of an event without an hour are counted from the hour at which it is dropped.
    const shift = start - (item.start ?? 0);
    const others = items.filter((it) => it.start !== null && it !== item && !related(it, item));
    const found = [];
    for (const other of others) {
      const isTaken = other.room === room && !other.shares && !item.shares;
      if (isTaken && overlap(start, start + item.minutes, other.start, other.start + other.minutes)) {
        found.push(`${columns[column].textContent} is taken by “${other.title}” (${hours(other.start, other.minutes)}).`);
      }
      const person = busyPerson(item, shift, other);
      if (person) found.push(`${person} is in “${other.title}” then.`);
    }
    return found;
  }

  const related = (a, b) => a.within.includes(b.key) || b.within.includes(a.key);

  function busyPerson(item, shift, other) {
    for (const [person, name, from, to] of item.claims) {
      const meets = ([it, , a, b]) => it === person && overlap(from + shift, to + shift, a, b);
      if (other.claims.some(meets)) return name;
    }
    return "";
  }

  const hours = (start, minutes) => `${clock(start)}–${clock(start + minutes)}`;

  function show() {
    const found = conflicts(move.item, move.row, move.column);
    const where = `“${move.item.title}”: ${hours(move.row * STEP, move.item.minutes)}, ${columns[move.column].textContent}.`;
    const more = found.length > 2 ? ` And ${found.length - 2} more.` : "";
    said.textContent = `${where} ${found.length ? found.slice(0, 2).join(" ") + more : "Free."}`;
    said.toggleAttribute("data-moving", true);
    for (const element of [said, mark]) element.toggleAttribute("data-clash", found.length > 0);
    drawMark();
  }

  // The mark is a drawing, because the policy of the site allows no styles in elements.
  function drawMark() {
    const sheet = mark.getBoundingClientRect();
    const column = columns[move.column].getBoundingClientRect();
    const top = rows[move.row].getBoundingClientRect().top - sheet.top;
    const last = Math.min(rows.length, move.row + Math.max(1, Math.ceil(move.item.minutes / STEP))) - 1;
    const height = rows[last].getBoundingClientRect().bottom - sheet.top - top;
    const [rect, text] = mark.children;
    const set = (element, values) => Object.entries(values).forEach(([name, value]) => element.setAttribute(name, value));
    set(rect, { x: column.left - sheet.left + 2, y: top + 1, width: column.width - 4, height: Math.max(4, height - 2) });
    set(text, { x: column.left - sheet.left + 12, y: top + 19 });
    text.textContent = clock(move.row * STEP);
    mark.toggleAttribute("data-shown", true);
  }

  // Beginning and end of a move.

  function pickUp(item, row, column) {
    move = { item, row, column, from: { row, column } };
    item.element.toggleAttribute("data-moving", true);
  }

  function putDown(words) {
    move.item.element.removeAttribute("data-moving");
    move.item.element.querySelector("[aria-pressed]")?.setAttribute("aria-pressed", "false");
    document.documentElement.classList.remove("timetable-drag");
    for (const element of [said, mark]) ["data-moving", "data-clash", "data-shown"].forEach((it) => element.removeAttribute(it));
    said.textContent = words;
    move = null;
  }

  function drop() {
    const { item, row, column } = move;
    const room = columns[column].dataset.room;
    if (item.room === room && item.start !== null && Math.floor(item.start / STEP) === row) {
      putDown(`“${item.title}” is where it was.`);
      return;
    }
    form.elements.event.value = item.token;
    form.elements.day.value = table.dataset.day;
    form.elements.start.value = rows[row].dataset.time;
    form.elements.room.value = room;
    putDown(`“${item.title}”: the next page shows what the move does. Nothing is saved yet.`);
    form.requestSubmit();
  }

  const clamp = (value, count) => Math.min(Math.max(value, 0), count - 1);
  const firstRow = (item) => clamp(item.start === null ? rowInSight() : Math.floor(item.start / STEP), rows.length);
  const firstColumn = (item) => Math.max(0, columns.findIndex((it) => it.dataset.room === item.room));

  function rowInSight() {
    const top = scroller.getBoundingClientRect().top + table.tHead.getBoundingClientRect().height;
    return rows.findIndex((row) => row.getBoundingClientRect().top >= top);
  }

  // By pointer.

  function rowAt(y) {
    const after = rows.findIndex((row) => row.getBoundingClientRect().bottom > y);
    return after < 0 ? rows.length - 1 : after;
  }

  function columnAt(x) {
    const after = columns.findIndex((column) => column.getBoundingClientRect().right > x);
    return after < 0 ? columns.length - 1 : after;
  }

  function isOverSheet({ clientX, clientY }) {
    const { left, right, top, bottom } = scroller.getBoundingClientRect();
    return clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
  }

  let held = null;

  function hold(event) {
    const element = event.target.closest("[data-movable]");
    const isHandle = event.target.closest(".timetable-handle");
    if (!element || event.button !== 0 || move || (event.pointerType !== "mouse" && !isHandle)) return;
    const top = element.getBoundingClientRect().top;
    const inTable = table.contains(element);
    held = { element, id: event.pointerId, x: event.clientX, y: event.clientY, offset: inTable ? event.clientY - top : 0 };
  }

  function drag(event) {
    if (!held || event.pointerId !== held.id) return;
    if (!move) {
      if (Math.hypot(event.clientX - held.x, event.clientY - held.y) < DRAG_PIXELS) return;
      const item = itemOf(held.element);
      pickUp(item, firstRow(item), firstColumn(item));
      held.element.setPointerCapture(held.id);
      document.documentElement.classList.add("timetable-drag");
    }
    held.last = event;
    follow();
    scrollAtEdge();
  }

  function follow() {
    held.isOver = isOverSheet(held.last);
    move.row = rowAt(held.last.clientY - held.offset + rowHeight() / 2);
    move.column = columnAt(held.last.clientX);
    if (held.isOver) show();
    else leaveSheet();
  }

  const rowHeight = () => rows[0].getBoundingClientRect().height;

  function leaveSheet() {
    mark.removeAttribute("data-shown");
    said.textContent = `“${move.item.title}”: drop it on a room and an hour.`;
  }

  function scrollAtEdge() {
    if (held.isScrolling) return;
    held.isScrolling = true;
    requestAnimationFrame(function step() {
      if (!held || !move) return;
      const [x, y] = pull(held.last);
      held.isScrolling = held.isOver && (x !== 0 || y !== 0);
      if (!held.isScrolling) return;
      scroller.scrollBy(x, y);
      follow();
      requestAnimationFrame(step);
    });
  }

  function pull({ clientX, clientY }) {
    const { left, right, top, bottom } = scroller.getBoundingClientRect();
    const along = (at, from, to) => (at < from + EDGE_PIXELS ? -SCROLL_PIXELS : at > to - EDGE_PIXELS ? SCROLL_PIXELS : 0);
    return [along(clientX, left, right), along(clientY, top, Math.min(bottom, innerHeight))];
  }

  function release(event) {
    if (!held || event.pointerId !== held.id) return;
    const { isOver } = held;
    held = null;
    if (!move) return;
    // The click that follows would open the link below the pointer.
    const swallow = (click) => click.preventDefault();
    addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", swallow, { capture: true }), 0);
    if (isOver && event.type === "pointerup") drop();
    else putDown(`“${move.item.title}” is where it was.`);
  }

  document.addEventListener("pointerdown", hold);
  document.addEventListener("pointermove", drag);
  document.addEventListener("pointerup", release);
  document.addEventListener("pointercancel", release);
  document.addEventListener("dragstart", (event) => {
    if (event.target.closest?.("[data-movable]")) event.preventDefault();
  });

  // By keyboard: a pressed handle has its event in hand.

  function pressHandle(handle) {
    const item = itemOf(handle.closest("[data-event]"));
    pickUp(item, firstRow(item), firstColumn(item));
    handle.setAttribute("aria-pressed", "true");
    showInSight();
  }

  function showInSight() {
    const sheet = scroller.getBoundingClientRect();
    const row = rows[move.row].getBoundingClientRect();
    const column = columns[move.column].getBoundingClientRect();
    const head = table.tHead.getBoundingClientRect().height;
    const side = table.rows[0].cells[0].getBoundingClientRect().width;
    const beyond = (low, high, from, to) => (low < from ? low - from : high > to ? Math.min(high - to, low - from) : 0);
    const bottom = Math.min(sheet.bottom, innerHeight) - EDGE_PIXELS;
    scroller.scrollBy(beyond(column.left, column.right, sheet.left + side, sheet.right), beyond(row.top, row.bottom, sheet.top + head, bottom));
    show();
  }

  const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

  function steer(event) {
    const [down, right] = ARROWS[event.key];
    move.row = clamp(move.row + down * (event.shiftKey ? STEPS_PER_HOUR : 1), rows.length);
    move.column = clamp(move.column + right, columns.length);
    showInSight();
  }

  function press(event) {
    if (held && move && event.key === "Escape") {
      held = null;
      putDown(`“${move.item.title}” is where it was.`);
    }
    const handle = event.target.closest(".timetable-handle");
    if (!handle || held || event.ctrlKey || event.altKey || event.metaKey) return;
    const isPress = event.key === "Enter" || event.key === " ";
    if (!move && !isPress) return;
    if (!move) pressHandle(handle);
    else if (isPress) drop();
    else if (event.key in ARROWS) steer(event);
    else if (event.key === "Escape") putDown(`“${move.item.title}” is where it was.`);
    else return;
    event.preventDefault();
  }

  document.addEventListener("keydown", press);
  document.addEventListener("focusout", () => {
    if (move && !held) putDown(`“${move.item.title}” is where it was.`);
  });

  for (const handle of document.querySelectorAll(".timetable-handle")) {
    handle.setAttribute("role", "button");
    handle.setAttribute("aria-pressed", "false");
    handle.setAttribute("aria-describedby", "timetable-help");
  }
  document.querySelector("[data-scripted]").hidden = false;
  // The first event is in sight, not an hour of nothing.
  scroller.querySelector("td [data-event]")?.scrollIntoView({ block: "nearest" });
}

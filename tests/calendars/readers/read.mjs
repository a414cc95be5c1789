// Reads calendars with ical.js and node-ical: a line of JSON in for each calendar, a line of JSON out.
import { createInterface } from "node:readline";
import ICAL from "ical.js";
import nodeIcal from "node-ical";

const two = (number) => String(number).padStart(2, "0");

// A day as 2025-04-24, an instant as 2025-04-24T01:00:00.000Z.
const byIcalJs = {
  time: (value) => (value.isDate ? value.toString() : value.toJSDate().toISOString()),
  entries(text) {
    const calendar = new ICAL.Component(ICAL.parse(text));
    for (const zone of calendar.getAllSubcomponents("vtimezone")) ICAL.TimezoneService.register(zone);
    return calendar.getAllSubcomponents("vevent").map((component) => {
      const event = new ICAL.Event(component);
      const status = component.getFirstPropertyValue("status");
      return [event.uid, this.time(event.startDate), this.time(event.endDate), event.summary, status];
    });
  },
};

const byNodeIcal = {
  // A day is midnight of the process's own zone.
  day: (value) => `${value.getFullYear()}-${two(value.getMonth() + 1)}-${two(value.getDate())}`,
  time(value) {
    return value.dateOnly ? this.day(value) : value.toISOString();
  },
  entries(text) {
    const events = Object.values(nodeIcal.sync.parseICS(text)).filter((component) => component.type === "VEVENT");
    return events.map((event) => [event.uid, this.time(event.start), this.time(event.end), event.summary, event.status]);
  },
};

const read = (reader, text) => {
  try {
    return { entries: reader.entries(text) };
  } catch (error) {
    return { error: String(error) };
  }
};

for await (const line of createInterface({ input: process.stdin })) {
  const text = JSON.parse(line);
  process.stdout.write(`${JSON.stringify({ "ical.js": read(byIcalJs, text), "node-ical": read(byNodeIcal, text) })}\n`);
}

"""What RFC 5545 asks of a calendar, and what has broken a client before: our own linter of the bytes."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.calendars.lint_bytes import line_problems, unfolded

PROPERTY = re.compile(r'(?P<name>[A-Z][A-Z0-9-]*)(?P<parameters>(?:;[A-Z][A-Z-]*=(?:"[^"]*"|[^";:,]*))*):(?P<value>.*)')
ESCAPE = re.compile(r"\\[\\;,n]")
TEXTS = "UID SUMMARY DESCRIPTION LOCATION NAME X-WR-CALNAME X-WR-CALDESC PRODID TZID TZNAME RELATED-TO".split()
ADDRESSES = "URL SOURCE IMAGE CONFERENCE".split()
UTC = "DTSTAMP CREATED LAST-MODIFIED".split()
FORMS = {
    "VERSION": r"2\.0",
    "STATUS": "CONFIRMED|TENTATIVE|CANCELLED",
    "TRANSP": "OPAQUE|TRANSPARENT",
    "CLASS": "PUBLIC|PRIVATE",
    "ACTION": "DISPLAY",
    "TRIGGER": r"-PT\d+M",
    "SEQUENCE": r"\d{1,9}",
    "GEO": r"-?\d{1,2}(\.\d{1,6})?;-?\d{1,3}(\.\d{1,6})?",
    "REFRESH-INTERVAL": r"PT\d+[HM]",
    "X-PUBLISHED-TTL": r"PT\d+[HM]",
    "TZOFFSETFROM": r"[+-]\d{4}(\d{2})?",
    "TZOFFSETTO": r"[+-]\d{4}(\d{2})?",
    "COLOR": r"[a-z]+",
}
# An invitation, somebody's address, what readers understand in different ways, a second way to say the end, HTML.
FORBIDDEN = """METHOD ORGANIZER ATTENDEE CONTACT RRULE RDATE EXDATE EXRULE RECURRENCE-ID DURATION REPEAT ATTACH
    X-ALT-DESC X-WR-TIMEZONE X-APPLE-STRUCTURED-LOCATION""".split()
REPEATABLE = "CATEGORIES RELATED-TO IMAGE CONFERENCE".split()
CLOCKS = "DTSTART TZOFFSETFROM TZOFFSETTO".split()
NEEDED = {
    "VCALENDAR": "VERSION PRODID NAME X-WR-CALNAME".split(),
    "VEVENT": "UID DTSTAMP DTSTART DTEND SUMMARY DESCRIPTION SEQUENCE STATUS TRANSP CREATED LAST-MODIFIED URL".split(),
    "VALARM": "ACTION TRIGGER DESCRIPTION".split(),
    "VTIMEZONE": ["TZID"],
    "STANDARD": CLOCKS,
    "DAYLIGHT": CLOCKS,
}
OUTSIDE = {"VEVENT": "VCALENDAR", "VTIMEZONE": "VCALENDAR", "VALARM": "VEVENT", "STANDARD": "VTIMEZONE", "DAYLIGHT": "VTIMEZONE"}


@dataclass
class Component:
    name: str
    properties: list[tuple[str, str, str]] = field(default_factory=list)
    parts: list[Component] = field(default_factory=list)

    def walk(self) -> Iterator[Component]:
        yield self
        for part in self.parts:
            yield from part.walk()

    def values(self, name: str) -> list[str]:
        return [parameters + ":" + value for named, parameters, value in self.properties if named == name]


def problems(body: bytes) -> list[str]:
    """Everything that is wrong; nothing for a calendar that every client can read."""
    found = list(line_problems(body))
    root = Component("")
    found += _grow(root, unfolded(body))
    if [part.name for part in root.parts] != ["VCALENDAR"] or root.properties:
        return [*found, "not one VCALENDAR and nothing else"]
    for component in root.parts[0].walk():
        found += _component_problems(component)
    return found + list(_calendar_problems(root.parts[0]))


def _grow(root: Component, lines: list[str]) -> Iterator[str]:
    """Put what the lines say into components."""
    inside = [root]
    for line in lines:
        match = PROPERTY.fullmatch(line)
        if not match:
            yield f"no property: {line!r}"
        elif match["name"] == "BEGIN":
            part = Component(match["value"])
            if part.name not in NEEDED or OUTSIDE.get(part.name, "") != inside[-1].name:
                yield f"{part.name} in {inside[-1].name or 'nothing'}"
            inside[-1].parts.append(part)
            inside.append(part)
        elif match["name"] == "END":
            if match["value"] != inside[-1].name or len(inside) == 1:
                yield f"END:{match['value']} in {inside[-1].name or 'nothing'}"
                return
            inside.pop()
        else:
            inside[-1].properties.append((match["name"], match["parameters"], match["value"]))
    if len(inside) > 1:
        yield f"{inside[-1].name} has no end"


def _component_problems(component: Component) -> Iterator[str]:
    counts = Counter(name for name, _, _ in component.properties)
    for name in NEEDED.get(component.name, []):
        if not counts[name]:
            yield f"{component.name} without {name}"
    for name, count in counts.items():
        if count > 1 and name not in REPEATABLE:
            yield f"{count} times {name} in {component.name}"
    for name, parameters, value in component.properties:
        yield from _property_problems(name, parameters, value)
    if component.name == "VEVENT":
        yield from _time_problems(component)


def _property_problems(name: str, parameters: str, value: str) -> Iterator[str]:
    line = f"{name}{parameters}:{value}"
    if name in FORBIDDEN:
        yield f"forbidden: {line}"
    if not value:
        yield f"nothing said: {line}"
    if name in TEXTS and re.search(r"[\\;,]", ESCAPE.sub("", value)):
        yield f"not escaped: {line}"
    if name == "CATEGORIES" and re.search(r"[\\;]|^,|,,|,$", ESCAPE.sub("", value)):
        yield f"not escaped: {line}"
    if name in ADDRESSES and not re.fullmatch(r"https?://[\x21-\x7e]+", value):
        yield f"no address: {line}"
    if name in FORMS and not re.fullmatch(FORMS[name], value):
        yield f"not as it should be: {line}"
    if name in UTC and not (parameters == "" and value.endswith("Z") and _moment(f":{value}")):
        yield f"no moment in UTC: {line}"


def _time_problems(entry: Component) -> Iterator[str]:
    """Both are instants in UTC, or both are days, and the end is later."""
    times = [_moment(value) for name in ["DTSTART", "DTEND"] for value in entry.values(name)]
    if len(times) != 2 or None in times or type(times[0]) is not type(times[1]):
        yield f"times of two kinds or of none: {entry.values('DTSTART')} {entry.values('DTEND')}"
    elif not times[0] < times[1]:  # type: ignore[operator]
        yield f"ends before it starts: {entry.values('DTSTART')} {entry.values('DTEND')}"


def _moment(value: str) -> dt.date | None:
    day = value.startswith(";VALUE=DATE:")
    try:
        form = ";VALUE=DATE:%Y%m%d%z" if day else ":%Y%m%dT%H%M%SZ%z"
        found = dt.datetime.strptime(f"{value}+0000", form)  # noqa: DTZ007 - %z is in both forms
    except ValueError:
        return None
    return found.date() if day else found


def _calendar_problems(calendar: Component) -> Iterator[str]:
    if not calendar.parts:
        yield "no component"
    for uid, count in Counter(value for part in calendar.parts for value in part.values("UID")).items():
        if count > 1:
            yield f"{count} entries with UID{uid}"
    for part in calendar.parts:
        if part.name == "VTIMEZONE" and not part.parts:
            yield "a time zone without its clocks"

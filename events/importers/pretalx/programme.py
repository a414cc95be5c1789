"""What of pretalx's objects attendees may see, and when: confirmed submissions, in the slots of the released schedule."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterator
from typing import Any

from events.importers import cells, times, values
from events.importers.builder import ScheduleBuilder
from events.importers.data import AppearanceData, EventData, LinkData, ScheduleData
from events.importers.frab_texts import joined
from events.importers.hints import Hints
from events.importers.kinds import kind_of
from events.importers.pretalx.names import Names
from events.importers.pretalx.objects import Objects
from events.importers.pretalx.slots import Slots
from events.importers.venue_zone import zone_for

Json = dict[str, Any]


class Programme:
    """Never read: e-mail addresses, availabilities, answers, notes, scores; never named: who was not accepted."""

    def __init__(self, objects: Objects, hints: Hints, *, file: str) -> None:
        self.event = objects.events[0] if objects.events else {}
        self.language = values.text(self.event.get("locale")) or "en"
        self.slots = Slots(objects, file=file)
        zone, warning = zone_for(values.text(self.event.get("timezone")), hints, moments=self.slots.moments(), file=file)
        self.build = ScheduleBuilder(hints, zone, file=file)
        if warning:
            self.build.warn(warning)
        self.submissions = {self._code(it): it for it in [*self.slots.submissions(), *objects.submissions]}
        objects.rooms += self.slots.rooms()
        objects.tracks += [
            it for submission in self.submissions.values() if "name" in (it := values.row(submission.get("track")))
        ]
        self.names = Names(objects, self.build, self.language)
        self.hidden: Counter[str] = Counter()

    def read(self) -> ScheduleData:
        for code, submission in values.few(self.submissions.items(), file=self.build.file):
            if code:
                self._submission(code, submission)
        for (text, start, end), rooms in self._breaks().items():
            self._break(text, start, end, rooms)
        for state, count in self.hidden.most_common():
            self.build.skip(f"submissions {state}", f"{count} left out; only confirmed ones are shown")
        if self.names.unknown:
            self.build.warn(f"speakers of whom only the code is known: {len(self.names.unknown)}; add the speakers to the file")
        return self.build.build(
            name=self._text(self.event.get("name")),
            start=times.day_of(values.text(self.event.get("date_from"))),
            end=times.day_of(values.text(self.event.get("date_to"))),
            colour=cells.colour(values.text(self.event.get("primary_color"))),
        )

    def _text(self, value: Any) -> str:
        return values.text(value, self.language)

    def _code(self, submission: Json) -> str:
        return values.key(submission.get("code"))

    def _submission(self, code: str, submission: Json) -> None:
        slots, state = self.slots.of(code, submission), values.text(submission.get("state")).lower()
        shown = [slot for slot in slots if slot.get("is_visible") is not False]
        status = {"confirmed": "confirmed", "canceled": "cancelled"}.get(state, "" if state or not slots else "confirmed")
        if not status:
            self.hidden[f"in state {cells.quoted(state)}"] += 1
        elif slots and not shown:
            self.hidden["in hidden slots"] += 1
        elif status == "cancelled" and not shown:
            # What was shown before is cancelled because it vanished; what never was stays unknown.
            self.hidden["in state “canceled” that have no slot"] += 1
        else:
            for slot in shown or [{}]:
                self._talk(code, submission, slot, status)

    def _talk(self, code: str, submission: Json, slot: Json, status: str) -> None:
        place = f"submission {code}, {cells.quoted(self._text(submission.get('title')))}"
        start, end = self._times(slot, submission)
        said = self.names.of("types", submission.get("submission_type"))
        told = [self._text(submission.get(name)).strip() for name in ("abstract", "description")]
        seats = submission.get("attendee_signup_capacity") if submission.get("attendee_signup_required") is True else None
        made = self.build.event(
            EventData(
                key=code,
                title=self._text(submission.get("title")),
                type=self.build.type(kind_of(said or self._text(submission.get("title"))), said),
                status=status,
                start=start,
                end=end,
                room=self.build.room(self.names.of("rooms", slot.get("room"))),
                track=self.build.track(self.names.of("tracks", submission.get("track"))),
                abstract=joined(list(dict.fromkeys(told))),
                capacity=values.whole(seats) or None,
            ),
            place=place,
        )
        if made:
            who = tuple(AppearanceData(person=it) for it in self.names.speakers(submission.get("speakers")))
            self.build.add(made, people=who, links=self._links(submission, place))

    def _times(self, slot: Json, submission: Json) -> tuple[dt.datetime | None, dt.datetime | None]:
        start, end = (times.moment(values.text(slot.get(name)), self.build.zone) for name in ("start", "end"))
        minutes = values.whole(slot.get("duration")) or values.whole(submission.get("duration"))
        if start and not end and minutes and minutes < 10**5:
            end = start + dt.timedelta(minutes=minutes)
        return (start, end) if start else (None, None)

    def _links(self, submission: Json, place: str) -> tuple[LinkData, ...]:
        """Slides and the like, where the file has them written out and open to everybody."""
        found: dict[str, LinkData] = {}
        for resource in values.rows(submission.get("resources")):
            if resource.get("is_public") is False:
                continue
            title = self._text(resource.get("description"))
            url = values.absolute(values.text(resource.get("resource") or resource.get("link")), self._site())
            found |= {it.url: it for it in self.build.link(url, kind=values.link_kind(title), title=title, place=place)}
        return tuple(found.values())

    def _site(self) -> str:
        return values.text(self.event.get("custom_domain"))

    def _breaks(self) -> dict[tuple[str, dt.datetime, dt.datetime | None], list[str]]:
        """A coffee break that stands in every room's column is one, with all its rooms."""
        found: dict[tuple[str, dt.datetime, dt.datetime | None], list[str]] = {}
        for text, slot in self._empty_slots():
            start, end = self._times(slot, {})
            if start:
                found.setdefault((text, start, end), []).append(self.names.of("rooms", slot.get("room")))
        return found

    def _empty_slots(self) -> Iterator[tuple[str, Json]]:
        for slot in self.slots.empty():
            text = self._text(slot.get("description")).strip()
            if text and slot.get("is_visible") is not False and slot.get("slot_type") != "blocker":
                yield text, slot

    def _break(self, text: str, start: dt.datetime, end: dt.datetime | None, rooms: list[str]) -> None:
        kind = "social" if kind_of(text) == "social" else "break"
        # pretalx numbers its slots anew with every release: a break is known by what it is called on which day.
        key = f"break-{cells.key_of(text)[:80]}-{start.astimezone(self.build.zone):%Y-%m-%d}"
        named = list(dict.fromkeys(filter(None, rooms)))
        self.build.event(
            EventData(
                key=key,
                title=text,
                type=self.build.type(kind),
                start=start,
                end=end,
                room=self.build.room(named[0]) if len(named) == 1 else "",
                place=", ".join(named) if len(named) > 1 else "",
            ),
            place=f"break {cells.quoted(text)}",
        )

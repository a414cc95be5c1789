"""From schedule.json's objects to a programme."""

from __future__ import annotations

import datetime as dt

from events.importers import cells, times, values
from events.importers.builder import ScheduleBuilder
from events.importers.data import EventData, LinkData, ScheduleData
from events.importers.frab_texts import LANGUAGES, joined
from events.importers.hints import Hints
from events.importers.kinds import kind_of
from events.importers.schedule_json.entries import Entry, Json, UnusableError, entries, moments
from events.importers.schedule_json.people import People
from events.importers.venue_zone import zone_for

HIDDEN = {"draft", "submitted", "accepted", "rejected", "withdrawn", "deleted"}


class Reader:
    def __init__(self, file: str, hints: Hints, schedule: Json, conference: Json) -> None:
        self.schedule, self.conference = schedule, conference
        self.days, self.events = values.rows(conference.get("days")), values.rows(schedule.get("events"))
        named = values.text(conference.get("time_zone_name"))
        zone, warning = zone_for(named, hints, moments=moments(self.days, self.events), file=file)
        self.build = ScheduleBuilder(hints, zone, file=file)
        if warning:
            self.build.warn(warning)
        self.people = People(self.build)
        self.base = next((it for it in map(self._address, ("base_url", "url")) if it), "")
        self.languages_vary = False
        self.disagreeing: list[str] = []
        self.tracks: dict[str, str] = {}
        self.rooms: dict[str, str] = {}

    def read(self) -> ScheduleData:
        conference, text = self.conference, values.text
        self._announce_rooms()
        for track in values.rows(conference.get("tracks")):
            name = text(track.get("name"))
            self.build.track(name, colour=text(track.get("color")))
            self.tracks[text(track.get("slug"))] = name
        found = values.few(entries(self.days, self.events, self.rooms, self.build), file=self.build.file)
        self.languages_vary = len({language for entry in found if (language := entry.text("language"))}) > 1
        for entry in found:
            self._take(entry)
        if self.disagreeing:
            more = f" and {len(self.disagreeing) - 1} more" if len(self.disagreeing) > 1 else ""
            self.build.warn(f"{self.disagreeing[0]}{more}: date and start disagree; the date is taken")
        first, last = self._window()
        return self.build.build(
            name=text(conference.get("title")) or text(conference.get("acronym")),
            start=first,
            end=last,
            url=text(conference.get("url")),
            colour=cells.colour(text(values.row(conference.get("colors")).get("primary"))),
        )

    def _window(self) -> tuple[dt.date | None, dt.date | None]:
        """The conference's first and last date, unless its days say that they are another year's."""
        first, last = (times.day_of(values.text(self.conference.get(name))) for name in ("start", "end"))
        days = [date for day in self.days if (date := times.day_of(values.text(day.get("date"))))]
        if days and ((first and first > max(days)) or (last and last < min(days))):
            self.build.warn(f"the conference says {first} to {last}, its days {min(days)} to {max(days)}; the days count")
            return min(days), max(days)
        return first, last

    def _address(self, name: str) -> str:
        found = values.text(self.schedule.get(name)) or values.text(self.conference.get(name))
        return found if cells.is_address(found) else ""

    def _announce_rooms(self) -> None:
        """Rooms come first and in the file's order, also those where nothing happens."""
        listed = values.rows(self.conference.get("rooms")) + values.rows(self.schedule.get("rooms"))
        for room in listed:
            name = values.text(room.get("name"))
            seats = values.whole(room.get("capacity")) or None
            self.build.room(name, capacity=seats, description=values.text(room.get("description")))
            self.rooms |= {said: name for by in ("slug", "guid") if (said := values.text(room.get(by)))}

    def _take(self, entry: Entry) -> None:
        status = (entry.text("state") or entry.text("status")).lower()
        if status in HIDDEN:
            self.build.skip(entry.place, f"it is “{status}”, which is not for attendees")
            return
        try:
            start, end = entry.times(self.build)
            people = self.people.of(entry)
        except UnusableError as error:
            self.build.skip(entry.place, str(error))
            return
        self.disagreeing += [entry.place] if entry.disagrees(start, self.build.zone) else []
        said = entry.text("type")
        kind = "break" if said in {"BREAK", "META"} else kind_of(said or entry.text("title"))
        made = self.build.event(
            EventData(
                key=entry.key(start),
                guid=values.key(entry.event.get("guid")),
                title=entry.text("title"),
                type=self.build.type(kind, said.replace("_", " ").capitalize() if said.isupper() else said),
                status="cancelled" if status in {"canceled", "cancelled"} else "confirmed",
                day=entry.day(start, self.build),
                start=start,
                end=end,
                room=self.build.room(entry.room),
                track=self._track(entry),
                abstract=self._abstract(entry),
            ),
            place=entry.place,
        )
        if made:
            self.build.add(made, people=people, links=self._links(entry))

    def _abstract(self, entry: Entry) -> str:
        """Subtitle, abstract and description, each once, and the language where not all events have the same."""
        subtitle, abstract, description = (entry.text(name) for name in ("subtitle", "abstract", "description"))
        language = LANGUAGES.get(entry.text("language").lower()[:2], "") if self.languages_vary else ""
        if abstract in description:
            abstract = ""
        elif description in abstract:
            description = ""
        return joined([subtitle, abstract, description, f"Language: {language}" if language else ""])

    def _track(self, entry: Entry) -> str:
        slug = values.text(values.row(entry.event.get("track")).get("slug"))
        return self.build.track(self.tracks.get(slug, slug) if slug else entry.text("track"))

    def _links(self, entry: Entry) -> tuple[LinkData, ...]:
        found: dict[str, LinkData] = {}
        told: list[tuple[str, Json]] = [("source", {"url": entry.text("url")})]
        for part in ("links", "attachments"):
            told += [("", it) for it in values.only_rows(entry.event.get(part), f"{entry.place}, {part}", self.build)]
        for kind, link in told:
            title = values.text(link.get("title"))
            url = values.absolute(values.text(link.get("url")), self.base)
            meant = kind or values.link_kind(values.text(link.get("type")), title)
            for it in self.build.link(url, kind=meant, title=title, place=entry.place):
                found.setdefault(it.url, it)
        for it in self.build.link(entry.text("feedback_url"), title="Feedback", place=entry.place):
            found.setdefault(it.url, it)
        return tuple(found.values())

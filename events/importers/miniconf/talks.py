"""speakers, workshops, expos and orals: everything of a site that is neither a poster nor a social."""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Iterable, Iterator

from events.importers.data import AppearanceData, EventData
from events.importers.miniconf import times
from events.importers.miniconf.papers import recording
from events.importers.miniconf.people import appearances, names
from events.importers.miniconf.programme import Programme
from events.importers.miniconf.schedule import Slot
from events.importers.miniconf.sitedata import Entry, inner, text, texts


def speakers(programme: Programme, slots: Iterable[Slot]) -> None:
    """Invited talks at their own hour; the “live QA” of schedule.yml with the same id is the same thing."""
    asked = {text(slot.entry, "id"): slot for slot in slots if slot.type == "qa" and text(slot.entry, "id")}
    for entry in [*programme.files.entries("speakers.yml", under="speakers"), *programme.files.rows("speakers.csv")]:
        number = text(entry, "id") or text(entry, "UID")
        place = f"speakers, “{text(entry, 'speaker')[:60]}”"
        slot = asked.pop(number, None)
        event = _timed(programme, entry, place, slot)
        event = dataclasses.replace(
            event,
            key=programme.key("speaker", number, text(entry, "title")),
            title=text(entry, "title") or text(entry, "speaker"),
            type=programme.builder.type("invited-talk"),
            abstract=text(entry, "abstract"),
            people=_on_stage(programme, entry),
            recording_url=recording(text(entry, "slides_link")),
        )
        programme.add(event, place=place)
    for number, slot in asked.items():
        key = programme.key("qa", number)
        programme.add(slot.event(key, slot.name, programme.builder.type("invited-talk")), place=slot.place)


def _on_stage(programme: Programme, entry: Entry) -> tuple[AppearanceData, ...]:
    people, institution = names(text(entry, "speaker")), text(entry, "institution")
    parts = institution.split(" / ")
    for name, affiliation in zip(people, parts if len(parts) == len(people) else [institution] * len(people), strict=True):
        programme.builder.person(name, affiliation=affiliation, bio=text(entry, "bio"))
    return appearances(programme.builder, people, "speaker")


def workshops(programme: Programme) -> None:
    """Mini-Conf does not say when its workshops are."""
    files, builder = programme.files, programme.builder
    found = [*files.entries("workshops.yml", under="workshops"), *files.rows("workshops.csv")]
    for entry in found:
        title = text(entry, "name") or text(entry, "title")
        place = f"workshops, “{title[:60]}”"
        hosts = names(text(entry, "organizers") or text(entry, "authors").replace("|", ","))
        about = [text(entry, name) for name in ("short", "description", "abstract", "content")]
        event = EventData(
            key=programme.key("workshop", text(entry, "cal"), text(entry, "UID"), text(entry, "chat"), title),
            title=title,
            type=builder.type("session", "Workshop"),
            abstract="\n\n".join(filter(None, about)),
            people=appearances(builder, hosts, "host"),
            links=builder.link(text(entry, "website"), place=place) if text(entry, "website") else (),
            stream_url=text(entry, "zoom_live"),
            recording_url=recording(text(entry, "slides_live")),
        )
        programme.add(event, place=place)
    if found:
        builder.warn(f"workshops: their file names no day; {len(found)} stand without one, to be announced")


def expos(programme: Programme, slots: Iterable[Slot]) -> None:
    """Companies' talks; where schedule.yml has another hour for one, its own file counts and the other is told."""
    told = [slot for slot in slots if slot.type not in {"poster", "qa"}]
    for entry in programme.files.entries("expos.yml", under="expos"):
        name = text(entry, "name")
        place = f"expos.yml, “{name[:60]}”"
        event = _timed(programme, entry, place, None)
        same = next((slot for slot in told if _same(slot, name, event)), None)
        if same:
            told.remove(same)
            if event.start is None or event.end is None:
                event = same.event("", "", "")
            elif same.hours and same.hours.on(same.date)[0] != event.start:
                programme.builder.warn(f"{place}: schedule.yml says {same.hours.start:%H:%M}, not {event.start:%H:%M} UTC")
        event = dataclasses.replace(
            event,
            key=programme.key("expo", name, text(entry, "title")),
            title=": ".join(filter(None, [name, text(entry, "title")])),
            type=programme.builder.type("session", "Expo"),
            people=appearances(programme.builder, names(text(entry, "speaker")), "speaker"),
            stream_url=text(entry, "zoom"),
            recording_url=recording(text(entry, "slides_live")),
        )
        programme.add(event, place=place)
    for slot in told:
        label = "Expo" if slot.type == "expo" else slot.type.capitalize()
        key = programme.key(slot.type or "event", slot.date.isoformat() + "-" + text(slot.entry, "slot"))
        programme.add(slot.event(key, slot.name, programme.builder.type("session", label)), place=slot.place)


def _same(slot: Slot, name: str, event: EventData) -> bool:
    """Whether schedule.yml's “Expo ElementAI: …” is the expo of Element AI, on the same day."""
    named = name.replace(" ", "").lower()
    day = event.start.date().isoformat() if event.start else event.day
    return bool(named) and named in slot.name.replace(" ", "").lower() and day in {"", slot.date.isoformat()}


def _timed(programme: Programme, entry: Entry, place: str, slot: Slot | None) -> EventData:
    """An event at the entry's own day and time, else the slot's, else on its day, to be announced."""
    hours = times.hours(text(entry, "time"))
    dates = [date for _, date in programme.days(text(entry, "day"), hours, place) if date]
    empty = EventData(key="", title="", type="")
    if dates and hours:
        start, end = hours.on(dates[-1])
        return dataclasses.replace(empty, start=start, end=end)
    if slot:
        return slot.event("", "", "")
    programme.builder.warn(f"{place}: it has no hour on a day of the conference; it is to be announced")
    return dataclasses.replace(empty, day=programme.day(dates[0] if dates else None))


def orals(programme: Programme) -> None:
    """oral_schedule.yml has days and themes, no hours: each theme is a session on its day, to be announced."""
    days = programme.files.entries("oral_schedule.yml")
    if days:
        programme.builder.warn("oral_schedule.yml: it has days and no hours; its sessions and talks stand on their days")
    for listed in days:
        said = text(listed, "day")
        for theme, ids in _themes(listed):
            place = f"oral_schedule.yml, {said or 'no day'}, “{theme[:60]}”"
            shown = [it for it in ids if it in programme.papers]
            for unknown in (it for it in ids if it not in programme.papers):
                programme.builder.skip(place, f"no paper has the id “{unknown[:60]}”" if unknown else "an entry names no paper")
            if shown:
                dates = programme.days(said, None, place)
                _orals(programme, dates[0][1] if dates else None, theme, shown, place)


def _themes(listed: Entry) -> Iterator[tuple[str, list[str]]]:
    for section in inner(listed, "section"):
        yield text(section, "theme"), texts(section, "ids")


def _orals(programme: Programme, date: dt.date | None, theme: str, ids: list[str], place: str) -> None:
    builder, day = programme.builder, programme.day(date)
    session = programme.add(
        EventData(
            key=programme.key("orals", "-".join(filter(None, [day, theme]))),
            title=theme or "Orals",
            type=builder.type("session", "Oral session"),
            day=day,
        ),
        place=place,
    )
    for position, paper in enumerate(ids, start=1):
        talk = EventData(
            key=programme.key("oral", paper),
            title=programme.titles[paper],
            type=builder.type("talk", "Oral"),
            day=day,
            session=session.key,
            position=position,
            paper=programme.papers[paper],
        )
        programme.add(talk, place=place)

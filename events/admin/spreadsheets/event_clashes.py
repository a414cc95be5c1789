"""What the events of a file would put in two places at once, told before anything is written."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any, NamedTuple

from events.admin.spreadsheets.people import People, people_of
from events.models import Appearance, Conference, Status
from events.schedule.clash_words import sentence
from events.schedule.clashes import SHARING, Booking, Clash, clashes

COLUMNS = ("pk", "start", "end", "room", "type__kind", "session", "title")


class Named(NamedTuple):
    """Prints as its name, and is told from its namesakes by its number."""

    name: str
    number: Hashable

    def __str__(self) -> str:
        return self.name


class Row(NamedTuple):
    """What an event claims, as it is stored or as the file has it."""

    key: Hashable
    start: dt.datetime | None
    end: dt.datetime | None
    room: int | None
    kind: str
    session: Hashable
    title: str


def new_clashes(conference: Conference, events: Iterable[Any], people: People, parent: Callable[[Any], Hashable]) -> list[str]:
    """In sentences, what the conference would have then and does not have now."""
    rooms = {pk: Named(name, pk) for pk, name in conference.rooms.values_list("pk", "name")}
    kinds = dict(conference.types.values_list("pk", "kind"))

    def booking(row: Row, who: Iterable[int | str]) -> Booking:
        place = rooms.get(row.room) if row.room and row.kind not in SHARING else None
        named = frozenset(Named(people.label(it), it) for it in who)
        return Booking(row.key, row.start, row.end, place, named, row.session, row.title)

    before = {row.key: booking(row, who) for row, who in _stored(conference)}
    after = dict(before)
    for event in events:
        key = event.pk or event.guid
        after.pop(key, None)
        if event.status != Status.CANCELLED:
            row = Row(key, event.start, event.end, event.room_id, kinds[event.type_id], parent(event), event.title)
            after[key] = booking(row, [part.who for part in people_of(event)])
    known = {_pair(clash) for clash in clashes(before.values())}
    return [sentence(clash, conference.zone) for clash in clashes(after.values()) if _pair(clash) not in known]


def _stored(conference: Conference) -> Iterator[tuple[Row, list[int]]]:
    appearing: dict[int, list[int]] = defaultdict(list)
    for event, person in Appearance.objects.filter(event__conference=conference).values_list("event", "person"):
        appearing[event].append(person)
    for values in conference.events.exclude(status=Status.CANCELLED).order_by("pk").values_list(*COLUMNS):
        yield Row(*values), appearing[values[0]]


def _pair(clash: Clash) -> tuple[str, Hashable, frozenset[Hashable]]:
    assert isinstance(clash.what, Named)  # noqa: S101 - the bookings above claim nothing else
    return clash.kind, clash.what.number, frozenset({clash.a.key, clash.b.key})

"""What two devices have, and what bringing them together would do."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass

from events.models import Agenda, Bookmark, Conference, PrivateEntry, Seat, Visitor
from events.models.event import public_within
from events.models.merging import as_pick
from events.schedule.merging import Pick, preview

Picks = dict[int, Pick]


@dataclass(frozen=True)
class Meeting:
    """The agendas of two devices at one conference: what the other brings, and what there is."""

    conference: Conference
    new: int
    already: int
    removed_here: int
    removed_there: int
    only_here: int
    entries: int
    places_here: int


def has_agendas(visitor: Visitor | None) -> bool:
    return visitor is not None and visitor.agendas.filter(conference__status="published").exists()


def meetings(here: Visitor | None, there: Visitor) -> list[Meeting]:
    """For each conference that the other device has an agenda of, or both."""
    mine, theirs = _picks(here), _picks(there)
    entries, places = _entries(there), _places(here)
    agendas = Agenda.objects.filter(visitor__in=[it for it in (here, there) if it], conference__status="published")
    conferences = Conference.objects.filter(pk__in=agendas.values("conference")).order_by("-start", "name")
    return [_meeting(it, mine[it.pk], theirs[it.pk], entries.get(it.pk, 0), places.get(it.pk, 0)) for it in conferences]


def _meeting(conference: Conference, mine: Picks, theirs: Picks, entries: int, places: int) -> Meeting:
    told = preview(mine, theirs)
    return Meeting(
        conference=conference,
        new=told.new,
        already=told.already,
        removed_here=told.removed_here,
        removed_there=told.removed_there,
        only_here=sum(pick.removed_at is None and key not in theirs for key, pick in mine.items()),
        entries=entries,
        places_here=places,
    )


def _picks(visitor: Visitor | None) -> defaultdict[int, Picks]:
    """By conference and event."""
    found: defaultdict[int, Picks] = defaultdict(dict)
    rows = Bookmark.objects.filter(public_within("event"), agenda__visitor=visitor) if visitor else []
    for row in rows:
        found[row.agenda_id][row.event_id] = as_pick(row)
    conferences = dict(Agenda.objects.filter(pk__in=list(found)).values_list("pk", "conference"))
    return defaultdict(dict, {conferences[agenda]: picks for agenda, picks in found.items()})


def _entries(visitor: Visitor) -> dict[int, int]:
    """How many private entries, by conference."""
    found: dict[int, int] = {}
    rows = PrivateEntry.objects.filter(agenda__visitor=visitor, removed_at=None)
    for conference in rows.values_list("agenda__conference", flat=True):
        found[conference] = found.get(conference, 0) + 1
    return found


def _places(visitor: Visitor | None) -> dict[int, int]:
    """On how many lists of places, by conference."""
    seats = Seat.objects.alive().filter(agenda__visitor=visitor) if visitor else Seat.objects.none()
    return Counter(seats.values_list("agenda__conference", flat=True))

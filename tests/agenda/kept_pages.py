"""A programme, its edits, and its pages as they are kept and as they are made anew."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from typing import Any

from events.core.byte_cache import PROCESS_CACHE
from events.models import Agenda, Event, Paper, Room, Topic
from tests.factories import at, make_agenda, make_conference, make_day, make_event, make_paper, make_room
from tests.visitors import browser

FRIDAY = dt.date(2025, 4, 25)
AS_OF = re.compile(r"as of <time[^>]*>[^<]*</time>")
TITLES = ("Ada", "Bea", "Cy", "Dot", "Eve", "Flo")


def make_programme() -> list[Event]:
    """A session with two talks, and four events beside it, of which two show one paper."""
    conference = make_conference(slug="demo")
    rooms = [make_room(conference, name) for name in ("Hall", "Attic")]
    paper = make_paper(conference, title="A paper")
    session = make_event(conference, title="Session", start="09:00", end="11:00", room=rooms[0])
    events = [session]
    for number, title in enumerate(TITLES):
        hour = 9 + number % 4
        inside = session if number < 2 else None
        shown = paper if number in {2, 3} else None
        event = make_event(
            conference, kind="talk", title=title, start=f"{hour:02}:00", end=f"{hour + 1:02}:00", room=rooms[number % 2]
        )
        event.session, event.paper = inside, shown
        event.save()
        events.append(event)
    make_event(
        conference, title="Workshop", start="14:00", end="15:00", room=rooms[1], session=session, day=make_day(conference, FRIDAY)
    )
    Event.objects.filter(conference=conference).record_changes(quiet=True)
    events[-1].board = "7"
    make_agenda(conference, *Event.objects.all())
    # There are changes already, so that no menu is new.
    events[-1].revise()
    return [Event.objects.get(pk=event.pk) for event in events]


def make_posters(events: list[Event], *, listed: int) -> list[Event]:
    """Thirteen in the session, which only counts them, one with a topic; ``listed`` in a workshop, which lists them."""
    conference, session = events[0].conference, events[0]
    workshop = make_event(conference, title="Open workshop", start="13:00", end="15:00")
    posters = [
        make_event(conference, kind="poster", title=f"Poster {number}", start="10:00", end="11:00", session=parent)
        for number, parent in enumerate([session] * 13 + [workshop] * listed)
    ]
    Event.objects.filter(pk=posters[0].pk).update(topic=Topic.objects.create(conference=conference, area="Graphs"))
    Event.objects.filter(conference=conference).record_changes(quiet=True)
    return [session, workshop, posters[0], posters[-1]]


POSTER_PAGES = [
    *("/demo/schedule/2025-04-24/?topic=graphs", "/demo/schedule/2025-04-24/?type=poster&view=grid"),
    *("/demo/schedule/2025-04-24/?start=2025-04-24T11:00", "/demo/embed/?day=2025-04-24", "/demo/embed/?type=poster"),
]
DAYS = ["/demo/schedule/2025-04-24/", "/demo/schedule/2025-04-25/", "/demo/schedule/2025-04-24/?view=grid"]
SEARCHES = [
    f"/demo/search/?q={question}"
    for question in (
        "named",
        "named 1",
        "ada&part=results",
        "%22about 2%22",
        "room",
        "hall&part=panel",
        "naned",
        "session cy",
        "a",
    )
]


def pages_of(events: list[Event]) -> list[str]:
    feed = f"/feeds/{Agenda.objects.get().feed_token}.ics"
    return [*(event.get_absolute_url() for event in events), "/demo/", *DAYS, feed, *SEARCHES]


def shown(url: str, token: str = "") -> tuple[int, str]:
    answer = browser(**({"token": token} if token else {})).get(url)
    return answer.status_code, AS_OF.sub("", answer.text)


def fresh(url: str, token: str = "") -> tuple[int, str]:
    size, PROCESS_CACHE.max_bytes = PROCESS_CACHE.max_bytes, 0
    kept = PROCESS_CACHE._entries.copy()
    PROCESS_CACHE._entries.clear()
    try:
        return shown(url, token)
    finally:
        PROCESS_CACHE._entries.update(kept)
        PROCESS_CACHE.max_bytes = size


def visitors(events: list[Event]) -> list[str]:
    """The tokens of three: with conflicts, other times and a break; with a talk of a session and a poster; with nothing."""
    conference = events[0].conference
    session, ada, bea, cy, *_, flo = events
    make_event(conference, title="Coffee", kind="break", start="10:00", end="10:15", session=session).revise()
    posters = [
        make_event(conference, kind="poster", title=f"Poster {number}", start="16:00", end="17:00", session=session)
        for number in range(2)
    ]
    for poster in posters:
        poster.revise()
    picks = [(session, cy, flo, *posters), (ada, bea, *events[4:6]), ()]
    return [make_agenda(conference, *picked)[1] for picked in picks]


def own_pages(events: list[Event]) -> list[str]:
    return [*(event.get_absolute_url() for event in events), "/demo/", *DAYS[:2], "/demo/venue/", "/demo/agenda/"]


def move(event: Event, number: int) -> None:
    hour = 8 + number % 6
    event.start, event.end = at(f"{hour:02}:00"), at(f"{hour + 1 + number % 2:02}:30")


def give_hours(event: Event, number: int) -> None:
    event.start, event.end = (None, None) if number % 2 else (at("10:00"), at("11:00"))


def reparent(event: Event, number: int) -> None:
    sessions = Event.objects.filter(title="Session").exclude(pk=event.pk)
    event.session = None if number % 2 else sessions.first()


def rename_room(event: Event, number: int) -> None:
    room = event.room or Room.objects.order_by("pk")[0]
    room.name = f"Room {number}"
    room.revise()


def add(event: Event, number: int) -> None:
    hour = 8 + number % 6
    make_event(event.conference, title=f"New {number}", start=f"{hour:02}:15", end=f"{hour + 1:02}:00").revise()


def setting(name: str, value: Callable[[int], Any]) -> Callable[[Event, int], None]:
    return lambda event, number: setattr(event, name, value(number))


EDITS: dict[str, Callable[[Event, int], None]] = {
    "title": setting("title", lambda number: f"Named {number}"),
    "move": move,
    "room": setting("room", lambda number: Room.objects.order_by("name")[number % 2]),
    "status": setting("status", lambda number: ("confirmed", "cancelled", "tentative", "draft")[number % 4]),
    "session": reparent,
    "paper": setting("paper", lambda number: Paper.objects.first() if number % 2 else None),
    "position": setting("position", lambda number: number),
    "hours": give_hours,
    "board": setting("board", str),
    "questions": setting("takes_questions", lambda number: bool(number % 2)),
    "abstract": setting("abstract", lambda number: f"About {number}"),
    "new": add,
    "room name": rename_room,
}


def edit(events: list[Event], place: int, what: str, number: int) -> None:
    event = Event.objects.get(pk=events[place % len(events)].pk)
    EDITS[what](event, number)
    event.revise()

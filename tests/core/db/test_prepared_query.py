"""Each prepared query gives the rows of the queryset that it stands for, with this version of Django."""

from __future__ import annotations

import datetime as dt
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import django
import pytest
from django.db import connection, models
from django.utils import timezone

import events
from events.agenda.models import agenda as models_agenda
from events.agenda.models import bookmarks as models_bookmarks
from events.agenda.queries import changes as agenda_changes
from events.agenda.queries import other_times
from events.calendars import queries as calendar_queries
from events.core.db.prepared_query import PreparedQuery, prepared
from events.core.tokens import hash_token
from events.models import Agenda, Conference, Event
from events.pages import cards
from events.pages.queries import agenda as pages_agenda
from events.pages.queries import event as event_queries
from events.pages.queries import leaving, menu
from events.programme.models import conference as models_conference
from events.programme.queries import events as events_queries
from events.search.queries import result_times
from events.search.queries import results as search_results
from events.venue.queries import ways as venue_queries
from tests.factories import (
    at,
    make_agenda,
    make_appearance,
    make_conference,
    make_event,
    make_paper,
    make_person,
    make_room,
    make_walk,
    make_zone,
)

PROVEN_ON = (5, 2)
NINE = at("09:00")
QUERIES: dict[str, PreparedQuery[Any, *tuple[Any, ...]]] = {
    "conference by slug": models_conference._published_conference,
    "revision of a conference": models_conference._public_revision,
    "agenda by cookie": models_agenda._agenda_by_token,
    "agenda by feed token": models_agenda._agenda_by_feed,
    "rows of a feed": calendar_queries.attended_rows,
    "last changes of a feed": calendar_queries.newest_moments_of_agenda,
    "events of calendars": calendar_queries._events_with_day,
    "speakers in calendars": calendar_queries._speakers_of_events,
    "talks in calendars": calendar_queries._talks_of_sessions,
    "authors in calendars": calendar_queries._names_of_authors,
    "event to bookmark": events_queries._bare_events,
    "picks": models_bookmarks.bookmarked_rows,
    "state of a bookmark": models_bookmarks.bookmark_states,
    "entries and seats": models_agenda._agenda_extras,
    "walks": venue_queries.walks_in,
    "event of a page": event_queries._events_by_pk,
    "events at the same time": event_queries._parallel_events,
    "events in a room": event_queries._events_in_room,
    "people of an event": event_queries._appearances_of,
    "authors of a paper": event_queries._authorships_of,
    "other times of a paper": event_queries._events_of_paper,
    "few cards": cards._events_for_cards,
    "event that fragments are about": events_queries._placed_events,
    "changes of picks": agenda_changes._changes_since_bookmarked,
    "picks of a day": pages_agenda._events_of_day,
    "next rooms": pages_agenda._placed_events,
    "events with other times": other_times._read_events,
    "events of papers": other_times._events_of_papers,
    "events of titles": other_times._events_of_titles,
    "events to leave for": leaving._events_with_place,
    "found events": result_times._times_of_events,
    "times of found papers": result_times._times_of_papers,
    "found papers": search_results._public_papers,
    "filled pages": menu._filled_pages,
    "people of found events": search_results._appearance_names,
    "authors of found papers": search_results._author_names,
}


def test_prepared_queries_are_proven_on_this_django() -> None:
    assert django.VERSION[:2] == PROVEN_ON, (
        "events/models/prepared_query.py uses private parts of Django, and was proven on another version. "
        "If all other tests of this file pass, set PROVEN_ON to this version."
    )


def test_no_query_is_prepared_but_these() -> None:
    sources = [path.read_text() for path in Path(events.__path__[0]).rglob("*.py")]

    assert sum(text.count("\n@prepared\n") for text in sources) == len(QUERIES) == 36


@pytest.fixture
def values(transactional_db: None) -> dict[str, list[tuple[Any, ...]]]:
    """For each query the values of two worlds, and some of which there is no row."""
    found: dict[str, list[tuple[Any, ...]]] = {name: [] for name in QUERIES}
    for number in range(2):
        conference = make_conference(name=f"100 %s {number}")
        room = make_room(conference, "Hall 1")
        paper = make_paper(conference, make_person(conference, "Ada"), is_public=bool(number))
        session = make_event(conference, room=room)
        talk = make_event(conference, kind="talk", start="09:00", end="10:00", paper=paper, room=room, session=session)
        later = make_event(conference, kind="social", travel_minutes=5, signup_state="full")
        make_walk(conference, room.zone, make_zone(conference, "Exit"), minutes_back=7, covered=True)
        agenda, token = make_agenda(conference, *[talk, session, later][: 3 - number])
        agenda.bookmark(talk, on=True, level="later")
        _add_of_event_page(found, talk, session)
        talk.title = f"Renamed {number}"
        talk.revise()
        found["conference by slug"].append((conference.slug,))
        found["revision of a conference"].append((conference.pk,))
        found["agenda by cookie"].append((hash_token(token), conference.pk))
        _add_of_calendars(found, talk, session, agenda)
        found["event to bookmark"].append((conference.pk, talk.guid))
        found["picks"].append((agenda.pk,))
        found["entries and seats"].append((agenda.pk,))
        found["walks"].append((conference.pk,))
        _add_of_fragments(found, talk, agenda)
    found["conference by slug"].append(("'; --",))
    found["revision of a conference"].append((0,))
    found["agenda by cookie"].append((hash_token(token), 0))
    found["event to bookmark"].append((0, talk.guid))
    found["walks"].append((0,))
    found["event of a page"].append((0, talk.pk))
    found["people of an event"].append((0, 0))
    return found


def _add_of_calendars(found: dict[str, list[tuple[Any, ...]]], talk: Event, session: Event, agenda: Agenda) -> None:
    found["agenda by feed token"].append((hash_token(agenda.feed_token), "other", NINE))
    found["rows of a feed"].append((agenda.pk,))
    found["last changes of a feed"].append((agenda.conference_id, agenda.pk, NINE.date()))
    for name, key in (("events of calendars", talk.pk), ("speakers in calendars", talk.pk), ("talks in calendars", session.pk)):
        found[name] += [(key,), (talk.pk, session.pk, 0)]
    found["authors in calendars"].append((talk.paper_id, 0))


def _add_of_search(found: dict[str, list[tuple[Any, ...]]], talk: Event, session: Event) -> None:
    """Different numbers of values are composed separately."""
    for keys in ((talk.pk,), (talk.pk, session.pk), (session.pk, 0, talk.pk)):
        found["found events"].append(keys)
        found["people of found events"].append(keys)
    for keys in ((0,), (talk.paper_id, 0), (talk.paper_id,)):
        found["times of found papers"].insert(0, keys)
        # First those of the world whose paper is public.
        found["found papers"].insert(0, (talk.conference_id, *keys))
        found["authors of found papers"].insert(0, keys)


def _add_of_fragments(found: dict[str, list[tuple[Any, ...]]], talk: Event, agenda: Agenda) -> None:
    found["event that fragments are about"] += [(talk.conference_id, talk.pk), (0, talk.pk)]
    found["changes of picks"] += [(agenda.pk, timezone.now()), (agenda.pk, NINE)]
    found["state of a bookmark"] += [(agenda.pk, talk.pk), (agenda.pk, 0)]
    found["next rooms"] += [(talk.pk,), (talk.pk, 0)]
    found["events with other times"] += [(talk.conference_id, talk.pk), (talk.conference_id, 0, talk.pk)]
    found["events of papers"] += [(talk.paper_id,), (0, talk.paper_id)]
    found["events of titles"] += [(talk.conference_id, talk.title), (talk.conference_id, "", talk.title)]
    found["events to leave for"] += [(talk.pk,), (0, talk.pk)]
    found["picks of a day"] += [
        (agenda.pk, NINE.date(), NINE),
        (agenda.pk, dt.date(1999, 1, 1), at("04:00", dt.date(1999, 1, 1))),
    ]


def _add_of_event_page(found: dict[str, list[tuple[Any, ...]]], talk: Event, session: Event) -> None:
    _add_of_search(found, talk, session)
    conference = talk.conference
    make_event(conference, start="09:30", end="10:30", room=talk.room)
    make_appearance(talk, make_person(conference, "Grace"))
    found["filled pages"].append((conference.pk,))
    found["event of a page"].append((conference.pk, talk.pk))
    found["events at the same time"].append((conference.pk, talk.start, talk.end))
    found["events in a room"].append((talk.room_id, talk.day_id))
    found["people of an event"].append((talk.pk, session.pk))
    found["authors of a paper"].append((talk.paper_id,))
    found["other times of a paper"].append((talk.paper_id,))
    found["few cards"] += [(talk.pk,), (session.pk, 0, talk.pk)]


@pytest.mark.parametrize("name", QUERIES)
def test_prepared_query_gives_the_rows_of_its_queryset(name: str, values: Any, django_assert_num_queries: Any) -> None:
    query = QUERIES[name]
    ordinary = [[content(row) for row in query.compose(*some)] for some in values[name]]

    with django_assert_num_queries(len(values[name])):
        # Twice the first, which is composed by then.
        prepared = [[content(row) for row in query(*some)] for some in values[name]]
    again = [content(row) for row in query(*values[name][0])]

    assert prepared == ordinary
    assert again == ordinary[0] != []
    assert any(query.first(*some) is not None for some in values[name][1:])


@pytest.mark.django_db
def test_lists_of_keys_share_a_few_statements() -> None:
    events = [make_event(make_conference()) for _ in range(3)]
    composed: list[int] = []

    def compose(conference: int, *keys: int) -> models.QuerySet[Event]:
        composed.append(len(keys))
        return Event.objects.filter(conference__gte=conference, pk__in=keys).order_by("pk")

    query, keys = prepared(compose), [event.pk for event in events]
    found = [query(0, *keys[:count]) for count in (3, 2, 1)]
    for count in (4, 5, 6, 20, 21):
        query(0, *range(count))

    assert found == [events, events[:2], events[:1]]
    assert composed == [5, 2, 1, 10, 20, 21]


def content(row: Any) -> Any:
    """All that was read of a row, with the rows that it was joined to."""
    if not isinstance(row, models.Model):
        return row
    joined = row._state.fields_cache
    return (
        type(row),
        row._state.db,
        {name: value for name, value in vars(row).items() if name != "_state"},
        {name: content(value) for name, value in joined.items()},
    )


def test_every_thread_asks_on_its_own_connection(values: Any) -> None:
    (slug,) = values["conference by slug"][0]

    def ask(_: int) -> str:
        try:
            found = Conference.published(slug)
            return found.name if found else ""
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(ask, range(16)))

    assert found == ["100 %s 0"] * 16


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no prepared statements to count")
def test_postgresql_keeps_the_plan_of_a_statement_that_comes_again() -> None:
    def plans() -> int:
        with connection.cursor() as cursor:
            # Not this question, which comes again too.
            others = "statement LIKE '%events_conference%' AND statement NOT LIKE '%pg_prepared_statements%'"
            cursor.execute(f"SELECT count(*) FROM pg_prepared_statements WHERE {others}")
            count: int = cursor.fetchone()[0]
            return count

    kept = [plans()]
    for number in range(10):
        Conference.published(f"slug-{number}")
        kept.append(plans() - kept[0])

    # From the second on; the connection may have made it once before.
    assert kept[2:] == [1] * 9


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no prepared statements to count")
def test_postgresql_keeps_the_plans_of_more_statements_than_a_busy_hour_has() -> None:
    connection.ensure_connection()
    busy_hour = 120

    for number in range(busy_hour):
        for _ in range(6):
            Conference.objects.filter(pk__in=range(number + 1)).values_list("pk").first()

    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_prepared_statements")
        assert cursor.fetchone()[0] >= busy_hour

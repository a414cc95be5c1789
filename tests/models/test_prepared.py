from __future__ import annotations

import datetime as dt
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.db.models import QuerySet
from hypothesis import example, given
from hypothesis import strategies as st

from events.models import Conference, Event
from events.models.base import plus_one
from events.models.prepared import Update, prepared, prepared_update
from tests.factories import at, make_conference, make_event

COMPOSED: list[str] = []


@prepared
def within(conference: int, after: dt.datetime, before: dt.datetime) -> QuerySet[Event]:
    COMPOSED.append("within")
    events = Event.objects.public().filter(conference=conference, end__gt=after, start__lt=before)
    return events.select_related("type", "room").only("guid", "start", "type__kind", "room__name").in_order()


@prepared
def others(guid: UUID) -> QuerySet[Event, str]:
    return Event.objects.exclude(guid=guid).order_by("title").values_list("title", flat=True)


@prepared
def any_of(conference: int, titles: list[str], days: list[int]) -> QuerySet[Event, str]:
    COMPOSED.append(f"any of {len(titles)} by {len(days)}")
    events = Event.objects.filter(conference=conference, title__in=titles, day__pk__in=days)
    return events.order_by("title").values_list("title", flat=True)


@prepared
def named(name: str) -> QuerySet[Conference, tuple[str, dt.date]]:
    return Conference.objects.filter(name=name).values_list("name", "start")


@prepared_update
def move(conference: int, day: dt.date, city: str) -> Update:
    return Conference.objects.filter(pk=conference, start__lt=day), {"end": day, "city": city, "revision": plus_one("revision")}


@pytest.mark.django_db
def test_prepared_query_gives_the_rows_of_the_values_it_is_called_with() -> None:
    conference, other = make_conference(), make_conference()
    early, late = make_event(conference, start="09:00", end="10:00"), make_event(conference, start="11:00", end="12:00")
    elsewhere = make_event(other, start="09:00", end="10:00")
    make_event(conference, start="09:00", end="10:00", status="draft")
    noon, evening = at("12:00"), at("18:00")

    found = [
        within(conference.pk, at("08:00"), noon),
        within(conference.pk, at("10:00"), noon),
        within(conference.pk, noon, evening),
        within(other.pk, at("08:00"), noon),
    ]

    assert found == [[early, late], [late], [], [elsewhere]]
    assert [(it.start, it.guid, it.type.kind, it.room) for it in found[0]] == [
        (it.start, it.guid, it.type.kind, it.room) for it in [early, late]
    ]
    assert COMPOSED == ["within"]


@pytest.mark.django_db
def test_prepared_query_is_one_query_and_reads_what_it_was_told_to(django_assert_num_queries: Any) -> None:
    event = make_event(make_conference(), kind="talk", title="Adam", start="09:00", end="10:00")

    with django_assert_num_queries(1):
        (found,) = within(event.conference_id, at("08:00"), at("12:00"))
        assert (found.guid, found.type.kind) == (event.guid, "talk")

    assert {"title", "abstract", "announced"} < found.get_deferred_fields()
    assert found.title == "Adam"


@pytest.mark.django_db
def test_prepared_query_gives_plain_values_too() -> None:
    conference = make_conference()
    adam, _ = make_event(conference, title="Adam"), make_event(conference, title="Eve")

    assert (others(adam.guid), others(uuid4())) == (["Eve"], ["Adam", "Eve"])
    assert (others.first(adam.guid), others.first(uuid4())) == ("Eve", "Adam")
    assert named(conference.name) == [(conference.name, conference.start)]


@pytest.mark.django_db
def test_prepared_query_looks_up_in_lists_of_any_length() -> None:
    conference = make_conference()
    titles = [f"{number:03}" for number in range(70)]
    events = [make_event(conference, title=title) for title in titles]
    day = events[0].day_id
    assert day
    COMPOSED.clear()

    found = [any_of(conference.pk, [*titles[:number], "%s"], [day]) for number in (3, 4, 5, 6, 7, 63)]
    nothing = [any_of(conference.pk, [], [day]), any_of(conference.pk, titles, []), any_of(conference.pk, titles[:1], [day + 1])]

    assert found == [titles[:number] for number in (3, 4, 5, 6, 7, 63)]
    assert nothing == [[], [], []]
    assert any_of(conference.pk, titles, [day, day]) == titles
    # Those of 5 to 8 are looked up in 8, by what was composed once; in nothing, nothing is looked up.
    shapes = [it.removeprefix("any of ") for it in COMPOSED]
    assert shapes == ["4 by 1", "8 by 1", "64 by 1", "1 by 1", "70 by 2"]


@pytest.mark.django_db
def test_first_of_none_is_none() -> None:
    assert named.first("nowhere") is None


@pytest.mark.django_db
@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")))
@example("100 %s")
@example("'; --")
def test_whatever_a_value_says_it_is_only_a_value(name: str) -> None:
    conference = make_conference()
    Conference.objects.filter(pk=conference.pk).update(name=name[:100])

    assert named(name[:100]) == [(name[:100], conference.start)]
    conference.delete()


@pytest.mark.django_db
def test_prepared_update_changes_the_rows_it_is_called_with_and_counts_them(django_assert_num_queries: Any) -> None:
    conference, other = make_conference(), make_conference()
    before, days = other.city, [conference.start + dt.timedelta(days=it) for it in (0, 10, 20)]

    with django_assert_num_queries(4):
        moved = [move(conference.pk, day, "100 % Vienna") for day in days] + [move(0, days[1], "Nowhere")]

    assert moved == [0, 1, 1, 0]
    found = Conference.objects.filter(pk__in=[conference.pk, other.pk]).order_by("pk").values_list("end", "city", "revision")
    assert list(found) == [(days[2], "100 % Vienna", 2), (other.end, before, 0)]


@pytest.mark.django_db(transaction=True)
def test_every_thread_asks_on_its_own_connection() -> None:
    conference = make_conference(name="Everywhere")

    def ask(_: int) -> list[tuple[str, dt.date]]:
        try:
            return named("Everywhere")
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(ask, range(16)))

    assert found == [[("Everywhere", conference.start)]] * 16

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from events.core.clock import Clock
from events.models import Conference, Event, Service
from events.pages.queries.venue import ServiceRow, next_registration, service_rows
from tests.factories import THURSDAY, at, make_conference, make_day, make_event, make_room, make_zone
from tests.pages.queries.reading import clock

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]

WEDNESDAY, FRIDAY = THURSDAY - dt.timedelta(days=1), THURSDAY + dt.timedelta(days=1)


def make_service(conference: Conference, name: str = "Registration", **fields: Any) -> Service:
    return Service.objects.create(conference=conference, name=name, **fields)


def open_hours(service: Service, start: str, end: str, date: dt.date = THURSDAY, **fields: Any) -> Event:
    times = {"start": at(start, date), "end": at(end, date)} if start else {}
    day = make_day(service.conference, date)
    return make_event(service.conference, service=service, kind="service", day=day, **times, **fields)


def registration(**fields: Any) -> Service:
    """Early on Wednesday afternoon, from half past seven on Thursday, from eight on Friday."""
    service = make_service(make_conference(), **fields)
    open_hours(service, "14:00", "19:00", WEDNESDAY)
    open_hours(service, "07:30", "19:00")
    open_hours(service, "08:00", "19:00", FRIDAY)
    return service


def row_of(service: Service, now: Clock) -> ServiceRow:
    return next(it for it in service_rows(service.conference, now) if it.service == service)


@pytest.mark.parametrize(
    ("now", "is_open", "until", "opens_at"),
    [
        pytest.param(clock("13:00", WEDNESDAY), False, None, at("14:00", WEDNESDAY), id="before-early-registration"),
        pytest.param(clock("06:59"), False, None, at("07:30"), id="thursday-06:59"),
        pytest.param(clock("07:30"), True, at("19:00"), None, id="thursday-07:30"),
        pytest.param(clock("18:59"), True, at("19:00"), None, id="thursday-18:59"),
        pytest.param(clock("19:00"), False, None, at("08:00", FRIDAY), id="thursday-19:00"),
        pytest.param(clock("19:00", FRIDAY), False, None, None, id="after-the-last"),
    ],
)
def test_registration_is_open(now: Clock, is_open: bool, until: dt.datetime | None, opens_at: dt.datetime | None) -> None:
    row = row_of(registration(), now)

    assert (row.opening.is_open, row.opening.until, row.opening.opens_at) == (is_open, until, opens_at)
    assert (row.opening.always, row.opened_at) == (False, None)


@pytest.mark.parametrize(
    ("now", "is_open", "opened_at", "may_have_closed", "opens_at"),
    [
        pytest.param(clock("06:59"), False, None, False, at("07:30"), id="before"),
        pytest.param(clock("07:30"), True, at("07:30"), False, None, id="in-the-hour-we-assume"),
        pytest.param(clock("19:00"), False, at("07:30"), True, at("08:00", FRIDAY), id="later-that-day"),
        pytest.param(clock("03:00", FRIDAY), False, None, False, at("08:00", FRIDAY), id="in-the-night"),
        pytest.param(clock("07:00", FRIDAY), False, None, False, at("08:00", FRIDAY), id="next-morning"),
    ],
)
def test_unknown_closing_time_is_not_called_closed(
    now: Clock, is_open: bool, opened_at: dt.datetime | None, may_have_closed: bool, opens_at: dt.datetime | None
) -> None:
    service = make_service(make_conference())
    open_hours(service, "07:30", "08:30", status="tentative")
    open_hours(service, "08:00", "09:00", FRIDAY, status="tentative")

    row = row_of(service, now)

    assert (row.opening.is_open, row.opened_at, row.opening.opens_at) == (is_open, opened_at, opens_at)
    assert row.may_have_closed is may_have_closed


def test_service_without_hours_is_always_there() -> None:
    row = row_of(make_service(make_conference(), "Lift"), clock("03:00"))

    assert (row.opening.is_open, row.opening.always, row.hours) == (True, True, [])


@pytest.mark.parametrize(("start", "status"), [("07:30", "cancelled"), ("", "confirmed")], ids=["cancelled", "hour-unknown"])
def test_service_whose_hours_are_off_is_not_open(start: str, status: str) -> None:
    service = make_service(make_conference())
    open_hours(service, start, "19:00", status=status)

    row = row_of(service, clock("08:00"))

    assert (row.opening.is_open, row.opening.always, row.opening.opens_at, len(row.hours)) == (False, False, None, 1)


def test_service_with_draft_hours_only_tells_nothing_of_them() -> None:
    service = make_service(make_conference())
    open_hours(service, "07:30", "19:00", status="draft")

    row = row_of(service, clock("08:00"))

    assert (row.opening.always, row.hours) == (True, [])


def test_services_stand_in_the_organisers_order_with_their_hours() -> None:
    conference = make_conference()
    late, early = make_service(conference, "A", position=2), make_service(conference, "B", position=1)
    open_hours(early, "14:00", "15:00")
    open_hours(early, "09:00", "10:00")

    rows = service_rows(conference, clock())

    assert [row.service for row in rows] == [early, late]
    assert [card.start for card in rows[0].hours] == [at("09:00"), at("14:00")]


def test_service_says_where_it_is() -> None:
    conference = make_conference()
    zone = make_zone(conference, "Hall 1")
    services = [
        make_service(conference, "A", place="By Apex Gallery", zone=zone),
        make_service(conference, "B", room=make_room(conference, "Garnet 212", zone)),
        make_service(conference, "C", zone=zone),
        make_service(conference, "D"),
    ]

    assert [row_of(it, clock()).where for it in services] == ["By Apex Gallery", "Garnet 212", "Hall 1", ""]


@pytest.mark.parametrize(
    ("now", "name"),
    [
        pytest.param(clock("06:00"), "Registration", id="opens-first"),
        pytest.param(clock("12:30"), "Registration", id="open-now"),
        pytest.param(clock("19:30"), "Night desk", id="opens-next"),
        pytest.param(clock("23:30"), None, id="nothing-opens-any-more"),
    ],
)
def test_next_registration_is_what_is_open_or_opens_next(now: Clock, name: str | None) -> None:
    conference = make_conference()
    open_hours(make_service(conference, "Night desk", position=0), "20:00", "23:00")
    open_hours(make_service(conference, "Registration", position=1), "07:30", "19:00")
    make_service(conference, "Lift")

    row = next_registration(conference, now)

    assert (row and row.service.name) == name


def test_next_registration_counts_a_desk_whose_closing_time_is_unknown_as_open() -> None:
    conference = make_conference()
    open_hours(make_service(conference, "Registration"), "07:30", "08:30", status="tentative")
    open_hours(make_service(conference, "Night desk"), "20:00", "23:00")

    row = next_registration(conference, clock("12:00"))

    assert row is not None
    assert (row.service.name, row.opened_at) == ("Registration", at("07:30"))

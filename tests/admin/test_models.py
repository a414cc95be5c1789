"""Everything but events: each form keeps to its conference, and attendees hear of what it changes."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from events.models import (
    Announcement,
    Award,
    Change,
    Conference,
    Event,
    Leg,
    Link,
    Route,
    Service,
    StartingPoint,
    Topic,
    Track,
    Venue,
    Zone,
)
from tests.admin.pages import FormReader, errors_of, open_form, save, url
from tests.factories import (
    THURSDAY,
    at,
    make_appearance,
    make_conference,
    make_day,
    make_event,
    make_paper,
    make_person,
    make_room,
    make_type,
    make_walk,
    make_zone,
)

pytestmark = pytest.mark.django_db
SIMPLE = ["announcement", "award", "day", "eventtype", "person", "room", "startingpoint", "topic", "track", "walk"]
WITH_INLINES = ["conference", "paper", "route", "service", "venue", "zone"]
NO_ZONE = "is not a time zone: write a large city in it, such as Oslo, or a name such as Asia/Singapore."


def fill(conference: Conference, count: int) -> None:
    """As many rows of each model, and as many in each inline of the first of them."""
    start = StartingPoint.objects.create(conference=conference, name="Station", slug="station")
    hall, desk_hours = make_zone(conference), make_type(conference, "service")
    route = Route.objects.create(conference=conference, start=start, zone=hall, title="By train")
    desk = Service.objects.create(conference=conference, name="Desk", zone=hall)
    paper = make_paper(conference, title="A")
    for number in range(count):
        zone = make_zone(conference, f"Zone {number}")
        room = make_room(conference, f"Room {number}", hall)
        make_walk(conference, hall, zone)
        topic = Topic.objects.create(conference=conference, area=f"Area {number}", slug=f"area-{number}")
        person = make_person(conference, f"Person {number}")
        day = make_day(conference, THURSDAY + dt.timedelta(days=number))
        event = make_event(conference, room=room, paper=paper, day=day, kind="talk")
        make_event(conference, type=desk_hours, kind="service", service=desk, day=day, start="09:00", end="10:00")
        make_appearance(event, person)
        paper.authorships.create(person=person)
        make_paper(conference, person, topic=topic, title=f"Paper {number}")
        Link.objects.create(paper=paper, url="https://example.org/")
        Award.objects.create(conference=conference, name="Best", year=2025, paper=paper, event=event)
        Announcement.objects.create(conference=conference, title=f"News {number}")
        Track.objects.create(conference=conference, name=f"Track {number}", slug=f"track-{number}")
        Service.objects.create(conference=conference, name=f"Stand {number}", zone=zone, room=room)
        Route.objects.create(conference=conference, start=start, zone=zone, title=f"Way {number}")
        Leg.objects.create(route=route, instruction="Walk on.")
        Change.objects.create(event=event, field="title", old="A", new="B")


def queries_of(client: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address).status_code == 200
    return len(queries)


def test_lists_take_a_fixed_number_of_queries(organiser: Client) -> None:
    models = [*SIMPLE, *WITH_INLINES, "change"]
    fill(make_conference(), 1)
    fill(make_conference(), 1)
    few = {model: queries_of(organiser, url("changelist", model)) for model in models}
    fill(make_conference(), 3)

    many = {model: queries_of(organiser, url("changelist", model)) for model in models}

    assert many == few
    assert {model: count for model, count in few.items() if count > 16} == {}


def test_forms_take_a_fixed_number_of_queries(organiser: Client) -> None:
    few, many = (queries_of_forms(organiser, count) for count in (1, 3))

    assert many == few
    assert {model: count for model, count in few.items() if count > 24} == {}


def queries_of_forms(client: Client, count: int) -> dict[str, int]:
    conference = make_conference()
    fill(conference, count)
    found = {}
    for model in [*SIMPLE, *WITH_INLINES, "change"]:
        rows: Any = {"change": Change}.get(model) or _model(model)
        mine = {"pk": conference.pk} if model == "conference" else {"conference": conference}
        row = rows.objects.filter(**({"event__conference": conference} if model == "change" else mine)).order_by("pk").first()
        queries_of(client, url("change", model, row.pk))  # what Django looks up once and remembers
        found[model] = queries_of(client, url("change", model, row.pk))
    return found


def test_form_of_a_new_row_takes_few_queries(organiser: Client) -> None:
    fill(make_conference(), 3)

    found = {model: queries_of(organiser, url("add", model)) for model in [*SIMPLE, *WITH_INLINES]}

    assert {model: count for model, count in found.items() if count > 20} == {}


def test_save_without_a_change_moves_nothing(organiser: Client) -> None:
    conference = make_conference()
    fill(conference, 2)

    for model in [*SIMPLE, *WITH_INLINES]:
        row = _model(model).objects.order_by("pk").first()
        before = _state(model)
        response = save(organiser, url("change", model, row.pk), open_form(organiser, url("change", model, row.pk)))
        assert (model, response.status_code, _state(model)) == (model, 302, before)


def _state(model: str) -> tuple[list[Any], int, int]:
    rows = list(_model(model).objects.order_by("pk").values())
    return rows, Change.objects.count(), Conference.objects.get().revision


def _model(name: str) -> Any:
    return Conference._meta.apps.get_model("events", name)


def test_announcement_is_written_in_venue_time(organiser: Client) -> None:
    conference = make_conference()
    data = open_form(organiser, f"{url('add', 'announcement')}?conference={conference.pk}")
    times = {"starts_at_0": "2025-04-24", "starts_at_1": "09:00", "until_0": "2025-04-24", "until_1": "18:00"}

    save(organiser, url("add", "announcement"), data, title="Lunch is late", **times)
    shown = open_form(organiser, url("change", "announcement", Announcement.objects.get().pk))

    assert list(Announcement.objects.values_list("starts_at", "until")) == [(at("09:00"), at("18:00"))]
    assert {name: shown[name] for name in times} == times


@pytest.mark.parametrize(
    ("minute", "state", "warned"),
    [("09:00", "later", False), ("12:00", "shown", False), ("15:30", "over", True)],
)
def test_announcement_that_nobody_is_shown_now_says_so(organiser: Client, minute: str, state: str, warned: bool) -> None:
    conference = make_conference()
    data = open_form(organiser, f"{url('add', 'announcement')}?conference={conference.pk}")
    times = {"starts_at_0": "2025-04-24", "starts_at_1": "10:00", "until_0": "2025-04-24", "until_1": "15:00"}

    with time_machine.travel(at(minute), tick=False):
        answer = organiser.post(url("add", "announcement"), data | {"title": "Lunch is late", **times}, follow=True)

    words = "“Lunch is late” ended on 24 Apr 2025 15:00, Singapore: only the page of announcements has it."
    assert (words in answer.text) is warned
    assert f'<td class="field-is_shown">{state}</td>' in answer.text


def test_announcement_refuses_an_hour_that_does_not_exist(organiser: Client) -> None:
    conference = make_conference(city="Vienna", timezone="Europe/Vienna")
    data = open_form(organiser, f"{url('add', 'announcement')}?conference={conference.pk}")

    response = save(organiser, url("add", "announcement"), data, title="Night", starts_at_0="2025-03-30", starts_at_1="02:30")

    said = "2025-03-30 02:30:00 couldn’t be interpreted in time zone Europe/Vienna; it may be ambiguous or it may not exist."
    assert errors_of(response) == {"starts_at": [said]}


def test_announcement_moves_the_revision(organiser: Client) -> None:
    conference = make_conference()
    data = open_form(organiser, f"{url('add', 'announcement')}?conference={conference.pk}")

    save(organiser, url("add", "announcement"), data, title="Welcome")

    assert Conference.objects.get().revision == conference.revision + 1


def test_renaming_a_room_records_changes_of_its_events(organiser: Client) -> None:
    conference = make_conference()
    room = make_room(conference, "Garnet")
    event = make_event(conference, room=room)
    data = open_form(organiser, url("change", "room", room.pk))

    save(organiser, url("change", "room", room.pk), data, name="Opal")

    assert list(Change.objects.values_list("event", "field", "old", "new")) == [(event.pk, "room", "Garnet", "Opal")]


def test_author_added_in_the_inline_moves_the_papers_events(organiser: Client) -> None:
    conference = make_conference()
    paper, person = make_paper(conference), make_person(conference)
    event = make_event(conference, paper=paper)
    data = open_form(organiser, url("change", "paper", paper.pk))
    author = {"authorships-TOTAL_FORMS": 1, "authorships-0-person": person.pk, "authorships-0-paper": paper.pk}

    save(organiser, url("change", "paper", paper.pk), data, **author, **{"authorships-0-position": 0})

    assert Event.objects.get().announced["paper"] == f"{paper.title} Ada Lovelace"
    assert Event.objects.get().revised_at > event.revised_at


def test_hours_written_with_their_service_are_events_of_it(organiser: Client) -> None:
    conference = make_conference()
    kind, day = make_type(conference, "service", name="Registration"), make_day(conference)
    service = Service.objects.create(conference=conference, name="Registration")
    data = open_form(organiser, url("change", "service", service.pk))
    hours = {"hours-TOTAL_FORMS": 1, "hours-0-day": day.pk, "hours-0-start_1": "08:00", "hours-0-end_1": "18:00"}
    hours |= {"hours-0-title": "Registration", "hours-0-type": kind.pk, "hours-0-status": "confirmed"}
    hours |= {"hours-0-service": service.pk}

    save(organiser, url("change", "service", service.pk), data, **hours)

    event = Event.objects.get()
    assert (event.service_id, event.conference_id) == (service.pk, conference.pk)
    assert (event.start, event.end) == (at("08:00"), at("18:00"))
    assert list(Change.objects.values_list("event", "new")) == [(event.pk, "confirmed")]


def test_hours_are_as_public_as_their_service_unless_typed_otherwise(organiser: Client) -> None:
    conference = make_conference()
    kind, day = make_type(conference, "service", name="Registration"), make_day(conference)
    address = url("change", "service", Service.objects.create(conference=conference, name="Registration").pk)
    page = FormReader()
    page.feed(organiser.get(address).text)
    row = {name.replace("__prefix__", "0"): value for name, value in page.data.items() if "__prefix__" in name}
    typed = {"hours-0-type": kind.pk, "hours-0-day": day.pk, "hours-0-start_1": "08:00", "hours-0-end_1": "18:00"}

    save(organiser, address, open_form(organiser, address), **{**row, **typed, "hours-TOTAL_FORMS": "1"})

    assert Event.objects.values_list("title", "status").get() == ("Registration", "confirmed")


def test_walk_needs_two_zones(organiser: Client) -> None:
    conference = make_conference()
    zone = make_zone(conference, "Only one")
    form = organiser.get(url("add", "walk"), {"conference": conference.pk}).context["adminform"].form

    refused = organiser.post(
        url("add", "walk"), {"conference": conference.pk, "origin": zone.pk, "destination": zone.pk, "minutes": 5}
    )

    assert not {"origin", "destination"} & form.initial.keys()
    assert "A walk leads from one zone to another: choose two, or add a second zone first." in refused.text


def test_zone_written_with_its_venue_is_of_its_conference(organiser: Client) -> None:
    conference = make_conference()
    venue = Venue.objects.create(conference=conference, name="EXPO")
    data = open_form(organiser, url("change", "venue", venue.pk))

    hall = {"zones-TOTAL_FORMS": 1, "zones-0-name": "Hall 1", "zones-0-position": 0}
    save(organiser, url("change", "venue", venue.pk), data, **hall)

    assert list(Zone.objects.values_list("name", "conference", "venue")) == [("Hall 1", conference.pk, venue.pk)]


@pytest.mark.parametrize(
    ("model", "inline", "field", "value", "sentence"),
    [
        pytest.param("conference", "days", "date", "2025-04-24", "ICLR 2025 has Thu 24 April 2025 already", id="day"),
        pytest.param("conference", "past_editions", "year", "2019", "ICLR 2025 has 2019 already", id="edition"),
        pytest.param("venue", "zones", "name", "West", "Singapore EXPO has West already", id="zone"),
    ],
)
def test_value_of_two_rows_is_named(organiser: Client, model: str, inline: str, field: str, value: str, sentence: str) -> None:
    conference = make_conference()
    row: Any = conference if model == "conference" else make_zone(conference, "East").venue
    data = open_form(organiser, url("change", model, row.pk))
    first = int(data[f"{inline}-TOTAL_FORMS"])
    for number in (first, first + 1):
        data |= {f"{inline}-{number}-{field}": value, f"{inline}-{number}-position": "1", f"{inline}-{number}-place": "Oslo"}

    refused = save(organiser, url("change", model, row.pk), data, **{f"{inline}-TOTAL_FORMS": str(first + 2)})

    problem = f"{sentence}: change one of the two rows, or leave one out."
    assert errors_of(refused) == {f"{inline}-{first + 1}-{field}": [problem]}
    assert "duplicate" not in refused.text


@pytest.mark.parametrize(
    ("model", "field", "value", "sentence"),
    [
        ("room", "capacity", "-5", "-5 is too small: write 0 or more."),
        ("venue", "latitude", "95", "95.0 is too large: write 90 or less."),
        ("venue", "longitude", "-181", "-181.0 is too small: write -180 or more."),
    ],
)
def test_number_out_of_bounds_is_named(organiser: Client, model: str, field: str, value: str, sentence: str) -> None:
    data = open_form(organiser, f"{url('add', model)}?conference={make_conference().pk}")

    refused = save(organiser, url("add", model), data, **{field: value})

    assert errors_of(refused)[field] == [sentence]


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        pytest.param("timezone", "Mars/Olympus", f"“Mars/Olympus” {NO_ZONE}", id="zone"),
        pytest.param("timezone", "../../etc/passwd", f"“../../etc/passwd” {NO_ZONE}", id="path"),
        pytest.param("colour", "red", "Write a colour as # and six hexadecimal digits, such as #1747B8.", id="colour"),
        pytest.param("end", "2025-04-01", "The last day is before the first.", id="backwards"),
    ],
)
def test_conference_refuses_in_a_sentence(organiser: Client, field: str, value: str, sentence: str) -> None:
    conference = make_conference()
    data = open_form(organiser, url("change", "conference", conference.pk))

    response = save(organiser, url("change", "conference", conference.pk), data, **{field: value})

    assert [words for said in errors_of(response).values() for words in said] == [sentence]


@pytest.mark.parametrize(
    ("model", "field"),
    [("zone", "venue"), ("room", "zone"), ("walk", "origin"), ("service", "room"), ("route", "start"), ("award", "paper")],
)
def test_forms_take_nothing_of_another_conference(organiser: Client, model: str, field: str) -> None:
    conference, other = make_conference(slug="mine"), make_conference(slug="theirs")
    fill(conference, 1)
    fill(other, 1)
    row = _model(model).objects.filter(conference=conference).first()
    strange = _model(model)._meta.get_field(field).related_model.objects.filter(conference=other).first()
    data = open_form(organiser, url("change", model, row.pk))

    response = save(organiser, url("change", model, row.pk), data, **{field: strange.pk})

    assert errors_of(response)[field] == ["Choose one of this conference."]


def test_stale_form_of_a_row_without_history_is_refused(organiser: Client, other_organiser: Client) -> None:
    venue = Venue.objects.create(conference=make_conference(), name="Old")
    address = url("change", "venue", venue.pk)
    mine = open_form(organiser, address)
    save(other_organiser, address, open_form(other_organiser, address), name="Theirs")

    response = save(organiser, address, mine, address="1 Expo Drive")

    assert errors_of(response)["__all__"][0].startswith("Edsger changed this after you opened it: Name → Theirs. ")
    assert Venue.objects.get().name == "Theirs"


def test_changes_are_read_and_never_written(organiser: Client) -> None:
    change = Change.objects.create(event=make_event(make_conference()), field="title", old="A", new="B")

    statuses = [
        organiser.post(url(page, "change", *key), {"new": "C", "post": "yes"}).status_code
        for page, key in [("change", [change.pk]), ("add", []), ("delete", [change.pk])]
    ]

    assert (statuses, Change.objects.get().new) == ([403, 403, 403], "B")


def test_place_leads_to_its_wall_screen(organiser: Client) -> None:
    room = make_room(make_conference(slug="demo"), "Garnet 212")

    pages = {name: organiser.get(url("change", name, row.pk)).text for name, row in (("room", room), ("zone", room.zone))}

    assert '<a href="/demo/screen/?zone=garnet-212&amp;room=garnet-212">' in pages["room"]
    assert '<a href="/demo/screen/?zone=garnet-212">' in pages["zone"]
    assert "Available after saving." in organiser.get(url("add", "room")).text


def test_announcement_for_one_kind_of_attendee_is_saved_and_found(organiser: Client) -> None:
    conference = make_conference()
    data = open_form(organiser, f"{url('add', 'announcement')}?conference={conference.pk}")

    save(organiser, url("add", "announcement"), data, title="The stream is late", audience="virtual", urgent="on")

    row = Announcement.objects.get()
    listed = [organiser.get(url("changelist", "announcement"), {"audience__exact": it}) for it in ("virtual", "in-person")]
    assert (row.audience, row.urgent) == ("virtual", True)
    assert ["The stream is late" in page.text for page in listed] == [True, False]

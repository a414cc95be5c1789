"""The form of an event: venue time, one word to attendees, nobody's work overwritten."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.test import Client

from events.models import Appearance, Change, Conference, Day, Event, Link, Session
from tests.admin.pages import FormReader, errors_of, messages_of, open_form, save, url
from tests.factories import (
    THURSDAY,
    at,
    make_appearance,
    make_conference,
    make_day,
    make_event,
    make_person,
    make_room,
    make_type,
)

pytestmark = pytest.mark.django_db


def new_form(client: Client, conference: Conference, model: str = "session") -> dict[str, Any]:
    return open_form(client, f"{url('add', model)}?conference={conference.pk}")


def test_form_shows_venue_time_and_names_its_zone(organiser: Client) -> None:
    event = make_event(make_conference(), start="09:00", end="10:30")

    fields = organiser.get(url("change", "session", event.pk)).context["adminform"].form.fields
    data = open_form(organiser, url("change", "session", event.pk))

    assert (data["start_1"], data["start_0"], data["end_1"], data["end_0"]) == ("09:00", "", "10:30", "")
    assert {fields[name].help_text.partition(".")[0] for name in ["start", "end", "signup_checked_at"]} == {
        "Singapore time (Asia/Singapore)"
    }


def test_form_of_a_new_event_uses_the_zone_of_the_conference_chosen_in_it(organiser: Client) -> None:
    make_conference(start=dt.date(2026, 1, 1), end=dt.date(2026, 1, 2))
    vienna = make_conference(city="Vienna", timezone="Europe/Vienna", start=dt.date(2024, 5, 7))
    day, kind = make_day(vienna, dt.date(2024, 5, 8)), make_type(vienna, default_minutes=90)
    data = open_form(organiser, url("add", "session"))

    chosen = {"conference": vienna.pk, "type": kind.pk, "day": day.pk, "title": "Opening", "start_1": "09:00"}
    save(organiser, url("add", "session"), data, **chosen)

    event = Session.objects.get()
    assert (event.start, event.end) == (
        dt.datetime(2024, 5, 8, 7, tzinfo=dt.UTC),
        dt.datetime(2024, 5, 8, 8, 30, tzinfo=dt.UTC),
    )


def test_form_takes_the_day_from_a_date_that_is_written_out(organiser: Client) -> None:
    conference = make_conference()
    kind, day = make_type(conference), make_day(conference)
    data = new_form(organiser, conference)

    save(organiser, url("add", "session"), data, type=kind.pk, title="A", start_0="2025-04-25", start_1="01:30", end_1="02:30")

    assert list(Session.objects.values_list("day", "start")) == [(day.pk, at("01:30", dt.date(2025, 4, 25)))]


@pytest.mark.parametrize(
    ("changes", "errors"),
    [
        pytest.param({"start_1": "09:00", "day": ""}, {"day": ["Choose the day this time belongs to."]}, id="no-day"),
        pytest.param(
            {"start_0": "2025-05-01", "start_1": "09:00", "day": ""},
            {"day": ["ICLR 2025 has no day 01 May 2025: add it under Days first."]},
            id="unknown-day",
        ),
        pytest.param(
            {"start_0": "2025-04-24"},
            {"start": ["Enter the time too, or remove the date."]},
            id="date-without-hour",
        ),
        pytest.param({"start_1": "25:00"}, {"start": ["Enter a valid time."]}, id="no-such-hour"),
        pytest.param({"type": "999"}, {"type": ["Choose one of this conference."]}, id="unknown-type"),
        pytest.param(
            {"title": "a\x00b"},
            {"title": ["Null characters are not allowed."]},
            id="null-character",
        ),
    ],
)
def test_form_refuses_in_a_sentence_and_keeps_what_was_typed(
    organiser: Client, changes: dict[str, str], errors: dict[str, list[str]]
) -> None:
    conference = make_conference()
    day, kind = make_day(conference), make_type(conference)
    data = {**new_form(organiser, conference), "type": kind.pk, "title": "A title", "day": day.pk, "board": "#7"}

    response = save(organiser, url("add", "session"), data, **changes)

    assert (errors_of(response), Event.objects.count()) == (errors, 0)
    assert 'value="#7"' in response.text


def test_form_offers_and_takes_only_what_is_of_the_conference(organiser: Client) -> None:
    conference, other = make_conference(), make_conference()
    event = make_event(conference)
    strange = {"room": make_room(other).pk, "day": make_day(other).pk, "type": make_type(other).pk}
    data = open_form(organiser, url("change", "session", event.pk))

    response = save(organiser, url("change", "session", event.pk), data, **strange)

    assert errors_of(response) == {key: ["Choose one of this conference."] for key in ["type", "day", "room"]}


def test_form_never_moves_an_event_to_another_conference(organiser: Client) -> None:
    event = make_event(make_conference())
    data = open_form(organiser, url("change", "session", event.pk))

    save(organiser, url("change", "session", event.pk), data, conference=make_conference().pk, title="New title")

    stored = Event.objects.get()
    assert (stored.conference_id, stored.title) == (event.conference_id, "New title")


def test_save_without_a_change_leaves_no_trace(organiser: Client) -> None:
    event = make_event(make_conference(), start=at("09:00") + dt.timedelta(seconds=30), end="10:00")
    make_appearance(event, make_person(event.conference))
    event.revise()
    before = list(Event.objects.values()), event.history.count(), Conference.objects.get().revision

    save(organiser, url("change", "session", event.pk), open_form(organiser, url("change", "session", event.pk)))

    assert (list(Event.objects.values()), event.history.count(), Conference.objects.get().revision) == before


def test_save_tells_attendees_once_of_the_event_and_its_inlines_with_the_reason(organiser: Client) -> None:
    conference = make_conference()
    event, person = make_event(conference, start="09:00", end="10:00", title="Old"), make_person(conference)
    revision = Conference.objects.get().revision
    data = open_form(organiser, url("change", "session", event.pk))
    speaker = {"appearances-TOTAL_FORMS": 1, "appearances-0-person": person.pk, "appearances-0-role": "speaker"}
    speaker |= {"appearances-0-position": 0, "appearances-0-event": event.pk}

    save(organiser, url("change", "session", event.pk), data, title="New", reason="A better name.", **speaker)

    stored = Event.objects.get()
    assert sorted(Change.objects.values_list("field", "new", "reason")) == [
        ("people", "Ada Lovelace", "A better name."),
        ("title", "New", "A better name."),
    ]
    assert stored.sequence == event.sequence + 1
    assert Conference.objects.get().revision > revision
    assert event.history.first().history_change_reason == "A better name."


def test_save_of_talks_inside_tells_attendees_and_takes_the_day_of_the_session(organiser: Client) -> None:
    conference = make_conference()
    session = make_event(conference, start="09:00", end="10:00")
    kind = make_type(conference, "talk", default_minutes=15)
    data = open_form(organiser, url("change", "session", session.pk))
    talk = {"children-TOTAL_FORMS": 1, "children-0-title": "First oral", "children-0-start_1": "09:00"}
    talk |= {"children-0-status": "confirmed", "children-0-position": 0, "children-0-session": session.pk}
    talk |= {"children-0-type": kind.pk}

    save(organiser, url("change", "session", session.pk), data, **talk)

    stored = Event.objects.get(session=session)
    assert (stored.day_id, stored.start, stored.end) == (session.day_id, at("09:00"), at("09:15"))
    assert list(Change.objects.values_list("event", "field", "new")) == [(stored.pk, "status", "confirmed")]


@pytest.mark.parametrize("status", ["draft", "published"])
def test_talk_that_is_typed_with_a_new_session_is_where_and_as_public_as_it(organiser: Client, status: str) -> None:
    conference = make_conference(status=status)
    day, kind, inside = make_day(conference), make_type(conference), make_type(conference, "talk")
    hall = make_room(conference)
    added = FormReader()
    added.feed(organiser.get(f"{url('add', 'session')}?conference={conference.pk}").text)
    data = new_form(organiser, conference)
    talk = {"children-TOTAL_FORMS": 1, "children-0-title": "First oral", "children-0-start_1": "09:00"}
    talk |= {"children-0-type": inside.pk, "children-0-position": 0}
    talk |= {"children-0-status": added.data["children-__prefix__-status"]}

    save(organiser, url("add", "session"), data, type=kind.pk, title="Orals", day=day.pk, start_1="09:00", room=hall.pk, **talk)

    session, stored = Event.objects.get(title="Orals"), Event.objects.get(title="First oral")
    assert (stored.session, stored.room, stored.status) == (session, hall, session.status)
    assert session.status == ("confirmed" if status == "draft" else "draft")


def test_talk_on_its_own_page_begins_where_its_session_is(organiser: Client) -> None:
    conference = make_conference()
    hall, attic = make_room(conference), make_room(conference, "Attic")
    session = make_event(conference, start="09:00", end="10:00", room=hall)
    kind, data = make_type(conference, "talk"), new_form(organiser, conference)

    for title, more in {"inside": {}, "elsewhere": {"room": attic.pk}, "outdoors": {"place": "Garden"}}.items():
        save(organiser, url("add", "session"), data, type=kind.pk, title=title, session=session.pk, **more)

    places = {event.title: (event.room, event.place) for event in session.children.all()}
    assert places == {"inside": (hall, ""), "elsewhere": (attic, ""), "outdoors": (None, "Garden")}


def test_save_tells_of_the_hour_that_comes_twice(organiser: Client) -> None:
    conference = make_conference(city="Vienna", timezone="Europe/Vienna")
    day, kind = make_day(conference, dt.date(2025, 10, 25)), make_type(conference)
    data = new_form(organiser, conference)

    times = {"day": day.pk, "start_1": "02:30", "end_1": "03:30"}
    response = save(organiser, url("add", "session"), data, type=kind.pk, title="Night", **times)

    assert (
        messages_of(response)[0]
        == "02:30 on Sun 26 October 2025 occurs twice, because the clocks go back: the first one is used."
    )
    assert Session.objects.get().start == dt.datetime(2025, 10, 26, 0, 30, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("end", "said"),
    [
        ({"end_0": "2026-04-24", "end_1": "10:00"}, ["It lasts until 10:00 on Fri 24 April 2026: is that right?"]),
        ({"end_0": "2025-04-27", "end_1": "18:00"}, []),
    ],
    ids=["a year", "three days"],
)
def test_save_asks_whether_more_than_a_week_is_meant(organiser: Client, end: dict[str, str], said: list[str]) -> None:
    conference = make_conference()
    day, kind, data = make_day(conference), make_type(conference), new_form(organiser, conference)

    response = save(organiser, url("add", "session"), data, type=kind.pk, title="Long", day=day.pk, start_1="09:00", **end)

    assert [it for it in messages_of(response) if "lasts until" in it] == said


@pytest.mark.parametrize(
    ("model", "field", "most"),
    [
        ("session", "capacity", 1_000_000),
        ("room", "capacity", 1_000_000),
        ("walk", "minutes", 1440),
        ("eventtype", "default_minutes", 1440),
    ],
)
def test_number_that_cannot_be_meant_is_refused(organiser: Client, model: str, field: str, most: int) -> None:
    conference = make_conference()
    data = new_form(organiser, conference, model)

    problems = [
        errors_of(save(organiser, url("add", model), data, **{field: number})).get(field, []) for number in (most, most + 1)
    ]

    assert problems == [[], [f"{most + 1} is too large: write {most} or less."]]


def test_session_is_never_part_of_itself(organiser: Client) -> None:
    conference = make_conference()
    outer = make_event(conference)
    inner = make_event(conference, session=outer)
    data = open_form(organiser, url("change", "session", outer.pk))

    response = save(organiser, url("change", "session", outer.pk), data, session=inner.pk)

    assert errors_of(response) == {"session": ["An event cannot be inside itself."]}


def test_view_on_site_leads_to_the_page_attendees_see(organiser: Client) -> None:
    event = make_event(make_conference())

    page = organiser.get(url("change", "session", event.pk))

    assert page.context["absolute_url"] == event.get_absolute_url()


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        pytest.param({"event": "draft"}, "the event is a draft.", id="draft"),
        pytest.param({"session": "draft"}, "the session it is in is a draft.", id="in-a-draft"),
        pytest.param({"conference": "draft"}, "its conference is a draft.", id="draft-conference"),
    ],
)
def test_draft_says_that_attendees_do_not_see_it(organiser: Client, fields: dict[str, str], words: str) -> None:
    conference = make_conference(status=fields.get("conference", "published"))
    session = make_event(conference, status=fields.get("session", "confirmed"))
    event = make_event(conference, kind="talk", session=session, status=fields.get("event", "confirmed"))

    page = organiser.get(url("change", "session", event.pk))

    # Organisers see drafts on the pages.
    assert page.context["has_absolute_url"] is True
    assert f"Attendees do not see this: {words}" in page.text


def test_inline_takes_no_row_of_another_event(organiser: Client) -> None:
    conference = make_conference()
    event, other = make_event(conference), make_event(conference)
    theirs = make_appearance(other, make_person(conference))
    data = open_form(organiser, url("change", "session", event.pk))
    forged = {"appearances-TOTAL_FORMS": 1, "appearances-INITIAL_FORMS": 1, "appearances-0-id": theirs.pk}
    forged |= {"appearances-0-event": event.pk, "appearances-0-person": theirs.person_id, "appearances-0-role": "host"}
    forged |= {"appearances-0-position": 0, "appearances-0-DELETE": "on"}

    save(organiser, url("change", "session", event.pk), data, **forged)

    assert list(Appearance.objects.values_list("event", "role")) == [(other.pk, "speaker")]


def test_inline_takes_no_person_of_another_conference(organiser: Client) -> None:
    event, stranger = make_event(make_conference()), make_person(make_conference())
    data = open_form(organiser, url("change", "session", event.pk))
    forged = {"appearances-TOTAL_FORMS": 1, "appearances-0-event": event.pk, "appearances-0-person": stranger.pk}

    response = save(organiser, url("change", "session", event.pk), data, **forged, **{"appearances-0-role": "host"})

    assert errors_of(response)["appearances-0-person"] == ["Choose one of this conference."]


def test_inline_refuses_what_is_no_web_address(organiser: Client) -> None:
    event = make_event(make_conference())
    data = open_form(organiser, url("change", "session", event.pk))
    link = {"links-TOTAL_FORMS": 1, "links-0-event": event.pk, "links-0-kind": "code", "links-0-position": 0}

    response = save(organiser, url("change", "session", event.pk), data, **link, **{"links-0-url": "javascript:alert(1)"})

    said = ["“javascript:alert(1)” is not a web address: it starts with https:// and has no spaces."]
    assert (errors_of(response), Link.objects.count()) == ({"links-0-url": said}, 0)


def test_save_of_an_event_is_all_or_nothing(organiser: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    event = make_event(make_conference(), title="Old")
    data = open_form(organiser, url("change", "session", event.pk))

    def broken(*args: Any, **kwargs: Any) -> None:
        raise RuntimeError("the power is gone")

    monkeypatch.setattr("events.programme.models.publishing.insert_rows", broken)
    with pytest.raises(RuntimeError, match="the power is gone"):
        save(organiser, url("change", "session", event.pk), data, title="New")

    assert (Event.objects.get().title, event.history.count()) == ("Old", 1)


def test_times_of_an_expo_of_three_days_survive_the_form(organiser: Client) -> None:
    conference = make_conference()
    event = make_event(conference, start="10:00", end=at("18:00", THURSDAY + dt.timedelta(days=2)))
    data = open_form(organiser, url("change", "session", event.pk))

    save(organiser, url("change", "session", event.pk), data, title="Expo", start_1="10:30")

    stored = Event.objects.get()
    assert (stored.start, stored.end) == (at("10:30"), at("18:00", dt.date(2025, 4, 26)))
    assert Day.objects.count() == 1

"""Bulk actions on day, type, track and status; copies of events; what a new form starts with."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.test import Client

from events.models import Change, ChangeGroup, Event, Track
from tests.admin.pages import act, asks, messages_of, open_form, save, url
from tests.factories import (
    THURSDAY,
    at,
    make_agenda,
    make_appearance,
    make_conference,
    make_day,
    make_event,
    make_person,
    make_room,
    make_type,
    make_zone,
)

pytestmark = pytest.mark.django_db

FRIDAY = THURSDAY + dt.timedelta(days=1)


def times() -> list[tuple[str, Any]]:
    return list(Event.objects.order_by("pk").values_list("title", "start"))


def test_day_is_changed_at_the_same_hour_and_announced_once(organiser: Client) -> None:
    conference = make_conference()
    friday = make_day(conference, FRIDAY)
    events = [make_event(conference, title=name, start="09:00", end="10:00") for name in ("Run", "Yoga")]

    done = act(organiser, "session", "change_day", events, day=friday.pk, reason="Rain", apply="1")

    assert times() == [("Run", at("09:00", FRIDAY)), ("Yoga", at("09:00", FRIDAY))]
    assert set(Event.objects.values_list("day", flat=True)) == {friday.pk}
    assert messages_of(done)[0].startswith("Moved to another day: “Run” Thu 24 April 2025 → Fri 25 April 2025; “Yoga”")
    group = ChangeGroup.objects.get()
    assert (group.is_public, set(Change.objects.values_list("group", "reason"))) == (True, {(group.pk, "Rain")})


def test_day_of_a_bookmarked_event_is_shown_first(organiser: Client) -> None:
    conference = make_conference()
    friday = make_day(conference, FRIDAY)
    event = make_event(conference, start="09:00", end="10:00")
    make_agenda(conference, event)

    page = act(organiser, "session", "change_day", [event], day=friday.pk, apply="1")

    assert (page.status_code, bool(page.context["impact"]), times()[0][1]) == (200, True, at("09:00"))


def test_type_and_track_are_changed_and_taken_back(organiser: Client) -> None:
    conference = make_conference()
    event = make_event(conference, kind="talk")
    social, track = make_type(conference, "social"), Track.objects.create(conference=conference, name="Vision")

    act(organiser, "session", "change_track", [event], track=track.pk, apply="1")
    act(organiser, "session", "change_type", [event], type=social.pk, apply="1")
    changed = Event.objects.values_list("type__kind", "track__name").get()
    for group in ChangeGroup.objects.all():
        organiser.post(url("undo", "changegroup", group.pk))

    assert changed == ("social", "Vision")
    assert Event.objects.values_list("type__kind", "track").get() == ("talk", None)


def test_chair_is_offered_types_of_socials_only(chair: Client) -> None:
    conference = make_conference()
    event = make_event(conference, kind="social")
    talk, party = make_type(conference, "talk"), make_type(conference, "social", name="Party")

    refused = act(chair, "social", "change_type", [event], type=talk.pk, apply="1")
    act(chair, "social", "change_type", [event], type=party.pk, apply="1")

    assert list(refused.context["form"].errors) == ["type"]
    assert Event.objects.get().type == party


def test_answers_of_another_conference_are_refused(organiser: Client) -> None:
    event, other = make_event(make_conference()), make_conference()
    theirs = {
        "day": make_day(other).pk,
        "type": make_type(other).pk,
        "track": Track.objects.create(conference=other, name="Theirs").pk,
    }

    errors = {
        name: list(act(organiser, "session", f"change_{name}", [event], **{name: pk}, apply="1").context["form"].errors)
        for name, pk in theirs.items()
    }

    assert errors == {"day": ["day"], "type": ["type"], "track": ["track"]}


def test_back_to_draft_is_shown_done_and_taken_back(organiser: Client) -> None:
    conference = make_conference()
    event = make_event(conference, start="09:00", end="10:00")
    make_agenda(conference, event)

    page = act(organiser, "session", "back_to_draft", [event], apply="1")
    act(organiser, "session", "back_to_draft", [event], apply="1", seen=page.context["seen"])
    hidden = Event.objects.get().status
    organiser.post(url("undo", "changegroup", ChangeGroup.objects.get().pk))

    assert (bool(page.context["impact"]), hidden, Event.objects.get().status) == (True, "draft", "confirmed")


def copied(**more: Any) -> Event:
    conference = make_conference()
    make_day(conference, FRIDAY)
    session = make_event(conference, title="Yoga", start="07:00", end="08:00", room=make_room(conference), **more)
    make_appearance(session, make_person(conference))
    make_event(conference, kind="talk", title="Breathing", session=session, start="07:10", end="07:20")
    return session


def test_event_is_repeated_with_what_is_inside_and_its_people(organiser: Client) -> None:
    session = copied(recording_url="https://example.org/one", signup_state="full")
    friday = session.conference.days.get(date=FRIDAY)

    done = act(organiser, "session", "repeat", [session], days=friday.pk, include="on", apply="1")

    copy, talk = Event.objects.filter(day=friday).order_by("pk")
    assert (copy.title, copy.start, copy.room, copy.status) == ("Yoga", at("07:00", FRIDAY), session.room, "draft")
    assert (talk.title, talk.start, talk.session) == ("Breathing", at("07:10", FRIDAY), copy)
    assert (copy.people_names, copy.recording_url, copy.signup_state) == (["Ada Lovelace"], "", "")
    assert copy.guid != session.guid
    assert messages_of(done) == ["Copied: “Yoga” on Fri 25 April 2025; “Breathing” on Fri 25 April 2025."]


def test_published_copies_are_announced_once_and_taken_back(organiser: Client) -> None:
    session = copied()
    days = [day.pk for day in session.conference.days.all()]

    act(organiser, "session", "repeat", [session], days=days, publish="on", apply="1")
    group = ChangeGroup.objects.get()
    public, told = Event.objects.public().count(), Change.objects.filter(group=group).count()
    organiser.post(url("undo", "changegroup", group.pk))

    assert (public, told, group.is_public, Event.objects.count()) == (4, 2, True, 2)


def test_copy_without_a_day_is_asked_again(organiser: Client) -> None:
    page = act(organiser, "session", "repeat", [copied()], apply="1", reason="")

    assert (page.context["form"].errors["days"], Event.objects.count()) == (["Choose at least one day."], 2)


def test_duplicate_opens_the_copy(organiser: Client) -> None:
    event = make_event(make_conference(), kind="social", title="Dinner", start="19:00", end="21:00")
    address = url("duplicate", "social", event.pk)

    page = organiser.get(address)
    done = organiser.post(address, {"apply": "1", "days": event.day_id})

    copy = Event.objects.latest("pk")
    assert f'href="{address}"' in organiser.get(url("change", "social", event.pk)).text
    assert "Make the copies" in page.text
    assert (done["Location"], copy.title, copy.status) == (url("change", "social", copy.pk), "Dinner", "draft")


def test_duplicate_of_another_kind_or_of_nothing_is_not_found(organiser: Client, chair: Client) -> None:
    talk = make_event(make_conference())

    answers = [
        organiser.get(url("duplicate", "social", talk.pk)).status_code,
        organiser.get(url("duplicate", "session", 999)).status_code,
        chair.get(url("duplicate", "session", talk.pk)).status_code,
    ]

    assert answers == [404, 404, 403]


def test_only_zone_and_venue_are_chosen_already(organiser: Client) -> None:
    conference = make_conference()
    zone = make_zone(conference)

    one = open_form(organiser, url("add", "room"))["zone"]
    make_zone(conference, "Hall 2")

    assert (one, open_form(organiser, url("add", "room")).get("zone")) == (str(zone.pk), None)
    assert open_form(organiser, url("add", "zone"))["venue"] == str(zone.venue_id)


def test_only_day_and_type_of_a_session_are_chosen_already(organiser: Client) -> None:
    conference = make_conference()
    day, row = make_day(conference), make_type(conference, "talk")
    make_type(conference, "social")

    one = open_form(organiser, url("add", "session"))
    make_day(conference, dt.date(2025, 4, 25))
    make_type(conference, "session")
    two = open_form(organiser, url("add", "session"))

    assert [(form.get("day"), form.get("type")) for form in (one, two)] == [(str(day.pk), str(row.pk)), ("", "")]


def test_save_and_add_another_keeps_day_type_and_room(organiser: Client) -> None:
    conference = make_conference()
    day, row, room = make_day(conference), make_type(conference, "talk"), make_room(conference)
    address = url("add", "session")
    typed = {"title": "First", "day": day.pk, "type": row.pk, "room": room.pk, "start_1": "09:00"}

    done = organiser.post(address, {**open_form(organiser, address), **typed, "_addanother": "1"})
    form = open_form(organiser, done["Location"])

    assert {name: form[name] for name in ("conference", "day", "type", "room", "title")} == {
        "conference": str(conference.pk),
        "day": str(day.pk),
        "type": str(row.pk),
        "room": str(room.pk),
        "title": "",
    }


def test_only_type_of_the_kind_is_chosen_and_a_new_one_gets_it(organiser: Client) -> None:
    conference = make_conference()
    keynote = make_type(conference, "invited-talk", name="Keynote")
    make_type(conference, "talk")

    page = organiser.get(url("add", "invitedtalk"))

    assert open_form(organiser, url("add", "invitedtalk"))["type"] == str(keynote.pk)
    assert f"conference={conference.pk}&amp;kind=invited-talk" in page.text
    assert open_form(organiser, f"{url('add', 'eventtype')}?kind=invited-talk")["kind"] == "invited-talk"


@pytest.mark.parametrize(("off_site", "at_venue"), [(False, True), (True, False)])
def test_social_in_a_room_is_at_the_venue_unless_the_room_is_elsewhere(organiser: Client, off_site: bool, at_venue: bool) -> None:
    conference = make_conference()
    room = make_room(conference, zone=make_zone(conference, off_site=off_site))
    event = make_event(conference, kind="social")
    address = url("change", "social", event.pk)

    save(organiser, address, open_form(organiser, address), room=room.pk)

    assert Event.objects.get().at_venue is at_venue


def test_talk_added_inside_a_public_session_is_public_or_says_that_it_is_not(organiser: Client) -> None:
    conference = make_conference()
    session, row = make_event(conference, start="09:00", end="10:00"), make_type(conference, "talk")
    address = url("change", "session", session.pk)
    empty = organiser.get(address).context["inline_admin_formsets"][0].formset.empty_form
    talk = {"children-TOTAL_FORMS": 1, "children-0-title": "Inside", "children-0-type": row.pk, "children-0-position": 0}

    done = save(organiser, address, open_form(organiser, address), **talk, **{"children-0-status": "draft"})

    assert empty.initial["status"] == "confirmed"
    assert "Attendees do not see “Inside”: it is a draft." in messages_of(done)
    assert not asks(done)

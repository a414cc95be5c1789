"""What a change does to attendees is shown before it is saved, and asks for the reason they will read."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.utils.html import escape

from events.models import Appearance, Bookmark, Change, Conference, Event, Link
from tests.admin.pages import counts, errors_of, open_form, picked, save, sent_by, url
from tests.factories import (
    at,
    make_agenda,
    make_appearance,
    make_conference,
    make_event,
    make_person,
    make_room,
    make_type,
    make_walk,
    make_zone,
)
from tests.security.strings import MARKUP

pytestmark = pytest.mark.django_db

CONFIRM = "admin/event_confirm.html"
TOO_FEW = "Too few to say more without telling who they are."


def move(client: Client, event: Event, model: str = "session", /, **changes: Any) -> Any:
    """Open the form of an event, type, and press Save."""
    address = url("change", model, event.pk)
    return save(client, address, open_form(client, address), **changes)


def asks(page: Any) -> bool:
    return page.status_code == 200 and CONFIRM in [it.name for it in page.templates]


def everything() -> dict[str, list[Any]]:
    return {
        model.__name__: list(model.objects.order_by("pk").values()) for model in (Event, Appearance, Link, Change, Conference)
    }


@pytest.fixture
def keynote() -> Event:
    return make_event(make_conference(), title="Keynote", start="09:00", end="10:00")


LATER = {"start_1": "11:00", "end_1": "12:00"}


def test_move_of_what_people_have_is_shown_before_it_is_saved(organiser: Client, keynote: Event) -> None:
    other = make_event(keynote.conference, start="11:30", end="12:30")
    earlier = make_event(keynote.conference, start="08:30", end="09:30")
    picked(5, keynote, other)
    picked(6, keynote, earlier)
    before = everything()

    page = move(organiser, keynote, **LATER)

    assert asks(page)
    assert counts(page) == [
        ("11", "have it in their agenda"),
        ("5", "get a new clash"),
        ("0", "cannot walk it in time"),
        ("6", "lose a clash"),
    ]
    assert page.context["impact"]["changes"] == [("Keynote", "Thu 24 Apr 09:00–10:00", "Thu 24 Apr 11:00–12:00")]
    assert everything() == before
    assert LogEntry.objects.count() == 0


def test_page_says_who_cannot_walk_it(organiser: Client) -> None:
    conference = make_conference()
    here, there = (make_room(conference, name) for name in ("Hall 1", "Hall 9"))
    make_walk(conference, here.zone, there.zone, 10)
    event = make_event(conference, start="09:00", end="10:00", room=here)
    picked(7, event, make_event(conference, start="10:05", end="11:00", room=here))

    page = move(organiser, event, room=there.pk)

    assert counts(page)[1:] == [("0", "get a new clash"), ("all", "cannot walk it in time")]


def test_confirmed_move_is_saved_with_the_reason_that_attendees_read(organiser: Client, keynote: Event, client: Client) -> None:
    picked(1, keynote)
    page = move(organiser, keynote, **LATER)

    answer = organiser.post(url("change", "session", keynote.pk), sent_by(page) | {"reason": "The speaker's flight is late."})

    assert (answer.status_code, Event.objects.get().start) == (302, at("11:00"))
    assert sorted(Change.objects.values_list("field", "reason")) == [
        ("end", "The speaker's flight is late."),
        ("start", "The speaker's flight is late."),
    ]
    assert keynote.history.first().history_change_reason == "The speaker's flight is late."
    assert "The speaker&#x27;s flight is late." in client.get(f"/{keynote.conference.slug}/changes/").text


def test_reason_typed_in_the_form_stands_on_the_page(organiser: Client, keynote: Event) -> None:
    picked(1, keynote)

    page = move(organiser, keynote, **LATER, reason="Fog.")
    organiser.post(url("change", "session", keynote.pk), sent_by(page))

    assert {change.reason for change in Change.objects.all()} == {"Fog."}


def test_reason_may_stay_empty(organiser: Client, keynote: Event) -> None:
    picked(1, keynote)

    organiser.post(url("change", "session", keynote.pk), sent_by(move(organiser, keynote, **LATER)))

    assert list(Change.objects.order_by("field").values_list("field", "reason")) == [("end", ""), ("start", "")]


def test_reason_too_long_is_told_in_the_form_and_nothing_is_lost(organiser: Client, keynote: Event) -> None:
    picked(1, keynote)
    page = move(organiser, keynote, **LATER)

    answer = organiser.post(url("change", "session", keynote.pk), sent_by(page) | {"reason": "w" * 301})

    assert list(errors_of(answer)) == ["reason"]
    assert (sent_by(answer)["start_1"], Event.objects.get().start) == ("11:00", at("09:00"))


def test_save_and_continue_is_kept(organiser: Client, keynote: Event) -> None:
    picked(1, keynote)
    address = url("change", "session", keynote.pk)
    page = organiser.post(address, {**open_form(organiser, address), **LATER, "_continue": "Save and continue editing"})

    answer = organiser.post(address, sent_by(page))

    assert (asks(page), answer["Location"]) == (True, address)


@pytest.fixture
def orals() -> Event:
    """A session somebody has, with a talk inside and a person on stage."""
    conference = make_conference()
    event = make_event(conference, title="Orals", start="09:00", end="10:00")
    make_event(conference, kind="talk", title="First", session=event, start="09:00", end="09:15")
    make_appearance(event, make_person(conference, "Ada"))
    picked(1, event)
    return event


def typed_over(data: dict[str, Any], conference: Conference) -> dict[str, Any]:
    """Something else in the form, and in every row inside it."""
    grace = make_person(conference, "Grace")
    typed = {
        "title": "Orals, “late” & <b>long</b>",
        "abstract": "\nOne\r\n\r\n*Two*  ",
        "children-0-title": "First of all",
        "children-0-start_1": "11:00",
        "children-0-end_1": "11:15",
        "appearances-TOTAL_FORMS": "2",
        "appearances-0-DELETE": "on",
        "appearances-1-person": str(grace.pk),
        "appearances-1-role": "speaker",
        "appearances-1-position": "3",
        "links-TOTAL_FORMS": "1",
        "links-0-kind": "slides",
        "links-0-url": "https://example.org/slides.pdf",
        "links-0-title": "Slides",
        "links-0-position": "0",
        "reason": "The hall is flooded.",
    }
    return {**data, **LATER, **typed}


def test_back_leads_to_the_form_with_all_that_was_typed(organiser: Client, orals: Event) -> None:
    address = url("change", "session", orals.pk)
    data = typed_over(open_form(organiser, address), orals.conference)
    before = everything()
    page = save(organiser, address, data)

    form = organiser.post(address, sent_by(page) | {"back": "Back to the form"})

    shown = sent_by(form)
    assert asks(page)
    assert {name: (value, shown.get(name)) for name, value in data.items() if shown.get(name) != value} == {}
    assert (errors_of(form), "errornote" in form.text, "seen" in shown) == ({}, False, False)
    assert everything() == before


def test_confirmed_save_takes_all_that_was_typed_also_in_the_rows_inside(organiser: Client, orals: Event) -> None:
    address = url("change", "session", orals.pk)
    page = save(organiser, address, typed_over(open_form(organiser, address), orals.conference))

    answer = organiser.post(address, sent_by(page))

    event, talk = Event.objects.order_by("pk")
    assert answer.status_code == 302
    assert (event.title, event.abstract, event.start) == ("Orals, “late” & <b>long</b>", "One\r\n\r\n*Two*", at("11:00"))
    assert (talk.title, talk.start, talk.end) == ("First of all", at("11:00"), at("11:15"))
    assert list(Appearance.objects.values_list("person__name", "position")) == [("Grace", 3)]
    assert list(Link.objects.values_list("kind", "title")) == [("slides", "Slides")]
    assert {change.reason for change in Change.objects.all()} == {"The hall is flooded."}


def test_talk_that_is_moved_inside_its_session_is_shown(organiser: Client, orals: Event) -> None:
    talk = Event.objects.get(title="First")
    Bookmark.objects.all().delete()
    picked(5, talk)

    page = move(organiser, orals, **{"children-0-start_1": "09:30", "children-0-end_1": "09:45"})

    assert (counts(page)[0][0], page.context["impact"]["changes"]) == (
        "5",
        [("First", "Thu 24 Apr 09:00–09:15", "Thu 24 Apr 09:30–09:45")],
    )


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"title": "Another title", "abstract": "New."}, id="no-time-or-place"),
        pytest.param({"start_1": "09:00", "reason": "Why not."}, id="nothing"),
        pytest.param({"official": "on", "capacity": "20"}, id="other-fields"),
    ],
)
def test_what_moves_nothing_is_saved_straight(organiser: Client, keynote: Event, changes: dict[str, str]) -> None:
    picked(1, keynote)

    assert move(organiser, keynote, **changes).status_code == 302


@pytest.mark.parametrize(
    ("conference", "event"),
    [
        pytest.param({"status": "draft"}, {}, id="a-draft-conference"),
        pytest.param({}, {"status": "draft"}, id="a-draft"),
    ],
)
def test_what_nobody_can_see_is_saved_straight(organiser: Client, conference: dict[str, Any], event: dict[str, Any]) -> None:
    hidden = make_event(make_conference(**conference), start="09:00", end="10:00", **event)
    picked(1, hidden)

    assert (move(organiser, hidden, **LATER).status_code, Event.objects.get().start) == (302, at("11:00"))


def test_what_nobody_has_is_saved_straight(organiser: Client, keynote: Event) -> None:
    agenda, _ = make_agenda(keynote.conference, keynote)
    agenda.bookmark(keynote, on=False)

    assert (move(organiser, keynote, **LATER).status_code, Event.objects.get().start) == (302, at("11:00"))


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"day": ""}, id="day"),
        pytest.param({"end_1": "10:30"}, id="end"),
        pytest.param({"place": "By the sea"}, id="place"),
        pytest.param({"status": "cancelled"}, id="cancelled"),
        pytest.param({"status": "tentative"}, id="tentative"),
        pytest.param({"status": "draft"}, id="hidden"),
    ],
)
def test_each_thing_that_those_who_come_must_know_is_shown_first(
    organiser: Client, keynote: Event, changes: dict[str, str]
) -> None:
    picked(1, keynote)
    before = Event.objects.filter(pk=keynote.pk).values().get()
    changes |= {"start_1": "", "end_1": ""} if "day" in changes else {}

    page = move(organiser, keynote, **changes)
    stored = Event.objects.get()
    answer = organiser.post(url("change", "session", keynote.pk), sent_by(page))

    assert (asks(page), answer.status_code) == (True, 302)
    assert (stored.day_id, stored.end, stored.place, stored.status) == (keynote.day_id, at("10:00"), "", "confirmed")
    assert Event.objects.filter(pk=keynote.pk).values().get() != before


@pytest.mark.parametrize(("model", "kind"), [("invitedtalk", "invited-talk"), ("social", "social"), ("session", "session")])
def test_every_list_of_events_shows_it(organiser: Client, model: str, kind: str) -> None:
    event = make_event(make_conference(), kind=kind, start="09:00", end="10:00")
    picked(1, event)

    page = move(organiser, event, model, **LATER)
    answer = organiser.post(url("change", model, event.pk), sent_by(page))

    assert (asks(page), answer.status_code, Event.objects.get().start) == (True, 302, at("11:00"))


def test_few_people_are_not_counted(organiser: Client, keynote: Event) -> None:
    picked(4, keynote, make_event(keynote.conference, start="11:00", end="12:00"))

    page = move(organiser, keynote, **LATER)

    assert (counts(page), page.context["impact"]["short"]) == ([("<5", "have it in their agenda")], [])
    assert ("<strong>&lt;5</strong>" in page.text, TOO_FEW in page.text) == (True, True)


def test_few_who_are_left_are_not_to_be_worked_out(organiser: Client, keynote: Event) -> None:
    other = make_event(keynote.conference, start="11:00", end="12:00")
    picked(6, keynote, other)
    picked(3, keynote)

    page = move(organiser, keynote, **LATER)

    assert counts(page)[:2] == [("9", "have it in their agenda"), ("all but <5", "get a new clash")]


def test_room_that_is_too_small_and_rooms_that_are_not_are_named(organiser: Client, keynote: Event) -> None:
    zone = make_zone(keynote.conference, "Hall 1")
    small, large = (make_room(keynote.conference, name, zone, capacity=seats) for name, seats in (("Small", 3), ("Large", 90)))
    make_walk(keynote.conference, zone, make_room(keynote.conference, "Far", capacity=20).zone, 7)
    picked(6, keynote)

    page = move(organiser, keynote, room=small.pk)

    text = " ".join(page.text.split())
    assert "<strong>Small</strong> has 3 seats, 6 have it in their agenda." in text
    assert "2 rooms with enough seats are free then, the nearest first:" in text
    assert [(it.name, it.seats, it.walk_minutes) for it in page.context["impact"]["rooms"]] == [
        (large.name, 90, 0),
        ("Far", 20, 7),
    ]


def test_clashes_it_would_make_stand_on_the_page(chair: Client, organiser: Client) -> None:
    conference = make_conference()
    room = make_room(conference, "Garnet")
    make_event(conference, title="Secret draft", room=room, start="11:30", end="12:30", status="draft")
    social = make_event(conference, kind="social", title="Run", room=room, start="09:00", end="10:00")
    picked(1, social)

    pages = [move(client, social, "social", **LATER) for client in (organiser, chair)]

    assert [[(it.a.title, it.b.title) for it in page.context["clashes"]] for page in pages] == [
        [("Run", "Secret draft")],
        [("Run", "something that is not a social")],
    ]
    assert "Secret draft" not in pages[1].text


def test_clash_of_what_is_on_again_is_told(organiser: Client) -> None:
    conference = make_conference()
    room = make_room(conference, "Garnet")
    event = make_event(conference, title="Back", room=room, start="09:00", end="10:00", status="cancelled")
    make_event(conference, title="Instead", room=room, start="09:30", end="10:30")
    picked(1, event)

    page = move(organiser, event, status="confirmed")

    assert [(it.a.title, it.b.title) for it in page.context["clashes"]] == [("Back", "Instead")]


def test_other_answers_than_those_that_were_seen_are_shown_anew(organiser: Client, keynote: Event) -> None:
    picked(1, keynote)
    page = move(organiser, keynote, **LATER)

    again = organiser.post(url("change", "session", keynote.pk), sent_by(page) | {"start_1": "10:30"})

    assert (asks(again), Event.objects.get().start) == (True, at("09:00"))


def test_confirming_what_somebody_else_changed_meanwhile_is_refused(
    organiser: Client, other_organiser: Client, keynote: Event
) -> None:
    picked(1, keynote)
    page = move(organiser, keynote, **LATER, title="Mine")
    move(other_organiser, keynote, title="Theirs")

    refused = organiser.post(url("change", "session", keynote.pk), sent_by(page))
    asked = organiser.post(url("change", "session", keynote.pk), sent_by(refused))
    answer = organiser.post(url("change", "session", keynote.pk), sent_by(asked))

    assert errors_of(refused)["__all__"][0].startswith("Edsger changed this after you opened it: Title: Keynote → Theirs.")
    assert (asks(asked), answer.status_code, Event.objects.get().title) == (True, 302, "Mine")


def test_new_event_is_saved_straight(organiser: Client) -> None:
    conference = make_conference()
    kind = make_type(conference)
    data = open_form(organiser, f"{url('add', 'session')}?conference={conference.pk}")

    answer = save(organiser, url("add", "session"), data, type=kind.pk, title="New", status="confirmed")

    assert (answer.status_code, Event.objects.get().title) == (302, "New")


def test_page_keeps_the_list_one_came_from(organiser: Client, keynote: Event) -> None:
    picked(1, keynote)
    address = f"{url('change', 'session', keynote.pk)}?_changelist_filters=q%3DKey"
    page = save(organiser, address, open_form(organiser, address), **LATER)

    answer = organiser.post(address, sent_by(page))

    assert answer["Location"] == f"{url('changelist', 'session')}?q=Key"


@pytest.mark.parametrize("hostile", MARKUP.values(), ids=MARKUP)
def test_hostile_reasons_and_titles_are_shown_as_text(organiser: Client, client: Client, keynote: Event, hostile: str) -> None:
    picked(1, keynote)
    hostile = hostile[:300].replace("\n", " ").replace("\t", " ")
    address = url("change", "session", keynote.pk)
    page = save(organiser, address, open_form(organiser, address), **LATER, title=hostile, place=hostile[:200], reason=hostile)

    answer = organiser.post(address, sent_by(page))
    changes = client.get(f"/{keynote.conference.slug}/changes/")

    assert (asks(page), answer.status_code) == (True, 302)
    assert {change.reason for change in Change.objects.all()} == {hostile}
    for text in (page.text, changes.text):
        assert (escape(hostile) in text, "<" in hostile and hostile in text) == (True, False)


@pytest.mark.parametrize("agendas", [1, 3, 50])
def test_page_takes_a_fixed_number_of_queries(
    organiser: Client, keynote: Event, agendas: int, django_assert_num_queries: Any
) -> None:
    other = make_event(keynote.conference, start="11:00", end="12:00")
    picked(agendas, keynote, other)
    address = url("change", "session", keynote.pk)
    data = open_form(organiser, address)

    with django_assert_num_queries(34):
        page = save(organiser, address, data, **LATER)

    assert asks(page)

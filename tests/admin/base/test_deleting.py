"""What organisers delete is told to attendees, and refused where attendees know it."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from events.models import Change, Conference, Event, Person, Room, Service, Sponsor, SponsorLevel, Track
from tests.admin.pages import open_form, save, url
from tests.factories import make_agenda, make_appearance, make_conference, make_event, make_person, make_room, make_zone

pytestmark = pytest.mark.django_db


def test_deleting_a_track_records_changes_of_its_events(organiser: Client) -> None:
    conference = make_conference()
    track = Track.objects.create(conference=conference, name="Theory")
    event = make_event(conference, track=track)

    organiser.post(url("delete", "track", track.pk), {"post": "yes"})

    assert list(Change.objects.values_list("event", "field", "old", "new")) == [(event.pk, "track", "Theory", "")]


def test_deleting_many_people_records_changes_of_their_events(organiser: Client) -> None:
    conference = make_conference()
    people = [make_person(conference, name) for name in ("Ada", "Mary")]
    event = make_event(conference, announce=False)
    for person in people:
        make_appearance(event, person)
    event.revise()
    Change.objects.all().delete()
    keys = [person.pk for person in people]

    organiser.post(url("changelist", "person"), {"action": "delete_selected", "_selected_action": keys, "post": "yes"})

    assert Person.objects.count() == 0
    assert list(Change.objects.order_by("pk").values_list("field", "old", "new")) == [
        ("people", "Ada, Mary", "Mary"),
        ("people", "Mary", ""),
    ]


MOVE_THEM = "move them with “Change {}…” in their list or their forms"
USES = [
    ("day", f"2 events are on Thu 24 April 2025: {MOVE_THEM.format('day ')}, then delete Thu 24 April 2025."),
    ("room", f"2 events are in Hall A: {MOVE_THEM.format('room ')}, then delete Hall A."),
    ("eventtype", "2 events have the type Session: use “Change type …” in their list or their forms, then delete Session."),
    ("zone", "1 room is in East: choose another zone in its form, then delete East."),
    (
        "venue",
        "1 room is in Singapore EXPO: delete it, or choose a zone of another venue in its form, then delete Singapore EXPO.",
    ),
    ("sponsorlevel", "1 sponsor is Gold: choose another level in its form, then delete Gold."),
]


@pytest.mark.parametrize(("model", "sentence"), USES, ids=[model for model, _ in USES])
def test_deleting_what_is_in_use_is_refused_with_what_to_do_first(organiser: Client, model: str, sentence: str) -> None:
    conference = make_conference()
    room = make_room(conference, "Hall A", make_zone(conference, "East"))
    event, _ = make_event(conference, room=room), make_event(conference, room=room)
    level = SponsorLevel.objects.create(conference=conference, name="Gold")
    Sponsor.objects.create(conference=conference, name="Lovelace Ltd", level=level)
    rows = {"day": event.day, "room": room, "eventtype": event.type, "zone": room.zone, "venue": room.zone.venue}
    row: Any = rows.get(model, level)

    one = organiser.post(url("delete", model, row.pk), {"post": "yes"})
    selected = {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"}
    many = organiser.post(url("changelist", model), selected)

    assert [page.context["protected"] for page in (one, many)] == [[sentence], [sentence]]
    assert [("cannot be deleted yet" in page.text, "Nothing was deleted" in page.text) for page in (one, many)] == [
        (True, False),
        (False, True),
    ]
    assert not any("protected related objects" in page.text for page in (one, many))
    assert type(row).objects.filter(pk=row.pk).exists()


def test_row_in_use_that_is_ticked_in_a_form_stays_with_what_to_do_first(organiser: Client) -> None:
    conference = make_conference()
    make_event(conference)
    address = url("change", "conference", conference.pk)

    refused = save(organiser, address, open_form(organiser, address), **{"days-0-DELETE": "on"})

    sentence = (
        "1 event is on Thu 24 April 2025: move it with “Change day …” in its list or its form, then delete Thu 24 April 2025."
    )
    problems = [it.formset.non_form_errors() for it in refused.context["inline_admin_formsets"]]
    assert [list(said) for said in problems if said] == [[sentence]]
    assert conference.days.count() == 1


def test_deleting_a_person_names_what_attendees_see_change(organiser: Client) -> None:
    conference = make_conference()
    person, other = make_person(conference), make_person(conference, "Mary")
    opening = make_event(conference, title="Opening", start="09:00", end="10:00")
    draft = make_event(conference, title="Panel", status="draft", start="11:00", end="12:00")
    for event in (opening, draft):
        make_appearance(event, person)

    one = organiser.get(url("delete", "person", person.pk))
    selected = {"action": "delete_selected", "_selected_action": [person.pk, other.pk]}
    many = organiser.post(url("changelist", "person"), selected)

    named = [
        "Ada Lovelace disappears from these, and attendees see it:",
        ["Opening (Thu 24 April 2025, 09:00–10:00)", "Panel (Thu 24 April 2025, 11:00–12:00), a draft"],
    ]
    assert one.context["deleted_objects"] == named
    assert sorted(map(str, many.context["deletable_objects"][0])) == sorted(map(str, [*named, "Mary"]))


@pytest.mark.parametrize("model", ["conference", "service"])
def test_deleting_what_holds_public_events_is_refused(organiser: Client, model: str) -> None:
    conference = make_conference()
    service = Service.objects.create(conference=conference, name="Desk")
    make_event(conference, kind="service", service=service)
    row = conference if model == "conference" else service

    response = organiser.post(url("delete", model, row.pk), {"post": "yes"})

    assert (response.status_code, Event.objects.count()) == (403, 1)


def test_deleting_a_conference_of_drafts_counts_agendas_without_naming_them(organiser: Client) -> None:
    conference = make_conference()
    make_agenda(conference)

    page = organiser.get(url("delete", "conference", conference.pk)).text
    organiser.post(url("delete", "conference", conference.pk), {"post": "yes"})

    assert ("Agenda" in page, "Agendas: 1" in page, Conference.objects.count()) == (True, True, 0)


def test_conference_with_a_draft_is_deleted_only_once_its_name_is_typed(organiser: Client) -> None:
    conference = make_conference(status="draft")
    make_event(conference, status="draft", room=make_room(conference))

    refused = organiser.post(url("delete", "conference", conference.pk), {"post": "yes"})
    selected = {"action": "delete_selected", "_selected_action": [conference.pk], "post": "yes"}
    explained = organiser.post(url("changelist", "conference"), selected)
    organiser.post(reverse("admin:events_conference_remove", args=[conference.pk]), {"name": conference.name})

    assert refused.status_code == 403
    assert "it has events. Open it: its “Delete” shows all that goes, and asks for its name" in explained.text
    assert (Conference.objects.count(), Event.objects.count(), Room.objects.count()) == (0, 0, 0)


@pytest.mark.parametrize(
    ("model", "remedy"), [("conference", "its “Delete” shows all that goes"), ("service", "Cancel them instead")]
)
def test_deleting_several_says_what_was_published_and_what_to_do(organiser: Client, model: str, remedy: str) -> None:
    conference = make_conference()
    service = Service.objects.create(conference=conference, name="Desk")
    make_event(conference, kind="service", service=service)
    row = conference if model == "conference" else service

    page = organiser.post(url("changelist", model), {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"})

    assert f"{row}: " in page.text
    assert remedy in page.text
    assert "permission" not in page.text
    assert type(row).objects.filter(pk=row.pk).exists()

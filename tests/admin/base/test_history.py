"""Who changed what."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from events.models import Social
from tests.admin.pages import open_form, save, url
from tests.factories import make_conference, make_event, make_person, make_room

pytestmark = pytest.mark.django_db


def shown_revisions(page: Any) -> list[tuple[str, str, list[str]]]:
    return [(row.who, row.what, [str(each) for each in row.differences]) for row in page.context["revisions"]]


def test_history_says_who_changed_which_field(organiser: Client) -> None:
    conference = make_conference()
    event = make_event(conference, title="Old", start="09:00", end="10:00", room=make_room(conference, "Garnet"))
    room = make_room(conference, "Opal")
    data = open_form(organiser, url("change", "session", event.pk))
    save(organiser, url("change", "session", event.pk), data, title="New", start_1="09:30", room=room.pk, reason="A wish.")

    page = organiser.get(url("history", "session", event.pk))

    nine, half_past = "24 Apr 2025 09:00, Singapore", "24 Apr 2025 09:30, Singapore"
    assert shown_revisions(page) == [
        ("Grace", "Changed", ["Title: Old → New", f"Start: {nine} → {half_past}", "Room: Garnet → Opal"]),
        ("an import or command", "Added", []),
    ]
    assert page.context["revisions"][0].reason == "A wish."
    assert [entry.get_change_message() for entry in page.context["entries"]] == ["Changed Title, Starts and Room."]


def test_history_is_one_for_all_faces_of_an_event(organiser: Client) -> None:
    conference = make_conference()
    event = make_event(conference, kind="social", title="Old")
    social = Social.objects.get()
    social.title = "New"
    social.revise()

    page = organiser.get(url("history", "social", event.pk))

    assert [differences for _, _, differences in shown_revisions(page)] == [["Title: Old → New"], []]


def test_history_names_what_inlines_did(organiser: Client) -> None:
    conference = make_conference()
    event, person = make_event(conference), make_person(conference)
    data = open_form(organiser, url("change", "session", event.pk))
    host = {"appearances-TOTAL_FORMS": 1, "appearances-0-event": event.pk, "appearances-0-person": person.pk}
    host |= {"appearances-0-role": "host", "appearances-0-position": 0}
    save(organiser, url("change", "session", event.pk), data, **host)

    page = organiser.get(url("history", "session", event.pk))

    assert [entry.get_change_message() for entry in page.context["entries"]] == ["Added appearance “Ada Lovelace, host”."]


def test_history_shows_hostile_text_as_text(organiser: Client) -> None:
    hostile = "<script>alert(1)</script>"
    event = make_event(make_conference(), title="Old")
    data = open_form(organiser, url("change", "session", event.pk))
    save(organiser, url("change", "session", event.pk), data, title=hostile, reason=hostile)

    page = organiser.get(url("history", "session", event.pk)).text

    assert (hostile in page, page.count("&lt;script&gt;alert(1)&lt;/script&gt;") >= 3) == (False, True)


@pytest.mark.parametrize("count", [1, 3])
def test_history_takes_a_fixed_number_of_queries(organiser: Client, count: int, django_assert_num_queries: Any) -> None:
    conference = make_conference()
    event = make_event(conference)
    for number in range(count):
        event.room = make_room(conference, f"Room {number}")
        event.revise()

    with django_assert_num_queries(11):
        page = organiser.get(url("history", "session", event.pk))

    assert len(shown_revisions(page)) == count + 1

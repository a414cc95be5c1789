"""The list of change groups: which changes each row is about."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from events.models import ChangeGroup, Conference, Event
from tests.admin.pages import act, url
from tests.factories import make_conference, make_event, make_room

pytestmark = pytest.mark.django_db


@pytest.fixture
def conference() -> Conference:
    return make_conference()


def rows(page: Any) -> list[tuple[str, str, str]]:
    admin, groups = page.context["cl"].model_admin, page.context["cl"].result_list
    return [(group.title, admin.events_of(group), admin.reason(group)) for group in groups]


def change_room(client: Client, conference: Conference, events: list[Event], reason: str) -> None:
    room = make_room(conference, f"Room {ChangeGroup.objects.count()}")
    act(client, "session", "change_room", events, room=room.pk, reason=reason)


def test_list_names_the_first_event_the_number_and_the_reason(organiser: Client, conference: Conference) -> None:
    titles = {"Workshop <b>": "09:00", "Panel": "10:00", "Closing": "11:00"}
    public = [make_event(conference, title=title, start=start, end=f"{start[:2]}:45") for title, start in titles.items()]
    draft = make_event(conference, title="A draft", status="draft")
    change_room(organiser, conference, public[:1], "The hall is flooded.")
    change_room(organiser, conference, public, "x" * 300)
    change_room(organiser, conference, [draft], "")

    page = organiser.get(url("changelist", "changegroup"))

    assert rows(page) == [
        ("Moved to another room", "“A draft”", ""),
        ("Moved to another room", "“Workshop <b>” and 2 more", "x" * 99 + "…"),
        ("Moved to another room", "“Workshop <b>”", "The hall is flooded."),
    ]
    assert "“Workshop &lt;b&gt;”" in page.text


@pytest.mark.parametrize("count", [1, 3])
def test_list_takes_a_fixed_number_of_queries(
    organiser: Client, conference: Conference, count: int, django_assert_num_queries: Any
) -> None:
    for _ in range(count):
        for status in ("draft", "confirmed"):
            change_room(organiser, conference, [make_event(conference, status=status)], "")

    with django_assert_num_queries(11):
        page = organiser.get(url("changelist", "changegroup"))

    assert len(rows(page)) == 2 * count


def test_group_without_events_has_none_named(organiser: Client, conference: Conference) -> None:
    ChangeGroup.objects.create(conference=conference, kind="import", title="Imported")

    assert rows(organiser.get(url("changelist", "changegroup"))) == [("Imported", "—", "")]

from __future__ import annotations

import pytest

from events.models import EventType, Topic, Track
from tests.factories import make_conference


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "slug"),
    [("Invited Talks", "invited-talks"), ("Théorie", "theorie"), ("理論", "other"), ("x" * 80, "x" * 60)],
)
def test_label_gets_a_slug_from_its_name(name: str, slug: str) -> None:
    assert Track.objects.create(conference=make_conference(), name=name).slug == slug


@pytest.mark.django_db
def test_slug_stays_when_the_name_changes() -> None:
    kind = EventType.objects.create(conference=make_conference(), name="Office hours", kind="session")

    kind.name = "Mentor chats"
    kind.revise()

    assert EventType.objects.values_list("name", "slug").get() == ("Mentor chats", "office-hours")


@pytest.mark.parametrize(
    ("kind", "colour", "line", "hex_"),
    [
        pytest.param("poster", "", "poster", "", id="by-its-kind"),
        pytest.param("session", "workshop", "workshop", "", id="by-name"),
        pytest.param("session", "#1747B8", "session", "#1747B8", id="of-its-own"),
    ],
)
def test_type_has_a_line_or_a_colour(kind: str, colour: str, line: str, hex_: str) -> None:
    row = EventType(name="Type", kind=kind, colour=colour)

    assert (row.line, row.hex) == (line, hex_)


def test_type_has_a_plural() -> None:
    assert [EventType(name="Talk").many, EventType(name="Break", plural="Coffee breaks").many] == ["Talks", "Coffee breaks"]


def test_topic_says_area_and_subarea() -> None:
    assert [str(Topic(area="RL")), str(Topic(area="RL", subarea="Bandits"))] == ["RL", "RL › Bandits"]

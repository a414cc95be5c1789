from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from events.models import Conference, Event, Paper

pytestmark = pytest.mark.django_db


def seed_scale(**options: Any) -> str:
    out = StringIO()
    call_command("seed_scale", stdout=out, **options)
    return out.getvalue()


def test_example_is_loaded_once() -> None:
    told = seed_scale(events=100)
    revision = Conference.objects.get().revision
    again = seed_scale(events=100)

    counts = "cancelled 0, unchanged"
    assert told == f"Example at scale (/example-at-scale/): created 100, changed 0, {counts} 0, skipped 0\n"
    assert again == f"Example at scale (/example-at-scale/): created 0, changed 0, {counts} 100, skipped 0\n"
    assert Event.objects.public().count() == 100
    assert Conference.objects.get().revision == revision


def test_a_smaller_example_follows_a_larger_one() -> None:
    seed_scale(events=200)
    seed_scale(events=100)

    assert Event.objects.exclude(status="cancelled").count() == 100


def test_example_can_stand_elsewhere_and_is_labelled(client: Client) -> None:
    seed_scale(events=100, slug="small-example")

    page = client.get("/small-example/")

    assert "Example at scale" in page.text
    assert "An invented programme of the size of ICLR 2025" in page.text
    assert Paper.objects.filter(conference__slug="small-example").count() == 41


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        pytest.param({"events": 5}, "5 events are too few for a conference", id="too few"),
        pytest.param({"events": 100, "slug": "no slug"}, "slug: Enter a valid", id="a slug that is none"),
    ],
)
def test_example_refuses_what_cannot_be(options: dict[str, Any], problem: str) -> None:
    with pytest.raises(CommandError, match=problem):
        seed_scale(**options)

    assert not Conference.objects.exists()

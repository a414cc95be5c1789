"""Run inside the served project: the pages that `make bench-phone` loads, and agendas for them, as JSON."""

from __future__ import annotations

import json
import sys

from django.db.models import Count

from events.management.example import EXAMPLE_SLUG
from events.models import Conference, Event
from tests.benchmarks.prepare import agenda_with_bookmarks

KEYNOTE = "Framework, Prototype, Definition and Benchmark"


def addresses(slug: str, title: str, *, picks: int) -> dict[str, str]:
    """The addresses of one conference, and the token of somebody with that many bookmarks. No title: an event in the middle."""
    conference = Conference.objects.get(slug=slug)
    events = Event.objects.public().filter(conference=conference)
    timed = list(events.filter(start__isnull=False).in_order())
    day = conference.days.annotate(n=Count("events")).order_by("-n", "date")[0]
    token, _ = agenda_with_bookmarks(conference, timed, 0, picks=picks)
    base = conference.get_absolute_url()
    return {
        "overview": base,
        "day": day.get_absolute_url(),
        "event": (events.get(title=title) if title else timed[len(timed) // 2]).get_absolute_url(),
        "session": events.annotate(n=Count("children")).order_by("-n", "pk")[0].get_absolute_url(),
        "token": token,
        **{name: f"{base}{name}/" for name in ("agenda", "papers", "venue")},
        "directions": f"{base}venue/directions/",
        "search": f"{base}search/?q=reinforcement+learning",
    }


def main() -> None:
    sys.stdout.write(json.dumps([addresses(EXAMPLE_SLUG, "", picks=20), addresses("iclr-2025", KEYNOTE, picks=19)]))

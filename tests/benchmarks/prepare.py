"""Run inside the served project: agendas to load it with, and the addresses that are worth measuring, as JSON."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus

from django.db import connection
from django.db.models import Count
from django.test import Client
from django.test.utils import CaptureQueriesContext

from events.agenda.visitor import VISITOR_COOKIE
from events.models import Agenda, Bookmark, Conference, Event, Visitor

QUESTIONS = 20_000
AGENDAS = 200
PICKS = 20


def prepare(slug: str, folder: Path) -> dict[str, Any]:
    """Agendas of 20 picks each, and one address of each sort."""
    conference = Conference.objects.get(slug=slug)
    day = conference.days.annotate(n=Count("events")).order_by("-n", "date").first()
    assert day is not None
    events = list(Event.objects.public().filter(conference=conference, start__isnull=False).in_order())
    tokens = [agenda_with_bookmarks(conference, events, number) for number in range(AGENDAS)]
    (folder / "tokens").write_text("\n".join(token for token, _ in tokens) + "\n")
    sessions = Event.objects.public().filter(conference=conference).annotate(n=Count("children")).order_by("-n", "pk")
    asked = questions([event.title for event in events])
    (folder / "questions").write_text("\n".join(asked) + "\n")
    base = f"/{slug}"
    token, feed = agenda_with_bookmarks(conference, events, 0, picks=60)
    return {
        "events": len(events),
        "day": day.get_absolute_url(),
        "session": sessions[0].get_absolute_url(),
        "event": events[len(events) // 2].get_absolute_url(),
        "search": f"{base}/search/?q=reinforcement+lear",
        "new search": f"{base}/search/?q=QUESTION",
        "question": asked[0],
        "questions": str(folder / "questions"),
        "bookmark": f"{base}/events/{events[len(events) // 3].guid}/bookmark/",
        "schedule.ics": f"{base}/schedule.ics",
        "schedule.json": f"{base}/schedule.json",
        "overview": f"{base}/",
        "token": tokens[0][0],
        "feed": f"/feeds/{tokens[0][1]}.ics",
        "feed of 60": f"/feeds/{feed}.ics",
        "agenda": f"{base}/agenda/",
        "token of 60": token,
        "tokens": str(folder / "tokens"),
    }


def questions(titles: list[str]) -> list[str]:
    """Return different questions of two words, the second one as if it was being typed."""
    chance, asked = random.Random(1), dict[str, None]()
    words = sorted({word.lower() for title in titles for word in title.split() if word.isalpha() and len(word) > 3})
    for _ in range(10 * QUESTIONS):
        one, other = chance.sample(words, 2)
        asked[quote_plus(f"{one} {other[: chance.randint(3, len(other))]}")] = None
        if len(asked) == QUESTIONS:
            break
    return list(asked)


def agenda_with_bookmarks(conference: Conference, events: list[Event], number: int, picks: int = PICKS) -> tuple[str, str]:
    token = Visitor.objects.create().new_token()
    agenda = Agenda.begin(token, conference)
    step = max(1, len(events) // picks)
    picked = [events[(number * 7 + step * pick) % len(events)] for pick in range(picks)]
    Bookmark.objects.bulk_create([Bookmark(agenda=agenda, event=event) for event in dict.fromkeys(picked)])
    return token, agenda.feed_token


def queries(address: str, token: str = "", etag: str = "", then: str = "") -> int:
    """How many an answer takes once the page is kept; ``then`` is asked for instead, and not kept."""
    client = Client(SERVER_NAME="localhost")
    if token:
        client.cookies[VISITOR_COOKIE] = token
    client.get(address)
    with CaptureQueriesContext(connection) as captured:
        client.get(then or address, headers={"If-None-Match": etag} if etag else None)
    return len(captured)


def main(slug: str, folder: str) -> None:
    found = prepare(slug, Path(folder))
    names = ["overview", "day", "session", "event", "search", "schedule.ics", "schedule.json", "feed", "feed of 60"]
    found["queries"] = {name: queries(found[name]) for name in names}
    found["queries"]["day, 20 picks"] = queries(found["day"], token=found["token"])
    found["queries"]["agenda of 60"] = queries(found["agenda"], token=found["token of 60"])
    found["queries"]["search, new"] = queries(found["search"], then=found["new search"].replace("QUESTION", found["question"]))
    for feed in ("feed", "feed of 60"):
        etag = Client(SERVER_NAME="localhost").get(found[feed]).headers["ETag"]
        found["queries"][f"{feed}, 304"] = queries(found[feed], etag=etag)
    sys.stdout.write(json.dumps(found))

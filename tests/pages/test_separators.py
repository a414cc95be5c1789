"""Numbers of four digits and more are written with separators."""

from __future__ import annotations

import html
import re

import pytest
from django.test import Client

from events.models import Authorship, Conference, Event, Paper, PastEdition, Person, SignUp
from tests.factories import forms_url, make_conference, make_event

pytestmark = pytest.mark.django_db

MANY = 1234
UNREAD = re.compile(r"<(script|style|svg|template)\b.*?</\1>|<[^>]+>", re.DOTALL)
NUMBER = re.compile(r"(?<![\d.,:-])\d{4,}(?![\d-])")
YEARS = {"2024", "2025"}


def large_conference() -> Conference:
    """With 1,234 of everything that pages count."""
    conference = make_conference(slug="demo")
    people = Person.objects.bulk_create(Person(conference=conference, name="Ada", sort_key="ada") for _ in range(MANY))
    papers = Paper.objects.bulk_create(Paper(conference=conference, title="On engines") for _ in range(MANY))
    Authorship.objects.bulk_create(Authorship(paper=paper, person=who) for paper, who in zip(papers, people, strict=True))
    session = make_event(conference, title="Posters", start="09:00", end="11:00")
    poster = make_event(conference, kind="poster", title="On engines", session=session, start="09:00", end="11:00")
    fields = {name: getattr(poster, name) for name in ("conference", "type", "title", "day", "status", "start", "end", "session")}
    Event.objects.bulk_create(Event(**fields) for _ in range(MANY - 1))
    social = make_event(conference, kind="social", title="Dinner", start="19:00", end="20:00")
    SignUp.objects.create(event=social, places=2 * MANY, taken=MANY)
    PastEdition.objects.create(conference=conference, year=2024, place="Vienna", participants=MANY)
    return conference


def text_of(page: str) -> str:
    return " ".join(html.unescape(UNREAD.sub(" ", page)).split())


def test_numbers_have_separators() -> None:
    conference = large_conference()
    session = conference.events.get(title="Posters").get_absolute_url()
    social = conference.events.get(title="Dinner")
    paths = ["/", "/demo/", "/demo/about/", "/demo/people/", "/demo/papers/", "/demo/schedule/2025-04-24/", "/demo/socials/"]
    paths += [session, social.get_absolute_url(), f"{forms_url(social)}sign-up/"]

    texts = {path: text_of(Client().get(path, {"at": "2025-04-24T09:30"}).text) for path in paths}

    assert [path for path, text in texts.items() if "1,23" not in text] == []
    assert {path: found for path, text in texts.items() if (found := set(NUMBER.findall(text)) - YEARS)} == {}

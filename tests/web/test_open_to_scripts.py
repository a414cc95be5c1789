"""Public downloads for scripts of other sites: what they may ask, and what they may read."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from events.core.tokens import hash_token
from events.models import Conference, FormerSlug, ReadLink
from tests.factories import at, make_agenda, make_conference, make_event

pytestmark = pytest.mark.django_db
OPEN = (
    *("schedule.xml", "schedule.json", "schedule.csv", "papers.csv", "schedule.ics", "schedule/2025-04-24.ics"),
    *("changes.atom", "announcements.atom"),
)
READABLE = "ETag, Last-Modified, Retry-After"


def cors(response: object) -> dict[str, str]:
    headers = dict(response.items())  # type: ignore[attr-defined]
    return {name: value for name, value in headers.items() if name.startswith("Access-Control-")}


@pytest.fixture
def conference() -> Conference:
    conference = make_conference(slug="demo")
    make_event(conference, title="Oral", signup_until=at("08:00"))
    return conference


@pytest.mark.parametrize("name", OPEN)
def test_script_may_ask_whether_a_download_changed(conference: Conference, name: str) -> None:
    url = f"/demo/{name}"
    asks = {"origin": "https://other.example", "access-control-request-headers": "if-none-match"}

    preflight = Client(enforce_csrf_checks=True).options(url, headers=asks | {"access-control-request-method": "GET"})
    got = Client().get(url)
    unchanged = Client().get(url, headers={"if-none-match": got["ETag"]})

    assert (preflight.status_code, preflight.content) == (204, b"")
    assert cors(preflight) == {
        "Access-Control-Allow-Origin": "*",
        "Access-Control-Expose-Headers": READABLE,
        "Access-Control-Allow-Methods": "GET, HEAD",
        "Access-Control-Allow-Headers": "If-None-Match, If-Modified-Since",
        "Access-Control-Max-Age": "86400",
    }
    of_answers = {"Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": READABLE}
    assert [(it.status_code, cors(it)) for it in (got, unchanged)] == [(200, of_answers), (304, of_answers)]


@pytest.mark.parametrize("name", ["event-calendar", "sign-up-calendar"])
def test_calendar_of_an_event_is_open(conference: Conference, name: str) -> None:
    url = reverse(f"events:{name}", args=["demo", conference.events.get().guid])

    answers = [Client().options(url), Client().get(url)]

    assert [(it.status_code, it.get("Access-Control-Allow-Origin")) for it in answers] == [(204, "*"), (200, "*")]


def test_nothing_personal_and_no_page_is_open(conference: Conference) -> None:
    agenda, token = make_agenda(conference, conference.events.get())
    ReadLink.objects.create(agenda=agenda, serial=0, token_hash=hash_token(f"link-{token}"))
    client = Client()
    urls = [f"/demo/changes.atom?link=link-{token}", f"/feeds/{agenda.feed_token}.ics", "/demo/", "/demo/agenda.ics"]

    answers = [getattr(client, method)(url) for url in urls for method in ("get", "options")]

    assert [cors(it) for it in answers] == [{}] * len(answers)
    assert {it.status_code for it in answers[1::2]} == {405}


def test_former_address_leads_scripts_to_downloads_alone(conference: Conference) -> None:
    FormerSlug.objects.create(conference=conference, slug="former")

    answers = {url: Client().get(f"/former/{url}") for url in ("schedule.json", "changes.atom", "changes.atom?link=x", "")}

    assert {url: (it.status_code, it.get("Access-Control-Allow-Origin")) for url, it in answers.items()} == {
        "schedule.json": (301, "*"),
        "changes.atom": (301, "*"),
        "changes.atom?link=x": (301, None),
        "": (301, None),
    }

"""Host names of conferences: they lead to the conference, and unknown ones are refused as before."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from django.core.exceptions import ValidationError
from django.test import Client

from events.core.byte_cache import PROCESS_CACHE
from events.models import Conference, ConferenceHost
from events.web import hosts
from tests.factories import make_conference

pytestmark = pytest.mark.django_db
HOST = "2027.nordml.example"


@pytest.fixture
def conference(db: None) -> Conference:
    conference = make_conference(slug="nordml-2027")
    ConferenceHost.objects.create(conference=conference, name=HOST)
    return conference


def get(path: str, host: str = HOST, **options: Any) -> Any:
    return Client().get(path, headers={"host": host}, **options)


@pytest.mark.parametrize(
    ("path", "target"),
    [
        pytest.param("/", "/nordml-2027/", id="its overview"),
        pytest.param("/schedule/", "/nordml-2027/schedule/", id="a page"),
        pytest.param(
            "/schedule/?view=grid&at=2025-04-24T09:30", "/nordml-2027/schedule/?view=grid&at=2025-04-24T09:30", id="query"
        ),
        pytest.param("/schedule.ics", "/nordml-2027/schedule.ics", id="a calendar"),
        pytest.param("/nordml-2027/people/", "/nordml-2027/people/", id="an address of the site"),
        pytest.param("/account/", "/account/", id="the site itself"),
        pytest.param("/robots.txt", "/robots.txt", id="robots"),
        pytest.param("/a%0d%0aSet-Cookie:x=1", "/a%0D%0ASet-Cookie:x%3D1", id="line break"),
    ],
)
def test_host_leads_to_the_conference_at_the_address_of_the_site(conference: Conference, path: str, target: str) -> None:
    response = get(path)

    assert (response.status_code, response["Location"]) == (302, f"{settings.SITE_URL}{target}")
    assert response["Cache-Control"] == "public, max-age=300"
    assert not response.cookies


@pytest.mark.parametrize("host", ["2027.NordML.example", f"{HOST}:8443", f"{HOST}."])
def test_host_is_the_same_in_capitals_with_a_port_or_a_dot(conference: Conference, host: str) -> None:
    assert get("/", host)["Location"] == f"{settings.SITE_URL}/nordml-2027/"


@pytest.mark.parametrize("host", ["evil.example", "nordml.example", f"www.{HOST}", f"{HOST}.evil.example", "", "[::1", "a b"])
def test_other_hosts_are_refused(conference: Conference, host: str) -> None:
    assert get("/", host).status_code == 400


def test_host_of_a_draft_is_refused(conference: Conference) -> None:
    Conference.objects.update(status="draft")

    assert get("/").status_code == 400


def test_form_sent_to_the_host_is_refused(conference: Conference) -> None:
    response = Client().post("/nordml-2027/time-zone/", {"zone": "Europe/Vienna"}, headers={"host": HOST})

    assert (response.status_code, dict(response.cookies)) == (400, {})


def test_host_follows_another_slug(conference: Conference) -> None:
    Conference.objects.update(slug="nordml")

    assert get("/")["Location"] == f"{settings.SITE_URL}/nordml/"


def test_names_are_read_once_a_minute(conference: Conference, django_assert_num_queries: Any) -> None:
    PROCESS_CACHE.max_bytes = 2**20
    get("/", "evil.example")

    with django_assert_num_queries(0):
        answers = [get("/", f"{number}.evil.example").status_code for number in range(5)] + [get("/").status_code]

    assert answers == [400] * 5 + [302]


def test_path_that_looks_like_another_site_stays_a_path(conference: Conference) -> None:
    response = Client().get("/", headers={"host": HOST}, PATH_INFO="//evil.example/")

    assert response["Location"] == f"{settings.SITE_URL}//evil.example/"


def test_site_itself_asks_for_no_names(conference: Conference, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> dict[str, str]:
        raise AssertionError("This host needs no look-up")

    monkeypatch.setattr(hosts, "slug_by_host", refuse)

    assert Client().get("/nordml-2027/about/").status_code == 200


@pytest.mark.parametrize(
    "name",
    [
        "https://nordml.example",
        "nordml.example/x",
        "NordML.example",
        "nordml",
        "nørd.example",
        "192.0.2.1",
        "a..b",
        "-a.example",
        "a b.c",
    ],
)
def test_what_is_no_host_name_is_refused(conference: Conference, name: str) -> None:
    with pytest.raises(ValidationError, match="is not a host name"):
        ConferenceHost(conference=conference, name=name).full_clean()


@pytest.mark.parametrize("name", ["schedule.example.org", "xn--nrd-0na.example", "a.example"])
def test_names_of_hosts_are_taken(conference: Conference, name: str) -> None:
    ConferenceHost(conference=conference, name=name).full_clean()


def test_name_of_the_site_is_refused(conference: Conference, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "ALLOWED_HOSTS", ["hallway.example"])

    with pytest.raises(ValidationError, match="is a name of this site itself"):
        ConferenceHost(conference=conference, name="hallway.example").full_clean()

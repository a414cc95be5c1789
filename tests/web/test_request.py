from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest
from django.http import Http404, HttpResponse
from django.test import RequestFactory
from django.utils import timezone

from events.agenda.visitor import VISITOR_TOKEN_PATTERN, find_agenda, get_or_begin_agenda, visitor_token
from events.models import Agenda, Conference, Visitor
from events.web.request import Request, conference_view, known_zone, network_of, next_url, remember, zone_names
from tests.factories import make_agenda, make_conference

rf = RequestFactory()


@conference_view
def page(request: Request, conference: Conference, *args: Any, **kwargs: Any) -> HttpResponse:
    return HttpResponse(f"{conference.slug} {request.clock.zone.key} {timezone.get_current_timezone_name()} {args} {kwargs}")


@pytest.mark.django_db
def test_view_gets_its_conference_and_works_in_the_visitors_zone() -> None:
    make_conference(slug="demo")
    request = rf.get("/demo/")
    request.COOKIES["hallway_zone"] = "Europe/Vienna"

    response = page(request, "demo", 1, guid=2)

    assert response.text == "demo Europe/Vienna Europe/Vienna (1,) {'guid': 2}"
    assert timezone.get_current_timezone_name() == "UTC"


@pytest.mark.django_db
def test_view_of_a_conference_that_is_not_published_is_not_found() -> None:
    make_conference(slug="draft", status="draft")

    for slug in ("draft", "nowhere", ""):
        with pytest.raises(Http404):
            page(rf.get("/"), slug)


@pytest.mark.parametrize(
    ("url", "back"),
    [
        pytest.param("/demo/", "/demo/", id="ours"),
        pytest.param("/demo/?a=b&c=ü#x", "/demo/?a=b&c=ü#x", id="with-everything"),
        pytest.param("/demo/?to=https://example.org/", "/demo/?to=https://example.org/", id="an-address-in-the-query"),
        pytest.param("", "/default/", id="nothing"),
        pytest.param("demo/", "/default/", id="relative"),
        pytest.param("https://evil.example/", "/default/", id="another-site"),
        pytest.param("http:///evil.example/", "/default/", id="three-slashes"),
        pytest.param("//evil.example/", "/default/", id="no-scheme"),
        pytest.param("///evil.example/", "/default/", id="no-scheme-three-slashes"),
        pytest.param("/\\evil.example/", "/default/", id="backslash"),
        pytest.param("\\\\evil.example/", "/default/", id="two-backslashes"),
        pytest.param("/\t/evil.example/", "/default/", id="tab"),
        pytest.param("/\n/evil.example/", "/default/", id="line"),
        pytest.param(" //evil.example/", "/default/", id="space"),
        pytest.param("/demo/\x00", "/default/", id="nul"),
        pytest.param("javascript:alert(1)", "/default/", id="script"),
        pytest.param("//localhost/", "/default/", id="our-own-host-by-name"),
    ],
)
@pytest.mark.parametrize("method", ["get", "post"])
def test_next_url_is_a_page_of_ours(url: str, back: str, method: str) -> None:
    request = rf.post("/", {"next": url}) if method == "post" else rf.get(f"/?next={quote(url)}")

    assert next_url(request, "/default/") == back


def test_next_url_of_the_form_counts_more_than_that_of_the_address() -> None:
    assert next_url(rf.post("/?next=/address/", {"next": "/form/"}), "/default/") == "/form/"
    assert next_url(rf.post("/?next=/address/"), "/default/") == "/address/"


@pytest.mark.parametrize("name", ["Asia/Singapore", "Europe/Vienna", "America/Argentina/Buenos_Aires", "UTC"])
def test_zones_people_live_in_are_known(name: str) -> None:
    zone = known_zone(name)

    assert zone is not None
    assert zone.key == name


@pytest.mark.parametrize("name", ["", "GMT", "EST5EDT", "Etc/GMT+8", "asia/singapore", "../etc/passwd", "\x00", "Asia/"])
def test_other_zones_are_not(name: str) -> None:
    assert known_zone(name) is None


def test_zones_are_sorted_and_asked_for_once() -> None:
    assert list(zone_names()) == sorted(set(zone_names()))
    assert zone_names() is zone_names()
    assert len(zone_names()) > 300


@pytest.mark.parametrize("token", ["", "x" * 31, "x" * 33, "x" * 31 + " ", "x" * 32 + "\n", "ü" * 32])
def test_cookie_of_another_shape_is_no_token(token: str) -> None:
    request = rf.get("/")
    request.COOKIES["hallway"] = token

    assert visitor_token(request) == ""


@pytest.mark.django_db
def test_our_own_tokens_have_our_shape() -> None:
    tokens = [Visitor.objects.create().new_token() for _ in range(50)]

    assert [bool(VISITOR_TOKEN_PATTERN.match(token)) for token in tokens] == [True] * 50


@pytest.mark.django_db
def test_agenda_is_looked_up_once_a_request(django_assert_num_queries: Any) -> None:
    conference, request = make_conference(), rf.get("/")
    agenda, request.COOKIES["hallway"] = make_agenda(conference)

    with django_assert_num_queries(1):
        found = [find_agenda(request, conference) for _ in range(3)]

    assert found == [agenda] * 3


@pytest.mark.django_db
def test_visitor_without_a_cookie_costs_no_query(django_assert_num_queries: Any) -> None:
    conference = make_conference()

    with django_assert_num_queries(0):
        assert find_agenda(rf.get("/"), conference) is None


@pytest.mark.django_db
def test_agenda_begins_with_a_token_to_remember_it_by() -> None:
    conference, request = make_conference(), rf.post("/")

    agenda, token = get_or_begin_agenda(request, conference)

    assert Agenda.objects.for_token(token, conference) == agenda
    assert find_agenda(request, conference) == agenda


def test_choice_is_remembered_for_a_year_and_forgotten_when_empty(settings: Any) -> None:
    settings.SECURE = True
    kept, forgotten = HttpResponse(), HttpResponse()

    remember(kept, "hallway_start", "mrt", path="/demo/")
    remember(forgotten, "hallway_start", "", path="/demo/")

    flags = ["value", "path", "max-age", "httponly", "samesite", "secure"]
    cookies = [it.cookies["hallway_start"] for it in (kept, forgotten)]
    assert [[cookie.value, *(cookie[flag] for flag in flags[1:])] for cookie in cookies] == [
        ["mrt", "/demo/", 31536000, True, "Lax", True],
        ["", "/demo/", 0, "", "Lax", ""],
    ]


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("", ""),
        ("unix:", ""),
    ],
)
def test_network_is_an_address_or_half_of_a_long_one(address: str, network: str) -> None:
    assert network_of(rf.get("/", REMOTE_ADDR=address)) == network


@pytest.mark.parametrize(
    ("proxies", "header", "network"),
    [
        pytest.param(0, "203.0.113.9, 198.51.100.2", "192.0.2.7", id="no-proxy"),
        pytest.param(1, "203.0.113.9, 198.51.100.2", "198.51.100.2", id="written-by-the-proxy"),
        pytest.param(1, "203.0.113.9,198.51.100.2", "198.51.100.2", id="without-space"),
        pytest.param(2, "203.0.113.8, 203.0.113.9, 198.51.100.2", "203.0.113.9", id="proxy-behind-a-cdn"),
        pytest.param(2, "198.51.100.2", "192.0.2.7", id="fewer-entries-than-proxies"),
        pytest.param(1, "", "192.0.2.7", id="no-header"),
        pytest.param(1, "203.0.113.9, ", "192.0.2.7", id="empty-entry"),
        pytest.param(1, "203.0.113.9, unknown", "192.0.2.7", id="no-address"),
        pytest.param(1, "198.51.100.2:4711", "192.0.2.7", id="with-port"),
        pytest.param(1, "2001:db8:1:2:3::4", "2001:db8:1:2::/64", id="ipv6"),
        pytest.param(1, "fe80::1%eth0", "fe80::/64", id="ipv6-with-interface"),
        pytest.param(1, "::ffff:198.51.100.2", "198.51.100.2", id="ipv4-as-ipv6"),
    ],
)
def test_network_is_what_our_own_proxies_say(settings: Any, proxies: int, header: str, network: str) -> None:
    settings.TRUSTED_PROXIES = proxies
    request = rf.get("/", REMOTE_ADDR="192.0.2.7", HTTP_X_FORWARDED_FOR=header)

    assert network_of(request) == network

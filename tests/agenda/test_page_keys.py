"""What tells cached pages apart: the values that a page is made from, and nothing else that a request says."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl

import pytest
import time_machine
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.core.handlers.wsgi import WSGIRequest
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from events.agenda.page_keys import MAX_QUERY_CHARS, page_query
from events.core.byte_cache import PROCESS_CACHE
from events.core.clock import read_at
from events.models import Event
from tests.factories import forms_url, make_agenda, make_conference, make_event
from tests.visitors import HTMX, browser

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("cached_at_half_past_nine")]
DAY = "/demo/schedule/2025-04-24/"
SEARCH = "/demo/search/"


@pytest.fixture
def talk() -> Event:
    event = make_event(make_conference(slug="demo"), title="Adam", start="09:00", end="10:00")
    event.revise()
    return event


def stored_pages() -> list[Any]:
    return [key for key in PROCESS_CACHE.keys if key[0] == "page"]  # type: ignore[index]


def kept_agendas() -> list[Any]:
    return [key for key in PROCESS_CACHE.keys if key[0] == "agenda"]  # type: ignore[index]


@pytest.mark.parametrize("query", ["fbclid=IwAR0", "utm_source=mail&utm_medium=x", f"x={'y' * 60_000}", "%66oo=1", "&&"])
def test_parameter_that_no_page_knows_is_no_other_page(talk: Event, query: str, django_assert_num_queries: Any) -> None:
    plain = browser().get(DAY)

    with django_assert_num_queries(1):
        tagged = browser().get(f"{DAY}?{query}")

    assert (tagged.content, tagged["ETag"], len(stored_pages())) == (plain.content, plain["ETag"], 1)


@pytest.mark.parametrize("cookies", [{}, {"messages": True}], ids=["cached", "for-one-visitor"])
def test_unknown_parameter_is_carried_by_no_link_and_no_form(talk: Event, cookies: dict[str, bool]) -> None:
    client = browser()
    if cookies:
        client.post(f"{forms_url(talk)}bookmark/", {"on": "1", "next": DAY})

    page = client.get(f"{DAY}?view=grid&fbclid=IwAR0&track=x").text

    assert "IwAR0" not in page
    assert ("In your agenda: Adam." in page) is bool(cookies)
    assert f'value="{DAY}?track=x&amp;view=grid"' in page


@pytest.mark.parametrize(
    ("first", "second"),
    [("view=grid&track=a", "track=a&view=grid"), ("%76iew=grid", "view=gr%69d"), ("view=grid&x=1", "y=2&view=grid")],
    ids=["order", "encoding", "unknown-beside-known"],
)
def test_same_parameters_are_one_page(talk: Event, first: str, second: str) -> None:
    pages = [browser().get(f"{DAY}?{query}").content for query in (first, second)]

    assert (pages[0] == pages[1], len(stored_pages())) == (True, 1)


def test_values_of_one_parameter_keep_their_order(talk: Event) -> None:
    pages = {browser().get(f"{DAY}?{query}").content for query in ("track=a&track=b", "track=b&track=a", "track=a")}

    assert (len(pages), len(stored_pages())) == (3, 3)


@pytest.mark.parametrize("path", [DAY, "/demo/", f"{SEARCH}?q=ada&"])
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("2025-04-24T09:30:00", "2025-04-24T09:30"),
        ("2025-04-24", "2025-04-24T08:00:00.000"),
        ("2025-04-24T09:30%2B08:00", "2025-04-24T01:30Z"),
        ("2025-04-24T03:30%2B02", "2025-04-24T01:30:00Z"),
        ("x&at=2025-04-24T09:30", "2025-04-24T09:30"),
    ],
    ids=["seconds", "without-a-time", "offset", "another-offset", "twice"],
)
def test_same_moment_is_one_page_however_it_is_written(talk: Event, path: str, first: str, second: str) -> None:
    between = "" if path.endswith("&") else "?"
    pages = [browser().get(f"{path}{between}at={text}").text for text in (first, second)]

    assert (pages[0] == pages[1], len(stored_pages())) == (True, 1)
    [written] = [value for key in stored_pages() for name, value in parse_qsl(key[2]) if name == "at"]
    assert read_at(written) == read_at(second)


@pytest.mark.parametrize(
    ("path", "query"),
    [(DAY, "at=2025-04-24T09:30"), (SEARCH, "q=ada+lovelace"), (SEARCH, "kind=social&q=%E2%82%AC%26"), (DAY, "track=a&track=b")],
)
def test_query_written_as_in_its_key_is_not_parsed(talk: Event, path: str, query: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first = browser().get(f"{path}?{query}")
    monkeypatch.setattr(WSGIRequest, "GET", property(lambda _: pytest.fail("The query string is parsed.")))

    again = browser().get(f"{path}?{query}")

    assert (again.content, [key[2] for key in stored_pages()]) == (first.content, [query])


@pytest.mark.parametrize(
    "query",
    ["q=a%20b&kind=x", "at=2025-04-24T03:30%2B02", "at=x%FF+%00&q=", "q=%C3%A4%ff&q=+%2B", "page=2;q=3&track", "at=%C2%85"],
)
def test_query_of_a_key_stays_as_it_is(query: str) -> None:
    written = page_query(RequestFactory().get(f"{SEARCH}?{query}"))

    assert page_query(RequestFactory().get(f"{SEARCH}?{written}")) == written != ""


def test_moments_are_different_pages(talk: Event) -> None:
    texts = ["2025-04-24T09:30", "2025-04-24T09:31", "2025-04-24T09:30Z", "2025-04-24T09:30:01"]

    pages = {browser().get(f"/demo/?at={text}").content for text in texts}

    assert (len(pages), len(stored_pages())) == (4, 4)


def test_of_a_moment_that_cannot_be_read_no_more_counts_than_is_quoted(talk: Event) -> None:
    quoted = "x" * 40

    pages = [browser().get(f"/demo/?at={quoted}{more}").text for more in ("a", "b" * 60_000)]

    assert pages[0] == pages[1]
    assert f"“{quoted}” is not a valid time" in pages[0]
    assert [key[2] for key in stored_pages()] == [f"at={quoted}"]


def test_page_with_a_very_long_question_is_not_cached(talk: Event) -> None:
    queries = ["q=".ljust(MAX_QUERY_CHARS + more, "y") for more in (0, 1)]

    assert [browser().get(f"{SEARCH}?{it}").status_code for it in queries] == [200, 200]
    assert [key[2] for key in stored_pages()] == queries[:1]


def test_flood_of_long_moments_leaves_the_cache_small(talk: Event) -> None:
    _, token = make_agenda(talk.conference, talk)
    client = browser(token=token)
    client.get("/demo/agenda/")
    of_agenda = kept_agendas()
    about_bytes = len(client.get("/demo/about/").content)
    PROCESS_CACHE.max_bytes = 40 * about_bytes

    for number in range(150):
        # What it begins with is quoted on the page.
        client.get(f"/demo/about/?at={number}{'x' * 2000}")
        # All the same to the page, and none has its own moment.
        client.get(f"/demo/about/?at={'x' * 40}{number}")
    for number in range(20):
        client.get(f"/demo/agenda/?at={number}{'x' * 2000}")

    keys = PROCESS_CACHE.keys
    assert kept_agendas() == of_agenda
    assert len(keys) < 100
    assert PROCESS_CACHE.size <= PROCESS_CACHE.max_bytes
    assert max(len(repr(key)) for key in keys) < 400


def test_minutes_that_are_over_leave_nothing(talk: Event) -> None:
    _, token = make_agenda(talk.conference, talk)
    client, sizes = browser(token=token), []

    for minute in range(30, 40):
        with time_machine.travel(f"2025-04-24T02:{minute}:00+00:00", tick=False):
            assert [client.get(url).status_code for url in (DAY, "/demo/agenda/", talk.get_absolute_url())] == [200] * 3
            talk.conference.bump_revision()
            sizes.append((len(PROCESS_CACHE.keys), PROCESS_CACHE.size // 10_000))

    assert set(sizes) == {sizes[0]}


DEAD_COOKIES = {
    "session": {settings.SESSION_COOKIE_NAME: "x" * 32},
    "short-session": {settings.SESSION_COOKIE_NAME: "x"},
    "nul-in-session": {settings.SESSION_COOKIE_NAME: "a\x00b" * 10},
    "message": {"messages": "anything"},
    "unsigned-message": {"messages": "W1siX19qc29uX21lc3NhZ2UiLDAsMjUsIkhlbGxvIl1d:1abc:xyz"},
    "empty": {"messages": "", settings.SESSION_COOKIE_NAME: ""},
}


@pytest.mark.both_databases
@pytest.mark.parametrize("cookies", DEAD_COOKIES.values(), ids=DEAD_COOKIES)
def test_cookie_without_a_session_or_message_gets_the_cached_page(talk: Event, cookies: dict[str, str]) -> None:
    first = browser().get(DAY)
    client = Client()
    client.cookies.load(cookies)

    with CaptureQueriesContext(
        connection,
    ) as queries:
        page = client.get(DAY)

    assert (page.content, page["ETag"], len(stored_pages())) == (first.content, first["ETag"], 1)
    # The conference, and the session if the cookie may be one.
    assert len(queries) <= 2
    assert session_queries(queries) == len(queries) - 1


def session_queries(queries: CaptureQueriesContext) -> int:
    return sum("django_session" in query["sql"] for query in queries.captured_queries)


def test_page_of_somebody_signed_in_is_not_cached(talk: Event) -> None:
    client = browser()
    client.force_login(get_user_model().objects.create_superuser("o", "o@example.org", "x"))

    with CaptureQueriesContext(connection) as queries:
        assert client.get(DAY).status_code == 200

    assert (stored_pages(), session_queries(queries)) == ([], 1)
    browser().get(DAY)
    with CaptureQueriesContext(connection) as queries:
        assert client.get(DAY).status_code == 200
    assert (len(stored_pages()), session_queries(queries)) == (1, 1)


def test_page_of_somebody_who_signed_out_is_the_cached_one(talk: Event) -> None:
    client = browser()
    client.force_login(get_user_model().objects.create_superuser("o", "o@example.org", "x"))
    Session.objects.all().delete()

    client.get(DAY)

    assert len(stored_pages()) == 1
    assert client.cookies[settings.SESSION_COOKIE_NAME].value == ""


@pytest.mark.parametrize("path", ["admin:index", "admin:events_session_changelist"])
def test_session_is_looked_up_once_where_nothing_is_cached(talk: Event, path: str) -> None:
    client = browser()
    client.force_login(get_user_model().objects.create_superuser("o", "o@example.org", "x"))

    with CaptureQueriesContext(connection) as queries:
        assert client.get(reverse(path)).status_code == 200

    assert session_queries(queries) == 1


@pytest.mark.parametrize("headers", [HTMX, HTMX | {"HX-History-Restore-Request": "true"}, HTMX | {"HX-Boosted": "true"}])
def test_who_asks_is_no_other_page(talk: Event, headers: dict[str, str]) -> None:
    pages = [browser().get(DAY, headers=it).text for it in (headers, {}, headers)]

    assert (len(set(pages)), "<html" in pages[0], len(stored_pages())) == (1, True, 1)


def test_part_has_an_address_and_leads_to_pages(talk: Event) -> None:
    page, part = browser().get(f"{DAY}?type=talk"), browser().get(f"{DAY}?part=schedule&type=talk")

    assert ("<html" in page.text, "<html" in part.text) == (True, False)
    assert f"{DAY}?type=talk&amp;view=grid" in part.text
    assert "part=" not in part.text.replace("hx-vals", "").replace('{"part"', "")
    # A browser that opens it by itself goes on to the page; a script does not.
    assert (part["Refresh"], part["X-Robots-Tag"]) == (f"0; url={DAY}?type=talk", "noindex")
    assert not page.has_header("Refresh")


def test_part_that_no_page_has_is_the_page(talk: Event) -> None:
    assert browser().get(f"{DAY}?part=odd").content == browser().get(DAY).content

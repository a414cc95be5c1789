"""The page of a poster round, its ticks, and repeated or wrong requests."""

from __future__ import annotations

import re
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from events.models import Agenda, Event
from tests.factories import at, make_agenda, make_conference, make_event
from tests.visitors import HTMX, browser

pytestmark = pytest.mark.django_db


def make_round(*boards: str) -> tuple[Event, list[Event], Agenda, str]:
    session = make_event(make_conference(slug="demo"), title="Posters 1", start="10:00", end="12:00")
    posters = [
        make_event(
            session.conference, kind="poster", title=f"On {board}", board=board, session=session, start="10:00", end="12:00"
        )
        for board in boards
    ]
    return session, posters, *make_agenda(session.conference, *posters)


def url_of(event: Event, name: str = "event-round") -> str:
    return reverse(f"events:{name}", args=["demo", event.guid])


def tick(client: Client, poster: Event, on: str = "1", **options: Any) -> Any:
    return client.post(url_of(poster, "visit-set"), {"on": on}, **options)


def ticks(text: str) -> list[tuple[str, bool]]:
    found = re.findall(r'class="round-tick"[^>]* aria-pressed="(true|false)" aria-label="Seen: ([^,]*),', text)
    return [(board, pressed == "true") for pressed, board in found]


def test_round_lists_my_posters_by_board() -> None:
    session, _, _, token = make_round("#10", "#9", "#100")

    with time_machine.travel(at("09:00"), tick=False):
        page = browser(token=token).get(url_of(session)).text

    assert ticks(page) == [("#9", False), ("#10", False), ("#100", False)]
    assert "3 posters in 2 h (40 min each)." in page


def test_visitor_without_picks_is_shown_where_to_choose() -> None:
    session, *_ = make_round("#1")

    page = Client().get(url_of(session)).text

    assert "No posters starred yet" in page
    assert f'href="{session.get_absolute_url()}"' in page


def test_tick_by_plain_form_returns_to_its_stop() -> None:
    session, [poster, _], agenda, token = make_round("#1", "#2")
    client = browser(token=token)

    response = tick(client, poster)

    assert (response.status_code, response["Location"]) == (302, f"{url_of(session)}#stop-{poster.guid}")
    assert ticks(client.get(url_of(session)).text) == [("#1", True), ("#2", False)]
    assert agenda.bookmarks.get(event=poster).visited_at is not None


def test_tick_by_htmx_answers_with_the_round_and_says_what_is_left() -> None:
    _, [poster, _], _, token = make_round("#1", "#2")

    with time_machine.travel(at("10:30"), tick=False):
        response = tick(browser(token=token), poster, headers=HTMX)

    assert response.status_code == 200
    assert ticks(response.text) == [("#1", True), ("#2", False)]
    assert response.text.count("1 of 2 seen, 1 h 30 min left: 1 h 30 min for the last one.") == 2
    assert f'id="tick-{poster.guid}"' in response.text


def test_tick_sent_twice_and_from_another_device_is_one_tick() -> None:
    session, [poster], agenda, token = make_round("#1")

    for client in [browser(token=token), browser(token=token)]:
        tick(client, poster)
    revision = Agenda.objects.get(pk=agenda.pk).revision

    assert ticks(browser(token=token).get(url_of(session)).text) == [("#1", True)]
    assert revision == agenda.revision + 1
    tick(browser(token=token), poster, on="0")
    tick(browser(token=token), poster, on="0")
    assert ticks(browser(token=token).get(url_of(session)).text) == [("#1", False)]


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["form", "htmx"])
@pytest.mark.parametrize("on", ["", "2", "<b>", "\x00"])
def test_tick_that_says_neither_changes_nothing(on: str, headers: dict[str, str]) -> None:
    _, [poster], agenda, token = make_round("#1")

    response = tick(browser(token=token), poster, on=on, headers=headers)

    assert response.status_code == (200 if headers else 302)
    assert agenda.bookmarks.get().visited_at is None


def test_tick_of_somebody_without_an_agenda_makes_none() -> None:
    session, [poster], _, _ = make_round("#1")

    response = tick(Client(), poster)

    assert response["Location"] == f"{url_of(session)}#stop-{poster.guid}"
    assert Agenda.objects.count() == 1


def test_tick_of_an_event_outside_any_session_leads_to_its_page() -> None:
    session, _, agenda, token = make_round()
    loner = make_event(session.conference, kind="poster")
    agenda.bookmark(loner, on=True)

    assert tick(browser(token=token), loner)["Location"] == loner.get_absolute_url()


def test_hidden_session_has_no_round() -> None:
    session, [poster], _, token = make_round("#1")
    Event.objects.filter(pk=session.pk).update(status="draft")
    client = browser(token=token)

    found = [client.get(url_of(session)), client.get(url_of(session, "event-round-qr")), tick(client, poster)]

    assert [it.status_code for it in found] == [404, 404, 404]


def test_another_moment_is_only_looked_at() -> None:
    session, [poster], _, token = make_round("#1")
    tick(browser(token=token), poster)

    page = browser(token=token).get(f"{url_of(session)}?at=2025-04-24T10:30").text

    assert ticks(page) == []
    assert "1 poster, 1 h 30 min left (1 h 30 min each)" in page
    assert "/visit/" not in page


def test_printed_round_leads_to_the_live_page() -> None:
    session, _, _, token = make_round("#1")

    page = browser(token=token).get(url_of(session)).text

    assert f'src="{url_of(session, "event-round-qr")}"' in page
    assert Client().get(url_of(session, "event-round-qr"))["Content-Type"] == "image/svg+xml"


def test_cancelled_poster_is_crossed_out_without_a_tick_in_round_and_session() -> None:
    session, [first, _], _, token = make_round("#1", "#2")
    first.status = "cancelled"
    first.revise(reason="Ill <b>.")
    client = browser(token=token)

    page = client.get(url_of(session)).text

    assert ticks(page) == [("#2", False)]
    assert re.search(f'id="stop-{first.guid}"\\s+data-status="cancelled"', page)
    assert 'data-flag="cancelled">Cancelled</span>' in page
    assert "Ill &lt;b&gt;." in page
    assert "<s>#1</s> Cancelled" in client.get(session.get_absolute_url()).text


def test_round_of_musts_stays_one_after_a_tick() -> None:
    session, [first, second, _], agenda, token = make_round("#1", "#2", "#3")
    agenda.bookmarks.filter(event=second).update(level="maybe")
    client = browser(token=token)

    page = client.get(url_of(session)).text
    musts = client.get(f"{url_of(session)}?level=must").text
    answer = client.post(f"{url_of(first, 'visit-set')}?level=must", {"on": "1"}, headers=HTMX).text
    redirect = client.post(f"{url_of(first, 'visit-set')}?level=must", {"on": "1"})

    assert f'<a class="way" href="{url_of(session)}?level=must">Must only: 2 posters</a>' in page
    assert page.count('data-flag="maybe">Maybe</span>') == 1
    assert (ticks(musts), ticks(answer)) == ([("#1", False), ("#3", False)], [("#1", True), ("#3", False)])
    assert f'<a class="way" href="{url_of(session)}">All 3 posters</a>' in musts
    assert musts.count(f'action="{url_of(first, "visit-set")}?level=must"') == 1
    assert redirect["Location"] == f"{url_of(session)}?level=must#stop-{first.guid}"


def test_unknown_level_shows_all() -> None:
    session, [_, second], agenda, token = make_round("#1", "#2")
    agenda.bookmarks.filter(event=second).update(level="maybe")

    assert len(ticks(browser(token=token).get(f"{url_of(session)}?level=<b>").text)) == 2


def test_page_of_the_session_says_what_is_left_as_the_round_does() -> None:
    session, [first, _], agenda, token = make_round("#1", "#2")
    agenda.visit(first, on=True)

    with time_machine.travel(at("12:01"), tick=False):
        page = browser(token=token).get(session.get_absolute_url()).text

    assert "My posters: 1 of 2 seen. The session is over." in page


@pytest.mark.parametrize("asked", ["q=poster", "topic=nothing"])
def test_my_posters_are_not_above_a_filtered_list(asked: str) -> None:
    session, _, _, token = make_round("#1", "#2")
    client = browser(token=token)

    assert "My posters" in client.get(session.get_absolute_url()).text
    assert "My posters" not in client.get(f"{session.get_absolute_url()}?{asked}").text


def test_session_page_leads_to_the_round() -> None:
    session, _, _, token = make_round("#1")

    assert f'href="{url_of(session)}"' in browser(token=token).get(session.get_absolute_url()).text
    assert f'href="{url_of(session)}"' not in Client().get(session.get_absolute_url()).text


def test_agenda_leads_to_its_rounds() -> None:
    session, _, _, token = make_round("#1", "#2")

    page = browser(token=token).get("/demo/agenda/").text

    assert f'href="{url_of(session)}"' in page
    assert "<b>2 posters</b>: #1, #2" in page


@pytest.mark.parametrize("size", [1, 3])
@pytest.mark.parametrize(("headers", "queries"), [({}, 10), (HTMX, 17)], ids=["form", "htmx"])
def test_tick_takes_as_many_queries_for_three_as_for_one(
    size: int, headers: dict[str, str], queries: int, django_assert_num_queries: Any
) -> None:
    _, posters, _, token = make_round(*(f"#{number}" for number in range(size)))

    with django_assert_num_queries(queries):
        tick(browser(token=token), posters[0], headers=headers)

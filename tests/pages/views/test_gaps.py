"""The page about free time."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest
import time_machine
from django.test import Client

from events.models import PrivateEntry
from tests.factories import at, make_agenda, make_conference, make_event
from tests.visitors import browser, presses

pytestmark = pytest.mark.django_db

GAP = "/demo/agenda/gap/?from=2025-04-24T10:00&to=2025-04-24T11:00&at=2025-04-24T08:00"


class Morning:
    def __init__(self) -> None:
        self.conference = make_conference(slug="demo")
        self.before = make_event(self.conference, kind="talk", title="Before", start="09:00", end="10:00")
        self.after = make_event(self.conference, kind="talk", title="After", start="11:00", end="12:00")
        self.talk = make_event(self.conference, kind="talk", title="Between", start="10:10", end="10:50")
        self.agenda, self.token = make_agenda(self.conference, self.before, self.after)


@pytest.fixture
def morning() -> Morning:
    return Morning()


def test_gap_of_the_agenda_leads_to_what_fits_in_it(morning: Morning) -> None:
    client = browser(token=morning.token)

    agenda = client.get("/demo/agenda/?at=2025-04-24T08:00").text
    page = client.get(GAP)

    assert agenda.count(f'href="{GAP.replace("&", "&amp;")}"') == 1
    assert page.status_code == 200
    assert [it.card.title for it in page.context["found"].suggestions] == ["Between"]
    assert presses(page.text) == {str(morning.talk.guid): False}


def test_what_is_on_since_another_date_names_it(morning: Morning) -> None:
    wednesday = dt.date(2025, 4, 23)
    night = make_event(morning.conference, title="Hackathon", start=at("18:00", wednesday), end=at("16:00"))
    PrivateEntry.add(morning.agenda, title="Flight", start=at("19:00", wednesday), end=at("15:00"))
    morning.agenda.bookmark(night, on=True)

    page = " ".join(re.sub(r"<[^>]*>", "", browser(token=morning.token).get(GAP).text).split())

    assert "from Wed 18:00 until 16:00" in page
    assert "from Wed 19:00 until 15:00 Flight" in page


def test_day_leads_to_what_is_on_before_and_after_it(morning: Morning) -> None:
    make_event(morning.conference, kind="talk", title="Early", start="08:30", end="08:50")
    make_event(morning.conference, kind="social", title="Late", start="19:00", end="23:00")
    client = browser(token=morning.token)
    agenda = client.get("/demo/agenda/?at=2025-04-24T08:00").text
    urls = [
        f"/demo/agenda/gap/?{edge}=2025-04-24T{time}&at=2025-04-24T08:00" for edge, time in [("to", "09:00"), ("from", "12:00")]
    ]

    suggestions = [client.get(url).context["found"].suggestions for url in urls]

    assert [agenda.count(f'href="{url.replace("&", "&amp;")}"') for url in urls] == [1, 1]
    assert [[it.card.title for it in some] for some in suggestions] == [["Early"], ["Late"]]
    assert "Find something earlier" not in client.get("/demo/agenda/").text


def test_gap_too_short_for_anything_leads_nowhere(morning: Morning) -> None:
    morning.agenda.bookmark(make_event(morning.conference, kind="talk", start="10:00", end="10:51"), on=True)

    assert "agenda/gap/?from" not in browser(token=morning.token).get("/demo/agenda/").text


def test_bookmark_of_a_proposal_comes_back_to_the_gap(morning: Morning) -> None:
    client = browser(token=morning.token)
    form = {"on": "1", "next": GAP}

    response = client.post(f"/demo/events/{morning.talk.guid}/bookmark/", form)

    assert response["Location"] == f"{GAP}#e-{morning.talk.guid}"
    page = client.get(GAP)
    assert f'name="next" value="{GAP.replace("&", "&amp;")}"' in page.text
    assert [card.title for card in page.context["found"].mine] == ["Between"]
    assert page.context["found"].suggestions == []
    assert "<h1>What else is on</h1>" in page.text
    assert "Nothing else is on then" in page.text


@pytest.mark.parametrize(("start", "end", "said"), [("10:52", "11:30", "fits"), ("11:00", "11:30", "is on then")])
def test_empty_page_says_whether_anything_is_on(morning: Morning, start: str, end: str, said: str) -> None:
    morning.talk.delete()
    make_event(morning.conference, kind="break", start="10:00", end="11:00")
    make_event(morning.conference, kind="talk", title="Almost after", start=start, end=end)

    page = browser(token=morning.token).get(GAP).text

    assert f"<h2>Nothing {said}</h2>" in page


@pytest.mark.parametrize("query", ["from=soon", "to=%00", "from=2025-04-24T11:00&to=2025-04-24T10:00", "from=<b>&to=2"])
def test_time_that_cannot_be_is_refused_in_a_sentence(morning: Morning, query: str) -> None:
    response = browser(token=morning.token).get(f"/demo/agenda/gap/?{query}")

    assert response.status_code == 422
    assert response.context["asked"].problem.endswith(".")
    assert "<b>&" not in response.text


def test_page_number_that_is_none_shows_the_first_or_the_last(morning: Morning) -> None:
    client = browser(token=morning.token)

    shown = [client.get(f"{GAP}&page={page}").context["found"].suggestions for page in ["x", "-1", "99999", ""]]

    assert [[it.card.title for it in some] for some in shown] == [["Between"]] * 4


def test_free_now_begins_now_for_somebody_without_an_agenda(morning: Morning) -> None:
    page = Client().get("/demo/agenda/gap/?at=2025-04-24T10:20")

    assert [it.card.title for it in page.context["found"].suggestions] == ["Between", "After"]


def test_free_time_from_now_is_as_long_as_its_hours(morning: Morning) -> None:
    with time_machine.travel(at("10:00") + dt.timedelta(seconds=42), tick=False):
        page = browser(token=morning.token).get("/demo/agenda/gap/")

    assert "1 h free" in page.text
    assert page.context["found"].span.length == dt.timedelta(hours=1)


@pytest.mark.parametrize("size", [1, 3])
def test_gap_page_takes_as_many_queries_for_three_as_for_one(morning: Morning, size: int, django_assert_num_queries: Any) -> None:
    for number in range(size):
        make_event(morning.conference, kind="talk", title=f"Talk {number}", start="10:00", end="10:30")
    client = browser(token=morning.token)

    with django_assert_num_queries(15):
        response = client.get(GAP)

    assert response.context["found"].count == size + 1


def test_time_that_picks_fill_is_called_so(morning: Morning) -> None:
    morning.agenda.bookmark(make_event(morning.conference, kind="talk", title="All of it", start="10:00", end="11:00"), on=True)

    page = browser(token=morning.token).get(GAP).text

    assert "<h2>No free time then</h2>" in page
    assert "Your plans leave less than 10 minutes. Other events are on then: the schedule has them." in page
    assert "too far away" not in page

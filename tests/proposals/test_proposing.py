"""The desk: anyone hands in a social, what is wrong with one, or a word on a page."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from events.models import Conference, Event, Letter, Proposal, Tally
from events.proposals.views import PROPOSALS_CLOSED_MESSAGE, PROPOSALS_COOKIE
from tests.factories import THURSDAY, at, make_conference, make_event
from tests.proposals.forms_filled import (
    BEFORE,
    MISSING,
    PROPOSE,
    SOCIAL,
    about,
    labels,
    make_social,
    only,
    problems,
    propose,
    stamp,
)
from tests.visitors import HTMX, browser

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("before_the_conference")]
OLD = "This form is older than a day. Everything you wrote is still here: send it again."


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["form", "htmx"])
def test_social_is_proposed_by_a_plain_form_and_waits(conference: Conference, headers: dict[str, str]) -> None:
    more = {
        "about": "Bring *yours*.\r\nAll are welcome.",
        "audience": "Everybody",
        "access_notes": "A lift.",
        "signup_url": "https://example.org/games",
        "signup_until": "2025-04-23T18:00",
        "cost": "5 dollars",
        "capacity": "20",
        "message": "My first.",
        "mailbox": "Ada@Example.org",
    }

    response = Client().post(PROPOSE, SOCIAL | more | {"stamp": stamp()}, headers=headers)

    proposal = only()
    assert (response.status_code, response["Location"]) == (302, proposal.url)
    assert (proposal.kind, proposal.status, proposal.version, proposal.event, proposal.page) == ("social", "waiting", 1, None, "")
    assert (proposal.title, proposal.place, proposal.host, proposal.date) == ("Board games", "Marina", "Ada", THURSDAY)
    assert (proposal.start, proposal.end) == (at("19:00"), at("21:00"))
    assert proposal.about == "Bring *yours*.\nAll are welcome."
    assert (proposal.audience, proposal.access_notes, proposal.cost) == ("Everybody", "A lift.", "5 dollars")
    assert (proposal.signup_url, proposal.signup_until) == ("https://example.org/games", at("18:00", dt.date(2025, 4, 23)))
    assert (proposal.capacity, proposal.message, proposal.mailbox) == (20, "My first.", "ada@example.org")
    assert Event.objects.count() == 0


def test_nothing_is_mailed_when_something_is_sent(conference: Conference) -> None:
    propose(Client(), mailbox="ada@example.org")

    assert Letter.objects.count() == 0


def test_name_day_and_host_are_enough(conference: Conference) -> None:
    said = {"title": " Board \t games ", "date": "2025-04-20", "host": "Ada", "stamp": stamp()}

    Client().post(PROPOSE, said)

    proposal = only()
    assert (proposal.title, proposal.date, proposal.start, proposal.end) == ("Board games", dt.date(2025, 4, 20), None, None)
    assert (proposal.capacity, proposal.signup_until) == (None, None)


@pytest.mark.parametrize(
    ("start", "end", "begins", "ends"),
    [
        pytest.param("22:30", "01:15", at("22:30"), at("01:15", dt.date(2025, 4, 25)), id="past midnight"),
        pytest.param(
            "00:30", "02:00", at("00:30", dt.date(2025, 4, 25)), at("02:00", dt.date(2025, 4, 25)), id="the night after the day"
        ),
        pytest.param("07:00", "08:00", at("07:00"), at("08:00"), id="in the morning"),
    ],
)
def test_night_belongs_to_the_evening_before(
    conference: Conference, start: str, end: str, begins: dt.datetime, ends: dt.datetime
) -> None:
    propose(Client(), start=start, end=end)

    assert (only().start, only().end, only().date) == (begins, ends, THURSDAY)


def test_times_are_by_the_clock_of_the_venue_whatever_zone_is_shown(conference: Conference) -> None:
    propose(browser(zone="Europe/Vienna"), signup_until="2025-04-23T18:00")

    assert (only().start, only().signup_until) == (at("19:00"), at("18:00", dt.date(2025, 4, 23)))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        pytest.param({"title": " "}, "Give it a name.", id="no name"),
        pytest.param({"title": "w" * 301}, "That is too long: use at most 300 characters.", id="long name"),
        pytest.param(
            {"title": "a\x01b"}, "Character 2 (U+0001) cannot be shown: delete it and type the text again.", id="control"
        ),
        pytest.param({"host": ""}, "Name the host.", id="no host"),
        pytest.param({"date": ""}, "Choose the day.", id="no day"),
        pytest.param({"date": "2025-04-16"}, "Choose one of the days in the list.", id="long before"),
        pytest.param({"date": "2025-05-06"}, "Choose one of the days in the list.", id="long after"),
        pytest.param({"date": "2025-02-30"}, "Choose one of the days in the list.", id="no such day"),
        pytest.param({"start": "25:00"}, "Write “from” as 18:30.", id="no such hour"),
        pytest.param({"end": ""}, "Add when it ends, or leave both empty.", id="no end"),
        pytest.param({"start": ""}, "Add when it begins, or leave both empty.", id="no beginning"),
        pytest.param({"end": "19:00"}, "It must end after it begins: choose another end.", id="no time at all"),
        pytest.param({"about": "w" * 10_001}, "That is too long: use at most 10,000 characters.", id="long text"),
        pytest.param(
            {"signup_url": "javascript:alert(1)"},
            "“javascript:alert(1)” is not a web address: it starts with https:// and has no spaces.",
            id="no address",
        ),
        pytest.param({"signup_until": "soon"}, "Write day and time as 2025-04-24 18:30.", id="no moment"),
        pytest.param(
            {"signup_until": "0001-01-01T00:00"},
            "Choose a day within the year before the conference, or during it.",
            id="the first year",
        ),
        pytest.param(
            {"signup_until": "9999-12-31T23:59"},
            "Choose a day within the year before the conference, or during it.",
            id="the last year",
        ),
        pytest.param({"signup_until": "2025-04-24T21:01"}, "Choose a time before the social ends.", id="too late"),
        *[
            pytest.param(
                {"capacity": number},
                "Write a number from 1 to 100,000, or leave it empty.",
                id=f"{number} places",
            )
            for number in ["-1", "0", "100001", "1e309", "NaN", "many"]
        ],
        pytest.param(
            {"mailbox": "ada"}, "That is not a mail address: write one like ada@example.org, or leave it empty.", id="no mailbox"
        ),
        pytest.param({"mailbox": "ada@exämple.org"}, "Use only the letters a to z, digits and signs.", id="letters"),
    ],
)
def test_mistake_gets_a_sentence_at_its_field_and_keeps_what_was_typed(
    conference: Conference, wrong: dict[str, str], said: str
) -> None:
    response = propose(Client(), cost="Ten dollars", **wrong)

    assert problems(response) == [said]
    [name] = response.context["form"].errors
    assert f'href="#field-{name}"' in response.text
    assert f'id="field-{name}_error"' in response.text
    assert 'value="Ten dollars"' in response.text
    assert Proposal.objects.count() == 0


def test_clocks_that_change_in_between_are_minded() -> None:
    make_conference(slug="demo", timezone="Europe/Vienna", start=dt.date(2025, 10, 25), end=dt.date(2025, 10, 28))

    propose(Client(), date="2025-10-25", start="23:30", end="03:30")

    assert (only().end - only().start) == dt.timedelta(hours=5)  # type: ignore[operator]


def test_form_that_is_sent_twice_makes_one(conference: Conference) -> None:
    sent = {"stamp": stamp()}

    first, second = (propose(Client(), **sent) for _ in range(2))

    assert Proposal.objects.count() == 1
    assert (first["Location"], second["Location"]) == (only().url, only().url)


def test_form_that_a_browser_filled_in_by_itself_is_taken_at_once(conference: Conference) -> None:
    response = propose(Client(), stamp=stamp(0))

    assert (response.status_code, Proposal.objects.count()) == (302, 1)


def test_days_that_are_over_are_not_offered(conference: Conference) -> None:
    with time_machine.travel(at("12:00", dt.date(2025, 4, 26))):
        page = Client().get(PROPOSE)
        problem = problems(propose(Client(), date="2025-04-25", stamp=stamp()))

    days = [value for _, group in page.context["form"].fields["date"].choices[1:] for value, _ in group]
    assert days[0] == "2025-04-26"
    assert problem == ["Choose one of the days in the list."]


def test_program_that_fills_in_everything_is_told_so_and_nothing_is_kept(conference: Conference) -> None:
    response = propose(Client(), homepage="https://spam.example")

    assert problems(response) == ["A hidden field was filled in. It is empty now: send the form again."]
    assert "spam.example" not in response.text
    assert Proposal.objects.count() == 0


@pytest.mark.parametrize(
    ("given", "said"),
    [
        pytest.param(lambda: stamp(86_401), OLD, id="old"),
        pytest.param(lambda: "", OLD, id="none"),
        pytest.param(
            lambda: stamp()[:-1] + "x",
            OLD,
            id="forged",
        ),
    ],
)
def test_form_that_was_not_filled_in_by_a_person_just_now_is_asked_for_again(
    conference: Conference, given: Any, said: str
) -> None:
    client = Client()

    response = propose(client, stamp=given())

    assert problems(response) == [said]
    with time_machine.travel(BEFORE + dt.timedelta(minutes=2), tick=False):
        propose(client, stamp=str(response.context["form"].next_stamp))
    assert only().title == "Board games"


def test_mistake_keeps_the_stamp_so_that_it_still_makes_one(conference: Conference) -> None:
    given = stamp()

    response = propose(Client(), stamp=given, title="")

    assert str(response.context["form"].next_stamp) == given


def test_social_that_is_there_already_is_hinted_at(conference: Conference) -> None:
    same = make_event(conference, kind="social", title="Board games!", start="18:00", end="20:00", place="Marina Bay")
    make_event(conference, kind="social", title="Karaoke", start="19:00", end="21:00")
    make_event(conference, kind="social", title="Board games", start="19:00", end="21:00", status="draft")
    client = Client()

    response = propose(client)

    assert response.status_code == 422
    assert [(it.title, it.url, it.is_own) for it in response.context["hints"]] == [
        ("Board games!", same.get_absolute_url(), False)
    ]
    assert 'name="anyway" value="1"' in response.text
    assert Proposal.objects.count() == 0
    assert propose(client, anyway="1").status_code == 302


def test_what_others_sent_is_not_hinted_at_and_what_oneself_sent_is(conference: Conference) -> None:
    client, stranger = Client(), Client()
    propose(client)

    again, theirs = propose(client), propose(stranger)

    assert [(it.title, it.url, it.is_own) for it in again.context["hints"]] == [
        ("Board games", Proposal.objects.earliest("pk").url, True)
    ]
    assert theirs.status_code == 302


def test_form_shows_what_the_same_browser_sent_and_nobody_else(conference: Conference) -> None:
    client = Client()
    propose(client)

    assert [it.title for it in client.get(PROPOSE).context["my_proposals"]] == ["Board games"]
    assert Client().get(PROPOSE).context["my_proposals"] == []
    other = make_conference(slug="other")
    assert client.cookies[PROPOSALS_COOKIE]["path"] == "/demo/"
    assert client.get(reverse("events:social-propose", args=[other.slug])).context["my_proposals"] == []


def test_proposals_are_in_a_cookie_of_this_host_alone_on_https(conference: Conference, settings: Settings) -> None:
    client = Client()
    propose(client)
    settings.SECURE = True

    before = client.get(PROPOSE).context["my_proposals"]
    response = propose(client, title="Chess")
    cookie = response.cookies[f"__Host-{PROPOSALS_COOKIE}"]  # type: ignore[attr-defined]
    del client.cookies[PROPOSALS_COOKIE]

    assert [it.title for it in before] == ["Board games"]
    assert (cookie["secure"], cookie["path"], cookie["domain"]) == (True, "/", "")
    assert sorted(it.title for it in client.get(PROPOSE).context["my_proposals"]) == ["Board games", "Chess"]


@pytest.mark.parametrize("cookie", ["", "x", "." * 40, "a" * 32 + ".", ("a" * 32 + ".") * 50 + "b" * 32, "é"])
def test_cookie_that_is_none_of_ours_is_as_good_as_none(conference: Conference, cookie: str) -> None:
    response = Client().get(PROPOSE, headers={"cookie": f"{PROPOSALS_COOKIE}={cookie}"})

    assert (response.status_code, response.context["my_proposals"]) == (200, [])


@pytest.mark.parametrize(
    ("url", "last"),
    [
        # The last day that can be chosen is a week after the conference.
        pytest.param(PROPOSE, dt.datetime(2025, 5, 5, 12, tzinfo=dt.UTC), id="socials"),
        pytest.param(MISSING, dt.datetime(2025, 5, 28, 12, tzinfo=dt.UTC), id="reports"),
    ],
)
def test_desk_closes_after_the_conference(conference: Conference, url: str, last: dt.datetime) -> None:
    with time_machine.travel(last, tick=False):
        assert Client().get(url).status_code == 200
        assert "proposal-form" in Client().get(url).text
    with time_machine.travel(last + dt.timedelta(days=1), tick=False):
        page, sent = Client().get(url), Client().post(url, SOCIAL | {"stamp": stamp(), "message": "x"})
        socials = Client().get("/demo/socials/")

    assert [it.status_code for it in (page, sent)] == [200, 422]
    assert ["Proposals are closed" in it.text for it in (page, sent)] == [True, True]
    assert ["missing" in socials.text, "propose" in socials.text.lower()] == [url == PROPOSE, False]
    assert Proposal.objects.count() == 0


def test_closing_date_is_shown_and_closes_new_socials_only(conference: Conference) -> None:
    conference.proposals_until = at("18:00")
    conference.save()
    pages = [PROPOSE, MISSING, "/demo/socials/"]

    with time_machine.travel(at("17:59"), tick=False):
        form, report, socials = (Client().get(url).text for url in pages)
    with time_machine.travel(at("18:00"), tick=False):
        closed, later_report, later_socials = (Client().get(url).text for url in pages)
        sent = Client().post(PROPOSE, SOCIAL | {"stamp": stamp()})

    assert "Until 24 Apr 2025 18:00, Singapore." in form
    assert "Socials could be proposed until 24 Apr 2025 18:00, Singapore." in closed
    assert ["Something missing or wrong?" in closed, "proposal-form" in closed, "is over" in closed] == [True, False, False]
    assert ["proposal-form" in text for text in (report, later_report)] == [True, True]
    assert ["Propose it" in text for text in (report, later_report)] == [True, False]
    assert [PROPOSE in text for text in (socials, later_socials)] == [True, False]
    assert (sent.status_code, PROPOSALS_CLOSED_MESSAGE in sent.text, Proposal.objects.count()) == (422, True, 0)


def test_sent_proposal_can_be_changed_after_the_closing_date(conference: Conference) -> None:
    propose(Client())
    conference.proposals_until = at("18:00")
    conference.save()

    with time_machine.travel(at("18:30"), tick=False):
        page = Client().get(only().url).text

    assert "Edit</a>" in page


def test_list_of_socials_leads_to_the_form_also_when_it_is_empty(conference: Conference) -> None:
    empty = Client().get("/demo/socials/").text
    make_social(conference)
    full = Client().get("/demo/socials/?at=2025-04-24T09:30").text

    assert 'href="/demo/socials/propose/"' in empty
    assert 'href="/demo/socials/propose/?at=2025-04-24T09:30"' in full


def test_every_list_and_page_leads_to_where_one_says_what_is_wrong(conference: Conference) -> None:
    pages = [*labels(conference), make_social(conference).get_absolute_url()]

    leads = {path: f'href="/demo/missing/?where={path.replace("/", "%2F")}"' in Client().get(path).text for path in pages}

    assert leads == dict.fromkeys(pages, True)
    assert "missing/" not in Client().get("/demo/agenda/").text


def test_page_with_a_form_is_kept_by_nothing_and_listed_nowhere(conference: Conference) -> None:
    for url in [PROPOSE, MISSING]:
        response = Client().get(url)

        told = {name: response[name] for name in ("Cache-Control", "X-Robots-Tag", "Referrer-Policy")}
        assert told == {"Cache-Control": "private, no-store", "X-Robots-Tag": "noindex", "Referrer-Policy": "same-origin"}


def test_looking_writes_nothing(conference: Conference) -> None:
    for url in [PROPOSE, MISSING, about(make_social(conference))]:
        response = Client().get(url)
        assert PROPOSALS_COOKIE not in response.cookies

    assert (Proposal.objects.count(), Tally.objects.count()) == (0, 0)

"""At the secret address of what one handed in: how it stands, saying it anew, taking it back."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
import time_machine
from django.test import Client

from events.models import Conference, Event, Proposal
from events.proposals.decisions import ask_back, deal_with, decline, merge_into, merge_into_event, publish
from tests.factories import at, make_conference, make_event
from tests.proposals.forms_filled import MISSING, SOCIAL, only, problems, propose, shown, stamp
from tests.proposals.proposing import chair
from tests.security import strings
from tests.visitors import HTMX, browser

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("before_the_conference")]


@pytest.fixture(name="sent")
def _sent(conference: Conference) -> Proposal:
    propose(Client(), signup_url="https://example.org/games", about="Bring [yours](https://evil.example).")
    return only()


def state(proposal: Proposal) -> str:
    """What the page says of it, in its heading."""
    text = Client().get(proposal.url).text
    heading = text[text.index('<h2 id="state">') : text.index("</h2>", text.index('<h2 id="state">'))]
    return heading.rpartition("</svg>")[2].strip()


def change(proposal: Proposal, client: Client | None = None, **said: Any) -> Any:
    client, url = client or Client(), f"{proposal.url}change/"
    return client.post(url, shown(client, url) | said)


def test_page_says_how_it_stands_and_what_was_sent(sent: Proposal) -> None:
    page = Client().get(sent.url)

    assert state(sent) == "Waiting for the chairs"
    assert dict(page.context["rows"]) == {
        "Name": "Board games",
        "Day": "Thursday 24 April",
        "From": "19:00",
        "To": "21:00",
        "Place": "Marina",
        "Host": "Ada",
        "What it is": "Bring [yours](https://evil.example).",
        "Sign-up page": "https://example.org/games",
    }
    assert f'value="http://127.0.0.1:8000{sent.url}"' in page.text


def test_no_link_in_it_is_a_link_before_it_is_published(sent: Proposal) -> None:
    text = Client().get(sent.url).text

    assert ['href="https://evil' in text, 'href="https://example.org' in text] == [False, False]


def test_times_are_by_the_clock_of_the_venue_whatever_zone_is_shown(sent: Proposal) -> None:
    client = browser(zone="Europe/Vienna")

    assert dict(client.get(sent.url).context["rows"])["From"] == "19:00"
    assert change(sent, client, cost="Free").status_code == 302
    assert (only().start, only().cost) == (at("19:00"), "Free")


@pytest.mark.parametrize(
    ("decide", "said"),
    [
        pytest.param(lambda it: ask_back(it, by=chair(), version=1, answer="Where?"), "The chairs have a question", id="asked"),
        pytest.param(lambda it: publish(it, by=chair(), version=1), "Published", id="published"),
        pytest.param(lambda it: decline(it, by=chair(), version=1, answer="Where?"), "Declined", id="declined"),
        pytest.param(lambda it: it.withdraw(1), "You withdrew it", id="withdrawn"),
    ],
)
def test_page_says_what_was_decided(sent: Proposal, decide: Any, said: str) -> None:
    decide(sent)

    assert state(sent) == said
    assert ("Where?" in Client().get(sent.url).text) == (said in {"The chairs have a question", "Declined"})


def test_page_leads_to_what_it_became(sent: Proposal) -> None:
    event = publish(sent, by=chair(), version=1)
    lead = f'href="{event.get_absolute_url()}"'

    assert lead in Client().get(sent.url).text
    Event.objects.update(status="draft")
    assert lead not in Client().get(sent.url).text


def test_page_leads_to_what_it_was_merged_into(conference: Conference, sent: Proposal) -> None:
    event = make_event(conference, kind="social", title="Games night")

    merge_into_event(sent, event, by=chair(), version=1)

    assert state(sent) == "Merged into Games night"
    assert f'href="{event.get_absolute_url()}"' in Client().get(sent.url).text


def test_page_says_nothing_of_somebody_elses_that_it_was_merged_into(sent: Proposal) -> None:
    propose(Client(), title="Secret dinner", host="Grace")
    other = Proposal.objects.latest("pk")

    merge_into(sent, other, by=chair(), version=1)

    page = Client().get(sent.url)
    assert state(sent) == "Merged into another proposal"
    assert ["Secret dinner" in page.text, "Grace" in page.text, other.token in page.text] == [False] * 3
    event = publish(other, by=chair(), version=1)
    assert state(sent) == "Merged into Secret dinner"
    assert f'href="{event.get_absolute_url()}"' in Client().get(sent.url).text


def test_note_says_on_which_page_and_that_it_was_dealt_with(conference: Conference) -> None:
    Client().post(MISSING, {"where": "/demo/talks/", "message": "One is missing.", "stamp": stamp()})
    note = only()

    assert 'About: <a href="/demo/talks/">the list of invited talks</a>' in Client().get(note.url).text
    assert change(note, message="Two are missing.").status_code == 302
    assert only().message == "Two are missing."
    deal_with(only(), by=chair(), version=2, answer="Added.")
    assert state(note) == "The chairs have dealt with it"


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["form", "htmx"])
def test_sender_changes_it_and_the_chairs_look_again(sent: Proposal, headers: dict[str, str]) -> None:
    ask_back(sent, by=chair(), version=1, answer="Where?")
    client, url = Client(), f"{sent.url}change/"

    response = client.post(url, shown(client, url) | {"place": "Hall 2"}, headers=headers)

    assert (response.status_code, response["Location"]) == (302, sent.url)
    assert (only().place, only().status, only().version) == ("Hall 2", "waiting", 3)
    assert "Where?" in client.get(sent.url).text


def test_form_to_change_it_has_all_that_was_sent(conference: Conference) -> None:
    said = SOCIAL | {"message": "My first.", "mailbox": "ada@example.org", "capacity": "20", "signup_until": "2025-04-23T18:00"}
    propose(Client(), **said)

    found = shown(Client(), f"{only().url}change/")

    assert {name: found[name] for name in said} == said


def test_mistake_in_a_change_changes_nothing(sent: Proposal) -> None:
    assert problems(change(sent, title="")) == ["Give it a name."]

    assert (only().title, only().version) == ("Board games", 1)


def test_change_of_something_changed_meanwhile_shows_both(sent: Proposal) -> None:
    client, url = Client(), f"{sent.url}change/"
    typed = shown(client, url) | {"title": "Chess", "cost": "Free"}
    change(sent, title="Card games", end="22:00")

    response = client.post(url, typed)

    assert response.status_code == 422
    assert response.context["form"].overwritten_rows == [("Name", "Card games"), ("To", "22:00"), ("Cost", "nothing")]
    assert 'value="Chess"' in response.text
    assert (only().title, only().version) == ("Card games", 2)
    assert client.post(url, typed | {"seen": response.context["seen"]}).status_code == 302
    assert (only().title, only().version) == ("Chess", 3)


@pytest.mark.parametrize("status", ["declined", "merged", "done", "withdrawn"])
def test_what_is_over_is_not_changed(sent: Proposal, status: str) -> None:
    Proposal.objects.update(status=status)
    url = f"{sent.url}change/"

    page, answer = Client().get(url), Client().post(url, SOCIAL | {"title": "Mine", "stamp": stamp(), "seen": ""})

    assert (page.status_code, page["Location"]) == (302, sent.url)
    assert (answer.status_code, 'value="Mine"' in answer.text) == (422, True)
    assert (only().title, only().status) == ("Board games", status)
    assert "change/" not in Client().get(sent.url).text


def test_what_is_published_stays_until_the_change_is_agreed_to(sent: Proposal) -> None:
    event = publish(sent, by=chair(), version=1)

    response = change(sent, title="Card games")

    assert response.status_code == 302
    assert state(sent) == "Your change is waiting for the chairs"
    assert "everybody sees what is published now" in Client().get(sent.url).text
    assert "Board games" in Client().get(event.get_absolute_url()).text
    assert only().event == event
    publish(only(), by=chair(), version=2)
    assert "Card games" in Client().get(event.get_absolute_url(), follow=True).text


def test_change_of_what_is_published_begins_with_what_the_event_says_now(sent: Proposal) -> None:
    event = publish(sent, by=chair(), version=1)
    event.title = "Board Games Night"
    event.revise()

    change(sent, cost="Free")

    assert (only().title, only().cost, only().base["title"]) == ("Board Games Night", "Free", "Board Games Night")


def test_change_of_an_event_that_organisers_changed_meanwhile_shows_both(sent: Proposal) -> None:
    event = publish(sent, by=chair(), version=1)
    client, url = Client(), f"{sent.url}change/"
    typed = shown(client, url) | {"cost": "Free"}
    event.title = "Board Games Night"
    event.revise()

    response = client.post(url, typed)

    assert response.context["form"].overwritten_rows == [("Name", "Board Games Night"), ("Cost", "nothing")]
    assert only().status == "published"


def test_sender_takes_it_back_once(sent: Proposal) -> None:
    for _ in range(2):
        assert Client().post(sent.url, {"version": "1"})["Location"] == sent.url

    assert (only().status, only().version) == ("withdrawn", 2)


@pytest.mark.parametrize("version", ["", "0", "2", "x", "9" * 30, "١"])
def test_what_was_not_seen_is_not_taken_back(sent: Proposal, version: str) -> None:
    client = Client()

    client.post(sent.url, {"version": version})

    assert only().status == "waiting"
    assert "Nothing was withdrawn" in client.get(sent.url).text


def test_published_one_cannot_be_taken_back_but_the_change_of_it(sent: Proposal) -> None:
    publish(sent, by=chair(), version=1)
    Client().post(sent.url, {"version": "1"})
    assert only().status == "published"

    change(sent, title="Card games")
    Client().post(sent.url, {"version": "2"})

    assert only().status == "published"
    assert shown(Client(), f"{sent.url}change/")["title"] == "Board games"


@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize("page", ["", "change/"])
def test_address_that_never_was_says_the_same_to_all(conference: Conference, sent: Proposal, method: str, page: str) -> None:
    other = make_conference(slug="other")
    tokens = [*strings.TOKENS[:5], "a" * 32, sent.token[::-1], sent.token_hash, str(sent.guid), sent.token.swapcase()]
    addresses = [f"/demo/proposals/{token}/{page}" for token in tokens]
    addresses.append(sent.url.replace("demo", other.slug) + page)

    answers = {url: getattr(Client(), method)(url, {"version": "1"}).status_code for url in addresses}

    assert answers == dict.fromkeys(addresses, 404)
    assert only().status == "waiting"


@pytest.mark.parametrize("page", ["", "change/"])
def test_page_is_kept_by_nothing_listed_nowhere_and_told_to_nobody(sent: Proposal, page: str) -> None:
    response = Client().get(sent.url + page)

    told = {name: response[name] for name in ("Cache-Control", "X-Robots-Tag", "Referrer-Policy")}
    assert told == {"Cache-Control": "private, no-store", "X-Robots-Tag": "noindex", "Referrer-Policy": "same-origin"}


def test_one_of_a_stranger_is_nowhere_public(sent: Proposal) -> None:
    pages = [
        f"/demo/{it}" for it in ["", "socials/", "changes/", "schedule.json", "schedule.xml", "search/?q=games", "schedule.ics"]
    ]

    found = {url: b"Board games" in Client().get(url).content for url in pages}

    assert found == dict.fromkeys(pages, False)


def test_page_of_a_proposal_is_not_what_one_is_told_is_wrong(sent: Proposal) -> None:
    assert "/demo/missing/" not in Client().get(sent.url).text


def test_after_the_desk_has_closed_it_is_still_there_to_be_read(sent: Proposal) -> None:
    with time_machine.travel(dt.datetime(2025, 8, 1, tzinfo=dt.UTC), tick=False):
        assert Client().get(sent.url).status_code == 200

"""Whatever is handed in at the desk is refused in words or shown as text, to its sender as to all others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
import time_machine
from django.http import HttpResponse
from django.test import Client

from events.models import Proposal
from tests.factories import at
from tests.proposals.forms_filled import stamp
from tests.security import strings
from tests.security.addresses import address
from tests.security.markup import active, elements
from tests.security.world import World

LINES = ("title", "place", "host", "audience", "cost")
TEXTS = ("about", "access_notes", "message")
OTHERS = ("date", "start", "end", "signup_until", "capacity", "mailbox", "signup_url", "stamp", "seen", "homepage", "anyway")
SAID = {"title": "Go", "date": "2025-04-25", "start": "19:00", "end": "21:00", "host": "Ada", "anyway": "1", "message": "Hello."}
CUT = 90


@pytest.fixture(scope="module", autouse=True)
def _during_the_conference() -> Iterator[None]:
    with time_machine.travel(at("09:30"), tick=False):
        yield


def browser() -> Client:
    return Client(raise_request_exception=False)


def posted(client: Client, world: World, name: str, **said: str) -> HttpResponse:
    return client.post(address(f"events:{name}", world), SAID | {"stamp": stamp()} | said)


def sent(world: World, name: str, **said: str) -> tuple[int, str]:
    """What a form that says this is answered with, and the page that its sender is led to."""
    client = browser()
    response = posted(client, world, name, **said)
    return response.status_code, client.get(response["Location"]).text if response.status_code == 302 else response.text


def acts(text: str) -> Counter[str]:
    """Without what differs by itself: the address of the page, and what its form is stamped with."""
    return Counter({it: count for it, count in active(text).items() if "/proposals/" not in it})


@pytest.mark.parametrize(
    "pairs", strings.pairs_of([*LINES, *TEXTS], strings.TEXTS.items(), in_each=[("strongest", strings.MARKUP[strings.STRONGEST])])
)
def test_hostile_text_is_shown_as_text_to_its_sender(world: World, pairs: list[tuple[str, tuple[str, str]]]) -> None:
    harmless = [(302, "x"), (422, "\x01")]
    usual = {status: acts(sent(world, "social-propose", title=text)[1]) for status, text in harmless}

    found = {}
    for field, (kind, text) in pairs:
        status, page = sent(world, "social-propose", **{field: text[:CUT]})
        found[field, kind] = [status] * (status not in usual) + list(acts(page) - usual.get(status, Counter()))

    assert {pair: things for pair, things in found.items() if things} == {}


def test_hostile_word_on_a_page_is_shown_as_text_or_refused(world: World) -> None:
    found = {}
    for kind, text in strings.TEXTS.items():
        before = Proposal.objects.filter(kind="note").count()
        status, page = sent(world, "missing", message=text, where=text)
        acting = [it for it in elements(page) if {"onerror", "onfocus"} & set(it.attributes) or it.tag == "iframe"]
        found[kind] = (status in {302, 422}, acting, Proposal.objects.filter(kind="note").count() - before == (status == 302))

    assert found == dict.fromkeys(strings.TEXTS, (True, [], True))


NUMBERS = ["9" * 400, "1e309", "NaN", "-1", "24:00", "23:59:60", "0001-01-01T00:00", "9999-12-31T23:59"]


@pytest.mark.parametrize("pairs", strings.pairs_of(OTHERS, [*strings.TEXTS.values(), *strings.LINKS, *strings.DATES, *NUMBERS]))
def test_field_that_is_no_text_takes_no_hostile_one(world: World, pairs: list[tuple[str, str]]) -> None:
    before = Proposal.objects.count()

    answers = {pair: posted(browser(), world, "social-propose", **dict([pair])).status_code for pair in pairs}

    assert set(answers.values()) <= {302, 422}
    assert Proposal.objects.count() - before == [*answers.values()].count(302)
    refusing = {"date", "start", "end", "stamp"}
    assert {pair: status for pair, status in answers.items() if pair[0] in refusing and status != 422} == {}


def test_hostile_address_is_no_sign_up_page(world: World) -> None:
    found = {}
    for link in strings.LINKS:
        if "\x01" not in link:
            status, page = sent(world, "social-propose", signup_url=link)
            hrefs = [value or "" for it in elements(page) for name, value in it.attributes.items() if name == "href"]
            found[link] = (status, [href for href in hrefs if "alert(" in href or "evil" in href])

    assert found == dict.fromkeys(found, (422, []))


@pytest.mark.parametrize(
    "mailbox", ["ada@example.org\nBcc: all@example.org", "ada@example.org,all@example.org", "a" * 250 + "@b.cd"]
)
def test_mailbox_is_one_and_on_one_line(world: World, mailbox: str) -> None:
    assert sent(world, "social-propose", mailbox=mailbox)[0] == 422


@pytest.mark.parametrize(("name", "expected"), [("proposal", 302), ("proposal-change", 422)])
def test_hostile_change_is_answered(world: World, name: str, expected: int) -> None:
    client, url = browser(), address(f"events:{name}", world)

    answers = {
        kind: client.post(url, dict.fromkeys([*LINES, *TEXTS, *OTHERS, "version"], text)).status_code
        for kind, text in strings.TEXTS.items()
    }

    assert answers == dict.fromkeys(strings.TEXTS, expected)
    assert Proposal.objects.get(pk=world.proposal.pk).version == world.proposal.version


@pytest.mark.parametrize(
    ("body", "content_type", "expected"),
    [
        pytest.param(b"title=%FF%FE%00", "application/x-www-form-urlencoded", 422, id="bytes that are no text"),
        pytest.param(b"--x\r\nContent-Disposition: form-data", "multipart/form-data; boundary=x", 422, id="a form cut off"),
        pytest.param(b"{", "application/json", 422, id="another type"),
        pytest.param(b"title=1" + b"&a=1" * 6000, "application/x-www-form-urlencoded", 400, id="too many fields"),
        pytest.param(b"\x00" * 100, "multipart/form-data", 400, id="no boundary"),
    ],
)
@pytest.mark.parametrize("name", ["social-propose", "missing", "proposal-change"])
def test_form_that_cannot_be_read_is_refused(world: World, name: str, body: bytes, content_type: str, expected: int) -> None:
    before = list(Proposal.objects.values())

    response = browser().post(address(f"events:{name}", world), body, content_type=content_type)

    assert response.status_code == expected
    assert list(Proposal.objects.values()) == before

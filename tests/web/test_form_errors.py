"""A form with errors says so in its title and in an alert, and marks the controls that are wrong."""

from __future__ import annotations

import html
import re
import uuid
from collections.abc import Callable, Iterator

import pytest
import time_machine
from django.test import Client

from tests.factories import at
from tests.security.markup import Element, elements
from tests.security.world import World

pytestmark = pytest.mark.django_db

Data = dict[str, str]

ENTRY = {"title": "Lunch", "place": "", "date": "2025-04-24", "start": "12:00", "end": "13:00", "guid": str(uuid.uuid4())}
ROOT = "/iclr-2025"


@pytest.fixture(scope="module", autouse=True)
def _during() -> Iterator[None]:
    with time_machine.travel(at("09:30")):
        yield


@pytest.fixture(scope="module")
def world(module_rows: Callable[[Callable[[], World]], World]) -> World:
    return module_rows(World)


# Name to the address, what is sent, and the controls that are marked: none where the form has nothing but buttons.
FORMS: dict[str, tuple[Callable[[World], str], Data, set[str]]] = {
    "private entry": (
        lambda _: f"{ROOT}/agenda/private/",
        {"title": "", "date": "x", "start": "9", "end": ""},
        {"title", "date", "start", "end"},
    ),
    "private entry, place": (lambda _: f"{ROOT}/agenda/private/", ENTRY | {"place": "x" * 121}, {"place"}),
    "private entry, changed": (lambda it: f"{ROOT}/agenda/private/{it.entry.guid}/", ENTRY | {"end": "12:00"}, {"end"}),
    "note": (lambda it: f"{ROOT}/events/{it.keynote.guid}/note/", {"text": "x" * 5000}, {"text"}),
    "code of a device": (lambda _: f"{ROOT}/agenda/take/", {"code": "x"}, {"code"}),
    "link to read": (lambda _: f"{ROOT}/agenda/sharing/", {"label": "x" * 61}, {"label"}),
    "time zone": (lambda _: f"{ROOT}/time-zone/", {"zone": "Moon/Crater"}, {"zone"}),
    "question": (lambda it: f"{ROOT}/events/{it.keynote.guid}/questions/ask/", {"text": "?"}, {"text"}),
    "sign-up": (lambda it: f"{ROOT}/events/{it.party.guid}/sign-up/", {"on": "1", "name": "x" * 61}, {"name"}),
    "sign-up, button": (lambda it: f"{ROOT}/events/{it.party.guid}/sign-up/", {"on": "perhaps"}, set()),
    "social": (lambda _: f"{ROOT}/socials/propose/", {"title": ""}, {"title", "host", "date"}),
    "sign in": (lambda _: "/account/sign-in/", {"mailbox": "ada"}, {"mailbox"}),
    "calendar": (lambda _: f"{ROOT}/agenda/calendar/options/", {"feed_cancelled": "perhaps"}, {"radiogroup"}),
    "bookmark": (lambda it: f"{ROOT}/events/{it.keynote.guid}/bookmark/", {"on": "perhaps"}, set()),
    "presenting": (lambda it: f"{ROOT}/events/{it.keynote.guid}/present/", {"on": "perhaps"}, set()),
    "crowd": (lambda it: f"{ROOT}/events/{it.keynote.guid}/crowd/", {"state": "perhaps"}, set()),
    "attendance": (lambda _: f"{ROOT}/attendance/", {"attendance": "perhaps"}, set()),
    "dismissal": (lambda _: f"{ROOT}/announcements/dismiss/", {"announcement": ""}, set()),
    "poll": (lambda it: f"{ROOT}/events/{it.keynote.guid}/polls/{it.poll.guid}/vote/", {"answer": "9"}, set()),
    "vote": (lambda it: f"{ROOT}/events/{it.keynote.guid}/questions/{it.question.guid}/vote/", {"on": "perhaps"}, set()),
    "changes seen": (lambda _: f"{ROOT}/agenda/changes/", {"upto": "perhaps"}, set()),
}


def title(page: str) -> str:
    found = re.search(r"<title>(.*?)</title>", page, re.DOTALL)
    return html.unescape(" ".join(found[1].split())) if found else ""


def marked(page: str) -> list[Element]:
    return [it for it in elements(page) if it.attributes.get("aria-invalid") == "true"]


@pytest.mark.parametrize("name", FORMS)
def test_form_with_errors_says_so(world: World, name: str) -> None:
    address, data, wrong = FORMS[name]

    response = world.client("agenda holder").post(address(world), data)

    page = response.content.decode()
    assert response.status_code == 422, title(page)
    assert title(page).startswith("Error: ")
    assert [it.tag for it in elements(page) if it.attributes.get("role") == "alert"] == [
        "div" if 'id="note-problem"' not in page else "p"
    ]
    assert {it.attributes.get("name") or it.attributes["role"] for it in marked(page)} == wrong
    ids = {it.attributes.get("id") for it in elements(page)}
    for control in marked(page):
        assert set(control.attributes["aria-describedby"].split()) <= ids


@pytest.mark.parametrize("name", FORMS)
def test_form_without_errors_is_not_marked(world: World, name: str) -> None:
    response = world.client("agenda holder").get(FORMS[name][0](world), follow=True)

    page = response.content.decode()
    if response.status_code == 405:
        return
    assert not title(page).startswith("Error")
    assert marked(page) == []


def test_gap_that_cannot_be_read_says_so(world: World) -> None:
    page = world.client("agenda holder").get(f"{ROOT}/agenda/gap/?from=soon&to=later").content.decode()

    assert title(page).startswith("Error: ")


def test_wrong_code_of_an_account_is_marked(world: World) -> None:
    client = Client()
    client.post("/account/sign-in/", {"mailbox": "ada@example.org"})

    page = client.post("/account/code/", {"code": "AAAAAAAA"}).content.decode()

    assert title(page) == "Error: Your code"
    assert [it.attributes["name"] for it in marked(page)] == ["code"]

"""Nothing is written without the page's token, and nothing at all by looking."""

from __future__ import annotations

import re

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from events.agenda.visitor import VISITOR_COOKIE
from events.models import Conference
from tests.security.addresses import address, names, patterns
from tests.security.admin_rules import LOGIN, admin_address, answer
from tests.security.test_access import SENT, TABLE
from tests.security.world import World

WRITES = re.compile(r"\s*(INSERT|UPDATE|DELETE|REPLACE|CREATE|ALTER|DROP|TRUNCATE)\b", re.IGNORECASE)
# A click in a mail, which comes from no page: the word in its address is what allows it (RFC 8058).
ONE_CLICK = "events:digests-off"
UNSAFE = [name for name, row in TABLE.items() if row.post != 405 and name != ONE_CLICK]
ADMIN = [name for name in patterns() if name.startswith("admin:")]
ROLES = ["anonymous", "agenda holder", "organiser"]


def goes_by_origin(name: str) -> bool:
    """Whether the form stands on pages that are the same for everybody, and so carry no token, or is typed into for long."""
    return getattr(patterns()[name].pattern.callback, "csrf_by_origin", False)


def is_exempt(name: str) -> bool:
    return getattr(patterns()[name].pattern.callback, "csrf_exempt", False)


def counts() -> dict[str, int]:
    return {model._meta.label: model._default_manager.count() for model in apps.get_models(include_auto_created=True)}


def with_token(client: Client, page: str) -> dict[str, str]:
    """What the form on this page sends along."""
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', client.get(page).text)
    assert token is not None
    return {"csrfmiddlewaretoken": token[1]}


def test_something_can_be_written() -> None:
    assert UNSAFE == [
        "events:announcements-dismiss",
        "events:attendance-set",
        "events:preview-leave",
        "events:time-zone",
        "events:bookmark-set",
        "events:crowd-set",
        "events:present-set",
        "events:sign-up",
        "events:place-seen",
        "events:visit-set",
        "events:bookmark-exchange",
        "events:question-ask",
        "events:question-vote",
        "events:question-withdraw",
        "events:poll-vote",
        "events:social-propose",
        "events:missing",
        "events:proposal",
        "events:proposal-change",
        "events:start-set",
        "events:walking-set",
        "events:agenda-changes",
        "events:note",
        "events:private-entry-add",
        "events:private-entry",
        "events:feed-options",
        "events:feed-reset",
        "events:feed-alarm",
        "events:agenda-download",
        "events:handover-code",
        "events:take",
        "events:take-code",
        "events:sharing",
        "events:link-take-back",
        "events:shared-copy",
        "events:others-sign-out",
        "events:device-sign-out",
        "events:forget-me",
        "events:sign-in",
        "events:account-code",
        "events:account-code-again",
        "events:digests-set",
        "events:sign-out",
        "events:account-delete",
    ]


@pytest.mark.parametrize("role", ROLES)
def test_post_without_a_token_is_refused(world: World, role: str) -> None:
    client = world.client(role, enforce_csrf_checks=True)
    before = counts()

    answers = {name: client.post(address(name, world), SENT.get(name)) for name in names()}

    assert {name: it.status_code for name, it in answers.items()} == {name: without_token(name) for name in names()}
    assert [name for name, it in answers.items() if VISITOR_COOKIE in it.cookies] == []
    assert counts() == before


def without_token(name: str) -> int:
    if name == ONE_CLICK:
        return 404
    if is_exempt(name) and name not in UNSAFE:
        return 405
    return 302 if goes_by_origin(name) else 403


def test_few_forms_go_by_origin() -> None:
    assert [name for name in names() if goes_by_origin(name)] == [
        "events:announcements-dismiss",
        "events:attendance-set",
        "events:time-zone",
        "events:preview-leave",
        "events:bookmark-set",
        "events:crowd-set",
        "events:bookmark-exchange",
        "events:note",
        "events:present-set",
        "events:question-vote",
        "events:poll-vote",
        "events:sign-up",
        "events:place-seen",
        "events:social-propose",
        "events:missing",
        "events:proposal-change",
        "events:start-set",
        "events:walking-set",
        "events:agenda-changes",
        "events:private-entry-add",
        "events:private-entry",
        "events:agenda-download",
    ]


@pytest.mark.parametrize("name", UNSAFE)
def test_own_origin_stands_for_the_token_where_the_page_has_none(world: World, name: str) -> None:
    client = world.client("agenda holder", enforce_csrf_checks=True)

    response = client.post(address(name, world), SENT.get(name, {}), headers={"origin": "http://testserver"})

    assert response.status_code == (TABLE[name].post if goes_by_origin(name) else 403)


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://testserver.evil.example"},
        {"origin": "http://testserver:8080"},
        {"origin": ""},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
    ids=str,
)
def test_form_of_another_site_is_refused(world: World, headers: dict[str, str]) -> None:
    client = world.client("agenda holder", enforce_csrf_checks=True)
    before = counts()

    answers = {name: client.post(address(name, world), SENT.get(name, {}), headers=headers).status_code for name in UNSAFE}

    assert answers == dict.fromkeys(UNSAFE, 403)
    assert counts() == before


@pytest.mark.parametrize("method", ["put", "patch", "delete"])
def test_no_other_method_goes_around_the_token(world: World, method: str) -> None:
    client = world.client("agenda holder", enforce_csrf_checks=True)

    answers = {name: getattr(client, method)(address(name, world), SENT.get(name)).status_code for name in UNSAFE}

    assert answers == {name: 405 if is_exempt(name) else 403 for name in UNSAFE}


@pytest.mark.parametrize("name", UNSAFE)
def test_post_with_the_token_of_the_page_is_taken(world: World, name: str) -> None:
    client = world.client("agenda holder", enforce_csrf_checks=True)
    form = with_token(client, address("events:time-zone", world))

    response = client.post(address(name, world), SENT.get(name, {}) | form)

    assert response.status_code == TABLE[name].post


def test_token_of_another_browser_is_refused(world: World) -> None:
    form = with_token(Client(), address("events:time-zone", world))
    client = world.client("agenda holder", enforce_csrf_checks=True)
    client.get(world.day.get_absolute_url())

    answers = {name: client.post(address(name, world), SENT.get(name, {}) | form).status_code for name in UNSAFE}

    assert answers == dict.fromkeys(UNSAFE, 403)


def test_post_from_another_site_is_refused(world: World) -> None:
    client = world.client("agenda holder", enforce_csrf_checks=True)
    form = with_token(client, address("events:time-zone", world))
    headers = {"origin": "https://evil.example"}

    answers = {name: client.post(address(name, world), SENT.get(name, {}) | form, headers=headers) for name in UNSAFE}

    assert {name: it.status_code for name, it in answers.items()} == dict.fromkeys(UNSAFE, 403)


def test_admin_refuses_every_post_without_a_token(world: World) -> None:
    urls = {name: admin_address(name, world) for name in ADMIN}
    client = world.client("organiser", enforce_csrf_checks=True)
    before = counts()

    answers = {name: answer(client.post(url, {"post": "yes", "action": "publish"})) for name, url in urls.items()}

    assert answers == dict.fromkeys(ADMIN, 403)
    assert counts() == before


@pytest.mark.parametrize("role", ROLES)
def test_looking_writes_nothing(world: World, role: str) -> None:
    urls = {name: address(name, world) for name in names()} | {name: admin_address(name, world) for name in ADMIN}
    client = world.client(role)
    # The one row that looking writes: which kind of calendar fetched a feed, once in ten minutes (docs/calendars.md).
    assert client.get(urls["events:feed"]).status_code == 200
    before, revision = counts(), Conference.objects.get(pk=world.conference.pk).revision

    # Asking for the head alone runs the same view: once for one of them is enough.
    methods = ["get", "head"] if role == "agenda holder" else ["get"]
    written = {name: writes(client, url, methods) for name, url in urls.items() if name != "admin:logout"}

    assert {name: statements for name, statements in written.items() if statements} == {}
    assert (counts(), Conference.objects.get(pk=world.conference.pk).revision) == (before, revision)


def writes(client: Client, url: str, methods: list[str]) -> list[str]:
    """The statements that would have changed a row."""
    with CaptureQueriesContext(connection) as queries:
        for method in methods:
            getattr(client, method)(url)
    return [query["sql"] for query in queries if WRITES.match(query["sql"])]


def test_looking_at_a_confirmation_bookmarks_nothing(world: World) -> None:
    client, before = Client(), counts()

    client.get(address("events:bookmark-set", world), {"on": "1"})

    assert VISITOR_COOKIE not in client.cookies
    assert counts() == before


def test_admin_lets_nobody_out_by_a_link(world: World) -> None:
    client = world.client("organiser")

    client.get(admin_address("admin:logout", world))

    assert answer(client.get(admin_address("admin:index", world))) != LOGIN

"""Roles in one conference: there they give what the group gives, and of every other conference nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.apps import apps
from django.contrib.auth.models import Group, User
from django.core.serializers.python import Serializer
from django.db.models import Model
from django.test import Client

from events.admin.base.visible import path_to_conference
from events.models import Conference, StaffRole
from events.staff.models import ORGANISERS, SOCIAL_CHAIRS, STAFF_GROUP_NAMES
from tests.factories import at, make_event
from tests.security.addresses import patterns
from tests.security.admin_rules import OF_CONFERENCE, Answer, admin_address, admin_expected, answer, model_pages
from tests.security.hidden import CANARY, Hidden
from tests.security.world import World

METHODS = ("get", "post")
# No role gives these: other conferences, the log of all, and histories of accounts, which name other conferences.
NOT_BY_ROLE = {
    "admin:events_conference_add",
    "admin:events_conference_delete",
    "admin:events_conference_remove",
    "admin:events_staffmember_history",
    "admin:admin_logentry_changelist",
    "admin:admin_logentry_change",
    "admin:admin_logentry_history",
}
OF_THE_ROW = {"change", "delete", "history", "duplicate"}
REFUSED = {302, 403, 404, 405}


@pytest.fixture(scope="module", autouse=True)
def _during_the_conference() -> Iterator[None]:
    with time_machine.travel(at("09:30"), tick=False):
        yield


def holder(group: str, *conferences: Conference) -> Client:
    """A browser of somebody who has this role in these conferences, and no group."""
    user = User.objects.create_user(f"{group} of {len(conferences)}", password="a long password", is_staff=True)
    for conference in conferences:
        StaffRole.objects.create(user=user, group=Group.objects.get(name=group), conference=conference)
    client = Client()
    client.force_login(user)
    return client


def admin_addresses(world: World) -> dict[str, str]:
    addresses = {name: admin_address(name, world) for name in patterns() if name.startswith("admin:")}
    # They end the session, with which everything after them would be refused.
    return {name: url for name, url in addresses.items() if name != "admin:logout"}


def about_a_row() -> set[str]:
    pages = {name for name, (_, page) in model_pages().items() if page in OF_THE_ROW}
    named = {"message", "stage", "decide", "newcomers", "state", "report", "undo", "look", "withdraw"}
    return pages | OF_CONFERENCE | {name for name in patterns() if name.startswith("admin:") and name.rpartition("_")[2] in named}


def rows_of(conference: Conference) -> dict[str, list[dict[str, Any]]]:
    """Every row of a conference, as it is stored."""
    models: list[type[Model]] = [it for it in apps.get_app_config("events").get_models() if path_to_conference(it)]
    return {
        it.__name__: Serializer().serialize(it._default_manager.filter(**{path_to_conference(it): conference.pk}).order_by("pk"))
        for it in models
        if it != StaffRole
    }


def body(response: Any) -> str:
    return f"{response.serialize_headers().decode()} {response.content.decode(errors='replace')}"


@pytest.mark.parametrize("group", STAFF_GROUP_NAMES)
def test_role_of_another_conference_opens_nothing_of_this_one(world: World, group: str) -> None:
    hidden = Hidden(world)
    make_event(world.edition, title="Theirs", start="09:00", end="10:00")
    client = holder(group, world.edition)
    addresses = admin_addresses(world)
    keys = [("conference", world.conference.pk), ("conference__id__exact", world.conference.pk), ("conference__id__exact", "all")]
    keys += [("event__conference__id__exact", "all"), ("conference", hidden.unpublished.pk), ("q", "canary")]
    lists = [url for name, url in addresses.items() if name not in about_a_row()]
    narrowed = [f"{url.partition('?')[0]}?{name}={value}" for url in lists for name, value in keys]

    found = {url: client.get(url) for url in [*addresses.values(), *narrowed]}

    said = {url: set(CANARY.findall(body(it).replace("q=canary", ""))) for url, it in found.items()}
    assert {url: words for url, words in said.items() if words} == {}
    words = ("Open science", "Runners", "Lovelace", "Which licence?", "Open weights?", "iclr.xml")
    assert {url for url, it in found.items() if any(word in body(it) for word in words)} == set()
    assert {name for name, url in addresses.items() if name in about_a_row() and found[url].status_code not in REFUSED} == set()


@pytest.mark.parametrize("group", STAFF_GROUP_NAMES)
def test_role_of_another_conference_changes_nothing_of_this_one(world: World, group: str) -> None:
    client, before = holder(group, world.edition), rows_of(world.conference)
    sent = {
        "conference": str(world.conference.pk),
        "event": str(world.keynote.pk),
        "state": "full",
        "name": "Taken",
        "post": "yes",
    }

    answers = {name: client.post(url, sent) for name, url in admin_addresses(world).items()}

    assert rows_of(world.conference) == before
    assert {name for name in about_a_row() & answers.keys() if answers[name].status_code not in REFUSED} == set()


@pytest.mark.parametrize(("role", "group"), [("organiser", ORGANISERS), ("social chair", SOCIAL_CHAIRS)])
@pytest.mark.parametrize("method", METHODS)
def test_role_gives_in_its_conference_what_the_group_gives(world: World, role: str, group: str, method: str) -> None:
    client = holder(group, world.conference)
    addresses = {name: url for name, url in admin_addresses(world).items() if name not in NOT_BY_ROLE}
    # The first account of the world is one for every conference, whom holders of roles do not see.
    addresses = {name: url for name, url in addresses.items() if "_staffmember_" not in name or name.endswith(("list", "_add"))}

    answers: dict[str, Answer] = {name: answer(getattr(client, method)(url)) for name, url in addresses.items()}

    expected = {name: admin_expected(name, method.upper(), role) for name in addresses}
    # It is asked for an invited talk, which chairs have in no list.
    expected["admin:view_on_site"] = 302 if role == "organiser" else 404
    assert {name: (got, expected[name]) for name, got in answers.items() if got != expected[name]} == {}


@pytest.mark.parametrize("method", METHODS)
def test_role_gives_nothing_that_reaches_beyond_its_conference(world: World, method: str) -> None:
    client = holder(ORGANISERS, world.conference)

    answers = {name: getattr(client, method)(admin_address(name, world)).status_code for name in NOT_BY_ROLE}

    assert answers == dict.fromkeys(NOT_BY_ROLE, 403)

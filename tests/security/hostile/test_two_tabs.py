"""Lists and forms whose row was deleted in another tab, and buttons pressed twice: a sentence, and nothing else is changed."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib import admin
from django.db import models
from django.test import Client, RequestFactory
from django.utils.html import escape

from events.admin.base.model_admin import ROWS_GONE_MESSAGE
from events.models import Event
from tests.admin.pages import act, url
from tests.factories import make_event
from tests.security.world import World

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

GONE = "987654"
ANSWERS = {"apply": "1", "post": "yes", "minutes": "5", "reason": "Rain"}


@pytest.fixture
def organiser(world: World) -> Client:
    return world.client("organiser", raise_request_exception=False)


def lists() -> dict[str, tuple[type[models.Model], Any]]:
    """The models and their admins by name. Events are edited in the lists of their kinds."""
    found = {model._meta.model_name or "": (model, it) for model, it in admin.site._registry.items()}
    return {name: row for name, row in found.items() if row[0]._meta.app_label == "events" and row[0] is not Event}


def actions(model_admin: Any) -> list[str]:
    request = RequestFactory().get("/")
    request.user = World.staff("organiser")
    return list(model_admin.get_actions(request))


def outcome(client: Client, response: Any) -> tuple[int, bool]:
    """The last status, and whether a page says that the row is gone."""
    page = client.get(response["Location"]) if response.status_code == 302 else response
    page = client.get(page["Location"]) if page.status_code == 302 else page
    said = (escape(ROWS_GONE_MESSAGE), "doesn’t exist. Perhaps it was deleted?", "does not exist (any more)")
    return page.status_code, any(sentence in page.text for sentence in said)


@pytest.mark.parametrize("key", [GONE, "x", "9" * 40, "-1"], ids=["deleted", "text", "huge", "negative"])
def test_action_on_rows_that_are_gone_changes_nothing_and_says_so(organiser: Client, key: str) -> None:
    answers = {}
    for name, (_, model_admin) in lists().items():
        for action in actions(model_admin):
            for answer in ({"index": "0"}, ANSWERS):
                response = organiser.post(url("changelist", name), {"action": action, "_selected_action": [key], **answer})
                answers[name, action, *answer] = outcome(organiser, response)

    assert len(answers) > 40
    assert answers == dict.fromkeys(answers, (200, True))


def test_pages_of_a_row_that_is_gone_say_so_or_are_refused(organiser: Client) -> None:
    answers = {}
    for name in lists():
        for page in ("change", "delete", "history"):
            answers[name, page, "get"] = outcome(organiser, organiser.get(url(page, name, GONE)))
            answers[name, page, "post"] = outcome(organiser, organiser.post(url(page, name, GONE), {"post": "yes"}))

    # What organisers may not change or delete is refused before it is looked for.
    assert set(answers.values()) == {(200, True), (403, False)}
    assert answers["session", "delete", "post"] == (200, True)


def test_delete_button_pressed_twice_deletes_once(organiser: Client, world: World) -> None:
    draft = make_event(world.conference, status="draft", announce=False)
    count = Event.objects.count()

    answers = [outcome(organiser, organiser.post(url("delete", "session", draft.pk), {"post": "yes"})) for _ in range(2)]

    assert (answers, Event.objects.count()) == ([(200, False), (200, True)], count - 1)


@pytest.mark.parametrize("action", ["publish", "cancel", "move", "delete_drafts"])
def test_action_pressed_twice_answers_both_times(organiser: Client, world: World, action: str) -> None:
    draft = make_event(world.conference, status="draft", announce=False, start="07:00", end="07:30")

    answers = [outcome(organiser, act(organiser, "session", action, [draft], **ANSWERS)) for _ in range(2)]

    assert [status for status, _ in answers] == [200, 200]

"""The site around the pages: its order, its words, and a policy that lets nothing in."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from events.admin.registry import MODEL_ADMINS
from events.models import Event
from tests.admin.conftest import logged_in
from tests.admin.pages import act, open_form, save, url
from tests.factories import make_conference, make_event

pytestmark = pytest.mark.django_db
INLINE = re.compile(r"<style|\sstyle=|<script(?![^>]*\ssrc=)|\son[a-z]+=|javascript:", re.IGNORECASE)


def groups(client: Client) -> dict[str, list[str]]:
    apps = client.get(reverse("admin:lists")).context["app_list"]
    return {app["name"]: [model["name"] for model in app["models"]] for app in apps}


def test_index_is_in_the_order_of_the_work(organiser: Client) -> None:
    assert groups(organiser) == {
        "Programme": [
            "Invited talks",
            "Sessions",
            "Socials",
            "Proposals",
            "Questions",
            "Polls",
            "Agendas that do not count",
            "Announcements",
            "Changes",
            "Change groups",
        ],
        "People and papers": ["People", "Papers", "Awards"],
        "Place": ["Venues", "Zones", "Rooms", "Floor plans", "Walks", "Services", "Amenities", "Starting points", "Routes"],
        "Pages and sponsors": ["Pages", "Sponsors", "Sponsor levels"],
        "Settings": ["Conferences", "Followed sources", "Import runs", "Days", "Event types", "Tracks", "Topics", "Staff"],
        "Administration": ["Log entries"],
    }


def test_index_of_a_social_chair_holds_what_they_may_open(chair: Client) -> None:
    assert groups(chair) == {
        "Programme": ["Socials", "Proposals"],
        "People and papers": ["People"],
        "Place": ["Zones", "Rooms"],
        "Settings": ["Conferences", "Days", "Event types", "Tracks"],
    }


def test_index_of_a_superuser_holds_accounts_too() -> None:
    root = logged_in(User.objects.create_superuser("root"))

    ours = ["Programme", "People and papers", "Place", "Pages and sponsors", "Settings"]
    assert list(groups(root)) == [*ours, "Administration", "Authentication and Authorization"]


def test_pages_of_the_app_are_found_from_the_breadcrumbs(organiser: Client) -> None:
    page = organiser.get(reverse("admin:app_list", args=["events"]))

    assert [len(app["models"]) for app in page.context["app_list"]] == [33]


def test_site_says_whose_it_is(client: Client) -> None:
    page = client.get(reverse("admin:login")).text

    assert '<div id="site-name"><a href="/organise/">Hallway for organisers</a></div>' in page


@pytest.mark.parametrize(
    "page",
    "index lists login app list read-only-list add change conference route history delete action error password".split(),
)
def test_page_has_nothing_inline_and_the_policy_that_forbids_it(organiser: Client, page: str) -> None:
    conference = make_conference()
    event = make_event(conference, status="draft", start="09:00", end="10:00")
    change = url("change", "session", event.pk)
    answer = {
        "index": lambda: organiser.get(reverse("admin:index")),
        "lists": lambda: organiser.get(reverse("admin:lists")),
        "login": lambda: Client().get(reverse("admin:login")),
        "app": lambda: organiser.get(reverse("admin:app_list", args=["events"])),
        "list": lambda: organiser.get(url("changelist", "session")),
        "read-only-list": lambda: organiser.get(url("changelist", "change")),
        "add": lambda: organiser.get(url("add", "session")),
        "change": lambda: organiser.get(change),
        "conference": lambda: organiser.get(url("change", "conference", conference.pk)),
        "route": lambda: organiser.get(url("add", "route")),
        "history": lambda: organiser.get(url("history", "session", event.pk)),
        "delete": lambda: organiser.get(url("delete", "session", event.pk)),
        "action": lambda: act(organiser, "session", "move", [event]),
        "error": lambda: save(organiser, change, open_form(organiser, change), title=""),
        "password": lambda: organiser.get(reverse("admin:password_change")),
    }[page]()

    policy = answer.headers["Content-Security-Policy"]
    assert (answer.status_code, INLINE.findall(answer.text)) == (200, [])
    assert ("default-src 'self'" in policy, "unsafe" in policy) == (True, False)


@pytest.mark.parametrize("name", ["index", "login", "password_change", "jsi18n", "events_session_changelist"])
@pytest.mark.parametrize("is_staff", [True, False])
def test_pages_of_the_admin_are_not_indexed(organiser: Client, name: str, is_staff: bool) -> None:
    answer = (organiser if is_staff else Client()).get(reverse(f"admin:{name}"))

    assert (answer.status_code in {200, 302}, answer.headers["X-Robots-Tag"]) == (True, "noindex")


@pytest.mark.parametrize(
    ("status", "path"),
    [
        (400, "events/session/?q=%00"),
        (403, "events/proposal/add/"),
        (404, "events/question/stage/demo/00000000-0000-0000-0000-000000000000/"),
        (404, "no-such-page/"),
    ],
)
def test_errors_of_the_admin_are_not_indexed(organiser: Client, status: int, path: str) -> None:
    answer = organiser.get(reverse("admin:index") + path)

    assert (answer.status_code, answer.headers["X-Robots-Tag"]) == (status, "noindex")


def test_refused_forms_of_the_admin_are_not_indexed(keynote: Event) -> None:
    client = Client(enforce_csrf_checks=True)

    answer = client.post(url("change", "session", keynote.pk))

    assert (answer.status_code, answer.headers["X-Robots-Tag"]) == (403, "noindex")


def test_lists_and_forms_are_named_as_a_person_names_them() -> None:
    root = logged_in(User.objects.create_superuser("root"))
    names = [f"{model._meta.app_label}_{model._meta.model_name}" for model in [*MODEL_ADMINS, User]]
    # The list of all events leads to that of sessions.
    pages = {name: root.get(reverse(f"admin:{name}_changelist"), follow=True) for name in names}
    titles = {name: page.context["title"] for name, page in pages.items()}

    assert [title for title in titles.values() if title.startswith("Select")] == []
    assert titles["events_staffmember"] == "Staff"
    added = [root.get(reverse(f"admin:events_{name}_add")).context["title"] for name in ("room", "uncountedagendas")]
    assert added == ["Add a room", "Add agendas that do not count"]


def test_page_that_a_role_does_not_include_says_whom_to_ask(keynote: Event, chair: Client) -> None:
    refused = chair.get(url("change", "session", keynote.pk))

    assert (refused.status_code, refused["Cache-Control"], keynote.title in refused.text) == (403, "private, no-cache", False)
    assert "<h1>Your role does not include this</h1>" in refused.text
    assert "You are signed in as Barbara" in refused.text
    assert "ask one of the organisers: they give roles" in refused.text
    assert f'<a href="{reverse("admin:index")}">What you can open</a>' in refused.text

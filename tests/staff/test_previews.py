"""Drafts on public pages: for organisers and behind preview links, and for nobody else."""

from __future__ import annotations

import datetime as dt
import html
import re
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse

from events.agenda.page_cache import PROCESS_CACHE
from events.models import Bookmark, Conference, Event, Person, PreviewLink
from events.programme.drafts import showing_drafts
from events.staff.models import ORGANISERS
from tests.factories import make_agenda, make_appearance, make_conference, make_day, make_event, make_person

pytestmark = pytest.mark.django_db
CANARY = "Kestrel canary"
PAGES = ("", "schedule/2025-04-24/", "schedule/2025-04-24/?view=grid", "talks/", "socials/", "people/")


def organiser(**fields: Any) -> Client:
    user = User.objects.create_user("olga", is_staff=True, **fields)
    user.groups.add(Group.objects.get(name=ORGANISERS))
    client = Client()
    client.force_login(user)
    return client


def make_drafted(**fields: Any) -> tuple[Conference, list[Event]]:
    """A conference with a draft on each of its pages."""
    conference = make_conference(slug="demo", **fields)
    make_event(conference, title="Public opening", start="09:00", end="10:00")
    drafts = [
        make_event(conference, kind=kind, title=f"{CANARY} {kind}", status="draft", start="11:00", end="12:00")
        for kind in ("invited-talk", "social", "session")
    ]
    make_appearance(drafts[0], make_person(conference, f"{CANARY} speaker"))
    return conference, drafts


def preview_client(conference: Conference) -> Client:
    link = PreviewLink.begin(conference, "Speakers", "olga")
    assert link is not None
    client = Client()
    client.get(f"/{conference.slug}/preview/{link.token}/")
    return client


@pytest.mark.parametrize("reader", ["organiser", "guest"])
def test_links_and_pictures_of_a_draft_lead_somewhere(reader: str) -> None:
    conference, drafts = make_drafted(status="draft")
    client = organiser() if reader == "organiser" else preview_client(conference)
    make_day(conference, dt.date(2025, 4, 25))
    paths = [*PAGES, "schedule/2025-04-25/", "nothing/", "venue/", "venue/directions/"]
    pages = [client.get(f"/demo/{path}").text for path in paths] + [client.get(drafts[0].get_absolute_url()).text]

    named = {
        html.unescape(it) for page in pages for it in re.findall(r'<(?:a|img|form)\s[^>]*?(?:href|src|action)="(/[^"#]*)', page)
    }

    assert len(named) > 10
    assert "my-note" not in pages[-1]
    assert [it for it in sorted(named) if client.get(it, follow=True).status_code in {403, 404}] == []


@pytest.mark.parametrize("status", ["draft", "published"])
@pytest.mark.parametrize("reader", ["organiser", "guest"])
def test_drafts_are_shown_and_marked(status: str, reader: str) -> None:
    conference, drafts = make_drafted(status=status)
    client = organiser() if reader == "organiser" else preview_client(conference)

    pages = {page: client.get(f"/demo/{page}") for page in PAGES}
    detail = client.get(drafts[0].get_absolute_url())

    assert {page: CANARY in response.text for page, response in pages.items()} == dict.fromkeys(PAGES[1:], True) | {
        "": CANARY in pages[""].text
    }
    assert 'data-flag="draft"' in pages["talks/"].text
    assert "Draft: not public yet" in detail.text
    for response in [*pages.values(), detail]:
        assert response["Cache-Control"] == "private, no-store"
        assert response["X-Robots-Tag"] == "noindex"


@pytest.mark.parametrize("status", ["draft", "published"])
def test_nobody_else_sees_a_draft_after_an_organiser_did(status: str) -> None:
    conference, drafts = make_drafted(status=status)
    readers = [organiser(), preview_client(conference)]
    paths = [*(f"/demo/{page}" for page in PAGES), drafts[0].get_absolute_url(), "/"]
    for path in [*paths, *paths]:
        for reader in readers:
            reader.get(path)

    answers = [Client().get(path) for path in paths]

    assert not any(CANARY in answer.text for answer in answers)
    assert [answer.status_code for answer in answers[:-1]] == ([404] * 7 if status == "draft" else [200] * 6 + [404])


def test_preview_leaves_nothing_in_the_cache_of_the_process() -> None:
    make_drafted()
    client = organiser()
    PROCESS_CACHE.clear()

    client.get("/demo/schedule/2025-04-24/")

    assert PROCESS_CACHE.keys == []


@pytest.mark.parametrize(
    "path",
    [
        *("schedule.ics", "schedule.xml", "schedule.json", "schedule.csv", "changes.atom", "announcements.atom", "offline.json"),
        *("search/?q=kestrel", "changes/", "screen/", "agenda/", "schedule/2025-04-24.ics"),
    ],
)
def test_nothing_that_leaves_the_site_has_a_draft(path: str) -> None:
    conference, _ = make_drafted()

    answers = [client.get(f"/demo/{path}") for client in (organiser(), preview_client(conference))]

    assert [answer.status_code for answer in answers] == [200, 200]
    assert not any(f"{CANARY} " in answer.content.decode() for answer in answers)


def test_signed_in_without_the_admin_sees_no_draft() -> None:
    _, drafts = make_drafted()
    client = Client()
    client.force_login(User.objects.create_user("ada"))

    assert client.get(drafts[0].get_absolute_url()).status_code == 404


def test_organiser_without_second_factor_sees_no_draft_where_one_is_required(settings: Any) -> None:
    _, drafts = make_drafted()
    settings.REQUIRE_SECOND_FACTOR = True

    assert organiser().get(drafts[0].get_absolute_url()).status_code == 404


def test_withdrawn_link_shows_nothing() -> None:
    conference, drafts = make_drafted()
    client = preview_client(conference)
    link = PreviewLink.objects.get()

    link.revoke()

    assert client.get(drafts[0].get_absolute_url()).status_code == 404
    assert client.get(f"/demo/preview/{link.token}/").status_code == 404


def test_link_shows_drafts_of_its_own_conference_only() -> None:
    make_drafted()
    client = preview_client(make_conference(slug="other"))
    client.cookies["hallway_preview"]["path"] = "/"

    assert client.get("/demo/talks/").text.count(CANARY) == 0


def test_leaving_the_preview_hides_drafts() -> None:
    conference, drafts = make_drafted()
    client = preview_client(conference)

    left = client.post("/demo/preview/leave/", headers={"origin": "http://testserver"})

    assert left.status_code == 302
    assert client.get(drafts[0].get_absolute_url()).status_code == 404


def test_link_is_stored_as_a_hash() -> None:
    link = PreviewLink.begin(make_conference(), "Speakers", "olga")

    assert link is not None
    values = [str(value) for value in PreviewLink.objects.values_list().get()]
    assert link.token not in values
    assert link.token


@pytest.mark.parametrize("reader", ["organiser", "guest"])
def test_draft_cannot_be_bookmarked(reader: str) -> None:
    conference, drafts = make_drafted()
    client = organiser() if reader == "organiser" else preview_client(conference)

    answer = client.post(reverse("events:bookmark-set", args=["demo", drafts[0].guid]), {"on": "1"})

    assert answer.status_code == 404
    assert not Bookmark.objects.exists()
    assert "bookmark/" not in client.get("/demo/talks/").text.partition("<main")[2]


def test_public_event_can_be_bookmarked_beside_drafts() -> None:
    conference, _ = make_drafted()
    opening = Event.objects.get(title="Public opening")
    client = organiser()
    _, client.cookies["hallway"] = make_agenda(conference, opening)

    assert 'aria-pressed="true"' in client.get("/demo/schedule/2025-04-24/").text


def test_front_page_lists_drafts_for_organisers() -> None:
    make_drafted(status="draft", name=CANARY)

    shown, hidden = organiser().get("/"), Client().get("/")

    assert CANARY in shown.text
    assert "Draft: only organisers see this" in shown.text
    assert shown["Cache-Control"] == "private, no-store"
    assert CANARY not in hidden.text


def test_snapshots_are_refused_where_drafts_are_shown() -> None:
    _, drafts = make_drafted()

    with showing_drafts(), pytest.raises(RuntimeError):
        drafts[0].revise()


def test_person_who_is_only_in_drafts_has_a_page_in_the_preview() -> None:
    conference, _ = make_drafted()
    url = Person.objects.get().get_absolute_url()

    assert Client().get(url).status_code == 404
    assert CANARY in preview_client(conference).get(url).text

"""The address of an event's page, its former addresses, and what answers at wrong ones."""

from __future__ import annotations

import uuid
from typing import Any
from urllib.parse import quote

import pytest
from django.contrib.auth.models import User
from django.test import Client

from events.models import Bookmark, Event, PreviewLink
from tests.factories import forms_url, make_conference, make_event
from tests.security.strings import IDS

pytestmark = pytest.mark.django_db
# Numbers that no column of 64 bits holds, and the largest that the address takes.
ODD_WORDS = ["", "-", "Opening-", "opening%2Dkeynote--", "%C3%BCber-", "x%0d%0a-", "..-", "x%3Fy%23-", "a" * 900 + "-", "x-0"]
NO_NAMES = ["a/b-PK", "a%2Fb-PK", "opening-keynote-", "opening-keynotePK", "PK.5", "٣", "opening-keynote-PKx"]
HUGE = ["9" * 18, "9" * 19, str(2**63 - 1), str(2**63), str(2**31), "9" * 400]


@pytest.fixture
def keynote() -> Event:
    return make_event(make_conference(slug="demo"), title="Opening keynote", start="09:00", end="10:00")


def moved(path: str, method: str = "get") -> tuple[int, str, str]:
    response = getattr(Client(), method)(path)
    return response.status_code, response.headers.get("Location", ""), response.headers.get("Cache-Control", "")


@pytest.mark.parametrize("method", ["get", "head"])
@pytest.mark.parametrize("query", ["", "?at=2025-04-24T09:30", "?part=contents&topic=a%2Fb&utm_source=mail", "?x=%0d%0aX:1"])
def test_former_address_leads_to_the_page_with_its_query(keynote: Event, method: str, query: str) -> None:
    answer = moved(f"/demo/events/{keynote.guid}/{query}", method)

    assert answer == (301, f"{keynote.get_absolute_url()}{query}", "no-cache")


@pytest.mark.parametrize("method", ["get", "head"])
@pytest.mark.parametrize("query", ["", "?at=2025-04-24T09:30", "?part=contents&topic=a%2Fb&utm_source=mail", "?x=%0d%0aX:1"])
def test_other_words_lead_to_the_page_with_its_query(keynote: Event, method: str, query: str) -> None:
    answer = moved(f"/demo/events/closing-keynote-{keynote.pk}/{query}", method)

    assert answer == (301, f"{keynote.get_absolute_url()}{query}", "no-cache")


@pytest.mark.parametrize("words", ODD_WORDS)
def test_any_words_before_the_number_lead_to_the_page(keynote: Event, words: str) -> None:
    assert moved(f"/demo/events/{words}{keynote.pk}/") == (301, keynote.get_absolute_url(), "no-cache")


def test_page_answers_at_its_address_alone(keynote: Event) -> None:
    response = Client().get(keynote.get_absolute_url())

    assert (response.status_code, keynote.get_absolute_url()) == (200, f"/demo/events/opening-keynote-{keynote.pk}/")
    assert f'<link rel="canonical" href="http://127.0.0.1:8000{keynote.get_absolute_url()}">' in response.text


def test_no_slash_at_the_end_leads_to_the_page(keynote: Event) -> None:
    assert Client().get(keynote.get_absolute_url().rstrip("/"), follow=True).status_code == 200


def test_title_that_changes_there_and_back_leads_to_no_circle(keynote: Event) -> None:
    first = keynote.get_absolute_url()
    for title in ("Closing keynote", "Opening keynote"):
        keynote.title = title
        keynote.save()
        keynote.revise()
        response = Client().get(first, follow=True)
        assert (response.status_code, response.request["PATH_INFO"]) == (200, keynote.get_absolute_url())

    assert keynote.get_absolute_url() == first


@pytest.mark.parametrize("number", HUGE)
def test_number_that_is_none_is_not_found(keynote: Event, number: str) -> None:
    assert [Client().get(f"/demo/events/{words}{number}/").status_code for words in ("", "-", "opening-keynote-")] == [404] * 3


@pytest.mark.parametrize("name", NO_NAMES)
def test_name_of_another_form_is_not_found(keynote: Event, name: str) -> None:
    assert Client().get(f"/demo/events/{name.replace('PK', str(keynote.pk))}/").status_code == 404


def test_hostile_name_is_not_found() -> None:
    make_event(make_conference(slug="demo"), pk=4711)

    assert {name[:40]: Client().get(f"/demo/events/{name}/").status_code for name in IDS} == {name[:40]: 404 for name in IDS}


def test_event_of_another_conference_is_not_found(keynote: Event) -> None:
    other = make_event(make_conference(slug="other"), title="A secret")

    for name in (f"a-secret-{other.pk}", f"x-{other.pk}", str(other.guid), str(uuid.uuid4())):
        response = Client().get(f"/demo/events/{name}/")
        assert (response.status_code, "A secret" in response.text) == (404, False)


@pytest.mark.parametrize("hidden", ["draft", "in a draft", "draft conference"])
@pytest.mark.parametrize("words", ["secret-PK", "x-PK", "PK", "GUID"])
def test_draft_is_not_found_and_no_redirect_tells_its_title(keynote: Event, hidden: str, words: str) -> None:
    conference = keynote.conference
    if hidden == "draft conference":
        conference = make_conference(slug="hidden", status="draft")
    session = make_event(conference, status="draft") if hidden == "in a draft" else None
    event = make_event(conference, title="Secret", session=session, status="draft" if hidden == "draft" else "confirmed")

    response = Client().get(f"/{conference.slug}/events/{words.replace('PK', str(event.pk)).replace('GUID', str(event.guid))}/")

    assert (response.status_code, response.headers.get("Location")) == (404, None)


def guest(event: Event) -> Client:
    client = Client()
    client.get(f"/demo/preview/{PreviewLink.begin(event.conference, 'Speakers', 'olga').token}/")
    return client


def organiser(event: Event) -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("olga"))
    return client


@pytest.mark.parametrize("reader", [guest, organiser])
def test_whoever_sees_drafts_is_led_to_them_and_nobody_keeps_it(keynote: Event, reader: Any) -> None:
    draft = make_event(keynote.conference, title="Secret", status="draft")
    client = reader(draft)

    for path in (forms_url(draft), f"/demo/events/x-{draft.pk}/"):
        response = client.get(path)
        assert (response.status_code, response.headers["Location"]) == (301, draft.get_absolute_url())
        assert response.headers["Cache-Control"] == "private, no-store"
    assert client.get(draft.get_absolute_url()).status_code == 200
    assert Client().get(draft.get_absolute_url()).status_code == 404


def test_cancelled_event_keeps_its_page(keynote: Event) -> None:
    event = make_event(keynote.conference, title="Dinner", status="cancelled")

    assert moved(forms_url(event)) == (301, event.get_absolute_url(), "no-cache")
    assert Client().get(event.get_absolute_url()).status_code == 200


@pytest.mark.parametrize("path", ["page", "former"])
def test_page_takes_no_post(keynote: Event, path: str) -> None:
    assert Client().post(keynote.get_absolute_url() if path == "page" else forms_url(keynote)).status_code == 405


def test_form_leads_back_to_the_page(keynote: Event) -> None:
    page = keynote.get_absolute_url()

    response = Client().post(f"{forms_url(keynote)}bookmark/", {"on": "1", "next": page, "shown_event": str(keynote.guid)})

    assert (response.status_code, response.headers["Location"]) == (302, f"{page}#e-{keynote.guid}")
    assert Bookmark.objects.get().event == keynote


def test_former_slug_of_the_conference_and_former_words_lead_to_the_page(keynote: Event) -> None:
    response = Client().get(f"/demo/events/{quote('früher')}-{keynote.pk}/", follow=True)

    assert response.request["PATH_INFO"] == keynote.get_absolute_url()

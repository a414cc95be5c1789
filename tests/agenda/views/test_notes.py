"""Private notes: written, shown to their visitor alone, exported, merged and forgotten."""

from __future__ import annotations

import json
from typing import Any
from unittest import mock

import pytest
from django.test import Client
from django.urls import reverse

from events.agenda.merging import merge_agenda
from events.agenda.models import notes as notes_models
from events.agenda.models.notes import MAX_NOTE_CHARS
from events.agenda.queries.notes import note_of, notes_of
from events.agenda.rules.merging import merged_notes
from events.agenda.visitor import VISITOR_COOKIE
from events.models import Agenda, Event, Note, ReadLink
from tests.agenda.bookmarking import make_talk
from tests.factories import at, make_agenda, make_event
from tests.visitors import HTMX, browser

pytestmark = pytest.mark.django_db
SECRET = "Ask about lemma 3"


def url_of(event: Event) -> str:
    return reverse("events:note", args=["demo", event.guid])


def make_note() -> tuple[Event, Agenda, str]:
    talk = make_talk()
    agenda, token = make_agenda(talk.conference, talk)
    Note.write(agenda, talk, SECRET)
    return talk, agenda, token


def test_field_is_called_my_note_and_described_by_who_sees_it() -> None:
    talk = make_talk()

    page = browser().get(url_of(talk)).text

    assert '<label class="visually-hidden" for="note-text">My note</label>' in page
    assert '<p class="meta" id="note-hint">Only you see it, on all your devices.</p>' in page
    assert 'aria-describedby="note-hint"' in page


def test_first_note_begins_an_agenda_and_bookmarks_nothing() -> None:
    talk = make_talk()
    client = Client()

    response = client.post(url_of(talk), {"text": f"  {SECRET}\r\nand 4 "})

    assert (response.status_code, response["Location"]) == (302, f"{talk.get_absolute_url()}#my-note")
    assert VISITOR_COOKIE in response.cookies
    assert [it.text for it in Note.objects.all()] == [f"{SECRET}\nand 4"]
    assert list(Agenda.objects.get().events) == []
    assert SECRET in client.get(talk.get_absolute_url()).text


def test_empty_text_deletes_the_note_and_undo_writes_it_again() -> None:
    talk, agenda, token = make_note()
    client = browser(token=token)

    client.post(url_of(talk), {"text": " "})
    gone = note_of(agenda, talk.pk)
    assert f'name="text" value="{SECRET}"' in client.get("/demo/").text
    client.post(url_of(talk), {"text": SECRET, "undo": "1"})

    assert (gone, Note.objects.get().text) == ("", SECRET)
    assert "message-undo" not in client.get("/demo/").text.partition('id="status"')[2].partition("<template")[0]


def test_empty_text_of_a_stranger_begins_nothing() -> None:
    talk = make_talk()

    assert Client().post(url_of(talk), {"text": ""}).status_code == 302
    assert Agenda.objects.count() == 0


@pytest.mark.parametrize("headers", [{}, HTMX | {"HX-Target": "my-note"}], ids=["page", "htmx"])
def test_too_long_note_is_refused_with_its_text(headers: dict[str, str]) -> None:
    talk, _, token = make_note()
    typed = "é" * (MAX_NOTE_CHARS + 1)

    response = browser(token=token).post(url_of(talk), {"text": typed}, headers=headers)

    assert response.status_code == 422
    assert "Your note has 4,001 characters; at most 4,000 are allowed. Shorten it and save again." in response.text
    assert typed in response.text
    assert ("HX-Reswap" in response) is bool(headers)
    assert Note.objects.get().text == SECRET


def test_note_with_a_character_that_cannot_be_shown_is_refused() -> None:
    talk, _, token = make_note()

    response = browser(token=token).post(url_of(talk), {"text": "a\x07b"})

    assert response.status_code == 422
    assert "Character 2 (U+0007) cannot be shown" in response.text


def test_note_above_the_limit_is_refused_with_its_text() -> None:
    talk, _, token = make_note()
    other = make_event(talk.conference, title="Eve", start="12:00", end="13:00")

    with mock.patch.object(notes_models, "MAX_NOTES_PER_AGENDA", 1):
        response = browser(token=token).post(url_of(other), {"text": "One more"})

    assert response.status_code == 422
    assert "which is the most it can have. Delete one" in response.text
    assert "One more" in response.text
    assert Note.objects.count() == 1


def test_htmx_gets_the_form_and_a_message() -> None:
    talk, _, token = make_note()

    text = browser(token=token).post(url_of(talk), {"text": "New"}, headers=HTMX | {"HX-Target": "my-note"}).text

    assert "Note saved: Adam." in text
    assert f'name="text" value="{SECRET}"' in text
    assert "<html" not in text


def test_note_is_shown_to_its_visitor_alone() -> None:
    """Twice, since pages are cached."""
    talk, agenda, token = make_note()
    link = ReadLink.begin(agenda, "Lab")
    assert link is not None
    stranger = make_agenda(talk.conference, talk)[1]
    shared = [f"/demo/shared/{link.token}/", f"/demo/together/?a={link.token}", f"/feeds/{agenda.feed_token}.ics"]
    pages = [
        talk.get_absolute_url(),
        "/demo/agenda/",
        "/demo/schedule/2025-04-24/",
        "/demo/search/?q=lemma",
        "/demo/schedule.json",
    ]

    for _ in range(2):
        mine = {page: SECRET in browser(token=token).get(page).text for page in pages}
        assert mine == {page: page in pages[:2] for page in pages}
        assert [SECRET in client.get(page).text for client in (browser(token=stranger), Client()) for page in pages + shared] == [
            False
        ] * 2 * len(pages + shared)
    file = browser(token=token).post("/demo/agenda.ics")
    assert SECRET not in file.getvalue().decode()


def test_note_does_not_make_calendars_ask_again() -> None:
    talk, agenda, _ = make_note()
    client = Client()
    feed = f"/feeds/{agenda.feed_token}.ics"
    before = client.get(feed).getvalue()

    Note.write(agenda, talk, "Other")

    assert client.get(feed).getvalue() == before


@pytest.mark.parametrize("status", ["confirmed", "cancelled", "draft"])
def test_note_is_exported_whatever_became_of_its_event(status: str) -> None:
    talk, _, token = make_note()
    Event.objects.filter(pk=talk.pk).update(status=status)

    data = json.loads(browser(token=token).get("/demo/agenda/data.json").content)

    [note] = data["agendas"][0]["notes"]
    assert (note["event_guid"], note["text"]) == (str(talk.guid), SECRET)
    assert note["event_title"] == ("" if status == "draft" else "Adam")


def test_note_about_a_hidden_event_cannot_be_written() -> None:
    talk, _, token = make_note()
    Event.objects.filter(pk=talk.pk).update(status="draft")

    assert browser(token=token).post(url_of(talk), {"text": "New"}).status_code == 404
    assert Note.objects.get().text == SECRET


def test_forget_me_names_and_deletes_notes() -> None:
    _, _, token = make_note()
    client = browser(token=token)

    assert "1 note," in client.get("/demo/agenda/forget-me/").text
    client.post("/demo/agenda/forget-me/")

    assert Note.objects.count() == 0


def test_merge_keeps_both_texts() -> None:
    talk, agenda, _ = make_note()
    alone = make_event(talk.conference, title="Eve", start="12:00", end="13:00")
    other, _ = make_agenda(talk.conference)
    other.notes.create(event=talk, text="Meet Ada", updated_at=at("23:00"))
    other.notes.create(event=alone, text="Bring cake")

    merge_agenda(agenda, other)

    assert {event: sorted(text.split("\n\n")) for event, text in notes_of(Agenda.objects.get()).items()} == {
        talk.pk: [SECRET, "Meet Ada"],
        alone.pk: ["Bring cake"],
    }


EARLY, LATE = at("09:00"), at("10:00")


@pytest.mark.parametrize(
    ("mine", "theirs", "joined"),
    [
        ((EARLY, "A"), (LATE, "B"), (LATE, "A\n\nB")),
        ((LATE, "A"), (EARLY, "B"), (LATE, "B\n\nA")),
        ((EARLY, "A"), (LATE, "A"), (LATE, "A")),
        ((EARLY, "A\n\nB"), (LATE, "B"), (LATE, "A\n\nB")),
    ],
    ids=["earlier first", "theirs earlier", "same", "merged before"],
)
def test_notes_are_joined_in_either_order(mine: Any, theirs: Any, joined: Any) -> None:
    assert merged_notes(mine, theirs) == merged_notes(theirs, mine) == joined


@pytest.mark.parametrize("size", [1, 3])
def test_notes_of_an_agenda_take_one_query(size: int, django_assert_num_queries: Any) -> None:
    talk, agenda, _ = make_note()
    for number in range(size - 1):
        Note.write(agenda, make_event(talk.conference, title=f"Talk {number}", start="12:00", end="13:00"), "Text")
    assert agenda.extras.notes

    with django_assert_num_queries(1):
        assert len(notes_of(agenda)) == size


@pytest.mark.parametrize("sent", [{}, {"undo": "1"}, {"txet": ""}])
def test_form_without_a_text_deletes_no_note(sent: dict[str, str]) -> None:
    talk, agenda, token = make_note()

    response = browser(token=token).post(url_of(talk), sent)

    assert (response.status_code, note_of(agenda, talk.pk)) == (422, SECRET)
    assert "your note stays as it was" in response.text
    assert f">\n{SECRET}</textarea>" in response.text or f">{SECRET}</textarea>" in response.text


def test_message_about_a_note_is_shown_whatever_its_former_text() -> None:
    talk, agenda, token = make_note()
    Note.write(agenda, talk, "論文" * 250)
    client = browser(token=token)

    client.post(url_of(talk), {"text": "Short"})

    assert "Note saved: Adam." in client.get("/demo/").text


def test_note_about_an_event_that_was_hidden_is_deleted_by_its_visitor_alone() -> None:
    talk, agenda, token = make_note()
    _, stranger = make_agenda(talk.conference, make_event(talk.conference))
    talk.status = "draft"
    talk.revise()
    client, devices_url = browser(token=token), reverse("events:devices", args=["demo"])

    page = client.get(devices_url).text
    assert SECRET in page
    assert "Adam" not in page.partition("<main")[2]
    assert browser(token=stranger).post(url_of(talk), {"text": ""}).status_code == 404
    assert [client.post(url_of(talk), sent).status_code for sent in ({"text": "More"}, {})] == [404, 404]
    assert note_of(agenda, talk.pk) == SECRET

    response = client.post(url_of(talk), {"text": ""})

    assert (response.status_code, response["Location"]) == (302, f"{devices_url}#mine")
    assert Note.objects.count() == 0
    assert SECRET not in client.get(devices_url).text

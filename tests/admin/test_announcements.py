"""The form of an announcement."""

from __future__ import annotations

import pytest
from django.test import Client

from events.admin.announcements import MAX_ANNOUNCEMENT_CHARS
from events.models import Announcement
from tests.admin.pages import errors_of, open_form, save, url
from tests.factories import at, make_conference

pytestmark = pytest.mark.django_db


def make_announcement(text: str) -> Announcement:
    return Announcement.objects.create(conference=make_conference(), title="Lunch", text=text, starts_at=at("09:00"))


def test_text_that_is_too_long_is_refused_with_the_number(organiser: Client) -> None:
    notice = make_announcement("Short.")
    address = url("change", "announcement", notice.pk)
    data = open_form(organiser, address)

    refused = save(organiser, address, data, text="x" * (MAX_ANNOUNCEMENT_CHARS + 1))
    saved = save(organiser, address, data, text="x" * MAX_ANNOUNCEMENT_CHARS)

    notice.refresh_from_db()
    assert errors_of(refused) == {
        "text": ["Write at most 2,000 characters; this text has 2,001. Put what is longer on a page of the menu, and link it."]
    }
    assert (saved.status_code, len(notice.text)) == (302, 2000)


def test_new_text_that_is_too_long_is_refused(organiser: Client) -> None:
    conference = make_conference()
    address = url("add", "announcement")
    data = open_form(organiser, f"{address}?conference={conference.pk}")

    refused = save(organiser, address, data, title="Lunch", text="x" * 100_000)

    assert (list(errors_of(refused)), Announcement.objects.count()) == (["text"], 0)


def test_longer_text_of_an_import_stays_when_something_else_is_changed(organiser: Client) -> None:
    notice = make_announcement("One line\nand another. " * 200)
    address = url("change", "announcement", notice.pk)

    saved = save(organiser, address, open_form(organiser, address), title="Dinner")

    changed = Announcement.objects.get()
    assert (saved.status_code, changed.title, changed.text) == (302, "Dinner", notice.text.strip())

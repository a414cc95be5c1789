"""Texts of several lines, whose line ends browsers send as two characters."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client

from events.imports.sync.engine import sync
from events.models import Event
from tests.admin.pages import open_form, save, url
from tests.imports.sync.programmes import event, programme, row

pytestmark = pytest.mark.django_db
TEXTS = ("abstract", "description", "access_notes", "notes")


def test_saved_event_still_follows_its_file(organiser: Client) -> None:
    sync(programme(event(**dict.fromkeys(TEXTS, "One\n\ntwo"))), source="file")
    address = url("change", "session", row().pk)
    data = open_form(organiser, address)
    sent = {name: value.replace("\n", "\r\n") for name, value in data.items() if name in TEXTS}

    save(organiser, address, data, **sent, subtitle="By hand")
    report = sync(programme(event(**dict.fromkeys(TEXTS, "One\n\nthree"))), source="file")

    assert sent == dict.fromkeys(TEXTS, "One\r\n\r\ntwo")
    assert report.sentences("kept") == []
    assert Event.objects.values(*TEXTS, "subtitle").get() == dict.fromkeys(TEXTS, "One\n\nthree") | {"subtitle": "By hand"}


def test_only_what_was_edited_counts_as_changed(organiser: Client) -> None:
    sync(programme(event(abstract="One\ntwo")), source="file")
    address = url("change", "session", row().pk)

    save(organiser, address, open_form(organiser, address), abstract="One\r\ntwo", subtitle="By hand")

    before, after = row().history.order_by("history_id")
    assert [change.field for change in after.diff_against(before).changes] == ["subtitle"]


def test_text_that_a_former_release_stored_follows_its_file() -> None:
    sync(programme(event(abstract="One\ntwo")), source="file")
    with connection.cursor() as cursor:
        cursor.execute("UPDATE events_event SET abstract = %s", ["One\r\ntwo"])

    same = sync(programme(event(abstract="One\ntwo")), source="file")
    report = sync(programme(event(abstract="One\nthree")), source="file")

    assert (same.is_empty, report.sentences("kept"), row().abstract) == (True, [], "One\nthree")

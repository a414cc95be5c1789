"""What somebody has besides the programme, and what an agenda does about it."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from events.agenda.models.private_entries import MAX_PRIVATE_ENTRIES, TooManyEntriesError
from events.models import Agenda, PrivateEntry
from tests.factories import at, make_agenda, make_conference

pytestmark = pytest.mark.django_db
TIMES = {"start": at("09:00"), "end": at("10:00")}


def make_entry(agenda: Agenda, **fields: Any) -> PrivateEntry:
    return PrivateEntry.add(agenda, **{"title": "Dentist", "place": "", **TIMES} | fields)


def revision(agenda: Agenda) -> int:
    return Agenda.objects.get(pk=agenda.pk).revision


def test_adding_counts_as_a_change_of_the_agenda() -> None:
    agenda, _ = make_agenda(make_conference())

    entry = make_entry(agenda, place="City")

    stored = agenda.private_entries.get()
    assert (stored.title, stored.place, stored.guid, stored.sequence) == ("Dentist", "City", entry.guid, 0)
    assert revision(agenda) == 1


def test_revising_raises_the_sequence_and_the_same_again_is_silent() -> None:
    agenda, _ = make_agenda(make_conference())
    entry = make_entry(agenda)
    later = {"title": "Dentist", "place": "", "start": at("09:30"), "end": at("10:00")}

    assert [entry.revise(**later), entry.revise(**later)] == [True, False]

    entry.refresh_from_db()
    assert (entry.start, entry.sequence, revision(agenda)) == (at("09:30"), 1, 2)


def test_removed_entry_keeps_no_words_and_never_comes_back() -> None:
    agenda, _ = make_agenda(make_conference())
    entry = make_entry(agenda, place="City")

    assert [entry.remove(), entry.remove()] == [True, False]
    assert not entry.revise(title="Again", place="", **TIMES)

    entry.refresh_from_db()
    assert (entry.title, entry.place, entry.sequence, revision(agenda)) == ("", "", 1, 2)
    assert isinstance(entry.removed_at, dt.datetime)


def test_agenda_keeps_no_more_than_so_many() -> None:
    agenda, _ = make_agenda(make_conference())
    rows = [PrivateEntry(agenda=agenda, title=f"{number}", **TIMES) for number in range(MAX_PRIVATE_ENTRIES)]
    PrivateEntry.objects.bulk_create(rows)

    with pytest.raises(TooManyEntriesError):
        make_entry(agenda)

    assert (agenda.private_entries.count(), revision(agenda)) == (MAX_PRIVATE_ENTRIES, 0)
    rows[0].remove()
    make_entry(agenda)
    assert agenda.private_entries.filter(removed_at=None).count() == MAX_PRIVATE_ENTRIES

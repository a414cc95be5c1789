"""Private entries in the calendar of who made them."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from events.agenda.models.agenda import Agenda
from events.calendars import downloads, feeds
from events.models import PrivateEntry
from tests.calendars.lint import problems
from tests.calendars.reading import values
from tests.factories import at, make_agenda, make_conference, make_event
from tests.security import strings

pytestmark = pytest.mark.django_db
TIMES = {"start": at("09:00"), "end": at("10:00")}


def make_entry(agenda: Agenda, **fields: Any) -> PrivateEntry:
    return PrivateEntry.add(agenda, **{"title": "Dentist", "place": "", **TIMES} | fields)


def feed_of(agenda: Agenda) -> feeds.Feed:
    return feeds.agenda_feed(Agenda.objects.get(pk=agenda.pk), at("08:00"))


def test_entry_stands_among_the_picks_and_says_that_it_is_private() -> None:
    conference = make_conference()
    agenda, _ = make_agenda(conference, make_event(conference, title="Talk", start="10:00", end="11:00"))
    entry = make_entry(agenda, place="City")

    body = feed_of(agenda).body

    assert values(body, "SUMMARY") == [":Dentist", ":Talk"]
    assert values(body, "CLASS") == [":PRIVATE", ":PUBLIC"]
    assert values(body, "UID")[0] == f":{entry.guid}"
    assert (values(body, "LOCATION"), values(body, "TRANSP")[0]) == ([":City"], ":OPAQUE")
    assert problems(body) == []


def test_entry_follows_what_is_said_of_it_and_is_absent_once_removed() -> None:
    agenda, _ = make_agenda(make_conference())
    entry = make_entry(agenda)
    tags = [feed_of(agenda).etag]

    entry.revise(title="Dentist again", place="", **TIMES)
    tags.append(feed_of(agenda).etag)
    assert values(feed_of(agenda).body, "SEQUENCE") == [":1"]
    assert values(feed_of(agenda).body, "SUMMARY") == [":Dentist again"]
    entry.remove()

    assert values(feed_of(agenda).body, "UID") == []
    assert len({*tags, feed_of(agenda).etag}) == 3


def test_file_has_it_and_nobody_elses_calendar_does() -> None:
    conference = make_conference()
    event = make_event(conference, title="Talk", start="10:00", end="11:00")
    agenda, _ = make_agenda(conference, event)
    other, _ = make_agenda(conference, event)
    make_entry(agenda)

    assert values(downloads.agenda_download(agenda).body, "SUMMARY") == [":Dentist", ":Talk"]
    for feed in [feed_of(other), feeds.schedule_feed(conference), feeds.event_calendar(event)]:
        assert values(feed.body, "SUMMARY") == [":Talk"]


@pytest.mark.parametrize("kind", strings.TEXTS)
def test_hostile_words_leave_the_calendar_whole(kind: str) -> None:
    agenda, _ = make_agenda(make_conference())
    words = strings.TEXTS[kind].replace("\x00", "")[:120]
    PrivateEntry.objects.create(agenda=agenda, title=words, place=words, **TIMES)

    body = feed_of(agenda).body

    assert problems(body) == []
    assert len(values(body, "UID")) == 1


def test_entry_that_cannot_be_written_takes_nothing_with_it_and_its_words_into_no_log(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    conference = make_conference()
    agenda, _ = make_agenda(conference, make_event(conference, title="Talk", start="10:00", end="11:00"))
    make_entry(agenda)

    def broken(title: str, *_: object) -> str:
        raise ValueError(title)

    monkeypatch.setattr("events.calendars.vevent.shorten", broken)
    with caplog.at_level(logging.ERROR):
        body = feed_of(agenda).body

    assert values(body, "SUMMARY") == [":Talk"]
    assert [it.getMessage() for it in caplog.records] == ["A private entry is left out of its calendar: ValueError"]

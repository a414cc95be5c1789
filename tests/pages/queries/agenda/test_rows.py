"""Where the lines about conflicts stand among the rows of an agenda, for any bookmarks, private entries and breaks."""

from __future__ import annotations

import datetime as dt
from types import SimpleNamespace
from typing import Any, cast

from hypothesis import given

from events.agenda.rules.itinerary import conflicts_among, in_time_order, itinerary
from events.core.clock import Clock
from events.pages.queries.agenda import AgendaDay
from events.pages.queries.agenda_rows import AgendaCard, AgendaRow, agenda_rows
from events.programme.rules.days import by_day
from events.programme.rules.slots import TimeSlot
from events.programme.rules.walking import NO_NEEDS, Walks
from tests.pages.queries.reading import clock
from tests.programme.rules.builders import programmes, walks

NOON = clock("12:00")


def card(slot: TimeSlot) -> AgendaCard:
    event = SimpleNamespace(conference=SimpleNamespace(slug="demo"), is_cancelled=slot.cancelled)
    return cast(
        AgendaCard,
        SimpleNamespace(
            key=slot.key,
            title=f"Title {slot.key}",
            element_id=f"e-{slot.key}",
            day=slot.start.date() if slot.start else None,
            start=slot.start,
            plate=None,
            place="",
            event=event,
            bookmark_url="/bookmark/",
        ),
    )


def rows_of(programme: list[TimeSlot], some: Walks, now: Clock) -> list[AgendaRow]:
    return agenda_rows([card(it) for it in programme], itinerary(programme, some), NO_NEEDS, now, {})


def lists_of(rows: list[AgendaRow]) -> list[list[AgendaRow]]:
    """The lists that a page draws: each day, and what is folded of today."""
    days = [AgendaDay(day, found, is_today=day == NOON.today) for day, found in by_day(rows, lambda row: row.card.day)]
    return [rows for day in days for rows in (day.earlier, day.coming)]


def drawn(rows: list[AgendaRow]) -> list[Any]:
    """From above: keys of cards, and conflicts by the place they stand at and the key of their later one."""
    result: list[Any] = []
    for row in rows:
        result += [("between", it, row.card.key) for it in row.between]
        result.append(row.card.key)
        result += [("below", it, row.card.key) for it in row.below]
    return result


@given(programmes(), walks())
def test_every_conflict_stands_once_between_or_at_the_two_it_names(programme: list[TimeSlot], some: Walks) -> None:
    told = []
    for rows in lists_of(rows_of(programme, some, NOON)):
        cards = [row.card.key for row in rows]
        for line in (it for it in drawn(rows) if isinstance(it, tuple) and it[0] in {"between", "below"}):
            place, found, later = line
            told.append({found.other.key, later})
            above = cards[cards.index(later) - 1] if cards.index(later) else None
            if place == "between":
                assert found.other.key == above
                assert found.named is None or found.named.key in (above, later)
            else:
                assert found.named.key == found.other.key
                assert found.words.lead + found.words.rest

    expected = [{it.a.key, it.b.key} for it in conflicts_among(in_time_order(programme), some)]
    assert sorted(map(sorted_keys, told)) == sorted(map(sorted_keys, expected))


def sorted_keys(pair: set[Any]) -> list[str]:
    return sorted(map(str, pair))


@given(programmes(), walks())
def test_gap_is_measured_from_what_ended_last_before_it(programme: list[TimeSlot], some: Walks) -> None:
    for row, stop in zip(rows_of(programme, some, NOON), itinerary(programme, some), strict=True):
        if row.gap and stop.free:
            assert row.gap.minutes == stop.free.length // dt.timedelta(minutes=1)
            assert row.between == []

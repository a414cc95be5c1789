from __future__ import annotations

import csv
import dataclasses
import datetime as dt
import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.admin.spreadsheets.event_sheets import InvitedTalkSheet, SessionSheet, SocialSheet
from events.admin.spreadsheets.other_sheets import PaperSheet
from events.admin.spreadsheets.pages import SpreadsheetUpload, import_sheet
from events.core.parsing.cells import escape_formula, unescape_formula
from events.exports.programme import part_of_programme, programme_data
from events.exports.tables import EVENT_CSV_COLUMNS, PAPER_CSV_COLUMNS, papers_csv, schedule_csv
from events.imports.formats import registry
from events.imports.formats.document import Document, Hints
from events.imports.previews import run_digest
from events.models import Event
from events.programme.data.schedule import DayData, ScheduleData
from tests.exports.programmes import guid, whole
from tests.exports.reading import data_of
from tests.security.planting import planted
from tests.security.strings import IN_FILES
from tests.security.world import World

# When the link to the recording is public too.
AFTERWARDS = dt.date(2026, 1, 1)
NIGHT = dt.date(2024, 10, 26)
SHEETS = [SessionSheet, InvitedTalkSheet, SocialSheet]


def rows(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def named(data: ScheduleData, title: str) -> dict[str, str]:
    return next(row for row in rows(schedule_csv(data)) if row["title"] == title)


def test_schedule_has_every_public_event_with_names_where_keys_would_be() -> None:
    found = named(whole(), "Mixer")

    assert list(found) == list(EVENT_CSV_COLUMNS)
    assert {name: text for name, text in found.items() if text} == {
        "guid": guid(6),
        "title": "Mixer",
        "subtitle": "Come as you are",
        "type": "Affinity <3",
        "status": "confirmed",
        "day": "2025-04-24",
        "start": "2025-04-24 09:00",
        "end": "2025-04-24 10:00",
        "place": "A bar",
        "language": "pt-BR",
        "abstract": "Come\n\nall.",
        "description": "With music.",
        "recording_license": "CC BY 4.0",
        "do_not_record": "yes",
        "export_number": "77",
        "export_slug": "ACL-mixer",
        "logo_url": "https://logos.example/ä.png",
        "official": "yes",
        "at_venue": "no",
        "people": "Ada Lovelace (host, remote)",
        "links": "code https://code.example/ The code",
        "signup_url": "https://s.example/",
        "signup_state": "open",
        "signup_checked_at": "2025-04-24 08:00",
        "signup_until": "2025-04-24 08:30",
        "access_notes": "Two steps.",
        "overflow_room": "Hall 1",
        "takes_questions": "yes",
        "cost": "Free",
        "capacity": "20",
    }


def test_schedule_holds_what_is_to_be_announced_and_what_is_cancelled() -> None:
    found = [(row["title"], row["status"], row["start"]) for row in rows(schedule_csv(whole()))]

    assert ("Town hall", "tentative", "") in found
    assert ("Karaoke", "cancelled", "2025-04-24 09:00") in found


def test_poster_names_its_session_paper_and_board() -> None:
    found = named(whole(), "On engines")

    expected = {"session": "Posters 1", "paper": "On engines", "board": "#12", "topic": "Learning › Bandits", "position": "3"}
    assert {name: found[name] for name in expected} == expected


def test_papers_have_their_authors_in_order() -> None:
    found = rows(papers_csv(whole()))

    assert [list(row) for row in found] == [list(PAPER_CSV_COLUMNS)] * 2
    assert [(row["title"], row["authors"]) for row in found] == [("On engines", "Song Han; Ada Lovelace"), ("Shown nowhere", "")]


def test_two_of_one_name_are_told_apart_by_guid() -> None:
    ada, other = whole().people
    data = whole(people=(ada, dataclasses.replace(other, name="ada  LOVELACE")))

    assert rows(papers_csv(data))[0]["authors"] == f"ada  LOVELACE [{other.guid}]; Ada Lovelace [{ada.guid}]"


def test_name_with_a_semicolon_is_one_name() -> None:
    ada, song = whole().people
    data = whole(people=(dataclasses.replace(ada, name="Ada; Countess"), song))

    assert rows(papers_csv(data))[0]["authors"] == f"Song Han; Ada, Countess [{ada.guid}]"


@pytest.mark.parametrize("sign", ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "＝1", "'=1", "''-1"])
def test_no_cell_is_a_formula_and_our_own_import_takes_the_mark_off(sign: str) -> None:
    data = whole(events=(dataclasses.replace(whole().events[0], title=sign),))

    cell = rows(schedule_csv(data))[0]["title"]

    assert (cell, unescape_formula(cell)) == (f"'{sign}", sign)


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        pytest.param(" =1", "' =1", id="blank"),
        pytest.param("\xa0=1", "'\xa0=1", id="no-break-space"),
        pytest.param("\u200b=1", "'\u200b=1", id="zero-width-space"),
        pytest.param("\u3000＝1", "'\u3000＝1", id="ideographic-space"),
        pytest.param("\ufeff \u2060@A1", "'\ufeff \u2060@A1", id="several-blanks"),
        pytest.param(" \t=1", " \t'=1", id="tab-among-blanks"),
        pytest.param("x;=1+1", "x;'=1+1", id="semicolon"),
        pytest.param("x; \xa0-1", "x;' \xa0-1", id="semicolon-and-blanks"),
        pytest.param('x;"=1+1;"', 'x;\'"=1+1;"', id="semicolon-and-quotation-mark"),
        pytest.param("x;'=1;＋2", "x;''=1;'＋2", id="two-semicolons"),
        pytest.param("x\n=1\r@A1", "x\n'=1\r'@A1", id="line-breaks"),
        pytest.param("\t=1", "'\t'=1", id="two-beginnings"),
        pytest.param("a=b; c+d, -e", "a=b; c+d, -e", id="no-beginning"),
        pytest.param("' '=1", "' '=1", id="text-already"),
    ],
)
def test_formula_is_marked_wherever_a_spreadsheet_may_begin_a_cell(text: str, cell: str) -> None:
    assert (escape_formula(text), unescape_formula(cell)) == (cell, text)


@given(st.text() | st.text("'\"=-＋;\t\n \u200bx"))
def test_marks_come_off_whatever_the_text(text: str) -> None:
    assert unescape_formula(escape_formula(text)) == text


@pytest.mark.django_db
@pytest.mark.parametrize("sheet", SHEETS, ids=lambda it: it.noun)
def test_own_schedule_changes_nothing_in_the_admin(sheet: Any, organiser_user: Any) -> None:
    world = World()
    events = Event.objects.public().filter(conference=world.conference, type__kind__in=sheet.kinds)
    content = schedule_csv(programme_data(part_of_programme(world.conference, events, AFTERWARDS)))

    run = import_sheet(sheet, SpreadsheetUpload("schedule.csv", content), world.conference, organiser_user)

    assert (run.created, run.changed, run.unchanged) == (0, 0, events.count())


@pytest.mark.django_db
def test_own_papers_change_nothing_in_the_admin(organiser_user: Any) -> None:
    world = World()

    run = import_sheet(
        PaperSheet, SpreadsheetUpload("papers.csv", papers_csv(data_of(world.conference))), world.conference, organiser_user
    )

    assert (run.created, run.changed, run.unchanged) == (0, 0, 1)


@pytest.mark.django_db
@pytest.mark.parametrize("texts", IN_FILES)
def test_hostile_texts_stay_in_their_cells(texts: list[str]) -> None:
    world = World()
    if planted(*texts):
        found = rows(schedule_csv(data_of(world.conference)))

        assert [row["guid"] for row in found] == [it.guid for it in data_of(world.conference).events]
        assert {len(row) for row in found} == {len(EVENT_CSV_COLUMNS)}
        assert not [cell for row in found for cell in row.values() if cell[:1] in {"=", "+", "-", "@", "\t", "\r"}]


@pytest.fixture
def organiser_user(db: None) -> Any:
    return World.staff("organiser")


@pytest.mark.django_db
@pytest.mark.parametrize("sheet", SHEETS, ids=lambda it: it.noun)
def test_what_was_exported_is_restored_by_the_admin(sheet: Any, organiser_user: Any) -> None:
    world = World()
    events = Event.objects.public().filter(conference=world.conference, type__kind__in=sheet.kinds)
    texts = {
        "subtitle": "=And why",
        "description": "At length.\n\nAnd more.",
        "recording_license": "CC BY 4.0",
        "do_not_record": True,
        "export_number": 2**31 - 1,
        "export_slug": "demo-12-talk",
        "logo_url": "https://logos.example/a.png",
    }
    events.update(**texts)
    content = schedule_csv(programme_data(part_of_programme(world.conference, events, AFTERWARDS)))
    events.update(**dict.fromkeys(texts, "") | {"do_not_record": None, "export_number": None})

    upload = SpreadsheetUpload("schedule.csv", content)
    preview = import_sheet(sheet, upload, world.conference, organiser_user)
    run = import_sheet(sheet, upload, world.conference, organiser_user, expected=run_digest(preview))

    assert (run.created, run.changed) == (0, events.count())
    assert list(events.values(*texts)) == [texts] * events.count()


def test_hour_that_occurs_twice_has_its_offset_and_comes_back() -> None:
    """Summer time ends in Vienna at 01:00 UTC; the hour before and the one after are both 02:00 to 03:00."""
    moments = [dt.datetime(2024, 10, 27, hour, minute, tzinfo=dt.UTC) for hour, minute in ((0, 30), (1, 30), (2, 30))]
    data = whole()
    conference = dataclasses.replace(data.conference, timezone="Europe/Vienna", start=NIGHT, end=NIGHT)
    day = DayData(key=NIGHT.isoformat(), date=NIGHT)
    night = next(it for it in data.events if it.title == "Mixer")
    pairs = {"In it": (0, 1), "Out of it": (0, 2), "From after it": (1, 2)}
    events = tuple(
        dataclasses.replace(night, title=title, guid=guid(n), key=guid(n), day=day.key, start=moments[a], end=moments[b])
        for n, (title, (a, b)) in enumerate(pairs.items(), start=70)
    )
    content = schedule_csv(dataclasses.replace(data, conference=conference, days=(day,), events=events))

    cells = [(row["start"], row["end"]) for row in rows(content)]
    _, back = registry.parse_document(Document.from_upload("schedule.csv", content), Hints(slug="demo", timezone="Europe/Vienna"))

    assert cells == [
        ("2024-10-27 02:30+02:00", "2024-10-27 02:30+01:00"),
        ("2024-10-27 02:30+02:00", "2024-10-27 03:30+01:00"),
        ("2024-10-27 02:30+01:00", "2024-10-27 03:30+01:00"),
    ]
    assert {it.title: (it.start, it.end) for it in back.events} == {it.title: (it.start, it.end) for it in events}

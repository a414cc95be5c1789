"""Spreadsheets of other people: what is read of each shape, and what is said of cells that cannot be read."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import pytest

from events.core.parsing.errors import ColumnsNeededError, ScheduleParseError, TimeZoneNeededError
from events.imports.formats import registry
from events.imports.formats.document import Document, Hints
from events.imports.formats.spreadsheet.choices import ColumnChoices, read_column_map, write_column_map
from events.imports.formats.spreadsheet.look import look_at_sheet
from events.imports.formats.spreadsheet.sheet import open_sheet
from tests.imports.formats.bad_files import SECONDS, zipped
from tests.imports.formats.soundness import assert_sound
from tests.imports.formats.spreadsheets.sheet_files import CSV_FILES, HINTS, content_of, parsed, slots, table
from tests.processor import at_most

SLOTS = {
    "google.csv": {
        "Registration": "23 09:00–09:30",
        "Grass that sings": "23 09:30–10:30",
        "Lunch": "23 12:00–13:00",
        "Tea pets of the world": "24 09:30–10:15",
        "Evening at the barn": "24 21:00–01:00",
    },
    "whova.csv": {
        "Morning of birds": "23 09:00–10:30",
        "Owls at noon": "23 09:00–09:30",
        "Herons in the snow": "23 09:30–10:00",
        "Coffee break": "23 10:30–11:00",
        "Closing": "24 14:00–15:00",
    },
    "conftool.csv": {
        "Rivers": "23 09:00–10:30",
        "Slow rivers": "?",
        "Fast rivers": "?",
        "Lakes": "23 11:00–12:00",
        "Round lakes": "?",
        "Lunch": "23 12:00–13:00",
    },
    "easychair.csv": {
        "Proofs": "23 09:00–10:00",
        "Short proofs": "23 09:00–09:30",
        "Long proofs": "23 09:30–10:00",
        "Coffee break": "23 10:00–10:30",
        "Models": "24 09:00–09:30",
        "Model models": "24 09:00–09:30",
    },
    "sched.csv": {"Opening": "23 09:00–09:45", "Knots for beginners": "23 10:00–11:00"},
    "excel.xlsx": {"Opening": "23 09:00–10:30", "Lunch": "23 12:00–13:30", "Bees": "24 09:00–12:00", "Wasps": "24 14:00–15:00"},
}


@pytest.mark.parametrize("name", SLOTS)
def test_shape_is_read_whole(name: str) -> None:
    data = parsed(content_of(name))

    assert slots(data) == SLOTS[name]
    assert_sound(data)
    assert "@" not in repr(data)


def test_date_above_is_that_of_empty_cells_alone() -> None:
    rows = [["Title", "Date", "Start", "End"], ["Morning", "2026-04-23", "09:00", "10:00"], ["Same day", "", "10:00", "11:00"]]
    rows += [
        ["No such day", "Monday 31 April", "12:00", "13:00"],
        ["Open", "tbd", "14:00", "15:00"],
        ["Below", "", "16:00", "17:00"],
    ]

    data = parsed(table(*rows))

    assert slots(data) == {
        "Morning": "23 09:00–10:00",
        "Same day": "23 10:00–11:00",
        "No such day": "?",
        "Open": "?",
        "Below": "?",
    }
    unread = [it.split(" cannot")[0] for it in data.warnings if "cannot be read" in it]
    dates = ["row 4, Date: “Monday 31 April”"]
    assert unread == [*dates, "row 4, Start: “12:00”", "row 5, Start: “14:00”", "row 6, Start: “16:00”"]
    assert "1 row has no date of its own; that of the row above is used" in data.warnings


def test_start_at_24_00_is_the_night_of_its_date() -> None:
    rows = [
        ["Title", "Date", "Start", "End"],
        ["Late", "2026-04-23", "24:00", "01:00"],
        ["Early", "2026-04-24", "00:00", "01:00"],
    ]

    late, early = sorted(parsed(table(*rows)).events, key=lambda event: event.title != "Late")

    assert (late.start, late.end) == (early.start, early.end)
    assert late.day == "2026-04-23"


def test_end_before_the_start_is_no_night_of_23_hours() -> None:
    rows = [["Title", "Date", "Start", "End"], ["Turned round", "2026-04-23", "14:00", "13:00"]]
    rows.append(["Night", "2026-04-23", "21:00", "09:00"])

    data = parsed(table(*rows))

    assert slots(data) == {"Turned round": "23 14:00–15:00", "Night": "23 21:00–09:00"}
    assert data.warnings == (
        "row 2, “Turned round”: has neither an end nor a length; 60 minutes are assumed",
        "row 2, End: “13:00” cannot be read and is left out; it is before the start: give the date of the end too",
    )


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_encodings_and_separators_are_found(encoding: str, delimiter: str) -> None:
    rows = [["Titel", "Datum", "Von", "Bis", "Raum"], ["Vögel", "23.04.2026", "9.30", "10.30", "Großer Saal"]]

    data = parsed("\r\n".join(delimiter.join(row) for row in [*rows, rows[1]]).encode(encoding))

    assert [(event.title, event.room) for event in data.events] == [("Vögel", "großer-saal")]
    assert slots(data) == {"Vögel": "23 09:30–10:30"}
    assert data.skipped == ("row 3, “Vögel”: it is there twice, at the same time in the same room",)


def test_sessions_talks_people_and_papers_are_made() -> None:
    data = parsed(content_of("conftool.csv"))
    kinds = {row.key: row.kind for row in data.types}

    assert {event.title: event.session for event in data.events if event.session} == {
        "Slow rivers": "11",
        "Fast rivers": "11",
        "Round lakes": "12",
    }
    assert {event.title: kinds[event.type] for event in data.events}["Lunch"] == "break"
    assert {paper.title: paper.authors for paper in data.papers}["Round lakes"] == ("grace-example",)
    assert [person.name for person in data.people] == [
        "Carla Chair", "Cem Chair", "Ada Example", "Grace Example", "Emil Example",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("dates", "hints", "month"),
    [
        pytest.param(["4/5/2026", "4/23/2026"], HINTS, 4, id="a number above twelve says month first"),
        pytest.param(["4/5/2026", "23/5/2026"], HINTS, 5, id="or day first"),
        pytest.param(["4/5/2026", "4/6/2026"], HINTS, 4, id="days of one conference"),
        pytest.param(["04.05.2026"], HINTS, 5, id="points"),
        pytest.param(
            ["4/5/2026"],
            Hints(slug="demo", timezone="Europe/Vienna", start=dt.date(2026, 5, 4), end=dt.date(2026, 5, 4)),
            5,
            id="a day of the conference",
        ),
        pytest.param(["4/5/2026"], replace(HINTS, columns={"dates": "month-first"}), 4, id="chosen"),
    ],
)
def test_order_of_day_and_month_follows_from_the_column(dates: list[str], hints: Hints, month: int) -> None:
    data = parsed(table(["Title", "Date", "Start"], *([f"T{number}", date, "9:00"] for number, date in enumerate(dates))), hints)

    assert next(event.start.month for event in data.events if event.title == "T0" and event.start) == month


def test_date_that_may_be_two_is_asked_about() -> None:
    with pytest.raises(ColumnsNeededError, match="“4/5/2026” may be two dates: say whether the day or the month comes first"):
        parsed(table(["Title", "Date", "Start"], ["T", "4/5/2026", "9:00"]))


def test_all_cells_that_cannot_be_read_are_named_and_their_events_stay() -> None:
    content = table(
        ["Title", "Date", "Start", "Length"],
        ["A", "2026-04-23", "half ten", "1:00"],
        ["B", "#REF!", "9:00 EST", ""],
        ["C", "23 Smarch 2026", "TBA", "long"],
        ["D", "2026-04-23", "9:00", "an hour"],
    )

    look = look_at_sheet(Document.from_upload("talks.csv", content), HINTS)

    assert [(each.row, each.column, each.value) for each in look.problems] == [
        (2, "Start", "half ten"),
        (3, "Date", "#REF!"),
        (3, "Start", "9:00 EST"),
        (4, "Date", "23 Smarch 2026"),
        (5, "Length", "an hour"),
    ]
    assert all(each.remedy for each in look.problems)
    assert look.data
    assert slots(look.data) == {"A": "?", "B": "?", "C": "?", "D": "23 09:00–10:00"}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (table(["Name", "E-mail"], ["Ada", "a@example.org"]), "has no column with dates or hours. A list of papers"),
        (table(["Start", "End"], ["2026-04-23 9:00", "2026-04-23 10:00"]), "has no column with titles: choose"),
        (b"\xd0\xcf\x11\xe0" + b"\0" * 600, "This is an old Excel file"),
        (zipped({"mimetype": b"application/vnd.oasis.opendocument.spreadsheet"}), "This is a sheet of LibreOffice"),
        (b"Title;Start\n" + b"x;" * 9_999 + b"\ny;z\n", "columns: 500 is the most"),
        (b"Title;Start\nA;2026-04-23 9:00\n" + b'"' + b"x" * 200_000 + b'";9\n', "a cell is longer than 100,000 characters"),
        (zipped({"xl/workbook.xml": b"<x", "[Content_Types].xml": b""}), "The workbook cannot be opened"),
    ],
)  # fmt: skip
def test_table_that_cannot_be_read_is_refused_with_a_remedy(content: bytes, problem: str) -> None:
    with pytest.raises(ScheduleParseError, match=problem) as caught:
        parsed(content)

    assert len(str(caught.value).split()) < 40


def test_zone_is_asked_for_unless_all_times_have_an_offset() -> None:
    nobody = Hints(slug="demo")
    with pytest.raises(TimeZoneNeededError):
        parsed(content_of("google.csv"), nobody)

    data = parsed(table(["Title", "Start"], ["A", "2026-04-23T09:00+02:00"], ["B", "2026-04-23T10:00+02:00"]), nobody)

    assert data.conference.timezone == "Etc/GMT-2"


def test_formulas_and_control_characters_are_texts() -> None:
    data = parsed(table(["Title", "Start"], ["'=HYPERLINK(x)", "2026-04-23 9:00"], ["A\x07\u200bB", "2026-04-23 10:00"]))

    assert [event.title for event in data.events] == ["=HYPERLINK(x)", "AB"]
    assert_sound(data)


@pytest.mark.parametrize("name", [*CSV_FILES, "excel.xlsx"])
def test_file_that_is_cut_off_is_read_or_refused_in_words(name: str) -> None:
    content = content_of(name)
    for end in range(1, len(content), max(1, len(content) // 15)):
        try:
            assert_sound(registry.parse_document(Document.from_upload("talks.csv", content[:end]), HINTS)[1])
        except ScheduleParseError as error:
            assert str(error).isprintable()  # noqa: PT017 - either outcome is right, nothing else is


def test_map_is_written_read_and_counts_before_the_guess() -> None:
    sheet = open_sheet(Document.from_upload("google.csv", content_of("google.csv")), ColumnChoices())
    samples = {header: sheet.samples(header) for header in sheet.headers}

    text = write_column_map(ColumnChoices(sheet.fields), samples, file="google.csv")
    choices = read_column_map(
        text.replace('"What it is about" = ""', '"What it is about" = "abstract"').encode(), file="map.toml"
    )
    data = parsed(content_of("google.csv"), replace(HINTS, columns=choices.as_json()))

    assert choices.columns == sheet.fields | {"What it is about": "abstract"}
    assert [event.abstract for event in data.events if event.abstract] == ["How meadows sound.", "Cups, pots and frogs."]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[columns", "is not TOML"),
        ("", "write the columns under a line"),
        ('colums = 1\n[columns]\n"A" = "title"', "“colums” is not read here: did you mean “columns”"),
        ('[columns]\n"A" = "titel"', "“titel” is no field: did you mean “title”"),
        ('dates = "american"\n[columns]\n"A" = "title"', "dates is “american”: write day-first or month-first"),
    ],
)
def test_map_with_a_mistake_is_refused(text: str, problem: str) -> None:
    with pytest.raises(ScheduleParseError, match=problem):
        read_column_map(text.encode(), file="map.toml")


def test_large_table_is_read_in_seconds() -> None:
    rows = [
        [f"Talk {number}", f"2026-04-{23 + number % 3}", f"{9 + number % 9}:00", f"Room {number % 30}"] for number in range(3_000)
    ]

    with at_most(3 * SECONDS):
        assert len(parsed(table(["Title", "Date", "Start", "Room"], *rows)).events) == 3_000


def test_columns_of_our_own_file_are_read_as_they_are_written() -> None:
    header = "guid title status day room place paper description people links takes_questions export_number".split()
    guid = "485548fb-a1c3-594e-beae-a99cf6864976"
    links = "source https://code.example/a; paper https://papers.example/1 Text; and data; code https://code.example/b"
    people = f"Ada Example (moderator, remote); Grace Example [{guid}]"
    row = [guid, "Bees", "tentative", "2026-04-23", "", "By the pond", "A paper", "More", people, links, "no", ""]

    data = parsed(table(header, row))

    event = data.events[0]
    assert (event.key, event.status, event.place, event.abstract, data.papers) == (guid, "tentative", "By the pond", "", ())
    assert [(each.person, each.role, each.remote) for each in event.people] == [
        ("ada-example", "moderator", True),
        (guid, "speaker", False),
    ]
    assert [(each.kind, each.url, each.title) for each in event.links] == [
        ("source", "https://code.example/a", ""),
        ("paper", "https://papers.example/1", "Text; and data"),
        ("code", "https://code.example/b", ""),
    ]
    assert [each.name for each in data.people] == ["Ada Example", "Grace Example"]
    assert data.warnings == ()


@pytest.mark.parametrize(
    ("cell", "urls"),
    [
        pytest.param("https://a.example, https://b.example", ["https://a.example", "https://b.example"], id="two"),
        pytest.param("Our page: https://a.example", ["https://a.example"], id="words before it"),
        pytest.param("a.example/1", ["https://a.example/1"], id="no scheme"),
    ],
)
def test_addresses_of_a_cell_are_links(cell: str, urls: list[str]) -> None:
    data = parsed(table(["Title", "Date", "Link"], ["Bees", "2026-04-23", cell]))

    assert ([each.url for each in data.events[0].links], data.warnings) == (urls, ())


def test_cell_without_an_address_gets_one_note() -> None:
    data = parsed(table(["Title", "Date", "Link"], ["Bees", "2026-04-23", "see the page of the hall"]))

    note = "row 2, “Bees”: “see the page of the hall” is not an http(s) address; it is left out"
    assert (data.events[0].links, data.warnings) == ((), (note,))


def test_seats_that_are_no_number_are_named() -> None:
    cells = ["40", "50 seats", "abc", "TBA", ""]
    rows = [[f"T{number}", "2026-04-23", cell] for number, cell in enumerate(cells)]

    data = parsed(table(["Title", "Date", "Seats"], *rows))

    assert [event.capacity for event in data.events] == [40, None, None, None, None]
    assert data.warnings == (
        "row 3, Seats: “50 seats” cannot be read and is left out; write it as 50",
        "row 4, Seats: “abc” cannot be read and is left out; write it as 50",
    )


def test_placeholders_are_no_people_and_no_places() -> None:
    people = ["TBA", "tbd", "N.N.", "to be announced", "Ana Silva, TBA", "Silva, Ana; TBA"]
    rows = [[f"T{number}", "2026-04-23", cell, "(tba)", "TBA"] for number, cell in enumerate(people)]

    data = parsed(table(["Title", "Date", "Speaker", "Room", "Place"], *rows))

    assert [[each.person for each in event.people] for event in data.events] == [[], [], [], [], ["ana-silva"], ["ana-silva"]]
    assert ([person.name for person in data.people], data.rooms, {event.place for event in data.events}) == (
        ["Ana Silva"],
        (),
        {""},
    )


def test_cell_that_may_name_an_institution_is_to_be_looked_at() -> None:
    people = ["Ana Silva, Porto Tech", "Silva, Ana", "Ana Silva, Bo Example", "Ana Silva, PhD", "Ana Silva (Porto Tech)"]
    rows = [[f"T{number}", "2026-04-23", cell] for number, cell in enumerate(people)]

    data = parsed(table(["Title", "Date", "Speaker"], *rows))

    one = "is read as two people; if it is one, write"
    assert data.warnings == (
        f"row 2, Speaker: “Ana Silva, Porto Tech” {one} “Ana Silva (Porto Tech)”, with the institution in brackets",
        f"row 3, Speaker: “Silva, Ana” {one} “Ana Silva” or “Silva (Ana)”, with the institution in brackets",
    )


def test_type_of_the_conference_counts_before_a_title() -> None:
    rows = [["Lunch", "2026-04-23", "Board"], ["A4", "2026-04-23", "Board"], ["Dinner", "2026-04-23", ""]]

    read = [parsed(table(["Title", "Date", "Type"], *rows), replace(HINTS, kinds=kinds)) for kinds in ({"board": "break"}, {})]

    assert [[event.type for event in data.events] for data in read] == [["board", "board", "break"], ["break", "board", "break"]]


def test_new_date_outside_the_conference_is_named() -> None:
    hints = replace(HINTS, start=dt.date(2027, 3, 3), end=dt.date(2027, 3, 5), days=frozenset({dt.date(2027, 3, 2)}))
    dates = ["2027-03-03", "2028-03-04", "2027-03-02", "2027-02-28", "2028-03-04"]

    data = parsed(table(["Title", "Day"], *([f"T{number}", date] for number, date in enumerate(dates))), hints)

    remedy = "the conference (2027-03-03 to 2027-03-05): correct it, or the dates of the conference"
    assert data.warnings == (
        f"row 3, Day: “2028-03-04” is 365 days after {remedy}",
        f"row 5, Day: “2027-02-28” is 3 days before {remedy}",
    )


def test_night_after_the_last_day_belongs_to_it() -> None:
    hints = replace(HINTS, start=dt.date(2027, 3, 3), end=dt.date(2027, 3, 5))

    data = parsed(table(["Title", "Start", "End"], ["Dance", "2027-03-06 01:00", "2027-03-06 02:00"]), hints)

    assert data.warnings == ()

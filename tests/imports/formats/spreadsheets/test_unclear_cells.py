"""Cells that can be read in two ways: how they are read, and what is said of them."""

from __future__ import annotations

import datetime as dt

import pytest

from events.core.parsing.errors import ScheduleParseError
from events.imports.formats.spreadsheet.names import MAX_CELL_PEOPLE_CHARS, split_people
from tests.imports.formats.bad_files import SECONDS
from tests.imports.formats.spreadsheets.sheet_files import parsed, slots, table
from tests.processor import at_most


def test_length_that_no_event_has_is_named() -> None:
    rows = [
        [f"T{number}", f"2026-04-23 {9 + number}:00", text]
        for number, text in enumerate(["1", "0,75", "0.0625", "45", "720 min"])
    ]
    hours = [["T0", "2026-04-23 9:00", "90"], ["T1", "2026-04-23 9:00", "0,5"], ["T2", "2026-04-23 10:00", "0.02"]]

    plain, in_hours = parsed(table(["Title", "Start", "Length"], *rows)), parsed(table(["Title", "Start", "Dauer (h)"], *hours))

    assert plain.warnings == (
        "row 2, Length: “1” is read as 1 minute; if it is not, write 45 or 0:45",
        "row 3, Length: “0,75” is read as 18 hours; if it is not, write 45 or 0:45",
    )
    assert slots(in_hours)["T1"] == "23 09:00–09:30"
    assert in_hours.warnings == (
        "row 2, Dauer (h): “90” is read as 90 hours; if it is not, write 0.75 or 0:45",
        "row 4, Dauer (h): “0.02” is read as 1 minute; if it is not, write 0.75 or 0:45",
    )


CLOCK = ["9:00", "11:00", "2:00", "3:30", "7:00"]
NOTE = "row 4, Start: “2:00” is before “11:00” above (and 2 more like it): if it is in the afternoon, write 14:00 or 2 PM"

ONE_NOTE = "row 3, Start: “2:30” is before “9:00” above: if it is in the afternoon, write 14:30 or 2:30 PM"
BARE_NOTE = "row 3, Start: “3-4” is before “1:00 – 2:00 PM” above: if it is in the afternoon, write 15:00 or 3 PM"


@pytest.mark.parametrize(
    ("starts", "room", "notes"),
    [
        pytest.param(CLOCK, "Hall", (NOTE,), id="a clock of twelve hours"),
        pytest.param(["9:00", "2:30"], "Hall", (ONE_NOTE,), id="one"),
        pytest.param([*CLOCK, "13:00"], "Hall", (), id="a clock of 24 hours"),
        pytest.param(["9:00 – 17:00", *CLOCK], "Hall", (), id="an end on a clock of 24 hours"),
        pytest.param(["9:00 a.m.", *CLOCK], "Hall", (), id="AM"),
        pytest.param(["1:00 – 2:00 PM", "3-4"], "Hall", (BARE_NOTE,), id="AM but not here"),
        pytest.param(CLOCK, "", (NOTE,), id="no room"),
        pytest.param(CLOCK, "Hall {}", (), id="other rooms"),
        pytest.param(["12:30", "12:00"], "Hall", (), id="noon"),
    ],
)
def test_afternoon_on_a_clock_of_twelve_hours_gets_one_note(starts: list[str], room: str, notes: tuple[str, ...]) -> None:
    rows = [
        [f"T{number}", "2026-04-23", start, "" if {*"–-"} & {*start} else "45", room.format(number)]
        for number, start in enumerate(starts)
    ]

    assert parsed(table(["Title", "Date", "Start", "Length", "Room"], *rows)).warnings == notes


STATUSES = {
    "cancelled": ["abgesagt", "fällt aus", "Annulé", "cancelado", "Cancelled - speaker ill", "Cancelled!", "withdrawn by author"],
    "tentative": ["tbc", "TBC?", "Provisional", "geplant", "tentative"],
    "confirmed": ["", "confirmed", "Published", "yes", "accepted (oral)", "n/a"],
}


@pytest.mark.parametrize(("status", "text"), [(status, text) for status, texts in STATUSES.items() for text in texts])
def test_status_is_read_in_the_words_of_people(status: str, text: str) -> None:
    data = parsed(table(["Title", "Date", "Status"], ["Bees", "2026-04-23", text]))

    assert ([event.status for event in data.events], data.warnings, data.skipped) == ([status], (), ())


def test_status_that_is_not_known_gets_one_note() -> None:
    rows = [["A", "postponed"], ["B (cancelled)", "postponed"], ["C", "postponed"], ["D", "on hold"], ["E", "withdrawn"]]

    data = parsed(table(["Title", "Date", "Status"], *([title, "2026-04-23", status] for title, status in rows)))

    assert [event.status for event in data.events] == ["confirmed", "cancelled", "confirmed", "confirmed"]
    unknown, remedy = "is not known, and the event counts as confirmed", "write tentative, confirmed or cancelled"
    assert data.warnings == (
        f"row 2, Status: “postponed” {unknown} (and 1 more like it): {remedy}",
        f"row 5, Status: “on hold” {unknown}: {remedy}",
    )


def test_row_without_a_readable_hour_has_the_day_above() -> None:
    rows = [["A", "2026-04-23", "9:00", "10:00"], ["B", "", "TBA", ""], ["C", "", "after lunch", ""], ["D", "", "", "12:00"]]
    rows += [["E", "", "22-1", ""], ["F", "", "", ""]]

    data = parsed(table(["Title", "Date", "Start", "End"], *rows))

    assert [event.day for event in data.events] == [*["2026-04-23"] * 5, ""]
    assert slots(data) == {"A": "23 09:00–10:00", "B": "?", "C": "?", "D": "?", "E": "23 22:00–01:00", "F": "?"}
    assert "4 rows have no date of their own; that of the row above is used" in data.warnings


def test_date_without_an_hour_of_the_afternoon_may_be_on_a_clock_of_twelve_hours() -> None:
    starts = ["2026-04-23 9:00", "2026-04-23 2:00", "2026-04-24 10:00", "2026-04-24 9:00", "2026-04-25 14:00", "2026-04-25 1:00"]
    rows = [[f"T{number}", start, "45", "Hall"] for number, start in enumerate(starts)]

    data = parsed(table(["Title", "Start", "Length", "Room"], *rows))

    remedy = "if it is in the afternoon, write 14:00 or 2 PM"
    assert data.warnings == (f"row 3, Start: “2026-04-23 2:00” is before “2026-04-23 9:00” above: {remedy}",)


@pytest.mark.parametrize(
    ("cell", "people"),
    [
        ("Chair: Bob Stone", ["Bob Stone moderator"]),
        ("Session chairs: Bob Stone and Ada Example", ["Bob Stone moderator", "Ada Example moderator"]),
        ("Moderator: Bob Stone; Ada Example, Cy Example", ["Bob Stone moderator", "Ada Example speaker", "Cy Example speaker"]),
        ("Chair: Bob Stone\nPanel: Ada Example", ["Bob Stone moderator", "Ada Example panellist"]),
        ("Panelists: Ada Example (host), Cy Example", ["Ada Example host", "Cy Example panellist"]),
        ("Leitung: Karl Süß | Speaker: Ada Example", ["Karl Süß moderator", "Ada Example speaker"]),
        ("Chair: TBA", []),
        ("Ada Example / Bob Stone", ["Ada Example speaker", "Bob Stone speaker"]),
        ("Ada Example (Uni A / Uni B, Arts and Crafts) und Bob Stone", ["Ada Example speaker", "Bob Stone speaker"]),
        ("Ada Example / Porto Tech", ["Ada Example / Porto Tech speaker"]),
        ("AC/DC", ["AC/DC speaker"]),
        ("Karl Freiherr von und zu Example", ["Karl Freiherr von und zu Example speaker"]),
        ("Ada von Example und Karl von und zu Example", ["Ada von Example speaker", "Karl von und zu Example speaker"]),
    ],
    ids=lambda value: value[:24] if isinstance(value, str) else "",
)
def test_role_before_names_and_a_stroke_between_them_are_read(cell: str, people: list[str]) -> None:
    data = parsed(f'Title;Date;Speakers\nBees;2026-04-23;"{cell}"'.encode())

    names = {person.key: person.name for person in data.people}
    assert [f"{names[each.person]} {each.role}" for event in data.events for each in event.people] == people


@pytest.mark.parametrize(
    ("rows", "place"),
    [
        pytest.param([["Bees", "14 Sept", "9:00"]], "row 2, Date: “14 Sept”", id="in a column"),
        pytest.param([["", "Mon 14 September", ""], ["Bees", "", "9:00"]], "row 2, Date: “Mon 14 September”", id="in a heading"),
    ],
)
def test_new_conference_without_a_year_is_refused_with_the_remedy(rows: list[list[str]], place: str) -> None:
    date = place.split("“")[1].rstrip("”")

    with pytest.raises(ScheduleParseError) as caught:
        parsed(table(["Title", "Date", "Start"], *rows))

    assert str(caught.value) == f"talks.csv: {place} has no year: write {date} {dt.datetime.now(dt.UTC).year}"


def test_date_without_a_year_beside_others_is_named() -> None:
    year = dt.datetime.now(dt.UTC).year
    rows = [["A", "14 Sept 2026", "9:00"], ["B", "15 Sept", "9:00"], ["C", "15 Sept 9:30", ""]]

    data = parsed(table(["Title", "Date", "Start"], *rows))

    problem = "cannot be read and is left out; it has no year: write"
    assert [warning for warning in data.warnings if "has no year" in warning] == [
        f"row 3, Date: “15 Sept” {problem} 15 Sept {year}",
        f"row 4, Date: “15 Sept 9:30” {problem} the year behind the month",
    ]


@pytest.mark.parametrize("filler", [" ", "\n", "(", "a / ", "Chair: "])
def test_long_cell_of_names_is_read_at_once(filler: str) -> None:
    with at_most(SECONDS):
        assert split_people(f"{filler * (MAX_CELL_PEOPLE_CHARS // len(filler) - 1)}x")


def test_column_of_surnames_first_has_one_person_in_a_cell_of_one_comma() -> None:
    header = ["Title", "Date", "Start", "End", "Authors", "Chair"]
    when = ["2026-04-23", "09:00", "10:00"]
    data = parsed(
        table(
            header,
            ["Rivers", *when, "Example, Ada; Example, Grace", "Chair, Carla"],
            ["Lakes", *when, "Example, Emil", "Carla Chair, Cem Chair"],
        )
    )

    people = {person.key: person.name for person in data.people}
    by_paper = {paper.title: [people[author] for author in paper.authors] for paper in data.papers}
    assert by_paper == {"Rivers": ["Ada Example", "Grace Example"], "Lakes": ["Emil Example"]}
    # Nothing says that this column writes surnames first.
    assert {"Carla", "Chair", "Carla Chair", "Cem Chair"} <= set(people.values())
    assert not any("Example, Emil" in warning for warning in data.warnings)


def test_row_without_a_title_is_what_it_names_as_its_session() -> None:
    header = ["Title", "Date", "Start", "End", "Session"]
    data = parsed(
        table(
            header,
            ["Short proofs", "2026-04-23", "09:00", "09:30", "Proofs"],
            ["", "2026-04-23", "09:30", "10:00", "Proofs"],
            ["", "2026-04-23", "10:00", "10:30", "Coffee break"],
        )
    )

    kinds = {row.key: row.kind for row in data.types}
    assert {event.title: kinds[event.type] for event in data.events} == {
        "Proofs": "session",
        "Short proofs": "talk",
        "Coffee break": "break",
    }
    assert data.skipped == ("row 3: it has no title",)

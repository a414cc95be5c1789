from __future__ import annotations

import datetime as dt
import io
import zipfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from events.core.parsing.errors import ScheduleParseError
from events.imports.formats import registry
from events.imports.formats.document import Document, Hints
from events.imports.formats.miniconf import reader as miniconf
from events.programme.data.schedule import AppearanceData, EventData, LinkData, PaperData, ScheduleData

DATA = Path(__file__).parents[3] / "data" / "miniconf"
HINTS = Hints(slug="demo")


def parse(path: Path, **changed: str) -> ScheduleData:
    document = Document.read(path)
    if changed:
        document = Document(document.name, document.files | {f"{name}.yml": text.encode() for name, text in changed.items()})
    return miniconf.parse(document, HINTS)


def by_key(schedule: ScheduleData) -> dict[str, EventData]:
    return {event.key: event for event in schedule.events}


def at(day: int, hour: int, minute: int = 0, month: int = 4) -> dt.datetime:
    return dt.datetime(2020, month, day, hour, minute, tzinfo=dt.UTC)


def when(event: EventData) -> tuple[object, ...]:
    return event.day, event.start, event.end


@pytest.fixture(scope="module")
def iclr() -> ScheduleData:
    return parse(DATA / "iclr")


def test_every_event_of_the_folder_is_there(iclr: ScheduleData) -> None:
    found = Counter(event.type for event in iclr.events)

    assert found == {
        "poster-session": 4, "poster": 4, "oral-session": 1, "oral": 2, "invited-talk": 2, "expo": 1, "town-hall": 1,
        "social": 12, "workshop": 1,
    }  # fmt: skip
    assert (iclr.conference.start, iclr.conference.end) == (dt.date(2020, 4, 26), dt.date(2020, 4, 28))
    assert iclr.conference.timezone == "UTC"


def test_papers_have_authors_once_links_and_no_mail_addresses(iclr: ScheduleData) -> None:
    assert iclr.papers[0] == PaperData(
        key="paperA",
        title="Learning to Wait",
        tldr="Waiting helps.",
        abstract="We wait for $n$ steps.",
        authors=("ada-bell", "cy-dale"),
        links=(
            LinkData(kind="paper", url="https://openreview.net/forum?id=paperA"),
            LinkData(kind="code", url="https://example.org/code"),
            LinkData(kind="code", url="https://example.org/more"),
            LinkData(kind="video", url="https://slideslive.com/38900001"),
        ),
    )
    assert "@example.org" not in repr(iclr)


def test_a_paper_in_two_poster_sessions_has_two_events(iclr: ScheduleData) -> None:
    first, second = [event for event in iclr.events if event.type == "poster" and event.paper == "paperA"]

    assert (first.key, first.session, first.start, first.stream_url) == (
        "poster-paperA", "posters-P1S1", at(27, 8), "https://example.org/j/1",
    )  # fmt: skip
    assert (second.key, second.session, second.start, second.position) == ("poster-paperA#2", "posters-P2S1", at(28, 8), 1)


def test_a_poster_session_without_an_hour_is_on_its_day(iclr: ScheduleData) -> None:
    session = next(event for event in iclr.events if event.title == "Poster session: Tues Session 7")

    assert when(session) == ("2020-04-28", None, None)
    assert [when(event) for event in iclr.events if event.session == session.key] == [("2020-04-28", None, None)]


def test_a_poster_session_has_the_colour_of_posters(iclr: ScheduleData) -> None:
    colours = {it.name: it.colour for it in iclr.types}

    assert (colours["Poster session"], colours["Workshop"]) == ("poster", "")


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        pytest.param("posters-P1S2", ("2020-04-27", at(27, 23), at(28, 1)), id="a slot past midnight"),
        pytest.param("qa-9", ("2020-04-27", at(28, 1), at(28, 2)), id="a slot after midnight"),
        pytest.param("speaker-1", ("2020-04-27", at(27, 14), at(27, 14, 30)), id="a speaker's own time"),
        pytest.param("expo-Acme Labs", ("2020-04-28", at(28, 14, 30), at(28, 15)), id="an expo's own time"),
        pytest.param("orals-2020-04-27-Patience", ("2020-04-27", None, None), id="orals without hours"),
        pytest.param("oral-paperB", ("2020-04-27", None, None), id="a talk without an hour"),
        pytest.param("workshop-PAT", ("", None, None), id="a workshop without a day"),
        pytest.param("social-Games", ("2020-04-27", at(27, 23), at(28, 1)), id="a social past midnight"),
        pytest.param("social-Games#2", ("2020-04-28", at(28, 17, 30), at(28, 19, 30)), id="its second day with its second time"),
        pytest.param("social-Walk", ("2020-04-27", at(28, 1), at(28, 3)), id="the night between two days"),
        pytest.param("social-Reading", ("2020-04-27", at(27, 16), at(27, 17)), id="a label before the weekday"),
        pytest.param("social-Reading#2", ("2020-04-28", at(28, 18), at(28, 19)), id="a time in another zone"),
        pytest.param("social-Town", ("2020-04-28", None, None), id="all day"),
        pytest.param("social-Brunch", ("2020-04-26", at(26, 10), at(26, 11)), id="the day before the conference"),
        pytest.param("social-Never", ("2020-04-27", at(27, 10), at(27, 11)), id="one day"),
        pytest.param("social-Never#2", ("2020-04-27", at(27, 12), at(27, 13)), id="one day with two times"),
        pytest.param("social-Sometime", ("", None, None), id="neither day nor hour"),
    ],
)
def test_times_are_read_as_they_are_meant(iclr: ScheduleData, key: str, expected: tuple[object, ...]) -> None:
    assert when(by_key(iclr)[key]) == expected


def test_what_is_left_out_is_reported(iclr: ScheduleData) -> None:
    assert iclr.skipped == (
        "papers, “paperC”: it has no title",
        "poster_schedule.yml, “Tues Session 1”, “nobody”: no paper has this id",
        "oral_schedule.yml, no day, “”: an entry names no paper",
        "socials.yml, “Lost hour”: “14:00-15:00 GMT” has no weekday (“Someday”): write one for each time",
    )
    assert iclr.warnings == (
        "schedule.yml, 2020-04-28, “Town hall”: “noon” is not a slot with two times; its hour is to be announced",
        "papers: the programme has no keywords; they are left out",
        "poster_schedule.yml, “Tues Session 7”: no hour is given for it; it is to be announced",
        "oral_schedule.yml: it has days but no times; its sessions and talks are shown by day",
        "expos.yml, “Acme Labs”: schedule.yml says 14:00, not 14:30 UTC",
        "socials.yml, “Town”: “All Day” is not from one hour to another; Tuesday has no time",
        "socials.yml, “Sometime”: it has neither a day nor a time; both are to be announced",
        "workshops: their file names no day; 1 are to be announced",
        "not read, because they have nothing of the programme: sponsors.yml",
    )


def test_texts_stay_as_they_are_written(iclr: ScheduleData) -> None:
    events = by_key(iclr)

    assert events["speaker-1"].abstract == "<i>Raw</i> as it is."
    assert events["social-Town"].abstract == "All Day.\n\nCome and go."
    assert events["social-Reading"].title == "Reading (Poems)"
    assert events["workshop-PAT"].abstract == "Why wait?\n\n<p>All day</p>"


def test_people_of_one_line_are_separated(iclr: ScheduleData) -> None:
    events, people = by_key(iclr), {person.key: person for person in iclr.people}

    assert events["speaker-1"].people == (AppearanceData(person="ada-bell"), AppearanceData(person="gus-hill"))
    assert [it.person for it in events["social-Games"].people] == ["ada-bell", "cy-dale", "eve-fox"]
    assert {it.role for it in events["workshop-PAT"].people} == {"host"}
    assert people["gus-hill"].affiliation == "Hill College"


def test_socials_of_acl_have_dates(iclr: ScheduleData) -> None:
    schedule = parse(DATA / "acl_socials.yml")

    assert [(event.key, event.title, event.start, event.end) for event in schedule.events] == [
        ("social-readers", "Readers (Poems)", at(9, 14, month=7), at(9, 15, 30, month=7)),
        ("social-readers#2", "Readers", at(10, 23, month=7), at(11, 0, 30, month=7)),
        ("social-writers", "Writers", at(6, 9, month=7), at(6, 10, month=7)),
    ]
    assert schedule.skipped == (
        "socials.yml, “Readers”, “S-Session C”: it has no start_time and end_time like 2020-07-09_14:00:00",
    )


def test_socials_of_emnlp_have_a_place_and_an_address() -> None:
    document = Document.read(DATA / "emnlp_socials.yml")
    _, schedule = registry.parse_document(document, HINTS)

    assert [(event.key, event.title, event.start, event.end) for event in schedule.events] == [
        ("social-A1", "Readers (with Ada Bell)", at(17, 1, month=11), at(17, 3, month=11)),
        ("social-A1#2", "Readers (Social B: Cy, Eve and Gus)", at(18, 16, month=11), at(18, 18, month=11)),
        ("social-A2", "Writers", None, None),
    ]
    assert [(event.place, event.stream_url) for event in schedule.events] == [
        ("Zoom & Gather.Town", "https://example.org/j/1"),
        ("Zoom & Gather.Town", "https://example.org/j/2"),
        ("", ""),
    ]
    assert [link.url for link in schedule.events[2].links] == ["https://example.org/town"]
    assert [it.person for it in schedule.events[0].people] == ["ada-bell", "cy-dale"]
    assert schedule.warnings == ("socials.yml, “Writers”: it has neither a day nor a time; both are to be announced",)


def test_standard_miniconf_shows_papers_in_sessions_of_its_calendar() -> None:
    schedule = parse(DATA / "standard")

    assert schedule.conference.name == "MiniConf 2020"
    assert [(event.type, event.title, when(event)) for event in schedule.events] == [
        ("session", "Opening Remarks", ("2020-07-06", at(6, 8, month=7), at(6, 8, 30, month=7))),
        ("poster-session", "Poster Day 1 Session 1 (P1S1)", ("2020-07-06", at(6, 9, month=7), at(6, 11, month=7))),
        ("poster", "Waiting, again", ("2020-07-06", at(6, 9, month=7), at(6, 11, month=7))),
        ("poster-session", "Poster session: Tue Session 1", ("2020-07-07", None, None)),
        ("poster", "Waiting, again", ("2020-07-07", None, None)),
        ("poster", "Leaving", ("2020-07-06", at(6, 9, month=7), at(6, 11, month=7))),
        ("invited-talk", "On Waiting", ("", None, None)),
        ("workshop", "Workshop on Patience", ("", None, None)),
    ]
    assert schedule.skipped == ("main_calendar.json, “Broken”: its start or end is not a time like 2020-04-27T05:00:00+00:00",)


def test_a_zip_of_the_folder_reads_the_same(iclr: ScheduleData) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for file in sorted((DATA / "iclr").iterdir()):
            archive.write(file, f"site/sitedata/{file.name}")
        archive.writestr("site/README.md", "A site")

    document = Document.from_upload("site.zip", packed.getvalue())

    assert miniconf.recognises(document)
    assert miniconf.parse(document, HINTS) == iclr


def test_venue_zone_moves_no_instant() -> None:
    document = Document.read(DATA / "acl_socials.yml")

    schedule = miniconf.parse(document, Hints(slug="demo", timezone="Asia/Singapore"))

    assert [(event.start, event.day) for event in schedule.events][1] == (at(10, 23, month=7), "2020-07-11")


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        pytest.param(
            {"schedule": "time_slots: 3\n"}, "schedule.yml: is not what Mini-Conf writes: “time_slots:” is missing", id="slots"
        ),
        pytest.param({"schedule": "[1"}, "schedule.yml, line 2: is not YAML", id="no YAML"),
        pytest.param(
            {"socials": "socials: 3\n"},
            "socials.yml: is not what Mini-Conf writes: “socials:” with a list of entries is missing",
            id="socials",
        ),
        pytest.param(
            {"poster_schedule": "- a\n"},
            "poster_schedule.yml: is not what Mini-Conf writes: a list of entries is missing",
            id="posters",
        ),
    ],
)
def test_files_of_another_shape_are_refused(files: Mapping[str, str], problem: str) -> None:
    with pytest.raises(ScheduleParseError) as caught:
        parse(DATA / "iclr", **files)

    assert str(caught.value).startswith(problem)


@pytest.mark.parametrize(
    "file", ["papers.json", "poster_schedule.yml", "socials.yml", "speakers.yml", "workshops.yml", "expos.yml"]
)
def test_one_file_that_names_no_date_is_refused_with_the_remedy(file: str) -> None:
    document = Document.read(DATA / "iclr" / file)

    assert miniconf.recognises(document)
    with pytest.raises(ScheduleParseError, match="upload its whole sitedata folder as a zip"):
        miniconf.parse(document, HINTS)


SLOTS = "time_slots:\n  a: [11:00 PM, 1:00 AM]\nconference:\n- day: {date}\n  events:\n  - slot: a\n"
SESSIONS = "- name: A\n  sessions:\n  - {{start_time: {date}_23:00:00, end_time: {date}_23:30:00}}\n"
ENTRY = '[{{"title": "A", "start": "{date}T23:00:00-14:00", "end": "{date}T23:30:00-14:00"}}]'


@pytest.mark.parametrize(("file", "text"), [("schedule.yml", SLOTS), ("socials.yml", SESSIONS), ("main_calendar.json", ENTRY)])
@pytest.mark.parametrize("date", ["0001-01-01", "9999-12-31"])
def test_dates_at_the_ends_of_the_calendar_are_skipped(file: str, text: str, date: str) -> None:
    document = Document("site", {"poster_slides.yml": b"slides: []", file: text.format(date=date).encode()})

    with pytest.raises(ScheduleParseError, match=r"has no event that can be imported|names no day at all"):
        miniconf.parse(document, HINTS)


def test_weekdays_are_those_of_the_conference_where_the_site_names_no_date() -> None:
    document = Document.read(DATA / "iclr" / "socials.yml")

    schedule = miniconf.parse(document, Hints(slug="demo", start=dt.date(2020, 4, 27), end=dt.date(2020, 4, 30)))

    assert when(by_key(schedule)["social-Games"]) == ("2020-04-27", at(27, 23), at(28, 1))


@pytest.mark.parametrize(
    "values",
    ["x", "3", "[]", "{}", "[[a]]", "{a: {b: c}}", "null", "2020-99-99", "25:00-26:00 GMT", "99:99 AM", "'\\U0001F917'"],
)
def test_values_of_any_shape_are_read_or_refused(values: str) -> None:
    names = "name organizers website day times links description id sessions UID speaker title time institution".split()
    entry = "\n".join(f"    {name}: {values}" for name in names)
    day = "\n".join(f"    {name}: {values}" for name in ("slot", "type", "short", "name", "id"))
    changed = {
        "socials": f"socials:\n  -\n{entry}\n",
        "speakers": f"speakers:\n  -\n{entry}\n",
        "workshops": f"workshops:\n  -\n{entry}\n",
        "expos": f"expos:\n  -\n{entry}\n",
        "schedule": f"time_slots:\n  a: {values}\nconference:\n- day: 2020-04-27\n  events:\n  -\n{day}\n- day: {values}\n",
        "poster_schedule": f"- name: {values}\n  posters: {values}\n- name: Mon\n  posters:\n  - id: {values}\n",
        "oral_schedule": f"- section: {values}\n- day: Mon\n  section:\n  - theme: {values}\n    ids: {values}\n",
    }

    schedule = parse(DATA / "iclr", **changed)

    assert [paper.key for paper in schedule.papers] == ["paperA", "paperB"]

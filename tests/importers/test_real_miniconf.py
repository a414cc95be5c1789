"""Real Mini-Conf files, where they are: their counts, and a reason for every file that cannot be taken."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from events.importers import formats, miniconf
from events.importers.data import ScheduleData
from events.importers.document import Document
from events.importers.errors import ScheduleParseError
from events.importers.hints import Hints

FOLDER = Path(__file__).parents[2].parent / "shared" / "data" / "miniconf"
ICLR = [FOLDER / "iclr2020"] if (FOLDER / "iclr2020").is_dir() else []
ACL = sorted(FOLDER.glob("acl2020_*.yml"))
FILES = sorted(path for path in FOLDER.rglob("*") if path.is_file())
SAY_ENOUGH = {"schedule.yml", "acl2020_socials.yml"}
NOT_OF_THE_PROGRAMME = {
    "about.yml", "faq.yml", "keywords.yml", "poster_slides.yml", "sponsors.tsv", "sponsors.yml", "volunteers.yml",
}  # fmt: skip


def parse(path: Path) -> ScheduleData:
    return miniconf.parse(Document.read(path), Hints(slug="demo"))


@pytest.mark.parametrize("path", ICLR)
def test_iclr_2020_is_whole(path: Path) -> None:
    schedule = parse(path)
    events = Counter(event.type for event in schedule.events)
    socials = {event.key.partition("#")[0] for event in schedule.events if event.type == "social"}

    assert len(schedule.papers) == 687
    assert events == {
        "poster-session": 20, "poster": 2 * 687, "oral-session": 25, "oral": 156, "invited-talk": 8, "expo": 4,
        "social": 27, "workshop": 15,
    }  # fmt: skip
    assert len(socials) == 20
    assert set(Counter(event.paper for event in schedule.events if event.type == "poster").values()) == {2}
    assert (len(schedule.warnings), len(schedule.skipped)) == (6, 3)
    assert (str(schedule.conference.start), str(schedule.conference.end)) == ("2020-04-27", "2020-04-30")


@pytest.mark.parametrize("path", ICLR)
def test_iclr_2020_s_socials_are_when_its_calendar_says(path: Path) -> None:
    """Compared with the conference's own .ics: past midnight, between two days, with a label, all day."""
    found = {event.key: event for event in parse(path).events}

    def hours(key: str) -> str:
        event = found[key]
        return f"{event.start:%d %H:%M}–{event.end:%d %H:%M}" if event.start and event.end else event.day

    assert hours("social-Risky") == "28 23:00–29 01:00"
    assert hours("social-Physicists#2") == "30 23:00–01 01:00"
    assert (hours("social-Korea"), found["social-Korea"].day) == ("30 01:00–30 03:00", "2020-04-29")
    assert hours("social-Covid") == "27 16:00–27 17:00"
    assert hours("social-ICLRTown") == "2020-04-28"


@pytest.mark.parametrize("path", ACL)
def test_acl_2020_s_socials_are_all_there(path: Path) -> None:
    schedule = parse(path)

    assert len({event.key.partition("#")[0] for event in schedule.events}) == 27
    assert len(schedule.events) == 40
    assert (schedule.warnings, schedule.skipped) == ((), ())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_file_by_itself_imports_or_says_why_not(path: Path) -> None:
    document = Document.read(path)

    if path.name in NOT_OF_THE_PROGRAMME:
        assert not miniconf.recognises(document)
    elif path.name in SAY_ENOUGH:
        assert parse(path).events
    else:
        with pytest.raises(ScheduleParseError, match="hand in its whole sitedata folder as a zip"):
            parse(path)


@pytest.mark.parametrize("path", [*ICLR, *ACL], ids=lambda path: path.name)
def test_a_site_is_known_by_its_content(path: Path) -> None:
    assert formats.detected(Document.read(path)).name == "miniconf"

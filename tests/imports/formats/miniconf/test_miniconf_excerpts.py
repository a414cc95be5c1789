"""Excerpts of two Mini-Conf sites: their counts, and a reason for every file that cannot be imported."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from events.core.parsing.errors import ScheduleParseError
from events.imports.formats import registry
from events.imports.formats.document import Document, Hints
from events.imports.formats.miniconf import reader as miniconf
from events.programme.data.schedule import ScheduleData

FOLDER = Path(__file__).parents[3] / "data/excerpts/miniconf"
SITE = FOLDER / "site"
SOCIALS = FOLDER / "socials.yml"
FILES = [
    "site/about.yml", "site/expos.yml", "site/faq.yml", "site/keywords.yml", "site/oral_schedule.yml", "site/papers.json",
    "site/poster_schedule.yml", "site/poster_slides.yml", "site/schedule.yml", "site/socials.yml", "site/speakers.yml",
    "site/sponsors.tsv", "site/sponsors.yml", "site/volunteers.yml", "site/workshops.yml", "socials.yml",
]  # fmt: skip
COMPLETE = {"site/schedule.yml", "socials.yml"}
NOT_OF_THE_PROGRAMME = {
    "about.yml", "faq.yml", "keywords.yml", "poster_slides.yml", "sponsors.tsv", "sponsors.yml", "volunteers.yml",
}  # fmt: skip


def parse(path: Path) -> ScheduleData:
    return miniconf.parse(Document.read(path), Hints(slug="demo"))


def test_a_site_is_imported_whole() -> None:
    schedule = parse(SITE)
    events = Counter(event.type for event in schedule.events)
    socials = {event.key.partition("#")[0] for event in schedule.events if event.type == "social"}

    assert len(schedule.papers) == 22
    assert events == {
        "poster-session": 20, "poster": 2 * 22, "oral-session": 8, "oral": 16, "invited-talk": 8, "expo": 4,
        "social": 11, "workshop": 3,
    }  # fmt: skip
    assert len(socials) == 7
    assert set(Counter(event.paper for event in schedule.events if event.type == "poster").values()) == {2}
    assert (len(schedule.warnings), len(schedule.skipped)) == (6, 3)
    assert (str(schedule.conference.start), str(schedule.conference.end)) == ("2020-04-27", "2020-04-30")


def test_socials_of_a_site_have_their_hours() -> None:
    """Past midnight, between two days, with a label, all day: as the conference's own calendar has them."""
    found = {event.key: event for event in parse(SITE).events}

    def hours(key: str) -> str:
        event = found[key]
        return f"{event.start:%d %H:%M}–{event.end:%d %H:%M}" if event.start and event.end else event.day

    assert hours("social-Risky") == "28 23:00–29 01:00"
    assert hours("social-Physicists#2") == "30 23:00–01 01:00"
    assert (hours("social-Korea"), found["social-Korea"].day) == ("30 01:00–30 03:00", "2020-04-29")
    assert hours("social-Covid") == "27 16:00–27 17:00"
    assert hours("social-Lounge") == "2020-04-28"


def test_socials_alone_are_imported() -> None:
    schedule = parse(SOCIALS)

    assert len({event.key.partition("#")[0] for event in schedule.events}) == 6
    assert len(schedule.events) == 14
    assert (schedule.warnings, schedule.skipped) == ((), ())


@pytest.mark.parametrize("name", FILES)
def test_every_file_alone_is_imported_or_refused_with_a_reason(name: str) -> None:
    document = Document.read(FOLDER / name)

    if Path(name).name in NOT_OF_THE_PROGRAMME:
        assert not miniconf.recognises(document)
    elif name in COMPLETE:
        assert parse(FOLDER / name).events
    else:
        with pytest.raises(ScheduleParseError, match="upload its whole sitedata folder as a zip"):
            parse(FOLDER / name)


@pytest.mark.parametrize("path", [SITE, SOCIALS], ids=lambda path: path.name)
def test_a_site_is_known_by_its_content(path: Path) -> None:
    assert registry.detect_format(Document.read(path)).name == "miniconf"

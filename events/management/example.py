"""An invented programme as large as ICLR 2025's, for measuring: the same every time, with nobody's name in it."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar
from zoneinfo import ZoneInfo

from events.importers.data import (
    AppearanceData,
    ConferenceData,
    DayData,
    EventData,
    EventTypeData,
    PaperData,
    PersonData,
    ScheduleData,
    TopicData,
    TrackData,
)
from events.importers.place import RoomData, VenueData, ZoneData

SLUG = "example-at-scale"
PAPERS, ORALS, WORKSHOPS, AUTHORS = 3_704, 213, 40, 15_000
FEWEST = 100
"""Events without which it is no conference."""
_ZONE = ZoneInfo("Asia/Singapore")
_FIRST = dt.date(2025, 4, 24)
_MAIN_DAYS, _WORKSHOP_DAYS, _HALLS, _PARALLEL = 3, 2, 12, 6
_AREAS = ("Learning", "Vision", "Language", "Theory")
_SUBAREAS = ("Methods", "Models", "Data", "Society")
_TYPES = {
    "invited-talk": ("Invited talk", "Invited talks", "invited-talk"),
    "poster-session": ("Poster session", "Poster sessions", "session"),
    "oral-session": ("Oral session", "Oral sessions", "session"),
    "poster": ("Poster", "Posters", "poster"),
    "oral": ("Oral", "Orals", "talk"),
    "workshop": ("Workshop", "Workshops", "session"),
    "break": ("Break", "Breaks", "break"),
}
# Hours of a main day: what, from, to.
_DAY = (
    ("invited-talk", "09:00", "10:00"),
    ("break", "10:00", "10:30"),
    ("papers", "10:30", "13:00"),
    ("break", "13:00", "14:00"),
    ("invited-talk", "14:00", "15:00"),
    ("papers", "15:00", "17:30"),
    ("break", "17:30", "18:00"),
)
_HALVES = 2 * _MAIN_DAYS
_FRAME = len(_DAY) * _MAIN_DAYS + _HALVES * _PARALLEL
_HOW = "Patient Sparse Honest Gentle Robust Latent Frugal Lazy Tidy Curious Deep Stable Swift Modular Quiet".split()
_WHAT = "Ladders Lanterns Harbours Kites Orchards Bridges Compasses Gardens Mosaics Rivers Looms Clocks Maps Shells".split()
_AIM = "Planning Reading Sorting Mixing Folding Weaving Pruning Steering Counting Listening Sketching Mending".split()
_FIELD = "reinforcement learning|graph networks|diffusion models|language models|causal inference|robust optimisation".split("|")
_SYLLABLES = ("ba", "de", "fi", "go", "ku", "la", "me", "ni", "po", "ru", "sa", "te", "vi", "wo", "zu")
_ENDS = ("lin", "mar", "nok", "pel", "rus", "sta", "tov", "vex", "wyn")
_SENTENCES = (
    "We show that {how} {what} help {aim} in {field}.",
    "The cost grows as $O(n \\log n)$ with the number of {what}.",
    "Earlier work on {field} left {aim} aside, although {what} are everywhere.",
    "On three invented benchmarks, {how} {what} are better by {number} %.",
    "A proof for {how} {what} is given, and it needs no {field}.",
    "Unlike {what} in {field}, {how} {what} need no {aim}.",
)
T = TypeVar("T")


@dataclass(frozen=True)
class Size:
    papers: int
    orals: int
    workshops: int
    authors: int

    @classmethod
    def of(cls, events: int | None) -> Size:
        """ICLR 2025's, or its proportions in that many events; ValueError for fewer than a conference has."""
        if events is None:
            return cls(PAPERS, ORALS, WORKSHOPS, AUTHORS)
        if events < FEWEST:
            raise ValueError(f"{events} events are too few for a conference: take {FEWEST} or more")
        rest = events - _FRAME
        whole = PAPERS + ORALS + WORKSHOPS
        workshops, orals = round(rest * WORKSHOPS / whole), round(rest * ORALS / whole)
        papers = rest - workshops - orals
        return cls(papers, orals, workshops, max(10, round(AUTHORS * papers / PAPERS)))


def example(events: int | None = None, *, slug: str = SLUG) -> ScheduleData:
    """3,704 posters in six sessions, 213 orals in 36, 40 workshops, invited talks and breaks; or ``events`` in all."""
    size = Size.of(events)
    # The same seed is the same programme.
    words = Words(random.Random(2025))  # noqa: S311 - nothing here is a secret
    people = [PersonData(key=f"author-{number:05}", name=words.person(number)) for number in range(size.authors)]
    papers = list(_papers(size, words, people))
    days = [_FIRST + dt.timedelta(days=number) for number in range(_MAIN_DAYS + _WORKSHOP_DAYS)]
    return ScheduleData(
        conference=ConferenceData(
            slug=slug,
            name="Example at scale",
            title="An invented programme of the size of ICLR 2025",
            about="Everything here is made up to measure with: titles, people, hours and rooms.",
            timezone=_ZONE.key,
            start=days[0],
            end=days[-1],
        ),
        days=tuple(DayData(key=str(day), date=day, title="Workshops" if day in days[_MAIN_DAYS:] else "") for day in days),
        types=tuple(
            EventTypeData(key=key, name=name, plural=plural, kind=kind, position=position)
            for position, (key, (name, plural, kind)) in enumerate(_TYPES.items(), start=1)
        ),
        tracks=(TrackData(key="main", name="Main conference"), TrackData(key="workshops", name="Workshops", position=1)),
        topics=tuple(TopicData(key=_topic(area, part), area=area, subarea=part) for area in _AREAS for part in _SUBAREAS),
        venues=(VenueData(key="venue", name="Example Hall"),),
        zones=(ZoneData(key="halls", venue="venue", name="Halls"),),
        rooms=tuple(RoomData(key=f"hall-{n}", zone="halls", name=f"Hall {n}", position=n) for n in range(1, _HALLS + 1)),
        people=tuple(people),
        papers=tuple(papers),
        events=tuple(_events(size, papers, words, people)),
    )


def _topic(area: str, subarea: str) -> str:
    return f"{area}-{subarea}".lower()


def _papers(size: Size, words: Words, people: list[PersonData]) -> Iterator[PaperData]:
    """About six authors each, everybody's turn; every other has a TL;DR, four of seven an abstract, as in the real one."""
    turn = 0
    for number in range(size.papers):
        count = words.chance.randint(3, 9)
        yield PaperData(
            key=f"paper-{number:04}",
            title=words.title(),
            tldr=words.sentence() if number % 2 else "",
            abstract=words.abstract() if number % 7 < 4 else "",
            topic=_topic(_AREAS[number % 4], _SUBAREAS[number // 4 % 4]),
            authors=tuple(people[(turn + place) % len(people)].key for place in range(count)),
        )
        turn += count


def _events(size: Size, papers: list[PaperData], words: Words, people: list[PersonData]) -> Iterator[EventData]:
    half = 0
    for number in range(_MAIN_DAYS):
        date = _FIRST + dt.timedelta(days=number)
        for position, (what, start, end) in enumerate(_DAY):
            if what == "papers":
                yield from _papers_shown(size, papers, half, _hours(date, start, end))
                half += 1
                continue
            begins, ends = _hours(date, start, end)
            invited = what == "invited-talk"
            yield EventData(
                key=f"{what}-{number}-{position}",
                title=words.title() if invited else "Lunch" if start == "13:00" else "Coffee",
                type=what,
                start=begins,
                end=ends,
                day=str(date),
                room="hall-1" if invited else "",
                abstract=words.abstract() if invited else "",
                people=(AppearanceData(person=words.some(people, least=1, most=1)[0].key),) if invited else (),
            )
    yield from _workshops(size, words, people)


def _papers_shown(size: Size, papers: list[PaperData], half: int, hours: tuple[dt.datetime, dt.datetime]) -> Iterator[EventData]:
    """One poster session with its posters, and six oral sessions beside it."""
    start, end = hours
    day = str(start.astimezone(_ZONE).date())
    session = EventData(
        key=f"posters-{half + 1}", title=f"Poster Session {half + 1}", type="poster-session", start=start, end=end, day=day,
        room="hall-12", track="main",
    )  # fmt: skip
    yield session
    for board, paper in enumerate(papers[half::_HALVES], start=1):
        yield EventData(
            key=f"poster-{paper.key}", title=paper.title, type="poster", start=start, end=end, day=day, room="hall-12",
            session=session.key, paper=paper.key, topic=paper.topic, board=str(board), position=board, track="main",
        )  # fmt: skip
    talks = [paper for number, paper in enumerate(papers[: size.orals]) if number % _HALVES == half]
    for parallel in range(_PARALLEL):
        yield from _oral_session(talks[parallel::_PARALLEL], half, parallel, start)


def _oral_session(papers: list[PaperData], half: int, parallel: int, start: dt.datetime) -> Iterator[EventData]:
    day, length = str(start.astimezone(_ZONE).date()), dt.timedelta(minutes=15)
    name, room = f"{half + 1}{'ABCDEF'[parallel]}", f"hall-{parallel + 1}"
    key = f"orals-{name.lower()}"
    yield EventData(
        key=key, title=f"Oral Session {name}", type="oral-session", start=start, end=start + max(len(papers), 1) * length,
        day=day, room=room, track="main",
    )  # fmt: skip
    for position, paper in enumerate(papers):
        begins = start + position * length
        yield EventData(
            key=f"oral-{paper.key}", title=paper.title, type="oral", start=begins, end=begins + length, day=day, room=room,
            session=key, paper=paper.key, topic=paper.topic, position=position, track="main",
        )  # fmt: skip


def _workshops(size: Size, words: Words, people: list[PersonData]) -> Iterator[EventData]:
    """All day in as many halls as there are, on two days; the last share a hall."""
    for number in range(size.workshops):
        date = _FIRST + dt.timedelta(days=_MAIN_DAYS + number % _WORKSHOP_DAYS)
        start, end = _hours(date, "09:00", "17:00")
        yield EventData(
            key=f"workshop-{number + 1}",
            title=f"Workshop on {words.title()}",
            type="workshop",
            start=start,
            end=end,
            day=str(date),
            room=f"hall-{number // _WORKSHOP_DAYS % _HALLS + 1}",
            track="workshops",
            abstract=words.abstract(),
            people=tuple(AppearanceData(person=it.key, role="host") for it in words.some(people, least=2, most=5)),
        )


def _hours(date: dt.date, start: str, end: str) -> tuple[dt.datetime, dt.datetime]:
    first, last = (dt.datetime.combine(date, dt.time.fromisoformat(it), _ZONE).astimezone(dt.UTC) for it in (start, end))
    return first, last


class Words:
    def __init__(self, chance: random.Random) -> None:
        self.chance = chance

    def title(self) -> str:
        """“Patient Ladders for Planning with Sparse Kites in Graph Networks”."""
        pick = self.chance.choice
        return f"{pick(_HOW)} {pick(_WHAT)} for {pick(_AIM)} with {pick(_HOW)} {pick(_WHAT)} in {pick(_FIELD).title()}"

    def sentence(self) -> str:
        pick = self.chance.choice
        return pick(_SENTENCES).format(
            how=pick(_HOW).lower(), what=pick(_WHAT).lower(), aim=pick(_AIM).lower(), field=pick(_FIELD),
            number=self.chance.randint(2, 40),
        )  # fmt: skip

    def abstract(self) -> str:
        """About 1,300 characters, as real ones have."""
        return " ".join([*(self.sentence() for _ in range(20)), "All of this is made up for measuring."])

    def some(self, things: Sequence[T], *, least: int, most: int) -> list[T]:
        return self.chance.sample(things, self.chance.randint(least, most))

    def person(self, number: int) -> str:
        """The same name for the same number, another for every other: “Bade Lamenlin”."""
        first, last = number % 225, number // 225
        given = _SYLLABLES[first % 15] + _SYLLABLES[first // 15] + _ENDS[number % len(_ENDS)]
        family = _SYLLABLES[last % 15] + _SYLLABLES[last // 15 % 15] + _ENDS[last % len(_ENDS)]
        return f"{given.title()} {family.title()}"

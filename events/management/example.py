"""An invented programme of the size of ICLR 2025, for measurements: the same every time, with invented names."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar
from zoneinfo import ZoneInfo

from events.programme.data.place import RoomData, VenueData, ZoneData
from events.programme.data.schedule import (
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

EXAMPLE_SLUG = "example-at-scale"
PAPER_COUNT, ORAL_COUNT, WORKSHOP_COUNT, AUTHOR_COUNT = 3_704, 213, 40, 15_000
MIN_EVENT_COUNT = 100
"""Fewer would leave no papers beside the breaks and sessions."""
_EXAMPLE_ZONE = ZoneInfo("Asia/Singapore")
_FIRST_DAY = dt.date(2025, 4, 24)
_MAIN_DAY_COUNT, _WORKSHOP_DAY_COUNT, _HALL_COUNT, _PARALLEL_SESSION_COUNT = 3, 2, 12, 6
_TOPIC_AREAS = ("Learning", "Vision", "Language", "Theory")
_TOPIC_SUBAREAS = ("Methods", "Models", "Data", "Society")
_EVENT_TYPES = {
    "invited-talk": ("Invited talk", "Invited talks", "invited-talk", ""),
    "poster-session": ("Poster session", "Poster sessions", "session", "poster"),
    "oral-session": ("Oral session", "Oral sessions", "session", ""),
    "poster": ("Poster", "Posters", "poster", ""),
    "oral": ("Oral", "Orals", "talk", ""),
    "workshop": ("Workshop", "Workshops", "session", ""),
    "break": ("Break", "Breaks", "break", ""),
}
# A main day: type, or "papers"; start; end.
_MAIN_DAY_HOURS = (
    ("invited-talk", "09:00", "10:00"),
    ("break", "10:00", "10:30"),
    ("papers", "10:30", "13:00"),
    ("break", "13:00", "14:00"),
    ("invited-talk", "14:00", "15:00"),
    ("papers", "15:00", "17:30"),
    ("break", "17:30", "18:00"),
)
_HALF_DAY_COUNT = 2 * _MAIN_DAY_COUNT
_FRAME_EVENT_COUNT = len(_MAIN_DAY_HOURS) * _MAIN_DAY_COUNT + _HALF_DAY_COUNT * _PARALLEL_SESSION_COUNT
_TITLE_ADJECTIVES = "Patient Sparse Honest Gentle Robust Latent Frugal Lazy Tidy Curious Deep Stable Swift Modular Quiet".split()
_TITLE_NOUNS = (
    "Ladders Lanterns Harbours Kites Orchards Bridges Compasses Gardens Mosaics Rivers Looms Clocks Maps Shells".split()
)
_TITLE_GERUNDS = "Planning Reading Sorting Mixing Folding Weaving Pruning Steering Counting Listening Sketching Mending".split()
_RESEARCH_FIELDS = (
    "reinforcement learning|graph networks|diffusion models|language models|causal inference|robust optimisation".split("|")
)
_NAME_SYLLABLES = ("ba", "de", "fi", "go", "ku", "la", "me", "ni", "po", "ru", "sa", "te", "vi", "wo", "zu")
_NAME_ENDINGS = ("lin", "mar", "nok", "pel", "rus", "sta", "tov", "vex", "wyn")
_SENTENCE_TEMPLATES = (
    "We show that {how} {what} help {aim} in {field}.",
    "The cost grows as $O(n \\log n)$ with the number of {what}.",
    "Earlier work on {field} left {aim} aside, although {what} are everywhere.",
    "On three invented benchmarks, {how} {what} are better by {number} %.",
    "A proof for {how} {what} is given, and it needs no {field}.",
    "Unlike {what} in {field}, {how} {what} need no {aim}.",
)
T = TypeVar("T")


@dataclass(frozen=True)
class ExampleSize:
    papers: int
    orals: int
    workshops: int
    authors: int

    @classmethod
    def for_event_count(cls, events: int | None) -> ExampleSize:
        """Return the size of ICLR 2025, or its proportions for this many events; raise ValueError below MIN_EVENT_COUNT."""
        if events is None:
            return cls(PAPER_COUNT, ORAL_COUNT, WORKSHOP_COUNT, AUTHOR_COUNT)
        if events < MIN_EVENT_COUNT:
            raise ValueError(f"{events} events are too few for a conference: take {MIN_EVENT_COUNT} or more")
        rest = events - _FRAME_EVENT_COUNT
        total = PAPER_COUNT + ORAL_COUNT + WORKSHOP_COUNT
        workshops, orals = round(rest * WORKSHOP_COUNT / total), round(rest * ORAL_COUNT / total)
        papers = rest - workshops - orals
        return cls(papers, orals, workshops, max(10, round(AUTHOR_COUNT * papers / PAPER_COUNT)))


def example_schedule(events: int | None = None, *, slug: str = EXAMPLE_SLUG) -> ScheduleData:
    """3,704 posters in 6 sessions, 213 orals in 36, 40 workshops, invited talks and breaks; or ``events`` events in total."""
    size = ExampleSize.for_event_count(events)
    # A fixed seed makes the same programme every time.
    text = ExampleText(random.Random(2025))  # noqa: S311 - nothing here is a secret
    people = [PersonData(key=f"author-{number:05}", name=text.person(number)) for number in range(size.authors)]
    papers = list(_papers(size, text, people))
    days = [_FIRST_DAY + dt.timedelta(days=number) for number in range(_MAIN_DAY_COUNT + _WORKSHOP_DAY_COUNT)]
    return ScheduleData(
        conference=ConferenceData(
            slug=slug,
            name="Example at scale",
            title="An invented programme of the size of ICLR 2025",
            about="Everything here is made up to measure with: titles, people, hours and rooms.",
            timezone=_EXAMPLE_ZONE.key,
            start=days[0],
            end=days[-1],
        ),
        days=tuple(DayData(key=str(day), date=day, title="Workshops" if day in days[_MAIN_DAY_COUNT:] else "") for day in days),
        types=tuple(
            EventTypeData(key=key, name=name, plural=plural, kind=kind, colour=colour, position=position)
            for position, (key, (name, plural, kind, colour)) in enumerate(_EVENT_TYPES.items(), start=1)
        ),
        tracks=(TrackData(key="main", name="Main conference"), TrackData(key="workshops", name="Workshops", position=1)),
        topics=tuple(
            TopicData(key=_topic(area, part), area=area, subarea=part) for area in _TOPIC_AREAS for part in _TOPIC_SUBAREAS
        ),
        venues=(VenueData(key="venue", name="Example Hall"),),
        zones=(ZoneData(key="halls", venue="venue", name="Halls"),),
        rooms=tuple(RoomData(key=f"hall-{n}", zone="halls", name=f"Hall {n}", position=n) for n in range(1, _HALL_COUNT + 1)),
        people=tuple(people),
        papers=tuple(papers),
        events=tuple(_events(size, papers, text, people)),
    )


def _topic(area: str, subarea: str) -> str:
    return f"{area}-{subarea}".lower()


def _papers(size: ExampleSize, text: ExampleText, people: list[PersonData]) -> Iterator[PaperData]:
    """Yield papers with three to nine authors in turn; every other has a TL;DR, four of seven an abstract, as at ICLR."""
    first_author = 0
    for number in range(size.papers):
        count = text.chance.randint(3, 9)
        yield PaperData(
            key=f"paper-{number:04}",
            title=text.title(),
            tldr=text.sentence() if number % 2 else "",
            abstract=text.abstract() if number % 7 < 4 else "",
            topic=_topic(_TOPIC_AREAS[number % 4], _TOPIC_SUBAREAS[number // 4 % 4]),
            authors=tuple(people[(first_author + number) % len(people)].key for number in range(count)),
        )
        first_author += count


def _events(size: ExampleSize, papers: list[PaperData], text: ExampleText, people: list[PersonData]) -> Iterator[EventData]:
    half = 0
    for number in range(_MAIN_DAY_COUNT):
        date = _FIRST_DAY + dt.timedelta(days=number)
        for position, (what, start, end) in enumerate(_MAIN_DAY_HOURS):
            if what == "papers":
                yield from _papers_shown(size, papers, half, _hours(date, start, end))
                half += 1
                continue
            starts_at, ends_at = _hours(date, start, end)
            invited = what == "invited-talk"
            yield EventData(
                key=f"{what}-{number}-{position}",
                title=text.title() if invited else "Lunch" if start == "13:00" else "Coffee",
                type=what,
                start=starts_at,
                end=ends_at,
                day=str(date),
                room="hall-1" if invited else "",
                abstract=text.abstract() if invited else "",
                people=(AppearanceData(person=text.sample(people, least=1, most=1)[0].key),) if invited else (),
            )
    yield from _workshops(size, text, people)


def _papers_shown(
    size: ExampleSize, papers: list[PaperData], half: int, hours: tuple[dt.datetime, dt.datetime]
) -> Iterator[EventData]:
    start, end = hours
    day = str(start.astimezone(_EXAMPLE_ZONE).date())
    session = EventData(
        key=f"posters-{half + 1}", title=f"Poster Session {half + 1}", type="poster-session", start=start, end=end, day=day,
        room="hall-12", track="main",
    )  # fmt: skip
    yield session
    for board, paper in enumerate(papers[half::_HALF_DAY_COUNT], start=1):
        yield EventData(
            key=f"poster-{paper.key}", title=paper.title, type="poster", start=start, end=end, day=day, room="hall-12",
            session=session.key, paper=paper.key, topic=paper.topic, board=str(board), position=board, track="main",
        )  # fmt: skip
    talks = [paper for number, paper in enumerate(papers[: size.orals]) if number % _HALF_DAY_COUNT == half]
    for parallel in range(_PARALLEL_SESSION_COUNT):
        yield from _oral_session(talks[parallel::_PARALLEL_SESSION_COUNT], half, parallel, start)


def _oral_session(papers: list[PaperData], half: int, parallel: int, start: dt.datetime) -> Iterator[EventData]:
    day, length = str(start.astimezone(_EXAMPLE_ZONE).date()), dt.timedelta(minutes=15)
    name, room = f"{half + 1}{'ABCDEF'[parallel]}", f"hall-{parallel + 1}"
    key = f"orals-{name.lower()}"
    yield EventData(
        key=key, title=f"Oral Session {name}", type="oral-session", start=start, end=start + max(len(papers), 1) * length,
        day=day, room=room, track="main",
    )  # fmt: skip
    for position, paper in enumerate(papers):
        starts_at = start + position * length
        yield EventData(
            key=f"oral-{paper.key}", title=paper.title, type="oral", start=starts_at, end=starts_at + length, day=day, room=room,
            session=key, paper=paper.key, topic=paper.topic, position=position, track="main",
        )  # fmt: skip


def _workshops(size: ExampleSize, text: ExampleText, people: list[PersonData]) -> Iterator[EventData]:
    """Yield workshops of a whole day, on two days; they share halls if there are more workshops than halls."""
    for number in range(size.workshops):
        date = _FIRST_DAY + dt.timedelta(days=_MAIN_DAY_COUNT + number % _WORKSHOP_DAY_COUNT)
        start, end = _hours(date, "09:00", "17:00")
        yield EventData(
            key=f"workshop-{number + 1}",
            title=f"Workshop on {text.title()}",
            type="workshop",
            start=start,
            end=end,
            day=str(date),
            room=f"hall-{number // _WORKSHOP_DAY_COUNT % _HALL_COUNT + 1}",
            track="workshops",
            abstract=text.abstract(),
            people=tuple(AppearanceData(person=it.key, role="host") for it in text.sample(people, least=2, most=5)),
        )


def _hours(date: dt.date, start: str, end: str) -> tuple[dt.datetime, dt.datetime]:
    first, last = (dt.datetime.combine(date, dt.time.fromisoformat(it), _EXAMPLE_ZONE).astimezone(dt.UTC) for it in (start, end))
    return first, last


class ExampleText:
    def __init__(self, chance: random.Random) -> None:
        self.chance = chance

    def title(self) -> str:
        """“Patient Ladders for Planning with Sparse Kites in Graph Networks”."""
        pick = self.chance.choice
        what = f"{pick(_TITLE_ADJECTIVES)} {pick(_TITLE_NOUNS)} for {pick(_TITLE_GERUNDS)}"
        return f"{what} with {pick(_TITLE_ADJECTIVES)} {pick(_TITLE_NOUNS)} in {pick(_RESEARCH_FIELDS).title()}"

    def sentence(self) -> str:
        pick = self.chance.choice
        return pick(_SENTENCE_TEMPLATES).format(
            how=pick(_TITLE_ADJECTIVES).lower(),
            what=pick(_TITLE_NOUNS).lower(),
            aim=pick(_TITLE_GERUNDS).lower(),
            field=pick(_RESEARCH_FIELDS),
            number=self.chance.randint(2, 40),
        )

    def abstract(self) -> str:
        return " ".join([*(self.sentence() for _ in range(20)), "All of this is made up for measuring."])

    def sample(self, things: Sequence[T], *, least: int, most: int) -> list[T]:
        return self.chance.sample(things, self.chance.randint(least, most))

    def person(self, number: int) -> str:
        """Return a different name for every number: “Bade Lamenlin”."""
        first, last = number % 225, number // 225
        given = _NAME_SYLLABLES[first % 15] + _NAME_SYLLABLES[first // 15] + _NAME_ENDINGS[number % len(_NAME_ENDINGS)]
        family = _NAME_SYLLABLES[last % 15] + _NAME_SYLLABLES[last // 15 % 15] + _NAME_ENDINGS[last % len(_NAME_ENDINGS)]
        return f"{given.title()} {family.title()}"

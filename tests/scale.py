"""A programme as large as ICLR's, or a share of it, written in bulk: names and titles are made up."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle, islice

from events.models import Appearance, Authorship, Award, Conference, Event, Paper, Person, Topic
from tests.factories import THURSDAY, at, make_conference, make_day, make_event, make_room, make_type

AREAS = ("Reinforcement Learning", "Deep Learning", "Theory", "Applications", "Optimization")
SUBAREAS = ("Bandits", "Attention Mechanisms", "Robotics", "Language")
AUTHORS_PER_PAPER = 4
TALKS_PER_SESSION = 6


@dataclass(frozen=True)
class Size:
    """How much there is of everything; a poster session is as long whether it has ten posters or six hundred."""

    posters: int = 617
    poster_sessions: int = 6
    oral_sessions: int = 36
    people: int = 15_000
    workshops: int = 40

    @property
    def papers(self) -> int:
        return self.posters * self.poster_sessions


ICLR = Size()


class Programme:
    """The conference "demo": three days of orals and posters, two of workshops."""

    def __init__(self, size: Size = ICLR) -> None:
        self.size = size
        self.conference: Conference = make_conference(slug="demo")
        self.days = [make_day(self.conference, THURSDAY + dt.timedelta(days=it)) for it in range(5)]
        self.topics = self._make_topics()
        self.people = self._make_people()
        self.papers = self._make_papers()
        self.poster_sessions = list(self._make_poster_sessions())
        self.posters = self._make_posters()
        self.oral_sessions = list(self._make_oral_sessions())
        self.orals = self._make_orals()
        self._make_around()

    def _make_topics(self) -> list[Topic]:
        pairs = [(area, subarea) for area in AREAS for subarea in SUBAREAS]
        topics = [
            Topic(conference=self.conference, area=area, subarea=subarea, slug=f"topic-{number}")
            for number, (area, subarea) in enumerate(pairs)
        ]
        return Topic.objects.bulk_create(topics)

    def _make_people(self) -> list[Person]:
        letters = cycle("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        people = [
            Person(conference=self.conference, name=f"Author {number} {letter}ame{number}", affiliation="Institute of Examples")
            for number, letter in zip(range(self.size.people), letters, strict=False)
        ]
        for person in people:
            person.sort_key = person.name.casefold().rpartition(" ")[2]
        return Person.objects.bulk_create(people, batch_size=2000)

    def _make_papers(self) -> list[Paper]:
        letters, topics = cycle("ABCDEFGHIJKLMNOPQRSTUVWXYZ3"), cycle(self.topics)
        papers = [
            Paper(
                conference=self.conference,
                title=f"{next(letters)} made-up title of an ordinary length about learning representations, number {number}",
                tldr=f"We show that number {number} is an *example* of $x_{{{number}}}$ and could stand in a list.",
                abstract="An abstract of some length. " * 40,
                topic=next(topics),
            )
            for number in range(self.size.papers)
        ]
        Paper.objects.bulk_create(papers, batch_size=1000)
        people = cycle(self.people)
        authorships = [
            Authorship(paper=paper, person=person, position=position)
            for paper in papers
            for position, person in enumerate(islice(people, AUTHORS_PER_PAPER))
        ]
        Authorship.objects.bulk_create(authorships, batch_size=2000)
        Award.objects.create(conference=self.conference, name="Outstanding paper", year=2025, paper=papers[0])
        return papers

    def _make_poster_sessions(self) -> Iterator[Event]:
        hall = make_room(self.conference, "Hall 3 + Hall 2B", position=9)
        for number in range(self.size.poster_sessions):
            day = self.days[number // 2]
            hours = ("10:00", "12:30") if number % 2 == 0 else ("15:00", "17:30")
            title = f"Poster Session {number + 1}"
            kind = make_type(self.conference, "session", name="Poster session", colour="poster")
            start, end = (at(it, day.date) for it in hours)
            yield make_event(self.conference, type=kind, title=title, day=day, start=start, end=end, room=hall, announce=False)

    def _make_posters(self) -> list[Event]:
        kind = make_type(self.conference, "poster")
        posters = []
        for number, paper in enumerate(self.papers):
            session = self.poster_sessions[number // self.size.posters]
            board = f"#{number % self.size.posters + 1}"
            posters.append(self._part(session, session, kind=kind, paper=paper, board=board))
        return Event.objects.bulk_create(posters, batch_size=500)

    def _make_oral_sessions(self) -> Iterator[Event]:
        rooms = [make_room(self.conference, f"Garnet {number}", position=number) for number in range(6)]
        kind = make_type(self.conference, "session", name="Oral session")
        for number in range(self.size.oral_sessions):
            slot, track = divmod(number, 6)
            day = self.days[slot // 2 % 5]
            start = at("10:30" if slot % 2 == 0 else "15:30", day.date)
            title = f"Oral Session {slot + 1}{'ABCDEF'[track]}"
            hours = {"start": start, "end": start + dt.timedelta(minutes=90)}
            yield make_event(self.conference, type=kind, title=title, day=day, room=rooms[track], announce=False, **hours)

    def _make_orals(self) -> list[Event]:
        kind = make_type(self.conference, "talk", name="Oral")
        papers, orals = cycle(self.papers), []
        for session in self.oral_sessions:
            for place in range(TALKS_PER_SESSION):
                start = (session.start or at("10:30")) + dt.timedelta(minutes=15 * place)
                hours = {"start": start, "end": start + dt.timedelta(minutes=15)}
                orals.append(self._part(session, session, kind=kind, paper=next(papers), **hours))
        return Event.objects.bulk_create(orals, batch_size=500)

    def _part(self, session: Event, hours: Event, *, kind: object, paper: Paper, **fields: object) -> Event:
        values = {"start": hours.start, "end": hours.end, "day": hours.day, "room": hours.room} | fields
        return Event(
            conference=self.conference,
            type=kind,
            title=paper.title,
            paper=paper,
            topic=paper.topic,
            session=session,
            status="confirmed",
            **values,
        )

    def _make_around(self) -> None:
        """What stands between them on every day, and the workshops of the last two."""
        for day in self.days:
            for kind, title, start, end in [
                ("service", "Registration", "07:30", "18:00"),
                ("invited-talk", "Invited talk", "09:00", "10:00"),
                ("break", "Lunch", "12:30", "14:00"),
                ("social", "Social", "18:30", "20:30"),
            ]:
                make_event(
                    self.conference,
                    kind=kind,
                    title=title,
                    day=day,
                    start=at(start, day.date),
                    end=at(end, day.date),
                    announce=False,
                )
        rooms = [make_room(self.conference, f"Peridot {number}", position=20 + number) for number in range(20)]
        kind = make_type(self.conference, "session", name="Workshop", colour="workshop")
        for number in range(self.size.workshops):
            day = self.days[3 + number // 20 % 2]
            hours = {"start": at("08:30", day.date), "end": at("17:30", day.date)}
            workshop = make_event(
                self.conference,
                type=kind,
                title=f"Workshop {number + 1}",
                day=day,
                room=rooms[number % 20],
                announce=False,
                **hours,
            )
            Appearance.objects.create(event=workshop, person=self.people[number % len(self.people)], role="host")

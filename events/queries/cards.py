"""What a card shows of an event, wherever it stands."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import Count, IntegerField, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils import timezone

from events.models import Agenda, Award, Event, Kind, Paper, Room, Status
from events.models.event import EventQuerySet
from events.queries.crowd import Crowds
from events.queries.flags import Flag, Moment, flags_of
from events.queries.pinned import carried
from events.queries.sign_up import signup_text, with_places
from events.schedule.clock import Clock
from events.schedule.crowd import Crowd

FIRST_PEOPLE = 5
SOON = dt.timedelta(hours=3)


@dataclass(frozen=True, slots=True)
class PersonTag:
    name: str
    url: str
    role: str = ""
    remote: bool = False
    affiliation: str = ""


@dataclass(frozen=True, slots=True)
class Plate:
    """A room as a sign."""

    name: str
    letter: str
    floor: str
    url: str
    key: int = 0


class Pickable:
    """What a bookmark button needs to know."""

    __slots__ = ()

    event: Event

    @property
    def key(self) -> int:
        return self.event.pk

    @property
    def element_id(self) -> str:
        return f"e-{self.event.guid}"

    @property
    def title(self) -> str:
        return self.event.title

    @property
    def start(self) -> dt.datetime | None:
        return self.event.start

    @property
    def bookmark_url(self) -> str:
        return reverse("events:bookmark-set", args=[self.event.conference.slug, self.event.guid])


@dataclass(slots=True)
class InsideLine(Pickable):
    """Part of a session, as a line on its card: an event with its time and title, and little else of it is read."""

    event: Event
    url: str


@dataclass(slots=True)
class Line(Pickable):
    """An event beside a page: when and where it is, and no more."""

    event: Event
    url: str
    plate: Plate | None

    @property
    def line(self) -> str:
        return self.event.type.line

    @property
    def type_slug(self) -> str:
        return self.event.type.slug

    @property
    def day(self) -> dt.date | None:
        return self.event.day.date if self.event.day else None

    @property
    def place(self) -> str:
        return place_of(self.event)


@dataclass(slots=True)
class PickButton(Pickable):
    """The button alone."""

    event: Event
    bookmarked: bool


@dataclass(slots=True)
class Card(Pickable):
    event: Event
    url: str
    people: list[PersonTag]
    people_more: int
    plate: Plate | None
    flags: list[Flag]
    state: str
    starts_in: int | None
    bookmarked: bool
    tldr: str = ""
    talks_count: int = 0
    posters_count: int = 0
    signup_text: str = ""
    session: tuple[str, str] | None = None
    day: dt.date | None = None
    ends_next_day: bool = False
    inside: list[InsideLine] = field(default_factory=list)
    awards: Sequence[Award] = ()
    type_name: str = field(init=False)
    type_slug: str = field(init=False)
    kind: str = field(init=False)
    line: str = field(init=False)

    def __post_init__(self) -> None:
        kind = self.event.type
        self.type_name, self.type_slug, self.kind, self.line = kind.name, kind.slug, kind.kind, kind.line

    @property
    def hears(self) -> bool:
        """Whether something may be said of its place while the page is open; a poster is as its session."""
        has_place = bool(self.event.room_id or self.event.service_id)
        return has_place and self.state in {"now", "soon"} and self.kind != Kind.POSTER and not self.event.is_cancelled

    @property
    def inside_count(self) -> int:
        """What is inside, besides posters."""
        return self.talks_count - self.posters_count

    @property
    def more_inside(self) -> int:
        """How much is inside that has no line on this card."""
        return self.talks_count - len(self.inside)

    @property
    def guid(self) -> str:
        return str(self.event.guid)

    @property
    def end(self) -> dt.datetime | None:
        return self.event.end

    @property
    def minutes(self) -> int | None:
        return self.event.minutes

    @property
    def place(self) -> str:
        return place_of(self.event)

    @property
    def travel_minutes(self) -> int | None:
        return self.event.travel_minutes

    @property
    def track_name(self) -> str:
        return self.event.track.name if self.event.track else ""

    @property
    def track_slug(self) -> str:
        return self.event.track.slug if self.event.track else ""

    @property
    def board(self) -> str:
        return self.event.board

    @property
    def asterisk(self) -> bool:
        return self.event.is_asterisked

    @property
    def signup_url(self) -> str:
        return self.event.signup_url

    @property
    def ics_url(self) -> str:
        return reverse("events:event-calendar", args=[self.event.conference.slug, self.event.guid])


def place_of(event: Event) -> str:
    """In words, where no plate says it; opening hours are where their service is."""
    return event.place or ("" if event.room_id or event.service is None else event.service.location)


def plate_of(room: Room, slug: str) -> Plate:
    return Plate(room.name, room.zone.letter, room.floor, f"{reverse('events:venue', args=[slug])}#room-{room.pk}", room.pk)


def for_cards(events: EventQuerySet) -> EventQuerySet:
    """The events with all that cards show, in a constant number of queries."""
    inside = Event.objects.filter(session=OuterRef("pk")).exclude(status=Status.DRAFT)
    counts = {"n_talks": _count_of(inside), "n_posters": _count_of(inside.filter(type__kind=Kind.POSTER))}
    return with_places(events.for_cards()).annotate(**counts)


def _count_of(rows: EventQuerySet) -> Coalesce:
    """How many rows, asked for each event by itself: joined in, they would multiply all that a card reads."""
    counted = rows.order_by().values("session").annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


def picked_ids(agenda: Agenda | None) -> frozenset[int]:
    """The ids of what the visitor has bookmarked."""
    if agenda is None:
        return frozenset()
    return frozenset(agenda.picked_ids())


def make_cards(
    events: Iterable[Event],
    clock: Clock,
    picked: frozenset[int] = frozenset(),
    moved: Mapping[int, str] | None = None,
    crowds: Crowds | None = None,
) -> list[Card]:
    """Cards of events that came through ``for_cards``; ``moved`` says for some where they moved from.

    ``picked`` is for pages that are one visitor's own: those for everybody have placeholders where it would show.
    ``crowds`` is for pages with several lists, so that what is said of rooms is read once.
    """
    crowds, moved, events = crowds or Crowds(clock), moved or {}, list(events)
    awards = _awards_of(events)
    cards = [_card(event, clock, moved.get(event.pk, ""), crowds.of(event), awards[event.pk]) for event in events]
    for card in cards:
        card.bookmarked = card.key in picked
    return cards


def make_card(event: Event, clock: Clock, picked: frozenset[int] = frozenset()) -> Card:
    return make_cards([event], clock, picked)[0]


def _awards_of(events: Collection[Event]) -> dict[int, list[Award]]:
    """By the key of each event its awards, then those of its paper."""
    if not events:
        return {}
    papers = {event.pk: event.paper_id for event in events if public_paper(event)}
    awards = Award.objects.public().filter(Q(event__in=[event.pk for event in events]) | Q(paper__in=set(papers.values())))
    by_event, by_paper = defaultdict(list), defaultdict(list)
    for award in awards:
        by_event[award.event_id].append(award)
        by_paper[award.paper_id].append(award)
    return {pk: list(dict.fromkeys([*by_event[pk], *by_paper[papers.get(pk, 0)]])) for pk in [event.pk for event in events]}


def public_paper(event: Event) -> Paper | None:
    return event.paper if event.paper and event.paper.is_public else None


def _card(event: Event, clock: Clock, moved: str, crowd: Crowd, awards: Sequence[Award]) -> Card:
    paper = public_paper(event)
    people = people_of(event, paper)
    state, starts_in = _state(event, clock)
    return Card(
        event=event,
        url=_address(event, event, clock),
        people=people[:FIRST_PEOPLE],
        people_more=max(0, len(people) - FIRST_PEOPLE),
        plate=plate_of(event.room, event.conference.slug) if event.room else None,
        flags=flags_of(event, awards, clock, Moment(state, moved, crowd)),
        state=state,
        starts_in=starts_in,
        bookmarked=False,
        tldr=paper.tldr if paper else "",
        talks_count=getattr(event, "n_talks", 0),
        posters_count=getattr(event, "n_posters", 0),
        signup_text=signup_text(event, clock.now),
        session=(event.session.title, _address(event.session, event, clock)) if event.session else None,
        day=event.day.date if event.day else None,
        ends_next_day=_ends_next_day(event),
        awards=awards,
    )


def make_line(event: Event, clock: Clock) -> Line:
    plate = plate_of(event.room, event.conference.slug) if event.room else None
    return Line(event, _address(event, event, clock), plate)


def inside_line(event: Event, clock: Clock) -> InsideLine:
    return InsideLine(event, _address(event, event, clock))


def people_of(event: Event, paper: Paper | None) -> list[PersonTag]:
    """Who appears in it; a paper's authors where nobody is named."""
    slug = event.conference.slug
    appearing = [
        PersonTag(it.person.name, person_url(slug, it.person.guid), it.role, it.remote, it.person.affiliation)
        for it in event.appearances.all()
    ]
    return appearing or (author_tags(paper, slug) if paper else [])


def author_tags(paper: Paper, slug: str) -> list[PersonTag]:
    return [
        PersonTag(it.person.name, person_url(slug, it.person.guid), "author", affiliation=it.person.affiliation)
        for it in paper.authorships.all()
    ]


def person_url(slug: str, guid: object) -> str:
    return reverse("events:person-detail", args=[slug, guid])


def _address(target: Event, event: Event, clock: Clock) -> str:
    return carried(reverse("events:event-detail", args=[event.conference.slug, target.guid]), clock)


def _state(event: Event, clock: Clock) -> tuple[str, int | None]:
    """Where the event stands against the clock, and in how many minutes it starts if that is soon."""
    if event.start is None or event.end is None:
        over = event.day is not None and event.day.date < clock.today
        return ("past" if over else ""), None
    if event.end <= clock.now:
        return "past", None
    if event.start <= clock.now:
        return "now", None
    wait = event.start - clock.now
    return ("soon", int(wait / dt.timedelta(minutes=1))) if wait <= SOON else ("later", None)


def _ends_next_day(event: Event) -> bool:
    if event.start is None or event.end is None:
        return False
    return timezone.localtime(event.end).date() > timezone.localtime(event.start).date()

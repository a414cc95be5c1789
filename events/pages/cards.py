"""The card of an event, with its badges: cancelled, moved, full, an award."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import Count, IntegerField, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from events.agenda.models.agenda import Agenda
from events.core.clock import Clock
from events.core.db.prepared_query import prepared
from events.core.languages import language_name
from events.crowd.queries.outlook import outlook_words, outlooks
from events.crowd.queries.reports import Crowds, crowd_badge
from events.crowd.rules import CROWD_STATES, UNKNOWN_CROWD, Crowd
from events.programme.display import (
    Badge,
    Bookmarkable,
    PersonTag,
    RoomSign,
    _event_url,
    ends_next_day,
    is_recording_public,
    location_text,
    people_of,
    person_url,
    public_paper,
    room_sign,
)
from events.programme.drafts import drafts_are_shown
from events.programme.models.conference import Conference
from events.programme.models.event import Event, EventQuerySet
from events.programme.models.labels import Kind, SignupState, Status
from events.programme.models.papers import Authorship, Award
from events.programme.models.people import Appearance
from events.programme.queries.languages import shows_languages
from events.sign_up.queries import for_sign_up, sign_up_state, signup_text


@dataclass(frozen=True, slots=True)
class LiveState:
    """What is true of an event at one moment: its state (now, soon, later, past), and where it moved from."""

    state: str
    moved: str = ""
    crowd: Crowd = UNKNOWN_CROWD


def event_badges(event: Event, awards: Iterable[Award], clock: Clock, moment: LiveState) -> list[Badge]:
    return [*_live_badges(event, moment), *_lasting_badges(event, awards, clock)]


def _live_badges(event: Event, moment: LiveState) -> Iterator[Badge]:
    if event.is_cancelled:
        yield Badge("cancelled", "Cancelled")
    elif moment.state == "now":
        yield Badge("now", "On now")
    if moment.crowd.sure or moment.crowd.stale:
        yield crowd_badge(moment.crowd, line=event.service_id is not None)
    if moment.moved:
        yield Badge("moved", f"Moved from {moment.moved}")


def _lasting_badges(event: Event, awards: Iterable[Award], clock: Clock) -> Iterator[Badge]:
    if event.status == Status.TENTATIVE and event.start:
        yield Badge("tentative", "Tentative")
    if event.day is None:
        yield Badge("tba", "Day to be announced")
    sign_up = sign_up_state(event, clock)
    if sign_up in {SignupState.FULL, SignupState.FILLING, SignupState.CLOSED} and not event.is_cancelled:
        yield Badge(sign_up, SignupState(sign_up).label)
    if any(person.remote for person in _people_of_card(event)):
        yield Badge("remote", "Partly remote")
    for award in awards:
        yield Badge("award", f"{award.name}, {award.get_level_display().lower()}")
    if is_recording_public(event, clock):
        yield Badge("recording", "Recording")


MAX_CARD_PEOPLE = 5
CARD_SOON_WITHIN = dt.timedelta(hours=3)


@dataclass(slots=True)
class Card(Bookmarkable):
    event: Event
    url: str
    people: list[PersonTag]
    people_more: int
    plate: RoomSign | None
    flags: list[Badge]
    state: str
    starts_in: int | None
    bookmarked: bool
    tldr: str = ""
    inside_count: int = 0
    talks_count: int = 0
    posters_count: int = 0
    signup_text: str = ""
    # Its title, address and language.
    session: tuple[str, str, str] | None = None
    day: dt.date | None = None
    ends_next_day: bool = False
    awards: Sequence[Award] = ()
    type_name: str = field(init=False)
    type_slug: str = field(init=False)
    kind: str = field(init=False)
    line: str = field(init=False)

    def __post_init__(self) -> None:
        kind = self.event.type
        self.type_name, self.type_slug, self.kind, self.line = kind.name, kind.slug, kind.kind, kind.line

    @property
    def portrait(self) -> PersonTag | None:
        return next((person for person in self.people if person.photo), None)

    @property
    def has_live_badges(self) -> bool:
        """Whether the crowd in its room may change while the page is open. Posters share the room of their session."""
        has_place = bool(self.event.room_id or self.event.service_id)
        return has_place and self.state in {"now", "soon"} and self.kind != Kind.POSTER and not self.event.is_cancelled

    @property
    def now_badges(self) -> list[Badge]:
        return [badge for badge in self.flags if badge.name == "now"]

    @property
    def live_badges(self) -> list[Badge]:
        return [badge for badge in self.flags if badge.live]

    @property
    def other_badges(self) -> list[Badge]:
        """Not "now" and "tba": a card without a day says so where others have their time."""
        is_live = self.has_live_badges
        return [badge for badge in self.flags if badge.name not in {"now", "tba"} and not (badge.live and is_live)]

    @property
    def own_badges(self) -> list[Badge]:
        """Those of a row, which has its session's room: how full that is, the session says."""
        return [badge for badge in self.flags if badge.name not in {"now", "tba"} and not badge.live]

    @property
    def is_past(self) -> bool:
        return self.state == "past"

    @property
    def is_soon(self) -> bool:
        return self.state == "soon"

    @property
    def is_official_social(self) -> bool:
        return self.event.is_asterisked and self.kind == Kind.SOCIAL

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
        return location_text(self.event)

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


def for_cards(events: EventQuerySet) -> EventQuerySet:
    return for_sign_up(events.for_cards()).annotate(**_counts_inside())


# The columns of a card: models of whole rows take several times as long to make.
CARD_COLUMNS = (
    *("guid", "title", "language", "start", "end", "status", "board", "place", "travel_minutes", "official", "at_venue"),
    *("capacity", "signup_url", "signup_state", "signup_checked_at", "signup_until", "recording_url", "recording_from"),
    *("conference", "type__name", "type__slug", "type__kind", "type__colour", "track__name", "track__slug", "day__date"),
    *("session__guid", "session__title", "session__language", "session__status"),
    *("paper__is_public", "paper__tldr", "service__place"),
    *("sign_up__event", "sign_up__places", "sign_up__taken", "sign_up__waiting_list"),
    *(f"{room}__{name}" for room in ("room", "service__room") for name in ("name", "floor", "zone__name")),
    *("room__capacity", "room__zone__letter", "service__zone__name"),
    *(f"{zone}__venue__name" for zone in ("service__zone", "service__room__zone")),
)
PERSON_COLUMNS = ("person__name", "person__guid", "person__affiliation")


def read_cards(events: EventQuerySet, conference: Conference) -> list[Event]:
    """Events as ``for_cards`` reads them, in few columns and with one object for the conference: for long lists."""
    related = ("type", "track", "day", "session", "paper", "room__zone", "service__zone__venue", "service__room__zone__venue")
    rows = list(for_sign_up(events.select_related(*related)).annotate(**_counts_inside()).only(*CARD_COLUMNS))
    return _with_people(rows, conference)


@prepared
def _events_for_cards(*keys: int) -> EventQuerySet:
    # In a fixed order, which PostgreSQL does not promise without one.
    return for_cards(Event.objects.filter(pk__in=keys)).prefetch_related(None).order_by("pk")


def read_few_cards(keys: Collection[int], conference: Conference) -> list[Event]:
    """As ``read_cards``, with all columns, for a handful of ids: composing the query took longer than all else."""
    return _with_people(_events_for_cards(*keys), conference)


def _with_people(rows: list[Event], conference: Conference) -> list[Event]:
    people = _people_tags(rows, conference.slug)
    for event in rows:
        event.conference = conference
        if event.session:
            event.session.conference = conference
        setattr(event, "card_people", people[event.pk])  # noqa: B010 - like an annotation
    return rows


def _people_tags(events: Sequence[Event], slug: str) -> dict[int, list[PersonTag]]:
    """By the id of each event: who appears in it, else the authors of its paper."""
    found: dict[int, list[PersonTag]] = defaultdict(list)
    if not events:
        return found
    appearances = Appearance.objects.filter(event__in=[it.pk for it in events]).order_by("position", "pk")
    for key, role, remote, name, guid, affiliation in appearances.values_list("event", "role", "remote", *PERSON_COLUMNS):
        found[key].append(PersonTag(name, person_url(slug, guid), role, remote, affiliation))
    papers = {it.pk: it.paper_id for it in events if it.pk not in found and public_paper(it)}
    if papers:
        authors = defaultdict(list)
        authorships = Authorship.objects.filter(paper__in=set(papers.values())).order_by("position", "pk")
        for paper, name, guid, affiliation in authorships.values_list("paper", *PERSON_COLUMNS):
            authors[paper].append(PersonTag(name, person_url(slug, guid), "author", affiliation=affiliation))
        found |= {key: authors[paper] for key, paper in papers.items()}
    return found


def _people_of_card(event: Event) -> list[PersonTag]:
    """As ``read_cards`` has read them, or from the rows that ``for_cards`` fetched."""
    read: list[PersonTag] | None = getattr(event, "card_people", None)
    return people_of(event, public_paper(event)) if read is None else read


def _counts_inside() -> dict[str, Coalesce]:
    talks = (Kind.TALK, Kind.INVITED_TALK)
    return {"n_inside": _count_inside(), "n_talks": _count_inside(*talks), "n_posters": _count_inside(Kind.POSTER)}


def _count_inside(*kinds: Kind) -> Coalesce:
    """A subquery for each event, of these kinds or of all: a join would multiply all rows that a card reads."""
    inside = Event.objects.filter(session=OuterRef("pk"), **({"type__kind__in": kinds} if kinds else {}))
    rows = inside if drafts_are_shown() else inside.exclude(status=Status.DRAFT)
    counted = rows.order_by().values("session").annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


def bookmarked_ids(agenda: Agenda | None) -> frozenset[int]:
    if agenda is None:
        return frozenset()
    return frozenset(agenda.bookmarked_ids())


def make_cards(
    events: Iterable[Event],
    clock: Clock,
    bookmarked: frozenset[int] = frozenset(),
    moved: Mapping[int, str] | None = None,
    crowds: Crowds | None = None,
    *,
    may_have_awards: bool = True,
) -> list[Card]:
    """Cards of events that were read with ``for_cards``, in the same order.

    ``moved`` has the earlier time or room by the id of the event.
    ``bookmarked`` is for personal pages; public pages have placeholders instead.
    ``crowds`` is for pages with several lists, which read the crowd reports once.
    ``may_have_awards`` is False for events that are known to have none, nor their papers.
    """
    crowds, moved, events = crowds or Crowds(clock), moved or {}, list(events)
    awards = _awards_of(events) if may_have_awards else defaultdict(list)
    cards = [_card(event, clock, moved.get(event.pk, ""), crowds.for_event(event), awards[event.pk]) for event in events]
    for card in cards:
        card.bookmarked = card.key in bookmarked
    _name_languages(cards)
    return cards


def _name_languages(cards: Iterable[Card]) -> None:
    spoken = [card for card in cards if card.language]
    if spoken and shows_languages(spoken[0].event.conference):
        for card in spoken:
            card.flags.append(Badge("language", f"In {language_name(card.language)}"))


def make_card(event: Event, clock: Clock, bookmarked: frozenset[int] = frozenset()) -> Card:
    return make_cards([event], clock, bookmarked)[0]


def _awards_of(events: Collection[Event]) -> dict[int, list[Award]]:
    """By the id of each event: its awards, then those of its paper."""
    if not events:
        return {}
    papers = {event.pk: event.paper_id for event in events if public_paper(event)}
    awards = Award.objects.public().filter(Q(event__in=[event.pk for event in events]) | Q(paper__in=set(papers.values())))
    by_event, by_paper = defaultdict(list), defaultdict(list)
    for award in awards:
        by_event[award.event_id].append(award)
        by_paper[award.paper_id].append(award)
    return {pk: list(dict.fromkeys([*by_event[pk], *by_paper[papers.get(pk, 0)]])) for pk in [event.pk for event in events]}


def _card(event: Event, clock: Clock, moved: str, crowd: Crowd, awards: Sequence[Award]) -> Card:
    paper = public_paper(event)
    people = _people_of_card(event)
    state, starts_in = _card_state(event, clock)
    return Card(
        event=event,
        url=_event_url(event, event, clock),
        people=people[:MAX_CARD_PEOPLE],
        people_more=max(0, len(people) - MAX_CARD_PEOPLE),
        plate=room_sign(event.room, event.conference.slug) if event.room else None,
        flags=event_badges(event, awards, clock, LiveState(state, moved, crowd)),
        state=state,
        starts_in=starts_in,
        bookmarked=False,
        tldr=paper.tldr if paper else "",
        inside_count=getattr(event, "n_inside", 0),
        talks_count=getattr(event, "n_talks", 0),
        posters_count=getattr(event, "n_posters", 0),
        signup_text=signup_text(event, clock),
        session=(event.session.title, _event_url(event.session, event, clock), event.session.language) if event.session else None,
        day=event.day.date if event.day else None,
        ends_next_day=ends_next_day(event.start, event.end),
        awards=awards,
    )


def _card_state(event: Event, clock: Clock) -> tuple[str, int | None]:
    """Past, now, soon, later or "" (no time), and the minutes until the start if that is soon."""
    if event.start is None or event.end is None:
        over = event.day is not None and event.day.date < clock.today
        return ("past" if over else ""), None
    if clock.has_come(event.end):
        return "past", None
    if clock.has_come(event.start):
        return "now", None
    if not clock.has_come(event.start - CARD_SOON_WITHIN):
        return "later", None
    # By the minute, like the page.
    minute = clock.now.replace(second=0, microsecond=0)
    return "soon", int((event.start - minute) / dt.timedelta(minutes=1))


def add_outlooks(cards: Iterable[Card], clock: Clock) -> None:
    """Add what past days suggest about the crowd, to cards of today without a crowd report."""
    today = [
        card for card in cards if card.state in {"now", "soon", "later"} and card.day == clock.today and not _is_crowd_known(card)
    ]
    likely = outlooks([it.event for it in today], clock)
    for card in today:
        if card.key in likely:
            card.flags.append(Badge(f"likely-{likely[card.key]}", outlook_words(card.event, likely[card.key])))


def _is_crowd_known(card: Card) -> bool:
    return any(flag.text.startswith("Room: ") and flag.name in CROWD_STATES for flag in card.flags)

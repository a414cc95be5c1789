"""The page of one event, with its children, and what is near it in time and place."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Q, QuerySet, prefetch_related_objects
from django.http import QueryDict
from django.urls import reverse

from events.agenda.queries.conflicts import ConflictLine
from events.core.byte_cache import PROCESS_CACHE
from events.core.clock import Clock
from events.core.db.prepared_query import prepared, set_prefetched
from events.core.spans import NO_TIME, merge_spans
from events.crowd.queries.block import CrowdBlock, crowd_block
from events.crowd.queries.reports import Crowds
from events.pages.cards import Card, for_cards, make_cards
from events.pages.queries.lists import Recording, recording_of
from events.pages.queries.session_contents import SessionContents, session_contents
from events.polls.models import Poll
from events.polls.queries import PollCard, polls_of
from events.programme.display import Badge, CardChild, PersonTag, appearance_tags, make_card_child, people_of, public_paper
from events.programme.models.changes import Change
from events.programme.models.conference import Conference
from events.programme.models.event import Event, EventQuerySet
from events.programme.models.labels import EventType, Kind, Status, Topic
from events.programme.models.papers import Authorship, Award, Link, Paper
from events.programme.models.people import Appearance, Role
from events.programme.models.venue import Service
from events.programme.participation import sign_up_deadline
from events.programme.queries.changes import ChangeLine, current_reason, event_change_lines, event_moved_from
from events.questions.queries import question_count
from events.sign_up.queries import SignUpPage, public_sign_up_page
from events.venue.models import Amenity, StartingPoint
from events.venue.queries.amenities import AmenityRow, amenities_of
from events.venue.queries.maps import MapLink, event_map_links, event_zone
from events.venue.queries.ways import TaxiStand, nearest_taxi_stand, starting_point_pks

MAX_PARALLEL_EVENTS = 12


@dataclass(frozen=True)
class NearbyEvents:
    """Ids of the events around one, which are shown as cards; at most one before it in its room, and one after it."""

    same_paper: list[int]
    parallel: list[int]
    before: list[int]
    after: list[int]

    @property
    def by_spot(self) -> dict[str, list[int]]:
        return {"also": self.same_paper, "par": self.parallel, "before": self.before, "after": self.after}


@dataclass(frozen=True)
class EventPage:
    card: Card
    event: Event
    people: list[PersonTag]
    paper: Paper | None
    topic: Topic | None
    links: list[Link]
    awards: list[Award]
    contents: SessionContents
    talks: list[Card]
    posters: list[tuple[str, list[Card]]]
    parent: CardChild | None
    # Who moderates the parent.
    chairs: list[PersonTag]
    nearby: NearbyEvents
    recording: Recording | None
    changes: list[ChangeLine]
    # Why it is cancelled or was moved, beside the flag that says so.
    reason: str
    crowd: CrowdBlock | None
    taxi: TaxiStand | None
    maps: list[MapLink]
    has_way: bool
    amenities: list[AmenityRow]
    sign_up_list: SignUpPage | None
    deadline_url: str
    question_count: int | None
    polls: list[PollCard]

    @property
    def open_poll(self) -> PollCard | None:
        return next((poll for poll in self.polls if poll.is_open), None)

    @property
    def closed_polls(self) -> list[PollCard]:
        return [poll for poll in self.polls if not poll.is_open]

    @property
    def texts(self) -> list[str]:
        return self.event.texts or ([self.paper.abstract] if self.paper and self.paper.abstract else [])

    @property
    def texts_language(self) -> str:
        """That of the event; a paper's may be another."""
        return self.event.language if self.event.texts else ""

    @property
    def other_title(self) -> str:
        """The paper's title, if the event has another one."""
        return self.paper.title if self.paper and self.paper.title != self.card.title else ""

    @property
    def unnamed_source(self) -> str:
        """The address of the notes' source, if the notes do not name it themselves."""
        return "" if self.event.notes_source in self.event.notes else self.event.notes_source

    @property
    def has_details(self) -> bool:
        event = self.event
        sign_up = (self.card.signup_text or event.capacity) and not self.sign_up_list
        seats = event.room.capacity if event.room else None
        texts = self.deadline_url or event.cost or event.audience or event.access_notes or event.recording_license
        return bool(sign_up or seats or texts or self.recording or self.amenities)


@prepared
def _events_by_pk(conference: int, pk: int) -> EventQuerySet:
    return _with_parts(Event.objects.public().filter(conference=conference, pk=pk))


def _with_parts(events: EventQuerySet) -> EventQuerySet:
    there = Q(event=OuterRef("pk")) | Q(room=OuterRef("room")) | Q(service=OuterRef("service")) | Q(zone=OuterRef("room__zone"))
    own, of_paper = {"event": OuterRef("pk")}, {"paper": OuterRef("paper")}
    here = {"conference": OuterRef("conference")}
    parts = {
        "has_children": Exists(Event.objects.filter(session=OuterRef("pk"))),
        "has_same_paper": Exists(Event.objects.filter(**of_paper).exclude(pk=OuterRef("pk"))),
        "has_appearances": Exists(Appearance.objects.filter(**own)),
        "has_chairs": Exists(Appearance.objects.filter(event=OuterRef("session"), role=Role.MODERATOR)),
        "has_changes": Exists(Change.objects.filter(**own)),
        # Two subqueries, because an OR of two columns uses no index.
        "has_awards": Exists(Award.objects.filter(**own)) | Exists(Award.objects.filter(**of_paper)),
        "has_links": Exists(Link.objects.filter(**own)) | Exists(Link.objects.filter(**of_paper)),
        # Whether they are public is asked only if there are any: PostgreSQL would plan that for 40 ms.
        "has_amenities": Exists(Amenity.objects.filter(there)),
        "has_starts": Exists(StartingPoint.objects.filter(**here)),
        "has_polls": Exists(Poll.objects.opened().filter(**own)),
        "has_taxi_stands": Exists(Service.objects.filter(**here).taxi_stands()),
        # The other two levels are those of ``public()``.
        "parent_in": F("session__session__session__status"),
    }
    return for_cards(events).select_related("paper__topic").annotate(**parts).prefetch_related(None)


def public_event(conference: Conference, pk: int) -> Event | None:
    """The event, as cards need it, annotated with the parts of its page that are not empty: the others need no query."""
    return _of_conference(_events_by_pk.first(conference.pk, pk), conference)


def _of_conference(event: Event | None, conference: Conference) -> Event | None:
    for row in (event, event.session, event.paper) if event else ():
        if row is not None:
            row.conference = conference
    return event


def event_of_preview(conference: Conference, guid: UUID) -> Event | None:
    """The event with what ``event_picture`` shows."""
    found = _with_parts(Event.objects.public().filter(conference=conference, guid=guid)).first()
    event = _of_conference(found, conference)
    if event is not None:
        _read_related(event, _filled_parts(event))
    return event


def _filled_parts(event: Event) -> dict[str, bool]:
    return {name.removeprefix("has_"): value for name, value in vars(event).items() if name.startswith("has_")}


def event_page(event: Event, clock: Clock, query: QueryDict | None = None) -> EventPage:
    """The page of an event of ``public_event``. Other events near it are only ids, because many pages share their cards."""
    has = _filled_parts(event)
    contents = session_contents(event, query or QueryDict(), has_parts=has["children"])
    inside = {it.pk for it in contents.page} - {event.pk}
    chairs, parent = _read_related(event, has), _parent(event, clock)
    events = [event, *(for_cards(Event.objects.filter(pk__in=inside)) if inside else ())]
    crowds, moved = Crowds(clock), {event.pk: event_moved_from(event, clock)}
    may_have_awards = has["awards"] or bool(inside)
    cards = {card.key: card for card in make_cards(events, clock, moved=moved, crowds=crowds, may_have_awards=may_have_awards)}
    # Its button is in the head already.
    cards[event.pk].flags[:] = [flag for flag in cards[event.pk].flags if flag.name != "recording"]
    if event.do_not_record:
        cards[event.pk].flags.append(Badge("not-recorded", "Not recorded"))
    paper = public_paper(event)
    return EventPage(
        card=cards[event.pk],
        event=event,
        people=people_of(event, paper),
        paper=paper,
        topic=event.topic or (paper.topic if paper else None),
        links=_event_links(event, paper) if has["links"] else [],
        awards=list(cards[event.pk].awards),
        contents=contents,
        talks=contents.talks_of(cards),
        posters=contents.posters_of(cards),
        parent=parent,
        chairs=appearance_tags(chairs, event.conference.slug) if parent else [],
        nearby=_nearby_events(event, has_same_paper=has["same_paper"]),
        recording=recording_of(event, clock),
        changes=event_change_lines(event, clock),
        reason=current_reason(event, moved[event.pk]),
        # Posters share the room of their session.
        crowd=None if cards[event.pk].kind == Kind.POSTER else crowd_block(event, clock, crowds),
        taxi=nearest_taxi_stand(event) if has["taxi_stands"] else None,
        maps=_event_maps(event),
        amenities=amenities_of(event, clock) if has["amenities"] else [],
        has_way=has["starts"] and _has_way(event),
        sign_up_list=public_sign_up_page(event, clock),
        deadline_url=_deadline_url(event, clock),
        question_count=question_count(event, clock),
        polls=polls_of(event, clock) if has["polls"] else [],
    )


@prepared
def _appearances_of(event: int, session: int) -> QuerySet[Appearance]:
    """Those in the event, and those who moderate its session."""
    chairs = Q(event=session, role=Role.MODERATOR)
    return Appearance.objects.filter(Q(event=event) | chairs).select_related("person")


@prepared
def _authorships_of(paper: int) -> QuerySet[Authorship]:
    return Authorship.objects.filter(paper=paper).select_related("person")


def _read_related(event: Event, has: Mapping[str, bool]) -> list[Appearance]:
    """Read the rows that the card and the page of an event share, except those that it has none of; return its chairs."""
    found = _appearances_of(event.pk, event.session_id or 0) if has["appearances"] or has["chairs"] else []
    set_prefetched(event, "appearances", [it for it in found if it.event_id == event.pk])
    if event.paper and not has["appearances"]:
        set_prefetched(event.paper, "authorships", _authorships_of(event.paper.pk))
    if has["changes"]:
        prefetch_related_objects([event], "changes")
    else:
        set_prefetched(event, "changes", [])
    return [it for it in found if it.event_id != event.pk]


@dataclass(frozen=True)
class EventConflicts:
    """The conflicts of an event with an agenda; those for which a visitor would leave it for a while are summed up."""

    lines: list[ConflictLine]
    missed: list[ConflictLine]

    @property
    def missed_time(self) -> dt.timedelta:
        spans = merge_spans(span for line in self.missed for span in line.missed)
        return sum((span.length for span in spans), NO_TIME)


def event_conflicts(event: Event, lines: Iterable[ConflictLine], clock: Clock) -> EventConflicts:
    """What is over is no conflict any more, and a single one needs no sum."""
    is_over = event.end is not None and clock.has_come(event.end)
    ahead = [] if is_over else [it for it in lines if it.end is None or not clock.has_come(it.end)]
    missed = [it for it in ahead if it.missed]
    if len(missed) < 2:
        return EventConflicts(ahead, [])
    return EventConflicts([it for it in ahead if not it.missed], missed)


def _parent(event: Event, clock: Clock) -> CardChild | None:
    """Its session, if that is public: an event does not ask how deep its session is inside a draft."""
    session = event.session
    if session is None or session.conference_id != event.conference_id or getattr(event, "parent_in", None) == Status.DRAFT:
        return None
    return make_card_child(session, clock)


def _nearby_events(event: Event, *, has_same_paper: bool) -> NearbyEvents:
    before, after = _in_same_room(event)
    return NearbyEvents(_same_paper(event) if has_same_paper else [], _parallel(event), before, after)


@prepared
def _events_of_paper(paper: int) -> QuerySet[Event, Any]:
    # With the conference, SQLite would read all its events.
    return Event.objects.public().filter(paper=paper).in_order().values_list("pk", "conference")


def _same_paper(event: Event) -> list[int]:
    paper = public_paper(event)
    rows = _events_of_paper(paper.pk) if paper else []
    return [pk for pk, conference in rows if conference == event.conference_id and pk != event.pk]


@prepared
def _parallel_events(conference: int, start: dt.datetime, end: dt.datetime) -> QuerySet[Event, int]:
    meanwhile = Event.objects.public().filter(conference=conference, session=None, start__lt=end, end__gt=start)
    taking_place = meanwhile.exclude(status=Status.CANCELLED).exclude(type__kind__in=[Kind.SERVICE, Kind.POSTER])
    shown = taking_place.in_order().values_list("pk", flat=True)
    # The event itself and its session may be among them.
    return shown[: MAX_PARALLEL_EVENTS + 2]


def _parallel(event: Event) -> list[int]:
    if event.start is None or event.end is None:
        return []
    times = (event.conference_id, event.start, event.end)
    # Cached, because all posters of a session have the same.
    found = PROCESS_CACHE.get_or_build(
        ("parallel", *times), lambda: tuple(_parallel_events(*times)), version=event.conference.revision
    )
    return [pk for pk in found if pk not in {event.pk, event.session_id}][:MAX_PARALLEL_EVENTS]


@prepared
def _events_in_room(room: int, day: int) -> QuerySet[Event, Any]:
    """Without posters: hundreds may be in one room, and their session is listed. What is cancelled leaves the room free."""
    # By room, day and type there is an index. With the conference, SQLite would read its whole day.
    there = Event.objects.public().filter(room=room, day=day, type__in=EventType.objects.exclude(kind=Kind.POSTER).values("pk"))
    # Says the same again, because PostgreSQL compares what is in a list only after it has joined the sessions of all posters.
    there = there.exclude(type__in=EventType.objects.filter(kind=Kind.POSTER).values("pk"))
    return there.exclude(status=Status.CANCELLED).order_by("start", "pk").values_list("pk", "start", "end", "session")


def _in_same_room(event: Event) -> tuple[list[int], list[int]]:
    """The nearest events before and after in the room on the same day, at most one of each."""
    if event.room_id is None or event.day_id is None or event.start is None or event.end is None:
        return [], []
    place = (event.room_id, event.day_id)
    # Cached, because all posters of a hall have the same.
    rows = PROCESS_CACHE.get_or_build(
        ("in room", *place), lambda: tuple(_events_in_room(*place)), version=event.conference.revision
    )
    others = [(pk, start, end) for pk, start, end, session in rows if start and event.pk not in {pk, session}]
    before = [(-start.timestamp(), pk) for pk, start, end in others if end <= event.start]
    after = [pk for pk, start, _ in others if start >= event.end]
    return [pk for _, pk in sorted(before)[:1]], after[:1]


def _event_links(event: Event, paper: Paper | None) -> list[Link]:
    links = Link.objects.filter(Q(event=event) | Q(paper=paper) if paper else Q(event=event))
    return sorted(links, key=lambda link: link.event_id is None)


def _has_way(event: Event) -> bool:
    return (event_zone(event) is not None or bool(event.at_venue)) and bool(starting_point_pks(event.conference))


def _event_maps(event: Event) -> list[MapLink]:
    """Links to maps for what is elsewhere: inside the building, its sign and the directions lead on."""
    zone = event_zone(event)
    return event_map_links(event) if zone is None or zone.off_site else []


def _deadline_url(event: Event, clock: Clock) -> str:
    """The calendar file with the end of sign-up; empty when there is none to come."""
    deadline = sign_up_deadline(event)
    if event.signup_until is None or deadline is None or clock.has_come(deadline) or event.is_cancelled:
        return ""
    return reverse("events:sign-up-calendar", args=[event.conference.slug, event.guid])

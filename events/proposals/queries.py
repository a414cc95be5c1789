"""Reads for proposals: the reported page, a browser's proposals, possible duplicates, and the chairs' queue."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Case, DateTimeField, F, IntegerField, Q, QuerySet, Value, When
from django.urls import Resolver404, resolve

from events.core.spans import Span
from events.core.words import folded_words
from events.programme.addresses import pk_in_page_name
from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.programme.models.labels import Kind, Status, Topic
from events.programme.models.papers import Paper
from events.programme.models.people import Person
from events.programme.models.venue import Room
from events.programme.queries.public_names import only_public
from events.programme.rules.clashes import ROOM_SHARING_KINDS
from events.proposals.diff import comparable_values
from events.proposals.models import OPEN_STATUSES, Proposal, ProposalKind, ProposalStatus
from events.proposals.rules import Gathering, duplicates

# Pages that can be reported, with their names; personal pages and pages with a secret address cannot.
REPORTABLE_PAGES = {
    "conference-detail": "the overview",
    "about": "the page about the conference",
    "announcement-list": "the announcements",
    "change-list": "the list of changes",
    "schedule-day": "the schedule",
    "event-detail": "",
    "invited-talk-list": "the list of invited talks",
    "social-list": "the list of socials",
    "person-list": "the list of people",
    "person-detail": "",
    "paper-list": "the list of papers",
    "paper-detail": "",
    "award-list": "the list of awards",
    "topic-list": "the list of topics",
    "topic-detail": "",
    "venue": "the venue",
    "directions": "the directions",
    "service-list": "the list of services",
    "sponsor-list": "the list of sponsors",
    "search": "the search",
}
MAX_PATH_CHARS = 500
MAX_DUPLICATE_HINTS = 5
GATHERING_KINDS = (Kind.SOCIAL, Kind.SESSION)
"""A new social may already be in the programme as one of these: affinity groups meet in sessions."""


@dataclass(frozen=True)
class PublicPage:
    """A page that a report can be about; ``label`` is its name in a sentence."""

    path: str
    label: str
    event: Event | None = None
    date: dt.date | None = None

    @property
    def social(self) -> Event | None:
        return self.event if self.event and self.event.type.kind == Kind.SOCIAL else None


def public_page(conference: Conference, path: str) -> PublicPage | None:
    """None if ``path``, which a visitor sends, is no public page of this conference."""
    if len(path) > MAX_PATH_CHARS or not path.startswith(f"/{conference.slug}/"):
        return None
    try:
        match = resolve(path)
    except Resolver404:
        return None
    name = match.url_name or ""
    is_event = name in {"event-detail", "event-by-guid"}
    if not (is_event or name in REPORTABLE_PAGES) or match.kwargs.get("conference_slug") != conference.slug:
        return None
    if is_event:
        key = {"pk": pk_in_page_name(match.kwargs["name"])} if name == "event-detail" else {"guid": match.kwargs["guid"]}
        events = Event.objects.public().filter(conference=conference, **key)
        event = events.select_related("conference", "type", "day", "room").first()
        return PublicPage(event.get_absolute_url(), event.title, event) if event else None
    label = _page_label(conference, name, match.kwargs)
    return PublicPage(path, label, date=match.kwargs.get("date")) if label else None


def _page_label(conference: Conference, name: str, kwargs: Mapping[str, Any]) -> str:
    match name:
        case "schedule-day":
            date: dt.date = kwargs["date"]
            return f"the schedule of {date:%A} {date.day} {date:%B}"
        case "person-detail":
            row: Any = Person.objects.public().filter(conference=conference, guid=kwargs["guid"]).first()
        case "paper-detail":
            row = Paper.objects.filter(conference=conference, guid=kwargs["guid"], is_public=True).first()
        case "topic-detail":
            row = only_public(Topic.objects.filter(conference=conference, slug=kwargs["slug"])).first()
        case _:
            return REPORTABLE_PAGES[name]
    return str(row or "")


def form_fingerprint(values: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(comparable_values(values), sort_keys=True).encode("utf-8", "replace")).hexdigest()[:16]


def proposal_by_guid(guid: UUID) -> Proposal | None:
    """The guid is in the form, also before the proposal is sent."""
    return Proposal.objects.filter(guid=guid).select_related("conference").first()


def proposal_by_token(conference: Conference, token: str) -> Proposal | None:
    proposals = Proposal.objects.filter(conference=conference).by_tokens([token])
    return proposals.select_related("conference", "event__conference", "event__session__session", *_MERGED_RELATIONS).first()


_MERGED_RELATIONS = ("merged_into__event__conference", "merged_into__event__session__session")


def resulting_event(proposal: Proposal) -> Event | None:
    for _ in range(MAX_DUPLICATE_HINTS):
        if proposal.merged_into is None:
            break
        proposal = proposal.merged_into
    return proposal.public_event


def proposals_by_tokens(conference: Conference, tokens: Collection[str]) -> list[Proposal]:
    """Newest first, without withdrawn ones."""
    if not tokens:
        return []
    proposals = Proposal.objects.filter(conference=conference).by_tokens(tokens).exclude(status=ProposalStatus.WITHDRAWN)
    return list(proposals.select_related("conference").order_by("-created_at"))


@dataclass(frozen=True)
class DuplicateHint:
    """A possible duplicate: a public event, or a proposal from the same browser."""

    title: str
    url: str
    is_own: bool
    date: dt.date | None
    start: dt.datetime | None
    place: str


def duplicate_hints(conference: Conference, values: Mapping[str, Any], my_proposals: Collection[Proposal]) -> list[DuplicateHint]:
    """Possible duplicates of a new social, without proposals of others, which are not public."""
    public = Event.objects.public().filter(Q(day=None) | Q(day__date=values["date"]), conference=conference)
    events = public.of_kind(*GATHERING_KINDS).select_related(
        *("conference", "day", "room__zone__venue", "service__zone__venue", "service__room__zone__venue")
    )
    known = [_event_candidate(event) for event in events]
    known += [_proposal_candidate(sent) for sent in my_proposals if sent.is_open and sent.kind == ProposalKind.SOCIAL]
    hint = DuplicateHint(values["title"], "", True, values["date"], values["start"], values["place"])
    new = _gathering(hint, values["end"])
    return [it.key for it in duplicates(new, known) if isinstance(it.key, DuplicateHint)][:MAX_DUPLICATE_HINTS]


def _event_candidate(event: Event) -> Gathering:
    date = event.day.date if event.day else None
    hint = DuplicateHint(event.title, event.get_absolute_url(), False, date, event.start, event.location)
    return _gathering(hint, event.end)


def _proposal_candidate(proposal: Proposal) -> Gathering:
    hint = DuplicateHint(proposal.title, proposal.url, True, proposal.date, proposal.start, proposal.place)
    return _gathering(hint, proposal.end)


def _gathering(hint: DuplicateHint, end: dt.datetime | None) -> Gathering:
    return Gathering(
        hint, tuple(folded_words(hint.title)), hint.date, Span.from_times(hint.start, end), tuple(folded_words(hint.place))
    )


STATUS_RANK = Case(
    When(status=ProposalStatus.WAITING, then=Value(0)),
    When(status=ProposalStatus.ASKED, then=Value(1)),
    default=Value(2),
    output_field=IntegerField(),
)
WAITS_SINCE = Case(When(status__in=OPEN_STATUSES, then=F("updated_at")), default=None, output_field=DateTimeField())
QUEUE_ORDER = (STATUS_RANK, WAITS_SINCE.asc(nulls_last=True), F("decided_at").desc(nulls_last=True), "-updated_at", "-pk")
"""Waiting ones first, the longest waiting first of all; then the decided ones, latest first."""


class PossibleDuplicates(NamedTuple):
    events: list[Event]
    proposals: list[Proposal]


MAX_ROOM_CLASHES = 3


def waiting_proposal_count() -> int:
    return Proposal.objects.filter(status=ProposalStatus.WAITING).count()


def socials_to_merge_into(proposal: Proposal) -> QuerySet[Event]:
    socials = Event.objects.filter(conference=proposal.conference_id).exclude(status=Status.DRAFT).of_kind(Kind.SOCIAL)
    return socials.select_related("conference", "day", "room", "type").in_order()


def proposals_to_merge_into(proposal: Proposal) -> QuerySet[Proposal]:
    others = Proposal.objects.open().filter(conference=proposal.conference_id, kind=ProposalKind.SOCIAL, event=None)
    return others.exclude(pk=proposal.pk).select_related("conference").order_by("created_at", "pk")


def room_clashes(room: Room | None, start: dt.datetime | None, end: dt.datetime | None, except_pk: int | None) -> list[Event]:
    """Events in the room at that time; talks count as their session."""
    if room is None or start is None or end is None:
        return []
    events = (
        Event.objects.filter(room=room, start__lt=end, end__gt=start).exclude(status=Status.CANCELLED).exclude(pk=except_pk or 0)
    )
    events = events.exclude(type__kind__in=ROOM_SHARING_KINDS).exclude(session__room=room)
    # Event.is_public reads these relations.
    related = ("conference", "type", "session__session")
    return list(events.select_related(*related).order_by("start", "pk")[:MAX_ROOM_CLASHES])


def known_people(conference: Conference, names: Iterable[str]) -> list[str]:
    people = Person.objects.filter(conference=conference, name__in=list(names))
    return list(people.order_by("name").values_list("name", flat=True).distinct())


def proposals_merged_into(proposal: Proposal) -> list[Proposal]:
    merged = Proposal.objects.filter(merged_into=proposal, status=ProposalStatus.MERGED)
    return list(merged.select_related("conference").order_by("created_at", "pk"))


def possible_duplicates(proposal: Proposal) -> PossibleDuplicates:
    """Only for new socials: the others change a known event."""
    if proposal.kind != ProposalKind.SOCIAL or proposal.event_id:
        return PossibleDuplicates([], [])
    events = socials_to_merge_into(proposal).select_related("room__zone__venue", "service__zone__venue", "service__room__zone")
    if proposal.date:
        events = events.filter(Q(day=None) | Q(day__date=proposal.date))
    known = [_gathering_of_event(event) for event in events]
    known += [_gathering_of_proposal(other) for other in proposals_to_merge_into(proposal)]
    rows = [gathering.key for gathering in duplicates(_gathering_of_proposal(proposal), known)]
    return PossibleDuplicates([row for row in rows if isinstance(row, Event)], [row for row in rows if isinstance(row, Proposal)])


def _gathering_of_event(event: Event) -> Gathering:
    place = tuple(folded_words(event.location))
    date = event.day.date if event.day else None
    return Gathering(event, tuple(folded_words(event.title)), date, Span.from_times(event.start, event.end), place)


def _gathering_of_proposal(proposal: Proposal) -> Gathering:
    place = tuple(folded_words(proposal.place))
    return Gathering(
        proposal, tuple(folded_words(proposal.title)), proposal.date, Span.from_times(proposal.start, proposal.end), place
    )

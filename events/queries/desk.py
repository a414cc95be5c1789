"""What the desk reads: which page a word is about, what a proposal may be one with, what a browser sent."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.urls import Resolver404, resolve

from events.models import Conference, Event, Kind, Paper, Person, Proposal, ProposalKind, ProposalStatus, Topic
from events.models.proposed import plain
from events.schedule.duplicates import Gathering, duplicates
from events.schedule.spans import Span
from events.words import words

# What may be about anything; what is somebody's own, or has a secret in its address, is not among them.
PAGES = {
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
    "search": "the search",
}
LONGEST_PATH = 500
MOST_HINTS = 5
GATHERINGS = (Kind.SOCIAL, Kind.SESSION)
"""What a social may be in the programme already: affinity groups meet in sessions."""


@dataclass(frozen=True)
class About:
    """A public page of the conference, as people call it."""

    path: str
    label: str
    event: Event | None = None
    date: dt.date | None = None

    @property
    def social(self) -> Event | None:
        return self.event if self.event and self.event.type.kind == Kind.SOCIAL else None


def about_of(conference: Conference, path: str) -> About | None:
    """What stands at a path that a visitor sends; nothing for all that is no public page of this conference."""
    if len(path) > LONGEST_PATH or not path.startswith(f"/{conference.slug}/"):
        return None
    try:
        match = resolve(path)
    except Resolver404:
        return None
    name = match.url_name or ""
    if name not in PAGES or match.kwargs.get("conference_slug") != conference.slug:
        return None
    if name == "event-detail":
        shown = Event.objects.public().filter(conference=conference, guid=match.kwargs["guid"])
        event = shown.select_related("conference", "type", "day", "room").first()
        return About(path, event.title, event) if event else None
    label = _label(conference, name, match.kwargs)
    return About(path, label, date=match.kwargs.get("date")) if label else None


def _label(conference: Conference, name: str, gaps: Mapping[str, Any]) -> str:
    match name:
        case "schedule-day":
            date: dt.date = gaps["date"]
            return f"the schedule of {date:%A} {date.day} {date:%B}"
        case "person-detail":
            found: Any = Person.objects.public().filter(conference=conference, guid=gaps["guid"]).first()
        case "paper-detail":
            found = Paper.objects.filter(conference=conference, guid=gaps["guid"], is_public=True).first()
        case "topic-detail":
            found = Topic.objects.filter(conference=conference, slug=gaps["slug"]).first()
        case _:
            return PAGES[name]
    return str(found or "")


def fingerprint(values: Mapping[str, Any]) -> str:
    """Of what a form showed, to see whether it is still so."""
    return hashlib.sha256(json.dumps(plain(values), sort_keys=True).encode("utf-8", "replace")).hexdigest()[:16]


def proposal_of(conference: Conference, token: str) -> Proposal | None:
    known = Proposal.objects.filter(conference=conference).by_tokens([token])
    return known.select_related("conference", "event__conference", "event__session__session", *_MERGED).first()


_MERGED = ("merged_into__event__conference", "merged_into__event__session__session")


def led_to(proposal: Proposal) -> Event | None:
    """The public event that came of it, or of what it was merged into."""
    for _ in range(MOST_HINTS):
        if proposal.merged_into is None:
            break
        proposal = proposal.merged_into
    return proposal.public_event


def sent_by(conference: Conference, tokens: Collection[str]) -> list[Proposal]:
    """What one browser sent and may want to look at, the newest first."""
    if not tokens:
        return []
    own = Proposal.objects.filter(conference=conference).by_tokens(tokens).exclude(status=ProposalStatus.WITHDRAWN)
    return list(own.select_related("conference").order_by("-created_at"))


@dataclass(frozen=True)
class Hint:
    """Something that may be the same: an event that everybody sees, or what the same browser has sent."""

    title: str
    url: str
    own: bool
    date: dt.date | None
    start: dt.datetime | None
    place: str


def hints(conference: Conference, said: Mapping[str, Any], own: Collection[Proposal]) -> list[Hint]:
    """What a new social may be one with; of what others sent not a word."""
    public = Event.objects.public().filter(Q(day=None) | Q(day__date=said["date"]), conference=conference)
    events = public.of_kind(*GATHERINGS).select_related(
        *("conference", "day", "room__zone__venue", "service__zone__venue", "service__room__zone__venue")
    )
    known = [_of_event(it) for it in events]
    known += [_of_own(it) for it in own if it.is_open and it.kind == ProposalKind.SOCIAL]
    new = _gathering(Hint(said["title"], "", True, said["date"], said["start"], said["place"]), said["end"])
    return [it.key for it in duplicates(new, known) if isinstance(it.key, Hint)][:MOST_HINTS]


def _of_event(event: Event) -> Gathering:
    date = event.day.date if event.day else None
    hint = Hint(event.title, event.get_absolute_url(), False, date, event.start, event.location)
    return _gathering(hint, event.end)


def _of_own(proposal: Proposal) -> Gathering:
    hint = Hint(proposal.title, proposal.url, True, proposal.date, proposal.start, proposal.place)
    return _gathering(hint, proposal.end)


def _gathering(hint: Hint, end: dt.datetime | None) -> Gathering:
    return Gathering(hint, tuple(words(hint.title)), hint.date, Span.of(hint.start, end), tuple(words(hint.place)))

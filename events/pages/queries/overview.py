"""The front page, the overview of a conference, and its other editions."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, Max, Min, OuterRef, Q
from django.urls import reverse

from events.core.byte_cache import PROCESS_CACHE
from events.core.clock import Clock, programme_date, with_pinned_time
from events.core.spans import ONE_MINUTE
from events.crowd.queries.reports import Crowds
from events.pages.cards import Card, add_outlooks, make_cards, read_cards
from events.pages.queries.lists import UNDATED, WITHOUT_DAY
from events.pages.queries.poster_groups import PosterGroup, exclude_poster_groups, poster_groups
from events.pages.queries.venue import ServiceRow, next_registration
from events.polls.queries import has_open_poll, poll_page_url
from events.programme.addresses import event_url
from events.programme.display import dates_text
from events.programme.models.conference import Conference, Day, PastEdition
from events.programme.models.event import Event, EventQuerySet
from events.programme.models.labels import Kind, Status, Topic
from events.programme.models.papers import Paper
from events.programme.models.people import Person
from events.programme.queries.days import DayLink, day_links, public_events_filter
from events.programme.queries.revisions import last_change_of_everything
from events.programme.rules.running import running_one
from events.programme.rules.subjects import overview_subjects

MAX_NEXT_EVENTS = 6
MAX_INVITED_TALKS = 3


@dataclass(frozen=True)
class ConferenceLink:
    """A conference on the front page."""

    conference: Conference
    dates: str
    status: str
    phase: str
    count: int

    @property
    def url(self) -> str:
        return self.conference.get_absolute_url()

    @property
    def is_on(self) -> bool:
        return self.phase == "during"


@dataclass(frozen=True)
class Inside:
    """A talk inside a session, with its address."""

    title: str
    start: dt.datetime
    end: dt.datetime
    is_cancelled: bool
    is_break: bool
    url: str
    poll_url: str = ""
    language: str = ""


@dataclass(frozen=True)
class RunningCard:
    """An event that is on, with the talk that is given in it, the next one, and the page of an open poll."""

    card: Card
    now: Inside | None
    then: Inside | None
    poll_url: str = ""


@dataclass(frozen=True)
class Overview:
    now: list[RunningCard]
    bundles: list[PosterGroup]
    next: list[Card]
    invited: list[Card]
    days: list[DayLink]
    registration: ServiceRow | None
    dates: str
    status: str
    phase: str
    # What is said when nothing is on and nothing comes; empty before and after the conference.
    ending: str
    highlights: list[tuple[str, int, str]]

    def subjects(self, clock: Clock) -> frozenset[str]:
        """What may change it (``programme.rules.subjects``), besides the time: it says what is on and reads the clock for it."""
        return subjects_of([*(running.card for running in self.now), *self.invited], self.next, self.days, clock)


def subjects_of(shown: Iterable[Card], coming: Sequence[Card], days: Iterable[DayLink], clock: Clock) -> frozenset[str]:
    """What may change a page with these cards and with those that come next, the last of which nothing may come before."""
    until = max((card.start for card in coming if card.start), default=clock.made_at)
    last = programme_date(until, clock.venue_zone)
    between = [link.date for link in days if clock.today <= link.date <= last]
    guids = [card.guid for card in (*shown, *coming)]
    return overview_subjects(guids, [clock.today, *between], clock.made_at, until + ONE_MINUTE)


def conference_links(now: dt.datetime) -> list[ConferenceLink]:
    """Published conferences: running ones, then coming ones, then past ones; each in its own time zone."""
    conferences = Conference.objects.public()
    public = public_events_filter()
    numbers = {
        "n": Count("events", filter=public),
        "first": Min("events__day__date", filter=public),
        "last": Max("events__day__date", filter=public),
    }
    counts = {pk: row for pk, *row in conferences.order_by().values_list("pk").annotate(**numbers)}
    links = []
    for conference in conferences:
        count, first, last = counts.get(conference.pk, (0, None, None))
        status = _status(conference, first, last, programme_date(now, conference.zone))
        links.append(ConferenceLink(conference, *status, count))
    order = {"during": 0, "before": 1, "after": 2}
    return sorted(links, key=lambda link: order[link.phase])


def _status(conference: Conference, first: dt.date | None, last: dt.date | None, today: dt.date) -> tuple[str, str, str]:
    """Dates, status and phase; ``first`` and ``last`` are the days with events.

    While all events are outside the dates, as after a conference was postponed, visitors go by the days of the events.
    """
    start, end = conference.start, conference.end
    if first and last and (last < start or end < first):
        start, end = first, last
    return dates_text(start, end), *_phase(start, end, today)


def _phase(start: dt.date, end: dt.date, today: dt.date) -> tuple[str, str]:
    if today > end:
        return "Over", "after"
    if today >= start:
        return "On now", "during"
    days = (start - today).days
    return ("Starts tomorrow" if days == 1 else f"Starts in {days} days"), "before"


def overview(conference: Conference, clock: Clock) -> Overview:
    days = [link for link in day_links(conference, clock) if link.count]
    first, last = (days[0].date, days[-1].date) if days else (None, None)
    dates, status, phase = _status(conference, first, last, clock.today)
    running = running_events(conference, clock)
    bundles = _loose_posters(running, conference, clock)
    crowds = Crowds(clock)
    shown = exclude_poster_groups(bundles, running).annotate(has_poll=has_open_poll())
    now = make_cards(read_cards(shown.in_order(), conference), clock, crowds=crowds)
    coming = make_cards(read_cards(next_events(conference, clock)[:MAX_NEXT_EVENTS], conference), clock, crowds=crowds)
    add_outlooks([*now, *coming], clock)
    return Overview(
        now=running_cards(now, clock),
        bundles=bundles,
        next=coming,
        invited=make_cards(_next_invited_talks(conference, clock, is_over=phase == "after"), clock, crowds=crowds),
        days=days,
        registration=next_registration(conference, clock),
        dates=dates,
        status=status,
        phase=phase,
        ending=_ending(conference, clock) if phase == "during" and days and not (now or bundles or coming) else "",
        highlights=_highlights(conference, clock),
    )


def _public_events(conference: Conference) -> EventQuerySet:
    return Event.objects.public().filter(conference=conference)


_TALK_WITHOUT_SESSION = Q(session__status=Status.CANCELLED, type__kind=Kind.TALK)


def running_events(conference: Conference, clock: Clock) -> EventQuerySet:
    """Without talks and breaks inside sessions that take place, and without opening hours, which the page shows elsewhere."""
    running = _public_events(conference).filter(start__lte=clock.now, end__gt=clock.now).exclude(status="cancelled")
    is_shown = Q(session=None) | ~Q(type__kind__in=[Kind.TALK, Kind.POSTER, Kind.BREAK]) | _TALK_WITHOUT_SESSION
    return running.exclude(type__kind=Kind.SERVICE).filter(is_shown)


def _loose_posters(running: EventQuerySet, conference: Conference, clock: Clock) -> list[PosterGroup]:
    """Groups of posters without a session, which are too many for single cards."""
    day = Day.objects.filter(conference=conference, date=clock.today).select_related("conference").first()
    return poster_groups(running.filter(day=day), day, clock) if day else []


def running_cards(cards: Sequence[Card], clock: Clock) -> list[RunningCard]:
    """Read what is inside with one query, for sessions alone."""
    inside = defaultdict(list)
    for session, *row in _rows_inside([card.key for card in cards if card.inside_count > card.posters_count], clock):
        inside[session].append(_inside(row, clock))
    return [_running_card(card, inside[card.key], clock) for card in cards]


def _rows_inside(sessions: Sequence[int], clock: Clock) -> Iterable[tuple[Any, ...]]:
    if not sessions:
        return []
    parts = Event.objects.public().filter(session__in=sessions, end__gt=clock.now).exclude(type__kind=Kind.POSTER)
    columns = ("session", "title", "start", "end", "status", "type__kind", "language", "guid", "conference__slug", "pk")
    return parts.order_by("start", "position", "title", "pk").values_list(*columns, has_open_poll())


def _inside(row: Sequence[Any], clock: Clock) -> Inside:
    title, start, end, status, kind, language, guid, slug, pk, has_poll = row
    url = with_pinned_time(event_url(slug, pk, title), clock)
    poll_url = with_pinned_time(reverse("events:poll-list", args=[slug, guid]), clock) if has_poll else ""
    return Inside(title, start, end, status == Status.CANCELLED, kind == Kind.BREAK, url, poll_url, language)


def _running_card(card: Card, inside: Sequence[Inside], clock: Clock) -> RunningCard:
    coming = [it for it in inside if it.start > clock.now and not it.is_cancelled]
    # A break is only named if no talk follows.
    then = next((it for it in coming if not it.is_break), next(iter(coming), None))
    now = running_one([it for it in inside if not it.is_cancelled], clock.now)
    poll_url = now.poll_url if now else ""
    if not poll_url and getattr(card.event, "has_poll", False):
        poll_url = with_pinned_time(poll_page_url(card.event), clock)
    return RunningCard(card, now, then, poll_url)


def next_events(conference: Conference, clock: Clock) -> EventQuerySet:
    """In order, without breaks. What is inside a session is next once the session is on; before, its session is.

    Talks of a cancelled session stand for themselves.
    """
    coming = _public_events(conference).filter(start__gt=clock.now).exclude(status="cancelled")
    events = coming.exclude(type__kind__in=[Kind.SERVICE, Kind.BREAK])
    is_outer = Q(session=None) | Q(session__start__lte=clock.now) | ~Q(type__kind__in=[Kind.TALK, Kind.POSTER])
    alone = events.filter(is_outer | _TALK_WITHOUT_SESSION).exclude(type__kind=Kind.POSTER, session__isnull=False)
    return alone.order_by("start", "position", "title", "pk")


def _ending(conference: Conference, clock: Clock) -> str:
    is_last = clock.today >= conference.end and not _has_untimed_events(conference, clock)
    return "That was the last event." if is_last else "Nothing that has a time is left."


def _has_untimed_events(conference: Conference, clock: Clock) -> bool:
    """Whether something today or later, or on a day to be announced, has no time yet."""
    still = _public_events(conference).filter(start=None).exclude(status="cancelled").exclude(type__kind=Kind.POSTER)
    return still.filter(Q(day=None) | Q(day__date__gte=clock.today)).exists()


def _next_invited_talks(conference: Conference, clock: Clock, *, is_over: bool) -> list[Event]:
    talks = _public_events(conference).of_kind(Kind.INVITED_TALK).exclude(status="cancelled")
    coming = talks.filter(Q(end__gt=clock.now) | Q(start=None, day__date__gte=clock.today))
    # On the last day, those of past days would look as if they were still to come.
    return read_cards((talks if is_over else coming).in_order()[:MAX_INVITED_TALKS], conference)


def _highlights(conference: Conference, clock: Clock) -> list[tuple[str, int, str]]:
    """Label, number and address of each list that is not empty."""
    # Cached, because counting takes longer than all else, and an event that changes leaves the numbers as they are.
    numbers = PROCESS_CACHE.get_or_build(
        ("highlights", conference.pk), lambda: _list_sizes(conference), version=last_change_of_everything(conference)
    )
    return [
        (one if n == 1 else many, n, with_pinned_time(reverse(name, args=[conference.slug], query=query), clock))
        for one, many, n, name, query in numbers
        if n
    ]


def _list_sizes(conference: Conference) -> list[tuple[str, str, int, str, dict[str, str]]]:
    written = Paper.objects.public().filter(topic=OuterRef("pk"))
    topics = Topic.objects.filter(Exists(written) | Exists(_public_events(conference).filter(topic=OuterRef("pk"))))
    counts = {"n": Count("pk"), "undated": Count("pk", filter=WITHOUT_DAY)}
    rows = list(_public_events(conference).values_list("type__kind").annotate(**counts))
    kinds, undated = {kind: n for kind, n, _ in rows}, sum(row[2] for row in rows)
    sizes = [
        ("Invited talk", "Invited talks", kinds.get(Kind.INVITED_TALK, 0), "events:invited-talk-list"),
        ("Social", "Socials", kinds.get(Kind.SOCIAL, 0), "events:social-list"),
        ("Paper", "Papers", Paper.objects.public().filter(conference=conference).count(), "events:paper-list"),
        ("Topic", "Topics", topics.filter(conference=conference).count(), "events:topic-list"),
        ("Person", "People", Person.objects.public().filter(conference=conference).count(), "events:person-list"),
    ]
    return [
        *((*size, {}) for size in sizes),
        ("Event without a day yet", "Events without a day yet", undated, "events:schedule", {"day": UNDATED}),
    ]


@dataclass(frozen=True)
class EditionRow:
    edition: PastEdition
    url: str


def past_editions(conference: Conference) -> list[EditionRow]:
    here = {it.start.year: it.get_absolute_url() for it in other_editions(conference)}
    return [EditionRow(edition, here.get(edition.year, "")) for edition in conference.past_editions.all()]


def other_editions(conference: Conference) -> list[Conference]:
    if not conference.series:
        return []
    return list(Conference.objects.public().filter(series=conference.series).exclude(pk=conference.pk))

"""Free time in an agenda: transitions between bookmarks, and suggestions for a gap."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.db.models import Count
from django.http import QueryDict

from events.agenda.models.agenda import Agenda
from events.agenda.queries.conflicts import slots_of, walks_of
from events.agenda.queries.free_time import Interests, fit_text, gap_query, time_left_text
from events.agenda.queries.private_entries import PrivateCard, private_cards
from events.agenda.rules.gaps import MIN_FIT_TIME, Gap, GapFit, free_gaps, gap_fits
from events.agenda.rules.itinerary import FreeTime
from events.core.clock import Clock, with_pinned_time
from events.core.spans import Span, spoken_duration, whole_minutes
from events.crowd.queries.reports import Crowds
from events.pages.cards import Card, bookmarked_ids, for_cards, make_cards
from events.programme.display import BookmarkButton
from events.programme.models.conference import Conference, Day
from events.programme.models.event import Event, EventQuerySet
from events.programme.models.labels import Kind, Status
from events.programme.queries.events import for_slots, full_or_closed_q
from events.programme.queries.filters import EFFECTIVE_TOPIC
from events.programme.rules.slots import TimeSlot
from events.programme.rules.walking import NO_NEEDS, Need, Needs, Walks, Way

SUGGESTIONS_PER_PAGE = 12
MAX_SUGGESTION_PARTS = 4
MAX_OPEN_SERVICES = 8
# Events that are still on may have started this long ago.
GAP_SEARCH_MARGIN = dt.timedelta(days=1)


@dataclass(frozen=True)
class SuggestionPart:
    """A talk, of a suggested session, that fits."""

    button: BookmarkButton
    event: Event
    url: str
    sentence: str


@dataclass(frozen=True)
class GapSuggestion:
    card: Card
    # How much of it the visitor would see, and the walk.
    sentence: str
    why: list[str]
    parts: list[SuggestionPart]
    more_parts: int = 0


@dataclass(frozen=True)
class GapPage:
    span: Span
    over: bool
    mine: list[Card]
    count: int
    page: Page[int]
    suggestions: list[GapSuggestion]
    open: list[Card]
    private: list[PrivateCard]
    # Besides bookmarks, breaks and services.
    is_anything_on: bool
    # Bookmarks and private entries leave nowhere enough time.
    is_taken: bool


@dataclass(frozen=True)
class GapCandidates:
    """Everything that fits, before it is cut into pages."""

    fits: dict[int, GapFit]
    tops: list[Event]
    inside: dict[int, list[Event]]
    posters: dict[int, int]
    likes: Interests


def gap_page(
    conference: Conference, agenda: Agenda | None, span: Span, clock: Clock, query: QueryDict, needs: Needs = NO_NEEDS
) -> GapPage:
    """One page of events that fit, those most like the bookmarks first."""
    bookmarked = bookmarked_ids(agenda)
    attended = _attended_events(agenda)
    busy = _nearby_private_cards(agenda, conference, span, clock)
    events = [it for it in _attendable_events(conference, span, clock) if it.pk not in bookmarked]
    mine_slots = [*slots_of(attended), *(it.slot for it in busy)]
    gaps = free_gaps(span, mine_slots)
    fitting = _fits_by_key(gaps, mine_slots, slots_of(events), walks_of(conference, needs))
    candidates = _gap_candidates(conference, events, fitting, Interests(attended, events))
    page = Paginator([it.pk for it in candidates.tops], SUGGESTIONS_PER_PAGE).get_page(query.get("page"))
    mine = [it.pk for it in attended if it.start and it.end and it.start < span.end and it.end > span.start]
    open_then = _open_service_keys(conference, span)
    shown = for_cards(Event.objects.public().filter(pk__in=[*page, *mine, *open_then])).in_order()
    cards = {card.event.pk: card for card in make_cards(shown, clock, bookmarked)}
    return GapPage(
        span=span,
        over=span.end <= clock.now,
        mine=[cards[pk] for pk in cards if pk in set(mine)],
        count=len(candidates.tops),
        page=page,
        suggestions=[_gap_suggestion(cards[pk], candidates, clock) for pk in page if pk in cards],
        open=[cards[pk] for pk in open_then if pk in cards],
        private=[it for it in busy if it.start < span.end and it.end > span.start],
        is_anything_on=bool(events) or _attendable_during(conference, span).exclude(pk__in=bookmarked).exists(),
        is_taken=all(gap.span.length < MIN_FIT_TIME for gap in gaps),
    )


def _attended_events(agenda: Agenda | None) -> list[Event]:
    if agenda is None:
        return []
    attended = Event.objects.public().attended_in(agenda.pk)
    return list(for_slots(attended, "track").annotate(about=EFFECTIVE_TOPIC).in_order())


def _nearby_private_cards(agenda: Agenda | None, conference: Conference, span: Span, clock: Clock) -> list[PrivateCard]:
    if agenda is None:
        return []
    agenda.conference = conference
    return private_cards(agenda, clock, span.start - GAP_SEARCH_MARGIN, span.end + GAP_SEARCH_MARGIN)


def _events_during(conference: Conference, span: Span) -> EventQuerySet:
    """Filtered by day too, because that uses the index."""
    days = Day.objects.filter(
        conference=conference, date__range=(span.start.date() - GAP_SEARCH_MARGIN, span.end.date() + GAP_SEARCH_MARGIN)
    )
    then = Event.objects.public().filter(conference=conference, day__in=days.order_by().values("pk"))
    return then.filter(start__lt=span.end, end__gt=span.start).exclude(status=Status.CANCELLED)


def _attendable_during(conference: Conference, span: Span) -> EventQuerySet:
    return _events_during(conference, span).exclude(type__kind__in=[Kind.BREAK, Kind.SERVICE])


def _attendable_events(conference: Conference, span: Span, clock: Clock) -> list[Event]:
    """Events that are on, not full and not closed."""
    on = _attendable_during(conference, span).exclude(full_or_closed_q(clock.now))
    # A session may have hundreds of posters: it is suggested instead of them.
    on = on.exclude(type__kind=Kind.POSTER, session__isnull=False)
    events = for_slots(on, "track", "service").annotate(about=EFFECTIVE_TOPIC).order_by("start", "title", "pk")
    crowds = Crowds(clock)
    return [it for it in events if not crowds.for_event(it).is_full]


def _gap_candidates(
    conference: Conference, events: Iterable[Event], fitting: dict[int, GapFit], likes: Interests
) -> GapCandidates:
    within: dict[int, list[Event]] = defaultdict(list)
    tops = []
    for event in events:
        if event.pk in fitting and event.session_id in fitting:
            within[event.session_id].append(event)
        elif event.pk in fitting:
            tops.append(event)
    candidates = GapCandidates(fitting, tops, within, _poster_counts(conference, fitting, likes), likes)
    tops.sort(
        key=lambda it: (-_suggestion_score(it, candidates), fitting[it.pk].arrive, -fitting[it.pk].minutes, it.title, it.pk)
    )
    return candidates


def _fits_by_key(gaps: Sequence[Gap], mine: Sequence[TimeSlot], others: Sequence[TimeSlot], walks: Walks) -> dict[int, GapFit]:
    """By id, the fit with the most minutes."""
    fits = [fit for gap in gaps for fit in gap_fits(gap, others, mine, walks)]
    return {fit.key: fit for fit in sorted(fits, key=lambda fit: fit.minutes) if isinstance(fit.key, int)}


def _poster_counts(conference: Conference, fitting: Mapping[int, GapFit], likes: Interests) -> dict[int, int]:
    """By session, the number of posters about topics of the bookmarks."""
    posters = Event.objects.public().filter(conference=conference, session__in=list(fitting)).of_kind(Kind.POSTER)
    alike = (
        posters.exclude(status=Status.CANCELLED)
        .annotate(shared_topic=EFFECTIVE_TOPIC)
        .filter(shared_topic__in=list(likes.topics))
    )
    return dict(alike.order_by().values_list("session").annotate(n=Count("pk")))


def _suggestion_score(event: Event, candidates: GapCandidates) -> int:
    """A session scores as its best part."""
    inside = [candidates.likes.score(it) for it in candidates.inside.get(event.pk, [])]
    return max([candidates.likes.score(event), *inside, min(candidates.posters.get(event.pk, 0), 10)])


def _open_service_keys(conference: Conference, span: Span) -> list[int]:
    """Breaks first, then services."""
    on = _events_during(conference, span).of_kind(Kind.BREAK, Kind.SERVICE).filter(session=None)
    return list(on.order_by("type__kind", "start", "title", "pk").values_list("pk", flat=True)[:MAX_OPEN_SERVICES])


def _gap_suggestion(card: Card, candidates: GapCandidates, clock: Clock) -> GapSuggestion:
    event, likes = next(it for it in candidates.tops if it.pk == card.event.pk), candidates.likes
    inside = sorted(candidates.inside.get(event.pk, []), key=lambda it: -likes.score(it))[:MAX_SUGGESTION_PARTS]
    parts = [
        _suggestion_part(part, card.event.conference, candidates, clock)
        for part in sorted(inside, key=lambda it: (it.start or candidates.fits[it.pk].arrive, it.title))
    ]
    why = likes.reasons(event)
    if n := candidates.posters.get(event.pk, 0):
        why.append(f"{n} of its posters {'are' if n > 1 else 'is'} about topics you picked")
    return GapSuggestion(
        card, fit_text(candidates.fits[event.pk], event), why, parts, len(candidates.inside.get(event.pk, [])) - len(parts)
    )


def _suggestion_part(event: Event, conference: Conference, candidates: GapCandidates, clock: Clock) -> SuggestionPart:
    event.conference = conference
    parts = [time_left_text(candidates.fits[event.pk], event), *(["near your picks"] if candidates.likes.score(event) else [])]
    return SuggestionPart(
        BookmarkButton(event, bookmarked=False), event, with_pinned_time(event.get_absolute_url(), clock), " · ".join(parts)
    )


@dataclass(frozen=True)
class Transition:
    """The free time before a row of an agenda, and the walk to it."""

    minutes: int
    walk_minutes: int | None
    walk_covered: bool | None
    walk_to: str
    verdict: str
    sentence: str
    # With what it is asked what fits in it; nothing for one too short.
    fill: str = ""


def transition_before(walk_to: str, free: FreeTime | None, needs: Needs, clock: Clock) -> Transition | None:
    """``walk_to`` is the name of the room; None where there is nothing to say."""
    sentence = _free_time_text(free, walk_to, needs) if free else ""
    if free is None or not sentence:
        return None
    way, is_over = free.way, free.after.start is not None and free.after.start <= clock.now
    return Transition(
        minutes=whole_minutes(free.length),
        walk_minutes=way.minutes if way else None,
        walk_covered=way.covered if way else None,
        walk_to=walk_to,
        verdict="barred" if free.is_barred else "fine" if way else "",
        sentence=sentence,
        fill=gap_query(free.before.end, free.after.start, clock) if free.length >= MIN_FIT_TIME and not is_over else "",
    )


def _free_time_text(free: FreeTime, walk_to: str, needs: Needs) -> str:
    time, way = spoken_duration(free.length) if free.length else "", free.way
    to = f" to {walk_to}" if walk_to else ""
    if free.is_barred:
        return f"{time} · no step-free way known{to}" if time else f"No step-free route known{to}"
    if way and way.minutes:
        return ", ".join([" · ".join(filter(None, [time, f"{way.minutes} min walk{to}"])), *_way_facts(way, needs)])
    if time:
        return f"{time} free"
    if free.before.is_break or free.after.is_break:
        return ""
    return "Starts right after" if way else "No break · walk not known"


def _way_facts(way: Way, needs: Needs) -> Iterator[str]:
    """Known facts; unknown ones too if the visitor's needs depend on them."""
    if way.covered is not None:
        yield "covered" if way.covered else "outdoors"
    elif Need.DRY in needs:
        yield "may not be covered"
    if Need.STEP_FREE in needs:
        yield "step-free" if way.step_free else "may have steps"

"""Invited talks and socials by day, and recordings."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.db.models import Max, Q
from django.http import QueryDict

from events.agenda.models.agenda import Agenda
from events.agenda.models.bookmarks import BookmarkLevel
from events.core.clock import DAY_CHANGE, Clock, not_after_now
from events.pages.cards import Card, for_cards, make_cards
from events.programme.display import is_recording_public
from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.programme.models.labels import Kind
from events.programme.queries.changes import recently_moved_from
from events.programme.queries.events import full_or_closed_q
from events.programme.queries.filters import FilterOption, Filters, filter_events, filters_for, replaced_query
from events.programme.rules.days import by_day


@dataclass(frozen=True)
class SocialPage:
    days: list[tuple[dt.date | None, list[Card]]]
    filters: Filters
    hide_full: FilterOption | None
    any_asterisk: bool
    any_sign_up: bool
    changed_at: dt.datetime | None
    count: int


def invited_talks(conference: Conference, clock: Clock) -> list[tuple[dt.date | None, list[Card]]]:
    talks = Event.objects.public().filter(conference=conference).of_kind(Kind.INVITED_TALK)
    return by_day(_list_cards(list(for_cards(talks).in_order()), clock))


UNDATED = "none"
"""The value of ``day`` for what has no day yet."""
UNDATED_PER_PAGE = 100
WITHOUT_DAY = Q(day=None) & (Q(session=None) | Q(session__day=None) & ~Q(type__kind=Kind.POSTER))
"""What no page of a day lists; posters of a session are found in it."""


def undated_page(conference: Conference, clock: Clock, query: QueryDict) -> tuple[Page[Event], list[Card]]:
    """What has no day yet, by title."""
    events = Event.objects.public().filter(WITHOUT_DAY, conference=conference)
    page = Paginator(for_cards(events).order_by("title", "pk"), UNDATED_PER_PAGE).get_page(query.get("page"))
    return page, _list_cards(list(page), clock)


def socials(conference: Conference, clock: Clock, query: QueryDict) -> SocialPage:
    everything = Event.objects.public().filter(conference=conference).of_kind(Kind.SOCIAL)
    hiding = bool(query.get("places"))
    shown = filter_events(everything, query)
    full = full_or_closed_q(clock.now)
    n_full = shown.filter(full).count()
    cards = _list_cards(list(for_cards(shown.exclude(full) if hiding else shown).in_order()), clock)
    hide = FilterOption("Hide what is full", "1", replaced_query(query, "places", "" if hiding else "1"), hiding, n_full)
    return SocialPage(
        days=by_day(cards),
        filters=filters_for(everything, query, conference),
        hide_full=hide if n_full or hiding else None,
        any_asterisk=any(card.asterisk for card in cards),
        any_sign_up=any(card.signup_text or card.signup_url for card in cards),
        changed_at=everything.aggregate(last=Max("revised_at"))["last"],
        count=len(cards),
    )


def _list_cards(events: Sequence[Event], clock: Clock) -> list[Card]:
    return make_cards(events, clock, moved=recently_moved_from(events, clock))


@dataclass(frozen=True)
class Recording:
    """A link that works already, or the date from which it will."""

    url: str
    available_from: dt.date | None
    offset_text: str

    @property
    def is_available(self) -> bool:
        return bool(self.url)


@dataclass(frozen=True)
class WatchLaterRow:
    card: Card
    recording: Recording | None
    # The date has come, and there is no link.
    overdue: bool = False
    level: str = BookmarkLevel.LATER

    @property
    def is_ready(self) -> bool:
        return self.recording is not None and self.recording.is_available


def recording_of(event: Event, clock: Clock) -> Recording | None:
    if not event.recording_url and not event.recording_from:
        return None
    minutes, seconds = divmod(event.recording_offset or 0, 60)
    url = event.recording_url if is_recording_public(event, clock) else ""
    return Recording(url, event.recording_from, f"{minutes}:{seconds:02}" if event.recording_offset else "")


def watch_later_rows(cards: Iterable[Card], clock: Clock) -> list[WatchLaterRow]:
    """Available ones first, then by date; those without a date come last."""
    return sorted((_watch_later_row(card, clock) for card in cards), key=_watch_later_order)


def _watch_later_row(card: Card, clock: Clock) -> WatchLaterRow:
    recording = recording_of(card.event, clock)
    date = recording.available_from if recording and not recording.url else None
    return WatchLaterRow(card, recording, overdue=date is not None and date <= not_after_now(clock).today)


def _watch_later_order(row: WatchLaterRow) -> tuple[bool, bool, dt.date]:
    date = row.recording.available_from if row.recording else None
    return not row.is_ready, date is None, date or dt.date.min


def ready_recordings(cards: Iterable[Card], levels: Mapping[int, str], clock: Clock) -> list[WatchLaterRow]:
    """What can be watched now of these bookmarks, by time: saved for later, or over."""
    rows = [
        WatchLaterRow(card, recording_of(card.event, clock), level=level)
        for card in cards
        if (level := levels.get(card.event.pk, "")) == BookmarkLevel.LATER or _is_over(card, clock)
    ]
    return [row for row in rows if row.is_ready]


def ready_count(agenda: Agenda, clock: Clock) -> int:
    """As many as ``ready_recordings`` once the conference is over, without their cards."""
    wanted = [
        it.pk for it in agenda.bookmarked_events.values() if it.is_recorded and (it.date or it.level == BookmarkLevel.LATER)
    ]
    recorded = Event.objects.filter(pk__in=wanted).only("recording_url", "recording_from") if wanted else ()
    return sum(is_recording_public(event, clock) for event in recorded)


def _is_over(card: Card, clock: Clock) -> bool:
    if card.end is not None:
        return card.end <= clock.now
    return card.day is not None and card.day < clock.today


def watchable_events(agenda: Agenda, clock: Clock) -> list[Event]:
    later = Event.objects.public().bookmarked_in(agenda.pk, BookmarkLevel.LATER)
    found = [event for event in later.select_related("conference") if is_recording_public(event, clock)]
    return sorted(found, key=lambda event: (recording_opened_at(event, clock), event.pk), reverse=True)


def recording_opened_at(event: Event, clock: Clock) -> dt.datetime:
    """Its date, or the moment at which the link was added, if that is later."""
    date = event.recording_from
    opens = dt.datetime.combine(date, DAY_CHANGE, clock.venue_zone) if date else event.revised_at
    return max(opens, event.revised_at)

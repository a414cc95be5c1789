"""The programme in a frame of another site: a day, or what is on now and next."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import urlencode

from django import forms
from django.http import QueryDict

from events.core.clock import Clock
from events.pages.cards import Card, make_cards, read_cards
from events.pages.queries.overview import MAX_NEXT_EVENTS, next_events, running_events, subjects_of
from events.pages.queries.schedule import events_of_day, top_level_events
from events.programme.models.conference import Conference
from events.programme.models.event import EventQuerySet
from events.programme.models.labels import EventType, Track
from events.programme.models.venue import Room
from events.programme.queries.days import DayLink, day_links, day_subjects, day_to_open
from events.programme.queries.filters import filter_events, with_room_numbers
from events.programme.queries.public_names import only_public

MAX_EMBED_ROWS = 300
VIEW_CHOICES = {"schedule": "A day of the programme", "now": "What is on, and what is next"}
FRAME_FILTERS = ("type", "track", "room")
THEME_CHOICES = {"light": "Light", "dark": "Dark"}


class EmbedForm(forms.Form):
    """What a site maker chose. A value that is not known is left out, with a sentence, so that the frame is never empty."""

    view = forms.ChoiceField(choices=list(VIEW_CHOICES.items()), required=False)
    day = forms.ChoiceField(required=False)
    type = forms.ChoiceField(required=False)
    track = forms.ChoiceField(required=False)
    room = forms.ChoiceField(required=False)
    theme = forms.ChoiceField(choices=list(THEME_CHOICES.items()), required=False)

    def __init__(self, query: QueryDict, conference: Conference, days: Iterable[DayLink], *, lists_all: bool = False) -> None:
        """Reads the types, tracks or rooms that are asked for, or all of them."""
        super().__init__(with_room_numbers(conference, query))
        labels = {name: _choices_of(name, conference) if lists_all or query.get(name) else [] for name in FRAME_FILTERS}
        self.choices: dict[str, list[tuple[str, str]]] = {
            "view": list(VIEW_CHOICES.items()),
            "day": [(link.date.isoformat(), str(link.day)) for link in days],
            **labels,
            "theme": list(THEME_CHOICES.items()),
        }
        for name in ("day", *FRAME_FILTERS):
            self.fields[name] = forms.ChoiceField(choices=self.choices[name], required=False)

    def chosen(self, name: str) -> str:
        self.is_valid()
        return str(self.cleaned_data.get(name, ""))

    def filtered(self, events: EventQuerySet) -> EventQuerySet:
        return filter_events(events, self.filters) if self.filters else events

    @cached_property
    def filters(self) -> QueryDict:
        """Without values that are not known: those are named in a sentence, and the frame is not empty."""
        chosen = QueryDict(mutable=True)
        chosen.update({name: self.chosen(name) for name in FRAME_FILTERS if self.chosen(name)})
        return chosen

    @property
    def problems(self) -> list[str]:
        return [self._problem(name) for name in self.errors]

    def _problem(self, name: str) -> str:
        known = ", ".join(value for value, _ in self.choices[name]) or "none"
        return f"{name}={self.data[name][:40]} is not known here. Known are: {known}."


@dataclass(frozen=True)
class EmbedGroup:
    """Rows under one heading: On now, or Next; of a day, all without one."""

    heading: str
    cards: list[Card]


@dataclass(frozen=True)
class EmbedPage:
    form: EmbedForm
    groups: list[EmbedGroup]
    subjects: frozenset[str] | None
    day: DayLink | None = None
    days: list[tuple[DayLink, str]] = field(default_factory=list)
    more: int = 0

    @property
    def theme(self) -> str:
        return self.form.chosen("theme")

    @property
    def is_now(self) -> bool:
        return self.form.chosen("view") == "now"


def _choices_of(name: str, conference: Conference) -> list[tuple[str, str]]:
    if name == "room":
        return [(str(it.pk), it.name) for it in only_public(Room.objects.filter(conference=conference))]
    if name == "track":
        return [(it.slug, it.name) for it in only_public(Track.objects.filter(conference=conference))]
    return [(it.slug, it.name) for it in only_public(EventType.objects.filter(conference=conference))]


def filled_days(conference: Conference, clock: Clock) -> list[DayLink]:
    return [link for link in day_links(conference, clock) if link.count]


def embed_choices(conference: Conference, clock: Clock) -> dict[str, list[tuple[str, str]]]:
    """Return the values of each parameter, with what they mean."""
    return EmbedForm(QueryDict(), conference, filled_days(conference, clock), lists_all=True).choices


def embed_page(conference: Conference, clock: Clock, query: QueryDict) -> EmbedPage:
    days = filled_days(conference, clock)
    form = EmbedForm(query, conference, days)
    return (
        _now_and_next(conference, clock, form, days)
        if form.chosen("view") == "now"
        else _day_of_programme(conference, clock, form, days)
    )


def _now_and_next(conference: Conference, clock: Clock, form: EmbedForm, days: Sequence[DayLink]) -> EmbedPage:
    running = form.filtered(running_events(conference, clock))
    on_now = make_cards(read_cards(running.in_order()[:MAX_EMBED_ROWS], conference), clock)
    coming = make_cards(read_cards(form.filtered(next_events(conference, clock))[:MAX_NEXT_EVENTS], conference), clock)
    groups = [EmbedGroup(heading, cards) for heading, cards in [("On now", on_now), ("Next", coming)] if cards]
    more = running.count() - len(on_now) if len(on_now) == MAX_EMBED_ROWS else 0
    return EmbedPage(form, groups, subjects_of(on_now, coming, days, clock), more=more)


def _day_of_programme(conference: Conference, clock: Clock, form: EmbedForm, days: Sequence[DayLink]) -> EmbedPage:
    asked = form.chosen("day")
    shown = next((link for link in days if link.date.isoformat() == asked), None) or day_to_open(days, clock)
    if shown is None:
        return EmbedPage(form, [], None)
    cards, more = _cards(conference, clock, shown, form)
    links = [(link, _day_query(form, link)) for link in days] if len(days) > 1 else []
    groups = [EmbedGroup("", cards)] if cards else []
    # A frame shows nothing of earlier days.
    return EmbedPage(form, groups, day_subjects(shown, []), shown, links, more)


def _cards(conference: Conference, clock: Clock, shown: DayLink, form: EmbedForm) -> tuple[list[Card], int]:
    """Sessions without what is inside them; of one type, track or room, wherever they are."""
    events = events_of_day(shown.day)
    chosen = form.filtered(events) if form.filters else top_level_events(events)
    rows = read_cards(chosen.in_order()[:MAX_EMBED_ROWS], conference)
    more = chosen.count() - len(rows) if len(rows) == MAX_EMBED_ROWS else 0
    return make_cards(rows, clock), more


def _day_query(form: EmbedForm, link: DayLink) -> str:
    kept = {name: form.chosen(name) for name in (*FRAME_FILTERS, "theme") if form.chosen(name)}
    return f"?{urlencode({'day': link.date.isoformat()} | kept)}"

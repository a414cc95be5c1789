"""The programme in a frame of another site: a day, or what is on now and next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlencode

from django import forms

from events.core.clock import Clock
from events.pages.cards import Card, make_cards, read_cards
from events.pages.queries.overview import MAX_NEXT_EVENTS, next_events, running_events, subjects_of
from events.pages.queries.schedule import events_of_day, top_level_events
from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.programme.models.labels import EventType
from events.programme.queries.days import DayLink, day_links, day_to_open
from events.programme.rules.subjects import day_subject

MAX_EMBED_ROWS = 300
VIEW_CHOICES = {"schedule": "A day of the programme", "now": "What is on, and what is next"}
THEME_CHOICES = {"light": "Light", "dark": "Dark"}


class EmbedForm(forms.Form):
    """What a site maker chose. A value that is not known is left out, with a sentence, so that the frame is never empty."""

    view = forms.ChoiceField(choices=list(VIEW_CHOICES.items()), required=False)
    day = forms.ChoiceField(required=False)
    type = forms.ChoiceField(required=False)
    theme = forms.ChoiceField(choices=list(THEME_CHOICES.items()), required=False)

    def __init__(self, query: Mapping[str, str], days: Iterable[DayLink], types: Iterable[EventType]) -> None:
        super().__init__(query)
        self.choices: dict[str, list[tuple[str, str]]] = {
            "view": list(VIEW_CHOICES.items()),
            "day": [(link.date.isoformat(), str(link.day)) for link in days],
            "type": [(it.slug, it.name) for it in types],
            "theme": list(THEME_CHOICES.items()),
        }
        for name in ("day", "type"):
            self.fields[name] = forms.ChoiceField(choices=self.choices[name], required=False)

    def chosen(self, name: str) -> str:
        self.is_valid()
        return str(self.cleaned_data.get(name, ""))

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


def public_types(conference: Conference) -> list[EventType]:
    used = Event.objects.public().filter(conference=conference).order_by().values("type")
    return list(EventType.objects.filter(pk__in=used).order_by("position", "name"))


def filled_days(conference: Conference, clock: Clock) -> list[DayLink]:
    return [link for link in day_links(conference, clock) if link.count]


def embed_choices(conference: Conference, clock: Clock) -> dict[str, list[tuple[str, str]]]:
    """Return the values of each parameter, with what they mean."""
    return EmbedForm({}, filled_days(conference, clock), public_types(conference)).choices


def embed_page(conference: Conference, clock: Clock, query: Mapping[str, str]) -> EmbedPage:
    days = filled_days(conference, clock)
    form = EmbedForm(query, days, public_types(conference))
    return (
        _now_and_next(conference, clock, form, days)
        if form.chosen("view") == "now"
        else _day_of_programme(conference, clock, form, days)
    )


def _now_and_next(conference: Conference, clock: Clock, form: EmbedForm, days: Sequence[DayLink]) -> EmbedPage:
    wanted = {"type__slug": form.chosen("type")} if form.chosen("type") else {}
    running = running_events(conference, clock).filter(**wanted)
    on_now = make_cards(read_cards(running.in_order()[:MAX_EMBED_ROWS], conference), clock)
    coming = make_cards(read_cards(next_events(conference, clock).filter(**wanted)[:MAX_NEXT_EVENTS], conference), clock)
    groups = [EmbedGroup(heading, cards) for heading, cards in [("On now", on_now), ("Next", coming)] if cards]
    more = running.count() - len(on_now) if len(on_now) == MAX_EMBED_ROWS else 0
    return EmbedPage(form, groups, subjects_of(on_now, coming, days, clock), more=more)


def _day_of_programme(conference: Conference, clock: Clock, form: EmbedForm, days: Sequence[DayLink]) -> EmbedPage:
    asked = form.chosen("day")
    shown = next((link for link in days if link.date.isoformat() == asked), None) or day_to_open(days, clock)
    if shown is None:
        return EmbedPage(form, [], None)
    cards, more = _cards(conference, clock, shown, form.chosen("type"))
    links = [(link, _day_query(form, link)) for link in days] if len(days) > 1 else []
    groups = [EmbedGroup("", cards)] if cards else []
    return EmbedPage(form, groups, frozenset({day_subject(shown.date)}), shown, links, more)


def _cards(conference: Conference, clock: Clock, shown: DayLink, wanted: str) -> tuple[list[Card], int]:
    """Sessions without what is inside them; of one type, wherever they are."""
    events = events_of_day(shown.day)
    chosen = events.filter(type__slug=wanted) if wanted else top_level_events(events)
    rows = read_cards(chosen.in_order()[:MAX_EMBED_ROWS], conference)
    more = chosen.count() - len(rows) if len(rows) == MAX_EMBED_ROWS else 0
    return make_cards(rows, clock), more


def _day_query(form: EmbedForm, link: DayLink) -> str:
    kept = {name: form.chosen(name) for name in ("type", "theme") if form.chosen(name)}
    return f"?{urlencode({'day': link.date.isoformat()} | kept)}"

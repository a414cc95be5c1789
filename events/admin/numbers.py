"""The page with numbers about a conference, and its tables as CSV."""

from __future__ import annotations

import csv
import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils import timezone

from events.admin.base.model_admin import HallwayAdmin
from events.admin.base.scope import default_conference
from events.admin.charts import ColumnChart, bar_length
from events.agenda.queries.numbers import EventBookmarks, agendas_begun, bookmarked_events, summed
from events.agenda.rules.numbers import Figure
from events.calendars.health import feeds_by_client
from events.core.parsing.cells import escape_formula
from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.search.models import MissedSearch

MAX_EVENT_BARS = 20
MAX_WORD_ROWS = 50
MAX_DATE_COLUMNS = 30
BAR_WIDTH = 200
Row = Sequence[str]


@dataclass(frozen=True)
class Bar:
    figure: Figure
    width: int


def bars(figures: Sequence[Figure]) -> list[Bar]:
    highest = max((figure.shown for figure in figures), default=0)
    return [Bar(figure, bar_length(figure, highest, BAR_WIDTH)) for figure in figures]


def _date(date: dt.date) -> str:
    return f"{date:%a} {date.day} {date:%b}"


class Numbers:
    """What is counted for one conference, read when it is asked for."""

    def __init__(self, conference: Conference) -> None:
        self.conference = conference

    @cached_property
    def _events(self) -> list[EventBookmarks]:
        return bookmarked_events(self.conference)

    @cached_property
    def bookmarks(self) -> Figure:
        return Figure("Bookmarks", sum(row.bookmarks for row in self._events), is_sum=True)

    @cached_property
    def events(self) -> list[Figure]:
        return [Figure(row.event.title, row.bookmarks) for row in self._events if row.bookmarks]

    @cached_property
    def types(self) -> list[Figure]:
        sums = summed(self._events, lambda event: event.type.plural or event.type.name)
        return [Figure(name, count, is_sum=True) for name, count in sums.most_common() if count]

    @cached_property
    def days(self) -> list[Figure]:
        sums = summed(self._events, lambda event: event.day.date if event.day else None)
        return [Figure(_date(date), sums[date], is_sum=True) for date in sorted(sums)]

    @cached_property
    def hours(self) -> dict[dt.date, list[Figure]]:
        """Of each day, the hours from the first to the last that has an event on any day."""
        sums = summed(self._events, self._hour)
        hours = range(min((hour for _, hour in sums), default=0), max((hour for _, hour in sums), default=-1) + 1)
        return {
            date: [Figure(f"{hour % 24:02}", sums[date, hour], is_sum=True) for hour in hours]
            for date in sorted({date for date, _ in sums})
        }

    def _hour(self, event: Event) -> tuple[dt.date, int] | None:
        """The day and the hour in which it begins, counted on after midnight: 01:00 is the hour 25 of the evening before."""
        if event.start is None or event.day is None:
            return None
        start = event.start.astimezone(self.conference.zone)
        return event.day.date, start.hour + (start.date() - event.day.date).days * 24

    @cached_property
    def hour_charts(self) -> list[ColumnChart]:
        highest = max((figure.shown for figures in self.hours.values() for figure in figures), default=0)
        return [ColumnChart(_date(date), figures, highest) for date, figures in self.hours.items()]

    @cached_property
    def _begun(self) -> dict[dt.date, int]:
        return agendas_begun(self.conference)

    @cached_property
    def agendas(self) -> Figure:
        return Figure("Agendas", sum(self._begun.values()), is_sum=True)

    @cached_property
    def begun(self) -> list[Figure]:
        """Every date from the first to the last on which an agenda was begun."""
        first, last = min(self._begun, default=None), max(self._begun, default=None)
        if first is None or last is None:
            return []
        dates = [first + dt.timedelta(days=number) for number in range((last - first).days + 1)]
        return [Figure(f"{date.day} {date:%b}", self._begun.get(date, 0)) for date in dates]

    @cached_property
    def begun_chart(self) -> ColumnChart | None:
        latest = self.begun[-MAX_DATE_COLUMNS:]
        return ColumnChart("Agendas begun", latest, max(figure.shown for figure in latest)) if latest else None

    @cached_property
    def clients(self) -> list[Figure]:
        return [Figure(name, feeds) for name, feeds in feeds_by_client(self.conference, timezone.now())]

    @cached_property
    def words(self) -> list[MissedSearch]:
        return MissedSearch.objects.most_asked(self.conference)

    # The tables as files

    def events_table(self) -> list[Row]:
        rows = [[*self._event_cells(row.event), Figure("", row.bookmarks).text] for row in self._events]
        return [["Event", "Type", "Day", "Start", "Bookmarks"], *rows]

    def _event_cells(self, event: Event) -> Row:
        start = event.start.astimezone(self.conference.zone) if event.start else None
        return [event.title, event.type.name, str(event.day.date if event.day else ""), f"{start:%H:%M}" if start else ""]

    def types_table(self) -> list[Row]:
        return [["Type", "Bookmarks"], *([figure.label, figure.text] for figure in self.types)]

    def hours_table(self) -> list[Row]:
        cells = [[str(date), f"{figure.label}:00", figure.text] for date, figures in self.hours.items() for figure in figures]
        return [["Day", "Hour", "Bookmarks"], *cells]

    def agendas_table(self) -> list[Row]:
        rows = [[str(date), Figure("", count).text] for date, count in sorted(self._begun.items())]
        return [["Date", "Agendas begun"], *rows]

    def calendars_table(self) -> list[Row]:
        return [["Program", "Feeds"], *([figure.label, figure.text] for figure in self.clients)]

    def words_table(self) -> list[Row]:
        return [["Words", "Asked by at least", "Last on"], *([it.words, str(it.askers), str(it.last_on)] for it in self.words)]


NUMBER_TABLES: dict[str, Callable[[Numbers], list[Row]]] = {
    "events": Numbers.events_table,
    "types": Numbers.types_table,
    "hours": Numbers.hours_table,
    "agendas": Numbers.agendas_table,
    "calendars": Numbers.calendars_table,
    "words": Numbers.words_table,
}


NUMBERS_PERMISSIONS = ("events.view_conference", "events.view_event")


class ConferenceNumbersAdmin(HallwayAdmin):
    """Adds the page to the admin of conferences. It counts bookmarks, so it needs the permission to see all events."""

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        return [
            path("numbers/", wrap(self.numbers_view), name="events_conference_numbers"),
            path("numbers/<slug:name>.csv", wrap(self.numbers_csv_view), name="events_conference_numbers_csv"),
            *super().get_urls(),
        ]

    def _asked_conference(self, request: HttpRequest) -> Conference:
        if not request.user.has_perms(NUMBERS_PERMISSIONS):
            raise PermissionDenied
        conference = default_conference(request)
        if conference is None:
            raise Http404
        return conference

    def numbers_view(self, request: HttpRequest) -> HttpResponse:
        conference = self._asked_conference(request)
        if request.method not in {"GET", "HEAD"}:
            return HttpResponseNotAllowed(["GET", "HEAD"])
        request.current_app = self.admin_site.name
        with timezone.override(conference.zone):
            return TemplateResponse(request, "admin/numbers.html", self._numbers_context(request, conference)).render()

    def _numbers_context(self, request: HttpRequest, conference: Conference) -> dict[str, Any]:
        numbers = Numbers(conference)
        return {
            **self.admin_site.each_context(request),
            "title": f"Numbers of {conference}",
            "opts": self.opts,
            "conference": conference,
            "shown_conference": conference,
            "numbers": numbers,
            "event_bars": bars(numbers.events[:MAX_EVENT_BARS]),
            "more_events": max(0, len(numbers.events) - MAX_EVENT_BARS),
            "type_bars": bars(numbers.types),
            "day_bars": bars(numbers.days),
            "client_bars": bars(numbers.clients),
            "words": numbers.words[:MAX_WORD_ROWS],
            "bar_width": BAR_WIDTH,
        }

    def numbers_csv_view(self, request: HttpRequest, name: str) -> HttpResponse:
        conference = self._asked_conference(request)
        if name not in NUMBER_TABLES:
            raise Http404
        if request.method not in {"GET", "HEAD"}:
            return HttpResponseNotAllowed(["GET", "HEAD"])
        # Without a byte order mark Excel does not read the file as UTF-8.
        response = HttpResponse("\ufeff", content_type="text/csv; charset=utf-8")
        response["Content-Disposition"] = f'attachment; filename="{conference.slug}-{name}.csv"'
        rows = NUMBER_TABLES[name](Numbers(conference))
        csv.writer(response).writerows([escape_formula(cell) for cell in row] for row in rows)
        return response

"""Columns of the lists of events."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.contrib import admin
from django.db import models
from django.db.models import Count, F, OuterRef, Subquery
from django.db.models.functions import Coalesce
from django.utils.html import format_html

from events.admin.times import span_words
from events.models import Bookmark, Event


def with_bookmarks(events: Any) -> Any:
    """How many have each event in their agenda now, in the query of the list itself."""
    live = Bookmark.objects.filter(event=OuterRef("pk"), removed_at=None).order_by().values("event").annotate(n=Count("pk"))
    return events.annotate(bookmark_count=Coalesce(Subquery(live.values("n"), output_field=models.IntegerField()), 0))


class EventColumns:
    @admin.display(description="day", ordering="day__date", empty_value="to be announced")
    def on_day(self, event: Event) -> str | None:
        return f"{event.day.date:%a} {event.day.date.day} {event.day.date:%b}" if event.day else None

    @admin.display(description="venue time", ordering="start")
    def at_time(self, event: Event) -> str:
        zone = event.conference.zone
        words = span_words(event.start, event.end, zone)
        if event.start is None:
            return words
        start = event.start.astimezone(dt.UTC).isoformat()
        return format_html(
            '<time datetime="{}">{}</time><span class="hallway-zone">{}</span>', start, words, event.conference.zone_name
        )

    @admin.display(description="room", ordering=F("room__name").asc(nulls_last=True))
    def in_room(self, event: Event) -> str:
        return event.room.name if event.room else event.place or "—"

    @admin.display(description="status", ordering="status")
    def in_status(self, event: Event) -> str:
        word = event.get_status_display().partition(":")[0]
        return format_html('<span class="hallway-status" data-status="{}">{}</span>', event.status, word)

    @admin.display(description="people")
    def people(self, event: Event) -> str:
        return ", ".join(event.people_names) or "—"

    @admin.display(description="bookmarked", ordering="bookmark_count")
    def bookmarked(self, event: Any) -> int:
        count: int = event.bookmark_count
        return count

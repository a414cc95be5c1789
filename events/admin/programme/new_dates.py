"""What follows from other dates of a conference: its days, and the page that moves the whole programme."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any, cast

from django.contrib import messages
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from events.admin.base.times import long_date
from events.admin.programme.actions import ActionRefusedError, confirm_action
from events.admin.programme.more_action_forms import MoveProgrammeForm
from events.admin.programme.steps import ConferenceStepsAdmin
from events.programme.models.beginning import MAX_MADE_DAYS, FollowedDates, dates_of, follow_dates
from events.programme.models.conference import Conference, Day
from events.programme.models.event import Event


class NewDatesAdmin(ConferenceStepsAdmin):
    def get_urls(self) -> list[URLPattern]:
        return [path("<int:pk>/move/", self._step(self.move_view), name="events_conference_move"), *super().get_urls()]

    def move_view(self, request: HttpRequest, conference: Conference) -> HttpResponse:
        if not conference.events.exists():
            return self._done(request, conference, "Nothing was moved: this conference has no events yet.", messages.WARNING)
        form = partial(MoveProgrammeForm, initial={"days": request.GET.get("days")})
        events = self.admin_site.get_model_admin(Event)

        def applied(made: list[Event]) -> HttpResponse:
            # Not deleted here: an undo puts the events back on them.
            if empty := conference.days.filter(events=None).exclude(date__range=(conference.start, conference.end)):
                text = "Nothing is left on {}, outside the dates: delete that, once the move is to stay."
                self.message_user(request, format_html(text, _day_links(empty)), messages.WARNING)
            for sentence in _unmoved_dates(conference):
                self.message_user(request, sentence, messages.WARNING)
            return redirect("admin:events_conference_change", conference.pk)

        try:
            page = self._render_in_venue_time(
                conference, lambda: confirm_action(events, request, conference.events.all(), form, applied)
            )
        except ActionRefusedError as error:
            return self._done(request, conference, f"{error} Import the programme with its new dates.", messages.WARNING)
        return cast(HttpResponse, page)

    def follow_dates(self, request: HttpRequest, conference: Conference, before: Conference | None) -> None:
        """Make and delete days for the dates that changed since ``before``, and say where events stay on other dates."""
        days = follow_dates(conference, dates_of(before) if before else [])
        self._report_days(request, conference, days)
        if days.busy:
            by = conference.start - before.start if before else dt.timedelta()
            self.message_user(request, _unmoved_text(conference, days, by), messages.WARNING)

    def _report_days(self, request: HttpRequest, conference: Conference, days: FollowedDates) -> None:
        if days.is_too_long:
            text = (
                f"No days were made, because {conference} lasts longer than {MAX_MADE_DAYS} days: check its dates, or add days."
            )
            self.message_user(request, text, messages.WARNING)
        for verb, rows in [("Made", days.made), ("Deleted, because nothing was on them", days.deleted)]:
            if rows:
                self.message_user(request, f"{verb}: {days_text(rows)}.", messages.SUCCESS)
        if days.kept:
            text = "Outside the dates, but not deleted, because of a title, a note or an import: {}."
            self.message_user(request, format_html(text, _day_links(days.kept)), messages.WARNING)


def days_text(days: Sequence[Day]) -> str:
    return ", ".join(long_date(day.date) for day in days)


def _day_links(days: Iterable[Day]) -> SafeString:
    return format_html_join(", ", '<a href="{}">{}</a>', [(_url("day_change", day.pk), long_date(day.date)) for day in days])


def _unmoved_text(conference: Conference, days: FollowedDates, by: dt.timedelta) -> str:
    """Other dates move no event: where the events are for attendees, and how to move them."""
    rows = [
        (f"{count} event{'' if count == 1 else 's'}", _events_url(conference, day), long_date(day.date))
        for day, count in days.busy
    ]
    where = format_html_join(", ", '{} on <a href="{}">{}</a>', rows)
    remedy = "Open a day, choose its events, and move them with “Change day …” or “Move by minutes …”."
    if by:
        number = f"{abs(by.days)} day{'' if abs(by.days) == 1 else 's'}{' back' if by.days < 0 else ''}"
        url = _url("conference_move", conference.pk, query={"days": by.days})
        remedy = format_html('<a href="{}">Move the whole programme by {} …</a>, or open a day and move some of it.', url, number)
    reader = "the schedule has" if conference.is_draft else "attendees see"
    return format_html("No event was moved: outside the dates {} {}. {}", reader, where, remedy)


def _unmoved_dates(conference: Conference) -> Iterator[SafeString | str]:
    """Sentences about dates of the conference that a move of its events leaves as they are."""
    if conference.proposals_until:
        moment = conference.moment_text(conference.proposals_until)
        yield f"“Proposals until” stays {moment}: change it in this form if it is to move too."
    now = timezone.now()
    if coming := conference.announcements.filter(Q(until__gt=now) | Q(starts_at__gt=now)).count():
        one, many = "keeps its time: change it if it is to move too.", "keep their times: change them if they are to move too."
        url = _url("announcement_changelist", query={"conference__id__exact": conference.pk})
        number = f"{coming} announcement{'' if coming == 1 else 's'}"
        yield format_html('<a href="{}">{}</a> {}', url, number, one if coming == 1 else many)


def _events_url(conference: Conference, day: Day) -> str:
    return _url("event_changelist", query={"conference__id__exact": conference.pk, "day__id__exact": day.pk})


def _url(page: str, *args: Any, **parts: Any) -> str:
    return reverse(f"admin:events_{page}", args=args, **parts)

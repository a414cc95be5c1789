"""The pages of the timetable: the day, and the move of one event before it is saved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Q
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, QueryDict
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone

from events.admin.base.history import edit_conflict_text, row_digest
from events.admin.base.keys import is_key
from events.admin.base.model_admin import ROWS_GONE_MESSAGE
from events.admin.base.scope import default_conference
from events.admin.base.visible import SEES_ALL_PERMISSION, visible_to
from events.admin.programme.action_forms import ActionPlan
from events.admin.programme.actions import apply_plan, can_change_event, check_permissions, load_events, nested_events
from events.admin.programme.events import EventAutocompleteAdmin
from events.admin.programme.impact import SEEN_FIELD, clashes_of_plan, impact_context, plan_fingerprint, sign_up_notes
from events.admin.timetable.day import KEY_SEPARATOR, TimetableDay, TimetableEvent, event_token, timetable_of
from events.admin.timetable.moving import EVENT_FIELD, MoveEventForm
from events.core.clock import programme_date
from events.crowd.queries.pressure import day_to_show, pressure_days
from events.programme.models.conference import Conference, Day
from events.programme.models.event import Event

TIMETABLE_PERMISSIONS = (SEES_ALL_PERMISSION, "events.view_room")
STALE_MOVE_NOTE = "Nothing is saved yet. Check the move below, and save to keep it."


@dataclass
class PlannedMove:
    """The move of one event, as far as the answers allow; ``conflict`` says what somebody else changed meanwhile."""

    event: Event
    token: str
    form: MoveEventForm
    plan: ActionPlan | None
    conflict: str

    @property
    def changed(self) -> dict[int, Event]:
        return self.plan.changed if self.plan else {}

    def was_seen(self, posted: QueryDict) -> bool:
        return bool(self.changed) and not self.conflict and posted.get(SEEN_FIELD) == plan_fingerprint(self.changed)


class TimetableAdmin(EventAutocompleteAdmin):
    """The admin of all events, with the timetable. It shows drafts, so it needs the permission to see every session."""

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        return [
            path("timetable/", wrap(self.timetable_view), name="events_event_timetable"),
            path("move/", wrap(self.move_view), name="events_event_move"),
            *super().get_urls(),
        ]

    def timetable_view(self, request: HttpRequest) -> HttpResponse:
        _check_access(request)
        if request.method not in {"GET", "HEAD"}:
            return HttpResponseNotAllowed(["GET", "HEAD"])
        conference = default_conference(request)
        page: HttpResponse = self._render_in_venue_time(
            conference, lambda: self._page(request, "admin/timetable.html", self._timetable_context(request, conference))
        )
        return page

    def _timetable_context(self, request: HttpRequest, conference: Conference | None) -> dict[str, Any]:
        days = pressure_days(conference) if conference else []
        today = programme_date(timezone.now(), conference.zone) if conference else timezone.now().date()
        day = day_to_show(days, request.GET.get("day", ""), today)
        timetable = self._timetable(request, day) if day else None
        return {
            "title": "Timetable",
            "conference": conference,
            "shown_conference": conference,
            "days": days,
            "timetable": timetable,
            "chosen": (chosen := _chosen_item(timetable, request.GET.get("chosen", ""))),
            "form": _form_of(day, chosen) if day else None,
            "event_field": EVENT_FIELD,
        }

    def _timetable(self, request: HttpRequest, day: Day) -> TimetableDay:
        return timetable_of(
            day,
            lambda event: can_change_event(self, request, event),
            with_proposals=request.user.has_perm("events.view_proposal"),
        )

    def move_view(self, request: HttpRequest) -> HttpResponse:
        """Show what a move does; save it only once that was seen."""
        _check_access(request)
        if request.method not in {"GET", "HEAD", "POST"}:
            return HttpResponseNotAllowed(["GET", "HEAD", "POST"])
        posted = request.POST if request.method == "POST" else None
        key, _, opened = (request.GET if posted is None else posted).get(EVENT_FIELD, "").partition(KEY_SEPARATOR)
        event = _event_by_key(request, key)
        if event is None:
            self.message_user(request, ROWS_GONE_MESSAGE if key else "Choose the event to move.", messages.WARNING)
            return redirect("admin:events_event_timetable")
        page: HttpResponse = self._render_in_venue_time(event.conference, lambda: self._answer(request, event, opened, posted))
        return page

    def _answer(self, request: HttpRequest, event: Event, opened: str, posted: QueryDict | None) -> HttpResponse:
        if posted is not None:
            with transaction.atomic():
                # Locked before the event is read again, so that nobody changes it until it is saved.
                event.conference.lock()
                move = self._planned_move(request, event.pk, opened, posted)
                if move and move.plan and move.was_seen(posted):
                    apply_plan(self, request, move.plan, "Moved", move.form.cleaned_data["reason"])
                    return redirect(_timetable_url(move.event))
        # Outside the transaction, because counting all agendas takes time and would hold the lock.
        move = self._planned_move(request, event.pk, opened, _with_what_is_inside(request.GET) if posted is None else posted)
        if move is None:
            self.message_user(request, ROWS_GONE_MESSAGE, messages.WARNING)
            return redirect("admin:events_event_timetable")
        if move.plan and not move.changed:
            self.message_user(request, f"Nothing was changed: {move.plan.skipped[0]}.", messages.WARNING)
            return redirect(_timetable_url(move.event))
        return self._page(request, "admin/event_move.html", self._move_context(request, move))

    def _planned_move(self, request: HttpRequest, key: int, opened: str, answers: QueryDict) -> PlannedMove | None:
        event = load_events(Q(pk=key)).first()
        if event is None:
            return None
        conflict = f"{edit_conflict_text(event, opened)} {STALE_MOVE_NOTE}" if opened != row_digest(event, Event) else ""
        token, inside = event_token(event), nested_events([event])
        check_permissions(self, request, [event, *inside])
        form = MoveEventForm(answers, conference=event.conference, inside=len(inside))
        return PlannedMove(event, token, form, form.plan(event, inside), conflict)

    def _move_context(self, request: HttpRequest, move: PlannedMove) -> dict[str, Any]:
        clashes = clashes_of_plan(move.changed, request) if move.changed else []
        return {
            "title": "Before this is saved",
            "shown_conference": move.event.conference,
            "heading": "Move",
            "subtitle": move.event.title,
            "warning": move.conflict,
            "descriptions": move.plan.descriptions if move.plan else [],
            "impact": impact_context(move.changed) if move.changed else None,
            "notes": sign_up_notes(move.changed),
            "clashes": clashes,
            "form": move.form,
            "event_field": EVENT_FIELD,
            "token": move.token,
            "seen_field": SEEN_FIELD,
            "seen": plan_fingerprint(move.changed) if move.changed else "",
            "button": "Save anyway" if clashes else "Save",
            "timetable_url": _timetable_url(Event.objects.select_related("day", "conference").get(pk=move.event.pk)),
        }

    def _page(self, request: HttpRequest, template: str, context: dict[str, Any]) -> TemplateResponse:
        values = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "is_nav_sidebar_enabled": False,
            **context,
        }
        request.current_app = self.admin_site.name
        return TemplateResponse(request, template, values)


def _check_access(request: HttpRequest) -> None:
    if not request.user.has_perms(TIMETABLE_PERMISSIONS):
        raise PermissionDenied


def _event_by_key(request: HttpRequest, key: str) -> Event | None:
    events = visible_to(request, Event.objects.select_related("conference")).in_bulk([int(key)] if is_key(key) else [])
    return next(iter(events.values()), None)


def _with_what_is_inside(sent: QueryDict) -> QueryDict:
    """The answers of the timetable, which moves sessions with their talks."""
    answers = sent.copy()
    answers.setdefault("include", "on")
    return answers


def _chosen_item(timetable: TimetableDay | None, key: str) -> TimetableEvent | None:
    items = [item for _, items in timetable.movable for item in items] if timetable else []
    return next((item for item in items if str(item.event.pk) == key), None)


def _form_of(day: Day, chosen: TimetableEvent | None) -> MoveEventForm:
    form = MoveEventForm(None, conference=day.conference)
    form.label_suffix = ""
    form.initial["day"] = day.date
    if chosen:
        start = chosen.event.start
        form.initial["start"] = timezone.localtime(start).time() if start else None
        form.initial["room"] = chosen.event.room_id
    return form


def _timetable_url(event: Event) -> str:
    query = {"conference": event.conference_id}
    return reverse("admin:events_event_timetable", query=query | ({"day": event.day.date.isoformat()} if event.day else {}))

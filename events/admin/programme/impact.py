"""What planned changes of events do to agendas. Only counts leave this module, never visitors."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.db.models import Max, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone

from events.admin.base.clash_rows import ClashRow, clash_rows
from events.admin.base.fields import ReasonField
from events.admin.base.model_admin import HallwayAdmin
from events.admin.base.times import day_span_text
from events.admin.programme.action_forms import INCLUDE_LABEL, ActionPlan, quoted_title
from events.admin.programme.forms import BACK_BUTTON
from events.agenda.models.bookmarks import Bookmark, BookmarkLevel
from events.agenda.queries.change_preview import PREVIEW_FIELDS, ChangePreview, change_preview
from events.agenda.rules.impact import Impact, impact
from events.core.spans import ONE_MINUTE, Span, merge_spans
from events.crowd.queries.pressure import RoomCapacityCheck, check_room_capacity
from events.programme.models.event import Event, EventQuerySet
from events.programme.models.venue import Walk
from events.programme.queries.clashes import new_clashes
from events.programme.queries.events import for_slots
from events.programme.rules.walking import Walks

MAX_TIME_WINDOWS = 20
MAX_AGENDAS_IN_FILTER = 200


@dataclass(frozen=True)
class PlanImpact:
    """The planned changes, how many agendas they affect and how, and whether those fit into the room."""

    preview: ChangePreview
    counts: Impact
    seating: RoomCapacityCheck


def has_impact(planned: Mapping[int, Event]) -> bool:
    """Whether any agenda has one of the changed events. One quick query, because it runs under a lock."""
    return _attended_bookmarks(change_preview(planned).keys).exists()


def impact_of(planned: Mapping[int, Event], *, every_event: bool = False) -> PlanImpact | None:
    """None if no agenda has any of the changed events. The number of queries does not depend on the rows."""
    preview = change_preview(planned, every_event=every_event)
    agendas = _event_ids_by_agenda(preview.keys)
    if not agendas:
        return None
    conferences = {it.conference_id for it in (*preview.before.values(), *preview.after.values())}
    walks = _walks_of_conferences(conferences)
    near = list(for_slots(_events_near(conferences, preview.spans, walks)))
    before, after = preview.slots(near)
    _add_bookmarked_nearby(agendas, [it.pk for it in near])
    counts = impact(before, after, preview.keys, agendas.values(), walks)
    have = dict(zip(preview.keys, counts.event_counts, strict=True))
    return PlanImpact(preview, counts, check_room_capacity(preview, have, walks))


def _event_ids_by_agenda(events: Collection[int]) -> dict[int, set[int]]:
    agendas: dict[int, set[int]] = defaultdict(set)
    for agenda, event in _attended_bookmarks(events):
        agendas[agenda].add(event)
    return dict(agendas)


def _add_bookmarked_nearby(agendas: dict[int, set[int]], near: Collection[int]) -> None:
    """Add the bookmarks near the changes to agendas that have one of the changed events."""
    bookmarks = _attended_bookmarks(near)
    if len(agendas) <= MAX_AGENDAS_IN_FILTER:
        bookmarks = bookmarks.filter(agenda__in=list(agendas))
    # With both lists in one filter, a database looks up each agenda for each event.
    for agenda, event in bookmarks.iterator():
        if agenda in agendas:
            agendas[agenda].add(event)


def _attended_bookmarks(events: Collection[int]) -> QuerySet[Bookmark, tuple[int, int]]:
    """Agenda and event of bookmarks without "watch later", which needs no seat and has no conflicts."""
    attended = Bookmark.objects.filter(removed_at=None, event__in=events).exclude(level=BookmarkLevel.LATER)
    return attended.values_list("agenda_id", "event_id")


def _walks_of_conferences(conferences: Collection[int]) -> Walks:
    names = ("origin", "destination", "minutes", "minutes_back", "covered", "step_free")
    return Walks(Walk.objects.filter(conference__in=conferences).order_by("pk").values_list(*names))


def _events_near(conferences: Collection[int], spans: Collection[Span], walks: Walks) -> EventQuerySet:
    """Public events close enough to these times for a conflict, walks included."""
    events = Event.objects.public().filter(conference__in=conferences)
    travel = events.aggregate(longest=Max("travel_minutes"))["longest"] or 0
    reach = max(travel, walks.longest) * ONE_MINUTE
    windows = merge_spans((it.start - reach, it.end + reach) for it in spans)
    if len(windows) > MAX_TIME_WINDOWS:
        windows = [Span(windows[0].start, windows[-1].end)]
    within = Q(pk=None)
    for window in windows:
        within |= Q(start__lt=window.end, end__gt=window.start)
    return events.filter(within)


MAX_IMPACT_CHANGES = 8
MAX_IMPACT_ROOMS = 5


def plan_fingerprint(planned: Mapping[int, Event]) -> str:
    """A hash of the plan, to check that the page that was sent had shown the same plan."""
    values = [
        f"{pk} {name} {_field_text(getattr(event, name))}" for pk, event in sorted(planned.items()) for name in PREVIEW_FIELDS
    ]
    return hashlib.sha256("\n".join(values).encode("utf-8", "replace")).hexdigest()[:24]


def _field_text(value: Any) -> str:
    return value.astimezone(dt.UTC).isoformat() if isinstance(value, dt.datetime) else str(value)


def clashes_of_plan(planned: Mapping[int, Event], request: HttpRequest) -> list[ClashRow]:
    return clash_rows(new_clashes({event.conference for event in planned.values()}, planned), request)


def sign_up_notes(planned: Mapping[int, Event]) -> tuple[str, ...]:
    """Which events move to another start while the deadline of their sign-up stays."""
    dated = [pk for pk, event in planned.items() if event.signup_until and not event.is_cancelled]
    stored = Event.objects.filter(pk__in=dated).values_list("pk", "start", "signup_until") if dated else []
    moved = [planned[pk] for pk, start, until in stored if start != planned[pk].start and until == planned[pk].signup_until]
    return tuple(_sign_up_note(event, event.signup_until) for event in moved if event.signup_until)


def _sign_up_note(event: Event, until: dt.datetime) -> str:
    closes = "closed" if until <= timezone.now() else "closes"
    moment = event.conference.moment_text(until)
    return f"Sign-up of {quoted_title(event)} {closes} {moment}, which stays: change it in its form."


def impact_context(planned: Mapping[int, Event], *, every_event: bool = False) -> dict[str, Any] | None:
    """Context of ``admin/_impact.html``; None for a plan without impact. ``every_event`` counts those that do not move, too."""
    result = impact_of(planned, every_event=every_event)
    if result is None:
        return None
    changes = [(result.preview.title(pk), *_before_and_after(result.preview, pk)) for pk in result.preview.keys]
    changes.sort(key=lambda change: change[1] == change[2])
    return {
        "counts": list(_impact_counts(result.counts, result.preview)),
        "is_small": result.counts.is_small,
        "changes": changes[:MAX_IMPACT_CHANGES],
        "more_changes": len(changes[MAX_IMPACT_CHANGES:]),
        **_seating_context(result.seating),
    }


def _impact_counts(counts: Impact, preview: ChangePreview) -> list[tuple[str, str]]:
    """Numbers and texts, the worst for attendees first."""
    texts = [(counts.shown_total, "have it in their agenda" if len(preview.keys) == 1 else "have one of these in their agenda")]
    if counts.is_small:
        return texts
    if not all(event.is_cancelled for event in preview.after.values()):
        texts.append((counts.shown_count(counts.clash), "get a new clash"))
        texts.append((counts.shown_count(counts.late), "cannot get there in time"))
    better = [(counts.freed, "lose a clash"), (counts.in_time, "no longer arrive late")]
    return texts + [(counts.shown_count(number), words) for number, words in better if number]


def _before_and_after(preview: ChangePreview, pk: int) -> tuple[str, str]:
    before, after = preview.before.get(pk), preview.after.get(pk)
    return _time_place_and_status(before) if before else "hidden", _time_place_and_status(after) if after else "hidden"


def _time_place_and_status(event: Event) -> str:
    status = "" if event.status == "confirmed" else event.get_status_display().lower()
    return ", ".join(filter(None, [time_and_place(event), status]))


def time_and_place(event: Event) -> str:
    """Thu 24 Apr 09:00–10:00, Hall 1."""
    when = day_span_text(event.day.date if event.day else None, event.start, event.end, event.conference.zone)
    return ", ".join(filter(None, [when, event.place, event.room.name if event.room else ""]))


def _seating_context(seating: RoomCapacityCheck) -> dict[str, Any]:
    return {
        "short": seating.short[:MAX_IMPACT_CHANGES],
        "offers_rooms": seating.offers,
        "rooms": seating.freer[:MAX_IMPACT_ROOMS],
        "more_rooms": len(seating.freer[MAX_IMPACT_ROOMS:]),
        "room_count": sum(room.seats is not None for room in seating.freer),
        "unknown_count": sum(room.seats is None for room in seating.freer),
    }


SEEN_FIELD = "seen"
INCLUDE_FIELD = "include"
CANCEL_INSIDE_LABEL = "Cancel what is inside it too"
NOT_RESENT_FIELDS = {"csrfmiddlewaretoken", "reason", SEEN_FIELD, INCLUDE_FIELD}


class UnconfirmedError(Exception):
    """Nothing is saved: the organiser must first see the impact, and what is inside that can come along."""

    def __init__(self, planned: Mapping[int, Event], inside: ActionPlan) -> None:
        super().__init__()
        self.planned, self.inside = planned, inside


class ConfirmForm(forms.Form):
    include = forms.BooleanField(required=False)
    reason = ReasonField(
        help_text="Shown with the change to everyone who has the event: “The speaker's flight is late.” Optional."
    )

    def __init__(self, *args: Any, inside: int, cancels: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        stays = "1 talk inside: otherwise it stays" if inside == 1 else f"{inside} talks inside: otherwise they stay"
        where = "on all pages, in a session that is cancelled" if cancels else "behind, outside its time or in the former room"
        self.fields[INCLUDE_FIELD].label = CANCEL_INSIDE_LABEL if cancels else INCLUDE_LABEL
        self.fields[INCLUDE_FIELD].help_text = f"{stays} {where}."
        if not inside:
            del self.fields[INCLUDE_FIELD]


def takes_inside(request: HttpRequest) -> bool:
    """As the page before saving was answered; until it is shown, talks come along."""
    return SEEN_FIELD not in request.POST or INCLUDE_FIELD in request.POST


class ConfirmImpactAdmin(HallwayAdmin):
    """Shows the impact on attendees before an event is saved."""

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> Any:
        try:
            return super().changeform_view(request, object_id, form_url, extra_context)
        except UnconfirmedError as unseen:
            # The transaction is rolled back by now, so that counting eleven thousand agendas blocks nobody.
            event = next(iter(unseen.planned.values()))
            planned, inside = unseen.planned, unseen.inside
            return self._render_in_venue_time(event.conference, lambda: self._confirm_page(request, event, planned, inside))

    def require_confirmation(self, request: HttpRequest, form: Any, formsets: list[Any], inside: ActionPlan) -> dict[int, Event]:
        """The planned events. Raises UnconfirmedError if the page did not show their impact, or what can come along."""
        planned = planned_events(form, formsets) | (inside.changed if takes_inside(request) else {})
        if request.POST.get(SEEN_FIELD) != plan_fingerprint(planned) and (inside.changed or has_impact(planned)):
            raise UnconfirmedError(planned, inside)
        return planned

    def _confirm_page(self, request: HttpRequest, event: Event, planned: Mapping[int, Event], inside: ActionPlan) -> HttpResponse:
        answers = {"reason": request.POST.get("reason", ""), INCLUDE_FIELD: takes_inside(request)}
        context = {
            **self.admin_site.each_context(request),
            "title": "Before this is saved",
            "subtitle": event.title,
            "opts": self.opts,
            "media": self.media,
            "original": event,
            "is_popup": "_popup" in request.POST or "_popup" in request.GET,
            "impact": impact_context(planned),
            "clashes": clashes_of_plan(planned, request),
            "along": "What is cancelled too" if event.is_cancelled else "What comes along",
            "descriptions": inside.descriptions[:MAX_IMPACT_CHANGES] if takes_inside(request) else [],
            "more_descriptions": len(inside.descriptions[MAX_IMPACT_CHANGES:]),
            "notes": [*inside.skipped, *sign_up_notes(planned)],
            "form": ConfirmForm(initial=answers, inside=len(inside.changed), cancels=event.is_cancelled),
            "typed": list(posted_fields(request)),
            "seen_name": SEEN_FIELD,
            "seen": plan_fingerprint(planned),
            "back": BACK_BUTTON,
        }
        request.current_app = self.admin_site.name
        return TemplateResponse(request, "admin/event_confirm.html", context)


def planned_events(form: Any, formsets: list[Any]) -> dict[int, Event]:
    """Unsaved events by key: that of the form, and the changed ones of its formsets."""
    inside = [it for formset in formsets if issubclass(formset.model, Event) for it in formset.forms]
    rows = [form.instance, *(it.instance for it in inside if it.has_changed())]
    return {row.pk: row for row in rows if row.pk}


def posted_fields(request: HttpRequest) -> Iterator[tuple[str, str]]:
    """Names and values to send again, without the empty row for scripts."""
    for name, values in request.POST.lists():
        if name not in NOT_RESENT_FIELDS and "__prefix__" not in name:
            yield from ((name, str(value)) for value in values)

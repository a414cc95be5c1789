"""The page between the form of an event and saving it, wherever that touches somebody's agenda."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse

from events.admin.base import HallwayAdmin
from events.admin.event_forms import BACK, ReasonField
from events.admin.impact import clashes_of_plan, context_of, fingerprint
from events.models import Event
from events.queries.impact import touches

SEEN = "seen"
ASKED_ANEW = {"csrfmiddlewaretoken", "reason", SEEN}


class UnseenError(Exception):
    """Nothing was saved: first the organiser is to see what it would do."""

    def __init__(self, planned: Mapping[int, Event]) -> None:
        super().__init__()
        self.planned = planned


class ReasonForm(forms.Form):
    reason = ReasonField(
        help_text="All who have it read this beside the change: “The speaker's flight is late.” It may stay empty."
    )


class Confirming(HallwayAdmin):
    """Shows what a change does to attendees before it is saved."""

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> Any:
        try:
            return super().changeform_view(request, object_id, form_url, extra_context)
        except UnseenError as unseen:
            # What was begun is undone by now: counting eleven thousand agendas holds nobody up.
            event = next(iter(unseen.planned.values()))
            planned = unseen.planned
            return self._at_venue(event.conference, lambda: self._confirm_page(request, event, planned))

    def look_first(self, request: HttpRequest, form: Any, formsets: list[Any]) -> None:
        """Go on only with what touches nobody, or was seen."""
        planned = planned_in(form, formsets)
        if request.POST.get(SEEN) != fingerprint(planned) and touches(planned):
            raise UnseenError(planned)

    def _confirm_page(self, request: HttpRequest, event: Event, planned: Mapping[int, Event]) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "title": "Before this is saved",
            "subtitle": event.title,
            "opts": self.opts,
            "media": self.media,
            "original": event,
            "is_popup": "_popup" in request.POST or "_popup" in request.GET,
            "impact": context_of(planned),
            "clashes": clashes_of_plan(planned, request),
            "form": ReasonForm(initial={"reason": request.POST.get("reason", "")}),
            "typed": list(typed(request)),
            "seen_name": SEEN,
            "seen": fingerprint(planned),
            "back": BACK,
        }
        request.current_app = self.admin_site.name
        return TemplateResponse(request, "admin/event_confirm.html", context)


def planned_in(form: Any, formsets: list[Any]) -> dict[int, Event]:
    """The event of a form and the talks inside it, as they were typed."""
    inside = [it for formset in formsets if issubclass(formset.model, Event) for it in formset.forms]
    rows = [form.instance, *(it.instance for it in inside if it.has_changed())]
    return {row.pk: row for row in rows if row.pk}


def typed(request: HttpRequest) -> Iterator[tuple[str, str]]:
    """All that was sent, to be sent again; the row that a script would copy is nobody's typing."""
    for name, values in request.POST.lists():
        if name not in ASKED_ANEW and "__prefix__" not in name:
            yield from ((name, str(value)) for value in values)

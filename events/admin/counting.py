"""Agendas that organisers do not count, because a script made them."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils import timezone

from events.admin.base.forms import HallwayForm
from events.admin.base.model_admin import HallwayAdmin
from events.admin.base.scope import default_conference
from events.agenda.models.counting import UncountedAgendas
from events.agenda.queries.counting import MIN_LISTED_AGENDAS, busiest_minutes


class UncountedAgendasForm(HallwayForm):
    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        start, end = (cleaned.get(name) or getattr(self.instance, name) for name in ("begun_from", "begun_until"))
        if self.conference is None or start is None or end is None or end <= start:
            return cleaned
        if end > timezone.now():
            raise ValidationError({"begun_until": "This is in the future: choose a moment until now."})
        span = UncountedAgendas(conference=self.conference, begun_from=start, begun_until=end)
        if span.agendas().count() < MIN_LISTED_AGENDAS:
            raise ValidationError(
                f"Fewer than {MIN_LISTED_AGENDAS} agendas were begun then: too few for a script. "
                "The list of these spans shows the minutes with the most new agendas."
            )
        return cleaned


class UncountedAgendasAdmin(HallwayAdmin):
    """Rows are undone instead of deleted, so that the history says who did what."""

    form = UncountedAgendasForm
    change_list_template = "admin/uncounted_list.html"
    list_display = ["__str__", "reason", "is_undone", "conference"]
    list_filter = ["conference", "is_undone"]
    search_fields = ["reason"]
    list_select_related = ["conference"]
    fields = ["conference", "begun_from", "begun_until", "reason", "is_undone"]

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        conference = default_conference(request)
        shown = {"shown_conference": conference, "minutes": busiest_minutes(conference) if conference else []}
        return super().changelist_view(request, shown | (extra_context or {}))

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        count = obj.agendas().count()
        done = "count again" if obj.is_undone else "do not count any more"
        self.message_user(request, f"{count:,} agendas {done}. Pages show it within a minute.")

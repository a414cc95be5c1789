"""The page “Duplicate” of an event: its copy on the same day or on others."""

from __future__ import annotations

from typing import cast

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.urls import URLPattern, path

from events.admin.base.model_admin import HallwayAdmin
from events.admin.programme.actions import confirm_action
from events.admin.programme.more_action_forms import RepeatForm
from events.programme.models.event import Event


class DuplicateAdmin(HallwayAdmin):
    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.duplicate_view)
        name = f"events_{self.opts.model_name}_duplicate"
        return [path("<int:pk>/duplicate/", view, name=name), *super().get_urls()]

    def duplicate_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        if request.method not in {"GET", "HEAD", "POST"}:
            return HttpResponseNotAllowed(["GET", "POST"])
        if not self.has_add_permission(request):
            raise PermissionDenied
        events = self.get_queryset(request).filter(pk=pk)
        event = events.first()
        if event is None:
            raise Http404
        page = self._render_in_venue_time(
            event.conference, lambda: confirm_action(self, request, events, RepeatForm, self._after)
        )
        return cast(HttpResponse, page)

    def _after(self, made: list[Event]) -> HttpResponse:
        """The copy is opened, to be changed; of several days, the list."""
        tops = [twin for twin in made if twin.session_id not in {it.pk for it in made}]
        page = f"admin:events_{self.opts.model_name}"
        return redirect(f"{page}_change", tops[0].pk) if len(tops) == 1 else redirect(f"{page}_changelist")

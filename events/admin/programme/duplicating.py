"""The page “Duplicate” of an event: its copy on the same day or on others."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.urls import URLPattern, path

from events.admin.base.model_admin import HallwayAdmin
from events.admin.programme.actions import confirm_action
from events.admin.programme.more_action_forms import RepeatForm


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
        newest = self._newest_key()
        page = self._render_in_venue_time(event.conference, lambda: confirm_action(self, request, events, RepeatForm))
        return page or self._after(newest)

    def _newest_key(self) -> int:
        return int(self.model._default_manager.order_by("-pk").values_list("pk", flat=True).first() or 0)

    def _after(self, newest: int) -> HttpResponse:
        """The only copy is opened, to be changed."""
        made = list(self.model._default_manager.filter(pk__gt=newest).order_by("pk").values_list("pk", flat=True)[:2])
        page = f"admin:events_{self.opts.model_name}"
        return redirect(f"{page}_change", made[0]) if len(made) == 1 else redirect(f"{page}_changelist")

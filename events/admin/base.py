"""What every page of the admin does alike: one conference, one transaction, one word to attendees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.db import transaction
from django.forms.models import BaseModelFormSet
from django.http import HttpRequest
from django.template.response import SimpleTemplateResponse
from django.utils import timezone

from events.admin import history
from events.admin.controls import Scoped
from events.admin.forms import HallwayForm, conference_of
from events.admin.scope import asked_for, belongs_to_conference, find_conference, usual_conference
from events.models import Conference, Event
from events.models.base import Revisable


class HallwayAdmin(Scoped, admin.ModelAdmin):
    form = HallwayForm
    object_history_template = "admin/history.html"
    save_on_top = True
    list_per_page = 100
    show_full_result_count = False

    class Media:
        js = ["events/admin/admin.js"]

    # Times are shown, filtered and read by the clock at the venue.

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        conference = usual_conference(request)
        return self._at_venue(conference, lambda: super(HallwayAdmin, self).changelist_view(request, extra_context))

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> Any:
        row = self.get_object(request, unquote(object_id)) if object_id else None
        conference = self._conference(request, row)
        return self._at_venue(
            conference, lambda: super(HallwayAdmin, self).changeform_view(request, object_id, form_url, extra_context)
        )

    def history_view(self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None) -> Any:
        row = self.get_object(request, unquote(object_id))
        return self._at_venue(
            self._conference(request, row),
            lambda: super(HallwayAdmin, self).history_view(request, object_id, {**self._history(row), **(extra_context or {})}),
        )

    def _history(self, row: Any) -> dict[str, Any]:
        return {"revisions": history.revisions(row), "entries": history.entries(row)} if row else {}

    def _conference(self, request: HttpRequest, row: Any) -> Conference | None:
        if row is not None:
            return row if isinstance(row, Conference) else conference_of(row)
        posted = request.POST.get("conference")
        return find_conference(posted) if posted else usual_conference(request)

    def _at_venue(self, conference: Conference | None, view: Callable[[], Any]) -> Any:
        with timezone.override(conference.zone if conference else None):
            response = view()
            # The page is written after the view returns: here, while the venue's clock is in force.
            if isinstance(response, SimpleTemplateResponse):
                response.render()
        return response

    # One conference a form.

    def get_queryset(self, request: HttpRequest) -> Any:
        # Named here, as a list leaves a queryset alone that relates anything by itself.
        rows, related = super().get_queryset(request), self.list_select_related
        return rows.select_related(*related) if isinstance(related, (list, tuple)) else rows

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        initial: dict[str, Any] = super().get_changeform_initial_data(request)
        if belongs_to_conference(self.model):
            initial["conference"] = usual_conference(request)
        return initial

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        fixed = ["conference"] if obj and belongs_to_conference(self.model) else []
        return [*super().get_readonly_fields(request, obj), *fixed]

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """The version travels with every form that can be saved."""
        (name, first), *rest = super().get_fieldsets(request, obj)
        fields = [field for field in first["fields"] if field != "version"]
        if obj and self.has_change_permission(request, obj):
            fields.append("version")
        return [(name, {**first, "fields": fields}), *rest]

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> tuple[Any, bool]:
        """A look-up asks for rows of the conference of its form."""
        rows, repeats = super().get_search_results(request, queryset, search_term)
        if request.path.endswith("/autocomplete/") and belongs_to_conference(self.model) and "conference" in request.GET:
            rows = rows.filter(conference=asked_for(request))
        return rows, repeats

    def view_on_site(self, obj: Any) -> str | None:
        """Where attendees see it, if they do."""
        shown = getattr(obj, "is_public", True) and getattr(self._conference_of(obj), "status", "published") == "published"
        return obj.get_absolute_url() if shown and hasattr(obj, "get_absolute_url") else None

    def _conference_of(self, obj: Any) -> Any:
        return obj if isinstance(obj, Conference) else conference_of(obj)

    # Saving: the row, then what belongs to it, then one word to attendees, all in the transaction of the form.

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        form.moved = not change or not isinstance(obj, Revisable) or obj.is_changed()
        if form.moved:
            super().save_model(request, obj, form, change)

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        rows = formset.save(commit=False)
        for row in formset.deleted_objects:
            row.delete()
        for row in rows:
            # An event that is saved without a change would leave a line in its history that says nothing.
            (row.save_changed if isinstance(row, Event) else row.save)()
        formset.save_m2m()

    def save_related(self, request: HttpRequest, form: Any, formsets: list[BaseModelFormSet], change: bool) -> None:
        super().save_related(request, form, formsets, change)
        self.announce(form, formsets)

    def announce(self, form: Any, formsets: list[BaseModelFormSet]) -> None:
        row = form.instance
        if isinstance(row, Revisable) and (form.moved or any(formset.has_changed() for formset in formsets)):
            row.home().bump()
            row.touched_events().announce(quiet=row.announces_quietly)

    # Deleting: what attendees knew of is cancelled, never deleted.

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_delete_permission(request, obj) and (obj is None or not self.holds_public(obj))

    def holds_public(self, obj: Any) -> bool:
        """Whether deleting this would delete events that attendees knew of."""
        return False

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        with transaction.atomic():
            home = obj.home() if isinstance(obj, Revisable) else None
            if home is not None:
                home.hold()
            shown_in = list(obj.touched_events().values_list("pk", flat=True)) if isinstance(obj, Revisable) else []
            obj.delete()
            if home is not None and home.pk:
                home.bump()
                Event.objects.filter(pk__in=shown_in).announce()

    def delete_queryset(self, request: HttpRequest, queryset: Any) -> None:
        with transaction.atomic():
            for obj in queryset:
                self.delete_model(request, obj)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """What goes is counted by kind; naming all of it would name visitors' agendas and 3,704 papers."""
        _, counts, perms_needed, protected = super().get_deleted_objects(objs, request)
        # What stands in the way is worth more than that one may not delete it either.
        return [str(obj) for obj in objs], counts, set() if protected else perms_needed, protected

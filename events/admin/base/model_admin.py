"""Base classes of all model admins and inlines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.filters import RelatedFieldListFilter
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.options import BaseModelAdmin
from django.contrib.admin.utils import get_fields_from_path, unquote
from django.contrib.admin.widgets import RelatedFieldWidgetWrapper
from django.db import models, transaction
from django.forms.models import BaseModelFormSet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import SimpleTemplateResponse
from django.utils import timezone

from events.admin.base.current import conference_elsewhere, current_conference
from events.admin.base.fields import NUMBER_ERRORS, DateInput, InstantInput, TimeInput
from events.admin.base.forms import HallwayForm, HallwayFormSet
from events.admin.base.history import history_entries, log_entries
from events.admin.base.in_use import in_use_texts
from events.admin.base.instants import InstantColumns, conference_of
from events.admin.base.keys import is_key
from events.admin.base.looks import report_looks
from events.admin.base.prefill import fill_position, only_choices, with_kept_choices
from events.admin.base.same_names import report_same_names
from events.admin.base.scope import (
    ConferenceFilter,
    ScopedAutocompleteSelect,
    ScopedRelatedWrapper,
    VisibleFilter,
    belongs_to_conference,
    default_conference,
    find_conference,
    list_scope,
    requested_conference,
    show_current_conference,
)
from events.admin.base.titles import PlainTitlesAdmin
from events.admin.base.visible import visible_to
from events.core.parsing.cells import MAX_WHOLE_NUMBER
from events.programme.models.conference import Conference, Revisable
from events.programme.models.event import Event

FORMFIELD_OVERRIDES: dict[Any, dict[str, Any]] = {
    models.DateTimeField: {"form_class": forms.SplitDateTimeField, "widget": InstantInput},
    models.DateField: {"widget": DateInput},
    models.TimeField: {"widget": TimeInput},
}


MAX_MINUTES = 24 * 60
LARGEST_NUMBERS = {
    **dict.fromkeys(("capacity", "places"), MAX_WHOLE_NUMBER),
    **dict.fromkeys(("minutes", "minutes_back", "travel_minutes", "default_minutes"), MAX_MINUTES),
}
"""By the name of the field: attendees see these, and a slip of the finger should not reach them."""
ROWS_GONE_MESSAGE = "Nothing was changed: what you chose does not exist any more. Somebody may have deleted it."


class ScopedFieldsAdmin(BaseModelAdmin):
    """Widgets that offer rows of the form's conference, for model admins and inlines."""

    formfield_overrides = FORMFIELD_OVERRIDES

    def formfield_for_dbfield(self, db_field: Any, request: Any, **kwargs: Any) -> Any:
        if db_field.name in LARGEST_NUMBERS:
            kwargs["max_value"] = LARGEST_NUMBERS[db_field.name]
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if field and isinstance(field.widget, RelatedFieldWidgetWrapper):
            field.widget = ScopedRelatedWrapper.from_wrapper(field.widget)
        if isinstance(field, forms.IntegerField):
            field.error_messages |= NUMBER_ERRORS
        return field

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name in self.get_autocomplete_fields(request):
            kwargs["widget"] = ScopedAutocompleteSelect(db_field, self.admin_site)
        field = super().formfield_for_foreignkey(db_field, request, **kwargs)
        if isinstance(field, forms.ModelChoiceField) and field.queryset is not None:
            field.queryset = visible_to(request, field.queryset)
        return field


class HallwayInline(ScopedFieldsAdmin, admin.TabularInline):
    form = HallwayForm
    formset = HallwayFormSet
    extra = 0
    view_on_site = False

    def formfield_for_dbfield(self, db_field: Any, request: Any, **kwargs: Any) -> Any:
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        # In a table row the add and change buttons take too much space.
        if (
            field
            and isinstance(field.widget, ScopedRelatedWrapper)
            and not isinstance(field.widget.widget, ScopedAutocompleteSelect)
        ):
            field.widget = field.widget.widget
        return field

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        fields = [*(super().get_fields(request, obj))]
        return fields if "version" in fields or not self.has_change_permission(request, obj) else [*fields, "version"]


class CheckedActionsAdmin(admin.ModelAdmin):
    """Says so where somebody else deleted what was chosen for an action."""

    def response_action(self, request: HttpRequest, queryset: Any, *args: Any, **kwargs: Any) -> HttpResponse | None:
        chosen = [key for key in request.POST.getlist(ACTION_CHECKBOX_NAME) if is_key(key)]
        is_choice = ACTION_CHECKBOX_NAME in request.POST and request.POST.get("select_across", "0") == "0"
        if is_choice and not queryset.filter(pk__in=chosen).exists():
            self.message_user(request, ROWS_GONE_MESSAGE, messages.WARNING)
            return redirect(request.get_full_path())
        response: HttpResponse | None = super().response_action(request, queryset, *args, **kwargs)
        return response


class HallwayAdmin(ScopedFieldsAdmin, InstantColumns, CheckedActionsAdmin, PlainTitlesAdmin):
    form = HallwayForm
    object_history_template = "admin/history.html"
    save_on_top = True
    list_per_page = 100
    filled_fields: tuple[str, ...] = ("position", "slug")
    """A new row gets them by itself: it is the last one, and its slug is made of its name."""
    kept_fields: tuple[str, ...] = ()
    """References that the form after “Save and add another” has too."""
    show_full_result_count = False

    class Media:
        js = ["events/admin/admin.js"]

    # Times are shown, filtered and parsed in the time zone of the conference.

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        path = self.conference_path
        if path:
            show_current_conference(request, path)
        context = {"list_scope": list_scope(request, path), **(extra_context or {})}
        conference = default_conference(request)
        return self._render_in_venue_time(conference, lambda: super(HallwayAdmin, self).changelist_view(request, context))

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> Any:
        row = self.get_object(request, unquote(object_id)) if object_id else None
        if object_id and row is None and (elsewhere := conference_elsewhere(request, self.model, object_id)):
            return self._send_to_switch(request, elsewhere)
        conference = self._conference(request, row)
        context = {"shown_conference": conference, **(extra_context or {})}
        return self._render_in_venue_time(
            conference, lambda: super(HallwayAdmin, self).changeform_view(request, object_id, form_url, context)
        )

    def _send_to_switch(self, request: HttpRequest, conference: Conference) -> HttpResponse:
        """Nothing of it is shown: what the user may do there is asked once they work on it."""
        current = current_conference(request)
        text = f"That is of {conference}, and you work on {current}: switch at the top, then open it again."
        self.message_user(request, text, messages.WARNING)
        return redirect("admin:index")

    def history_view(self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None) -> Any:
        row = self.get_object(request, unquote(object_id))
        conference = self._conference(request, row)
        context = {"shown_conference": conference, **self._history(row), **(extra_context or {})}
        return self._render_in_venue_time(conference, lambda: super(HallwayAdmin, self).history_view(request, object_id, context))

    def _history(self, row: Any) -> dict[str, Any]:
        return {"revisions": history_entries(row), "entries": log_entries(row)} if row else {}

    def _conference(self, request: HttpRequest, row: Any) -> Conference | None:
        if row is not None:
            return row if isinstance(row, Conference) else conference_of(row)
        if posted := request.POST.get("conference"):
            return find_conference(posted, visible_to(request, Conference.objects.all()))
        return default_conference(request)

    def _render_in_venue_time(self, conference: Conference | None, view: Callable[[], Any]) -> Any:
        with timezone.override(conference.zone if conference else None):
            response = view()
            # Rendered here, because the override ends before Django would render it.
            if isinstance(response, SimpleTemplateResponse):
                response.render()
        return response

    # Each form is about one conference.

    def get_queryset(self, request: HttpRequest) -> Any:
        # Set here, because the list does not add list_select_related to a queryset that has a select_related.
        rows, related = visible_to(request, super().get_queryset(request)), self.list_select_related
        return rows.select_related(*related) if isinstance(related, (list, tuple)) else rows

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        changelist = super().get_changelist_instance(request)
        # The conference alone is no filter to clear: without one the list is of the current conference again.
        others = set(changelist.filter_params) - {f"{self.conference_path}__id__exact"}
        changelist.has_active_filters = changelist.has_active_filters and bool(others)
        return changelist

    def get_list_filter(self, request: HttpRequest) -> Any:
        filters = super().get_list_filter(request)
        return [(it, self._relation_filter(it)) if isinstance(it, str) and self._is_relation(it) else it for it in filters]

    def _is_relation(self, path: str) -> bool:
        return get_fields_from_path(self.model, path)[-1].is_relation

    def _relation_filter(self, path: str) -> type[RelatedFieldListFilter]:
        return ConferenceFilter if path == self.conference_path else VisibleFilter

    @property
    def conference_path(self) -> str:
        """The filter that leads from a row to its conference; empty if the list has none."""
        paths = (it for it in self.list_filter if isinstance(it, str) and self._is_relation(it))
        return next((it for it in paths if get_fields_from_path(self.model, it)[-1].related_model is Conference), "")

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        initial: dict[str, Any] = super().get_changeform_initial_data(request)
        if belongs_to_conference(self.model):
            initial["conference"] = default_conference(request)
            initial = only_choices(request, self.model, initial["conference"]) | initial
        return initial

    def response_add(self, request: HttpRequest, obj: Any, post_url_continue: str | None = None) -> HttpResponse:
        return with_kept_choices(request, super().response_add(request, obj, post_url_continue), self.kept_fields, obj)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        fixed = ["conference"] if obj and belongs_to_conference(self.model) else []
        return [*super().get_readonly_fields(request, obj), *fixed]

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """Add the hidden version to every form that can be saved."""
        (name, first), *rest = super().get_fieldsets(request, obj)
        typed = self.get_prepopulated_fields(request, obj)
        by_itself = [name for name in self.filled_fields if name not in typed]
        fields = [field for field in first["fields"] if field not in ("version", *by_itself)]
        filled = [field for field in first["fields"] if field in by_itself]
        if obj and self.has_change_permission(request, obj):
            fields.append("version")
        more = [("Order and address", {"fields": filled, "classes": ["collapse"]})] if obj and filled else []
        return [(name, {**first, "fields": fields}), *rest, *more]

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> tuple[Any, bool]:
        """Autocomplete offers rows of the form's conference only."""
        rows, repeats = super().get_search_results(request, queryset, search_term)
        if request.path.endswith("/autocomplete/") and belongs_to_conference(self.model) and "conference" in request.GET:
            rows = rows.filter(conference=requested_conference(request))
        return rows, repeats

    def view_on_site(self, obj: Any) -> str | None:
        """Also of a draft: organisers see it on its page (events.web.drafts)."""
        shown = isinstance(obj, Event) or getattr(obj, "is_public", True)
        return obj.get_absolute_url() if shown and hasattr(obj, "get_absolute_url") else None

    # Saving: the row, then its inlines, then one record of the changes, in one transaction.

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        if not change:
            fill_position(obj)
        form.moved = not change or not isinstance(obj, Revisable) or obj.is_changed()
        if form.moved:
            super().save_model(request, obj, form, change)
            report_looks(request, form)

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        rows = formset.save(commit=False)
        for row in formset.deleted_objects:
            row.delete()
        for row in rows:
            # An event without a change gets no record in its history.
            (row.save_changed if isinstance(row, Event) else row.save)()
        formset.save_m2m()

    def save_related(self, request: HttpRequest, form: Any, formsets: list[BaseModelFormSet], change: bool) -> None:
        super().save_related(request, form, formsets, change)
        self.record_changes(form, formsets)
        report_same_names(request, form, formsets)

    def record_changes(self, form: Any, formsets: list[BaseModelFormSet]) -> None:
        row = form.instance
        if isinstance(row, Revisable) and (form.moved or any(formset.has_changed() for formset in formsets)):
            row.get_conference().bump_revision()
            row.get_conference().events.showing(row).record_changes(quiet=row.records_quietly)

    # Deleting: published events are cancelled instead.

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_delete_permission(request, obj) and (obj is None or not self.why_protected(obj))

    def why_protected(self, obj: Any) -> str:
        """Say why the row cannot be deleted, and what to do instead; empty if it can be."""
        return ""

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        with transaction.atomic():
            home = obj.get_conference() if isinstance(obj, Revisable) else None
            if home is not None:
                home.lock()
            event_ids = list(home.events.showing(obj).values_list("pk", flat=True)) if home is not None else []
            obj.delete()
            if home is not None and home.pk:
                home.bump_revision()
                Event.objects.filter(pk__in=event_ids).record_changes()

    def delete_queryset(self, request: HttpRequest, queryset: Any) -> None:
        with transaction.atomic():
            for obj in queryset:
                self.delete_model(request, obj)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Count related rows instead of naming them: they include visitors' agendas."""
        _, counts, perms_needed, protected = super().get_deleted_objects(objs, request)
        reasons = [f"{obj}: {why}" for obj in objs if (why := self.why_protected(obj))]
        in_use = in_use_texts(objs) if protected else []
        # Protected rows are shown rather than missing permissions for the same rows.
        refused = [*(in_use or protected), *reasons]
        return [str(obj) for obj in objs], counts, set() if refused else perms_needed, refused

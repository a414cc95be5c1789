"""The controls of forms and of the rows inside them."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.options import BaseModelAdmin
from django.contrib.admin.widgets import RelatedFieldWidgetWrapper
from django.db import models
from django.http import HttpRequest

from events.admin.forms import HallwayForm, HallwayFormSet
from events.admin.widgets import DateInput, InstantInput, LookUpSelect, Related, TimeInput

CONTROLS: dict[Any, dict[str, Any]] = {
    models.DateTimeField: {"form_class": forms.SplitDateTimeField, "widget": InstantInput},
    models.DateField: {"widget": DateInput},
    models.TimeField: {"widget": TimeInput},
}


class Scoped(BaseModelAdmin):
    """Controls of our own, in the admin of a model and in its inlines."""

    formfield_overrides = CONTROLS

    def formfield_for_dbfield(self, db_field: Any, request: Any, **kwargs: Any) -> Any:
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if field and isinstance(field.widget, RelatedFieldWidgetWrapper):
            field.widget = Related.instead_of(field.widget)
        return field

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name in self.get_autocomplete_fields(request):
            kwargs["widget"] = LookUpSelect(db_field, self.admin_site)
        return super().formfield_for_foreignkey(db_field, request, **kwargs)


class HallwayInline(Scoped, admin.TabularInline):
    form = HallwayForm
    formset = HallwayFormSet
    extra = 0
    view_on_site = False

    def formfield_for_dbfield(self, db_field: Any, request: Any, **kwargs: Any) -> Any:
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        # In a row of many, buttons beside each short list only get in the way.
        if field and isinstance(field.widget, Related) and not isinstance(field.widget.widget, LookUpSelect):
            field.widget = field.widget.widget
        return field

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        fields = [*(super().get_fields(request, obj))]
        return fields if "version" in fields or not self.has_change_permission(request, obj) else [*fields, "version"]

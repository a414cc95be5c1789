"""Forms and formsets that offer rows of one conference only, and refuse to overwrite newer edits."""

from __future__ import annotations

import datetime as dt
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.db import models
from django.forms.formsets import DELETION_FIELD_NAME
from django.forms.models import BaseInlineFormSet
from django.http import QueryDict
from django.utils.html import format_html

from events.admin.base.fields import VersionField
from events.admin.base.history import edit_conflict_text, row_digest
from events.admin.base.in_use import in_use_texts
from events.admin.base.instants import conference_of
from events.admin.base.scope import autocomplete_widget, belongs_to_conference, find_conference, limit_to_conference
from events.admin.base.times import long_date
from events.programme.models.conference import Conference

MISSING_ROW_TEXT = (
    "Somebody deleted a row of this list after you opened the page. Nothing is saved. Open the page again to see what is left."
)
STALE_FORM_NOTE = "Nothing is saved yet, and what you typed is still here. Check it, and save again to keep it."


class HallwayForm(forms.ModelForm):
    """A form that offers rows of one conference and refuses to overwrite an edit that it has not shown."""

    version = VersionField(required=False)

    def __init__(self, *args: Any, parent: Any = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.parent = parent
        if self.instance.pk:
            self.initial["version"] = row_digest(self.instance, type(self.instance))
        self.conference = self._find_conference()
        if self.conference and self.instance.pk is None and belongs_to_conference(type(self.instance)):
            self.instance.conference = self.conference
        limit_to_conference(self.fields, self.conference)
        self._name_the_zone()

    def _name_the_zone(self) -> None:
        for field in self.fields.values():
            if isinstance(field, forms.SplitDateTimeField) and self.conference:
                field.help_text = format_html("{} ({}).", self.conference.zone_name, self.conference.timezone)

    def _find_conference(self) -> Conference | None:
        if self.parent is not None:
            return self.parent if isinstance(self.parent, Conference) else conference_of(self.parent)
        if "conference" in self.fields:
            name = self.add_prefix("conference")
            among = cast(forms.ModelChoiceField, self.fields["conference"]).queryset
            return find_conference(self.data.get(name) if self.is_bound else self.initial.get("conference"), among)
        return conference_of(self.instance)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        conference = self.instance if isinstance(self.instance, Conference) else self.conference
        if self.parent is None and conference and conference.pk:
            # Locked before any of its rows, in the same order as an import, so that two savers cannot deadlock.
            conference.lock()
        self._refuse_if_stale(cleaned.get("version", ""))
        self._keep_fractions(cleaned)
        return cleaned

    def _keep_fractions(self, cleaned: dict[str, Any]) -> None:
        """Keep the fraction of a second, which no widget shows, of instants that were not edited."""
        for name, field in self.fields.items():
            if isinstance(field, forms.SplitDateTimeField) and self.instance.pk and name not in self.changed_data:
                cleaned[name] = getattr(self.instance, name)

    def _refuse_if_stale(self, opened: str) -> None:
        if not (opened and self.instance.pk):
            return
        model = type(self.instance)
        # The conference is locked, so that nobody changes this row until the end of the request.
        stored = model._base_manager.filter(pk=self.instance.pk).first()
        if stored is None:
            raise ValidationError("Somebody deleted this after you opened it.")
        if (now := row_digest(stored, model)) != opened:
            # Saving again is allowed: the page then shows what it overwrites.
            posted = cast(QueryDict, self.data).copy()
            posted[self.add_prefix("version")] = now
            self.data = posted
            raise ValidationError(f"{edit_conflict_text(stored, opened)} {STALE_FORM_NOTE}", code="stale")


class CompleteFormSet(BaseInlineFormSet):
    """Refuses rows that somebody deleted meanwhile, or that never were."""

    def clean(self) -> None:
        super().clean()
        # Django checks no form that is ticked for deletion, so that a missing row would get as far as the database.
        if any(form.instance.pk is None for form in self.initial_forms):
            raise ValidationError(MISSING_ROW_TEXT)


def _unique_fields(formset: BaseInlineFormSet) -> list[str]:
    """The fields in which no two rows of one parent may have the same value."""
    every = cast(type[models.Model], formset.model)._meta.constraints
    constraints = [it for it in every if isinstance(it, models.UniqueConstraint) and not it.condition]
    named = [set(it.fields) - {formset.fk.name} for it in constraints if formset.fk.name in it.fields]
    return [name for names in named if len(names) == 1 for name in names]


def _is_ticked(form: forms.BaseForm) -> bool:
    """Whether its row is to be deleted."""
    return bool(form.cleaned_data.get(DELETION_FIELD_NAME))


class HallwayFormSet(CompleteFormSet):
    """Inline rows of the parent's conference. Their choices are read once for all rows."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._choices: dict[str, list[Any]] = {}
        self._known: dict[str, dict[str, str]] = {}

    def clean(self) -> None:
        if in_use := in_use_texts([form.instance for form in self.initial_forms if _is_ticked(form) and form.instance.pk]):
            raise ValidationError(in_use)
        for name in _unique_fields(self):
            self._refuse_repeated(name)
        super().clean()

    def _refuse_repeated(self, name: str) -> None:
        """In a sentence with the value: Django's names the field alone."""
        seen = set()
        for form in self.forms:
            value = form.cleaned_data.get(name)
            if value is None or _is_ticked(form) or not form.is_valid():
                continue
            if value in seen:
                shown = long_date(value) if isinstance(value, dt.date) else value
                form.add_error(name, f"{self.instance} has {shown} already: change one of the two rows, or leave one out.")
            seen.add(value)

    def add_fields(self, form: Any, index: int | None) -> None:
        super().add_fields(form, index)
        for name, field in form.fields.items():
            if name not in {self.fk.name, "id"} and isinstance(field, forms.ModelChoiceField):
                self._read_once(name, field)

    def get_form_kwargs(self, index: int | None) -> dict[str, Any]:
        return {**super().get_form_kwargs(index), "parent": self.instance}

    def _read_once(self, name: str, field: forms.ModelChoiceField) -> None:
        widget = autocomplete_widget(field)
        if widget:
            widget.known = self._chosen(name, field)
        else:
            if name not in self._choices:
                self._choices[name] = list(cast(Any, field.choices))
            field.widget.choices = self._choices[name]

    def _chosen(self, name: str, field: forms.ModelChoiceField) -> dict[str, str]:
        """Labels by key of the rows that the stored forms refer to, without another query."""
        if name not in self._known:
            rows = [getattr(row, name) for row in self.get_queryset() if getattr(row, f"{name}_id")]
            self._known[name] = {str(row.pk): field.label_from_instance(row) for row in rows}
        return self._known[name]

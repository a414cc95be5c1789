"""Forms and formsets that offer rows of one conference only, and refuse to overwrite newer edits."""

from __future__ import annotations

import datetime as dt
from typing import Any, ClassVar, cast

from django import forms
from django.core.exceptions import ValidationError
from django.db import models
from django.forms.formsets import DELETION_FIELD_NAME
from django.forms.models import BaseInlineFormSet
from django.http import QueryDict
from django.utils import timezone
from django.utils.html import format_html
from django.utils.text import capfirst

from events.admin.base.fields import VersionField
from events.admin.base.history import (
    FieldDifference,
    edit_conflict_text,
    editors_since,
    row_digest,
    value_text,
    whole_value_text,
)
from events.admin.base.in_use import in_use_texts
from events.admin.base.instants import conference_of
from events.admin.base.scope import autocomplete_widget, belongs_to_conference, find_conference, limit_to_conference
from events.admin.base.times import long_date
from events.admin.base.versions import Version, field_digest
from events.programme.models.conference import Conference

MISSING_ROW_TEXT = (
    "Somebody deleted a row of this list after you opened the page. Nothing is saved. Open the page again to see what is left."
)
STALE_FORM_NOTE = "Nothing is saved yet, and what you typed is still here. Check it, and save again to keep it."
TAKEN_NOTE = "Changed meanwhile: here is the new value."


class VersionedForm(forms.ModelForm):
    """Refuses to overwrite an edit that it has not shown."""

    version = VersionField(required=False)
    stored_elsewhere: ClassVar[tuple[str, ...]] = ()
    """Fields whose values are in other tables."""

    def __init__(self, *args: Any, parent: Any = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.parent = parent
        if self.instance.pk:
            # Made when it is shown: the initial values are complete then.
            self.initial["version"] = lambda: str(self.version_of(row_digest(self.instance, type(self.instance))))

    def version_of(self, row: str) -> Version:
        """``row`` is the digest of the instance."""
        names = [name for name, field in self.fields.items() if not field.widget.is_hidden]
        return Version(row, timezone.now(), {name: field_digest(self[name].initial) for name in names})

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        self._refuse_if_stale(Version.parse(cleaned.get("version", "")))
        return cleaned

    def _stored_row(self) -> Any:
        """The row as it is now, and stays until the end of the request."""
        return type(self.instance)._base_manager.select_for_update(no_key=True).filter(pk=self.instance.pk).first()

    def _refuse_if_stale(self, opened: Version) -> None:
        if not (opened.row and self.instance.pk):
            return
        stored = self._stored_row()
        if stored is None:
            raise ValidationError("Somebody deleted this after you opened it.")
        row = row_digest(stored, type(stored))
        if row == opened.row and not self.stored_elsewhere:
            return
        fresh = type(self)(instance=stored, parent=self.parent)
        now = fresh.version_of(row)
        if row == opened.row and all(now.fields[name] == opened.fields.get(name) for name in self.stored_elsewhere):
            return
        # Saving again is allowed: the page then shows what it overwrites.
        posted = cast(QueryDict, self.data).copy()
        posted[self.add_prefix("version")] = str(now)
        self.data = posted
        changed = [name for name, it in now.fields.items() if name in self.fields and opened.fields.get(name, it) != it]
        for name in changed:
            self._show_stored(name, fresh, opened.fields[name])
        shown = [FieldDifference(capfirst(str(fresh[name].label)), "", value_text(*fresh.stored(name))) for name in changed]
        editors = editors_since([stored, *([self.parent] if self.parent else [])], opened.at)
        text = edit_conflict_text(stored, opened.row, shown=shown, editors=editors)
        raise ValidationError(f"{text} {STALE_FORM_NOTE}", code="stale")

    def stored(self, name: str) -> tuple[models.Field[Any, Any] | None, Any, Conference | None]:
        """The value of a field, for its text."""
        row: Any = self.instance
        column = next((it for it in row._meta.concrete_fields if it.name == name), None)
        conference = row if isinstance(row, Conference) else conference_of(row)
        return column, getattr(row, name) if column else self[name].initial, conference

    def _show_stored(self, name: str, fresh: VersionedForm, opened: str) -> None:
        """What was stored meanwhile: in the field, if it was left as it was, else beside it."""
        field, value = self.fields[name], fresh[name].initial
        if isinstance(field, forms.FileField):
            # Its widget names the stored file, and browsers send only one that was chosen anew.
            return
        try:
            sent = field_digest(field.clean(self[name].data))
        except ValidationError:
            sent = ""
        if sent == opened:
            cast(Any, field).bound_data = lambda data, initial: value
            self[name].help_text = TAKEN_NOTE
        elif sent != field_digest(value):
            note = f"Stored meanwhile: {whole_value_text(*fresh.stored(name))}"
            if self.parent is None:
                self[name].help_text = format_html('<span class="hallway-stored">{}</span>', note)
            else:
                # Rows of a table show no help.
                self.add_error(name, note)


class HallwayForm(VersionedForm):
    """A form that offers rows of one conference."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
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
        conference = self.instance if isinstance(self.instance, Conference) else self.conference
        if self.parent is None and conference and conference.pk:
            # Locked before any of its rows, in the same order as an import, so that two savers cannot deadlock.
            conference.lock()
        cleaned = super().clean()
        self._keep_fractions(cleaned)
        return cleaned

    def _stored_row(self) -> Any:
        # The conference is locked, so that nobody changes this row.
        return type(self.instance)._base_manager.filter(pk=self.instance.pk).first()

    def _keep_fractions(self, cleaned: dict[str, Any]) -> None:
        """Keep the fraction of a second, which no widget shows, of instants that were not edited."""
        for name, field in self.fields.items():
            if isinstance(field, forms.SplitDateTimeField) and self.instance.pk and name not in self.changed_data:
                cleaned[name] = getattr(self.instance, name)


class CompleteFormSet(BaseInlineFormSet):
    """Refuses rows that somebody deleted meanwhile, or that never were. Its forms are versioned."""

    def get_form_kwargs(self, index: int | None) -> dict[str, Any]:
        return {**super().get_form_kwargs(index), "parent": self.instance}

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

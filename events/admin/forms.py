"""Forms of the admin: about one conference, and never over what somebody else wrote meanwhile."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.forms.models import BaseInlineFormSet
from django.http import QueryDict
from django.utils.html import format_html

from events.admin.scope import belongs_to_conference, find_conference, look_up_of, narrow
from events.admin.versions import digest, meanwhile
from events.models import Conference

KEPT = "Nothing of yours is saved or lost: look it over, and save again to keep what stands here."


def conference_of(row: Any) -> Conference | None:
    return row.conference if getattr(row, "conference_id", None) else None


class VersionField(forms.CharField):
    """What the row looked like when the form was opened; not itself a change."""

    widget = forms.HiddenInput

    def has_changed(self, initial: Any, data: Any) -> bool:
        return False


class HallwayForm(forms.ModelForm):
    """A form about one conference that refuses to overwrite what it has not shown."""

    version = VersionField(required=False)

    def __init__(self, *args: Any, parent: Any = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.parent = parent
        if self.instance.pk:
            self.initial["version"] = digest(self.instance, type(self.instance))
        self.conference = self._find_conference()
        if self.conference and self.instance.pk is None and belongs_to_conference(type(self.instance)):
            self.instance.conference = self.conference
        narrow(self.fields, self.conference)
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
            return find_conference(self.data.get(name) if self.is_bound else self.initial.get("conference"))
        return conference_of(self.instance)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        home = self.instance if isinstance(self.instance, Conference) else self.conference
        if self.parent is None and home and home.pk:
            # Before any of its rows, as an import does: two who save at once wait here, and neither for the other.
            home.hold()
        self._refuse_if_stale(cleaned.get("version", ""))
        self._keep_fractions(cleaned)
        return cleaned

    def _keep_fractions(self, cleaned: dict[str, Any]) -> None:
        """An instant nobody touched keeps the fraction of a second that no control shows."""
        for name, field in self.fields.items():
            if isinstance(field, forms.SplitDateTimeField) and self.instance.pk and name not in self.changed_data:
                cleaned[name] = getattr(self.instance, name)

    def _refuse_if_stale(self, opened: str) -> None:
        if not (opened and self.instance.pk):
            return
        model = type(self.instance)
        # The conference is held: nobody changes this row between here and the end of the request.
        stored = model._base_manager.filter(pk=self.instance.pk).first()
        if stored is None:
            raise ValidationError("Somebody deleted this after you opened it.")
        if (now := digest(stored, model)) != opened:
            # The second press of the button is meant: it comes from a page that showed what it overwrites.
            posted = cast(QueryDict, self.data).copy()
            posted[self.add_prefix("version")] = now
            self.data = posted
            raise ValidationError(f"{meanwhile(stored, opened)} {KEPT}", code="stale")


class HallwayFormSet(BaseInlineFormSet):
    """Rows of the same conference as what they belong to, their choices read once for all of them."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._choices: dict[str, list[Any]] = {}
        self._known: dict[str, dict[str, str]] = {}

    def add_fields(self, form: Any, index: int | None) -> None:
        super().add_fields(form, index)
        for name, field in form.fields.items():
            if name not in {self.fk.name, "id"} and isinstance(field, forms.ModelChoiceField):
                self._read_once(name, field)

    def get_form_kwargs(self, index: int | None) -> dict[str, Any]:
        return {**super().get_form_kwargs(index), "parent": self.instance}

    def _read_once(self, name: str, field: forms.ModelChoiceField) -> None:
        control = look_up_of(field)
        if control:
            control.known = self._chosen(name, field)
        else:
            if name not in self._choices:
                self._choices[name] = list(cast(Any, field.choices))
            field.widget.choices = self._choices[name]

    def _chosen(self, name: str, field: forms.ModelChoiceField) -> dict[str, str]:
        """The rows that the stored forms refer to; the queryset brought them along."""
        if name not in self._known:
            rows = [getattr(row, name) for row in self.get_queryset() if getattr(row, f"{name}_id")]
            self._known[name] = {str(row.pk): field.label_from_instance(row) for row in rows}
        return self._known[name]

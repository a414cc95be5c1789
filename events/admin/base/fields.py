"""Form fields and widgets: dates and times by the clock of the venue, and the reason for a change."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from events.admin.base.times import WallTime
from events.core.db.fields import plain_text
from events.core.parsing.cells import quoted, spelling_hint
from events.core.time_zones import find_zone, zone_city, zone_places

NUMBER_ERRORS = {
    "min_value": "%(value)s is too small: write %(limit_value)s or more.",
    "max_value": "%(value)s is too large: write %(limit_value)s or less.",
}


class DateInput(forms.DateInput):
    input_type = "date"

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        super().__init__(attrs, format="%Y-%m-%d")


class TimeInput(forms.TimeInput):
    input_type = "time"

    def format_value(self, value: Any) -> str | None:
        if isinstance(value, dt.time):
            return value.isoformat("seconds" if value.second else "minutes")
        return super().format_value(value)


class InstantInput(forms.SplitDateTimeWidget):
    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        parts = [DateInput({"aria-label": "Date"}), TimeInput({"aria-label": "Time"})]
        super(forms.SplitDateTimeWidget, self).__init__(parts, attrs)


class WallTimeInput(forms.MultiWidget):
    """A time, and a date only if it differs from the event's day."""

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        date = DateInput({"aria-label": "Date, if it is not the day's", "class": "hallway-other-date"})
        super().__init__({"1": TimeInput({"aria-label": "Time"}), "0": date}, attrs)

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        for part in context["widget"]["subwidgets"]:
            # Django numbers the ids from 0; ours follow the names, like other fields.
            part["attrs"]["id"] = f"id_{part['name']}"
        return context

    def decompress(self, value: Any) -> list[Any]:
        return list(value) if isinstance(value, WallTime) else [None, None]


class WallTimeField(forms.MultiValueField):
    widget = WallTimeInput

    def __init__(self, **kwargs: Any) -> None:
        parts = (forms.TimeField(), forms.DateField(required=False))
        super().__init__(parts, require_all_fields=False, required=False, **kwargs)

    def clean(self, value: Any) -> WallTime | None:
        # The fields alone would accept a date without a time.
        if value and value[1] and not value[0]:
            raise ValidationError("Enter the time too, or remove the date.")
        return super().clean(value) if value and any(value) else None

    def compress(self, data_list: list[Any]) -> WallTime | None:
        return WallTime(*data_list) if data_list else None


class VersionField(forms.CharField):
    """The digest of the row when the form was opened; it never counts as a change."""

    widget = forms.HiddenInput

    def has_changed(self, initial: Any, data: Any) -> bool:
        return False


class ReasonField(forms.CharField):
    """Why an event changes. It is stored with the change, not with the event."""

    default_validators = [plain_text]

    def __init__(self, **kwargs: Any) -> None:
        defaults: dict[str, Any] = {
            "label": "Reason for attendees",
            "help_text": "Shown with the change: “The speaker's flight is late.” Not stored if nothing changes.",
            "required": False,
            "max_length": 300,
            "widget": forms.TextInput(attrs={"class": "vTextField", "autocomplete": "off"}),
        }
        super().__init__(**defaults | kwargs)

    def has_changed(self, initial: Any, data: Any) -> bool:
        return False


class ZoneInput(forms.TextInput):
    """A text with the zones as suggestions, which browsers find by zone, city and country."""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        known = f"{name}-zones"
        typed = super().render(name, value, {**(attrs or {}), "list": known, "autocomplete": "off"}, renderer)
        options = format_html_join("", '<option value="{}">{}</option>', zone_places().items())
        return format_html('{}<datalist id="{}">{}</datalist>', typed, known, options)


class ZoneField(forms.CharField):
    """The name of a time zone. A city, or a country with one zone, is understood too."""

    widget = ZoneInput

    def clean(self, value: Any) -> str:
        text = super().clean(value)
        zone = find_zone(text) if text else ""
        if text and not zone:
            cities = [zone_city(zone) for zone in zone_places()]
            hint = spelling_hint(text.title(), cities)
            remedy = hint if hint.endswith("?") else ": write a large city in it, such as Oslo, or a name such as Asia/Singapore."
            raise ValidationError(f"{quoted(text)} is not a time zone{remedy}")
        return zone

"""Controls that need no script: the browser's own for dates and times, and look-ups that stay in one conference."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django import forms
from django.contrib.admin.widgets import AutocompleteSelect, RelatedFieldWidgetWrapper
from django.core.exceptions import ValidationError

from events.admin.times import Wall


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
    """A date and a time, both needed."""

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        parts = [DateInput({"aria-label": "Date"}), TimeInput({"aria-label": "Time"})]
        super(forms.SplitDateTimeWidget, self).__init__(parts, attrs)


class WallInput(forms.MultiWidget):
    """A time, and a date only if it is not the day of the event."""

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        date = DateInput({"aria-label": "Date, if it is not the day's", "class": "hallway-other-date"})
        super().__init__({"1": TimeInput({"aria-label": "Time"}), "0": date}, attrs)

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        for part in context["widget"]["subwidgets"]:
            # Django numbers them by place; these go by their names, as everywhere else.
            part["attrs"]["id"] = f"id_{part['name']}"
        return context

    def decompress(self, value: Any) -> list[Any]:
        return list(value) if isinstance(value, Wall) else [None, None]


class WallField(forms.MultiValueField):
    widget = WallInput

    def __init__(self, **kwargs: Any) -> None:
        parts = (forms.TimeField(), forms.DateField(required=False))
        super().__init__(parts, require_all_fields=False, required=False, **kwargs)

    def clean(self, value: Any) -> Wall | None:
        # A date without an hour is half an answer, which the parts by themselves would let through.
        if value and value[1] and not value[0]:
            raise ValidationError("Give the hour too, or empty the date: an hour to be announced has neither.")
        return super().clean(value) if value and any(value) else None

    def compress(self, data_list: list[Any]) -> Wall | None:
        return Wall(*data_list) if data_list else None


class LookUpSelect(AutocompleteSelect):
    """Asks for rows of one conference, and knows the chosen ones of a whole list of forms without a query each."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.conference_id: int | None = None
        self.known: dict[str, str] = {}

    def get_url(self) -> str:
        url = super().get_url()
        return f"{url}?conference={self.conference_id}" if self.conference_id else url

    def optgroups(self, name: str, value: Any, attr: dict[str, Any] | None = None) -> Any:
        chosen = [str(v) for v in value if v not in {None, ""}]
        if not all(v in self.known for v in chosen):
            return super().optgroups(name, value, attr)
        options = [] if self.is_required else [self.create_option(name, "", "", selected=False, index=0)]
        options += [self.create_option(name, v, self.known[v], selected=True, index=1) for v in chosen]
        return [(None, options, 0)]


class Related(RelatedFieldWidgetWrapper):
    """The buttons beside a choice: what they add is of the form's conference, and nothing is deleted from afar."""

    conference_id: int | None = None

    @classmethod
    def instead_of(cls, stock: RelatedFieldWidgetWrapper) -> Related:
        add, change = stock.can_add_related, stock.can_change_related
        return cls(stock.widget, stock.rel, stock.admin_site, add, change, can_view_related=stock.can_view_related and not change)

    def get_context(self, name: str, value: Any, attrs: Any) -> Any:
        context = super().get_context(name, value, attrs)
        if self.conference_id:
            context["url_params"] += f"&conference={self.conference_id}"
        return context

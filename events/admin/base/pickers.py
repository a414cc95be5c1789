"""Icons and colours as pictures to choose from: radio buttons, which need no script."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

from django import forms
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from events.admin.base.model_admin import HallwayAdmin
from events.core.db.fields import COLOUR_LINES

TYPE_ICONS = (
    *("presentation", "mic", "list", "layout-grid", "wrench", "users", "messages-square", "graduation-cap", "file-text"),
    *("award", "trophy", "megaphone", "video", "radio", "party-popper", "heart-handshake", "coffee", "utensils", "id-card"),
    *("info", "luggage", "briefcase-medical", "car-taxi-front", "bus", "store", "shopping-bag", "ticket", "map", "landmark"),
    *("footprints", "accessibility", "smartphone", "printer", "umbrella", "globe", "star"),
)
"""Drawings in icons.svg that stand for a kind of event or a service."""
LINE_HEX = {
    "invited": "#1747b8",
    "session": "#0b6e75",
    "poster": "#6a35b1",
    "workshop": "#2c6e2f",
    "social": "#b3164b",
    "affinity": "#9a4a00",
    "break": "#565b66",
}
"""The colours of the lines on light pages, as in core.css."""
OTHER_COLOUR = "other"


class Picture(NamedTuple):
    value: str
    label: str
    colour: str = ""
    icon: str = ""


class PictureInput(forms.Widget):
    """Radio buttons with a picture each; what is stored is offered too, whatever it is."""

    pictures: tuple[Picture, ...] = ()
    none_label = "None"
    use_fieldset = True

    class Media:
        css = {"all": ["events/admin/pickers.css"]}

    def id_for_label(self, id_: str | None, index: str | None = None) -> str:
        return ""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        return render_to_string("admin/_pictures.html", self.picture_context(name, str(value or ""), attrs or {}))

    def picture_context(self, name: str, value: str, attrs: dict[str, Any]) -> dict[str, Any]:
        return {
            "name": name,
            "id": attrs.get("id", f"id_{name}"),
            "value": value,
            "none_label": self.none_label,
            "pictures": self.shown_pictures(value),
        }

    def shown_pictures(self, value: str) -> tuple[Picture, ...]:
        return self.pictures


class IconInput(PictureInput):
    pictures = tuple(Picture(name, name.replace("-", " ").capitalize(), icon=name) for name in TYPE_ICONS)
    none_label = "No icon"

    def shown_pictures(self, value: str) -> tuple[Picture, ...]:
        is_known = not value or value in TYPE_ICONS
        return self.pictures if is_known else (*self.pictures, Picture(value, value, icon=value))


class ColourInput(PictureInput):
    """Colours to choose from, and a text for another one, which counts unless a picture is chosen."""

    def picture_context(self, name: str, value: str, attrs: dict[str, Any]) -> dict[str, Any]:
        known = next((it.value for it in self.pictures if it.value.lower() == value.lower()), "")
        other = value if value and not known else ""
        chosen = OTHER_COLOUR if other else known
        return {**super().picture_context(name, chosen, attrs), "other": other, "has_other": True, "other_value": OTHER_COLOUR}

    def value_from_datadict(self, data: Any, files: Any, name: str) -> str:
        chosen = data.get(name) or OTHER_COLOUR
        return str(data.get(f"{name}_other", "")).strip() if chosen == OTHER_COLOUR else str(chosen)

    def value_omitted_from_data(self, data: Any, files: Any, name: str) -> bool:
        return name not in data and f"{name}_other" not in data


class LineColourInput(ColourInput):
    """For types of events: the lines of the design, by name."""

    pictures = tuple(Picture(name, label, colour=LINE_HEX[name]) for name, label in COLOUR_LINES.items())
    none_label = "As usual for what it is"


class HexColourInput(ColourInput):
    """For tracks and conferences: the same colours, as hexadecimal digits."""

    pictures = tuple(Picture(LINE_HEX[name], name.capitalize(), colour=LINE_HEX[name]) for name in COLOUR_LINES)
    none_label = "No colour"


class PictureAdmin(HallwayAdmin):
    """A form with pictures to choose from: ``pictures`` has the widget of each such field."""

    pictures: ClassVar[dict[str, type[PictureInput]]] = {}

    def formfield_for_dbfield(self, db_field: Any, request: Any, **kwargs: Any) -> Any:
        if db_field.name in self.pictures:
            # The help text of the model says what to type where there are no pictures.
            kwargs |= {"widget": self.pictures[db_field.name], "help_text": ""}
        return super().formfield_for_dbfield(db_field, request, **kwargs)

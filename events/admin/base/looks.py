"""Messages on how uploaded pictures and chosen colours were changed, so that everybody can see them."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest

from events.core.db.fields import HEX_COLOUR
from events.core.graphics import colour_note
from events.core.photos import Photo


def report_looks(request: HttpRequest, form: Any) -> None:
    """``form`` was saved."""
    for name in form.changed_data:
        value = form.cleaned_data.get(name)
        notes = value.notes if isinstance(value, Photo) else [colour_note(value)] if _is_colour(name, value) else []
        for note in filter(None, notes):
            messages.info(request, f"{form.fields[name].label}: {note}")


def _is_colour(name: str, value: Any) -> bool:
    return name == "colour" and bool(HEX_COLOUR.match(str(value)))

"""Hostile text put into every row, past every form and validator."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.db import DataError, models, transaction

from events.core.db.fields import WebAddressField


def text_fields() -> Iterator[models.Field[Any, Any]]:
    """Every text that people write; not what is chosen from a list, made by us, or part of an address."""
    for model in apps.get_app_config("events").get_models():
        if model._meta.proxy or model.__name__.startswith("Historical"):
            continue
        for field in model._meta.concrete_fields:
            is_text = isinstance(field, models.CharField | models.TextField) and not isinstance(field, models.SlugField)
            if is_text and field.editable and not field.choices and field.name not in {"timezone", "colour"}:
                yield field


def plant(*texts: str) -> None:
    """One of these in every such column, in turns; a number keeps rows apart that must not be alike."""
    fields = [field for field in text_fields() if not isinstance(field, WebAddressField)]
    for number, field in enumerate(fields):
        rows, room = field.model._default_manager, field.max_length or 20_000
        for pk in rows.values_list("pk", flat=True):
            text = texts[(number + pk) % len(texts)]
            rows.filter(pk=pk).update(**{field.name: f"{text[: max(room - 4, 1)]}{pk}"[:room]})


def planted(*texts: str) -> bool:
    """Whether this database takes such texts at all."""
    try:
        with transaction.atomic():
            plant(*texts)
    except (ValueError, DataError):
        return False
    return True


def address_fields() -> list[models.Field[Any, Any]]:
    return [field for field in text_fields() if isinstance(field, WebAddressField)]

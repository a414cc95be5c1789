"""What a row was like when its form was opened: digests of it and of each field, which travel with the form."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from django.db import models
from django.db.models.fields.files import FieldFile

FIELD_DIGEST_CHARS = 8


class Version(NamedTuple):
    row: str
    at: dt.datetime | None
    """When the form was opened; None if that is unknown."""
    fields: Mapping[str, str]

    def __str__(self) -> str:
        return " ".join(
            [self.row, self.at.isoformat() if self.at else "-", *(f"{name}={it}" for name, it in self.fields.items())]
        )

    @classmethod
    def parse(cls, text: str) -> Version:
        """Of what a browser sent, which may be anything."""
        row, _, more = text.partition(" ")
        at, _, fields = more.partition(" ")
        return cls(row, _moment(at), dict(it.split("=", 1) for it in fields.split() if "=" in it))


def _moment(text: str) -> dt.datetime | None:
    try:
        at = dt.datetime.fromisoformat(text)
    except ValueError:
        return None
    return at if at.tzinfo else None


def digest(values: Iterable[Any]) -> str:
    return hashlib.sha256("\x1f".join(map(_text, values)).encode("utf-8", "replace")).hexdigest()[:24]


def field_digest(value: Any) -> str:
    """Equal for a value that a form shows and for the same value as the form reads it again."""
    if isinstance(value, dt.datetime):
        # No widget shows the fraction.
        value = value.replace(microsecond=0)
    if isinstance(value, str):
        # Browsers send other ends of lines, and forms leave out the blanks at both ends.
        value = "\n".join(value.split("\r\n")).strip()
    return digest([value])[:FIELD_DIGEST_CHARS]


def _text(value: Any) -> str:
    if isinstance(value, dt.datetime):
        return value.astimezone(dt.UTC).isoformat()
    if isinstance(value, FieldFile):
        return value.name or ""
    if isinstance(value, models.Model):
        return str(value.pk)
    return "" if value is None else str(value)

"""What may stand in an address besides what Django knows."""

from __future__ import annotations

import datetime as dt


class DateConverter:
    """A date: 2025-04-24."""

    regex = "[0-9]{4}-[0-9]{2}-[0-9]{2}"

    def to_python(self, value: str) -> dt.date:
        return dt.date.fromisoformat(value)

    def to_url(self, value: dt.date | str) -> str:
        return str(value)

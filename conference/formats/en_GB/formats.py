"""Times have 24 hours, as on all pages."""

from __future__ import annotations

TIME_FORMAT = "H:i"
DATETIME_FORMAT = "j M Y H:i"
SHORT_DATETIME_FORMAT = "d/m/Y H:i"

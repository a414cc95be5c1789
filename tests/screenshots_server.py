"""The site as it is on the morning that its pictures show."""

from __future__ import annotations

import time_machine

from tests.screenshots import SUNDAY_MORNING

time_machine.travel(SUNDAY_MORNING).start()

from conference.wsgi import application  # noqa: E402 - with the clock set

__all__ = ["application"]

#!/usr/bin/env python
"""Django's command line for Hallway."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import Error

from events.core.db.readiness import command_problem

SITE_SETTINGS = Path("/etc/hallway.env")


def refuse_settings_of_no_site() -> None:
    """Without its settings, a command on the machine of a site would work on another database and say nothing."""
    if SITE_SETTINGS.exists() and "SITE_URL" not in os.environ:
        sys.exit(
            f"The site on this machine has its settings in {SITE_SETTINGS}, and SITE_URL is not set here: this command would "
            "work on another database. Run hallway-manage instead of manage.py (docs/operations.md), or set SITE_URL."
        )


if __name__ == "__main__":
    refuse_settings_of_no_site()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "conference.settings")
    # As in the server: an import makes millions of objects that stay to its end, and searched them again and again for garbage.
    gc.set_threshold(50_000, 10, 10)
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"The settings are wrong: {error}")
    except Error as error:
        problem = command_problem(sys.argv[1], error)
        if "--traceback" in sys.argv or not problem:
            raise
        sys.exit(problem)

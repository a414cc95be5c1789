"""The WSGI entry point that granian serves."""

from __future__ import annotations

import gc
import os
import sys
from typing import Any

from django.apps import apps
from django.core.wsgi import get_wsgi_application

from conference.content_type import with_plain_content_type

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "conference.settings")
application = with_plain_content_type(get_wsgi_application())
events: Any = apps.get_app_config("events")
events.start_serving()

# What was loaded for good need not be looked through for garbage again and again, nor after every few requests.
gc.collect()
gc.freeze()
gc.set_threshold(50_000, 10, 10)

# A writer gives up Python's lock at each exchange with the database and gets it back after this long at the latest: in
# seconds, a tenth of what is usual, because all others who want to write wait meanwhile.
sys.setswitchinterval(0.0005)

"""The WSGI entry point that granian serves."""

from __future__ import annotations

import gc
import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "conference.settings")
application = get_wsgi_application()

# What was loaded for good need not be looked through for garbage again and again, nor after every few requests.
gc.collect()
gc.freeze()
gc.set_threshold(50_000, 10, 10)

"""The same bytes from as little code as can answer: what the server and Django allow at most on this machine."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import django
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.http import HttpRequest, HttpResponse
from django.urls import re_path

FOLDER = Path(os.environ["BENCH_ANSWERS"])
ANSWERS: dict[str, tuple[str, str]] = json.loads((FOLDER / "answers.json").read_text())
"""Path → status line and file of the body."""
BODIES = {path: (FOLDER / file).read_bytes() for path, (_, file) in ANSWERS.items()}


def wsgi(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """No framework at all."""
    path = environ["PATH_INFO"]
    status, _ = ANSWERS[path]
    start_response(status, [("Content-Type", "text/html; charset=utf-8"), ("Content-Length", str(len(BODIES[path])))])
    return [BODIES[path]]


def view(request: HttpRequest) -> HttpResponse:
    """Django with one view and no middleware."""
    return HttpResponse(BODIES[request.path], status=int(ANSWERS[request.path][0].partition(" ")[0]))


urlpatterns = [re_path("", view)]


def minimal_django() -> WSGIHandler:
    settings.configure(ROOT_URLCONF=__name__, MIDDLEWARE=[], ALLOWED_HOSTS=["*"], SECRET_KEY="bench", USE_TZ=True)
    django.setup()
    return WSGIHandler()


application = minimal_django() if os.environ.get("BENCH_LIMIT") == "django" else wsgi

"""Static files of the version before and of the version after are served by a process that started between them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from events.web.static_files import StaticFilesMiddleware

# A response that is closed looks at the connection, which an earlier test may have left open.
pytestmark = pytest.mark.django_db


@pytest.fixture
def root(tmp_path: Path, settings: Any) -> Path:
    settings.STATIC_ROOT = tmp_path / "static"
    settings.STATICFILES_DIRS = [tmp_path / "source"]
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
    }
    (tmp_path / "source").mkdir()
    return tmp_path


def collect(root: Path, css: str) -> str:
    """The address of the style sheet of a version."""
    (root / "source/site.css").write_text(css)
    before = set(root.glob("static/site.*.css"))
    call_command("collectstatic", interactive=False, verbosity=0)
    (new,) = set(root.glob("static/site.*.css")) - before
    return f"/static/{new.name}"


def not_found(request: HttpRequest) -> HttpResponse:
    return HttpResponse(status=404)


def fetched(process: StaticFilesMiddleware, path: str) -> tuple[int, bytes]:
    response = process(RequestFactory().get(path))
    content = response.getvalue()
    response.close()
    return response.status_code, content


def test_process_serves_the_version_before_it_and_the_one_after(root: Path) -> None:
    first = collect(root, "a {color: red}")
    second = collect(root, "a {color: blue}")
    process = StaticFilesMiddleware(not_found)
    third = collect(root, "a {color: green}")

    found = [fetched(process, path) for path in (first, second, third)]

    assert found == [(200, b"a {color: red}"), (200, b"a {color: blue}"), (200, b"a {color: green}")]


def test_names_that_no_version_has_are_not_found_and_read_no_folder(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    collect(root, "a {color: red}")
    process = StaticFilesMiddleware(not_found)
    monkeypatch.setattr(process, "add_files", lambda *_, **__: pytest.fail("the folder was read again"))

    paths = ["/static/site.0123456789ab.css", "/static/../pyproject.toml", "/static/", "/demo/"]

    assert [fetched(process, path)[0] for path in paths] == [404] * 4

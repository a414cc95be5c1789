"""nginx answers with static files and photos from its own disk, also while the server is away; `make test-deploy` runs this."""

from __future__ import annotations

import contextlib
import gzip
import http.client
import json
from contextlib import closing
from pathlib import Path

import pytest

from tests.deploy.processes import DEPLOY, PROJECT, free_port, hallway, migrated, nginx
from tests.deploy.test_proxies import skip_if_missing

pytestmark = pytest.mark.deploy
PICTURE = b"GIF89a, or what stands for a photo"


def answer(port: int, path: str, encoding: str = "") -> tuple[int, bytes]:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
        connection.request("GET", path, headers={"Accept-Encoding": encoding})
        response = connection.getresponse()
        body = response.read()
        return response.status, gzip.decompress(body) if response.headers["Content-Encoding"] == "gzip" else body


def test_files_are_answered_while_the_server_is_away_and_pages_are_not(tmp_path: Path) -> None:
    skip_if_missing("nginx")
    photos = tmp_path / "photos"
    photos.mkdir()
    (photos / "speaker.gif").write_bytes(PICTURE)
    names = json.loads((PROJECT / "var/static/staticfiles.json").read_text())["paths"]
    style = f"/static/{names['events/css/web/core.css']}"
    port, upstream = free_port(), free_port()
    settings = {"SITE_URL": f"http://127.0.0.1:{port}", "BEHIND_PROXY": "true", "MEDIA_ROOT": str(photos)}
    asked = [(style, ""), (style, "gzip"), ("/media/speaker.gif", ""), ("/static/missing.css", ""), ("/healthz", "")]

    with contextlib.ExitStack() as stack:
        server = contextlib.ExitStack()
        stack.enter_context(server)
        server.enter_context(hallway(migrated(tmp_path), tmp_path, upstream, **settings))
        stack.enter_context(nginx(tmp_path, (DEPLOY / "nginx.conf").read_text(), port, upstream))
        before = [answer(port, *question) for question in asked]
        server.close()
        after = [answer(port, *question) for question in asked]

    assert [status for status, _ in before] == [200, 200, 200, 404, 200]
    assert [status for status, _ in after] == [200, 200, 200, 502, 502]
    assert after[:3] == before[:3]
    assert before[0][1] == before[1][1] == (PROJECT / "var/static" / names["events/css/web/core.css"]).read_bytes()
    assert before[2][1] == PICTURE

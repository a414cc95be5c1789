"""Files that the commands and the server write are readable by their user alone."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage

from tests.processes import PROJECT

KEY = "import conference.settings as settings; print(settings.SECRET_KEY)"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A project whose ``var`` does not exist yet."""
    shutil.copytree(PROJECT / "conference", tmp_path / "conference")
    return tmp_path


def run(checkout: Path, code: str) -> str:
    """The output of a process with the umask of most systems, and without settings of this shell."""
    command = [sys.executable, "-c", code]
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(checkout)}
    done = subprocess.run(command, cwd=checkout, env=environment, umask=0o022, capture_output=True, text=True, check=True)
    return done.stdout


def modes(folder: Path) -> dict[str, str]:
    return {path.name: oct(stat.S_IMODE(path.stat().st_mode)) for path in folder.iterdir()}


def test_database_and_key_are_for_their_user_alone(checkout: Path) -> None:
    writing = "from django.db import connection; connection.cursor().execute('CREATE TABLE t (x)')"

    modes_meanwhile = run(
        checkout,
        f"""if True:
        import os, pathlib, stat
        os.environ["DJANGO_SETTINGS_MODULE"] = "conference.settings"
        import conference.settings
        {writing}
        print(sorted((it.name, oct(stat.S_IMODE(it.stat().st_mode))) for it in pathlib.Path("var").iterdir()))
    """,
    )

    files = ["hallway.sqlite3", "hallway.sqlite3-shm", "hallway.sqlite3-wal", "secret-key"]
    assert modes_meanwhile.strip() == str([(name, "0o600") for name in files])
    assert modes(checkout)["var"] == "0o700"


def test_first_starts_at_once_agree_on_one_key(checkout: Path) -> None:
    with ThreadPoolExecutor(6) as pool:
        keys = list(pool.map(lambda _: run(checkout, KEY).strip(), range(6)))

    assert keys == [(checkout / "var/secret-key").read_text()] * 6
    assert modes(checkout / "var") == {"secret-key": "0o600"}


def test_photos_are_for_their_user_alone(tmp_path: Path) -> None:
    storage = FileSystemStorage(tmp_path / "media")

    storage.save("photos/ada.jpg", ContentFile(b"x"))

    assert (modes(tmp_path), modes(tmp_path / "media/photos")) == ({"media": "0o700"}, {"ada.jpg": "0o600"})
    assert settings.STORAGES["default"] == {"BACKEND": "django.core.files.storage.FileSystemStorage"}

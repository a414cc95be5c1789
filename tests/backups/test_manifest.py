"""The manifest of a backup is read as it was written; what is wrong with a damaged one is named in words."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

import pytest

from events.backups.files import BackupError, FileMark
from events.backups.manifest import Manifest

NOON = dt.datetime(2025, 4, 24, 12, tzinfo=dt.UTC)
WHOLE = Manifest("0.1.0", NOON, "sqlite", frozenset({"events.0001_initial"}), "mark", {"media/a.webp": FileMark(6, "sum")})


def test_manifest_is_read_as_it_was_written(tmp_path: Path) -> None:
    WHOLE.write(tmp_path)

    assert Manifest.read(tmp_path) == WHOLE


@pytest.mark.parametrize(
    ("manifest", "problem"),
    [
        pytest.param("{", "it is not JSON", id="begun"),
        pytest.param("[" * 50_000, "it is not JSON", id="brackets-without-end"),
        pytest.param("[]", "it is no object of JSON", id="list"),
        pytest.param("{}", "“format” is missing", id="empty"),
        pytest.param({"format": "1"}, "“format” is not a number", id="text-for-a-number"),
        pytest.param({"files": []}, "“files” is not an object", id="files-in-a-list"),
        pytest.param({"migrations": [["events", "0001"]]}, "“migrations” is not a list of names", id="lists-of-migrations"),
        pytest.param({"made_at": "today"}, "“made_at” is “today” and no time", id="no-time"),
        pytest.param({"files": {"media/a": {"size": "6"}}}, "“media/a” has no size or no checksum", id="no-checksum"),
    ],
)
def test_damaged_manifest_is_named_in_words(tmp_path: Path, manifest: str | dict[str, Any], problem: str) -> None:
    WHOLE.write(tmp_path)
    file = tmp_path / "manifest.json"
    file.write_text(manifest if isinstance(manifest, str) else json.dumps(json.loads(file.read_text()) | manifest))

    with pytest.raises(BackupError) as refused:
        Manifest.read(tmp_path)

    assert str(refused.value) == f"{file} is damaged: {problem}. Take another backup."

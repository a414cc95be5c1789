"""A conference folder uploaded as a folder or zip gives the same programme as on disk."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from events.core.parsing.errors import ScheduleParseError
from events.imports.formats import registry
from events.imports.formats.document import Document, Hints
from events.imports.formats.seeds import reader as seeds
from events.imports.formats.seeds.reader import parse_folder
from tests.imports.formats.seeds.seed_folders import CONFERENCE, write_folder

SEEDS = Path(__file__).parents[4] / "seeds"


def zipped(folder: Path, inside: str = "") -> Document:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path in sorted(it for it in folder.rglob("*") if it.is_file()):
            archive.write(path, f"{inside}{path.relative_to(folder).as_posix()}")
    return Document.from_upload("upload.zip", packed.getvalue())


@pytest.mark.parametrize("folder", sorted(path for path in SEEDS.iterdir() if path.is_dir()), ids=lambda path: path.name)
def test_seeds_read_the_same_from_a_folder_and_a_zip(folder: Path) -> None:
    hints = Hints(slug=folder.name)
    expected = parse_folder(folder)

    for document in (Document.read(folder), zipped(folder), zipped(folder, f"{folder.name}/"), zipped(folder, "a/b/c/")):
        assert registry.detect_format(document).name == "seed-folder"
        assert seeds.parse(document, hints) == expected


def test_files_beside_the_folder_are_ignored(tmp_path: Path) -> None:
    folder = write_folder(tmp_path, {})
    (tmp_path / "other.csv").write_text("a,b\n")

    assert seeds.parse(Document.read(tmp_path), Hints(slug="demo")) == parse_folder(folder)


def test_a_folder_of_another_conference_is_refused(tmp_path: Path) -> None:
    document = Document.read(write_folder(tmp_path, {}))

    with pytest.raises(ScheduleParseError) as caught:
        seeds.parse(document, Hints(slug="iclr-2025"))

    assert str(caught.value) == (
        "conference.toml, [conference], key “slug”: “demo” is not the conference it is imported into, “iclr-2025”: "
        "choose the conference that the folder is of"
    )


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        pytest.param({"event.csv": b""}, "event.csv: is not a file of a conference folder", id="a typo"),
        pytest.param({"events.csv": b"key,title,type\na,\xe9,talk\n"}, "events.csv, line 2: byte 0xE9", id="Latin-1"),
        pytest.param({"notes/x.md": b"x"}, "notes/x.md: “x” is not the key of an event", id="a note of nothing"),
        pytest.param({"more/conference.toml": b""}, "demo: holds 2 conferences: upload the folder of one", id="two conferences"),
    ],
)
def test_messages_name_the_files_of_the_folder(files: dict[str, bytes], problem: str) -> None:
    document = Document("demo", {"conference.toml": CONFERENCE.encode(), **files})

    with pytest.raises(ScheduleParseError) as caught:
        seeds.parse(document, Hints(slug="demo"))

    assert str(caught.value).startswith(problem)


def test_document_without_conference_toml_is_not_a_folder() -> None:
    document = Document("demo", {"events.csv": b""})

    assert not seeds.recognises(document)
    with pytest.raises(ScheduleParseError, match="toml: is missing: every conference folder has one"):
        seeds.parse(document, Hints(slug="demo"))

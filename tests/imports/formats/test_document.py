from __future__ import annotations

import io
import os
import zipfile
from pathlib import Path

import pytest

from events.core.parsing.errors import COMMAND_REMEDY, MAX_UPLOAD_BYTES, ScheduleParseError, limits_of_command
from events.imports.formats import document
from events.imports.formats.document import Document


def zipped(*entries: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return out.getvalue()


def refusal(name: str, content: bytes) -> str:
    with pytest.raises(ScheduleParseError) as caught:
        Document.from_upload(name, content)
    return str(caught.value)


def test_file_is_one_document(tmp_path: Path) -> None:
    (tmp_path / "talks.xml").write_bytes(b"<a/>")

    document = Document.read(tmp_path / "talks.xml")

    assert (document.name, document.is_one_file, document.content) == ("talks.xml", True, b"<a/>")


def test_folder_is_read_by_path_without_what_is_hidden(tmp_path: Path) -> None:
    (tmp_path / "site" / "data").mkdir(parents=True)
    (tmp_path / "site" / "data" / "papers.csv").write_bytes(b"UID")
    (tmp_path / "site" / "config.yml").write_bytes(b"name: x")
    (tmp_path / "site" / ".DS_Store").write_bytes(b"x")

    document = Document.read(tmp_path / "site")

    assert (document.name, dict(document.files)) == ("site", {"config.yml": b"name: x", "data/papers.csv": b"UID"})


@pytest.mark.parametrize("name", ["site.zip", "site", "schedule.xml"])
def test_zip_is_opened_whatever_it_is_called(name: str) -> None:
    document = Document.from_upload(
        name, zipped(("site/config.yml", b"x"), ("site/a/b.csv", b"y"), ("__MACOSX/site/config.yml", b"z"))
    )

    assert (document.name, dict(document.files)) == (name, {"config.yml": b"x", "a/b.csv": b"y"})


def test_zip_of_files_side_by_side_keeps_their_names() -> None:
    assert dict(Document.from_upload("a.zip", zipped(("a.yml", b"x"), ("b/c.yml", b"y"))).files) == {
        "a.yml": b"x",
        "b/c.yml": b"y",
    }


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        pytest.param(b"\x1f\x8b\x08 and so on", "is compressed with gzip: unpack it first", id="gzip"),
        pytest.param(b"PK\x03\x04" + b"\0" * 60, "is a zip that cannot be opened: make it again", id="broken"),
        pytest.param(zipped(("a", b"x" * 999))[:-30], "is a zip that cannot be opened: make it again", id="truncated"),
        pytest.param(zipped(("/etc/passwd", b"x")), "holds “/etc/passwd”, which points outside: make it again", id="absolute"),
        pytest.param(zipped(("../a", b""), ("b", b"")), "holds “../a”, which points outside: make it again", id="zip slip"),
        pytest.param(
            zipped(("a", b"x"), method=zipfile.ZIP_BZIP2), "is packed in an unusual way: make an ordinary zip", id="bzip2"
        ),
        pytest.param(
            zipped(("a", b"x"), method=zipfile.ZIP_LZMA), "is packed in an unusual way: make an ordinary zip", id="lzma"
        ),
    ],
)
def test_unreadable_file_is_refused(content: bytes, problem: str) -> None:
    assert refusal("talks.zip", content) == f"talks.zip: {problem}"


def test_zip_of_too_many_files_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document, "MAX_UPLOAD_FILES", 2)

    assert (
        refusal("a.zip", zipped(("a", b""), ("b", b""), ("c", b""))) == "a.zip: holds 3 files: pack only those of one programme"
    )


def test_zip_that_unpacks_to_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document, "MAX_UPLOAD_BYTES", 2**20)

    content = zipped(("a", bytes(600_000)), ("b", bytes(600_000)))

    assert refusal("a.zip", content) == f"a.zip: is larger than 1 MB: upload the programme without its media, or {COMMAND_REMEDY}"


def test_file_that_is_too_large_is_not_even_read(tmp_path: Path) -> None:
    path = tmp_path / "large.xml"
    with path.open("wb") as file:
        os.truncate(file.fileno(), MAX_UPLOAD_BYTES + 1)

    with pytest.raises(ScheduleParseError, match=r"^large\.xml: is larger than 64 MB: upload .* media, or import"):
        Document.read(path)


def test_command_reads_eight_times_as_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document, "MAX_UPLOAD_BYTES", 2**20)
    path = tmp_path / "large.xml"
    path.write_bytes(bytes(8 * 2**20))
    with limits_of_command():
        assert len(Document.read(path).content) == 8 * 2**20
        path.write_bytes(bytes(8 * 2**20 + 1))
        with pytest.raises(ScheduleParseError, match=r"^large\.xml: is larger than 8 MB: upload .* without its media$"):
            Document.read(path)


def test_folder_that_is_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document, "MAX_UPLOAD_BYTES", 2**20)
    (tmp_path / "a").write_bytes(bytes(600_000))
    (tmp_path / "b").write_bytes(bytes(600_000))

    with pytest.raises(ScheduleParseError, match=f"^{tmp_path.name}: is larger than 1 MB"):
        Document.read(tmp_path)


def test_folder_of_too_many_files_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document, "MAX_UPLOAD_FILES", 1)
    (tmp_path / "a").touch()
    (tmp_path / "b").touch()

    with pytest.raises(ScheduleParseError, match=f"^{tmp_path.name}: holds 2 files: name the folder of one programme$"):
        Document.read(tmp_path)


@pytest.mark.parametrize("name", ["nowhere.xml", "nul\0.xml"])
def test_missing_file_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ScheduleParseError, match="cannot be read: "):
        Document.read(tmp_path / name)


def test_document_of_several_files_has_no_content() -> None:
    document = Document.from_upload("a.zip", zipped(("a", b"x"), ("b", b"y")))

    with pytest.raises(ScheduleParseError, match=r"^a\.zip: holds 2 files: upload one of them$"):
        _ = document.content


def test_digest_differs_between_documents() -> None:
    documents = [Document("x", files) for files in ({"a": b"bc"}, {"ab": b"c"}, {"a": b"b", "c": b""}, {"a": b"bc", "c": b""})]

    assert len({it.digest for it in documents}) == len(documents)
    assert Document("x", {"a": b"1", "b": b"2"}).digest == Document("y", {"b": b"2", "a": b"1"}).digest

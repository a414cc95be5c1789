"""The documents name what there is, and nothing else; the locks name versions and hashes, and nothing else."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[1]
README = (PROJECT / "README.md").read_text()
DECISIONS = sorted((PROJECT / "docs/decisions").glob("[0-9]*.md"))
TOP = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"]
DOCUMENTS = [*(PROJECT / name for name in TOP), *sorted((PROJECT / "docs").rglob("*.md"))]
EVERYTHING_SAID = "\n".join(document.read_text() for document in DOCUMENTS)
COMMANDS = sorted(path.stem for path in (PROJECT / "events/management/commands").glob("[!_]*.py"))
TARGETS = re.findall(r"^([a-z-]+):.*## ", (PROJECT / "Makefile").read_text(), re.MULTILINE)
LOCKS = ["requirements.txt", "requirements-dev.txt", "requirements-environment.txt", "requirements-sentry.txt"]


def section(title: str) -> str:
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", README, re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


def pins(lock: str) -> set[str]:
    return set(re.findall(r"^[a-z0-9.\[\]-]+==\S+", (PROJECT / lock).read_text(), re.MULTILINE))


def links(document: Path) -> list[str]:
    found = re.findall(r"\]\(([^)\s]+)\)", document.read_text())
    return [link.partition("#")[0] for link in found if not re.match(r"[a-z]+:|#", link)]


def anchors(document: Path) -> set[str]:
    """The headings of a document as links name them."""
    headings = re.findall(r"^#+ (.+)$", document.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_readme_names_every_setting() -> None:
    settings = (PROJECT / "conference/settings.py").read_text()
    read = set(re.findall(r"""(?:env\.\w+|whole_number|yes_or_no)\(\s*"([A-Z_]+)\"""", settings))

    named = set(re.findall(r"^\| `([A-Z_]+)` \|", section("Settings"), re.MULTILINE))

    assert named == read


def test_readme_names_every_management_command() -> None:
    named = set(re.findall(r"^\| `manage\.py (\w+)", section("Commands"), re.MULTILINE))

    assert named == set(COMMANDS)


def test_readme_names_every_make_target() -> None:
    named = re.findall(r"^\| `make ([a-z-]+)", section("Commands"), re.MULTILINE)

    assert named == TARGETS


def test_documents_name_only_make_targets_there_are() -> None:
    named = set(re.findall(r"`make ([a-z-]+)", EVERYTHING_SAID))

    assert named == set(TARGETS)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(PROJECT).as_posix())
def test_documents_link_to_files_there_are(document: Path) -> None:
    missing = [link for link in links(document) if not (document.parent / link).exists()]

    assert missing == []


def test_documents_link_to_headings_there_are() -> None:
    missing = [
        f"{document.relative_to(PROJECT)}: {path}#{heading}"
        for document in DOCUMENTS
        for path, heading in re.findall(r"\]\((?![a-z]+:)([^)\s#]*)#([^)\s]+)\)", document.read_text())
        if heading not in anchors(document.parent / path if path else document)
    ]

    assert missing == []


def test_decisions_are_numbered_and_in_the_index() -> None:
    index = (PROJECT / "docs/decisions/README.md").read_text()

    listed = re.findall(r"^\| \[(\d{3})\]\((\S+)\) \| (.+) \|$", index, re.MULTILINE)

    titles = [path.read_text().partition("\n")[0].removeprefix(f"# {path.name[:3]} ") for path in DECISIONS]
    assert listed == [(path.name[:3], path.name, title) for path, title in zip(DECISIONS, titles, strict=True)]
    assert [number for number, _, _ in listed] == [f"{number:03}" for number in range(1, len(DECISIONS) + 1)]


def test_decisions_have_context_decision_and_consequences() -> None:
    headings = {path.name: re.findall(r"^## (.+)$", path.read_text(), re.MULTILINE) for path in DECISIONS}

    assert headings == {path.name: ["Context", "Decision", "Consequences"] for path in DECISIONS}


def test_changelog_begins_with_the_version_in_work() -> None:
    version = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]["version"]

    versions = re.findall(r"^## (\S+)", (PROJECT / "CHANGELOG.md").read_text(), re.MULTILINE)

    assert versions[0] == version


@pytest.mark.parametrize("lock", LOCKS)
def test_locks_name_no_host(lock: str) -> None:
    text = (PROJECT / lock).read_text()

    assert re.findall(r"https?:|^--|^-[a-z] ", text, re.MULTILINE) == []


@pytest.mark.parametrize("lock", LOCKS)
def test_locks_hash_every_version(lock: str) -> None:
    entries = re.split(r"\n(?=\S)", (PROJECT / lock).read_text().strip())

    assert [entry for entry in entries if "==" not in entry or "--hash=sha256:" not in entry] == []


def test_test_environment_runs_the_same_versions() -> None:
    assert (pins("requirements.txt") | pins("requirements-sentry.txt")) - pins("requirements-dev.txt") == set()

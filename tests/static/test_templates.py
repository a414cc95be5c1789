"""Rules that every page template keeps, checked on their source."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from events.web.icons import icon_paths

ROOT = Path(__file__).parents[2]
TEMPLATES = ROOT / "templates"
PAGES = sorted(path for path in TEMPLATES.rglob("*.html") if "admin" not in path.relative_to(TEMPLATES).parts)
FILES = sorted(path for path in TEMPLATES.rglob("*") if path.is_file())
FRAGMENTS = [path for path in PAGES if path.name.startswith("_")]
ICON_USES = re.compile(r'_icon\.html" with name="([\w-]+)"|\bicon="([\w-]+)"')


def name(path: Path) -> str:
    return str(path.relative_to(TEMPLATES))


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_template_has_no_inline_style_or_script(path: Path) -> None:
    inline = re.compile(r"""<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)(?! type="application/ld\+json">)|\shx-on""")

    assert inline.findall(path.read_text()) == []


@pytest.mark.parametrize("path", FRAGMENTS, ids=name)
def test_fragment_begins_with_its_context(path: Path) -> None:
    assert path.read_text()[:22] == "{% comment %}Context: "


@pytest.mark.parametrize("path", FILES, ids=name)
def test_no_line_is_longer_than_160_characters(path: Path) -> None:
    lines = enumerate(path.read_text().splitlines(), start=1)

    assert [number for number, line in lines if len(line) > 160] == []


@pytest.mark.parametrize("path", FILES, ids=name)
def test_no_picture_is_a_document_of_its_own(path: Path) -> None:
    assert re.findall(r"""<use[^>]* href=["'](?!#)""", path.read_text()) == []


def test_every_icon_that_templates_name_is_drawn() -> None:
    named = {icon for path in PAGES for found in ICON_USES.findall(path.read_text()) for icon in found if icon}

    assert len(named) > 20
    assert named - icon_paths().keys() == set()

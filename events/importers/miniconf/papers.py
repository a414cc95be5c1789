"""papers.json or papers.csv: what was accepted, and by whom."""

from __future__ import annotations

import re

from events.importers.data import LinkData, PaperData
from events.importers.miniconf.programme import Programme
from events.importers.miniconf.sitedata import Entry, text, texts

_TITLE, _TLDR = 500, 1_000
_ADDRESS = re.compile(r"https?://[^\s;,]+")
_BIBTEX_URL = re.compile(r"\burl\s*=\s*\{([^{}]+)\}")


def papers(programme: Programme) -> None:
    """What is kept of each: title, TL;DR, abstract, authors, links. Authors' e-mail addresses are not read."""
    files, slides = programme.files, _slides(programme)
    for entry in files.entries("papers.json"):
        content = entry.get("content")
        key = text(entry, "id") or text(entry, "forum") or text(entry, "UID")
        _paper(programme, key, content if isinstance(content, dict) else entry, slides.get(key, ""))
    for row in files.rows("papers.csv"):
        _paper(programme, text(row, "UID"), row | {"authors": text(row, "authors").split("|")}, slides.get(text(row, "UID"), ""))


def _paper(programme: Programme, key: str, content: Entry, slides: str) -> None:
    builder = programme.builder
    title, place = builder.line(text(content, "title"), _TITLE), f"papers, “{key[:60]}”"
    if not title or not key:
        builder.skip(place, "it has no title" if key else "it has no id")
        return
    if content.get("keywords"):
        builder.warn("papers: their keywords have no place in the programme and are left out")
    authors = [builder.person(name) for name in texts(content, "authors")]
    programme.papers[key] = builder.paper(
        PaperData(
            key=builder.line(key, 150),
            title=title,
            tldr=builder.line(text(content, "TL;DR"), _TLDR),
            abstract=builder.prose(text(content, "abstract")),
            authors=tuple(dict.fromkeys(filter(None, authors))),
            links=_links(programme, content, slides, place),
        )
    )
    programme.titles[key] = title


def _links(programme: Programme, content: Entry, slides: str, place: str) -> tuple[LinkData, ...]:
    """The paper where its own citation says it is, its code, and its talk."""
    link = programme.builder.link
    cited = _BIBTEX_URL.search(text(content, "_bibtex"))
    found = link(cited[1], kind="paper", place=place) if cited else ()
    for address in _ADDRESS.findall(text(content, "code")):
        found += link(address, kind="code", place=place)
    return found + (link(slides, kind="video", place=place) if slides else ())


def _slides(programme: Programme) -> dict[str, str]:
    """Where each paper's recorded talk is."""
    entries = programme.files.entries("poster_slides.yml", under="slides")
    return {text(entry, "uid"): recording(text(entry, "slides_id")) for entry in entries}


def recording(number: str) -> str:
    """SlidesLive's page of a talk by its number, as Mini-Conf's own pages link it."""
    return f"https://slideslive.com/{number}" if number.isascii() and number.isdecimal() else ""

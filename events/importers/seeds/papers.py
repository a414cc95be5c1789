"""papers.csv, awards.csv and announcements.csv, and the links that papers and events carry."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from zoneinfo import ZoneInfo

from events.importers.cells import quoted
from events.importers.data import AnnouncementData, AwardData, LinkData, PaperData
from events.importers.seeds.keys import unique
from events.importers.seeds.people import People
from events.importers.seeds.rows import ADDRESS, NAME, SENTENCE, Row
from events.importers.seeds.tables import AUDIENCES, LEVELS, LINK_KINDS
from events.importers.seeds.times import beginning, ending

_LINK_TITLE = 200


def papers(rows: Iterable[Row], people: People, topic_keys: Collection[str]) -> tuple[PaperData, ...]:
    return tuple(
        PaperData(
            key=key,
            title=row.required("title", ADDRESS),
            tldr=row.text("tldr", SENTENCE),
            abstract=row.prose("abstract"),
            topic=row.reference("topic", topic_keys, "topic"),
            authors=people.authors(row),
            links=links(row),
        )
        for key, row in unique(rows).items()
    )


def links(row: Row) -> tuple[LinkData, ...]:
    """“paper https://example.org/p; video https://example.org/v The recording”."""
    return tuple(_link(row, item) for item in row.items("links"))


def _link(row: Row, item: str) -> LinkData:
    kind, _, rest = item.partition(" ")
    url, _, title = rest.partition(" ")
    if kind.lower() not in LINK_KINDS:
        raise row.error("links", f"{quoted(item)} does not begin with one of {', '.join(LINK_KINDS)}: write “paper https://…”")
    if len(title) > _LINK_TITLE:
        raise row.error("links", f"{quoted(title)} has {len(title)} characters: keep it to {_LINK_TITLE}")
    return LinkData(kind=kind.lower(), url=row.checked_url("links", url), title=title)


def awards(rows: Iterable[Row], paper_keys: Collection[str], event_keys: Collection[str]) -> tuple[AwardData, ...]:
    return tuple(
        _award(key, row, position, paper_keys, event_keys) for position, (key, row) in enumerate(unique(rows).items(), 1)
    )


def _award(key: str, row: Row, position: int, paper_keys: Collection[str], event_keys: Collection[str]) -> AwardData:
    if not row.has("paper") and not row.has("event"):
        raise row.error("paper", "is empty, and so is the event: an award goes to one of them")
    return AwardData(
        key=key,
        name=row.required("name", NAME),
        level=row.choice("level", LEVELS, default="winner"),
        year=row.year(),
        paper=row.reference("paper", paper_keys, "paper"),
        event=row.reference("event", event_keys, "event"),
        citation=row.prose("citation"),
        position=position,
    )


def announcements(rows: Iterable[Row], zone: ZoneInfo) -> tuple[AnnouncementData, ...]:
    return tuple(_announcement(key, row, zone) for key, row in unique(rows).items())


def _announcement(key: str, row: Row, zone: ZoneInfo) -> AnnouncementData:
    starts_at = beginning(row, "from", zone)
    until = ending(row, "until", zone) if row.has("until") else None
    if until and until <= starts_at:
        raise row.refuse("until", "is not after the “from”")
    return AnnouncementData(
        key=key,
        title=row.required("title"),
        text=row.prose("text"),
        audience=row.choice("for", AUDIENCES),
        urgent=bool(row.flag("urgent")),
        starts_at=starts_at,
        until=until,
    )

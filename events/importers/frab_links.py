"""The links of a schedule.xml event: attachments, what its speakers name, its page, and where to give feedback."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from events.importers.builder import ScheduleBuilder
from events.importers.data import LinkData
from events.importers.frab_texts import said
from events.importers.values import absolute, link_kind

KINDS = {"slides": "slides", "paper": "paper", "video": "video", "audio": "video", "poster": "poster", "code": "code"}
PAGES = (("url", "source", ""), ("feedback_url", "website", "Feedback"))


class Links:
    def __init__(self, build: ScheduleBuilder, *, base: str) -> None:
        self.build, self.base = build, base

    def of(self, event: Element, place: str) -> tuple[LinkData, ...]:
        """Each address once, as it is said first."""
        found: dict[str, LinkData] = {}
        for element in [*event.iterfind("attachments/attachment"), *event.iterfind("links/link")]:
            title = said(element, "title") or (element.text or "").strip()
            address = element.get("href") or element.get("url") or title
            kind = KINDS.get((element.get("type") or said(element, "type")).lower()) or link_kind(title)
            shown = "" if title == address else title
            for link in self.build.link(self._whole(address), kind=kind, title=shown, place=place):
                found.setdefault(link.url, link)
        for name, kind, title in PAGES:
            for link in self.build.link(said(event, name), kind=kind, title=title, place=place):
                found.setdefault(link.url, link)
        return tuple(found.values())

    def _whole(self, address: str) -> str:
        """The address a browser would have gone to from the programme's own page."""
        return f"https://{address}" if address.lower().startswith("www.") else absolute(address, self.base)

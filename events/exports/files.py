"""Export files: their selection of events and papers, their ETag, and their compressed bytes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from django.conf import settings
from django.db.models import Max, QuerySet
from django.http import QueryDict
from django.urls import reverse
from django.utils import timezone

from events.core.compression import compressed
from events.core.stored_files import STORED_EXPORTS, BuiltFile, FileKey, StoredFile
from events.core.tokens import etag_digest
from events.exports.kept_json import joined_schedule_json
from events.exports.programme import Selection, page_names, programme_data, schedule_version
from events.exports.schedule_json import schedule_json
from events.exports.schedule_xml import schedule_xml
from events.exports.tables import papers_csv, schedule_csv
from events.exports.values import ExportUrls
from events.programme.data.schedule import ScheduleData
from events.programme.models.conference import Conference
from events.programme.models.papers import Paper
from events.programme.queries import papers as papers_queries
from events.programme.queries.changes import may_serve_last
from events.programme.queries.filters import FilterSelection


def paper_filter_selection(query: QueryDict) -> FilterSelection:
    return tuple(sorted(papers_queries.paper_filter_values(query).items()))


def chosen_papers(conference: Conference, query: QueryDict) -> QuerySet[Paper]:
    """Return the papers of their page under these filters, without its joins and prefetches."""
    listed = papers_queries.public_papers(conference, query).select_related(None).prefetch_related(None)
    return Paper.objects.filter(pk__in=listed.order_by().values("pk")).order_by("title", "pk")


# Raise this number when the same rows give other bytes, or clients with the old ETag keep the old file.
EXPORT_FORMAT_VERSION = 8
NIL_GUID = "00000000-0000-0000-0000-000000000000"


@dataclass(frozen=True)
class ExportFormat:
    media_type: str
    write: Callable[[ScheduleData, ExportUrls, str], bytes]


EXPORT_FORMATS = {
    "schedule.xml": ExportFormat("application/vnd.c3voc.schedule+xml; charset=utf-8", schedule_xml),
    "schedule.json": ExportFormat("application/json", schedule_json),
    "schedule.csv": ExportFormat("text/csv; charset=utf-8", lambda data, at, version: schedule_csv(data)),
    "papers.csv": ExportFormat("text/csv; charset=utf-8", lambda data, at, version: papers_csv(data)),
}


@dataclass(frozen=True, eq=False)
class Export:
    """``etag`` needs no query; ``build`` reads all rows. ``filters`` distinguish selections of one conference."""

    name: str
    selection: Selection
    filters: tuple[object, ...] = ()

    @property
    def conference(self) -> Conference:
        return self.selection.conference

    @property
    def media_type(self) -> str:
        return EXPORT_FORMATS[self.name].media_type

    @property
    def file_name(self) -> str:
        return f"{self.conference.slug}-{self.name}"

    @cached_property
    def etag(self) -> str:
        # Today is part of it, because recordings are linked from a date on.
        conference = self.conference
        version = (
            EXPORT_FORMAT_VERSION,
            settings.SITE_URL,
            conference.pk,
            conference.revision,
            self.name,
            self.filters,
            self.selection.today,
        )
        return f'"{hashlib.sha256(repr(version).encode()).hexdigest()[:32]}"'

    @cached_property
    def key(self) -> FileKey:
        # Filters are texts of the address: as a digest, they have one length.
        name = f"{self.conference.pk}-{self.name}" + (f"-{etag_digest(*self.filters)}" if self.filters else "")
        return FileKey(name, self.etag.strip('"'), is_selection=bool(self.filters))

    def stored(self) -> StoredFile:
        """Return the file compressed with gzip, or its last bytes; raise BusyError."""
        changed_at = self.conference.events.aggregate(newest=Max("revised_at"))["newest"]
        return STORED_EXPORTS.get_or_build(self.key, changed_at, self.build, lambda since: may_serve_last(self.conference, since))

    def build(self) -> BuiltFile:
        # Read before the rows, so that no later change seems to be in the file.
        now = timezone.now()
        parts, is_joined = self._parts()
        return BuiltFile(compressed(parts), now, is_joined)

    def _parts(self) -> tuple[Iterable[bytes], bool]:
        at = export_urls(self.selection)
        if self.name == "schedule.json" and not self.filters:
            conference = self.conference
            settings_of_pieces = [EXPORT_FORMAT_VERSION, settings.SITE_URL, conference.slug, self.selection.today.isoformat()]
            return joined_schedule_json(self.selection, at, name=self.key.name, settings=settings_of_pieces)
        newest = self.selection.events.aggregate(newest=Max("revised_at"))["newest"]
        version = schedule_version(self.conference, newest)
        return [EXPORT_FORMATS[self.name].write(programme_data(self.selection), at, version)], False


def export_urls(selection: Selection) -> ExportUrls:
    conference = selection.conference

    def page(name: str, *more: str) -> str:
        address: str = settings.SITE_URL + reverse(f"events:{name}", args=[conference.slug, *more])
        return address.replace(NIL_GUID, "{}")

    return ExportUrls(
        site=settings.SITE_URL,
        conference=page("conference-detail"),
        event=page("event-by-guid", NIL_GUID),
        paper=page("paper-detail", NIL_GUID),
        person=page("person-detail", NIL_GUID),
        topic=page("schedule") + "?topic={}",
        type=page("schedule") + "?type={}&kind={}",
        logo=settings.SITE_URL + conference.logo.url if conference.logo else "",
        page_names=page_names(selection),
    )

"""Downloads of the programme: schedule.xml, schedule.json, schedule.csv and papers.csv."""

from __future__ import annotations

import datetime as dt

from django.http import HttpResponse, HttpResponseNotModified
from django.middleware.gzip import re_accepts_gzip
from django.utils import timezone
from django.utils.http import http_date

from events.core.clock import programme_date
from events.core.stored_files import STORED_EXPORTS, BusyError, StoredFile
from events.exports import files
from events.exports.files import Export
from events.exports.programme import Selection, part_of_programme, whole_programme
from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.programme.queries import filters as filters_queries
from events.web.caching import PUBLIC_CACHE_CONTROL, is_current, open_to_scripts
from events.web.request import Request, conference_view
from events.web.stored_responses import busy_response, stored_cache_control, stored_response


@open_to_scripts
@conference_view
def schedule_xml(request: Request, conference: Conference) -> HttpResponse:
    return export_response(request, schedule_export("schedule.xml", request, conference))


@open_to_scripts
@conference_view
def schedule_json(request: Request, conference: Conference) -> HttpResponse:
    return export_response(request, schedule_export("schedule.json", request, conference))


@open_to_scripts
@conference_view
def schedule_csv(request: Request, conference: Conference) -> HttpResponse:
    return export_response(request, schedule_export("schedule.csv", request, conference))


@open_to_scripts
@conference_view
def papers_csv(request: Request, conference: Conference) -> HttpResponse:
    papers = files.chosen_papers(conference, request.GET)
    selection = Selection(conference, Event.objects.none(), papers, real_today(conference))
    return export_response(request, Export("papers.csv", selection, files.paper_filter_selection(request.GET)))


def schedule_export(name: str, request: Request, conference: Conference) -> Export:
    query = filters_queries.with_room_numbers(conference, request.GET)
    filters, today = filters_queries.schedule_filter_selection(query), real_today(conference)
    if not filters:
        return Export(name, whole_programme(conference, today))
    return Export(name, part_of_programme(conference, filters_queries.chosen_events(conference, query), today), filters)


def real_today(conference: Conference) -> dt.date:
    """Return the date without ``?at=``: recordings become public by the real date."""
    return programme_date(timezone.now(), conference.zone)


def export_response(request: Request, export: Export) -> HttpResponse:
    """Return the file, or 304 before any row is read; compressed if the client accepts gzip."""
    try:
        response = conditional_export_response(request, export)
    except BusyError:
        response = busy_response()
    response["Vary"] = "Accept-Encoding"
    response["X-Robots-Tag"] = "noindex"
    return response


def conditional_export_response(request: Request, export: Export) -> HttpResponse:
    zips = bool(re_accepts_gzip.search(request.headers.get("Accept-Encoding", "")))
    # A strong ETag identifies the exact bytes, so that the compressed form needs its own.
    etag = f'{export.etag[:-1]}-gzip"' if zips else export.etag
    if "If-None-Match" in request.headers and is_current(request.headers, export.etag, lambda: None):
        STORED_EXPORTS.note_current(export.key)
        return HttpResponseNotModified(headers={"ETag": etag, "Cache-Control": PUBLIC_CACHE_CONTROL})
    stored = export.stored()
    # Last bytes have the ETag of their version.
    etag = f'"{stored.version}-gzip"' if zips else f'"{stored.version}"'
    if is_current(request.headers, f'"{stored.version}"', lambda: stored.modified_at):
        stored.file.close()
        response: HttpResponse = HttpResponseNotModified(headers={"ETag": etag})
    else:
        response = file_response(request, export, stored, etag, zips=zips)
    response["Cache-Control"] = stored_cache_control(stored)
    return response


def file_response(request: Request, export: Export, stored: StoredFile, etag: str, *, zips: bool) -> HttpResponse:
    response = stored_response(request, stored, export.media_type, unzips=not zips)
    if zips:
        response["Content-Encoding"] = "gzip"
    response["ETag"] = etag
    if stored.modified_at is not None:
        response["Last-Modified"] = http_date(stored.modified_at.timestamp())
    response["Content-Disposition"] = f'attachment; filename="{export.file_name}"'
    return response

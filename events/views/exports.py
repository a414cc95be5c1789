"""The programme for other programs: schedule.xml, schedule.json, schedule.csv and papers.csv."""

from __future__ import annotations

import datetime as dt
import gzip

from django.http import HttpResponse, HttpResponseNotModified
from django.middleware.gzip import re_accepts_gzip
from django.utils import timezone
from django.utils.http import http_date

from events.byte_cache import CACHE
from events.calendars.conditions import is_current
from events.exports.files import Export
from events.exports.programme import Selection, part_of_programme, whole_programme
from events.http import Request, in_conference
from events.models import Conference, Event
from events.queries import exports as queries
from events.schedule.clock import programme_date
from events.views.calendar_answers import PUBLIC, read_only


@read_only
@in_conference
def schedule_xml(request: Request, conference: Conference) -> HttpResponse:
    return answer(request, schedule_export("schedule.xml", request, conference))


@read_only
@in_conference
def schedule_json(request: Request, conference: Conference) -> HttpResponse:
    return answer(request, schedule_export("schedule.json", request, conference))


@read_only
@in_conference
def schedule_csv(request: Request, conference: Conference) -> HttpResponse:
    return answer(request, schedule_export("schedule.csv", request, conference))


@read_only
@in_conference
def papers_csv(request: Request, conference: Conference) -> HttpResponse:
    """The papers that the page of papers lists under the same filters."""
    papers = queries.chosen_papers(conference, request.GET)
    selection = Selection(conference, Event.objects.none(), papers, real_today(conference))
    return answer(request, Export("papers.csv", selection, queries.asked_of_papers(request.GET)))


def schedule_export(name: str, request: Request, conference: Conference) -> Export:
    """What the schedule's pages show under the same filters; all of it without any."""
    wanted, today = queries.asked_of_schedule(request.GET), real_today(conference)
    if not wanted:
        return Export(name, whole_programme(conference, today))
    return Export(name, part_of_programme(conference, queries.chosen_events(conference, request.GET), today), wanted)


def real_today(conference: Conference) -> dt.date:
    """Not the date of ``?at=``: what may be known is known by the real one."""
    return programme_date(timezone.now(), conference.zone)


def answer(request: Request, export: Export) -> HttpResponse:
    """The file, or 304 before anything is read; compressed for whoever takes that. Anybody's page may fetch it."""
    response = answered(request, export)
    response["Cache-Control"] = PUBLIC
    response["Vary"] = "Accept-Encoding"
    response["X-Robots-Tag"] = "noindex"
    response["Access-Control-Allow-Origin"] = "*"
    return response


def answered(request: Request, export: Export) -> HttpResponse:
    zips = bool(re_accepts_gzip.search(request.headers.get("Accept-Encoding", "")))
    # Two forms of one version: a strong tag is for the very bytes.
    etag = f'{export.etag[:-1]}-gzip"' if zips else export.etag
    if "If-None-Match" in request.headers and is_current(request.headers, export.etag, lambda: None):
        return HttpResponseNotModified(headers={"ETag": etag})
    made = CACHE.get_or_build(("export", export.etag), lambda: export.make(timezone.now()))
    if is_current(request.headers, export.etag, lambda: made.at):
        return HttpResponseNotModified(headers={"ETag": etag})
    response = HttpResponse(made.zipped if zips else gzip.decompress(made.zipped), content_type=export.media_type)
    if zips:
        response["Content-Encoding"] = "gzip"
    response["ETag"] = etag
    response["Last-Modified"] = http_date(made.at.timestamp())
    response["Content-Disposition"] = f'attachment; filename="{export.file_name}"'
    return response

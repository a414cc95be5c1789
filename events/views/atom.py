"""What changed, for programs that read feeds: all of it, or what concerns one agenda."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Sequence

from django.conf import settings
from django.http import Http404, HttpResponse, HttpResponseNotModified
from django.urls import reverse
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.http import http_date

from events.calendars.conditions import is_current
from events.calendars.feeds import digest
from events.calendars.text import clean, one_line
from events.http import Request, in_conference
from events.models import Agenda, Change, Conference, ReadLink
from events.queries import changes as queries
from events.queries.changes import ChangeLine
from events.schedule.clock import Clock
from events.views.calendar_answers import PERSONAL, PUBLIC, read_only

MOST = 100


@read_only
@in_conference
def changes_feed(request: Request, conference: Conference) -> HttpResponse:
    """With ``?link=`` of a reading link only what that agenda holds, and for nobody to keep."""
    token = request.GET.get("link", "")
    agenda = read_agenda(token, conference) if token else None
    changes = queries.public_changes(conference)
    if agenda is not None:
        changes = changes.filter(event__in=agenda.events)
    etag = (
        f'"{digest("changes", settings.SITE_URL, conference.pk, conference.revision, agenda and (agenda.pk, agenda.revision))}"'
    )
    if is_current(request.headers, etag, lambda: None):
        response: HttpResponse = HttpResponseNotModified()
    else:
        response = written(conference, list(changes[:MOST]), agenda)
    response["ETag"] = etag
    response["Cache-Control"] = PERSONAL if agenda else PUBLIC
    if agenda is None:
        response["Access-Control-Allow-Origin"] = "*"
    else:
        response["Referrer-Policy"] = "same-origin"
    response["X-Robots-Tag"] = "noindex"
    return response


def read_agenda(token: str, conference: Conference) -> Agenda:
    link = ReadLink.objects.alive(token)
    if link is None or link.agenda.conference_id != conference.pk:
        raise Http404
    return link.agenda


def written(conference: Conference, changes: Sequence[Change], agenda: Agenda | None) -> HttpResponse:
    """Atom (RFC 4287), times said in the venue's zone. The secret of a link stands nowhere in it."""
    page = settings.SITE_URL + reverse("events:change-list", args=[conference.slug])
    name = f"{conference.name}: changes in my agenda" if agenda else f"{conference.name}: changes"
    identity = uuid.uuid5(uuid.NAMESPACE_URL, f"{page}#{agenda.pk if agenda else ''}")
    feed = Atom1Feed(title=one_line(name), link=page, description=None, feed_url=None, feed_guid=f"urn:uuid:{identity}")
    newest = max((change.at for change in changes), default=dt.datetime(conference.start.year, 1, 1, tzinfo=dt.UTC))
    clock = Clock(now=newest, venue_zone=conference.zone, chosen_zone=None, pinned=False)
    with timezone.override(conference.zone):
        for change, line in zip(changes, queries.as_lines(changes, clock), strict=True):
            feed.add_item(
                title=one_line(f"{line.what}: {line.title}"),
                link=settings.SITE_URL + line.url,
                description=clean(sentence(line)),
                unique_id=f"urn:uuid:{uuid.uuid5(change.event.guid, str(change.pk))}",
                pubdate=change.at,
                updateddate=change.at,
            )
    feed.latest_post_date = lambda: newest  # type: ignore[method-assign]
    response = HttpResponse(
        content_type="application/atom+xml; charset=utf-8", headers={"Last-Modified": http_date(newest.timestamp())}
    )
    feed.write(response, "utf-8")
    return response


def sentence(line: ChangeLine) -> str:
    """Old and new, and why."""
    move = f"{line.old} → {line.new}." if line.old and line.new else f"{line.new or line.old}." if line.new or line.old else ""
    return " ".join(filter(None, [move, line.reason]))

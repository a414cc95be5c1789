"""What changed, for programs that read feeds: all of it, or what concerns one agenda."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from django.conf import settings
from django.http import Http404, HttpResponse, HttpResponseNotModified
from django.urls import reverse
from django.utils import timezone

from events.calendars.conditions import is_current
from events.calendars.feeds import digest
from events.calendars.text import clean
from events.http import Request, in_conference
from events.models import Agenda, Change, Conference, ReadLink
from events.queries import changes as queries
from events.queries.changes import ChangeLine
from events.schedule.clock import Clock
from events.views.atom_feeds import ConferenceFeed
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
    """Times are said in the venue's zone. The secret of a link stands nowhere in it."""
    page = settings.SITE_URL + reverse("events:change-list", args=[conference.slug])
    title = "changes in my agenda" if agenda else "changes"
    feed = ConferenceFeed(conference, title, page, part=str(agenda.pk) if agenda else "")
    newest = max((change.at for change in changes), default=feed.begins)
    clock = Clock(now=newest, venue_zone=conference.zone, chosen_zone=None, pinned=False)
    with timezone.override(conference.zone):
        for change, line in zip(changes, queries.as_lines(changes, clock), strict=True):
            feed.add(
                uuid.uuid5(change.event.guid, str(change.pk)),
                f"{line.what}: {line.title}",
                settings.SITE_URL + line.url,
                clean(sentence(line)),
                at=change.at,
                changed=change.at,
            )
    return feed.answer()


def sentence(line: ChangeLine) -> str:
    """Old and new, and why."""
    move = f"{line.old} → {line.new}." if line.old and line.new else f"{line.new or line.old}." if line.new or line.old else ""
    return " ".join(filter(None, [move, line.reason]))

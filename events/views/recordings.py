"""The recordings somebody means to watch, for programs that read feeds: each appears on its date."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from django.conf import settings
from django.http import Http404, HttpResponse, HttpResponseNotModified
from django.urls import reverse
from django.utils import timezone

from events.calendars.conditions import is_current
from events.calendars.feeds import digest
from events.calendars.text import one_line
from events.http import Request
from events.models import Agenda, Event
from events.queries import recordings as queries
from events.schedule.clock import Clock
from events.views.atom_feeds import ConferenceFeed
from events.views.calendar_answers import PERSONAL, read_only, unlisted


@read_only
@unlisted
def recordings_feed(request: Request, token: str) -> HttpResponse:
    """Under the secret of the agenda's calendar, and gone with it; no cookie read, none set, nothing written."""
    agenda = Agenda.objects.by_feed(token)
    if agenda is None:
        raise Http404
    clock = Clock(now=timezone.now(), venue_zone=agenda.conference.zone)
    # The date alone matters of the time: the same rows are the same bytes for a day.
    rows = (agenda.pk, agenda.revision, agenda.conference_id, agenda.conference.revision, clock.today)
    etag = f'"{digest("recordings", settings.SITE_URL, *rows)}"'
    if is_current(request.headers, etag, lambda: None):
        response: HttpResponse = HttpResponseNotModified()
    else:
        response = written(agenda, queries.watchable(agenda, clock), clock)
    response["ETag"] = etag
    response["Cache-Control"] = PERSONAL
    return response


def written(agenda: Agenda, events: Sequence[Event], clock: Clock) -> HttpResponse:
    """The secret stands nowhere in it."""
    conference = agenda.conference
    page = settings.SITE_URL + reverse("events:agenda-detail", args=[conference.slug])
    feed = ConferenceFeed(conference, "recordings to watch", page, part=f"recordings-{agenda.pk}")
    for event in events:
        opened = queries.opened_at(event, clock)
        text = one_line(f"The recording can be watched. {settings.SITE_URL}{event.get_absolute_url()}")
        feed.add(uuid.uuid5(event.guid, "recording"), event.title, event.recording_url, text, at=opened, changed=opened)
    return feed.answer()

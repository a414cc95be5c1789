"""Atom feeds: changes of a programme or of one agenda, and recordings to watch."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from django.conf import settings
from django.http import Http404, HttpResponse, HttpResponseNotModified
from django.template.defaultfilters import linebreaksbr
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt

from events.agenda.models.agenda import Agenda
from events.agenda.models.sharing import ReadLink
from events.core.clock import Clock
from events.core.text import clean_text
from events.core.tokens import etag_digest
from events.pages.queries import lists as lists_queries
from events.programme.models.changes import Change
from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.programme.queries import changes as changes_queries
from events.programme.queries.change_entries import latest_entries
from events.programme.queries.changes import ChangeLine
from events.web.atom import ATOM_FORMAT_VERSION, ConferenceFeed
from events.web.caching import PERSONAL_CACHE_CONTROL, PUBLIC_CACHE_CONTROL, is_current, noindex, open_to_scripts, read_only
from events.web.request import Request, conference_view

MAX_FEED_CHANGES = 100
MAX_GROUP_TEXTS = 50


@csrf_exempt
def changes_feed(request: Request, conference_slug: str) -> HttpResponse:
    """With the token of a read link in ``?link=`` only the changes of that agenda."""
    view = agenda_changes_feed if request.GET.get("link") else public_changes_feed
    return view(request, conference_slug)


@open_to_scripts
@conference_view
def public_changes_feed(request: Request, conference: Conference) -> HttpResponse:
    etag = f'"{etag_digest("changes", ATOM_FORMAT_VERSION, settings.SITE_URL, conference.pk, conference.revision)}"'
    if is_current(request.headers, etag, lambda: None):
        response: HttpResponse = HttpResponseNotModified()
    else:
        response = entries_feed(conference)
    response["ETag"] = etag
    response["Cache-Control"] = PUBLIC_CACHE_CONTROL
    response["X-Robots-Tag"] = "noindex"
    return response


@read_only
@noindex
@conference_view
def agenda_changes_feed(request: Request, conference: Conference) -> HttpResponse:
    """No cache may store it."""
    agenda = shared_agenda_or_404(request.GET["link"], conference)
    version = (conference.pk, conference.revision, agenda.pk, agenda.revision)
    etag = f'"{etag_digest("changes", ATOM_FORMAT_VERSION, settings.SITE_URL, *version)}"'
    if is_current(request.headers, etag, lambda: None):
        response: HttpResponse = HttpResponseNotModified()
    else:
        changes = changes_queries.public_changes(conference).of_events(agenda.events)
        response = changes_feed_response(conference, list(changes[:MAX_FEED_CHANGES]), agenda)
    response["ETag"] = etag
    response["Cache-Control"] = PERSONAL_CACHE_CONTROL
    return response


def shared_agenda_or_404(token: str, conference: Conference) -> Agenda:
    link = ReadLink.objects.alive(token)
    if link is None or link.agenda.conference_id != conference.pk:
        raise Http404
    return link.agenda


def entries_feed(conference: Conference) -> HttpResponse:
    """One entry for all that was changed at once. Times are in the venue's zone."""
    page = settings.SITE_URL + reverse("events:change-list", args=[conference.slug])
    address = settings.SITE_URL + reverse("events:changes-feed", args=[conference.slug])
    feed = ConferenceFeed(conference, "changes", page, part="", own_url=address)
    clock = Clock(now=timezone.now(), venue_zone=conference.zone, chosen_zone=None, pinned=False)
    with timezone.override(conference.zone):
        for entry in latest_entries(conference, MAX_FEED_CHANGES, clock):
            if entry.group:
                texts = [
                    entry.group.note,
                    *(f"{line.what}: {line.title}. {change_text(line)}" for line in entry.lines[:MAX_GROUP_TEXTS]),
                ]
                more = entry.count - len(entry.lines[:MAX_GROUP_TEXTS])
                text = "\n".join(filter(None, [*texts, f"And {more} more." if more else ""]))
                feed.add(entry.group.identity, entry.group.title, page, html_of(text), at=entry.at, changed=entry.at)
                continue
            for line in entry.lines:
                add_line(feed, line)
    return feed.as_response()


def changes_feed_response(conference: Conference, changes: Sequence[Change], agenda: Agenda) -> HttpResponse:
    """Times are in the venue's zone. The feed never contains the token of a link."""
    page = settings.SITE_URL + reverse("events:change-list", args=[conference.slug])
    feed = ConferenceFeed(conference, "changes in my agenda", page, part=str(agenda.pk))
    newest = max((change.at for change in changes), default=feed.default_date)
    clock = Clock(now=newest, venue_zone=conference.zone, chosen_zone=None, pinned=False)
    with timezone.override(conference.zone):
        for line in changes_queries.change_lines(changes, clock):
            add_line(feed, line)
    return feed.as_response()


def add_line(feed: ConferenceFeed, line: ChangeLine) -> None:
    url, text = settings.SITE_URL + line.url, html_of(change_text(line))
    feed.add(line.identity, f"{line.what}: {line.title}", url, text, at=line.at, changed=line.at)


def html_of(text: str) -> str:
    return linebreaksbr(clean_text(text))


def change_text(line: ChangeLine) -> str:
    move = f"{line.old} → {line.new}." if line.old and line.new else f"{line.new or line.old}." if line.new or line.old else ""
    return " ".join(filter(None, [move, line.reason]))


@read_only
@noindex
def recordings_feed(request: Request, token: str) -> HttpResponse:
    """By the token of the agenda's calendar. Reads and sets no cookie, and writes nothing."""
    agenda = Agenda.objects.by_feed(token)
    if agenda is None:
        raise Http404
    clock = Clock(now=timezone.now(), venue_zone=agenda.conference.zone)
    # Only the date matters, so the bytes stay the same for a day.
    rows = (agenda.pk, agenda.revision, agenda.conference_id, agenda.conference.revision, clock.today)
    etag = f'"{etag_digest("recordings", ATOM_FORMAT_VERSION, settings.SITE_URL, *rows)}"'
    if is_current(request.headers, etag, lambda: None):
        response: HttpResponse = HttpResponseNotModified()
    else:
        response = recordings_feed_response(agenda, lists_queries.watchable_events(agenda, clock), clock)
    response["ETag"] = etag
    response["Cache-Control"] = PERSONAL_CACHE_CONTROL
    return response


def recordings_feed_response(agenda: Agenda, events: Sequence[Event], clock: Clock) -> HttpResponse:
    """The feed never contains the token."""
    conference = agenda.conference
    page = settings.SITE_URL + reverse("events:agenda-detail", args=[conference.slug])
    feed = ConferenceFeed(conference, "recordings to watch", page, part=f"recordings-{agenda.pk}")
    for event in events:
        opened = lists_queries.recording_opened_at(event, clock)
        text = html_of(f"The recording can be watched. {settings.SITE_URL}{event.get_absolute_url()}")
        feed.add(uuid.uuid5(event.guid, "recording"), event.title, event.recording_url, text, at=opened, changed=opened)
    return feed.as_response()

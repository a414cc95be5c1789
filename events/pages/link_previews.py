"""The description, the picture and the data of schema.org that a page gives to search engines and to sites that link to it."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.conf import settings
from django.template.defaultfilters import date
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import Truncator

from events.calendars.vevent import coordinates
from events.core.text import markdown_to_text, one_line
from events.pages.preview_picture import PreviewPicture
from events.programme.display import conference_dates, location_text, people_of, public_paper, zone_label
from events.programme.models.conference import Conference, Day
from events.programme.models.event import Event
from events.programme.models.info_pages import InfoPage
from events.programme.models.papers import Paper
from events.programme.models.people import Person

# Search engines show about 160 characters, messengers up to 200.
MAX_DESCRIPTION_CHARS = 200
MAX_PREVIEW_PEOPLE = 3
# Enough of a Markdown text for a description, and no more to parse.
MAX_PARSED_CHARS = 400
PREVIEWED_PAGES = frozenset(
    {
        "about",
        "announcement-list",
        "award-list",
        "change-list",
        "conference-detail",
        "directions",
        "event-detail",
        "info-page",
        "invited-talk-list",
        "paper-detail",
        "paper-list",
        "person-detail",
        "person-list",
        "poll-list",
        "question-list",
        "schedule-day",
        "search",
        "service-list",
        "social-list",
        "sponsor-list",
        "topic-detail",
        "topic-list",
        "venue",
    }
)
"""Names of the addresses of public pages, which may be shared and indexed."""
ESCAPED_IN_SCRIPTS = {ord("<"): "\\u003C", ord(">"): "\\u003E", ord("&"): "\\u0026"}


@dataclass(frozen=True)
class Preview:
    """``data`` is an object of schema.org."""

    description: str
    picture_path: str
    picture_text: str
    data: Mapping[str, Any] = field(default_factory=dict)

    @property
    def picture_url(self) -> str:
        return f"{settings.SITE_URL}{self.picture_path}"

    @property
    def json_ld(self) -> SafeString:
        return mark_safe(json.dumps(self.data, ensure_ascii=False).translate(ESCAPED_IN_SCRIPTS))


def conference_preview(conference: Conference) -> Preview:
    preview = page_preview(conference)
    data = {"@context": "https://schema.org", **_conference_data(conference)}
    data |= {
        "description": preview.description,
        "image": preview.picture_url,
        "location": _location(conference, conference.place),
    }
    return replace(preview, data=_without_empty(data))


def page_preview(conference: Conference) -> Preview:
    """Of a page that is about nothing that has a date."""
    return _of_conference(_conference_sentence(conference), conference)


def day_preview(day: Day) -> Preview:
    conference = day.conference
    sentence = (
        f"{date(day.date, 'l j F Y')}: the programme of {conference}{f' in {conference.place}' if conference.place else ''}."
    )
    return _of_conference(_shortened(sentence), conference)


def info_preview(info: InfoPage) -> Preview:
    return _of_conference(_shortened(f"{info.title}: {info.conference}.", info.text), info.conference)


def person_preview(person: Person) -> Preview:
    sentence = f"{person.name}{f', {person.affiliation}' if person.affiliation else ''}, at {person.conference}."
    return _of_conference(_shortened(sentence, person.bio), person.conference)


def paper_preview(paper: Paper, authors: Sequence[str], conference: Conference) -> Preview:
    sentence = f"{_names(authors)}. {conference}." if authors else f"{conference}."
    return _of_conference(_shortened(sentence, paper.abstract), conference)


def event_preview(event: Event) -> Preview:
    """``event`` is one of ``public_event`` whose page was read."""
    paper = public_paper(event)
    abstract = event.abstract or (paper.abstract if paper else "")
    picture = event_picture(event)
    sentence = " · ".join(filter(None, [picture.time, picture.place, picture.people]))
    path = reverse("events:event-preview-picture", args=[event.conference.slug, event.guid], query={"version": picture.version})
    preview = Preview(_shortened(f"{sentence}." if sentence else "", abstract), path, picture.text)
    return replace(preview, data=_event_data(event, preview))


def event_picture(event: Event) -> PreviewPicture:
    conference = event.conference
    names = [person.name for person in people_of(event, public_paper(event))]
    return PreviewPicture(
        title=one_line(event.title),
        time="Cancelled" if event.is_cancelled else _hours(event),
        place=_place(event),
        people=_names(names),
        conference=one_line(conference.name),
        **_looks(conference),
    )


def conference_picture(conference: Conference) -> PreviewPicture:
    time, place = conference_dates(conference), one_line(conference.place)
    looks = _looks(conference)
    return PreviewPicture(title=one_line(conference.name), time=time, place=place, people="", conference="", **looks)


def _looks(conference: Conference) -> dict[str, str]:
    return {"colour": conference.colour, "logo": conference.logo.name or "", "logo_ground": conference.logo_ground}


def _of_conference(description: str, conference: Conference) -> Preview:
    picture = conference_picture(conference)
    path = reverse("events:preview-picture", args=[conference.slug], query={"version": picture.version})
    return Preview(description, path, picture.text)


def _conference_sentence(conference: Conference) -> str:
    title = f"{conference}: {conference.title}" if conference.title and conference.title != conference.name else f"{conference}"
    return _shortened(f"{title}. {', '.join(filter(None, [conference_dates(conference), conference.place]))}.", conference.about)


def _shortened(sentence: str, markdown: str = "") -> str:
    text = one_line(f"{sentence} {markdown_to_text(markdown[:MAX_PARSED_CHARS])}") if markdown else one_line(sentence)
    return Truncator(text).chars(MAX_DESCRIPTION_CHARS)


def _names(names: Sequence[str]) -> str:
    more = len(names) - MAX_PREVIEW_PEOPLE
    # One more name is no longer than the words for it.
    return one_line(", ".join(names) if more <= 1 else f"{', '.join(names[:MAX_PREVIEW_PEOPLE])} and {more} more")


def _hours(event: Event) -> str:
    """At the venue: whoever reads the preview may be anywhere."""
    zone = event.conference.zone
    if event.start is None:
        return date(event.day.date, "D j F Y") if event.day else ""
    start = event.start.astimezone(zone)
    end = f"–{event.end.astimezone(zone):%H:%M}" if event.end else ""
    return f"{date(start, 'D j F Y')}, {start:%H:%M}{end} {zone_label(event.conference, zone, start)}"


def _place(event: Event) -> str:
    return one_line(location_text(event) or (str(event.room) if event.room else ""))


def _conference_data(conference: Conference) -> dict[str, Any]:
    return {
        "@type": "Event",
        "name": conference.title or conference.name,
        "url": f"{settings.SITE_URL}{conference.get_absolute_url()}",
        "startDate": conference.start.isoformat(),
        "endDate": conference.end.isoformat(),
    }


def _event_data(event: Event, preview: Preview) -> dict[str, Any]:
    if event.start is None and event.day is None:
        # The date is required.
        return {}
    conference, zone = event.conference, event.conference.zone
    former = _former_start(event)
    status = "EventCancelled" if event.is_cancelled else "EventRescheduled" if former else "EventScheduled"
    data: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "Event",
        "name": event.title,
        "description": preview.description,
        "url": f"{settings.SITE_URL}{event.get_absolute_url()}",
        "image": preview.picture_url,
        "eventStatus": f"https://schema.org/{status}",
        "startDate": event.start.astimezone(zone).isoformat() if event.start else _date_of(event),
        "endDate": event.end.astimezone(zone).isoformat() if event.end else "",
        "previousStartDate": former.astimezone(zone).isoformat() if former else "",
        "eventAttendanceMode": "https://schema.org/MixedEventAttendanceMode" if event.stream_url else "",
        "location": [*filter(None, [_event_location(event)]), {"@type": "VirtualLocation", "url": event.stream_url}]
        if event.stream_url
        else _event_location(event),
        "performer": [{"@type": "Person", "name": person.name} for person in people_of(event, public_paper(event))],
        "organizer": {"@type": "Organization", "name": conference.name, "url": conference.url},
        "superEvent": _conference_data(conference),
        "inLanguage": event.language,
    }
    return _without_empty(data)


def _event_location(event: Event) -> dict[str, Any]:
    """Of a room at the venue with the name, the address and the coordinates of the venue, as in calendars."""
    conference, place = event.conference, _place(event)
    if event.room is None or event.room.zone.off_site:
        return _location(conference, place or conference.place)
    venue = event.room.zone.venue
    latitude, _, longitude = coordinates(event).partition(";")
    location = _location(conference, ", ".join(filter(None, [place, one_line(venue.name)])), one_line(venue.address))
    geo = {"@type": "GeoCoordinates", "latitude": float(latitude), "longitude": float(longitude)} if longitude else {}
    return location | ({"geo": geo} if geo else {})


def _location(conference: Conference, name: str, street: str = "") -> dict[str, Any]:
    address = {
        "@type": "PostalAddress",
        "streetAddress": street,
        "addressLocality": conference.city,
        "addressCountry": conference.country,
    }
    return {"@type": "Place", "name": name, "address": _without_empty(address)} if name else {}


def _without_empty(data: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _without_empty(value) if isinstance(value, dict) else value for name, value in data.items() if value}


def _date_of(event: Event) -> str:
    return event.day.date.isoformat() if event.day else ""


def _former_start(event: Event) -> dt.datetime | None:
    """When it was to begin before its last move."""
    moves = [change for change in event.changes.all() if change.field == "start" and change.old and change.new]
    return dt.datetime.fromisoformat(max(moves, key=lambda change: change.at).old) if moves else None

"""What a conference that is made by hand begins with: a day for each of its dates, and the usual types of events."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import NamedTuple

from django.db import transaction
from django.db.models import Count
from django.utils.text import slugify

from events.programme.models.conference import Conference, Day
from events.programme.models.labels import EventType, Kind

MAX_MADE_DAYS = 100
"""A longer span is a mistake in typing, or a series whose days are chosen by hand."""


class UsualType(NamedTuple):
    name: str
    plural: str
    kind: Kind
    colour: str
    icon: str
    default_minutes: int


USUAL_TYPES = (
    UsualType("Session", "Sessions", Kind.SESSION, "session", "list", 90),
    UsualType("Talk", "Talks", Kind.TALK, "session", "presentation", 30),
    UsualType("Keynote", "Keynotes", Kind.INVITED_TALK, "invited", "mic", 60),
    UsualType("Workshop", "Workshops", Kind.SESSION, "workshop", "wrench", 180),
    UsualType("Poster session", "Poster sessions", Kind.SESSION, "poster", "layout-grid", 90),
    UsualType("Social", "Socials", Kind.SOCIAL, "social", "party-popper", 120),
    UsualType("Break", "Breaks", Kind.BREAK, "break", "coffee", 30),
    UsualType("Meal", "Meals", Kind.BREAK, "break", "utensils", 60),
    UsualType("Registration", "Registration", Kind.SERVICE, "break", "id-card", 60),
)
USUAL_SLUGS = frozenset(slugify(usual.name) for usual in USUAL_TYPES)


def make_usual_types(conference: Conference) -> None:
    for position, usual in enumerate(USUAL_TYPES, start=1):
        EventType(conference=conference, position=position, **usual._asdict()).save()


def is_usual_type(row: EventType) -> bool:
    """Whether nobody has changed it since it was made."""
    return UsualType(*(getattr(row, name) for name in UsualType._fields)) in USUAL_TYPES and not row.source


@dataclass
class FollowedDates:
    """The days that were made and deleted when the dates of a conference changed, and those that stayed outside them.

    Busy ones have events: that many.
    """

    made: list[Day] = field(default_factory=list)
    deleted: list[Day] = field(default_factory=list)
    kept: list[Day] = field(default_factory=list)
    busy: list[tuple[Day, int]] = field(default_factory=list)
    is_too_long: bool = False


def follow_dates(conference: Conference, before: Collection[dt.date] = ()) -> FollowedDates:
    """Make days for the dates that are new since ``before``, and delete empty days of those that are gone.

    A day with events, a title or a note stays, and so does one of an import, whose next file would bring it back.
    """
    dates = dates_of(conference)
    done = FollowedDates(is_too_long=not dates)
    if done.is_too_long:
        return done
    with transaction.atomic():
        conference.lock()
        days = {day.date: day for day in conference.days.annotate(event_count=Count("events"))}
        new = dates if not days else [date for date in dates if date not in before and date not in days]
        done.made = [Day.objects.create(conference=conference, date=date) for date in new]
        for day in (day for date, day in days.items() if date in set(before) - set(dates)):
            if day.event_count:
                done.busy.append((day, day.event_count))
            else:
                (done.kept if day.title or day.note or day.source else done.deleted).append(day)
        Day.objects.filter(pk__in=[day.pk for day in done.deleted]).delete()
        if done.made or done.deleted:
            conference.bump_revision()
    return done


def dates_of(conference: Conference) -> list[dt.date]:
    """Its dates from the first to the last; none if they are too many for a programme."""
    count = (conference.end - conference.start).days + 1
    return [conference.start + dt.timedelta(days=number) for number in range(count)] if count <= MAX_MADE_DAYS else []

"""A site's files, one after the other, each against those before."""

from __future__ import annotations

import datetime as dt

from events.importers.builder import ScheduleBuilder
from events.importers.data import ScheduleData
from events.importers.document import Document
from events.importers.errors import ScheduleParseError
from events.importers.hints import Hints, zone_of
from events.importers.miniconf import calendar, schedule, talks
from events.importers.miniconf.papers import papers
from events.importers.miniconf.programme import Programme
from events.importers.miniconf.sitedata import Sitedata, text
from events.importers.miniconf.socials import socials

_SHOWN, _LONGEST = 10, 14


def parse(document: Document, hints: Hints) -> ScheduleData:
    """The programme of a sitedata folder or zip, or of one of its files that says enough by itself.

    All of Mini-Conf's times are UTC; ``hints.timezone`` says only in which zone the days of the programme change, and
    ``hints.start`` which weekday is which date where the site does not.
    Raises ScheduleParseError for files that are not what Mini-Conf writes, and when no day at all is known.
    """
    files = Sitedata.of(document)
    builder = ScheduleBuilder(hints, zone_of(hints.timezone or "UTC", file=document.name), file=document.name)
    programme = Programme(files, builder)
    slots = schedule.slots(programme)
    schedule.poster_sessions(programme, slots)
    if slots and files.has("main_calendar.json"):
        builder.warn("main_calendar.json: schedule.yml says the same; it is not read")
    elif not slots:
        calendar.calendar(programme)
    programme.dates = programme.dates or _known_dates(hints)
    papers(programme)
    schedule.posters(programme)
    calendar.paper_sessions(programme)
    talks.orals(programme)
    talks.speakers(programme, slots)
    talks.expos(programme, slots)
    socials(programme)
    talks.workshops(programme)
    _tell_unread(files, builder)
    return _built(programme)


def _known_dates(hints: Hints) -> list[dt.date]:
    """The conference's own dates, for a file that names only weekdays."""
    days = ((hints.end or hints.start) - hints.start).days + 1 if hints.start else 0
    return [hints.start + dt.timedelta(days=step) for step in range(min(days, _LONGEST))] if hints.start else []


def _built(programme: Programme) -> ScheduleData:
    try:
        config = programme.files.load("config.yml")
        tagline = text(config, "tagline") or text(config, "site_title")
        return programme.builder.build(name=text(config, "name"), title=tagline)
    except ScheduleParseError as error:
        if programme.files.document.is_one_file and not programme.dates:
            problem = f"{error.problem}. This is one file of a Mini-Conf site: hand in its whole sitedata folder as a zip"
            raise ScheduleParseError(problem, file=error.file) from error
        raise


def _tell_unread(files: Sitedata, builder: ScheduleBuilder) -> None:
    if files.unread:
        more = f" and {len(files.unread) - _SHOWN} more" if len(files.unread) > _SHOWN else ""
        builder.warn(f"not read, because nothing of the programme is in them: {', '.join(files.unread[:_SHOWN])}{more}")

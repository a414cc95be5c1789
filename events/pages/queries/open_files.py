"""The files that programs and other sites may read: where each is, and what is in it."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.urls import reverse

from events.core.clock import Clock
from events.pages.queries.embed import filled_days
from events.pages.queries.menu import menu_pages
from events.programme.models.conference import Conference


@dataclass(frozen=True)
class OpenFile:
    """``is_example`` is true for one of several."""

    name: str
    contents: str
    changes: str
    url: str
    is_example: bool = False


CHANGES_AT_ONCE = "With every change of the programme"
PROGRAMME_FILES = (
    ("schedule.json", "schedule-json", "The whole programme, with everything that is public, for programs"),
    ("schedule.xml", "schedule-xml", "The programme in the format of frab, pretalx and conference apps"),
    ("schedule.csv", "schedule-csv", "A row for each event, for spreadsheets"),
    ("papers.csv", "papers-csv", "A row for each paper"),
    ("schedule.ics", "schedule-calendar", "The programme as a calendar to subscribe to"),
)
OTHER_FILES = (
    ("changes.atom", "changes-feed", "What moved, was cancelled or came new", "With every announced change"),
    ("announcements.atom", "announcements-feed", "News of the organisers", "With every announcement"),
    ("sitemap.xml", "sitemap", "The addresses of all public pages, with the date of their last change", CHANGES_AT_ONCE),
)


def open_files(conference: Conference, clock: Clock) -> list[OpenFile]:
    menu = menu_pages(conference, clock, clock.today)
    programme = [
        OpenFile(name, contents, CHANGES_AT_ONCE, _absolute(view, conference.slug))
        for name, view, contents in PROGRAMME_FILES
        if view != "papers-csv" or "paper-list" in menu
    ]
    others = [
        OpenFile(name, contents, changes, _absolute(view, conference.slug)) for name, view, contents, changes in OTHER_FILES
    ]
    return [*programme, *_of_days(conference, clock), *others]


def _of_days(conference: Conference, clock: Clock) -> list[OpenFile]:
    """The file of the first day stands for those of all."""
    days = [("schedule/DATE.ics", link.date) for link in filled_days(conference, clock)[:1]]
    contents = "One day as a calendar; each event and each person has one too, beside its page"
    return [
        OpenFile(name, contents, CHANGES_AT_ONCE, _absolute("day-calendar", conference.slug, date), True) for name, date in days
    ]


def _absolute(view: str, *args: object) -> str:
    return f"{settings.SITE_URL}{reverse(f'events:{view}', args=args)}"

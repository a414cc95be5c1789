"""A hall at noon, and phones that are in it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

from django.utils import timezone
from playwright.sync_api import BrowserContext, Locator, Page

from events.agenda.visitor import VISITOR_COOKIE
from events.models import Agenda, CrowdReport, Event
from tests.factories import make_agenda, make_conference, make_day, make_event, make_report, make_room

OpenPhone = Callable[..., Page]


class Hall:
    """It is noon at the venue: a keynote is on, a talk is soon, and a panel is in the afternoon."""

    def __init__(self) -> None:
        now = timezone.now().replace(second=0, microsecond=0)
        hours = 12 - now.hour
        zone = f"Etc/GMT{-hours:+d}" if hours else "UTC"
        today = now.date()
        self.conference = make_conference(slug="demo", timezone=zone, start=today, end=today + dt.timedelta(days=1))
        day = make_day(self.conference, today)

        def event(title: str, begins: int, ends: int, **fields: Any) -> Event:
            times = {"start": now + dt.timedelta(minutes=begins), "end": now + dt.timedelta(minutes=ends)}
            return make_event(self.conference, title=title, day=day, **times, **fields)

        room = make_room(self.conference)
        self.keynote = event("Keynote", -20, 20, kind="invited-talk", room=room)
        self.talk = event("Talk", 25, 55, kind="talk")
        self.panel = event("Panel", 180, 240)
        make_report(self.keynote)
        CrowdReport.objects.update(at=now)
        self.agenda, self.token = make_agenda(self.conference, self.talk)

    @property
    def day_url(self) -> str:
        return self.talk.day.get_absolute_url() if self.talk.day else ""


def remember(context: BrowserContext, url: str, token: str) -> None:
    context.add_cookies([{"name": VISITOR_COOKIE, "value": token, "url": url}])


def star(page: Page, event: Event) -> Locator:
    return page.get_by_role("main").locator(f'.bookmark[formaction*="{event.guid}"]').first


def level_of(agenda: Agenda, event: Event) -> str:
    return agenda.bookmark_state(event).level

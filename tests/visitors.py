"""Browsers of visitors, with the cookies they would send."""

from __future__ import annotations

import re
from typing import Any

from django.test import Client

from events.agenda.visitor import VISITOR_COOKIE
from events.models import Event
from events.web.request import START_COOKIE, ZONE_COOKIE
from tests.factories import make_known_agenda

HTMX = {"HX-Request": "true"}
COOKIES = {"token": VISITOR_COOKIE, "zone": ZONE_COOKIE, "start": START_COOKIE}


def browser(**cookies: str) -> Client:
    """A browser that holds a visitor's token, zone or start."""
    client = Client()
    for name, value in cookies.items():
        client.cookies[COOKIES[name]] = value
    return client


def known_browser(event: Event) -> Client:
    """A browser of a known visitor, who bookmarked the event a day ago."""
    return browser(token=make_known_agenda(event.conference, event)[1])


def presses(page: str) -> dict[str, bool]:
    """By the guid of its event, whether each bookmark button on the page is pressed."""
    found = re.findall(r'formaction="[^"]*/events/([0-9a-f-]{36})/bookmark/" name="on"[^>]* aria-pressed="(true|false)"', page)
    return {guid: pressed == "true" for guid, pressed in found}


def context(url: str, **cookies: str) -> Any:
    """What the page of this address is rendered from."""
    response = browser(**cookies).get(url)
    assert response.status_code == 200, response.status_code
    return response.context


def own_context(response: Any, name: str) -> Any:
    """A value of what was rendered last: the frame of a page is rendered before what one visitor has in it."""
    return next(context[name] for context in reversed(response.context) if name in context)

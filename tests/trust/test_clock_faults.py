"""A server whose clock is wrong, or is put right."""

from __future__ import annotations

import datetime as dt

import pytest
import time_machine
from django.test import Client

from tests.factories import at, forms_url, make_agenda, make_conference, make_event

HOUR = dt.timedelta(hours=1)


@pytest.mark.django_db
def test_wrong_clock_breaks_no_page_and_changes_no_calendar() -> None:
    with time_machine.travel(at("09:30"), tick=False) as clock:
        event = make_event(make_conference(slug="demo"), title="Opening", start="09:00", end="10:00")
        agenda, token = make_agenda(event.conference, event)
        pages = ["/demo/", "/demo/schedule/2025-04-24/", "/demo/agenda/", event.get_absolute_url()]
        files = ["/demo/schedule.ics", f"/feeds/{agenda.feed_token}.ics"]
        client = Client(raise_request_exception=False)
        client.cookies["hallway"] = token
        codes, bodies, bookmarks = [], [], []

        for shift in [0 * HOUR, 2 * HOUR, -4 * HOUR]:
            clock.shift(shift)
            codes.append([client.get(page).status_code for page in pages])
            bodies.append([client.get(file).content for file in files])
            bookmarks.append(client.post(f"{forms_url(event)}bookmark/", {"on": "1"}).status_code)

    assert codes == [[200] * len(pages)] * 3
    assert bodies == [bodies[0]] * 3
    assert bookmarks == [302] * 3
    assert list(agenda.events.all()) == [event]

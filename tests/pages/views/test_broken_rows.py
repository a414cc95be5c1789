"""A row that no form would take, put in past the models: the pages and the feed show the rest."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client

from events.models import Conference, Event
from tests.factories import make_conference, make_event

pytestmark = pytest.mark.django_db
PAGES = ["/demo/?at=2025-04-24T09:30", "/demo/schedule/2025-04-24/", "/demo/schedule/2025-04-24/?view=grid"]
FILES = ["/demo/schedule.ics", "/demo/schedule.json", "/demo/schedule.xml", "/demo/schedule.csv"]


def put(sql: str, *values: Any) -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA ignore_check_constraints = 1")
        cursor.execute(sql, values)
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA ignore_check_constraints = 0")


END_FIRST = 'UPDATE events_event SET "end" = start, start = "end" WHERE title = %s'
UNPRINTABLE = "UPDATE events_event SET title = title || %s, place = %s WHERE title = %s"


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL checks constraints always")
@pytest.mark.parametrize(
    ("sql", "values"),
    [
        pytest.param(END_FIRST, ["Broken"], id="an end before the start"),
        pytest.param(UNPRINTABLE, ["\x00\x1b", "x\r\nEND:VEVENT", "Broken"], id="characters that cannot be shown"),
        pytest.param("UPDATE events_event SET signup_url = %s WHERE title = %s", ["javascript:x", "Broken"], id="no web address"),
        pytest.param("UPDATE events_event SET status = %s WHERE title = %s", ["unheard-of", "Broken"], id="no status"),
    ],
)
def test_page_and_feed_show_the_rest(sql: str, values: list[str]) -> None:
    conference = make_conference(slug="demo")
    make_event(conference, title="Opening", start="09:00", end="10:00")
    make_event(conference, title="Broken", start="11:00", end="12:00")
    put(sql, *values)

    answers = {path: Client(raise_request_exception=False).get(path) for path in [*PAGES, *FILES]}

    assert {path: it.status_code for path, it in answers.items()} == dict.fromkeys(answers, 200)
    assert [path for path, it in answers.items() if b"Opening" not in b"".join(it)] == []


def test_zone_that_is_none_leaves_the_pages_of_other_conferences() -> None:
    make_event(make_conference(slug="demo"), title="Opening", start="09:00", end="10:00")
    make_event(make_conference(slug="other"), title="Elsewhere", start="09:00", end="10:00")
    Conference.objects.filter(slug="other").update(timezone="Mars/Olympus")

    client = Client(raise_request_exception=False)
    answers = {path: client.get(path).status_code for path in ["/", *PAGES, *FILES, "/other/", "/other/schedule.ics"]}

    assert answers == dict.fromkeys(answers, 200)
    assert Event.objects.count() == 2

"""Announcements that a visitor has dismissed: in the agenda, or in a cookie of a browser without one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.test import Client

from events.agenda.lifecycle import LIFECYCLE
from events.announcements.queries import announcement_key
from events.core.byte_cache import PROCESS_CACHE
from events.models import Agenda, Announcement, AnnouncementDismissal, Conference
from events.web.request import DISMISSED_COOKIE
from tests.announcements.test_announcements_views import announce, shown_titles
from tests.factories import at, make_agenda, make_conference
from tests.visitors import HTMX, browser

pytestmark = pytest.mark.django_db
DISMISS = "/demo/announcements/dismiss/"


@pytest.fixture(autouse=True)
def _morning() -> Iterator[None]:
    PROCESS_CACHE.max_bytes = 2**24
    with time_machine.travel(at("09:30"), tick=False):
        yield


@pytest.fixture
def conference() -> Conference:
    return make_conference(slug="demo", name="Demo")


def seen_by(client: Client, path: str = "") -> list[str]:
    return shown_titles(client.get(f"/demo/{path}").text)


def test_dismissed_one_is_gone_for_this_browser_alone(conference: Conference) -> None:
    lunch = announce(conference, "Lunch is late")
    announce(conference, "Doors open", "08:30")
    client, other = Client(), Client()
    before = seen_by(client)

    response = client.post(DISMISS, {"announcement": announcement_key(lunch), "next": "/demo/venue/"})

    assert (response.status_code, response["Location"]) == (302, "/demo/venue/")
    assert before == ["Doors open", "Lunch is late"]
    assert (seen_by(client), seen_by(client, "venue/"), seen_by(client, "agenda/")) == (["Doors open"],) * 3
    assert seen_by(other) == before
    assert AnnouncementDismissal.objects.count() == 0
    assert Agenda.objects.count() == 0


def test_dismissal_in_an_agenda_follows_to_other_devices(conference: Conference) -> None:
    lunch = announce(conference, "Lunch is late")
    agenda, token = make_agenda(conference)

    response = browser(token=token).post(DISMISS, {"announcement": announcement_key(lunch)})

    assert DISMISSED_COOKIE not in response.cookies
    assert [row.announcement for row in agenda.dismissals.all()] == [lunch]
    assert seen_by(browser(token=token)) == []
    assert seen_by(Client()) == ["Lunch is late"]


def test_all_are_dismissed_at_once_and_a_new_one_is_shown(conference: Conference) -> None:
    keys = ".".join(announcement_key(announce(conference, title)) for title in ("One", "Two"))
    client = Client()

    client.post(DISMISS, {"announcement": keys})
    after = seen_by(client)
    announce(conference, "Three", "09:00")

    assert (after, seen_by(client)) == ([], ["Three"])


def test_urgent_one_stays_until_it_is_dismissed(conference: Conference) -> None:
    fire = announce(conference, "Leave the building", urgent=True)
    client = Client()

    before = seen_by(client, "venue/")
    client.post(DISMISS, {"announcement": announcement_key(fire)})

    assert (before, seen_by(client, "venue/")) == (["Leave the building"], [])


def test_answer_to_htmx_has_what_is_left(conference: Conference) -> None:
    lunch = announce(conference, "Lunch is late")
    announce(conference, "Doors open", "08:30")

    response = Client().post(DISMISS, {"announcement": announcement_key(lunch)}, headers=HTMX)

    assert (shown_titles(response.text), response.text.count('id="announcements"')) == (["Doors open"], 1)
    assert response.cookies[DISMISSED_COOKIE].value == announcement_key(lunch)


def dismiss_all(client: Client) -> None:
    """With the buttons of the page."""
    for keys in re.findall(r'name="announcement" value="([^"]+)"', client.get("/demo/venue/").text):
        client.post(DISMISS, {"announcement": keys})


@pytest.mark.both_databases
@pytest.mark.parametrize("has_agenda", [True, False])
@pytest.mark.parametrize(
    ("values", "is_shown"),
    [
        pytest.param({"text": "In hall 2"}, True, id="words"),
        pytest.param({"title": "Lunch is late"}, True, id="title"),
        pytest.param({"urgent": True}, True, id="became-urgent"),
        pytest.param({"audience": "in-person", "until": at("11:00")}, False, id="other-fields"),
    ],
)
def test_correction_of_a_dismissed_one_is_shown_until_it_is_dismissed(
    conference: Conference, values: dict[str, Any], has_agenda: bool, is_shown: bool
) -> None:
    lunch = announce(conference, "Lunch", text="In hall 1")
    client = browser(token=make_agenda(conference)[1]) if has_agenda else Client()
    dismiss_all(client)

    correct(lunch, **values)
    corrected = seen_by(client)
    dismiss_all(client)

    assert (corrected, seen_by(client)) == ([lunch.title] if is_shown else [], [])


def test_one_that_is_no_longer_urgent_stays_dismissed(conference: Conference) -> None:
    fire, client = announce(conference, "Leave the building", urgent=True), Client()
    dismiss_all(client)

    correct(fire, urgent=False)

    assert (seen_by(client), seen_by(Client())) == ([], ["Leave the building"])


def test_button_of_an_older_page_dismisses_what_it_showed(conference: Conference) -> None:
    lunch, client = announce(conference, "Lunch", text="In hall 1"), Client()
    (older,) = re.findall(r'name="announcement" value="([^"]+)"', client.get("/demo/venue/").text)
    correct(lunch, text="In hall 2")

    client.post(DISMISS, {"announcement": older})

    assert seen_by(client) == ["Lunch"]


def correct(row: Announcement, **values: Any) -> None:
    """As the form of an organiser saves it."""
    for name, value in values.items():
        setattr(row, name, value)
    row.revise()


def test_only_what_was_announced_can_be_dismissed(conference: Conference) -> None:
    other = announce(make_conference(slug="other"), "Elsewhere")
    later = announce(conference, "Winner", "11:00")
    agenda, token = make_agenda(conference)

    for row in (other, later):
        browser(token=token).post(DISMISS, {"announcement": announcement_key(row)})

    assert agenda.dismissals.count() == 0


@pytest.mark.parametrize("sent", ["", "zz", "<script>", "0" * 11, f"{'0' * 12}.", "\x00", f"{'0' * 12}." * 99])
def test_what_is_no_announcement_is_told_so(conference: Conference, sent: str) -> None:
    response = Client().post(DISMISS, {"announcement": sent})

    assert (response.status_code, DISMISSED_COOKIE in response.cookies) == (422, False)
    assert "is not an announcement: use one of these buttons." in response.text
    assert "<script>" not in response.text.partition("<main")[2]


@pytest.mark.parametrize("sent", ["<b>", "0" * 5000, "0" * 12, "..", "a" * 12 + ".x"])
def test_odd_cookie_hides_nothing(conference: Conference, sent: str) -> None:
    announce(conference, "Lunch is late")
    client = Client()
    client.cookies[DISMISSED_COOKIE] = sent

    assert seen_by(client) == ["Lunch is late"]


def test_merged_agendas_have_dismissed_what_either_had(conference: Conference) -> None:
    one, two = announce(conference, "One"), announce(conference, "Two")
    (agenda, _), (other, _) = make_agenda(conference), make_agenda(conference)
    AnnouncementDismissal.objects.dismiss(agenda, [one])
    AnnouncementDismissal.objects.dismiss(other, [one, two])

    assert LIFECYCLE.merge(agenda, other)

    assert {row.announcement for row in agenda.dismissals.all()} == {one, two}

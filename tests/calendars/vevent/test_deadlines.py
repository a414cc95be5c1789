"""The end of sign-up: a calendar of its own, and in the feed of who wants it there."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from events.calendars import downloads, feeds
from events.calendars.vevent import deadline_uid
from events.models import Agenda, Event, SignUp
from tests.calendars.lint import problems
from tests.calendars.reading import read, values
from tests.factories import at, make_agenda, make_conference, make_event

pytestmark = pytest.mark.django_db
MORNING = at("08:00")


def make_social(**fields: Any) -> Event:
    values = {"title": "Runners", "start": "19:00", "end": "20:00", "place": "Marina", "signup_until": at("12:00")}
    return make_event(make_conference(), kind="social", **values | fields)


def url_of(event: Event) -> str:
    return reverse("events:sign-up-calendar", args=[event.conference.slug, event.guid])


def feed_of(event: Event, **options: Any) -> feeds.Feed:
    agenda, _ = make_agenda(event.conference, event)
    agenda.set_feed_options(**{"feed_deadlines": True} | options)
    return feeds.agenda_feed(Agenda.objects.get(pk=agenda.pk), MORNING)


def test_deadline_is_an_entry_that_ends_with_it() -> None:
    event = make_social()

    response = Client().get(url_of(event))

    body = response.content
    (entry,) = read(body)
    assert entry.summary == "Sign-up ends: Runners"
    assert (values(body, "DTSTART"), values(body, "DTEND")) == ([":20250424T034500Z"], [":20250424T040000Z"])
    assert (values(body, "TRANSP"), values(body, "STATUS")) == ([":TRANSPARENT"], [":CONFIRMED"])
    assert "Sign-up until Thursday 24 April\\, 12:00 Singapore time." in values(body, "DESCRIPTION")[0]
    assert values(body, "DTSTAMP") == [f":{event.revised_at:%Y%m%dT%H%M%SZ}"]
    assert response["Content-Disposition"].startswith('attachment; filename="sign-up-runners.ics"')


def test_deadline_of_a_list_is_not_after_the_start() -> None:
    event = make_social(signup_until=at("23:00"))
    SignUp.objects.create(event=event, places=5)

    bodies = [Client().get(url_of(event)).content, feed_of(event).body]

    assert [":20250424T110000Z" in values(body, "DTEND") for body in bodies] == [True, True]
    assert "Sign-up until Thursday 24 April\\, 19:00 Singapore time." in values(bodies[0], "DESCRIPTION")[0]


def test_its_name_is_always_the_same_and_not_the_events() -> None:
    event = make_social()

    body = Client().get(url_of(event)).content

    assert values(body, "UID") == [f":{deadline_uid(event)}"]
    assert (
        deadline_uid(event)
        == deadline_uid(Event.objects.get(pk=event.pk))
        == str(uuid.uuid5(event.guid, "sign-up"))
        != str(event.guid)
    )


def test_calendar_takes_it_anew_when_it_moves() -> None:
    event = make_social()
    before = Client().get(url_of(event))
    assert Client().get(url_of(event), headers={"If-None-Match": before["ETag"]}).status_code == 304

    event.signup_until = at("13:00")
    event.revise()
    after = Client().get(url_of(event), headers={"If-None-Match": before["ETag"]})

    assert (values(before.content, "SEQUENCE"), values(after.content, "SEQUENCE")) == ([":0"], [":1"])
    assert values(after.content, "DTEND") == [":20250424T050000Z"]


def test_cancelled_with_its_event() -> None:
    event = make_social()
    event.status = "cancelled"
    event.revise()

    body = Client().get(url_of(event)).content

    assert (values(body, "STATUS"), values(body, "SEQUENCE")) == ([":CANCELLED"], [":1"])
    assert [entry.summary for entry in read(body)] == ["Cancelled: sign-up for Runners"]


@pytest.mark.parametrize("fields", [{"signup_until": None}, {"status": "draft"}], ids=["no deadline", "hidden"])
def test_none_without_a_deadline_or_a_public_event(fields: dict[str, Any]) -> None:
    assert Client().get(url_of(make_social(**fields))).status_code == 404


def test_feed_has_it_only_if_it_is_wanted() -> None:
    event = make_social()

    assert [it.summary for it in read(feed_of(event, feed_deadlines=False).body)] == ["Runners"]
    assert [it.summary for it in read(feed_of(event).body)] == ["Sign-up ends: Runners", "Runners"]
    assert len(set(values(feed_of(event).body, "UID"))) == 2


def test_feed_has_none_of_what_is_cancelled_not_picked_or_left_out() -> None:
    event = make_social(status="cancelled")
    make_event(event.conference, title="Not picked", start="09:00", end="10:00", signup_until=at("08:00"))

    assert [it.summary for it in read(feed_of(event).body)] == ["Cancelled: Runners"]


def test_feed_is_new_when_the_option_or_the_deadline_is() -> None:
    event = make_social()
    agenda, _ = make_agenda(event.conference, event)

    def etag() -> str:
        return feeds.agenda_feed(Agenda.objects.select_related("conference").get(pk=agenda.pk), MORNING).etag

    tags = [etag()]
    agenda.set_feed_options(feed_deadlines=True)
    tags.append(etag())
    event.signup_until = at("13:00")
    event.revise()
    tags.append(etag())

    assert len(set(tags)) == 3


def test_deadline_of_an_event_without_an_hour_or_a_day_is_told() -> None:
    event = make_social(start=None, end=None)
    Event.objects.update(day=None)

    assert [it.summary for it in read(feed_of(event).body)] == ["Sign-up ends: Runners"]


def test_alarm_rings_before_it_where_alarms_are_wanted() -> None:
    body = feed_of(make_social(), feed_alarm=True).body

    assert body.count(b"BEGIN:VALARM") == 2
    assert problems(body) == []


def test_file_has_none_because_a_file_takes_nothing_back() -> None:
    agenda, _ = make_agenda((event := make_social()).conference, event)
    agenda.set_feed_options(feed_deadlines=True)

    assert [it.summary for it in read(downloads.agenda_download(agenda).body)] == ["Runners"]


def test_page_of_the_event_offers_it_until_then() -> None:
    event, link = make_social(), "Add the deadline to my calendar"
    page = event.get_absolute_url()

    assert link in Client().get(f"{page}?at=2025-04-24T11:59").text
    assert "Sign-up until Thu 24 Apr, 12:00" in Client().get(f"{page}?at=2025-04-24T11:59").text
    assert link not in Client().get(f"{page}?at=2025-04-24T12:00").text
    assert "Sign-up closed at 12:00" in Client().get(f"{page}?at=2025-04-24T12:00").text


@pytest.mark.parametrize("count", [1, 3])
def test_feed_costs_the_same_queries_for_one_deadline_and_three(django_assert_num_queries: Any, count: int) -> None:
    event = make_social()
    more = [
        make_event(event.conference, kind="social", start="19:00", end="20:00", signup_until=at("12:00"))
        for _ in range(count - 1)
    ]
    agenda, _ = make_agenda(event.conference, event, *more)
    agenda.set_feed_options(feed_deadlines=True)
    feed = feeds.agenda_feed(agenda, MORNING)

    with django_assert_num_queries(6):
        assert len(feed.entries()) == 2 * count

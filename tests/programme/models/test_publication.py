"""A conference is published, goes back to draft, and gets another slug."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from events.admin.programme.actions import why_protected
from events.models import Change, ChangeGroup, Conference, Event, FormerSlug
from events.programme.models.publication import change_slug, publish_conference, withdraw_conference
from events.programme.queries.publication import publication_review
from tests.factories import make_agenda, make_conference, make_day, make_event

pytestmark = pytest.mark.django_db

HOUR = dt.timedelta(hours=1)


def make_draft(*titles: str, **fields: Any) -> Conference:
    conference = make_conference(slug="demo", name="Demo", status="draft", **fields)
    for title in titles:
        make_event(conference, title=title, start="09:00", end="10:00")
    return conference


def test_publication_is_one_entry_with_each_event() -> None:
    conference = make_draft("One", "Two")
    make_event(conference, title="Later", status="draft")

    group = publish_conference(conference, note="Come *all*.", by="olga")

    assert group is not None
    assert (group.title, group.note, group.by, group.is_public) == ("Demo is published", "Come *all*.", "olga", True)
    assert sorted(Change.objects.values_list("event__title", "field", "old", "new", "group")) == [
        ("One", "status", "", "confirmed", group.pk),
        ("Two", "status", "", "confirmed", group.pk),
    ]
    assert Client().get("/demo/").status_code == 200


def test_second_publication_changes_nothing() -> None:
    conference = make_draft("One")
    publish_conference(conference)

    assert publish_conference(conference) is None
    assert ChangeGroup.objects.count() == 1


def test_conference_that_is_taken_back_is_hidden_and_returns_with_its_agendas() -> None:
    conference = make_draft("One")
    publish_conference(conference)
    event = Event.objects.get()
    agenda, _ = make_agenda(Conference.objects.get(), event)

    assert withdraw_conference(conference)
    assert not withdraw_conference(conference)
    hidden = Client().get("/demo/").status_code
    publish_conference(conference)

    event.refresh_from_db()
    assert (hidden, event.sequence, list(agenda.events.all())) == (404, 0, [event])


def test_later_publication_is_an_entry_of_what_differs_alone() -> None:
    conference = make_draft("One", "Two")
    publish_conference(conference)

    withdraw_conference(conference)
    publish_conference(conference)
    same = list(ChangeGroup.objects.filter(is_public=True).values_list("title", flat=True))
    withdraw_conference(conference)
    two = Event.objects.get(title="Two")
    two.start, two.end = two.start + HOUR, two.end + HOUR
    two.revise()
    make_event(Conference.objects.get(), title="Three")
    publish_conference(conference)

    assert same == ["Demo is published"]
    assert sorted(Change.objects.filter(group__title="Demo is published again").values_list("event__title", "field", "old")) == [
        ("Three", "status", ""),
        ("Two", "end", "2025-04-24T02:00:00+00:00"),
        ("Two", "start", "2025-04-24T01:00:00+00:00"),
    ]
    assert list(Event.objects.order_by("pk").values_list("sequence", flat=True)) == [0, 1, 0]


def test_event_that_was_published_is_not_deleted_while_its_conference_is_a_draft_again() -> None:
    conference = make_draft("One")
    publish_conference(conference)
    withdraw_conference(conference)
    event = Event.objects.get()
    event.status = "draft"
    event.revise()

    assert why_protected(Event.objects.get()) == "it was published: cancel it instead"


@pytest.mark.parametrize("path", ["", "schedule.ics", "schedule/2025-04-24/?view=grid", "changes.atom", "venue/"])
def test_former_slug_leads_to_the_present_one_for_good(path: str) -> None:
    conference = make_conference(slug="demo")
    make_event(conference)

    change_slug(conference, "nordml-2027")

    answer = Client().get(f"/demo/{path}")
    assert (answer.status_code, answer["Location"]) == (301, f"/nordml-2027/{path}")
    assert Client().get(answer["Location"]).status_code == 200


def test_former_slug_of_a_draft_leads_nowhere() -> None:
    conference = make_draft()

    change_slug(conference, "nordml-2027")

    assert Client().get("/demo/").status_code == 404


def test_slug_goes_there_and_back() -> None:
    conference = make_conference(slug="demo")

    change_slug(conference, "other")
    change_slug(conference, "demo")

    assert Client().get("/demo/").status_code == 200
    assert Client().get("/other/")["Location"] == "/demo/"
    assert list(FormerSlug.objects.values_list("slug", flat=True)) == ["other"]


def test_slug_that_was_another_conferences_is_not_taken() -> None:
    conference, other = make_conference(slug="demo", name="Demo"), make_conference(slug="other")
    change_slug(conference, "nordml-2027")

    with pytest.raises(ValidationError, match="was the address of Demo, and still leads there"):
        change_slug(other, "demo")

    assert Client().get("/demo/")["Location"] == "/nordml-2027/"


def test_review_counts_what_becomes_public_and_names_what_is_missing() -> None:
    conference = make_draft("One", city="")
    event = Event.objects.get()
    make_event(conference, title="Inside a draft", session=make_event(conference, title="Hidden", status="draft"))
    make_event(conference, title="Untimed", place="Hall")

    review = publication_review(conference)

    assert (review.days, review.events, review.people) == (1, 2, 0)
    assert sorted(draft.title for draft in review.drafts) == ["Hidden", "Inside a draft"]
    assert review.missing == [
        "It names no city: pages and calendars say only the time zone.",
        "It has no venue: nobody finds the way.",
        "1 event has no time yet: “time to be announced”.",
        "1 event has no place yet: “place to be announced”.",
    ]
    assert event.title == "One"


def test_review_names_days_outside_the_dates() -> None:
    conference = make_draft("One")
    make_day(conference, conference.end + dt.timedelta(days=365))

    assert publication_review(conference).missing[0] == ("Outside its dates: 28 April 2026. Correct these days, or its dates.")


def test_review_of_an_empty_conference() -> None:
    assert publication_review(make_draft()).missing == [
        "It has no day yet: the schedule is empty.",
        "It has no venue: nobody finds the way.",
        "It has no types of events.",
        "No event is ready: all are drafts, or there are none.",
    ]

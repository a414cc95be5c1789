"""The first page of the admin."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from events.admin.dashboard import group_edits, state_text
from events.models import Announcement, Question, Venue
from tests.admin.conftest import logged_in, staff
from tests.admin.pages import open_form, save, url
from tests.factories import THURSDAY, at, make_agenda, make_conference, make_event, make_room
from tests.proposals.proposing import make_proposal

pytestmark = pytest.mark.django_db
NOW = at("09:30")


def first_page(client: Client) -> Any:
    with time_machine.travel(NOW, tick=False):
        return client.get(reverse("admin:index"))


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        (-40, "starts in 40 days"),
        (-1, "starts tomorrow"),
        (0, "day 1 of 5"),
        (4, "day 5 of 5"),
        (5, "over since 28 Apr 2025"),
    ],
)
def test_state_counts_the_days(days: int, expected: str) -> None:
    assert state_text(make_conference(), THURSDAY + dt.timedelta(days=days)) == expected


def test_empty_site_says_what_to_do_first(organiser: Client, chair: Client) -> None:
    pages = [first_page(client) for client in (organiser, chair)]

    assert [url("add", "conference") in page.text for page in pages] == [True, False]
    assert ["Begin with a conference" in page.text for page in pages] == [True, False]
    assert [reverse("admin:lists") in page.text for page in pages] == [True, True]


def steps(page: Any) -> dict[str, bool]:
    return {step.label.split(":")[0]: step.is_done for step in page.context["steps"]}


def test_steps_lead_to_the_public_and_go_when_all_are_done(organiser: Client) -> None:
    conference = make_conference(name="NordML", status="draft")
    before = first_page(organiser)
    make_event(conference)
    between = first_page(organiser)
    Venue.objects.create(conference=conference, name="EXPO")
    conference.status = "published"
    conference.save()
    after = first_page(organiser)

    labels = ["The days of the programme", "A place", "Types of events", "The first event", "Publish NordML"]
    assert steps(before) == dict.fromkeys(labels, False)
    assert steps(between) == dict(zip(labels, [True, False, True, True, False], strict=True))
    assert after.context["steps"] == []
    assert url("publish", "conference", conference.pk) in before.text


def test_steps_are_for_those_who_make_a_conference(organiser: Client, chair: Client) -> None:
    make_conference()

    assert [bool(first_page(client).context["steps"]) for client in (organiser, chair)] == [True, False]


def test_page_shows_what_today_asks_for(organiser: Client) -> None:
    conference, other = make_conference(), make_conference(name="Other", start=dt.date(2024, 5, 1), end=dt.date(2024, 5, 2))
    hall = make_room(conference, "Hall 1")
    on_now = make_event(conference, title="Opening", room=hall, start="09:00", end="10:00", takes_questions=True)
    make_event(conference, title="Over", start="08:00", end="09:00")
    make_event(conference, title="A draft", status="draft", start="09:00", end="10:00")
    Announcement.objects.create(conference=conference, title="Lunch is late", starts_at=at("09:00"), until=at("12:00"))
    Announcement.objects.create(conference=conference, title="Gone", starts_at=at("07:00"), until=at("08:00"))
    Question.objects.create(event=on_now, agenda=make_agenda(conference, on_now)[0], text="Why?", name="Blue Fox")
    make_proposal(conference)
    make_proposal(other)

    page = first_page(organiser)

    assert [(row.event.title, row.url) for row in page.context["on_now"]] == [("Opening", url("change", "session", on_now.pk))]
    assert [f"{row.number} {row.text}" for row in page.context["waiting"]] == [
        "1 proposal waiting",
        "1 proposal waiting at other conferences",
        "1 question waiting",
        "1 draft in sessions",
    ]
    assert [row.title for row, _ in page.context["announcements"]] == ["Lunch is late"]
    assert "24 Apr 2025 12:00, Singapore</time>" in page.text
    assert all(organiser.get(row.url).status_code == 200 for row in page.context["waiting"])


def test_questions_of_cancelled_events_do_not_wait_and_are_not_listed(organiser: Client) -> None:
    conference = make_conference()
    for title, status in [("On", "confirmed"), ("Off", "cancelled")]:
        event = make_event(conference, title=title, status=status, takes_questions=True)
        Question.objects.create(event=event, agenda=make_agenda(conference)[0], text=f"Why {title}?", name="Blue Fox")

    (row,) = first_page(organiser).context["waiting"]
    listed = organiser.get(row.url).context["cl"].result_list

    assert (row.number, [question.text for question in listed]) == (1, ["Why On?"])


def test_import_begins_with_the_conference_that_one_organises(organiser: Client) -> None:
    make_conference(start=dt.date(2024, 5, 1), end=dt.date(2024, 5, 2))
    conference = make_conference()

    links = dict(first_page(organiser).context["open_links"])
    form = organiser.get(links["Import a programme"]).context["form"]

    assert form.initial["conference"] == conference


def test_page_shows_clashes_ahead(organiser: Client) -> None:
    conference = make_conference()
    room = make_room(conference, "Garnet")
    for start, end in [("08:00", "09:00"), ("08:00", "09:00"), ("10:00", "11:00"), ("10:30", "11:30")]:
        make_event(conference, room=room, start=start, end=end)

    page = first_page(organiser)

    assert (page.context["clash_count"], [row.clash.minutes for row in page.context["clashes"]]) == (1, [30])


def test_page_says_who_changed_what(organiser: Client) -> None:
    conference = make_conference()
    with time_machine.travel(NOW, tick=False):
        event = make_event(conference, title="Old")
        save(organiser, url("change", "session", event.pk), open_form(organiser, url("change", "session", event.pk)), title="New")

    page = first_page(organiser)

    edit = page.context["edits"][0]
    assert (edit.who, edit.title, edit.url) == ("Grace", "New", reverse("admin:events_event_history", args=[event.pk]))
    assert "24 Apr 2025 09:30, Singapore</time>" in page.text


def test_changes_of_one_person_at_once_are_one_line() -> None:
    records = [
        (1, "A", "Ada", at("10:09"), "~"),
        (2, "B", "Ada", at("10:03"), "~"),
        (1, "A", "Ada", at("09:58"), "~"),
        (3, "C", None, at("09:57"), "+"),
        (4, "D", None, at("08:00"), "-"),
    ]

    edits = group_edits(records)

    assert [(it.who, it.title, it.others, it.at) for it in edits] == [
        ("Ada", "A", 1, at("10:09")),
        ("an import or command", "C", 0, at("09:57")),
        ("an import or command", "D", 0, at("08:00")),
    ]
    assert edits[2].url == ""


def test_page_shows_each_role_what_it_may_open(organiser: Client, chair: Client) -> None:
    moderator = logged_in(staff("Mary", "Moderators"))
    conference = make_conference()
    room = make_room(conference, "Garnet")
    make_event(conference, title="Secret session", status="draft", room=room, start="10:00", end="11:00")
    make_event(conference, kind="social", title="Secret dinner", status="draft", room=room, start="10:00", end="11:00")
    make_event(conference, title="Opening", start="09:00", end="10:00")
    make_proposal(conference)

    pages = {name: first_page(it) for name, it in [("organiser", organiser), ("chair", chair), ("moderator", moderator)]}

    added = {name: [str(label) for label, _ in page.context["add_links"]] for name, page in pages.items()}
    assert added == {
        "organiser": ["session", "invited talk", "social", "person", "room", "announcement"],
        "chair": ["social"],
        "moderator": [],
    }
    assert {name: [row.noun for row in page.context["waiting"]] for name, page in pages.items()} == {
        "organiser": ["proposal", "draft", "draft"],
        "chair": ["proposal", "draft"],
        "moderator": [],
    }
    assert {name: page.context["clash_count"] for name, page in pages.items()} == {"organiser": 1, "chair": 1, "moderator": 0}
    assert {name: "Secret session" in page.text for name, page in pages.items()} == {
        "organiser": True,
        "chair": False,
        "moderator": False,
    }
    assert {name: bool(page.context["edits"]) for name, page in pages.items()} == {
        "organiser": True,
        "chair": False,
        "moderator": False,
    }
    assert [row.url for row in pages["chair"].context["on_now"]] == [""]
    for name, client in [("organiser", organiser), ("chair", chair), ("moderator", moderator)]:
        assert {client.get(address).status_code for _, address in pages[name].context["open_links"]} == {200}


@pytest.mark.parametrize("count", [1, 3])
def test_page_takes_a_fixed_number_of_queries(organiser: Client, count: int, django_assert_num_queries: Any) -> None:
    conference = make_conference()
    room = make_room(conference)
    for _ in range(count):
        for _ in range(2):
            make_event(conference, room=room, start="09:00", end="10:00", takes_questions=True)
        make_event(conference, status="draft")
        make_proposal(conference)
        Announcement.objects.create(conference=conference, title="Welcome", starts_at=at("09:00"))

    with time_machine.travel(NOW, tick=False), django_assert_num_queries(16):
        organiser.get(reverse("admin:index"))

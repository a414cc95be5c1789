"""What is kept of a visitor, taken away and deleted."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from events.agenda.lifecycle import LIFECYCLE
from events.agenda.queries.personal_data import AGENDA_COLUMNS, stored_lists
from events.agenda.visitor import FORMER_COOKIE, VISITOR_COOKIE
from events.core.tokens import hash_token, new_token
from events.models import Agenda, Conference, Poll, PollVote, ReadLink, Seat
from events.web.request import ATTENDANCE_COOKIE, DISMISSED_COOKIE, PROPOSALS_COOKIE, START_COOKIE, WALKING_COOKIE, ZONE_COOKIE
from tests.factories import at, make_agenda, make_conference, make_event
from tests.sign_up.seating import make_sign_up
from tests.visitors import browser

pytestmark = pytest.mark.django_db

DATA, FORGET = "/demo/agenda/data.json", "/demo/agenda/forget-me/"


@pytest.fixture
def conference() -> Conference:
    return make_conference(slug="demo")


def test_export_holds_all_that_is_kept_and_no_secret(conference: Conference) -> None:
    event, out = make_event(conference, title="Adam"), make_event(conference, title="Eve")
    agenda, token = make_agenda(conference, event, out)
    agenda.bookmark(out, on=False)
    agenda.private_entries.create(title="Lunch", start=at("12:00"), end=at("13:00"))
    link = ReadLink.begin(agenda, "Lab")
    assert link is not None
    agenda.reset_feed()
    away = make_conference(slug="away")
    Agenda.begin(token, away)
    make_agenda(conference, event)

    response = browser(token=token).get(DATA)

    data = json.loads(response.content)
    assert response["Content-Disposition"] == 'attachment; filename="hallway-my-data.json"'
    assert [it["conference"]["slug"] for it in data["agendas"]] == ["demo", "away"]
    here = data["agendas"][0]
    assert [(it["event_title"], it["removed_at"] is None) for it in here["picks"]] == [("Adam", True), ("Eve", False)]
    assert [it["title"] for it in here["private_entries"]] == ["Lunch"]
    assert [it["label"] for it in here["links_to_read"]] == ["Lab"]
    assert len(here["calendar_addresses_replaced"]) == 1
    assert len(data["browsers"]) == 1
    addresses = [it for address in agenda.feed_addresses.all() for it in (address.token, address.token_hash, str(address.key))]
    secrets = [token, hash_token(token), link.token, link.token_hash, str(link.key), *addresses]
    assert [it in response.text for it in secrets] == [False] * 11


def test_export_has_the_titles_of_each_conference(conference: Conference) -> None:
    here = make_event(conference, title="Adam")
    there = make_event(make_conference(slug="away"), title="Eve", guid=here.guid)
    _, token = make_agenda(conference, here)
    away = Agenda.begin(token, there.conference)
    away.bookmark(there, on=True)
    away.notes.create(event=there, text="Front row")

    data = json.loads(browser(token=token).get(DATA).content)

    assert [[it["event_title"] for it in agenda["picks"]] for agenda in data["agendas"]] == [["Adam"], ["Eve"]]
    assert [[it["event_title"] for it in agenda["notes"]] for agenda in data["agendas"]] == [[], ["Eve"]]


@pytest.mark.parametrize("token", ["", new_token(), "x"], ids=["none", "unknown", "not one"])
def test_export_of_nobody_is_empty(conference: Conference, token: str) -> None:
    make_agenda(conference, make_event(conference))

    assert json.loads(browser(token=token).get(DATA).content) == {"agendas": [], "account": None, "browsers": []}


def test_export_names_every_column_that_is_kept() -> None:
    # Whoever adds a column says here whether its owner gets it: these are keys and hashes.
    hidden = {"id", "agenda", "event", "token_hash", "key", "visitor", "conference", "agenda_revision", "conference_revision"}
    hidden |= {"room", "service", "by_staff", "weight", "staff_name", "words_digest"}
    columns = {it.model: {name.split("__")[0] for name in it.columns} for it in stored_lists().values()}
    columns[Agenda] = {"start", *AGENDA_COLUMNS}
    assert {
        model.__name__: {it.name for it in model._meta.concrete_fields} - hidden - names for model, names in columns.items()
    } == {model.__name__: set() for model in columns}


def test_export_has_every_table_with_an_agenda() -> None:
    # Rooms above the agenda register theirs: events/agenda/lifecycle.py.
    tables = {it.related_model for it in Agenda._meta.related_objects}

    assert {it.model for it in stored_lists().values()} == tables
    assert {it.model for it in LIFECYCLE.lists} == {it for it in tables if not it.__module__.startswith("events.agenda.")}


def test_export_says_where_one_starts_unless_the_conference_is_hidden(conference: Conference) -> None:
    agenda, token = make_agenda(conference, make_event(conference))
    agenda.set_start(conference.starting_points.create(name="Dorsett", slug="dorsett"))

    told = [json.loads(browser(token=token).get(DATA).content)["agendas"][0]["start"]]
    conference.status = "draft"
    conference.revise()
    make_conference(slug="away")
    told.append(json.loads(browser(token=token).get(DATA.replace("demo", "away")).content)["agendas"][0]["start"])

    assert told == ["Dorsett", ""]


def test_export_does_not_name_what_was_hidden_since(conference: Conference) -> None:
    talk = make_event(conference, title="Secret")
    elsewhere = make_conference(slug="secret", name="Secret")
    _, token = make_agenda(conference, talk)
    Agenda.begin(token, elsewhere)
    talk.status, elsewhere.status = "draft", "draft"
    talk.revise()
    elsewhere.revise()

    data = json.loads(browser(token=token).get(DATA).content)

    assert [it["event_title"] for it in data["agendas"][0]["picks"]] == [""]
    assert data["agendas"][1]["conference"] == {"slug": "", "name": "A conference that is not public now"}
    assert "ecret" not in json.dumps(data)


def test_forgetting_deletes_everywhere_and_takes_the_cookie(conference: Conference) -> None:
    agenda, token = make_agenda(conference, make_event(conference))
    Agenda.begin(token, make_conference())
    other, _ = make_agenda(conference)
    feed = agenda.feed_token
    client = browser(token=token)

    asked = client.get(FORGET)
    assert Agenda.objects.count() == 3
    done = client.post(FORGET)

    assert "1 pick" in asked.text
    assert (done.status_code, done["Location"]) == (302, "/demo/")
    assert (asked.get("Clear-Site-Data"), done["Clear-Site-Data"]) == (None, '"storage", "prefetchCache"')
    of_conference = (START_COOKIE, WALKING_COOKIE, ATTENDANCE_COOKIE, DISMISSED_COOKIE, PROPOSALS_COOKIE)
    gone = [done.cookies[name] for name in (VISITOR_COOKIE, FORMER_COOKIE, ZONE_COOKIE, *of_conference)]
    assert [(it.value, it["max-age"], it["path"]) for it in gone] == [("", 0, "/")] * 3 + [("", 0, "/demo/")] * 5
    assert list(Agenda.objects.all()) == [other]
    assert Client().get(f"/feeds/{feed}.ics").status_code == 404


def test_browser_without_an_agenda_forgets_its_choices(conference: Conference) -> None:
    client = Client()
    assert "Delete everything" not in client.get(FORGET).text
    client.cookies[PROPOSALS_COOKIE] = "x" * 32

    asked = client.get(FORGET).text
    client.post(FORGET)

    assert "This browser remembers what you chose here." in asked
    assert "Delete everything" in asked
    assert client.cookies[PROPOSALS_COOKIE].value == ""


def test_forgetting_nobody_deletes_nothing(conference: Conference) -> None:
    agenda, _ = make_agenda(conference)

    for token in ("", new_token()):
        assert "We hold no data about you." in browser(token=token).get(FORGET).text
        browser(token=token).post(FORGET)

    assert list(Agenda.objects.all()) == [agenda]


@pytest.mark.parametrize("size", [1, 3])
def test_own_data_takes_as_many_queries_for_three_as_for_one(size: int, django_assert_num_queries: Any) -> None:
    conference = make_conference(slug="demo")
    agenda, token = make_agenda(conference, *[make_event(conference) for _ in range(size)])
    for _ in range(size):
        Agenda.begin(token, make_conference())
        ReadLink.begin(agenda)

    with django_assert_num_queries(18):
        browser(token=token).get(DATA)
    with django_assert_num_queries(16):
        browser(token=token).get(FORGET)


def test_votes_in_polls_are_counted_before_they_are_forgotten(conference: Conference) -> None:
    agenda, token = make_agenda(conference)
    poll = Poll.objects.create(event=make_event(conference), question="Open weights?", state="open")
    poll.votes.create(agenda=agenda, answer=poll.answers.create(number=1, text="Yes"))

    assert "1 vote in polls" in browser(token=token).get(FORGET).text
    browser(token=token).post(FORGET)

    assert not PollVote.objects.exists()


def test_places_are_told_counted_and_forgotten(conference: Conference) -> None:
    own = make_sign_up(places=1, event=make_event(conference))
    agenda, token = make_agenda(conference)
    own.join(agenda, "Ada")

    (place,) = json.loads(browser(token=token).get(DATA).content)["agendas"][0]["places"]
    page = browser(token=token).get(FORGET).text
    browser(token=token).post(FORGET)

    assert (place["sign_up_event_guid"], place["state"], place["name"]) == (str(own.event.guid), "taken", "Ada")
    assert "1 sign-up" in page
    assert Seat.objects.count() == 0

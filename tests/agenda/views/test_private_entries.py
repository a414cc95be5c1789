"""Entries of one's own: by plain forms, among the picks, and for nobody else."""

from __future__ import annotations

import datetime as dt
from typing import Any
from uuid import uuid4

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from events.agenda.models.private_entries import MAX_PRIVATE_ENTRIES
from events.models import Agenda, Conference, PrivateEntry
from tests.factories import at, make_agenda, make_conference, make_event
from tests.security import strings
from tests.visitors import HTMX, browser, own_context

pytestmark = pytest.mark.django_db
ADD = "/demo/agenda/private/"
SENT = {"title": "Dentist", "place": "City", "date": "2025-04-24", "start": "09:00", "end": "10:00"}


def make_visitor(*bookmarks: tuple[str, str, str]) -> tuple[Conference, Agenda, str]:
    conference = make_conference(slug="demo")
    events = [make_event(conference, kind="talk", title=title, start=start, end=end) for title, start, end in bookmarks]
    return conference, *make_agenda(conference, *events)


def make_entry(agenda: Agenda, title: str = "Dentist", start: str = "09:00", end: str = "10:00") -> PrivateEntry:
    return PrivateEntry.add(agenda, title=title, place="", start=at(start), end=at(end))


def url_of(entry: PrivateEntry) -> str:
    return reverse("events:private-entry", args=["demo", entry.guid])


def problems(response: Any) -> list[str]:
    assert response.status_code == 422
    return [str(message) for messages in response.context["form"].errors.values() for message in messages]


def test_entry_is_added_by_a_plain_form_and_stands_among_the_picks() -> None:
    _, agenda, token = make_visitor(("Early", "08:00", "09:00"), ("Late", "11:00", "12:00"))
    client = browser(token=token)

    response = client.post(ADD, SENT)

    entry = agenda.private_entries.get()
    assert (response.status_code, response["Location"]) == (302, f"/demo/agenda/#private-{entry.guid}")
    assert (entry.title, entry.place, entry.start, entry.end) == ("Dentist", "City", at("09:00"), at("10:00"))
    [day] = own_context(client.get("/demo/agenda/"), "agenda_days")
    assert [row.card.title for row in day.rows] == ["Early", "Dentist", "Late"]
    assert (day.count, day.rows[2].gap.sentence) == (2, "1 h free")


def test_answer_names_the_worst_conflict_of_the_entry() -> None:
    _, agenda, token = make_visitor(("Early", "08:30", "09:30"), ("Late", "09:30", "12:00"), ("Evening", "18:00", "19:00"))
    client = browser(token=token)

    added = client.post(ADD, SENT, follow=True).text
    evening = SENT | {"start": "18:30", "end": "18:45"}
    changed = client.post(url_of(agenda.private_entries.get()), evening, follow=True).text
    alone = client.post(ADD, SENT | {"start": "13:00", "end": "14:00"}, follow=True).text

    assert "Only you see what it is. It clashes with Early" in added
    assert "30 min overlap. And 1 more." in added
    assert "Your changes are saved. It clashes with Evening" in changed
    assert "Only you see what it is.</p>" in alone


def test_first_entry_begins_an_agenda() -> None:
    make_conference(slug="demo")
    client = Client()

    client.post(ADD, SENT)

    page = client.get("/demo/agenda/")
    assert [row.card.title for day in own_context(page, "agenda_days") for row in day.rows] == ["Dentist"]


def test_form_sent_twice_adds_one() -> None:
    _, agenda, token = make_visitor()
    sent = SENT | {"guid": str(browser(token=token).get(ADD).context["form"]["guid"].value())}

    for _ in range(2):
        assert browser(token=token).post(ADD, sent).status_code == 302

    assert agenda.private_entries.count() == 1


def test_end_before_the_start_is_past_midnight() -> None:
    _, agenda, token = make_visitor()

    browser(token=token).post(ADD, SENT | {"start": "22:30", "end": "01:15"})

    entry = agenda.private_entries.get()
    assert (entry.end - entry.start).total_seconds() == 165 * 60
    assert "next day" in browser(token=token).get("/demo/agenda/").text


@pytest.mark.parametrize(("time", "is_on"), [("08:59", False), ("09:00", True), ("09:59", True), ("10:00", False)])
def test_entry_is_on_between_its_hours(time: str, is_on: bool) -> None:
    _, agenda, token = make_visitor()
    make_entry(agenda)

    page = browser(token=token).get(f"/demo/agenda/?at=2025-04-24T{time}").text

    assert ('data-flag="now">On now' in page) is is_on


def test_times_are_by_the_zone_that_is_shown() -> None:
    _, agenda, token = make_visitor()

    browser(token=token, zone="Europe/Vienna").post(ADD, SENT | {"start": "09:00", "end": "10:00"})

    assert agenda.private_entries.get().start == at("15:00")
    form = browser(token=token, zone="Europe/Vienna").get(url_of(agenda.private_entries.get())).context["form"]
    assert (form.date_text, form.start_text, form.end_text) == ("2025-04-24", "09:00", "10:00")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        pytest.param({"title": " "}, "Enter a title.", id="no title"),
        pytest.param({"title": "w" * 121}, "Use at most 120 characters for the title.", id="long title"),
        pytest.param({"place": "w" * 121}, "Use at most 120 characters for the place.", id="long place"),
        pytest.param({"date": ""}, "Choose the day.", id="no day"),
        pytest.param({"date": "2025-02-30"}, "Enter the day as 2025-04-24.", id="no such day"),
        pytest.param({"date": "0001-01-01"}, "Choose a day from 10 April 2025 to 12 May 2025.", id="long ago"),
        pytest.param({"date": "9999-12-31"}, "Choose a day from 10 April 2025 to 12 May 2025.", id="never"),
        pytest.param({"start": "25:00"}, "Enter the start as 09:30.", id="no such hour"),
        pytest.param({"end": ""}, "Enter the end.", id="no end"),
        pytest.param({"end": "09:00"}, "It ends when it starts: choose a later end.", id="no time at all"),
    ],
)
def test_mistake_gets_a_sentence_and_keeps_what_was_typed(wrong: dict[str, str], said: str) -> None:
    _, agenda, token = make_visitor()

    response = browser(token=token).post(ADD, SENT | wrong)

    assert problems(response) == [said]
    assert 'value="City"' in response.text or "place" in wrong
    assert agenda.private_entries.count() == 0


def test_clocks_that_change_in_between_are_minded() -> None:
    make_conference(slug="demo", timezone="Europe/Vienna", start=dt.date(2025, 10, 25), end=dt.date(2025, 10, 28))

    response = Client().post(ADD, SENT | {"date": "2025-10-26", "start": "02:30", "end": "03:10"})

    entry = PrivateEntry.objects.get()
    assert response.status_code == 302
    assert (entry.end - entry.start).total_seconds() == 100 * 60


def test_agenda_that_is_full_of_entries_says_so() -> None:
    _, agenda, token = make_visitor()
    rows = [PrivateEntry(agenda=agenda, title="x", start=at("09:00"), end=at("10:00")) for _ in range(MAX_PRIVATE_ENTRIES)]
    PrivateEntry.objects.bulk_create(rows)

    response = browser(token=token).post(ADD, SENT)

    assert problems(response) == ["Your agenda has as many entries as it can have. Please remove one first."]


def test_entry_is_changed_and_taken_out() -> None:
    _, agenda, token = make_visitor()
    entry = make_entry(agenda)
    client = browser(token=token)

    assert client.post(url_of(entry), SENT | {"title": "Surgeon"}).status_code == 302
    assert "Surgeon" in client.get("/demo/agenda/").text
    for _ in range(2):
        assert client.post(url_of(entry), {"remove": "1"}).status_code == 302

    # The next page has the message with Undo, and none after it the title.
    assert "Removed: Surgeon." in client.get("/demo/agenda/").text
    assert "Surgeon" not in client.get("/demo/agenda/").text
    assert client.get(url_of(entry)).status_code == 404
    assert client.post(url_of(entry), SENT).status_code == 302
    assert agenda.private_entries.filter(removed_at=None).count() == 0


def test_nobody_else_reaches_it() -> None:
    conference, agenda, _ = make_visitor()
    entry = make_entry(agenda)
    _, stranger = make_agenda(conference)

    for client in [browser(token=stranger), Client()]:
        assert client.get(url_of(entry)).status_code == 404
        client.post(url_of(entry), SENT | {"title": "Theirs"})
        client.post(url_of(entry), {"remove": "1"})
        assert "Dentist" not in client.get("/demo/agenda/").text

    entry.refresh_from_db()
    assert (entry.title, entry.removed_at) == ("Dentist", None)


def test_entry_gets_in_the_way_of_events_and_is_named_to_its_holder_only() -> None:
    conference, agenda, token = make_visitor()
    make_entry(agenda)
    talk = make_event(conference, kind="talk", title="Talk", start="09:30", end="10:30")
    url = reverse("events:bookmark-set", args=["demo", talk.guid])

    answer = browser(token=token).post(url, {"on": "1"}, headers=HTMX).text

    assert "It clashes with Dentist: 30 min overlap." in " ".join(strip_tags(answer).split())
    assert ">Dentist</a>" in answer
    assert own_context(browser(token=token).get("/demo/agenda/"), "clashes") == 1
    morning = f"{talk.get_absolute_url()}?at=2025-04-24T08:00"
    assert "Dentist" in browser(token=token).get(morning).text
    assert "Dentist" not in Client().get(morning).text


def test_another_moment_is_only_looked_at() -> None:
    _, agenda, token = make_visitor()
    entry = make_entry(agenda)

    page = browser(token=token).get("/demo/agenda/?at=2025-04-24T08:00").text

    assert "Dentist" in page
    assert (ADD in page, url_of(entry) in page) == (False, False)


def test_entry_that_is_added_at_another_moment_leads_back_to_that_moment() -> None:
    _, agenda, token = make_visitor()

    response = browser(token=token).post(f"{ADD}?at=2025-04-24T08:00", SENT)

    assert response["Location"] == f"/demo/agenda/?at=2025-04-24T08:00#private-{agenda.private_entries.get().guid}"


def test_own_entry_alone_is_no_pick_and_has_no_suggestions_above_it() -> None:
    conference, agenda, token = make_visitor()
    make_event(conference, kind="invited-talk", title="Keynote", start="11:00", end="12:00")
    before = browser(token=token).get("/demo/agenda/?at=2025-04-24T08:00").text
    make_entry(agenda)

    page = browser(token=token).get("/demo/agenda/?at=2025-04-24T08:00").text

    assert [("Start with one of these" in it, "Nothing picked yet" in it) for it in (before, page)] == [
        (True, True),
        (False, True),
    ]
    assert "Dentist" in page


def test_form_begins_with_today_while_the_conference_is_on() -> None:
    make_conference(slug="demo")

    found = {}
    for day, hour in [("before", "2025-01-01"), ("during", "2025-04-26"), ("after", "2026-01-01")]:
        with time_machine.travel(f"{hour}T04:00Z", tick=False):
            found[day] = Client().get(ADD).context["form"].date_text

    assert found == {"before": "2025-04-24", "during": "2025-04-26", "after": "2025-04-28"}


@pytest.mark.parametrize("kind", strings.TEXTS)
def test_hostile_words_are_refused_or_shown_as_text(kind: str) -> None:
    _, agenda, token = make_visitor()
    text = strings.TEXTS[kind]

    response = browser(token=token).post(ADD, SENT | {"title": text[:120], "place": text[:120], "guid": text})

    assert response.status_code == 422
    response = browser(token=token).post(ADD, SENT | {"title": text[:120], "place": text[:120], "guid": str(uuid4())})
    page = browser(token=token).get("/demo/agenda/").text if response.status_code == 302 else response.text
    assert "<script>alert" not in page
    assert "<img" not in page.partition("print-foot")[0]
    assert agenda.private_entries.count() == (response.status_code == 302)

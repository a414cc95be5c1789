"""The conference that an organiser works on: lists, forms and pages follow it."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from events.models import Conference, CurrentConference
from tests.admin.conftest import logged_in, staff
from tests.admin.pages import act, messages_of, open_form, save, url
from tests.factories import THURSDAY, at, make_conference, make_event, make_room, make_type

pytestmark = pytest.mark.django_db
NOW = at("10:00")
CHOOSE = "/organise/current-conference/"


def edition(name: str, days_from_now: int, **fields: Any) -> Conference:
    start = THURSDAY + dt.timedelta(days=days_from_now)
    return make_conference(name=name, start=start, end=start + dt.timedelta(days=2), **fields)


def choose(client: Client, conference: Conference, **more: str) -> Any:
    return client.post(CHOOSE, {"conference": conference.pk, **more})


def organising(client: Client) -> str:
    return str(client.get(reverse("admin:lists")).context["current_conference"])


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        pytest.param({"Past": -300, "On": -1, "Next": 20, "Far": 400}, "On", id="running"),
        pytest.param({"Long": -2, "Short": 0}, "Short", id="two-at-once"),
        pytest.param({"Past": -300, "Far": 400, "Next": 20}, "Next", id="next-to-start"),
        pytest.param({"Older": -800, "Last": -300}, "Last", id="all-are-over"),
        pytest.param({}, "None", id="empty-site"),
    ],
)
def test_default_is_the_running_or_the_next_conference(organiser: Client, days: dict[str, int], expected: str) -> None:
    for name, number in days.items():
        edition(name, number)

    with time_machine.travel(NOW, tick=False):
        assert organising(organiser) == expected


def test_choice_is_remembered_for_one_organiser_and_after_signing_out(organiser: Client, other_organiser: Client) -> None:
    first, last = edition("First", -300), edition("Last", 400)

    with time_machine.travel(NOW, tick=False):
        for conference in (last, first, first):
            choose(organiser, conference)
        organiser.logout()
        again = logged_in(User.objects.get(username="Grace"))

        assert (organising(again), organising(other_organiser)) == ("First", "Last")
        assert CurrentConference.objects.count() == 1


@pytest.mark.parametrize("sent", ["", "0", "abc", "999999", "\x00", "9" * 40])
def test_choice_of_nothing_is_refused_in_a_sentence(organiser: Client, sent: str) -> None:
    make_conference()

    response = organiser.post(CHOOSE, {"conference": sent})

    assert messages_of(response) == [
        "Nothing was changed: choose a conference of the list at the top. Somebody may have deleted it."
    ]
    assert (response["Location"], CurrentConference.objects.count()) == ("/organise/", 0)


@pytest.mark.parametrize(
    ("sent", "led"),
    [
        ("/organise/events/session/", "/organise/events/session/"),
        ("https://elsewhere.example/organise/", "/organise/"),
        ("//elsewhere.example", "/organise/"),
        ("", "/organise/"),
    ],
)
def test_choice_leads_back_to_the_page(organiser: Client, sent: str, led: str) -> None:
    assert choose(organiser, make_conference(), next=sent)["Location"] == led


def test_choice_needs_a_token() -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(staff("Ada", "Organisers"))

    response = choose(client, make_conference())

    assert (response.status_code, CurrentConference.objects.count()) == (403, 0)


def test_header_offers_what_the_role_may_see(organiser: Client, chair: Client) -> None:
    moderator = logged_in(staff("Mary", "Moderators"))
    make_conference(name="Public")
    make_event(make_conference(name="Draft with a social", status="draft"), kind="social")
    make_conference(name="Secret draft", status="draft")

    offered = [
        sorted(str(it) for it in client.get(reverse("admin:lists")).context["organised_conferences"])
        for client in (organiser, chair, moderator)
    ]

    assert offered == [["Draft with a social", "Public", "Secret draft"], ["Draft with a social", "Public"], ["Public"]]


def test_chair_cannot_choose_a_hidden_draft(chair: Client) -> None:
    choose(chair, make_conference(status="draft"))

    assert CurrentConference.objects.count() == 0


def test_conference_that_is_taken_back_to_draft_is_no_longer_current_for_a_chair(chair: Client) -> None:
    make_conference(name="Other")
    conference = make_conference(name="Withdrawn")
    choose(chair, conference)
    Conference.objects.filter(pk=conference.pk).update(status="draft")

    assert organising(chair) == "Other"


def titles(page: Any) -> list[str]:
    return sorted(str(row) for row in page.context["cl"].result_list)


def test_list_is_of_the_current_conference_and_offers_all(organiser: Client) -> None:
    one, other = make_conference(name="One"), make_conference(name="Other")
    make_event(one, title="Mine")
    make_event(other, title="Theirs")
    choose(organiser, one)

    pages = [
        organiser.get(url("changelist", "session"), query)
        for query in ({}, {"conference__id__exact": "all"}, {"conference__id__exact": other.pk})
    ]

    assert [titles(page) for page in pages] == [["Mine"], ["Mine", "Theirs"], ["Theirs"]]
    assert [" ".join(text_of(page).split()) for page in pages] == [
        "Only One. Show all conferences",
        "All conferences. Show only One",
        "Only Other, and you organise One. Show all conferences",
    ]


def text_of(page: Any) -> str:
    """What the list says about its conferences."""

    found = re.search(r'<p class="hallway-scope">(.*?)</p>', page.text, re.DOTALL)
    return re.sub(r"<[^>]*>", "", found[1]) if found else ""


def test_list_says_nothing_where_there_is_one_conference(organiser: Client) -> None:
    make_event(make_conference(), title="Mine")

    page = organiser.get(url("changelist", "session"))

    assert (titles(page), text_of(page)) == (["Mine"], "")


@pytest.mark.parametrize("model", ["room", "eventtype", "day", "announcement", "change", "changegroup", "poll", "question"])
def test_lists_of_every_kind_follow(organiser: Client, model: str) -> None:
    one = make_conference(name="One")
    make_conference(name="Other")
    choose(organiser, one)

    page = organiser.get(url("changelist", model))

    assert text_of(page).split(".")[0].strip() == "Only One"


def test_action_concerns_what_its_page_showed(organiser: Client) -> None:
    """“All rows of the list”, sent after another conference became the current one."""
    one, other = make_conference(name="One"), make_conference(name="Other")
    mine, theirs = (make_event(it, status="draft") for it in (one, other))
    data = {"action": "delete_drafts", "select_across": "1", "index": "0", "listed_conference": one.pk}
    choose(organiser, other)

    organiser.post(url("changelist", "session"), {**data, "_selected_action": mine.pk, "apply": "1"})

    theirs.refresh_from_db()
    assert list(type(mine).objects.values_list("pk", flat=True)) == [theirs.pk]


def test_action_reaches_chosen_rows_of_another_conference(organiser: Client) -> None:
    one, other = make_conference(name="One"), make_conference(name="Other")
    event = make_event(other)
    choose(organiser, one)

    page = act(organiser, "session", "cancel", [event])

    assert (page.status_code, page.context["heading"]) == (200, "Cancel")


def test_add_forms_begin_with_the_current_conference(organiser: Client) -> None:
    one, other = edition("One", -300), edition("Other", 400)
    kinds = {it.pk: make_type(it, name=f"Talk of {it}") for it in (one, other)}
    choose(organiser, one)

    forms = {model: open_form(organiser, url("add", model)) for model in ("session", "room", "announcement", "day")}
    page = organiser.get(url("add", "session")).text

    assert {model: form["conference"] for model, form in forms.items()} == dict.fromkeys(forms, str(one.pk))
    assert [f"Talk of {it}" in page for it in (one, other)] == [True, False]
    assert kinds


def test_form_of_another_conference_opens_and_says_so(organiser: Client) -> None:
    one, other = make_conference(name="One"), make_conference(name="Other")
    room, event = make_room(other, "Garnet"), make_event(other)
    choose(organiser, one)

    pages = [
        organiser.get(address)
        for address in (
            url("change", "room", room.pk),
            url("history", "session", event.pk),
            url("change", "conference", other.pk),
            f"{reverse('admin:events_room_pressure')}?conference={other.pk}",
            url("change", "room", make_room(one, "Opal").pk),
        )
    ]

    said = "This is of Other, and you organise One."
    assert [(page.status_code, text_of(page)) for page in pages] == [(200, said)] * 4 + [(200, "")]
    assert f'href="{url("delete", "room", room.pk)}' in pages[0].text


def test_new_conference_becomes_the_current_one(organiser: Client) -> None:
    edition("On", -1)
    data = open_form(organiser, url("add", "conference"))
    words = {"name": "Meet-up", "slug": "meet-up", "timezone": "Europe/Vienna", "start": "2027-05-01", "end": "2027-05-01"}

    save(organiser, url("add", "conference"), data, **words)

    assert organising(organiser) == "Meet-up"


def test_pressure_is_of_the_current_conference(organiser: Client) -> None:
    one = edition("One", -300)
    edition("Other", 400)
    choose(organiser, one)

    assert organiser.get(reverse("admin:events_room_pressure")).context["conference"] == one


def test_header_takes_one_query(organiser: Client) -> None:
    found = []
    for _ in range(3):
        make_conference()
        with CaptureQueriesContext(connection) as queries:
            organiser.get(reverse("admin:lists"))
        found.append(sum("currentconference" in it["sql"] for it in queries.captured_queries))

    assert found == [1, 1, 1]

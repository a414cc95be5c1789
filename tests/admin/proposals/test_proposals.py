"""The queue of proposals, and the page on which one is decided."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from events.models import Event, Proposal
from tests.admin.pages import url
from tests.admin.proposals.deciding import page_of, state
from tests.factories import make_conference, make_event, make_room
from tests.proposals.proposing import make_correction, make_note, make_proposal

pytestmark = pytest.mark.django_db
PUBLISH = {"decision": "publish"}


def test_queue_begins_with_who_waits_longest(organiser: Client) -> None:
    conference, now = make_conference(), timezone.now()

    def sent(title: str, hours: int, **fields: Any) -> None:
        make_proposal(conference, title, updated_at=now - dt.timedelta(hours=hours), **fields)

    sent("Declined", 9, status="declined", decided_at=now - dt.timedelta(hours=8))
    sent("New", 1)
    sent("Asked", 50, status="asked")
    sent("Old", 5)
    sent("Published", 9, status="published", decided_at=now)

    page = organiser.get(url("changelist", "proposal"))

    assert [it.title for it in page.context["cl"].result_list] == ["Old", "New", "Asked", "Published", "Declined"]


def test_queue_says_what_each_is_by_the_clock_at_the_venue(organiser: Client) -> None:
    conference = make_conference()
    runners = make_event(conference, kind="social", title="Runners", start="18:00", end="20:00")
    make_correction(runners, title="Night runners", updated_at=timezone.now() - dt.timedelta(hours=3))
    make_note(conference, "Hall 1 is wrong.", updated_at=timezone.now() - dt.timedelta(days=3))

    page = organiser.get(url("changelist", "proposal"))
    admin, rows = page.context["cl"].model_admin, page.context["cl"].result_list

    found = [[getattr(admin, it)(row) for it in ("what_it_says", "kind_of_change", "at_time")] for row in rows]
    assert found == [
        ["Hall 1 is wrong.", "Note", ""],
        ["Night runners", "Correction of “Runners”", "Thu 24 April 2025<br>18:00–20:00"],
    ]
    assert [admin.sent(row).partition("<")[0] for row in rows] == ["3 days ago", "3 h ago"]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("", "No proposals yet."),
        ("status__exact=waiting", "No proposals are waiting."),
        ("status__exact=declined", "No proposals of this kind."),
        ("q=<b>chess</b>", "No results for “&lt;b&gt;chess&lt;/b&gt;”."),
    ],
)
def test_empty_queue_says_so_in_words(chair: Client, query: str, words: str) -> None:
    page = chair.get(f"{url('changelist', 'proposal')}?{query}").text

    assert (words in page, "See all proposals" in page) == (True, bool(query))


def test_queue_with_something_in_it_says_nothing_of_being_empty(chair: Client) -> None:
    make_proposal(make_conference())

    assert "hallway-empty" not in chair.get(f"{url('changelist', 'proposal')}?status__exact=waiting").text


@pytest.mark.parametrize(("count", "words"), [(1, "1</strong> proposal waiting"), (3, "3</strong> proposals waiting")])
def test_index_says_how_many_wait(chair: Client, count: int, words: str) -> None:
    conference = make_conference()
    for _ in range(count):
        make_proposal(conference)
    make_proposal(conference, status="asked")

    assert words in chair.get(reverse("admin:index")).text


def test_index_says_nothing_where_nothing_waits_and_to_whom_it_is_not_open(chair: Client) -> None:
    empty = chair.get(reverse("admin:index")).text
    make_proposal(make_conference())
    chair.force_login(User.objects.create_user("nobody", is_staff=True))

    hidden = chair.get(reverse("admin:index")).text

    assert ["status__exact=waiting" in text for text in (empty, hidden)] == [False, False]


def test_who_may_only_look_is_offered_nothing_and_refused(client: Client) -> None:
    proposal = make_proposal(make_conference())
    user = User.objects.create_user("viewer", is_staff=True)
    user.user_permissions.add(*_permissions("view_proposal"))
    client.force_login(user)

    page = page_of(client, proposal)
    response = client.post(url("change", "proposal", proposal.pk), {"decision": "publish", "version": "1"})

    assert (page.status_code, page.context["forms"], response.status_code, Event.objects.count()) == (200, {}, 403, 0)


def test_who_may_not_edit_socials_publishes_none(client: Client) -> None:
    proposal = make_proposal(make_conference())
    user = User.objects.create_user("decider", is_staff=True)
    user.user_permissions.add(*_permissions("view_proposal", "change_proposal"))
    client.force_login(user)

    page = page_of(client, proposal)
    client.post(url("change", "proposal", proposal.pk), PUBLISH | {"version": "1", "title": "Mine"})

    assert (list(page.context["forms"]), Event.objects.count()) == (["ask", "merge", "decline"], 0)


def _permissions(*names: str) -> Any:
    return Permission.objects.filter(codename__in=names)


def test_change_of_a_talk_is_published_by_nobody(organiser: Client) -> None:
    conference = make_conference()
    talk = make_event(conference, kind="talk", title="Talk")
    proposal = make_proposal(conference, "Mine now", event=talk)

    page = page_of(organiser, proposal)
    organiser.post(url("change", "proposal", proposal.pk), PUBLISH | {"version": "1", "title": "Mine now"})

    talk.refresh_from_db()
    assert ("publish" in page.context["forms"], talk.title, state(proposal)[0]) == (False, "Talk", "waiting")


def test_without_a_type_for_socials_the_page_says_what_is_missing(chair: Client) -> None:
    proposal = make_proposal(make_conference())
    proposal.conference.types.all().delete()

    page = page_of(chair, proposal)

    assert ("publish" in page.context["forms"], "has no event type for socials" in page.text) == (False, True)


def test_links_of_a_sender_are_text(chair: Client) -> None:
    proposal = make_proposal(make_conference(), about="[x](https://evil.example/)", signup_url="https://evil.example/form")

    text = page_of(chair, proposal).text

    assert ("https://evil.example/form" in text, 'href="https://evil.example' in text) == (True, False)


def test_proposal_that_is_not_there_leads_to_the_index(chair: Client) -> None:
    response = chair.get(url("change", "proposal", 999))

    assert (response.status_code, response["Location"]) == (302, reverse("admin:index"))


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("status__exact=waiting", 200),
        ("conference__id__exact=1", 200),
        ("kind__exact=note", 200),
        ("mailbox__startswith=sender", 400),
        ("token_hash__startswith=a", 400),
        ("decided_by__username__startswith=a", 400),
        ("conference__agendas__visitor__tokens__token_hash__startswith=a", 400),
        ("_popup=1&_to_field=mailbox", 400),
        ("_popup=1&_to_field=token_hash", 400),
    ],
)
def test_queue_is_asked_for_nothing_that_it_does_not_show(organiser: Client, query: str, found: int) -> None:
    make_proposal(make_conference(), mailbox="sender@example.org")

    assert organiser.get(f"{url('changelist', 'proposal')}?{query}").status_code == found


def fill(count: int) -> Proposal:
    conference = make_conference()
    event = make_event(conference, kind="social", title="Board games", start="19:00", end="21:00")
    for number in range(count):
        make_event(conference, kind="social", title=f"Board games {number}", start="19:00", end="21:00")
        make_room(conference, f"Room {number}")
        make_proposal(conference, f"Board games again {number}")
        make_correction(event, title=f"Games {number}")
        make_note(conference, event=event, page=event.get_absolute_url())
    return make_proposal(conference, "Board games")


def queries_of(client: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address).status_code == 200
    return len(queries)


def test_hundreds_that_wait_come_in_pages_and_a_few_twins(organiser: Client) -> None:
    proposal = fill(1)
    usual = {"conference": proposal.conference, "title": "Board games", "date": proposal.date}
    Proposal.objects.bulk_create(Proposal(token_hash=str(number), **usual) for number in range(120))
    address = f"{url('changelist', 'proposal')}?conference__id__exact={proposal.conference_id}"

    first, second = organiser.get(address), organiser.get(f"{address}&p=2")
    page = page_of(organiser, proposal)

    assert [len(it.context["cl"].result_list) for it in (first, second)] == [100, 24]
    assert (len(page.context["twins"]), page.context["more_twins"]) == (5, 118)
    assert "And 118 more" in page.text


@pytest.mark.parametrize("page", ["changelist", "change"])
def test_pages_take_a_fixed_number_of_queries(organiser: Client, page: str) -> None:
    few, many = fill(1), fill(3)
    addresses = [
        url("change", "proposal", it.pk)
        if page == "change"
        else f"{url('changelist', 'proposal')}?conference__id__exact={it.conference_id}"
        for it in (few, many)
    ]
    queries_of(organiser, addresses[0])

    found = [queries_of(organiser, address) for address in addresses]

    assert (found[0], found[0] <= 22) == (found[1], True)

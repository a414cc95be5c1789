"""Mail to organisers and chairs about what needs them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace

import pytest
import time_machine
from django.contrib.auth.models import Group, User
from django.db import DatabaseError
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries, DjangoCaptureOnCommitCallbacks

from events.admin import notices
from events.admin.notices import send_notices
from events.core import limits
from events.core.limits import NOTICE_CHECKS
from events.mail import notices as registry
from events.mail.models import Letter
from events.models import Conference, MailChoice, Proposal, Question
from tests.factories import at, make_agenda, make_conference, make_event, make_report, make_room
from tests.proposals.forms_filled import propose as fill_in
from tests.questions.asking import ask, make_panel
from tests.staff.signing_in import make_staff

pytestmark = pytest.mark.django_db
NOON = at("12:00")
HOUR = dt.timedelta(hours=1)
CHOICES = "/organise/account/mail/"


@pytest.fixture(autouse=True)
def _at_noon() -> Iterator[None]:
    with time_machine.travel(NOON, tick=False):
        yield


@pytest.fixture
def conference() -> Conference:
    return make_conference(slug="demo")


def chair(name: str = "Chair", group: str = "Social chairs") -> User:
    user = User.objects.create_user(name, email=f"{name.lower()}@example.org", is_staff=True)
    user.groups.add(Group.objects.get(name=group))
    return user


def propose(conference: Conference, title: str = "Chess", *, minutes: int = 0, **fields: object) -> Proposal:
    when = NOON + dt.timedelta(minutes=minutes)
    return Proposal.objects.create(
        conference=conference, token_hash=f"{title}{minutes}", title=title, created_at=when, updated_at=when, **fields
    )


def hold(conference: Conference) -> Question:
    panel = make_panel(conference)
    return Question.objects.create(
        event=panel, agenda=make_agenda(conference)[0], text="Why?", name="Amber Heron 42", state="held", asked_at=NOON
    )


def fill_room(conference: Conference) -> None:
    talk = make_event(conference, title="Talk", start="11:30", end="13:00", room=make_room(conference, "Hall 1"))
    for _ in range(2):
        make_report(talk, "full", agenda=make_agenda(conference)[0], weight=2, at=NOON)


def subjects() -> dict[str, str]:
    return {letter.to: letter.subject for letter in Letter.objects.all()}


def later(minutes: int) -> dt.datetime:
    return NOON + dt.timedelta(minutes=minutes)


def test_everybody_is_told_of_what_they_may_act_on(conference: Conference) -> None:
    make_staff("Grace", email="grace@example.org")
    chair()
    chair("Moderator", "Moderators")
    propose(conference)
    propose(conference, "Lunch is missing", kind="note")
    hold(conference)
    fill_room(conference)

    assert send_notices(later(1)) == 3
    assert subjects() == {
        "grace@example.org": "1 proposal, 1 reported fault, 1 question held back, 1 full room",
        "chair@example.org": "1 proposal, 1 reported fault",
        "moderator@example.org": "1 question held back",
    }
    text = Letter.objects.get(to="grace@example.org").text
    assert "- Proposal: Chess\n  http://127.0.0.1:8000/organise/events/proposal/" in text
    assert "- Full room: Hall 1\n  http://127.0.0.1:8000/organise/events/room/pressure/" in text
    assert text.endswith(f"http://127.0.0.1:8000{CHOICES}\n")


def test_nothing_of_askers_is_in_a_letter(conference: Conference) -> None:
    chair("Moderator", "Moderators")
    hold(conference)
    send_notices(later(1))

    assert not {"Why?", "Amber Heron 42"} & set(Letter.objects.get().text.split("\n"))
    assert "Amber" not in Letter.objects.get().text


def test_one_letter_an_hour_and_the_rest_with_the_next(conference: Conference) -> None:
    chair()
    propose(conference)
    assert send_notices(later(1)) == 1
    propose(conference, "Go", minutes=2)
    propose(conference, "Bridge", minutes=3)

    assert (send_notices(later(4)), send_notices(later(60))) == (0, 0)
    assert send_notices(later(61)) == 1
    assert Letter.objects.latest("pk").subject == "2 proposals"
    assert "Chess" not in Letter.objects.latest("pk").text


def test_what_is_decided_meanwhile_is_not_mailed(conference: Conference) -> None:
    chair()
    proposal = propose(conference)
    Proposal.objects.filter(pk=proposal.pk).update(status="declined")

    assert send_notices(later(1)) == 0


def test_nothing_older_than_a_day(conference: Conference) -> None:
    chair()
    propose(conference)

    assert send_notices(NOON + dt.timedelta(days=1, minutes=1)) == 0


def test_rooms_that_staff_report_full_are_not_mailed_to_staff(conference: Conference) -> None:
    make_staff("Grace", email="grace@example.org")
    talk = make_event(conference, title="Talk", start="11:30", end="13:00", room=make_room(conference, "Hall 1"))
    make_report(talk, "full", at=NOON)

    assert send_notices(later(1)) == 0


@pytest.mark.parametrize("state", ["closed", "no address", "attendee"])
def test_others_get_no_letter(conference: Conference, state: str) -> None:
    user = chair()
    changes = {"closed": {"is_active": False}, "no address": {"email": ""}, "attendee": {"is_staff": False}}
    User.objects.filter(pk=user.pk).update(**changes[state])
    propose(conference)

    assert (send_notices(later(1)), Letter.objects.count()) == (0, 0)


def test_draft_conference_is_not_told_to_chairs(conference: Conference) -> None:
    chair()
    make_staff("Grace", email="grace@example.org")
    propose(conference)
    Conference.objects.filter(pk=conference.pk).update(status="draft")

    send_notices(later(1))

    assert list(subjects()) == ["grace@example.org"]


def test_kind_that_is_switched_off_is_left_out(conference: Conference) -> None:
    user = chair()
    client = Client()
    client.force_login(user)

    assert client.post(CHOICES, {"faults": "on", "rooms": "on"}, follow=True).status_code == 200
    propose(conference)
    assert send_notices(later(1)) == 0
    propose(conference, "Typo", kind="note")
    assert send_notices(later(2)) == 1
    assert subjects() == {"chair@example.org": "1 reported fault"}


def test_page_of_choices_shows_what_is_chosen_and_asks_staff_only(conference: Conference) -> None:
    client = Client()
    client.force_login(chair())
    page = client.get(CHOICES)

    assert page.text.count(" checked") == 5
    assert "To chair@example.org, one letter an hour at most." in page.text
    assert not MailChoice.objects.exists()
    stranger = Client()
    stranger.force_login(User.objects.create_user("attendee-1"))
    assert (stranger.get(CHOICES).status_code, Client().get(CHOICES).status_code) == (403, 302)


def test_two_senders_write_one_letter(conference: Conference, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second one reads the time of the last letter before the first one writes it."""
    chair()
    propose(conference)
    first = notices._waiting_for

    def between(*args: object) -> object:
        monkeypatch.setattr(notices, "_waiting_for", first)
        send_notices(later(1))
        return first(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(notices, "_waiting_for", between)

    assert (send_notices(later(1)), Letter.objects.count()) == (0, 1)


def test_questions_are_few_when_there_is_nothing_new(
    conference: Conference, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(3):
        chair(f"Chair{number}")
    with django_assert_num_queries(4):
        assert send_notices(later(1)) == 0
    propose(conference)
    send_notices(later(1))
    with django_assert_num_queries(1):
        assert send_notices(later(2)) == 0


def test_a_hundred_are_listed_shortly(conference: Conference) -> None:
    chair()
    for number in range(25):
        propose(conference, f"Game {number}")
    send_notices(later(1))

    letter = Letter.objects.get()
    assert (letter.subject, letter.text.count("- Proposal"), "and 5 more." in letter.text) == ("25 proposals", 20, True)


def test_sent_proposal_is_told_at_once_and_looked_for_once_a_minute(
    conference: Conference, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    chair()
    with time_machine.travel(NOON - dt.timedelta(days=3), tick=False) as now:
        for minutes in (0, 0.5, 61):
            now.shift(dt.timedelta(minutes=minutes))
            with django_capture_on_commit_callbacks(execute=True):
                assert fill_in(Client()).status_code == 302
        told = [letter.subject for letter in Letter.objects.all()]

    assert told == ["1 proposal", "2 proposals"]


def test_held_question_and_full_room_are_told_at_once(
    conference: Conference, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    told: list[str] = []
    monkeypatch.setattr(registry, "NOTICE_WRITERS", [lambda now: told.append("looked")])
    monkeypatch.setattr(registry, "NOTICE_CHECKS", replace(NOTICE_CHECKS, in_all=10))
    talk = make_event(conference, title="Talk", start="11:30", end="13:00", room=make_room(conference, "Hall 1"))
    with django_capture_on_commit_callbacks(execute=True):
        Client().post(reverse("events:crowd-set", args=["demo", talk.guid]), {"state": "filling"})
        Client().post(reverse("events:crowd-set", args=["demo", talk.guid]), {"state": "full"})
    assert told == ["looked"]
    monkeypatch.setattr(limits, "NEWCOMER_QUESTIONS", replace(limits.NEWCOMER_QUESTIONS, newcomers=0))
    panel = make_panel(conference, start="11:30", end="13:00")
    with django_capture_on_commit_callbacks(execute=True):
        ask(Client(), panel)
    assert (told, Question.objects.get().state) == (["looked"] * 2, "held")


def test_fault_while_writing_does_not_reach_the_visitor(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    def fail(now: dt.datetime) -> None:
        raise DatabaseError(now)

    monkeypatch.setattr(registry, "NOTICE_WRITERS", [fail])
    with django_capture_on_commit_callbacks(execute=True) as callbacks:
        registry.tell_organisers()

    assert len(callbacks) == 1

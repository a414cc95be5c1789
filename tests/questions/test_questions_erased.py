"""Questions whose asker was merged, deleted, or erased after the retention."""

from __future__ import annotations

import datetime as dt

import pytest
import time_machine
from django.core.management import call_command

from events.accounts.sign_in import sign_in_by_mail
from events.agenda.devices import forget_visitor
from events.agenda.merging import merge_visitors, replace_visitor
from events.models import Account, Question, Visitor
from events.programme.participation import is_past_retention
from tests.factories import at, make_agenda, make_conference, visitor_of
from tests.questions.asking import LONG_AFTER, WHY, make_panel, make_question

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("during")]


def question_rows() -> list[tuple[str, str, bool, int]]:
    """Text, name, whether it is known who asked, and votes, of all there are."""
    return [(it.text, it.name, it.agenda_id is not None, it.votes.count()) for it in Question.objects.all()]


def test_two_agendas_of_one_person_keep_names_and_have_one_vote() -> None:
    panel = make_panel()
    (phone, phone_token), (laptop, laptop_token) = make_agenda(panel.conference), make_agenda(panel.conference)
    asked = [Question.ask(phone, panel, "From the phone?"), Question.ask(laptop, panel, "From the laptop?")]
    voted = make_question(panel, "Somebody else's?")
    voted.vote(phone, on=True)
    voted.vote(laptop, on=True)
    asked[1].vote(phone, on=True)

    merge_visitors(visitor_of(phone_token), visitor_of(laptop_token))

    mine = Question.objects.filter(agenda=laptop)
    assert [it.name for it in mine] == [it.name for it in asked]
    assert [(it.text, it.count) for it in Question.objects.counted()] == [
        ("Somebody else's?", 1),
        ("From the phone?", 0),
        ("From the laptop?", 0),
    ]
    assert Question.ask(laptop, panel, "One more?").name == asked[0].name


@pytest.mark.parametrize("end", ["forgotten", "given up", "account deleted"])
def test_question_of_who_is_gone_is_nobodys(end: str) -> None:
    panel = make_panel()
    agenda, token = make_agenda(panel.conference)
    Question.ask(agenda, panel, WHY)
    theirs = make_question(panel, "Somebody else's?")
    theirs.vote(agenda, on=True)

    match end:
        case "forgotten":
            forget_visitor(token)
        case "given up":
            replace_visitor(visitor_of(token), Visitor.objects.create())
        case _:
            forget_visitor(sign_in_by_mail("ada@example.org", token))

    assert question_rows() == [(WHY, "", False, 0), ("Somebody else's?", theirs.name, True, 0)]
    assert not Account.objects.exists()


def test_week_after_the_conference_only_texts_are_left() -> None:
    question = make_question(make_panel(), votes=2)
    question.decide("answered", seen="open")
    other = make_question(make_panel(make_conference(end=dt.date(2025, 4, 29))), "Elsewhere?", votes=1)

    before = Question.objects.erase_overdue(LONG_AFTER - dt.timedelta(minutes=2))
    kept = question_rows()
    after = Question.objects.erase_overdue(LONG_AFTER)

    assert (before, after, Question.objects.erase_overdue(LONG_AFTER)) == (0, 1, 0)
    assert [it[3] for it in kept] == [2, 1]
    assert question_rows() == [(WHY, "", False, 0), ("Elsewhere?", other.name, True, 1)]
    question.refresh_from_db()
    assert question.state == "answered"


@pytest.mark.parametrize("command", ["erase_questions", "send_letters"])
def test_commands_that_run_daily_erase(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    make_question(make_panel())

    with time_machine.travel(LONG_AFTER, tick=False):
        call_command(command)

    assert question_rows() == [(WHY, "", False, 0)]
    erased = "Names and votes of 1 question erased.\n"
    assert capsys.readouterr().out == {"erase_questions": erased}.get(command, "0 letters sent.\n")


def test_event_after_its_conference_is_remembered_for_a_week_too() -> None:
    party = make_panel(start=at("20:00", dt.date(2025, 5, 3)), end=at("22:00", dt.date(2025, 5, 3)))

    assert [is_past_retention(party, LONG_AFTER + dt.timedelta(days=days)) for days in (0, 4, 5)] == [False, False, True]

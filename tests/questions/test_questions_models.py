"""Questions: their names, their number and their deadline."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any

import pytest
import time_machine

from events.agenda.devices import sign_out_elsewhere
from events.models import Agenda, Question
from events.questions.models import QuestionRefusedError
from events.questions.rules import is_pseudonym
from tests.factories import THURSDAY, at, make_agenda
from tests.questions.asking import DURING, WHY, make_panel, make_question

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("during")]


def test_asker_has_one_name_at_an_event_and_another_at_the_next() -> None:
    panel = make_panel()
    talk = make_panel(panel.conference, title="Talk")
    mine, other = make_agenda(panel.conference)[0], make_agenda(panel.conference)[0]

    names = [
        Question.ask(*it).name
        for it in [(mine, panel, WHY), (mine, panel, "And then?"), (mine, talk, WHY), (other, panel, "How so?")]
    ]

    assert [is_pseudonym(name) for name in names] == [True] * 4
    assert (names[0] == names[1], len(set(names))) == (True, 3)


def test_name_cannot_be_worked_out_without_the_key(settings: Any) -> None:
    panel = make_panel()
    agenda = make_agenda(panel.conference)[0]
    name = Question.ask(agenda, panel, WHY).name
    Question.objects.all().delete()

    settings.SECRET_KEY = "another"

    assert Question.ask(agenda, panel, WHY).name != name


def test_no_two_askers_of_an_event_share_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    panel = make_panel()
    turns = iter(["Amber Heron 42", "Amber Heron 42", "Amber Heron 42", "Coral Lynx 17"])
    monkeypatch.setattr("events.questions.models.pseudonym", lambda *about: next(turns))

    names = [make_question(panel, f"Question {number}").name for number in range(2)]

    assert names == ["Amber Heron 42", "Coral Lynx 17"]


def test_name_stays_when_the_secret_is_changed() -> None:
    panel = make_panel()
    agenda, token = make_agenda(panel.conference)
    name = Question.ask(agenda, panel, WHY).name

    own = Agenda.objects.for_token(sign_out_elsewhere(token), panel.conference)

    assert own is not None
    assert Question.ask(own, panel, "And then?").name == name


def test_name_that_was_once_typed_is_not_given_again() -> None:
    panel = make_panel()
    agenda = make_agenda(panel.conference)[0]
    Question.objects.create(event=panel, agenda=agenda, text=WHY, name="Ada L")

    names = [Question.ask(agenda, panel, text).name for text in ("And then?", "Now?")]

    assert is_pseudonym(names[0])
    assert names[0] == names[1]


def test_question_sent_twice_is_one() -> None:
    panel, form = make_panel(), uuid.uuid4()
    mine, other = make_agenda(panel.conference)[0], make_agenda(panel.conference)[0]

    asked = [
        Question.ask(mine, panel, WHY, form=form),
        Question.ask(mine, panel, WHY, form=form),
        Question.ask(mine, panel, WHY),
        Question.ask(other, panel, WHY, form=form),
    ]

    # The last one is a first visit's double tap: its form went out before there was a cookie.
    assert len({it.pk for it in asked}) == 1
    assert Question.ask(other, panel, WHY) not in asked


def test_form_that_names_somebody_elses_question_takes_nothing_of_it() -> None:
    panel = make_panel()
    theirs = make_question(panel)

    mine = Question.ask(make_agenda(panel.conference)[0], panel, WHY, form=theirs.guid)

    assert mine.pk != theirs.pk
    assert mine.guid != theirs.guid


def test_five_wait_and_the_sixth_only_when_one_was_answered() -> None:
    panel = make_panel()
    agenda = make_agenda(panel.conference)[0]
    first, *_ = [Question.ask(agenda, panel, f"Question {number}") for number in range(5)]

    with pytest.raises(QuestionRefusedError, match="You have 5 questions waiting here"):
        Question.ask(agenda, panel, "One more?")
    first.decide("answered", seen="open")
    Question.ask(agenda, panel, "One more?")

    assert Question.objects.count() == 6


@pytest.mark.parametrize(
    ("now", "fields", "taken"),
    [
        pytest.param(at("10:59"), {}, True, id="within the hour after it"),
        pytest.param(at("11:00"), {}, False, id="an hour after it"),
        pytest.param(at("09:00", THURSDAY - dt.timedelta(days=90)), {}, True, id="months before"),
        pytest.param(at("23:59", dt.date(2025, 4, 28)), {"start": None, "end": None}, True, id="no hour, last day"),
        pytest.param(at("00:00", dt.date(2025, 4, 29)), {"start": None, "end": None}, False, id="no hour, conference over"),
        pytest.param(DURING, {"status": "cancelled"}, False, id="cancelled"),
        pytest.param(DURING, {"takes_questions": False}, False, id="no questions here"),
    ],
)
def test_questions_and_votes_are_taken_from_publication_to_an_hour_after(
    now: dt.datetime, fields: dict[str, Any], *, taken: bool
) -> None:
    panel = make_panel()
    question, agenda = make_question(panel), make_agenda(panel.conference)[0]
    type(panel).objects.filter(pk=panel.pk).update(**fields)

    done = []
    with time_machine.travel(now, tick=False):
        for act in (lambda: Question.ask(agenda, panel, "And now?"), lambda: question.vote(agenda, on=True)):
            try:
                act()
                done.append(True)
            except QuestionRefusedError:
                done.append(False)

    assert done == [taken, taken]

"""Questions: under which name, for how long, with whose votes, and what is left of them."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.core.management import call_command
from django.db import IntegrityError

from events.models import Account, Agenda, Conference, Question, QuestionVote
from events.models.agenda import new_token
from events.models.claiming import claim
from events.models.merging import merge_visitors, replace_visitor
from events.models.questions import NotTakenError, UnexplainedError, is_forgotten
from events.models.visitors import forget, sign_out_elsewhere
from events.schedule.names import is_given
from tests.factories import SINGAPORE, THURSDAY, at, make_agenda, make_conference
from tests.questions import DURING, WHY, make_panel, make_question

pytestmark = pytest.mark.django_db

# The last day is Monday 28 April; a week later is 5 May.
LONG_AFTER = dt.datetime(2025, 5, 6, 0, 1, tzinfo=SINGAPORE)


@pytest.fixture(autouse=True)
def _during() -> Iterator[None]:
    with time_machine.travel(DURING, tick=False):
        yield


def told() -> list[tuple[str, str, bool, int]]:
    """Text, name, whether it is known who asked, and votes, of all there are."""
    return [(it.text, it.name, it.agenda_id is not None, it.votes.count()) for it in Question.objects.all()]


def test_asker_has_one_name_at_an_event_and_another_at_the_next() -> None:
    panel = make_panel()
    talk = make_panel(panel.conference, title="Talk")
    mine, other = make_agenda(panel.conference)[0], make_agenda(panel.conference)[0]

    names = [
        Question.ask(*it).name
        for it in [(mine, panel, WHY), (mine, panel, "And then?"), (mine, talk, WHY), (other, panel, "How so?")]
    ]

    assert [is_given(name) for name in names] == [True] * 4
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
    monkeypatch.setattr("events.models.questions.given_name", lambda *about: next(turns))

    names = [make_question(panel, f"Question {number}").name for number in range(2)]

    assert names == ["Amber Heron 42", "Coral Lynx 17"]


def test_name_stays_when_the_secret_is_changed() -> None:
    panel = make_panel()
    agenda, token = make_agenda(panel.conference)
    name = Question.ask(agenda, panel, WHY).name

    own = Agenda.objects.of(sign_out_elsewhere(token), panel.conference)

    assert own is not None
    assert Question.ask(own, panel, "And then?").name == name


def test_own_name_is_shown_where_it_is_asked_for_and_the_given_one_stays() -> None:
    panel = make_panel()
    agenda = make_agenda(panel.conference)[0]

    names = [
        Question.ask(agenda, panel, text, name=name).name for text, name in [(WHY, ""), ("And then?", "Ada L"), ("Now?", "")]
    ]

    assert (names[0], names[1]) == (names[2], "Ada L")


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

    with pytest.raises(NotTakenError, match="You have 5 questions waiting here"):
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
            except NotTakenError:
                done.append(False)

    assert done == [taken, taken]


def test_vote_is_a_state_and_one_for_each() -> None:
    question = make_question(make_panel())
    agenda = make_agenda(question.event.conference)[0]

    changed = [question.vote(agenda, on=on) for on in [True, True, False, False, True]]

    assert changed == [True, False, True, False, True]
    assert question.votes.count() == 1


def test_database_takes_no_second_vote() -> None:
    question = make_question(make_panel())
    agenda = make_agenda(question.event.conference)[0]
    question.vote(agenda, on=True)

    with pytest.raises(IntegrityError):
        QuestionVote.objects.create(question=question, agenda=agenda)


def test_nobody_votes_for_their_own_or_for_what_is_decided() -> None:
    panel = make_panel()
    agenda = make_agenda(panel.conference)[0]
    own, decided = Question.ask(agenda, panel, WHY), make_question(panel, "Answered?")
    decided.decide("answered", seen="open")

    with pytest.raises(NotTakenError, match="your own question"):
        own.vote(agenda, on=True)
    with pytest.raises(NotTakenError, match="not waiting any more"):
        decided.vote(agenda, on=True)

    assert QuestionVote.objects.count() == 0


def test_vote_leaves_calendars_and_the_conference_as_they_were() -> None:
    question = make_question(make_panel())
    agenda = make_agenda(question.event.conference)[0]
    agenda.fetches.create(client="x", at=DURING, agenda_revision=0, conference_revision=0)
    before = Conference.objects.get().revision

    question.vote(agenda, on=True)

    agenda.refresh_from_db()
    assert [it.agenda_revision for it in agenda.fetches.all()] == [agenda.revision]
    assert Conference.objects.get().revision == before


def test_most_votes_come_first_and_of_as_many_the_first_that_was_asked() -> None:
    panel = make_panel()
    for text, votes in [("first", 1), ("second", 2), ("third", 1)]:
        make_question(panel, text, votes=votes)

    assert [(it.text, it.count) for it in Question.objects.counted()] == [("second", 2), ("first", 1), ("third", 1)]


def test_skipping_what_more_people_want_needs_a_reason() -> None:
    panel = make_panel()
    top, low = make_question(panel, "Top?", votes=2), make_question(panel, "Low?", votes=1)

    with pytest.raises(UnexplainedError):
        top.decide("skipped", seen="open")
    low.decide("skipped", seen="open")
    top.decide("skipped", seen="open", reason="Answered in the talk.")

    assert [(it.state, it.reason) for it in (again(top), again(low))] == [("skipped", "Answered in the talk."), ("skipped", "")]


def test_answering_the_lower_one_first_is_no_way_around_the_reason() -> None:
    panel = make_panel()
    top, low = make_question(panel, "Top?", votes=2), make_question(panel, "Low?", votes=1)
    low.decide("answered", seen="open")

    with pytest.raises(UnexplainedError):
        top.decide("skipped", seen="open")

    assert again(top).state == "open"


def test_equal_votes_need_no_reason_and_other_events_do_not_count() -> None:
    panel = make_panel()
    question = make_question(panel, votes=1)
    make_question(panel, "As many?", votes=1)
    make_question(make_panel(panel.conference), "Elsewhere?")

    assert question.decide("skipped", seen="open")


def test_taking_off_the_page_always_needs_a_reason() -> None:
    question = make_question(make_panel())

    with pytest.raises(UnexplainedError):
        question.decide("hidden", seen="open")

    assert question.decide("hidden", seen="open", reason="Insults")


def test_decision_on_what_somebody_else_decided_changes_nothing() -> None:
    question = make_question(make_panel())

    done = [
        question.decide("answered", seen="open"),
        question.decide("skipped", seen="open"),
        question.decide("answered", seen="open"),
    ]

    assert (done, again(question).state) == ([True, False, False], "answered")


def test_back_to_waiting_takes_the_reason_along() -> None:
    question = make_question(make_panel())
    question.decide("hidden", seen="open", reason="Insults")

    assert question.decide("open", seen="hidden")
    assert (again(question).state, again(question).reason) == ("open", "")


def again(question: Question) -> Question:
    return Question.objects.get(pk=question.pk)


def test_two_agendas_of_one_person_keep_names_and_have_one_vote() -> None:
    panel = make_panel()
    (phone, phone_token), (laptop, laptop_token) = make_agenda(panel.conference), make_agenda(panel.conference)
    asked = [Question.ask(phone, panel, "From the phone?"), Question.ask(laptop, panel, "From the laptop?")]
    voted = make_question(panel, "Somebody else's?")
    voted.vote(phone, on=True)
    voted.vote(laptop, on=True)
    asked[1].vote(phone, on=True)

    merge_visitors(phone_token, laptop_token)

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
            forget(token)
        case "given up":
            replace_visitor(token, new_token())
        case _:
            forget(claim("ada@example.org", token))

    assert told() == [(WHY, "", False, 0), ("Somebody else's?", theirs.name, True, 0)]
    assert not Account.objects.exists()


def test_week_after_the_conference_only_texts_are_left() -> None:
    question = make_question(make_panel(), votes=2)
    question.decide("answered", seen="open")
    other = make_question(make_panel(make_conference(end=dt.date(2025, 4, 29))), "Elsewhere?", votes=1)

    before = Question.objects.erase_overdue(LONG_AFTER - dt.timedelta(minutes=2))
    kept = told()
    after = Question.objects.erase_overdue(LONG_AFTER)

    assert (before, after, Question.objects.erase_overdue(LONG_AFTER)) == (0, 1, 0)
    assert [it[3] for it in kept] == [2, 1]
    assert told() == [(WHY, "", False, 0), ("Elsewhere?", other.name, True, 1)]
    assert again(question).state == "answered"


@pytest.mark.parametrize("command", ["erase_questions", "send_letters"])
def test_commands_that_run_daily_erase(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    make_question(make_panel())

    with time_machine.travel(LONG_AFTER, tick=False):
        call_command(command)

    assert told() == [(WHY, "", False, 0)]
    assert capsys.readouterr().out == {"erase_questions": "1 question without a name now.\n"}.get(command, "0 letters sent.\n")


def test_event_after_its_conference_is_remembered_for_a_week_too() -> None:
    party = make_panel(start=at("20:00", dt.date(2025, 5, 3)), end=at("22:00", dt.date(2025, 5, 3)))

    assert [is_forgotten(party, LONG_AFTER + dt.timedelta(days=days)) for days in (0, 4, 5)] == [False, False, True]

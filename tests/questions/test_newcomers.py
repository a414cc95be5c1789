"""Votes and questions of newcomers: few of one network count or are shown at once, and a moderator can leave votes out."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
import time_machine
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from events.agenda.models.counting import UncountedAgendas
from events.core import limits
from events.core.clock import Clock
from events.core.limits import Limit
from events.models import Agenda, Event, Question
from events.questions.queries import question_count, question_line, votes_by_minute
from events.staff.models import MODERATORS
from tests.factories import SINGAPORE, make_agenda, make_known_agenda
from tests.questions.asking import DURING, ask, list_url, make_panel, make_question, pressed, rows, vote, vote_url, withdraw_url
from tests.visitors import HTMX, known_browser

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("during")]


@pytest.fixture
def two_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "NEWCOMER_VOTES", Limit("vote of a newcomer that counts", newcomers=2))


@pytest.fixture
def one_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "NEWCOMER_QUESTIONS", Limit("question of a newcomer shown at once", newcomers=1))


@pytest.fixture
def moderator() -> Client:
    user = User.objects.create_user("moderator", is_staff=True)
    user.groups.add(Group.objects.get(name=MODERATORS))
    client = Client()
    client.force_login(user)
    return client


def count_of(question: Question) -> int:
    return question_line(question, DURING).count


def stage(event: Event) -> str:
    return reverse("admin:events_question_stage", args=[event.conference.slug, event.guid])


def newcomers_url(question: Question) -> str:
    return reverse("admin:events_question_newcomers", args=[question.event.conference.slug, question.event.guid, question.guid])


@pytest.mark.usefixtures("two_count")
def test_script_without_a_cookie_moves_no_question_above_a_wanted_one(panel: Event) -> None:
    wanted, stuffed = make_question(panel, "Which one is wanted?", votes=3), make_question(panel, "Which one is stuffed?")

    codes = {vote(Client(), stuffed).status_code for _ in range(12)}

    assert (codes, stuffed.votes.count(), count_of(stuffed), count_of(wanted)) == ({302}, 12, 2, 3)
    assert [row.split("?")[0].split()[-1] for row in rows(Client().get(list_url(panel)).text)] == ["wanted", "stuffed"]
    assert not stuffed.needs_reason("skipped")
    assert wanted.needs_reason("skipped")


@pytest.mark.usefixtures("two_count")
def test_uncounted_vote_stays_pressed_for_its_visitor(panel: Event) -> None:
    question = make_question(panel)
    clients = [Client() for _ in range(3)]

    answers = [vote(client, question, headers=HTMX).text for client in clients]

    assert [pressed(it) for it in answers] == [{str(question.guid): True}] * 3
    assert [f"You voted: {count} vote" in it for count, it in zip([1, 2, 2], answers, strict=True)] == [True] * 3
    assert pressed(clients[2].get(list_url(panel)).text) == {str(question.guid): True}


@pytest.mark.usefixtures("two_count")
def test_known_visitors_count_however_many_newcomers_voted(panel: Event) -> None:
    question = make_question(panel)
    for _ in range(3):
        vote(Client(), question)

    for _ in range(3):
        vote(known_browser(panel), question)

    assert count_of(question) == 5


@pytest.mark.usefixtures("two_count")
def test_each_question_and_each_network_counts_apart(panel: Event) -> None:
    one, other = make_question(panel), make_question(panel, "And the other one?")

    for question in (one, other):
        for number in range(6):
            vote(Client(REMOTE_ADDR=f"192.0.2.{number % 2}"), question)

    assert [count_of(one), count_of(other)] == [4, 4]


@pytest.mark.usefixtures("two_count")
def test_vote_pressed_again_uses_up_nothing(panel: Event) -> None:
    question, client = make_question(panel), Client()
    for _ in range(5):
        vote(client, question)

    vote(Client(), question)

    assert count_of(question) == 2


@pytest.mark.usefixtures("two_count")
@pytest.mark.parametrize(
    ("minutes", "bookmarked", "expected"),
    [
        pytest.param(15, True, 3, id="known"),
        pytest.param(14, True, 2, id="too-young"),
        pytest.param(15, False, 2, id="without-a-bookmark"),
    ],
)
def test_vote_counts_without_any_action_once_its_agenda_is_known(
    panel: Event, minutes: int, bookmarked: bool, expected: int
) -> None:
    question = make_question(panel)
    for _ in range(3):
        vote(Client(), question)
    agenda = Agenda.objects.latest("pk")
    agenda.bookmark(panel, on=True)
    agenda.bookmark(panel, on=bookmarked)

    with time_machine.travel(DURING + dt.timedelta(minutes=minutes), tick=False):
        assert count_of(question) == expected


@pytest.mark.usefixtures("two_count")
def test_moderator_leaves_out_newcomers_also_when_they_are_known(panel: Event) -> None:
    question = make_question(panel, votes=1, counts_newcomers=False)
    for _ in range(3):
        vote(Client(), question)
        Agenda.objects.latest("pk").bookmark(panel, on=True)

    with time_machine.travel(DURING + dt.timedelta(minutes=20), tick=False):
        assert count_of(question) == 1


@pytest.mark.usefixtures("two_count")
def test_stage_says_how_many_are_new_and_not_counted(panel: Event, moderator: Client) -> None:
    question = make_question(panel, votes=1)
    for _ in range(5):
        vote(Client(), question)

    page = " ".join(moderator.get(stage(panel)).text.split())

    assert "<b>3</b> votes" in page
    assert "2 by new visitors, 3 not counted" in page
    assert newcomers_url(question) in page


def test_moderator_reads_in_which_minutes_newcomers_voted(panel: Event, moderator: Client, two_count: None) -> None:
    question = make_question(panel)
    for minute, number in [(0, 1), (2, 3)]:
        with time_machine.travel(DURING + dt.timedelta(minutes=minute, seconds=20), tick=False):
            for _ in range(number):
                vote(Client(), question)

    page = moderator.get(newcomers_url(question)).text

    by_minute = [(it.minute - DURING, it.newcomers, it.uncounted) for it in votes_by_minute(question)]
    assert by_minute == [(dt.timedelta(), 1, 0), (dt.timedelta(minutes=2), 3, 2)]
    assert [time in page for time in ("Thu 24 Apr, 09:30", "Thu 24 Apr, 09:32")] == [True, True]


def test_moderator_leaves_newcomers_out_and_takes_it_back(panel: Event, moderator: Client) -> None:
    question = make_question(panel, votes=1)
    for _ in range(2):
        vote(Client(), question)

    counts = [count_of(question)]
    for on in "0010":
        assert moderator.post(newcomers_url(question), {"on": on})["Location"] == stage(panel)
        counts.append(count_of(question))

    assert counts == [3, 1, 1, 3, 1]
    assert "votes of new visitors do not count" in Client().get(list_url(panel)).text
    history = [(it.user.get_username(), it.get_change_message()) for it in LogEntry.objects.order_by("pk")]
    out, back = "Votes of new visitors do not count any more.", "Votes of new visitors count again."
    assert history == [("moderator", out), ("moderator", back), ("moderator", out)]


@pytest.mark.parametrize("on", ["", "2", "yes"])
def test_wrong_button_changes_nothing(panel: Event, moderator: Client, on: str) -> None:
    question = make_question(panel)

    response = moderator.post(newcomers_url(question), {"on": on})

    assert (response.status_code, "please use the button" in response.text) == (422, True)
    assert LogEntry.objects.count() == 0


def test_newcomers_of_a_question_that_is_gone_lead_to_the_stage(panel: Event, moderator: Client) -> None:
    question = make_question(panel)
    url = newcomers_url(question)
    Question.objects.all().delete()

    assert [moderator.get(url)["Location"], moderator.post(url, {"on": "0"})["Location"]] == [stage(panel)] * 2


def test_votes_of_agendas_that_organisers_do_not_count_are_left_out(panel: Event) -> None:
    question = make_question(panel, votes=2)
    late = make_known_agenda(panel.conference, panel)[0]
    question.vote(late, on=True)
    day = dt.timedelta(days=1)
    span = UncountedAgendas.objects.create(
        conference=panel.conference, begun_from=late.created_at, begun_until=late.created_at + day, reason="A script"
    )

    counts = [count_of(question)]
    span.is_undone = True
    span.save()
    counts.append(count_of(question))

    assert counts == [2, 3]


@pytest.mark.usefixtures("one_is_shown")
def test_questions_of_too_many_newcomers_wait_for_a_moderator(panel: Event) -> None:
    clients = [Client(), Client(), known_browser(panel)]
    texts = ["Is this shown at once?", "Is this one held back?", "Is this from somebody known?"]

    answers = [ask(client, panel, text) for client, text in zip(clients, texts, strict=True)]

    assert [it.status_code for it in answers] == [302] * 3
    assert list(Question.objects.values_list("text", "state")) == list(zip(texts, ["open", "held", "open"], strict=True))
    page = Client().get(list_url(panel)).text
    assert [text in page for text in texts] == [True, False, True]
    assert question_count(panel, Clock(timezone.now(), SINGAPORE)) == 2
    mine = clients[1].get(list_url(panel)).text
    assert [it in mine for it in ("A moderator reads it first:", texts[1], "Held back")] == [True] * 3


@pytest.mark.usefixtures("one_is_shown")
def test_another_event_shows_its_own_questions_at_once(panel: Event) -> None:
    other = make_panel(panel.conference)

    for event in (panel, other):
        ask(Client(), event, "Is this shown at once?")

    assert list(Question.objects.values_list("state", flat=True)) == ["open", "open"]


def test_held_question_is_not_there_for_others(panel: Event) -> None:
    held = make_question(panel, state="held")

    assert [Client().get(vote_url(held)).status_code, vote(Client(), held).status_code] == [404, 404]


@pytest.mark.usefixtures("one_is_shown")
def test_asker_withdraws_a_held_question(panel: Event) -> None:
    ask(Client(), panel, "Is this shown at once?")
    client = Client()
    ask(client, panel, "Is this one held back?")

    client.post(withdraw_url(Question.objects.get(state="held")))

    assert list(Question.objects.values_list("state", flat=True)) == ["open"]


def test_moderator_puts_a_held_question_on_the_page(panel: Event, moderator: Client) -> None:
    held = make_question(panel, "Is this one held back?", state="held")
    page = moderator.get(stage(panel)).text

    url = reverse("admin:events_question_decide", args=[panel.conference.slug, panel.guid, held.guid])
    moderator.post(url, {"state": "open", "seen": "held"})

    assert ("Put on the page" in page, held.text in page) == (True, True)
    assert held.text in Client().get(list_url(panel)).text
    assert [it.get_change_message() for it in LogEntry.objects.all()] == ["Put on the page."]


def test_moderator_holds_back_nothing_that_was_on_the_page(panel: Event, moderator: Client) -> None:
    question = make_question(panel)

    url = reverse("admin:events_question_decide", args=[panel.conference.slug, panel.guid, question.guid])
    response = moderator.post(url, {"state": "held", "seen": "open"})

    question.refresh_from_db()
    assert (response.status_code, question.state) == (422, "open")


def test_held_questions_are_among_those_that_one_may_have_open(panel: Event) -> None:
    agenda = make_agenda(panel.conference)[0]
    for number in range(5):
        Question.ask(agenda, panel, f"Is this number {number}?", is_held=True)

    with pytest.raises(ValueError, match="You have 5 questions waiting here"):
        Question.ask(agenda, panel, "And one more?")


@pytest.mark.parametrize("size", [1, 3])
def test_page_of_newcomers_takes_as_many_queries_for_three_votes_as_for_one(
    panel: Event, moderator: Client, size: int, django_assert_num_queries: Any
) -> None:
    question = make_question(panel)
    for minute in range(size):
        with time_machine.travel(DURING + dt.timedelta(minutes=minute), tick=False):
            vote(Client(), question)

    with django_assert_num_queries(8):
        moderator.get(newcomers_url(question))

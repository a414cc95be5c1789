"""The stage: what who moderates sees and decides, and what they never learn."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse

from events.models import Event, Question
from events.staff.models import MODERATORS
from tests.factories import make_conference
from tests.questions.asking import DURING, list_url, make_panel, make_question

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _during() -> Iterator[None]:
    with time_machine.travel(DURING, tick=False):
        yield


@pytest.fixture
def moderator() -> Client:
    """Somebody who is nothing but a moderator."""
    user = User.objects.create_user("moderator", is_staff=True)
    user.groups.add(Group.objects.get(name=MODERATORS))
    client = Client()
    client.force_login(user)
    return client


def stage_url(event: Event) -> str:
    return reverse("admin:events_question_stage", args=[event.conference.slug, event.guid])


def decide(client: Client, question: Question, state: str, *, seen: str = "open", **sent: str) -> Any:
    url = reverse("admin:events_question_decide", args=[question.event.conference.slug, question.event.guid, question.guid])
    return client.post(url, {"state": state, "seen": seen, **sent})


def messages_of(response: Any) -> list[str]:
    return [str(it) for it in response.wsgi_request._messages]


def states() -> list[tuple[str, str, str]]:
    return [(it.text, it.state, it.reason) for it in Question.objects.all()]


def test_stage_shows_the_most_wanted_first_and_nobodys_name(moderator: Client) -> None:
    panel = make_panel()
    questions = [make_question(panel, text, votes=votes) for text, votes in [("Low?", 1), ("Top?", 2), ("Done?", 3)]]
    questions[2].decide("answered", seen="open")

    page = moderator.get(stage_url(panel)).text

    shown = re.findall(r'class="stage-votes">\s*<b>(\d+)</b>.*?<p class="stage-text"[^>]*>(.*?)</p>', page, re.DOTALL)
    assert shown == [("2", "Top?"), ("1", "Low?"), ("3", "Done?")]
    assert [it.name in page for it in questions] == [False] * 3


def test_stage_of_a_cancelled_event_says_so(moderator: Client) -> None:
    panel = make_panel()
    sentence = "This event is cancelled: attendees cannot ask or vote."
    before = moderator.get(stage_url(panel)).text
    panel.status = "cancelled"
    panel.revise()

    assert (sentence in before, sentence in moderator.get(stage_url(panel)).text) == (False, True)


def test_neither_names_nor_askers_are_even_read(moderator: Client, django_assert_max_num_queries: Any) -> None:
    panel = make_panel()
    question = make_question(panel)

    with django_assert_max_num_queries(20) as stage:
        moderator.get(stage_url(panel))
    with django_assert_max_num_queries(30) as rows:
        moderator.get(reverse("admin:events_question_changelist"))
    # Only what is read: conditions ask whether the agendas of votes count. The next request clears the queries.
    queries = [it["sql"] for captured in (stage, rows) for it in captured.captured_queries]
    page = moderator.get(reverse("admin:events_question_change", args=[question.pk]))

    read = re.compile(r'(?:SELECT|DISTINCT|,) "events_question(?:vote)?"\."(?:name|agenda_id)"(?:,| FROM| AS)')
    assert len(queries) > 10
    assert [sql for sql in queries if read.search(sql)] == []
    assert read.search(str(Question.objects.all().query))
    assert (page.status_code, question.name in page.text, question.text in page.text) == (200, False, True)


@pytest.mark.parametrize(
    "about", ["agenda", "agenda__in", "agenda__visitor__tokens__token_hash", "name", "name__startswith", "votes", "votes__agenda"]
)
def test_address_of_the_list_is_not_asked_who_asked(moderator: Client, about: str) -> None:
    question = make_question(make_panel(), votes=1)
    value = {"name": question.name, "name__startswith": question.name[:1]}.get(about, str(question.agenda_id))

    response = moderator.get(reverse("admin:events_question_changelist"), {about: value})

    assert (response.status_code, question.text in response.text) == (400, False)


@pytest.mark.parametrize("about", ["state__exact", "event__conference__id__exact", "event__exact"])
def test_list_is_narrowed_by_what_everybody_knows(moderator: Client, about: str) -> None:
    question = make_question(make_panel())
    value = {"state__exact": "open", "event__exact": question.event_id}.get(about, question.event.conference_id)

    response = moderator.get(reverse("admin:events_question_changelist"), {about: value})

    assert [it.text for it in response.context["cl"].result_list] == [question.text]


@pytest.mark.parametrize("size", [1, 3])
def test_stage_takes_as_many_queries_for_three_as_for_one(moderator: Client, size: int, django_assert_num_queries: Any) -> None:
    panel = make_panel()
    for number in range(size):
        make_question(panel, f"Question {number}", votes=number)
        make_question(panel, f"Answered {number}", state="answered")

    # One of them reads the questions that are held back.
    with django_assert_num_queries(10):
        moderator.get(stage_url(panel))


def test_list_leads_to_the_stages_and_says_how_many_wait(moderator: Client) -> None:
    panel = make_panel()
    make_question(panel)
    make_question(panel, "Answered?", state="answered")

    page = moderator.get(reverse("admin:events_question_changelist"))

    assert [(it.title, it.waiting) for it in page.context["stages"]] == [("Panel", 1)]
    assert stage_url(panel) in page.text
    assert [(it.text, it.count) for it in page.context["cl"].result_list] == [("Answered?", 0), ("Why does this work at all?", 0)]


def test_question_is_decided_with_one_tap(moderator: Client) -> None:
    question = make_question(make_panel())

    response = decide(moderator, question, "answered")

    assert (response.status_code, response["Location"], messages_of(response)) == (
        302,
        stage_url(question.event),
        [f"Answered. “{question.text}”"],
    )
    assert states() == [(question.text, "answered", "")]
    assert [(it.user.get_username(), str(it.get_change_message())) for it in LogEntry.objects.all()] == [
        ("moderator", "Answered.")
    ]


def test_skipping_the_most_wanted_asks_for_the_reason_that_everybody_reads(moderator: Client) -> None:
    panel = make_panel()
    top, _ = make_question(panel, "Top?", votes=1), make_question(panel, "Low?")

    asked = decide(moderator, top, "skipped")
    again = decide(moderator, top, "skipped", explain="1", reason="  ")
    done = decide(moderator, top, "skipped", explain="1", reason=" Answered in  the talk. ")

    assert [it.status_code for it in (asked, again, done)] == [422, 422, 302]
    assert "Why is it skipped, although it has more votes than another question?" in asked.text
    assert [("Please give a short reason" in it.text) for it in (asked, again)] == [False, True]
    assert states()[0] == ("Top?", "skipped", "Answered in the talk.")
    assert "Answered in the talk." in Client().get(list_url(panel)).text


def test_least_wanted_is_skipped_without_a_word(moderator: Client) -> None:
    panel = make_panel()
    make_question(panel, "Top?", votes=1)

    assert decide(moderator, make_question(panel, "Low?"), "skipped").status_code == 302


def test_taking_off_asks_for_a_reason_and_hides_the_text(moderator: Client) -> None:
    question = make_question(make_panel(), "Something awful")

    asked, done = decide(moderator, question, "hidden"), decide(moderator, question, "hidden", explain="1", reason="Insults")

    page = Client().get(list_url(question.event)).text
    assert ("Why is it removed from the page?" in asked.text, done.status_code) == (True, 302)
    assert ("Insults" in page, "awful" in page) == (True, False)
    assert "Something awful" in moderator.get(stage_url(question.event)).text


def test_second_of_two_moderators_gets_a_message(moderator: Client) -> None:
    question = make_question(make_panel())
    decide(moderator, question, "answered")

    response = decide(moderator, question, "hidden", reason="Insults")

    told = "Nothing was changed: somebody else has set this question to “Answered”."
    assert (messages_of(response)[-1], states()[0][1]) == (told, "answered")


def test_decision_can_be_taken_back(moderator: Client) -> None:
    question = make_question(make_panel())
    decide(moderator, question, "hidden", reason="Insults")

    decide(moderator, question, "open", seen="hidden")

    assert states() == [(question.text, "open", "")]


@pytest.mark.parametrize(
    "sent",
    [
        {"state": "gone"},
        {"state": ""},
        {"state": "answered", "seen": "x"},
        {"state": "hidden", "reason": "a" * 201},
        {"state": "hidden", "reason": "a\x07"},
    ],
    ids=str,
)
def test_decision_that_is_none_is_refused(moderator: Client, sent: dict[str, str]) -> None:
    question = make_question(make_panel())

    response = decide(moderator, question, **sent)

    assert (response.status_code, states()) == (422, [(question.text, "open", "")])
    assert 'role="alert"' in response.text


def test_question_of_another_event_or_withdrawn_gives_a_message(moderator: Client) -> None:
    question, other = make_question(make_panel()), make_panel(make_conference())
    elsewhere = reverse("admin:events_question_decide", args=[other.conference.slug, other.guid, question.guid])
    mine = make_question(question.event, "Taken back?")
    Question.objects.filter(pk=mine.pk).delete()

    answers = [moderator.post(elsewhere, {"state": "answered", "seen": "open"}), decide(moderator, mine, "answered")]

    assert [it["Location"] for it in answers] == [stage_url(other), stage_url(question.event)]
    assert [messages_of(it)[-1][:64] for it in answers] == [
        "Nothing was changed: this question no longer exists. It may have"
    ] * 2
    assert states() == [(question.text, "open", "")]


def test_question_withdrawn_meanwhile_gives_a_message(moderator: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    question = make_question(make_panel())
    decided = Question.decide

    def late(self: Question, *about: Any, **more: Any) -> bool:
        Question.objects.all().delete()
        return decided(self, *about, **more)

    monkeypatch.setattr(Question, "decide", late)

    assert "no longer exists" in messages_of(decide(moderator, question, "answered"))[-1]


def test_same_press_twice_says_that_it_was_so_already(moderator: Client) -> None:
    question = make_question(make_panel())

    words = [messages_of(decide(moderator, question, "answered"))[-1] for _ in range(2)]

    assert words == [f"Answered. “{question.text}”", "Nothing was changed: the question is already “Answered”."]


def test_stage_is_paged_and_what_was_decided_last_comes_first(moderator: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("events.questions.queries.QUESTIONS_PER_PAGE", 2)
    panel = make_panel()
    for number in range(3):
        make_question(panel, f"Waits {number}", votes=3 - number)
    for number in range(2):
        decided = make_question(panel, f"Decided {number}", votes=2 - number)
        with time_machine.travel(DURING + dt.timedelta(minutes=number), tick=False):
            decided.decide("answered", seen="open")

    pages = [moderator.get(f"{stage_url(panel)}?page={number}") for number in ("1", "2", "3", "x")]

    shown = [[it.text for it in page.context["stage"].page] for page in pages]
    assert shown == [["Waits 0", "Waits 1"], ["Waits 2", "Decided 1"], ["Decided 0"], ["Waits 0", "Waits 1"]]
    assert ['rel="next" href="?page=2"' in pages[0].text, "3 waiting" in pages[2].text] == [True, True]


def test_stage_of_an_event_that_takes_none_is_not_found(moderator: Client) -> None:
    assert moderator.get(stage_url(make_panel(takes_questions=False))).status_code == 404


def test_moderator_enters_nothing_else(moderator: Client) -> None:
    names = ["session", "person", "conference", "announcement", "importrun"]

    answers = [moderator.get(reverse(f"admin:events_{name}_changelist")).status_code for name in names]

    assert answers == [403] * len(names)
    assert [app["models"][0]["object_name"] for app in moderator.get(reverse("admin:lists")).context["app_list"]] == ["Question"]


def test_staff_without_the_permission_decides_nothing() -> None:
    question, client = make_question(make_panel()), Client()
    client.force_login(User.objects.create_user("staff", is_staff=True))

    assert client.get(stage_url(question.event)).status_code == 403
    assert decide(client, question, "answered").status_code == 403
    assert states()[0][1] == "open"


def test_questions_are_never_written_changed_or_deleted_by_a_form(moderator: Client) -> None:
    question = make_question(make_panel())
    urls = [
        reverse("admin:events_question_add"),
        *(reverse(f"admin:events_question_{it}", args=[question.pk]) for it in ("change", "delete")),
    ]

    assert [moderator.post(url, {"text": "Mine", "post": "yes"}).status_code for url in urls] == [403] * 3
    assert states() == [(question.text, "open", "")]

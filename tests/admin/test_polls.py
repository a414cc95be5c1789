"""Polls in the admin: written by organisers, opened and closed there or on the stage."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse

from events.models import Conference, Event, Poll
from events.staff.models import MODERATORS, ORGANISERS
from tests.admin.pages import errors_of, open_form, save, sent_by
from tests.factories import make_conference, make_event
from tests.polls.polling import DURING, WEIGHTS, list_url, make_panel, make_poll

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _during() -> Iterator[None]:
    with time_machine.travel(DURING, tick=False):
        yield


@pytest.fixture
def panel() -> Event:
    return make_panel(takes_questions=True)


def client_of(group: str) -> Client:
    user = User.objects.create_user(group.lower(), is_staff=True)
    user.groups.add(Group.objects.get(name=group))
    client = Client()
    client.force_login(user)
    return client


def add(client: Client, event: Event, answers: str, question: str = WEIGHTS) -> Any:
    return client.post(reverse("admin:events_poll_add"), {"event": event.pk, "question": question, "answers": answers})


def decide(client: Client, poll: Poll, state: str, *, seen: str, **sent: str) -> Any:
    return client.post(reverse("admin:events_poll_state", args=[poll.guid]), {"state": state, "seen": seen, **sent}, follow=True)


def test_new_poll_searches_the_events_of_the_current_conference(panel: Event) -> None:
    make_event(make_conference(slug="earlier"), title="Earlier")

    page = client_of(ORGANISERS).get(reverse("admin:events_poll_add"), {"conference": panel.conference_id})

    field = page.context["adminform"].form.fields["event"]
    assert f"?conference={panel.conference_id}" in page.text
    assert list(field.queryset) == [panel]


def test_organiser_writes_a_draft_and_opens_it(panel: Event) -> None:
    client = client_of(ORGANISERS)

    added = add(client, panel, " Yes \n\nNo\nIt  depends\n")
    poll = Poll.objects.get()
    page = client.get(added["Location"]).text
    before = Client().get(list_url(panel)).text
    response = decide(client, poll, "open", seen="draft")

    assert (poll.state, [answer.text for answer in poll.answers.all()]) == ("draft", ["Yes", "No", "It depends"])
    assert (WEIGHTS in before, Poll.objects.get().state) == (False, "open")
    assert "Opened: everybody sees it within a minute." in response.text
    assert [("Open the poll" in it, 'name="_save"' in it) for it in (page, response.text)] == [(True, True), (False, False)]


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        ("", "Write 2 to 6 answers, one in each line."),
        ("Yes", "A poll has 2 to 6 answers, one in each line; here is 1."),
        ("\n".join("abcdefg"), "A poll has 2 to 6 answers, one in each line; here are 7."),
        ("Yes\nyes", "“Yes” is there twice: write each answer once."),
        (f"Yes\n{'o' * 81}", "has 81 characters: shorten it to 80, which fit on a phone."),
        ("Yes\x00\nNo", "cannot be shown"),
    ],
)
def test_wrong_answers_are_refused_in_a_sentence(panel: Event, answers: str, sentence: str) -> None:
    response = add(client_of(ORGANISERS), panel, answers)

    assert (response.status_code, sentence in response.text or "Null characters" in response.text) == (200, True)
    assert Poll.objects.count() == 0


def test_draft_is_edited_and_what_was_opened_is_not(panel: Event) -> None:
    poll, client = make_poll(panel, state="draft"), client_of(ORGANISERS)
    url = reverse("admin:events_poll_change", args=[poll.pk])
    sent = {"event": panel.pk, "question": "Open data?", "answers": "Yes\nNever"}

    client.post(url, sent)
    edited = (Poll.objects.get().question, [answer.text for answer in poll.answers.all()])
    poll.open(seen="draft")
    client.post(url, sent | {"question": "Other?", "answers": "A\nB"})

    assert edited == ("Open data?", ["Yes", "Never"])
    assert (Poll.objects.get().question, [answer.text for answer in poll.answers.all()]) == edited
    shown = client.get(url).text
    assert 'name="answers"' not in shown
    # Django's link of this name would leave the poll open.
    assert 'class="closelink"' not in shown
    assert "Closed at" not in shown


def test_answers_of_a_draft_are_not_lost_to_an_older_form(panel: Event) -> None:
    poll, first, second = make_poll(panel, "Yes", "No", state="draft"), client_of(ORGANISERS), client_of(MODERATORS)
    address = reverse("admin:events_poll_change", args=[poll.pk])
    older = open_form(second, address)
    save(first, address, open_form(first, address), answers="Yes\nNever")

    left, edited = save(second, address, older, question="Open data?"), save(second, address, older, answers="Yes\nNo\nMaybe")
    stored = [answer.text for answer in poll.answers.all()]
    save(second, address, sent_by(left))

    assert errors_of(left)["__all__"][0].startswith("Organisers changed this after you opened it: Answers → Yes\nNever. ")
    assert "Stored meanwhile: Yes\nNever" in edited.text
    assert (stored, Poll.objects.get().question) == (["Yes", "Never"], "Open data?")
    assert [answer.text for answer in poll.answers.all()] == ["Yes", "Never"]


def test_second_poll_is_refused_in_a_sentence(panel: Event) -> None:
    make_poll(panel)
    second = make_poll(panel, question="And data?", state="draft")

    response = decide(client_of(ORGANISERS), second, "open", seen="draft")

    assert f"“{WEIGHTS}” is open at this event. Close it before you open another poll." in response.text
    assert Poll.objects.get(pk=second.pk).state == "draft"


@pytest.mark.parametrize(
    ("hidden", "sentence"),
    [
        pytest.param(Conference, "its conference is a draft.", id="conference"),
        pytest.param(Event, "the event is a draft.", id="event"),
    ],
)
def test_poll_that_nobody_sees_says_why(panel: Event, hidden: Any, sentence: str) -> None:
    poll, client = make_poll(panel, state="draft"), client_of(ORGANISERS)
    hidden.objects.update(status="draft")
    stage = reverse("admin:events_question_stage", args=[panel.conference.slug, panel.guid])

    opened = decide(client, poll, "open", seen="draft").text

    assert f"Opened. Attendees do not see it: {sentence}" in opened
    assert f"Attendees do not see this poll: {sentence}" in opened
    assert f"Attendees do not see this: {sentence}" in client.get(stage).text


def test_moderator_opens_and_closes_on_the_stage_and_adds_none(panel: Event) -> None:
    poll, client = make_poll(panel, state="draft"), client_of(MODERATORS)
    stage = reverse("admin:events_question_stage", args=[panel.conference.slug, panel.guid])

    opened = decide(client, poll, "open", seen="draft", back="stage")
    closed = decide(client, poll, "closed", seen="open", back="stage")

    assert [response.redirect_chain[-1][0] for response in (opened, closed)] == [stage, stage]
    assert ("Close the poll" in opened.text, "Open again" in closed.text) == (True, True)
    assert add(client, panel, "Yes\nNo").status_code == 403


@pytest.mark.parametrize("sent", [{}, {"state": "draft", "seen": "open"}, {"state": "open", "seen": "<b>"}])
def test_wrong_state_changes_nothing(panel: Event, sent: dict[str, str]) -> None:
    poll = make_poll(panel)

    response = client_of(ORGANISERS).post(reverse("admin:events_poll_state", args=[poll.guid]), sent, follow=True)

    assert "Nothing was changed: please use the buttons of the poll." in response.text
    assert Poll.objects.get().state == "open"


def test_of_two_who_close_at_once_the_second_is_told(panel: Event) -> None:
    poll, client = make_poll(panel), client_of(ORGANISERS)

    texts = [decide(client, poll, "closed", seen="open").text for _ in range(2)]

    assert ["somebody else has opened or closed this poll" in text for text in texts] == [False, True]


def test_list_answers_no_look_up_of_votes(panel: Event) -> None:
    make_poll(panel, votes=(1,))

    response = client_of(ORGANISERS).get(reverse("admin:events_poll_changelist", query={"votes__agenda": 1}))

    assert response.status_code in {302, 400}

"""A message of organisers reaches those who have an event: agenda, page, changes, mail."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

import pytest
import time_machine
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoCaptureOnCommitCallbacks

from events.accounts.sign_in import sign_in_by_mail
from events.core.limits import EVENT_MESSAGES
from events.mail.models import Letter
from events.models import Account, Agenda, Change, Conference, Event
from events.programme.models.messages import send_message
from tests.factories import at, make_agenda, make_conference, make_event
from tests.staff.signing_in import make_staff
from tests.visitors import browser

pytestmark = pytest.mark.django_db
MORNING = at("08:00")
TEXT = "Bring a laptop."


@pytest.fixture(autouse=True)
def _in_the_morning() -> Iterator[None]:
    with time_machine.travel(MORNING, tick=False):
        yield


@pytest.fixture
def conference() -> Conference:
    return make_conference(slug="demo")


@pytest.fixture
def talk(conference: Conference) -> Event:
    return make_event(conference, title="Hands on", start="15:00", end="16:00")


@pytest.fixture
def organiser(client: Client) -> Client:
    client.force_login(make_staff())
    return client


def page(event: Event, kind: str = "session") -> str:
    return f"/organise/events/{kind}/{event.pk}/message/"


def have(event: Event) -> tuple[Agenda, str]:
    """Since an hour."""
    with time_machine.travel(MORNING - dt.timedelta(hours=1), tick=False):
        return make_agenda(event.conference, event)


def ask_for_mail(event: Event, mailbox: str, *, wants: bool = True) -> None:
    with time_machine.travel(MORNING - dt.timedelta(hours=1), tick=False):
        sign_in_by_mail(mailbox, make_agenda(event.conference, event)[1])
        Account.objects.get(user__email=mailbox).set_alerts(on=wants)


def test_form_shows_how_many_have_it_and_what_was_sent(organiser: Client, talk: Event) -> None:
    for _ in range(6):
        have(talk)
    send_message(talk, "Doors open at half past two.")

    text = organiser.get(page(talk)).text

    assert "<strong>6</strong> people have it in their agenda" in text
    assert "24 Apr 2025 08:00, Singapore</time>: Doors open at half past two." in text
    assert page(talk) in organiser.get(f"/organise/events/session/{talk.pk}/change/").text


def test_few_are_not_counted_exactly(organiser: Client, talk: Event) -> None:
    have(talk)

    assert "<strong>&lt;5</strong> people have it" in organiser.get(page(talk)).text


def test_message_is_on_the_agenda_the_event_and_among_the_changes(organiser: Client, talk: Event) -> None:
    _, token = have(talk)
    assert TEXT not in browser(token=token).get("/demo/agenda/").text

    sent = organiser.post(page(talk), {"text": f" {TEXT}\r\n<b>Now</b> "}, follow=True)

    assert "Sent. They read it" in sent.text
    for url in ["/demo/agenda/", talk.get_absolute_url(), "/demo/changes/", "/demo/changes.atom"]:
        text = browser(token=token).get(url).text
        assert "From the organisers" in text, url
        assert f"{TEXT} &lt;b&gt;Now&lt;/b&gt;" in text or f"{TEXT} &amp;lt;b" in text, url
    assert LogEntry.objects.get().get_change_message() == f"Message to those who have it: {TEXT} <b>Now</b>"


def test_who_took_it_up_later_or_has_another_event_is_not_told(talk: Event, conference: Conference) -> None:
    _, other = have(make_event(conference, title="Other", start="17:00", end="18:00"))
    send_message(talk, TEXT)
    with time_machine.travel(MORNING + dt.timedelta(minutes=1), tick=False):
        _, late = make_agenda(conference, talk)
        assert TEXT not in browser(token=late).get("/demo/agenda/").text
        assert TEXT not in browser(token=other).get("/demo/agenda/").text


def test_two_messages_are_two_lines(talk: Event) -> None:
    _, token = have(talk)
    send_message(talk, "First.")
    with time_machine.travel(MORNING + dt.timedelta(minutes=1), tick=False):
        send_message(talk, "Second.")
        text = browser(token=token).get("/demo/agenda/").text

    assert "First." in text
    assert "Second." in text


def test_those_who_asked_get_it_by_mail_at_once_however_far_the_start(
    organiser: Client, talk: Event, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    ask_for_mail(talk, "ada@example.org")
    ask_for_mail(talk, "bob@example.org", wants=False)

    with django_capture_on_commit_callbacks(execute=True):
        organiser.post(page(talk), {"text": TEXT})

    letter = Letter.objects.get()
    assert letter.to == "ada@example.org"
    assert f"* Hands on\n  From the organisers: {TEXT}\n" in letter.text


def test_message_about_a_cancelled_event_is_mailed_too(
    talk: Event, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    Event.objects.filter(pk=talk.pk).update(status="cancelled")
    ask_for_mail(talk, "ada@example.org")

    with django_capture_on_commit_callbacks(execute=True):
        send_message(Event.objects.get(pk=talk.pk), "Tickets are paid back.")

    assert "Tickets are paid back." in Letter.objects.get().text


def test_calendars_do_not_change(talk: Event, client: Client) -> None:
    url = reverse("events:event-calendar", args=[talk.conference.slug, talk.guid])
    before = client.get(url)

    send_message(talk, TEXT)

    assert (client.get(url).content, before.status_code) == (before.content, 200)


@pytest.mark.parametrize("text", ["", "   ", "x" * 501])
def test_empty_and_long_messages_are_refused_with_what_was_typed(organiser: Client, talk: Event, text: str) -> None:
    answer = organiser.post(page(talk), {"text": text})

    assert (answer.status_code, Change.objects.filter(field="message").count()) == (422, 0)
    assert text in answer.text


def test_messages_are_limited(organiser: Client, talk: Event) -> None:
    most = int(EVENT_MESSAGES.in_all or 0)

    statuses = [organiser.post(page(talk), {"text": TEXT}).status_code for _ in range(most + 1)]

    assert statuses == [302] * most + [422]
    assert Change.objects.filter(field="message").count() == most


def test_nobody_can_be_told_about_a_draft(organiser: Client, talk: Event) -> None:
    Event.objects.filter(pk=talk.pk).update(status="draft")

    answer = organiser.post(page(talk), {"text": TEXT}, follow=True)

    assert "attendees do not see it" in answer.text
    assert not Change.objects.filter(field="message").exists()
    assert "Tell all who have it" not in organiser.get(f"/organise/events/session/{talk.pk}/change/").text


def test_looking_writes_nothing_and_strangers_are_refused(organiser: Client, talk: Event) -> None:
    organiser.get(page(talk))
    chair = User.objects.create_user("chair", is_staff=True)
    chair.groups.add(Group.objects.get(name="Social chairs"))
    browser_of_chair = Client()
    browser_of_chair.force_login(chair)

    assert browser_of_chair.post(page(talk), {"text": TEXT}).status_code == 403
    assert Client().post(page(talk), {"text": TEXT}).status_code == 302
    assert not Change.objects.filter(field="message").exists()

"""Changes that are mailed: to whom, how often, and how one is rid of it."""

from __future__ import annotations

import datetime as dt
import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.core.management import call_command
from django.db import connection
from django.test import Client

from events.accounts.mail import send_digests
from events.accounts.sign_in import sign_in_by_mail
from events.mail.outbox import deliver
from events.models import Account, Agenda, Event, Letter
from tests.factories import at, make_agenda, make_conference, make_event, make_room

MORNING = at("08:00")
PICKED = MORNING - dt.timedelta(days=3)
DAY = dt.timedelta(days=1)
ADA = "ada@example.org"


def subscriber(count: int = 1, *, wants: bool = True) -> list[Event]:
    """Somebody with an account and so many picks."""
    with time_machine.travel(PICKED, tick=False):
        conference = make_conference()
        talks = [
            make_event(conference, kind="talk", title=f"Talk {it}", start=f"{9 + it:02}:00", end=f"{9 + it:02}:30")
            for it in range(count)
        ]
        sign_in_by_mail(ADA, make_agenda(conference, *talks)[1])
        Account.objects.get().set_digests(on=wants)
    return talks


def move(event: Event, *, when: dt.datetime = MORNING - dt.timedelta(hours=1), to: str = "Hall 2", reason: str = "") -> None:
    with time_machine.travel(when, tick=False):
        fresh = Event.objects.get(pk=event.pk)
        fresh.room = make_room(event.conference, to)
        fresh.revise(reason=reason)


@pytest.mark.django_db
def test_digest_says_what_changed_where_to_look_and_how_to_be_rid_of_it() -> None:
    [talk] = subscriber()
    move(talk, reason="More chairs")

    written = send_digests(MORNING)

    letter = Letter.objects.get()
    off = letter.headers["List-Unsubscribe"].strip("<>")
    assert (written, letter.to, letter.subject) == (1, ADA, "ICLR 2025: 1 change in your agenda")
    assert letter.text == (
        "ICLR 2025 (Singapore time)\n\n"
        "* Talk 0\n"
        "  New room: to be announced -> Hall 2 (More chairs)\n"
        f"  http://127.0.0.1:8000{talk.get_absolute_url()}\n\n"
        f"Review the changes: http://127.0.0.1:8000/{talk.conference.slug}/agenda/changes/\n\n"
        "--\n"
        f"You asked for this mail. To turn it off: {off}\n"
    )
    assert letter.headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


@pytest.mark.django_db
def test_nothing_is_sent_when_nothing_changed() -> None:
    subscriber()

    assert (send_digests(MORNING), Letter.objects.count()) == (0, 0)


@pytest.mark.django_db
def test_nothing_is_sent_to_those_who_did_not_ask() -> None:
    [talk] = subscriber(wants=False)
    move(talk)

    assert send_digests(MORNING) == 0


@pytest.mark.django_db
def test_nothing_is_sent_about_what_was_seen_on_the_pages() -> None:
    [talk] = subscriber()
    move(talk)
    Agenda.objects.get().acknowledge(MORNING)

    assert send_digests(MORNING) == 0


@pytest.mark.django_db
def test_nothing_is_sent_about_drafts_and_what_was_taken_out() -> None:
    first, second = subscriber(2)
    move(first)
    move(second, to="Hall 3")
    Event.objects.filter(pk=first.pk).update(status="draft")
    Agenda.objects.get().bookmark(second, on=False)

    assert send_digests(MORNING) == 0


@pytest.mark.django_db
def test_what_was_written_is_not_written_again_and_one_a_day_is_enough() -> None:
    [talk] = subscriber()
    counts = []
    with time_machine.travel(MORNING - 2 * DAY, tick=False) as clock:
        move(talk, when=MORNING - 2 * DAY - dt.timedelta(hours=1))
        counts += [send_digests(MORNING - 2 * DAY), send_digests(MORNING - 2 * DAY)]
        move(talk, when=MORNING - 2 * DAY + dt.timedelta(hours=1), to="Hall 3")
        clock.shift(dt.timedelta(hours=2))
        counts.append(send_digests(MORNING - 2 * DAY + dt.timedelta(hours=2)))
        clock.shift(dt.timedelta(hours=22))
        counts += [send_digests(MORNING - DAY), send_digests(MORNING - DAY)]

    assert counts == [1, 0, 0, 1, 0]
    assert "Hall 3" in Letter.objects.latest("pk").text


@pytest.mark.django_db
def test_editions_share_a_letter() -> None:
    [talk] = subscriber()
    token = Account.objects.get().visitor.new_token()
    with time_machine.travel(PICKED, tick=False):
        other = make_conference(slug="iclr-2026", name="ICLR 2026")
        talks = [make_event(other, kind="talk", title="Later", start="10:00", end="11:00"), talk]
        Agenda.begin(token, other).bookmark(talks[0], on=True)
    for event in talks:
        move(event)

    assert send_digests(MORNING) == 1
    assert Letter.objects.get().subject == "ICLR 2025, ICLR 2026: 2 changes in your agenda"


@pytest.mark.django_db
@pytest.mark.parametrize("count", [1, 3])
def test_digest_asks_the_same_number_of_queries(count: int, django_assert_num_queries: Any) -> None:
    for talk in subscriber(count):
        move(talk, to=f"Hall {talk.pk}")

    with django_assert_num_queries(16):
        assert send_digests(MORNING) == 1


@pytest.mark.django_db(transaction=True)
def test_two_who_send_at_once_write_one_letter() -> None:
    [talk] = subscriber()
    move(talk)

    def send(_: int) -> int:
        try:
            return send_digests(MORNING)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        written = sum(pool.map(send, range(4)))

    assert (written, Letter.objects.count()) == (1, 1)


@pytest.mark.django_db
def test_hostile_title_stays_text_in_the_letter() -> None:
    [talk] = subscriber()
    with time_machine.travel(MORNING - dt.timedelta(hours=1), tick=False):
        talk.title = "<b>Soup & co</b> {{ off }}"
        talk.revise()

    send_digests(MORNING)

    assert "* <b>Soup & co</b> {{ off }}\n" in Letter.objects.get().text


@pytest.mark.django_db
def test_one_click_turns_it_off_without_signing_in_and_looking_does_not() -> None:
    [talk] = subscriber()
    move(talk)
    send_digests(MORNING)
    off = re.sub(r"^<http://[^/]+|>$", "", Letter.objects.get().headers["List-Unsubscribe"])
    client = Client(enforce_csrf_checks=True)

    looked = client.get(off)
    states = [Account.objects.get().wants_digests]
    clicked = [client.post(off, {"List-Unsubscribe": "One-Click"}) for _ in range(2)]
    states.append(Account.objects.get().wants_digests)

    assert ([looked.status_code, *(it.status_code for it in clicked)], states) == ([200, 200, 200], [True, False])


@pytest.mark.django_db
@pytest.mark.parametrize("word", ["1", "1:", "1:made-up", "x", "1:1:1", "٣:x"])
def test_word_that_is_not_ours_turns_nothing_off(word: str) -> None:
    subscriber()

    answers = [Client().get(f"/account/digests/off/{word}/"), Client().post(f"/account/digests/off/{word}/")]

    assert [it.status_code for it in answers] == [404, 404]
    assert Account.objects.get().wants_digests


@pytest.mark.django_db
def test_command_writes_and_sends(capsys: pytest.CaptureFixture[str]) -> None:
    [talk] = subscriber()
    move(talk)
    with time_machine.travel(MORNING, tick=False):
        call_command("send_digests")
        deliver()

    assert (capsys.readouterr().out, len(mail.outbox)) == ("1 digest written.\n", 1)
    assert mail.outbox[0].message()["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"

"""Mail at once about what moves or is cancelled shortly before it starts."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.core.management import call_command
from django.db import connection, transaction
from django.test import Client
from pytest_django import DjangoCaptureOnCommitCallbacks

from events.accounts.alerts import send_alerts
from events.accounts.sign_in import sign_in_by_mail
from events.models import Account, Agenda, Bookmark, Event, Letter
from tests.factories import at, make_agenda, make_conference, make_event, make_room
from tests.visitors import browser

MORNING = at("08:00")
PICKED = MORNING - dt.timedelta(days=3)
ADA = "ada@example.org"


@pytest.fixture(autouse=True)
def clock() -> Iterator[Any]:
    with time_machine.travel(MORNING, tick=False) as traveller:
        yield traveller


@pytest.fixture(name="committed")
def _committed(django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks) -> Any:
    return lambda: django_capture_on_commit_callbacks(execute=True)


def asker(*hours: str, wants: bool = True, mailbox: str = ADA, conference: Any = None, **fields: Any) -> list[Event]:
    """Somebody with an account who asked, and has picked talks that start at these hours."""
    with time_machine.travel(PICKED, tick=False):
        conference = conference or make_conference()
        talks = [make_event(conference, kind="talk", title=f"Talk {it}", start=it, end=f"{it[:2]}:45", **fields) for it in hours]
        sign_in_by_mail(mailbox, make_agenda(conference, *talks)[1])
        if wants:
            Account.objects.get(user__email=mailbox).set_alerts(on=True)
    return talks


def move(event: Event, to: str = "10:00", *, reason: str = "") -> None:
    fresh = Event.objects.get(pk=event.pk)
    fresh.start, fresh.end = at(to), at(to) + dt.timedelta(minutes=45)
    fresh.revise(reason=reason)


def set_status(event: Event, status: str) -> None:
    fresh = Event.objects.get(pk=event.pk)
    fresh.status = status
    fresh.revise()


def subjects() -> list[str]:
    return list(Letter.objects.order_by("pk").values_list("subject", flat=True))


@pytest.mark.django_db
def test_letter_says_what_moved_where_to_look_and_how_to_be_rid_of_it(committed: Any) -> None:
    [talk] = asker("09:00")

    with committed():
        fresh = Event.objects.get(pk=talk.pk)
        fresh.room = make_room(talk.conference, "Hall 2")
        fresh.start, fresh.end = at("09:30"), at("10:00")
        fresh.revise(reason="The speaker is late")

    letter = Letter.objects.get()
    off = letter.headers["List-Unsubscribe"].strip("<>")
    assert (letter.to, letter.subject) == (ADA, "ICLR 2025: changed: Talk 09:00")
    assert letter.text == (
        "ICLR 2025 (Singapore time)\n\n"
        "* Talk 09:00\n"
        "  Moved: Thu 24 Apr, 09:00 -> 09:30 (The speaker is late)\n"
        "  New room: to be announced -> Hall 2 (The speaker is late)\n"
        "  It starts at 09:30, Thu 24 Apr: Hall 2\n"
        f"  http://127.0.0.1:8000{talk.get_absolute_url()}\n\n"
        "--\n"
        f"You asked for a mail at once about such changes. To turn it off: {off}\n"
    )
    assert letter.headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert letter.expires_at == MORNING + dt.timedelta(hours=3)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("start", "to", "expected"),
    [
        pytest.param("09:00", "15:00", 1, id="soon-to-later"),
        pytest.param("15:00", "09:00", 1, id="later-to-soon"),
        pytest.param("11:00", "15:00", 1, id="exactly-three-hours-before"),
        pytest.param("11:01", "15:00", 0, id="a-minute-earlier"),
        pytest.param("13:00", "15:00", 0, id="later-to-later"),
        pytest.param("07:30", "07:40", 0, id="it-is-over"),
    ],
)
def test_only_what_starts_within_three_hours_is_mailed(committed: Any, start: str, to: str, expected: int) -> None:
    [talk] = asker(start)

    with committed():
        move(talk, to)

    assert Letter.objects.count() == expected


@pytest.mark.django_db
def test_cancelled_event_is_mailed_and_its_later_moves_are_not_and_its_return_is(committed: Any, clock: Any) -> None:
    [talk] = asker("09:00")

    for change in (lambda: set_status(talk, "cancelled"), lambda: move(talk, "09:15"), lambda: set_status(talk, "confirmed")):
        clock.shift(60)
        with committed():
            change()

    assert subjects() == ["ICLR 2025: cancelled: Talk 09:00", "ICLR 2025: changed: Talk 09:00"]
    assert "  Takes place after all\n" in Letter.objects.latest("pk").text


@pytest.mark.django_db
def test_hidden_event_is_not_mailed_and_its_return_is(committed: Any, clock: Any) -> None:
    [talk] = asker("09:00")
    counts = []

    for change in (lambda: set_status(talk, "draft"), lambda: move(talk, "09:30"), lambda: set_status(talk, "confirmed")):
        clock.shift(60)
        with committed():
            change()
        counts.append(Letter.objects.count())

    assert counts == [0, 0, 1]
    assert "It starts at 09:30" in Letter.objects.get().text


@pytest.mark.django_db
@pytest.mark.parametrize(
    "case", ["did-not-ask", "no-account", "removed", "watched-later", "picked-after", "seen", "inactive", "draft-session"]
)
def test_nobody_else_gets_a_letter(committed: Any, case: str) -> None:
    [talk] = asker("09:00", wants=case != "did-not-ask")
    agenda = Agenda.objects.get()
    match case:
        case "no-account":
            Account.objects.all().delete()
        case "removed":
            agenda.bookmark(talk, on=False)
        case "watched-later":
            agenda.bookmarks.update(level="later")
        case "picked-after":
            agenda.bookmarks.update(created_at=MORNING + dt.timedelta(minutes=1))
        case "seen":
            agenda.bookmarks.update(seen_at=MORNING + dt.timedelta(minutes=1))
        case "inactive":
            Account.objects.get().user.__class__.objects.update(is_active=False)
        case "draft-session":
            session = make_event(talk.conference, status="draft")
            Event.objects.filter(pk=talk.pk).update(session=session)

    with committed():
        move(talk, "09:30")

    assert Letter.objects.count() == 0


@pytest.mark.django_db
@pytest.mark.parametrize("title", ["title", "abstract"])
def test_corrected_text_is_not_mailed(committed: Any, title: str) -> None:
    [talk] = asker("09:00")

    with committed():
        fresh = Event.objects.get(pk=talk.pk)
        setattr(fresh, title, "Corrected")
        fresh.revise()

    assert Letter.objects.count() == 0


@pytest.mark.django_db
def test_several_changes_of_one_action_are_one_letter(committed: Any) -> None:
    talks = asker("09:00", "10:00", "15:00")

    with committed(), transaction.atomic():
        for talk in talks:
            set_status(talk, "cancelled")
        move(talks[1], "10:30")

    text = Letter.objects.get().text
    assert subjects() == ["ICLR 2025: 2 changes in your agenda, soon"]
    assert [title in text for title in ("Talk 09:00", "Talk 10:00", "Talk 15:00")] == [True, True, False]


@pytest.mark.django_db
def test_move_that_is_undone_in_one_action_is_no_letter(committed: Any) -> None:
    [talk] = asker("09:00")

    with committed(), transaction.atomic():
        move(talk, "09:30")
        move(talk, "09:00")

    assert Letter.objects.count() == 0


@pytest.mark.django_db
def test_change_that_is_rolled_back_is_no_letter(committed: Any) -> None:
    [talk] = asker("09:00")

    with committed(), transaction.atomic():
        move(talk, "09:30")
        transaction.set_rollback(True)

    assert (Letter.objects.count(), send_alerts(MORNING)) == (0, 0)


@pytest.mark.django_db
def test_what_changed_before_somebody_asked_is_not_mailed(committed: Any, clock: Any) -> None:
    [talk] = asker("09:00", wants=False)
    with committed():
        move(talk, "09:30")
    clock.shift(60)

    Account.objects.get().set_alerts(on=True)

    assert send_alerts(MORNING + dt.timedelta(minutes=1)) == 0


@pytest.mark.django_db
def test_each_change_is_mailed_once_and_ten_a_day_are_enough(committed: Any, clock: Any) -> None:
    [talk] = asker("09:00")

    for minute in range(12):
        clock.shift(60)
        with committed():
            move(talk, f"09:{10 + minute}")
        send_alerts(MORNING + dt.timedelta(minutes=minute + 1))

    assert Letter.objects.count() == 10
    with time_machine.travel(MORNING + dt.timedelta(days=1), tick=False):
        assert send_alerts(MORNING + dt.timedelta(days=1)) == 0


@pytest.mark.django_db
def test_letters_left_by_a_process_that_ended_are_written_by_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    [talk] = asker("09:00")
    move(talk, "09:30")

    call_command("send_letters")

    assert (capsys.readouterr().out, [it.subject for it in mail.outbox]) == (
        "1 letter sent.\n",
        ["ICLR 2025: changed: Talk 09:00"],
    )


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("wants", "start", "expected"),
    [
        pytest.param(False, "09:00", 1, id="soon-and-nobody-asked"),
        pytest.param(True, "15:00", 0, id="later"),
    ],
)
def test_change_takes_at_most_one_more_query_if_nobody_gets_a_letter(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    django_assert_num_queries: Any,
    monkeypatch: pytest.MonkeyPatch,
    wants: bool,
    start: str,
    expected: int,
) -> None:
    [talk] = asker(start, wants=wants)
    for callbacks_of_others in ("IN_REVISION", "AFTER_REVISION_COMMITTED"):
        monkeypatch.setattr(f"events.programme.lifecycle.{callbacks_of_others}", [])
    with django_capture_on_commit_callbacks() as callbacks:
        move(talk, "15:30")

    with django_assert_num_queries(expected):
        for callback in callbacks:
            callback()


@pytest.mark.django_db
def test_question_who_asked_is_answered_by_an_index() -> None:
    asking = Account.objects.filter(wants_alerts=True, user__is_active=True)

    if connection.vendor == "sqlite":
        assert "account_wanting_alerts" in asking.explain()


@pytest.mark.django_db
@pytest.mark.parametrize("count", [1, 3])
def test_letter_takes_as_many_queries_for_three_changes_as_for_one(count: int, django_assert_num_queries: Any) -> None:
    for talk in asker(*["09:00", "09:10", "09:20"][:count]):
        set_status(talk, "cancelled")

    with django_assert_num_queries(14):
        assert send_alerts(MORNING) == 1


@pytest.mark.django_db(transaction=True)
def test_two_who_send_at_once_write_one_letter(monkeypatch: pytest.MonkeyPatch) -> None:
    [talk] = asker("09:00")
    monkeypatch.setattr("events.programme.lifecycle.AFTER_CHANGES_RECORDED", [])
    move(talk, "09:30")

    def send() -> int:
        try:
            return send_alerts(MORNING)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        written = [it.result() for it in [pool.submit(send) for _ in range(2)]]

    assert (sum(written), Letter.objects.count()) == (1, 1)


@pytest.mark.django_db(transaction=True)
def test_letter_is_in_the_outbox_once_the_change_is_committed() -> None:
    [talk] = asker("09:00")

    move(talk, "09:30")

    assert subjects() == ["ICLR 2025: changed: Talk 09:00"]


@pytest.mark.django_db
def test_choice_is_set_on_the_account_page_and_digests_stay_as_they_are() -> None:
    asker("09:00", wants=False)
    client = browser(token=Account.objects.get().visitor.new_token())
    states = []

    for sent in ({"alerts": "1"}, {"alerts": "1"}, {"on": "1"}, {"alerts": "0"}, {"alerts": "maybe"}, {}):
        client.post("/account/digests/", sent)
        account = Account.objects.get()
        states.append((account.wants_alerts, account.wants_digests))

    assert states == [(True, False), (True, False), (True, True), (False, True), (False, True), (False, True)]
    page = client.get("/account/").text
    assert ('name="alerts" value="1"' in page, "within three hours of its start" in page) == (True, True)


@pytest.mark.django_db
def test_one_click_turns_alerts_off_alone_and_looking_does_not(committed: Any) -> None:
    [talk] = asker("09:00")
    Account.objects.get().set_digests(on=True)
    with committed():
        move(talk, "09:30")
    off = re.sub(r"^<http://[^/]+|>$", "", Letter.objects.get().headers["List-Unsubscribe"])
    client = Client(enforce_csrf_checks=True)

    looked = client.get(off)
    states = [Account.objects.get().wants_alerts]
    clicked = [client.post(off, {"List-Unsubscribe": "One-Click"}) for _ in range(2)]
    account = Account.objects.get()

    assert "No more mail at once about changes?" in looked.text
    assert ([it.status_code for it in clicked], states) == ([200, 200], [True])
    assert (account.wants_alerts, account.wants_digests) == (False, True)


@pytest.mark.django_db
def test_choice_is_in_the_personal_data_and_ends_with_the_account() -> None:
    asker("09:00")
    account = Account.objects.get()
    client = browser(token=account.visitor.new_token())

    data = client.get(f"/{Agenda.objects.get().conference.slug}/agenda/data.json")

    assert data.json()["account"]["wants_alerts"] is True
    client.post("/account/delete/")
    assert (Account.objects.count(), Bookmark.objects.count()) == (0, 0)


@pytest.mark.django_db
def test_letter_is_for_each_who_asked(committed: Any) -> None:
    [talk] = asker("09:00")
    with time_machine.travel(PICKED, tick=False):
        for name in ("bob", "eve"):
            sign_in_by_mail(f"{name}@example.org", make_agenda(talk.conference, talk)[1])
        Account.objects.get(user__email="bob@example.org").set_alerts(on=True)

    with committed():
        set_status(talk, "cancelled")

    assert sorted(Letter.objects.values_list("to", flat=True)) == [ADA, "bob@example.org"]

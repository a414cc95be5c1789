"""Two organisers at the same moment."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from events.models import Change, Conference, Event, ImportRun
from tests.admin.conftest import logged_in, staff
from tests.admin.pages import act, errors_of, open_form, save, sent_by, url
from tests.admin.uploads.sending import csv_of, send
from tests.factories import make_agenda, make_conference, make_event, make_type

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*steps: Any) -> list[Any]:
    """Do all steps in threads of their own, none before all are ready."""
    ready = Barrier(len(steps))

    def run(step: Any) -> Any:
        try:
            ready.wait()
            return step()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(steps)) as pool:
        return [future.result() for future in [pool.submit(run, step) for step in steps]]


def two_organisers() -> tuple[Client, Client]:
    return logged_in(staff("Grace", "Organisers")), logged_in(staff("Edsger", "Organisers"))


def test_two_saves_of_one_event_end_with_one_and_a_message_to_the_other() -> None:
    event = make_event(make_conference(), title="Old")
    address = url("change", "session", event.pk)
    forms = [(client, open_form(client, address)) for client in two_organisers()]

    steps = [
        lambda form=form, title=title: save(form[0], address, form[1], title=title)
        for form, title in zip(forms, "AB", strict=True)
    ]
    answers = at_once(*steps)

    refused = [answer for answer in answers if answer.status_code == 200]
    assert [list(errors_of(answer)) for answer in refused] == [["__all__"]]
    assert Event.objects.get().sequence == event.sequence + 1


def test_two_saves_in_one_conference_wait_for_each_other() -> None:
    conference = make_conference()
    events = [make_event(conference) for _ in range(2)]
    clients = two_organisers()
    revision = Conference.objects.get().revision

    def step(client: Client, event: Event) -> Any:
        address = url("change", "session", event.pk)
        return save(client, address, open_form(client, address), title="New")

    answers = at_once(*(lambda pair=pair: step(*pair) for pair in zip(clients, events, strict=True)))

    assert [answer.status_code for answer in answers] == [302, 302]
    assert Conference.objects.get().revision == revision + 2


def test_event_is_cancelled_once() -> None:
    event = make_event(make_conference())

    at_once(*(lambda client=client: act(client, "session", "cancel", [event], reason="Rain.") for client in two_organisers()))

    assert list(Change.objects.values_list("field", "new")) == [("status", "cancelled")]


def test_move_that_two_confirm_at_once_is_made_once() -> None:
    event = make_event(make_conference(), start="09:00", end="10:00")
    make_agenda(event.conference, event)
    address = url("change", "session", event.pk)
    pages = [
        (client, save(client, address, open_form(client, address), start_1=hour, end_1="12:00"))
        for client, hour in zip(two_organisers(), ("10:30", "11:00"), strict=True)
    ]

    answers = at_once(*(lambda pair=pair: pair[0].post(address, sent_by(pair[1])) for pair in pages))

    assert sorted(answer.status_code for answer in answers) == [200, 302]
    assert [list(errors_of(answer)) for answer in answers if answer.status_code == 200] == [["__all__"]]
    assert Event.objects.get().sequence == event.sequence + 1


def test_spreadsheet_that_two_take_in_at_once_adds_its_rows_once(settings: Any, tmp_path: Path) -> None:
    settings.UPLOAD_ROOT = tmp_path / "uploads"
    conference = make_conference()
    make_type(conference, "session")
    file = csv_of(["title"], *([f"Session {number}"] for number in range(50)))
    pages = [(client, send(client, "session", conference, file).request["PATH_INFO"]) for client in two_organisers()]

    at_once(*(lambda page=page: page[0].post(page[1], {"confirm": "1"}) for page in pages))

    assert (Event.objects.count(), [run.created for run in ImportRun.objects.done()]) == (50, [50])

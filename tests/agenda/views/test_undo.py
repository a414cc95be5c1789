"""Undo in messages: the former state is set again, with and without JavaScript."""

from __future__ import annotations

import re

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from events.models import Agenda, Bookmark, Event
from tests.agenda.bookmarking import make_talk, url_of
from tests.factories import at, make_agenda, make_event
from tests.visitors import HTMX, browser

pytestmark = pytest.mark.django_db


def toast(client: Client) -> str:
    """The message on the next page."""
    return client.get("/demo/").text.partition('id="status"')[2].partition("<template")[0]


def undo_form(html: str) -> tuple[str, dict[str, str]] | None:
    """The address and the hidden fields of the form in a message."""
    form = re.search(r'<form method="post" action="([^"]+)"(.*?)</form>', html, re.DOTALL)
    if form is None or "message-undo" not in form[2]:
        return None
    return form[1], dict(re.findall(r'name="(\w+)" value="([^"]*)"', form[2]))


def press_undo(client: Client, html: str) -> str:
    """Send the form in a message, and return the next message."""
    form = undo_form(html)
    assert form is not None
    assert client.post(*form).status_code == 302
    return toast(client)


def state(agenda: Agenda, event: Event) -> tuple[str, bool, bool]:
    bookmark = Bookmark.objects.get(agenda=agenda, event=event)
    return bookmark.level, bookmark.presents, bookmark.removed_at is None


@pytest.mark.parametrize(("level", "presents"), [("must", False), ("maybe", False), ("later", False), ("must", True)])
def test_removed_bookmark_comes_back_as_it_was(level: str, presents: bool) -> None:
    talk = make_talk()
    agenda, token = make_agenda(talk.conference)
    agenda.bookmark(talk, on=True, level=level)
    agenda.present(talk, on=presents)
    client = browser(token=token)

    client.post(url_of(talk), {"on": "0"})
    removed = toast(client)
    gone = agenda.bookmark_state(talk).level
    back = press_undo(client, removed)

    assert ("Removed: Adam." in removed, gone) == (True, "")
    assert state(agenda, talk) == (level, presents, True)
    assert "Back in your agenda: Adam." in back
    assert undo_form(back) is None


def test_new_bookmark_is_removed_again() -> None:
    talk = make_talk()
    agenda, token = make_agenda(talk.conference)
    client = browser(token=token)

    client.post(url_of(talk), {"on": "1"})
    undone = press_undo(client, toast(client))

    assert state(agenda, talk)[2] is False
    assert "Removed: Adam." in undone


def test_level_goes_back_to_the_one_before() -> None:
    talk = make_talk()
    agenda, token = make_agenda(talk.conference, talk)
    client = browser(token=token)

    client.post(url_of(talk), {"level": "maybe"})
    undone = press_undo(client, toast(client))

    assert state(agenda, talk) == ("must", False, True)
    assert "Marked as must: Adam." in undone


def test_presenting_is_undone_with_the_bookmark_it_made() -> None:
    talk = make_talk()
    agenda, token = make_agenda(talk.conference)
    client = browser(token=token)

    client.post(reverse("events:present-set", args=["demo", talk.guid]), {"on": "1"})
    press_undo(client, toast(client))

    assert state(agenda, talk) == ("must", False, False)


def test_exchange_is_undone_for_both() -> None:
    talk = make_talk()
    other = make_event(talk.conference, kind="talk", title="Eve", start="10:00", end="11:00")
    agenda, token = make_agenda(talk.conference)
    agenda.bookmark(other, on=True, level="maybe")
    client = browser(token=token)

    client.post(reverse("events:bookmark-exchange", args=["demo", talk.guid, other.guid]))
    undone = press_undo(client, toast(client))

    assert state(agenda, other) == ("maybe", False, True)
    assert state(agenda, talk)[2] is False
    assert undo_form(undone) is None


def test_what_changed_nothing_has_no_undo() -> None:
    talk = make_talk()
    client = browser(token=make_agenda(talk.conference, talk)[1])

    client.post(url_of(talk), {"on": "1"})

    assert undo_form(toast(client)) is None


def test_answer_to_htmx_undoes_by_the_same_star() -> None:
    talk = make_talk()
    client = browser(token=make_agenda(talk.conference, talk)[1])
    star = f"e-{talk.guid}"

    removed = client.post(url_of(talk), {"on": "0"}, headers=HTMX | {"HX-Target": star}).text
    form = undo_form(removed)
    assert form is not None
    undone = client.post(*form, headers=HTMX | {"HX-Target": star}).text

    assert f'hx-target="#{star}" hx-swap="outerHTML"' in removed
    assert form[1]["undo"] == "must"
    assert re.search(rf'id="{star}"[^>]*aria-pressed="true"', undone)
    assert undo_form(undone) is None


@pytest.mark.parametrize("text", ["", "never", "must+", "out+presents"])
def test_state_that_is_none_is_refused(text: str) -> None:
    talk = make_talk()
    agenda, token = make_agenda(talk.conference, talk)

    response = browser(token=token).post(url_of(talk), {"undo": text})

    assert response.status_code == 422
    assert "Something went wrong" in response.text
    assert state(agenda, talk) == ("must", False, True)


def test_message_with_a_conflict_stays() -> None:
    talk = make_talk()
    same_time = make_event(talk.conference, kind="talk", title="Eve", start="10:30", end="11:30")
    client = browser(token=make_agenda(talk.conference, same_time)[1])

    client.post(url_of(talk), {"on": "1"})
    clash = toast(client)
    client.post(url_of(talk), {"on": "0"})

    assert 'class="message" data-stays' in clash
    assert 'class="message">' in toast(client)


def test_answer_draws_what_the_page_shows_of_bookmarks() -> None:
    """The conflicts of the open page's event while they are to come, and the column of its day."""
    talk = make_talk()
    other = make_event(talk.conference, kind="talk", title="Eve", start="10:30", end="11:30")
    client = browser(token=make_agenda(talk.conference, talk)[1])
    shows = {"shown_event": str(talk.guid), "shown_date": "2025-04-24"}

    with time_machine.travel(at("08:00")):
        on = client.post(url_of(other), {"on": "1", **shows}, headers=HTMX | {"HX-Target": f"par-e-{other.guid}"}).text
        off = client.post(url_of(other), {"on": "0", **shows}, headers=HTMX | {"HX-Target": f"par-e-{other.guid}"}).text

    conflicts, column = '<div id="my-conflicts" hx-swap-oob="innerHTML">', '<div id="my-day-column" hx-swap-oob="innerHTML">'
    assert "Eve" in on.partition(conflicts)[2].partition(column)[0]
    assert "2 picks" in on.partition(column)[2]
    assert f"{conflicts}</div>" in off
    assert "1 pick<" in off.partition(column)[2]


@pytest.mark.parametrize(("path", "redraws"), [("agenda/", True), ("schedule/2025-04-24/", False)])
def test_stars_of_own_pages_redraw_the_main_part(path: str, redraws: bool) -> None:
    talk = make_talk()
    client = browser(token=make_agenda(talk.conference, talk)[1])

    star = re.search(rf'<button class="bookmark" id="e-{talk.guid}"[^>]*>', client.get(f"/demo/{path}").text)

    assert star is not None
    assert ('hx-target="#main"' in star[0]) is redraws


def test_removed_private_entry_is_added_again() -> None:
    talk = make_talk()
    agenda, token = make_agenda(talk.conference)
    client = browser(token=token)
    sent = {"title": "Dentist & co", "place": "City", "date": "2025-04-24", "start": "23:00", "end": "01:00"}
    client.post("/demo/agenda/private/", sent)
    entry = agenda.private_entries.get()
    toast(client)

    client.post(reverse("events:private-entry", args=["demo", entry.guid]), {"remove": "1"})
    form = undo_form(toast(client))
    assert form is not None
    values = form[1] | {"title": "Dentist & co"}
    for _ in range(2):
        client.post(form[0], values)

    again = agenda.private_entries.get(removed_at=None)
    assert (again.title, again.place, again.start, again.end) == ("Dentist & co", "City", entry.start, entry.end)
    assert again.guid != entry.guid


def test_changed_private_entry_goes_back() -> None:
    talk = make_talk()
    agenda, token = make_agenda(talk.conference)
    client = browser(token=token)
    sent = {"title": "Dentist", "place": "City", "date": "2025-04-24", "start": "09:00", "end": "10:00"}
    client.post("/demo/agenda/private/", sent)
    entry = agenda.private_entries.get()
    toast(client)

    client.post(reverse("events:private-entry", args=["demo", entry.guid]), sent | {"title": "Surgeon"})
    undone = press_undo(client, toast(client))

    assert agenda.private_entries.get().title == "Dentist"
    assert "Your changes are undone." in undone
    assert undo_form(undone) is None

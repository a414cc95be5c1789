"""The page before saving sends on all that was typed, asks for the reason, and leads back."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils.html import escape

from events.models import Appearance, Change, Conference, Event, Link
from tests.admin.pages import LATER, asks, errors_of, move, open_form, picked, save, sent_by, url
from tests.factories import at, make_appearance, make_conference, make_event, make_person
from tests.security.strings import MARKUP

pytestmark = pytest.mark.django_db

HOSTILE = [it[:300].replace("\n", " ").replace("\t", " ") for it in MARKUP.values()]


def everything() -> dict[str, list[Any]]:
    return {
        model.__name__: list(model.objects.order_by("pk").values()) for model in (Event, Appearance, Link, Change, Conference)
    }


@pytest.fixture
def orals() -> Event:
    """A session somebody has, with a talk inside and a person on stage."""
    conference = make_conference()
    event = make_event(conference, title="Orals", start="09:00", end="10:00")
    make_event(conference, kind="talk", title="First", session=event, start="09:00", end="09:15")
    make_appearance(event, make_person(conference, "Ada"))
    picked(1, event)
    return event


def typed_over(data: dict[str, Any], conference: Conference) -> dict[str, Any]:
    """Something else in the form, and in every row inside it."""
    grace = make_person(conference, "Grace")
    typed = {
        "title": "Orals, “late” & <b>long</b>",
        "abstract": "\nOne\r\n\r\n*Two*  ",
        "children-0-title": "First of all",
        "children-0-start_1": "11:00",
        "children-0-end_1": "11:15",
        "appearances-TOTAL_FORMS": "2",
        "appearances-0-DELETE": "on",
        "appearances-1-person": str(grace.pk),
        "appearances-1-role": "speaker",
        "appearances-1-position": "3",
        "links-TOTAL_FORMS": "1",
        "links-0-kind": "slides",
        "links-0-url": "https://example.org/slides.pdf",
        "links-0-title": "Slides",
        "links-0-position": "0",
        "reason": "The hall is flooded.",
    }
    return {**data, **LATER, **typed}


def test_confirmed_move_is_saved_with_the_reason_that_attendees_read(organiser: Client, keynote: Event, client: Client) -> None:
    picked(1, keynote)
    page = move(organiser, keynote, **LATER)

    answer = organiser.post(url("change", "session", keynote.pk), sent_by(page) | {"reason": "The speaker's flight is late."})

    assert (answer.status_code, Event.objects.get().start) == (302, at("11:00"))
    assert sorted(Change.objects.values_list("field", "reason")) == [
        ("end", "The speaker's flight is late."),
        ("start", "The speaker's flight is late."),
    ]
    assert keynote.history.first().history_change_reason == "The speaker's flight is late."
    assert "The speaker&#x27;s flight is late." in client.get(f"/{keynote.conference.slug}/changes/").text


def test_reason_typed_in_the_form_stands_on_the_page(organiser: Client, keynote: Event) -> None:
    picked(1, keynote)

    page = move(organiser, keynote, **LATER, reason="Fog.")
    organiser.post(url("change", "session", keynote.pk), sent_by(page))

    assert {change.reason for change in Change.objects.all()} == {"Fog."}


def test_reason_may_stay_empty(organiser: Client, keynote: Event) -> None:
    picked(1, keynote)

    organiser.post(url("change", "session", keynote.pk), sent_by(move(organiser, keynote, **LATER)))

    assert list(Change.objects.order_by("field").values_list("field", "reason")) == [("end", ""), ("start", "")]


def test_too_long_reason_is_shown_in_the_form_and_nothing_is_lost(organiser: Client, keynote: Event) -> None:
    picked(1, keynote)
    page = move(organiser, keynote, **LATER)

    answer = organiser.post(url("change", "session", keynote.pk), sent_by(page) | {"reason": "w" * 301})

    assert list(errors_of(answer)) == ["reason"]
    assert (sent_by(answer)["start_1"], Event.objects.get().start) == ("11:00", at("09:00"))


def test_save_and_continue_is_remembered(organiser: Client, keynote: Event) -> None:
    picked(1, keynote)
    address = url("change", "session", keynote.pk)
    page = organiser.post(address, {**open_form(organiser, address), **LATER, "_continue": "Save and continue editing"})

    answer = organiser.post(address, sent_by(page))

    assert (asks(page), answer["Location"]) == (True, address)


def test_back_leads_to_the_form_with_all_that_was_typed(organiser: Client, orals: Event) -> None:
    address = url("change", "session", orals.pk)
    data = typed_over(open_form(organiser, address), orals.conference)
    before = everything()
    page = save(organiser, address, data)

    form = organiser.post(address, sent_by(page) | {"back": "Back to the form"})

    shown = sent_by(form)
    assert asks(page)
    assert {name: (value, shown.get(name)) for name, value in data.items() if shown.get(name) != value} == {}
    assert (errors_of(form), "errornote" in form.text, "seen" in shown) == ({}, False, False)
    assert everything() == before


def test_confirmed_save_takes_all_that_was_typed_also_in_the_rows_inside(organiser: Client, orals: Event) -> None:
    address = url("change", "session", orals.pk)
    page = save(organiser, address, typed_over(open_form(organiser, address), orals.conference))

    answer = organiser.post(address, sent_by(page))

    event, talk = Event.objects.order_by("pk")
    assert answer.status_code == 302
    assert (event.title, event.abstract, event.start) == ("Orals, “late” & <b>long</b>", "One\n\n*Two*", at("11:00"))
    assert (talk.title, talk.start, talk.end) == ("First of all", at("11:00"), at("11:15"))
    assert list(Appearance.objects.values_list("person__name", "position")) == [("Grace", 3)]
    assert list(Link.objects.values_list("kind", "title")) == [("slides", "Slides")]
    assert {change.reason for change in Change.objects.all()} == {"The hall is flooded."}


def test_other_answers_than_those_that_were_seen_are_shown_anew(organiser: Client, keynote: Event) -> None:
    picked(1, keynote)
    page = move(organiser, keynote, **LATER)

    again = organiser.post(url("change", "session", keynote.pk), sent_by(page) | {"start_1": "10:30"})

    assert (asks(again), Event.objects.get().start) == (True, at("09:00"))


def test_confirming_what_somebody_else_changed_meanwhile_is_refused(
    organiser: Client, other_organiser: Client, keynote: Event
) -> None:
    picked(1, keynote)
    page = move(organiser, keynote, **LATER, title="Mine")
    move(other_organiser, keynote, title="Theirs")

    refused = organiser.post(url("change", "session", keynote.pk), sent_by(page))
    asked = organiser.post(url("change", "session", keynote.pk), sent_by(refused))
    answer = organiser.post(url("change", "session", keynote.pk), sent_by(asked))

    assert errors_of(refused)["__all__"][0].startswith("Edsger changed this after you opened it: Title: Keynote → Theirs.")
    assert (asks(asked), answer.status_code, Event.objects.get().title) == (True, 302, "Mine")


def test_page_keeps_the_list_one_came_from(organiser: Client, keynote: Event) -> None:
    picked(1, keynote)
    address = f"{url('change', 'session', keynote.pk)}?_changelist_filters=q%3DKey"
    page = save(organiser, address, open_form(organiser, address), **LATER)

    answer = organiser.post(address, sent_by(page))

    assert answer["Location"] == f"{url('changelist', 'session')}?q=Key"


# In the short run each is a title, a place or a reason; where everything runs, all of them.
@pytest.mark.parametrize(
    ("title", "place", "reason"),
    [
        *zip(HOSTILE[::3], HOSTILE[1::3], HOSTILE[2::3], strict=True),
        *(pytest.param(it, it, it, marks=pytest.mark.exhaustive) for it in HOSTILE),
    ],
)
def test_hostile_reasons_and_titles_are_shown_as_text(
    organiser: Client, client: Client, keynote: Event, title: str, place: str, reason: str
) -> None:
    picked(1, keynote)
    address = url("change", "session", keynote.pk)
    page = save(organiser, address, open_form(organiser, address), **LATER, title=title, place=place[:200], reason=reason)

    answer = organiser.post(address, sent_by(page))
    changes = client.get(f"/{keynote.conference.slug}/changes/")

    assert (asks(page), answer.status_code) == (True, 302)
    assert {change.reason for change in Change.objects.all()} == {reason}
    for hostile, texts in {title: [page.text, changes.text], reason: [page.text, changes.text]}.items():
        for text in texts:
            assert (escape(hostile) in text, "<" in hostile and hostile in text) == (True, False)
    assert "<" not in place or place not in page.text + changes.text

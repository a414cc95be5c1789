"""Signing up and leaving, with a form and with htmx."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
import time_machine
from django.urls import reverse
from django.utils import timezone

from events.agenda.visitor import VISITOR_COOKIE
from events.core.byte_cache import PROCESS_CACHE
from events.core.clock import Clock
from events.models import Agenda, Conference, Event, Seat, SignUp
from events.sign_up.queries import ordinal, seats_outside_agenda
from tests.factories import make_conference, make_event
from tests.sign_up.seating import agendas_of, make_sign_up, make_social, seating
from tests.sign_up.visiting import holder, shown_message, url_of
from tests.visitors import HTMX, browser

pytestmark = pytest.mark.django_db


def test_first_visitor_takes_a_place_and_gets_an_agenda() -> None:
    own, client = make_sign_up(places=2), browser()

    response = client.post(url_of(own), {"on": "1"})

    agenda = Agenda.objects.get()
    assert (response.status_code, response["Location"]) == (302, f"{own.event.get_absolute_url()}#sign-up")
    assert seating(own) == [(1, "taken", agenda.pk)]
    assert list(agenda.events) == [own.event]
    assert VISITOR_COOKIE in response.cookies
    assert "You have a place" in client.get(own.event.get_absolute_url()).text
    # Without the message, which has a form to undo it.
    page = client.get(own.event.get_absolute_url()).text
    assert "You have a place" in page
    assert page.count(f'method="post" action="{url_of(own)}"') == page.count(f'id="seat-{own.event.guid}"') == 1
    assert "1 of 2 places left" in page


def test_without_javascript_one_comes_back_to_where_one_was() -> None:
    own = make_sign_up(places=1)
    client, _ = holder(own)

    response = client.post(url_of(own), {"on": "1", "next": "/somewhere/"})

    assert response["Location"] == "/somewhere/"


def test_htmx_gets_the_block_with_what_is_exact() -> None:
    own = make_sign_up(places=1)
    client, agenda = holder(own)

    response = client.post(url_of(own), {"on": "1"}, headers=HTMX)

    assert response.status_code == 200
    assert response.text.count('id="sign-up"') == 1
    assert "<html" not in response.text
    assert "You have a place" in response.text
    assert "Full, with a waiting list" in response.text
    assert 'id="my-bookmark" hx-swap-oob="innerHTML"' in response.text
    assert 'aria-pressed="true"' in response.text
    assert seating(own) == [(1, "taken", agenda.pk)]


def test_giving_up_keeps_the_pick() -> None:
    own = make_sign_up(places=1)
    client, agenda = holder(own)
    client.post(url_of(own), {"on": "1"})

    response = client.post(url_of(own), {"on": "0"}, headers=HTMX)

    assert seating(own) == []
    assert list(agenda.events) == [own.event]
    assert "You have a place" not in response.text
    assert "1 of 1 place left" in response.text


def test_position_on_the_waiting_list_is_shown() -> None:
    own = make_sign_up(places=1)
    for agenda in agendas_of(own, 3):
        own.join(agenda)
    client, _ = holder(own)

    client.post(url_of(own), {"on": "1"})

    page = client.get(url_of(own)).text
    assert "You are 3rd on the waiting list" in page
    assert "Full · 3 waiting" in page


def test_count_is_a_minute_old_at_most_and_no_join_empties_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PROCESS_CACHE, "max_bytes", 2**24)
    own = make_sign_up(places=2)
    url, revision = own.event.get_absolute_url(), Conference.objects.get().revision
    with time_machine.travel(timezone.now().replace(second=0), tick=False) as traveller:
        pages = [browser().get(url).text]
        own.join(agendas_of(own, 1)[0])
        pages.append(browser().get(url).text)
        traveller.shift(60)
        pages.append(browser().get(url).text)

    assert Conference.objects.get().revision == revision
    assert [f"{left} of 2 places left" in page for left, page in zip([2, 2, 1], pages, strict=True)] == [True] * 3


def test_event_says_once_how_many_places_there_are() -> None:
    own = make_sign_up(places=40, event=make_social(capacity=60))

    page = browser().get(own.event.get_absolute_url()).text
    own.delete()
    without = browser().get(own.event.get_absolute_url()).text

    assert ("40 of 40 places left" in page, "Good to know" in page) == (True, False)
    assert "<dt>Places</dt><dd>60</dd>" in without


def test_sign_up_page_shows_the_list_and_a_form() -> None:
    own = make_sign_up(places=40)
    before = Seat.objects.count(), Agenda.objects.count()

    response = browser().get(url_of(own))

    assert "40 of 40 places left" in response.text
    assert 'name="on" value="1"' in response.text
    assert (Seat.objects.count(), Agenda.objects.count()) == before


def test_page_warns_of_what_is_at_the_same_time() -> None:
    own = make_sign_up(places=1)
    event = own.event
    other = make_event(event.conference, title="Town hall", day=event.day, start=event.start, end=event.end)
    client, _ = holder(own, other)

    assert "Town hall" in client.get(url_of(own)).text
    client.post(url_of(own), {"on": "1"})
    assert "Town hall" in shown_message(client, event.get_absolute_url())


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        pytest.param({}, "“” is neither yes nor no", id="nothing"),
        pytest.param({"on": "maybe"}, "“maybe” is neither yes nor no", id="neither"),
        pytest.param({"on": "1", "name": "x" * 61}, "61 characters", id="a long name"),
        pytest.param({"on": "1", "name": "a\x01b"}, "U+0001", id="control character"),
    ],
)
def test_wrong_state_is_refused_with_a_message(sent: dict[str, str], words: str) -> None:
    own = make_sign_up(places=1)

    response = browser().post(url_of(own), sent)

    assert response.status_code == 422
    assert words in response.text
    assert Seat.objects.count() == 0


@pytest.mark.parametrize("name", ["Ada", "  Ada  ", "Ada\n"])
def test_name_is_for_the_host_and_can_be_taken_out(name: str) -> None:
    own = make_sign_up(places=1)
    client, _ = holder(own)

    client.post(url_of(own), {"on": "1", "name": name})
    assert Seat.objects.get().name == "Ada"
    client.post(url_of(own), {"on": "1"})
    assert Seat.objects.get().name == "Ada"
    client.post(url_of(own), {"on": "1", "name": ""})
    assert Seat.objects.get().name == ""


def test_closed_list_says_so_and_offers_nothing() -> None:
    own = make_sign_up(places=1)
    SignUp.objects.update(waiting_list=False)
    own.join(agendas_of(own, 1)[0])
    client, _ = holder(own)

    response = client.post(url_of(own), {"on": "1"})
    fragment = client.post(url_of(own), {"on": "1"}, headers=HTMX)

    assert response.status_code == 409
    assert "there is no waiting list" in response.text
    assert 'name="on" value="1"' not in response.text
    assert (fragment.status_code, "there is no waiting list" in fragment.text) == (200, True)
    assert len(seating(own)) == 1


def test_event_without_a_list_has_no_such_page() -> None:
    event = make_social()
    url = reverse("events:sign-up", args=[event.conference.slug, event.guid])

    assert [browser().get(url).status_code, browser().post(url, {"on": "1"}).status_code] == [404, 404]


def test_hidden_event_has_no_such_page() -> None:
    own = make_sign_up(places=1)
    Event.objects.update(status="draft")

    assert [browser().get(url_of(own)).status_code, browser().post(url_of(own), {"on": "1"}).status_code] == [404, 404]


def test_cancelled_event_keeps_its_seats_and_says_so() -> None:
    own = make_sign_up(places=2)
    client, agenda = holder(own)
    own.join(agenda)
    event = Event.objects.get(pk=own.event_id)
    event.status = "cancelled"
    event.revise()

    page = client.get(event.get_absolute_url()).text

    assert "You have a place, but it is cancelled" in page
    assert seating(own) == [(1, "taken", agenda.pk)]
    assert browser().post(url_of(own), {"on": "1"}).status_code == 409


def test_pick_taken_back_leaves_the_place_and_says_so() -> None:
    own = make_sign_up(places=1)
    first, agenda = holder(own)
    own.join(agenda)
    waits, other = holder(own)
    own.join(other)
    url = reverse("events:bookmark-set", args=[own.event.conference.slug, own.event.guid])

    first.post(url, {"on": "0"})
    later = waits.post(url, {"level": "later"}, headers=HTMX).text

    assert "You still have a place there. If you do not come, give it up on its page." in shown_message(
        first, own.event.get_absolute_url()
    )
    assert "You are still on its waiting list." in later
    assert [state for _, state, _ in seating(own)] == ["taken", "waiting"]
    assert "still" not in browser().post(url, {"on": "0"}, headers=HTMX).text


def test_event_given_up_for_another_leaves_the_place_and_says_so() -> None:
    own = make_sign_up(places=1)
    client, agenda = holder(own)
    own.join(agenda)
    other = make_event(own.event.conference, title="Town hall")
    names = [own.event.conference.slug, other.guid, own.event.guid]

    client.post(reverse("events:bookmark-exchange", args=names))

    assert "You still have a place there" in shown_message(client, other.get_absolute_url())


@pytest.mark.parametrize("count", [1, 3])
def test_agenda_shows_places_at_what_is_no_pick(count: int, django_assert_num_queries: Any) -> None:
    conference = make_conference()
    lists = [make_sign_up(places=1, event=make_social(conference=conference, title=f"Walk {it}")) for it in range(count)]
    client, agenda = holder(lists[0])
    for own in lists:
        own.join(agenda)
        agenda.bookmark(own.event, on=False)
    page = reverse("events:agenda-detail", args=[conference.slug])

    text = client.get(page).text

    assert "Your places" in text
    assert text.count("Give up my place") == text.count("Add to my agenda") == count
    agenda.conference = conference
    assert agenda.extras.seats
    with django_assert_num_queries(1):
        assert len(seats_outside_agenda(agenda, Clock(timezone.now(), conference.zone))) == count
    client.post(url_of(lists[0]), {"on": "1"})
    assert agenda.levels() == {lists[0].event_id: "must"}
    for own in lists:
        client.post(url_of(own), {"on": "0"})
    assert "Your places" not in client.get(page).text


@pytest.mark.parametrize(
    ("hours", "place", "turn"),
    [
        pytest.param({}, "You have a place", "You are 1st on the waiting list", id="open"),
        pytest.param(
            {"signup_until": -1}, "You have a place", "No place: you were 1st on the waiting list", id="sign-up has ended"
        ),
        pytest.param({"start": -1, "end": 1}, "You have a place", "No place: you were 1st on the waiting list", id="it is on"),
        pytest.param({"start": -2, "end": -1}, "You had a place", "No place: you were 1st on the waiting list", id="it is over"),
    ],
)
def test_waiting_list_ends_when_sign_up_ends(hours: dict[str, int], place: str, turn: str) -> None:
    own = make_sign_up(places=1)
    first, agenda = holder(own)
    own.join(agenda)
    second, waits = holder(own)
    own.join(waits)
    Event.objects.update(**{name: timezone.now() + dt.timedelta(hours=it) for name, it in hours.items()})

    pages = (own.event.get_absolute_url(), url_of(own), reverse("events:agenda-detail", args=[own.event.conference.slug]))

    assert [place in first.get(url).text for url in pages] == [True] * 3
    assert [turn in second.get(url).text for url in pages] == [True] * 3
    assert ("It goes to the next person" in first.get(url_of(own)).text) == (not hours)
    # Who will not come is asked for no name.
    assert 'name="name"' in first.get(url_of(own)).text
    assert [("Add your name" in second.get(pages[0]).text), ('name="name"' in second.get(url_of(own)).text)] == [not hours] * 2


def test_agenda_says_on_the_card_what_one_has() -> None:
    own, other = make_sign_up(places=1), make_sign_up(places=1)
    Event.objects.filter(pk=other.event_id).update(conference=own.event.conference, day=own.event.day)
    client, agenda = holder(own)
    own.join(agenda)
    other.join(agendas_of(own, 1)[0])
    other.join(agenda)

    page = client.get(reverse("events:agenda-detail", args=[own.event.conference.slug])).text

    assert ">You have a place</span>" in page
    assert ">You are 1st on the waiting list</span>" in page
    # Neither is told besides that it is full.
    assert 'data-flag="full"' not in page
    assert "Full" not in page.partition('<ol class="itinerary">')[2]


def test_shared_page_says_nothing_of_anybody() -> None:
    own = make_sign_up(places=1)
    client, agenda = holder(own)
    own.join(agenda, "Ada")

    theirs, mine = (it.get(own.event.get_absolute_url()).text for it in (browser(), client))

    assert ("You have a place" in theirs, "You have a place" in mine) == (False, True)
    assert ("Ada" in theirs, "“Ada”" in mine) == (False, True)


@pytest.mark.parametrize(
    ("number", "words"),
    [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (13, "13th"), (21, "21st"), (112, "112th")],
)
def test_ordinals(number: int, words: str) -> None:
    assert ordinal(number) == words


@pytest.mark.parametrize("count", [1, 3])
def test_page_takes_as_many_queries_for_three_as_for_one(count: int, django_assert_num_queries: Any) -> None:
    own = make_sign_up(places=1)
    for agenda in agendas_of(own, count):
        own.join(agenda)
    client, agenda = holder(own)
    own.join(agenda)
    client.get(url_of(own))

    with django_assert_num_queries(11):
        client.get(url_of(own))


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["page", "htmx"])
def test_who_saw_a_place_and_has_to_wait_is_told_so_and_can_undo(headers: dict[str, str]) -> None:
    own = make_sign_up(places=1)
    client, agenda = holder(own)
    agenda.bookmark(own.event, on=True, level="maybe")
    own.join(agendas_of(own, 1)[0])

    response = client.post(url_of(own), {"on": "1", "expects_place": "1"}, headers=headers)

    message = response.text if headers else shown_message(client, own.event.get_absolute_url())
    assert "Just taken: you are 1st on the waiting list." in message
    assert 'name="undo" value="maybe"' in message
    client.post(url_of(own), {"on": "0", "undo": "maybe"}, headers=headers)
    assert (own.has_seat_of(agenda), agenda.bookmark_state(own.event).level) == (False, "maybe")


def test_page_with_places_says_that_it_offered_one() -> None:
    own = make_sign_up(places=1)

    assert 'name="expects_place" value="1"' in browser().get(own.event.get_absolute_url()).text
    own.join(agendas_of(own, 1)[0])
    assert "expects_place" not in browser().get(url_of(own)).text


def test_place_given_up_offers_no_undo() -> None:
    own = make_sign_up(places=1)
    client, agenda = holder(own)
    own.join(agenda)

    text = client.post(url_of(own), {"on": "0"}, headers=HTMX).text

    assert "You gave up your place" in text
    assert "message-undo" not in text


def test_who_leaves_the_waiting_list_gives_no_place_up() -> None:
    own = make_sign_up(places=1)
    own.join(agendas_of(own, 1)[0])
    client, agenda = holder(own)
    own.join(agenda)

    text = client.post(url_of(own), {"on": "0"}, headers=HTMX).text

    assert f"You left the waiting list of {own.event}." in text
    assert not own.has_seat_of(agenda)

"""A seat that came to a visitor on the waiting list, until the visitor confirms it."""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from events.core.byte_cache import PROCESS_CACHE
from events.models import Agenda, Event, Seat, SignUp
from events.sign_up.models import acknowledge_seat
from tests.sign_up.seating import agendas_of, make_sign_up
from tests.sign_up.visiting import holder, url_of
from tests.visitors import browser

pytestmark = pytest.mark.django_db


def promoted() -> tuple[SignUp, Client, Agenda]:
    """Somebody who waited and has a place now."""
    own = make_sign_up(places=1)
    first = agendas_of(own, 1)[0]
    client, agenda = holder(own)
    own.join(first)
    own.join(agenda)
    own.leave(first)
    return own, client, agenda


def test_new_seat_is_shown_until_it_is_confirmed() -> None:
    own, client, agenda = promoted()
    page = reverse("events:agenda-detail", args=[own.event.conference.slug])
    about = reverse("events:about", args=[own.event.conference.slug])
    seen = reverse("events:place-seen", args=[own.event.conference.slug, own.event.guid])

    assert 'id="new-places"' in client.get(page).text
    assert "A place opened up for you:" in client.get(about).text
    assert "A place opened up for you:" in client.get(reverse("events:agenda-banner", args=[own.event.conference.slug])).text

    response = client.post(seen)

    assert (response.status_code, response["Location"]) == (302, page)
    assert Seat.objects.alive().get().seen_at is not None
    assert 'id="new-places"' not in client.get(page).text
    assert "opened up for you" not in client.get(about).text
    assert not acknowledge_seat(agenda, own.event)


def test_place_that_came_is_on_an_agenda_page_that_was_cached() -> None:
    PROCESS_CACHE.max_bytes = 2**24
    own = make_sign_up(places=1)
    first = agendas_of(own, 1)[0]
    client, agenda = holder(own)
    own.join(first)
    own.join(agenda)
    page = reverse("events:agenda-detail", args=[own.event.conference.slug])
    before = client.get(page).text

    own.leave(first)

    assert ['id="new-places"' in html for html in (before, client.get(page).text)] == [False, True]


def test_banner_asks_anew_when_a_place_came() -> None:
    own = make_sign_up(places=1)
    first = agendas_of(own, 1)[0]
    client, agenda = holder(own)
    own.join(first)
    own.join(agenda)
    url = reverse("events:agenda-banner", args=[own.event.conference.slug])
    etag = client.get(url)["ETag"]
    assert client.get(url, headers={"If-None-Match": etag}).status_code == 304

    own.leave(first)

    assert client.get(url, headers={"If-None-Match": etag}).status_code == 200


def test_looking_and_reading_mark_nothing_as_seen() -> None:
    own, client, _ = promoted()

    for name in ("agenda-detail", "agenda-banner"):
        client.get(reverse(f"events:{name}", args=[own.event.conference.slug]))
    browser().post(reverse("events:place-seen", args=[own.event.conference.slug, own.event.guid]))

    assert Seat.objects.unseen_promoted().count() == 1


def test_nobody_is_invited_to_a_place_at_a_cancelled_event() -> None:
    sign_up, client, agenda = promoted()
    page = reverse("events:agenda-detail", args=[sign_up.event.conference.slug])
    about = reverse("events:about", args=[sign_up.event.conference.slug])
    banner = reverse("events:agenda-banner", args=[sign_up.event.conference.slug])
    assert ["opened up for you" in client.get(url).text for url in (page, about, banner)] == [True] * 3

    cancel(sign_up.event)

    assert ["opened up for you" in client.get(url).text for url in (page, about, banner)] == [False] * 3
    assert "give it up" not in client.get(page).text
    texts = [client.get(url).text for url in (page, url_of(sign_up), sign_up.event.get_absolute_url())]
    assert ["You have a place, but it is cancelled" in text for text in texts] == [True] * 3
    assert 'data-flag="fine"' not in texts[0]
    agenda.bookmark(sign_up.event, on=False)
    place = client.get(page).text.partition('id="own-places"')[2].partition("</section>")[0]
    assert "You have a place, but it is cancelled." in place
    assert "next person" not in place


def test_place_after_the_end_of_sign_up_goes_to_nobody() -> None:
    sign_up, client, agenda = promoted()
    page = reverse("events:agenda-detail", args=[sign_up.event.conference.slug])
    assert "If you cannot come, give it up for the next person." in client.get(page).text

    Event.objects.update(signup_until=timezone.now() - dt.timedelta(minutes=1))
    sign_up.event.conference.bump_revision()

    assert "If you cannot come, give it up." in client.get(page).text
    acknowledge_seat(agenda, sign_up.event)
    agenda.bookmark(sign_up.event, on=False)
    assert "If you do not come, give it up." in client.get(page).text


def cancel(event: Event) -> None:
    stored = Event.objects.get(pk=event.pk)
    stored.status = "cancelled"
    stored.save()

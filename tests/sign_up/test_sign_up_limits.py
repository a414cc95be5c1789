"""Who may take how many seats: newcomers, networks, and known visitors beside them."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from events.agenda.models.counting import KNOWN_VISITOR_AGE
from events.core import limits
from events.core.limits import Limit
from events.models import Agenda, Event, Seat, SignUp
from tests.sign_up.seating import make_sign_up, seating
from tests.sign_up.visiting import holder, url_of
from tests.visitors import browser

pytestmark = pytest.mark.django_db


def regular(own: SignUp, *picks: Event) -> Client:
    """Somebody whose agenda was not made a moment ago."""
    client, agenda = holder(own, *picks)
    Agenda.objects.filter(pk=agenda.pk).update(created_at=timezone.now() - KNOWN_VISITOR_AGE)
    return client


def test_newcomers_of_one_network_are_slowed_down_and_known_visitors_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "NEWCOMER_SEATS", Limit("newcomer", newcomers=2))
    own = make_sign_up(places=9)

    codes = [browser().post(url_of(own), {"on": "1"}).status_code for _ in range(3)]
    response = browser().post(url_of(own), {"on": "1"})

    assert codes == [302, 302, 429]
    assert response["Retry-After"] == "900"
    assert "Bookmark the event and try again in 15 minutes" in response.text
    assert Agenda.objects.count() == 2
    assert regular(own, own.event).post(url_of(own), {"on": "1"}).status_code == 302
    assert browser().post(url_of(own), {"on": "1"}, REMOTE_ADDR="192.0.2.7").status_code == 302


def test_agendas_made_for_it_are_newcomers_with_picks_and_old_ones_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "NEWCOMER_SEATS", Limit("newcomer", newcomers=0))
    own = make_sign_up(places=9)
    just_made, _ = holder(own, own.event)

    codes = [client.post(url_of(own), {"on": "1"}).status_code for client in (just_made, regular(own), regular(own, own.event))]

    assert codes == [429, 429, 302]


def test_one_browser_cannot_fill_a_list_with_new_agendas() -> None:
    own, other = make_sign_up(places=100), make_sign_up(places=100)
    client = browser()

    codes = []
    for _ in range(20 + 5):
        client.cookies.clear()
        client.post(reverse("events:bookmark-set", args=[own.event.conference.slug, own.event.guid]), {"on": "1"})
        codes.append(client.post(url_of(own), {"on": "1"}).status_code)

    assert codes == [302] * 20 + [429] * 5
    assert SignUp.objects.get(pk=own.pk).taken == 20
    assert browser().post(url_of(other), {"on": "1"}).status_code == 302


def test_who_has_a_place_changes_the_name_whatever_the_network_did(monkeypatch: pytest.MonkeyPatch) -> None:
    own = make_sign_up(places=9)
    client, agenda = holder(own)
    own.join(agenda)
    monkeypatch.setattr(limits, "SEATS", Limit("seat", network=0))

    response = client.post(url_of(own), {"on": "1", "name": "Ada"})

    assert (response.status_code, Seat.objects.get().name) == (302, "Ada")


def test_one_network_cannot_take_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SEATS", Limit("seat", network=1))
    own = make_sign_up(places=9)
    responses = [client.post(url_of(own), {"on": "1"}) for client in (regular(own, own.event), regular(own, own.event))]

    assert [it.status_code for it in responses] == [302, 429]
    assert (responses[1]["Retry-After"], "Try again in an hour" in responses[1].text) == ("3600", True)


def test_nobody_gives_up_somebody_elses_place() -> None:
    own = make_sign_up(places=1)
    _, agenda = holder(own)
    own.join(agenda)
    other, _ = holder(own)

    other.post(url_of(own), {"on": "0"})
    browser().post(url_of(own), {"on": "0"})

    assert seating(own) == [(1, "taken", agenda.pk)]

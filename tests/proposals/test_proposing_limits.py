"""How many proposals browsers, networks and a conference may send."""

from __future__ import annotations

import pytest
from django.test import Client

from events.core import limits
from events.core.limits import Limit
from events.models import Conference, Proposal, Tally
from events.proposals.views import PROPOSALS_COOKIE, TOO_MANY_OPEN_PROPOSALS_MESSAGE, TOO_MANY_PROPOSALS_MESSAGE
from tests.factories import make_conference, make_event
from tests.proposals.forms_filled import (
    PROPOSE,
    SOCIAL,
    propose,
    stamp,
)
from tests.visitors import known_browser

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("before_the_conference")]


def test_browser_has_no_more_than_three_waiting(conference: Conference) -> None:
    client = Client()
    for number in range(3):
        assert propose(client, title=f"Number {number}", date=f"2025-04-2{number}").status_code == 302

    refused = propose(client, title="One more", date="2025-04-26")

    assert (refused.status_code, refused["Retry-After"], refused.context["problem"]) == (
        429,
        "3600",
        TOO_MANY_OPEN_PROPOSALS_MESSAGE,
    )
    assert 'value="One more"' in refused.text
    Proposal.objects.filter(title="Number 0").update(status="declined")
    assert propose(client, title="One more", date="2025-04-26").status_code == 302
    assert propose(Client(), title="Somebody else", date="2025-04-27").status_code == 302


def test_browser_sends_no_more_than_ten_in_an_hour(conference: Conference) -> None:
    client = Client(enforce_csrf_checks=True)
    token = client.get(PROPOSE).context["csrf_token"]
    client.cookies.pop(PROPOSALS_COOKIE, None)

    answers = []
    for number in range(11):
        answers.append(propose(client, title=f"{number} {number}", csrfmiddlewaretoken=str(token), anyway="1"))
        Proposal.objects.update(status="declined")

    assert [it.status_code for it in answers] == [302] * 10 + [429]
    assert answers[-1].context["problem"] == TOO_MANY_PROPOSALS_MESSAGE


def test_venue_behind_one_address_is_not_locked_out(conference: Conference) -> None:
    answers = [propose(Client(), title=f"{number}", anyway="1").status_code for number in range(60)]

    assert answers == [302] * 60


def test_conference_takes_no_more_than_chairs_can_read(conference: Conference) -> None:
    Limit(limits.PROPOSALS.name, in_all=1).allows(in_all=str(conference.pk))
    Tally.objects.update(count=3_000)

    assert propose(Client()).status_code == 429
    make_conference(slug="other")
    assert Client().post("/other/socials/propose/", SOCIAL | {"stamp": stamp()}).status_code == 302


def test_strangers_who_fill_the_desk_leave_it_open_for_known_visitors(
    conference: Conference, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "PROPOSALS", Limit("proposal", newcomers=99, network=1, in_all=1))
    known = known_browser(make_event(conference))

    codes = [propose(it, title=f"Picnic {number}").status_code for number, it in enumerate([Client(), Client(), known])]

    assert codes == [302, 429, 302]


def test_what_is_refused_is_not_counted(conference: Conference) -> None:
    for wrong in [{"title": ""}, {"homepage": "x"}, {"stamp": ""}]:
        propose(Client(), **wrong)

    assert Tally.objects.count() == 0

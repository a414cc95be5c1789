"""The texts and badges of sign-up on cards, and the filter that hides full events."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.http import QueryDict

from events.models import Event, SignUp
from events.pages.queries.lists import socials
from tests.factories import THURSDAY, at, make_conference, make_event
from tests.pages.queries.reading import card_of, clock, flags
from tests.sign_up.seating import agendas_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]

URL = {"signup_url": "https://example.org/"}
FILLING = URL | {"signup_state": "filling"}
TUESDAY = THURSDAY - dt.timedelta(days=2)
UNTIL = "Sign-up until Thu 24 Apr, 12:00"


def make_social(**fields: Any) -> Event:
    return make_event(make_conference(), kind="social", start="19:00", end="21:00", **fields)


def shown_text(event: Event, now: str = "09:00") -> str:
    return card_of(Event.objects.get(pk=event.pk), clock(now)).signup_text


@pytest.mark.parametrize(
    ("fields", "now", "text"),
    [
        pytest.param({}, "09:00", "", id="nothing"),
        pytest.param(URL, "09:00", "Sign-up needed", id="an address"),
        pytest.param(URL | {"signup_until": at("12:00")}, "09:00", UNTIL, id="an address and a deadline"),
        pytest.param({"signup_until": at("12:00")}, "09:00", UNTIL, id="a deadline"),
        pytest.param({"signup_until": at("12:00")}, "11:59", UNTIL, id="a minute before"),
        pytest.param({"signup_until": at("12:00")}, "12:00", "Sign-up closed at 12:00", id="at its end"),
        pytest.param(
            {"signup_until": at("18:00", TUESDAY)}, "09:00", "Sign-up closed Tue 22 Apr, 18:00", id="closed on another day"
        ),
        pytest.param(
            FILLING | {"signup_checked_at": at("07:05"), "signup_until": at("12:00")},
            "09:00",
            f"Filling up, checked Thu 24 Apr, 07:05 · {UNTIL}",
            id="a state and a deadline",
        ),
        pytest.param(
            FILLING | {"signup_checked_at": at("09:00") - dt.timedelta(days=3)},
            "09:00",
            "Filling up, checked Mon 21 Apr, 09:00",
            id="three days ago",
        ),
        pytest.param(
            FILLING | {"signup_checked_at": at("08:59") - dt.timedelta(days=3)},
            "09:00",
            "No recent report of places",
            id="more than three days ago",
        ),
        pytest.param(
            URL | {"signup_state": "closed", "signup_until": at("12:00")}, "09:00", "Sign-up closed", id="closed stays closed"
        ),
        pytest.param(FILLING | {"status": "cancelled"}, "09:00", "", id="cancelled"),
    ],
)
def test_card_shows_the_state_of_sign_up_on_another_site(fields: dict[str, Any], now: str, text: str) -> None:
    assert shown_text(make_social(**fields), now) == text


def test_card_says_how_many_places_are_left_and_how_many_wait() -> None:
    own = SignUp.objects.create(event=make_social(), places=40)
    words = [shown_text(own.event)]
    SignUp.objects.update(taken=28)
    words.append(shown_text(own.event))
    SignUp.objects.update(places=28)
    words.append(shown_text(own.event))
    Event.objects.update(start=None, end=None)
    for agenda in agendas_of(own, 3):
        SignUp.objects.get().join(agenda)
        words.append(shown_text(own.event))
    SignUp.objects.update(waiting_list=False)
    words.append(shown_text(own.event))

    assert words == [
        "40 of 40 places left",
        "12 of 40 places left",
        "Full, with a waiting list",
        "Full · 1 waiting",
        "Full · 2 waiting",
        "Full · 3 waiting",
        "Full",
    ]


def test_deadline_of_an_event_on_another_day_has_its_date_also_today() -> None:
    event = Event.objects.get(pk=make_social(signup_until=at("18:00", TUESDAY)).pk)

    assert card_of(event, clock("18:30", TUESDAY)).signup_text == "Sign-up closed Tue 22 Apr, 18:00"


@pytest.mark.parametrize(
    ("fields", "now", "text"),
    [
        pytest.param({"signup_until": at("12:00")}, "09:00", f"5 of 5 places left · {UNTIL}", id="until its deadline"),
        pytest.param({"signup_until": at("12:00")}, "12:00", "Sign-up closed at 12:00", id="after it"),
        pytest.param({}, "18:59", "5 of 5 places left", id="until it starts"),
        pytest.param({}, "19:00", "Sign-up closed", id="when it starts"),
        pytest.param(
            {"signup_until": at("21:00")},
            "09:00",
            "5 of 5 places left · Sign-up until Thu 24 Apr, 19:00",
            id="not after its start",
        ),
        pytest.param({"signup_until": at("21:00")}, "19:30", "Sign-up closed", id="a later deadline when it starts"),
        pytest.param({"signup_state": "full", "signup_checked_at": at("07:00")}, "09:00", "5 of 5 places left", id="ours counts"),
    ],
)
def test_card_says_until_when_a_list_of_ours_is_open(fields: dict[str, Any], now: str, text: str) -> None:
    own = SignUp.objects.create(event=make_social(**fields), places=5)

    assert shown_text(own.event, now) == text


@pytest.mark.parametrize(
    ("taken", "now", "shown"),
    [
        pytest.param(0, "09:00", [], id="open"),
        pytest.param(3, "09:00", [], id="more than a fifth left"),
        pytest.param(4, "09:00", [("filling", "Filling up")], id="a fifth left"),
        pytest.param(5, "09:00", [("full", "Full")], id="full"),
        pytest.param(9, "09:00", [("full", "Full")], id="more than there are"),
        pytest.param(0, "20:00", [("now", "On now"), ("closed", "Sign-up closed")], id="closed"),
    ],
)
def test_flags_of_a_list_of_ours(taken: int, now: str, shown: list[tuple[str, str]]) -> None:
    event = make_social()
    SignUp.objects.create(event=event, places=5, taken=taken)

    assert flags(card_of(Event.objects.get(pk=event.pk), clock(now))) == shown


def test_hiding_what_is_full_hides_full_lists_of_ours_and_what_is_past_its_deadline() -> None:
    conference = make_conference()
    for title, places, taken in [("full", 5, 5), ("left", 5, 4)]:
        event = make_event(conference, kind="social", title=title, start="19:00", end="21:00")
        SignUp.objects.create(event=event, places=places, taken=taken)
    ours = make_event(conference, kind="social", title="said to be full", start="19:00", end="21:00", signup_state="full")
    SignUp.objects.create(event=ours, places=5)
    for title, until in [("late", "08:00"), ("in time", "10:00")]:
        make_event(conference, kind="social", title=title, start="19:00", end="21:00", signup_until=at(until))
    make_event(conference, kind="social", title="plain", start="19:00", end="21:00")

    page = socials(conference, clock("09:00"), QueryDict("places=1"))

    assert {card.title for _, cards in page.days for card in cards} == {"left", "said to be full", "in time", "plain"}
    assert page.hide_full is not None
    assert page.hide_full.count == 2

"""Organisers' passwords: who may try how often, what a try costs, and what the log says of it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace
from unittest.mock import patch

import pytest
import time_machine
from django.contrib import admin
from django.contrib.auth.hashers import MD5PasswordHasher
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client, RequestFactory

from events.core.limits import STAFF_PASSWORDS
from events.models import Tally
from events.staff import sign_in
from events.staff.sign_in import STAFF_BROWSER_COOKIE
from tests.staff.signing_in import ADMIN, LOGIN, PASSWORD, from_network, is_in, log_in, make_staff

pytestmark = pytest.mark.django_db
NOON = dt.datetime(2025, 4, 24, 12, tzinfo=dt.UTC)
HOME, VENUE = "192.0.2.1", "198.51.100.7"


@pytest.fixture
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twelve tries an hour of a network and eleven of an account, so that a test need not make hundreds."""
    monkeypatch.setattr(sign_in, "STAFF_PASSWORDS", replace(STAFF_PASSWORDS, network=12, in_all=11))


@pytest.fixture
def hashed() -> Iterator[list[str]]:
    """The passwords that were hashed, which is what costs a processor."""
    passwords: list[str] = []
    encode = MD5PasswordHasher.encode

    def counting(self: MD5PasswordHasher, password: str, salt: str) -> str:
        passwords.append(password)
        return encode(self, password, salt)

    with patch.object(MD5PasswordHasher, "encode", counting):
        yield passwords


def test_right_password_opens_the_page_that_was_wanted(client: Client) -> None:
    make_staff()
    led = client.get("/organise/events/room/")

    answer = client.post(led["Location"], {"login": "Grace", "password": PASSWORD, "next": "/organise/events/room/"})

    assert led["Location"] == "/organise/login/?next=/organise/events/room/"
    assert (answer.status_code, answer["Location"], is_in(client)) == (302, "/organise/events/room/", True)


@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"])
def test_nobody_is_led_to_another_site(client: Client, target: str) -> None:
    make_staff()

    answers = [
        client.post(f"{LOGIN}?next={target}", {"login": "Grace", "password": PASSWORD, "next": target}),
        client.get(LOGIN, {"next": target}),
    ]

    assert [it["Location"] for it in answers] == [ADMIN, ADMIN]


def test_wrong_password_gets_a_sentence_and_a_line_in_the_log(client: Client, lines: list[str]) -> None:
    make_staff()

    answer = log_in(client, password="my secret guess", REMOTE_ADDR=HOME)

    assert (answer.status_code, is_in(client)) == (422, False)
    assert "Name and password do not belong together." in answer.text
    assert lines == ["wrong password: name 'Grace', network 192.0.2.1"]


def test_log_shows_control_characters_and_never_a_password(client: Client, lines: list[str]) -> None:
    log_in(client, name="Grace\r\nsigned in: \x1b[31mroot\u202e", password="my secret guess", REMOTE_ADDR=HOME)

    assert lines == [r"wrong password: name 'Grace\r\nsigned in: \x1b[31mroot\u202e', network 192.0.2.1"]


def test_sign_in_is_logged_and_the_next_one_shows_when_it_was(lines: list[str]) -> None:
    make_staff()
    with time_machine.travel(NOON, tick=False):
        log_in(from_network(HOME))

    page = from_network(VENUE).post(LOGIN, {"login": "Grace", "password": PASSWORD}, follow=True)

    assert "Your last sign-in was on 24 Apr 2025 12:00, UTC." in page.text
    assert lines == [f"signed in with password: name 'Grace', network {it}" for it in (HOME, VENUE)]


@pytest.mark.parametrize(
    "person",
    [
        pytest.param({}, id="no organiser"),
        pytest.param({"is_staff": True, "is_active": False}, id="deactivated"),
        pytest.param({"is_superuser": True}, id="superuser without staff status"),
    ],
)
def test_password_of_others_opens_nothing_and_says_nothing(client: Client, person: dict[str, bool]) -> None:
    User.objects.create_user("Grace", password=PASSWORD, **person)

    answers = [log_in(client), log_in(client, name="nobody")]

    assert [(it.status_code, it.context["form"].non_field_errors()) for it in answers] == [
        (422, ["Name and password do not belong together. Capitals matter in both."])
    ] * 2
    assert not any("_auth_user_id" in session.get_decoded() for session in Session.objects.all())


@pytest.mark.parametrize("name", ["Grace", "attendee", "gone", "nobody"])
def test_known_and_unknown_names_cost_one_hash_each(client: Client, hashed: list[str], name: str) -> None:
    make_staff()
    make_staff("gone", is_active=False)
    User.objects.create_user("attendee")
    hashed.clear()

    log_in(client, name=name, password="a guess")

    assert len(hashed) == 1


def test_eleventh_try_in_a_quarter_of_an_hour_is_refused_before_it_is_looked_at(hashed: list[str], lines: list[str]) -> None:
    make_staff()
    with time_machine.travel(NOON, tick=False) as clock:
        for number in range(10):
            log_in(from_network(HOME), password=f"guess {number}")
        hashed.clear()

        refused = log_in(from_network(HOME))
        clock.shift(dt.timedelta(minutes=16))
        later = log_in(from_network(HOME))

    assert (refused.status_code, refused["Retry-After"]) == (429, "900")
    assert "Wait a quarter of an hour, then try again" in refused.text
    assert (hashed[:1], later["Location"]) == ([PASSWORD], ADMIN)
    assert lines[10:] == [
        "password refused, too many tries: name 'Grace', network 192.0.2.1",
        "signed in with password: name 'Grace', network 192.0.2.1",
    ]


def test_spelling_of_a_name_gives_no_more_tries() -> None:
    answers = [log_in(from_network(HOME), name=name, password="guess") for name in ["Grace", " grace", "ＧＲＡＣＥ"] * 4]

    assert [it.status_code for it in answers] == [422] * 10 + [429] * 2


def test_right_password_clears_the_tries_of_its_account_in_its_network() -> None:
    make_staff()
    for _ in range(2):
        for _ in range(9):
            log_in(from_network(HOME), password="guess")
        assert log_in(from_network(HOME)).status_code == 302

    assert log_in(from_network(HOME), password="guess").status_code == 422


def test_own_account_gives_no_more_tries_at_another_one() -> None:
    make_staff()
    make_staff("Mallory")
    answers = []
    for _ in range(3):
        answers += [log_in(from_network(HOME), password="guess").status_code for _ in range(5)]
        log_in(from_network(HOME), name="Mallory")

    assert answers == [422] * 10 + [429] * 5


@pytest.mark.usefixtures("_few")
def test_network_has_so_many_tries_and_others_can_sign_in(hashed: list[str]) -> None:
    make_staff()
    answers = [log_in(from_network(VENUE), name=f"name {number}", password="guess").status_code for number in range(20)]
    hashed.clear()

    at_the_venue, elsewhere = log_in(from_network(VENUE)), log_in(from_network(HOME))

    assert answers == [422] * 12 + [429] * 8
    assert (at_the_venue.status_code, at_the_venue["Retry-After"], elsewhere.status_code) == (429, "3600", 302)
    assert hashed == [PASSWORD]


def test_thirty_tries_a_minute_are_the_most_of_a_network(hashed: list[str]) -> None:
    make_staff()
    with time_machine.travel(NOON, tick=False) as clock:
        hashed.clear()
        answers = [log_in(from_network(VENUE), name=f"name {number}", password="guess") for number in range(32)]
        cost = len(hashed)
        elsewhere = log_in(from_network(HOME))
        clock.shift(dt.timedelta(seconds=61))
        later = log_in(from_network(VENUE))

    assert ([it.status_code for it in answers], answers[-1]["Retry-After"]) == ([422] * 30 + [429] * 2, "60")
    assert (cost, elsewhere.status_code, later.status_code) == (30, 302, 302)


@pytest.mark.usefixtures("_few")
@pytest.mark.parametrize("names", [["Grace"] * 14, [f"name {number}" for number in range(14)]], ids=["one", "many"])
def test_refused_tries_write_nothing(names: list[str]) -> None:
    for name in names:
        log_in(from_network(HOME), name=name, password="guess")
    before = list(Tally.objects.order_by("key").values())

    answer = log_in(from_network(HOME), name=names[0], password="guess")

    assert (answer.status_code, list(Tally.objects.order_by("key").values())) == (429, before)


@pytest.mark.usefixtures("_few")
def test_browser_that_was_in_before_is_locked_out_by_nobody() -> None:
    make_staff()
    known = from_network(VENUE)
    log_in(known)
    known.post("/organise/logout/")
    # More than an account has, from many networks, and more than a network has.
    for number in range(12):
        log_in(from_network(f"203.0.113.{number}"), password="guess")
    for number in range(13):
        log_in(from_network(VENUE), name=f"name {number}", password="guess")

    strangers = [log_in(from_network(address)).status_code for address in (VENUE, HOME)]

    assert strangers == [429, 429]
    assert (log_in(known).status_code, is_in(known)) == (302, True)


def test_browser_that_was_in_before_has_ten_tries_too() -> None:
    make_staff()
    known = from_network(VENUE)
    log_in(known)
    known.post("/organise/logout/")

    answers = [log_in(known, password="guess").status_code for _ in range(11)]

    assert answers == [422] * 10 + [429]


@pytest.mark.usefixtures("_few")
@pytest.mark.parametrize("whose", ["of another account", "made up"])
def test_cookie_of_a_known_browser_is_good_for_its_account_alone(whose: str) -> None:
    make_staff()
    make_staff("Mallory")
    client = from_network(HOME)
    log_in(client, name="Mallory")
    client.post("/organise/logout/")
    if whose == "made up":
        client.cookies[STAFF_BROWSER_COOKIE] = "eyJhY2NvdW50IjoiZ3JhY2UifQ:1u7abc:signature"

    answers = [log_in(from_network(f"203.0.113.{number}"), password="guess").status_code for number in range(11)]

    assert set(answers) == {422}
    assert log_in(client).status_code == 429


def test_cookie_of_a_known_browser_is_for_the_admin_alone(client: Client) -> None:
    make_staff()

    cookie = log_in(client).cookies[STAFF_BROWSER_COOKIE]

    assert (cookie["path"], cookie["httponly"], cookie["samesite"], "Grace" in cookie.value) == (ADMIN, True, "Lax", False)
    assert not log_in(Client(), password="guess").cookies.get(STAFF_BROWSER_COOKIE)


def test_password_in_a_very_long_name_is_not_hashed(client: Client, hashed: list[str]) -> None:
    answer = log_in(client, name="x" * 151)

    assert (answer.status_code, hashed) == (422, [])


@pytest.mark.parametrize("fields", [{}, {"login": "a\x00b", "password": "x"}, {"login": "Grace"}, {"password": "x"}])
def test_incomplete_form_gets_a_sentence(client: Client, fields: dict[str, str]) -> None:
    answer = client.post(LOGIN, fields)

    assert (answer.status_code, bool(answer.context["form"].errors)) == (422, True)


def test_djangos_own_login_signs_nobody_in(rf: RequestFactory) -> None:
    make_staff()
    fields = {"username": "Grace", "password": PASSWORD}

    answer = admin.site.login(rf.post(LOGIN, fields))

    assert (answer.status_code, answer["Location"], Client().post(LOGIN, fields).status_code) == (302, LOGIN, 422)


def test_account_that_is_no_organisers_any_more_is_not_led_in_a_circle(client: Client) -> None:
    user = make_staff()
    log_in(client)
    User.objects.filter(pk=user.pk).update(is_staff=False)

    answers = [client.get(ADMIN), client.get(LOGIN)]

    assert [it.status_code for it in answers] == [302, 200]
    make_staff("Ada")
    assert (log_in(client, name="Ada").status_code, is_in(client)) == (302, True)

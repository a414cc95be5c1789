"""What ends when a password or a factor changes: other sessions, half a sign-in, the tries of browsers known before."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.staff.signing_in import (
    FACTORS,
    LOGIN,
    PASSWORD,
    app_code,
    enter,
    from_network,
    give_app,
    is_in,
    log_in,
    make_staff,
    recovery_codes_of,
)

pytestmark = pytest.mark.django_db
CHANGE = "/organise/password_change/"
NEW = "another battery of horses"
HOME, VENUE = "192.0.2.1", "198.51.100.7"


def change_password(client: Client, old: str, new: str = NEW) -> int:
    return client.post(CHANGE, {"old_password": old, "new_password1": new, "new_password2": new}).status_code


def test_old_password_is_counted_and_logged(lines: list[str]) -> None:
    make_staff()
    client = from_network(HOME)
    log_in(client)

    statuses = [change_password(client, f"guess {number}") for number in range(12)]

    assert statuses == [200] * 10 + [429] * 2
    assert (
        lines[1:]
        == ["wrong password: name 'Grace', network 192.0.2.1"] * 10
        + ["password refused, too many tries: name 'Grace', network 192.0.2.1"] * 2
    )


def test_weak_new_password_is_no_wrong_old_one(lines: list[str]) -> None:
    make_staff()
    client = from_network(HOME)
    log_in(client)

    assert (change_password(client, PASSWORD, "12345678"), lines[1:]) == (200, [])


def test_browser_stays_known_after_it_changed_the_password(lines: list[str]) -> None:
    make_staff()
    client = from_network(HOME)
    log_in(client)

    assert change_password(client, PASSWORD) == 302
    client.post("/organise/logout/")
    for number in range(10):
        log_in(from_network(HOME), password=f"guess {number}")

    assert lines[1] == "password changed: name 'Grace', network 192.0.2.1"
    assert (log_in(from_network(HOME), password=NEW).status_code, log_in(client, password=NEW).status_code) == (429, 302)


def test_browser_known_by_a_former_password_is_a_stranger() -> None:
    user = make_staff()
    client = from_network(HOME)
    log_in(client)
    client.post("/organise/logout/")
    user.set_password(NEW)
    user.save()
    for number in range(10):
        log_in(from_network(HOME), password=f"guess {number}")

    assert log_in(client, password="guess 11").status_code == 429


def test_browser_has_its_tries_once_however_often_it_signed_in() -> None:
    make_staff()
    client, cookies = from_network(HOME), []
    for _ in range(3):
        log_in(client)
        client.post("/organise/logout/")
        cookies.append(client.cookies["hallway_staff"].value)

    statuses = []
    for number in range(12):
        client.cookies["hallway_staff"] = cookies[number % 3]
        statuses.append(log_in(client, password=f"guess {number}").status_code)

    assert statuses == [422] * 10 + [429] * 2


def test_known_browsers_of_a_network_have_thirty_tries_a_minute_together() -> None:
    make_staff()
    browsers = [from_network(VENUE) for _ in range(4)]
    for browser in browsers:
        log_in(browser)
        browser.post("/organise/logout/")

    statuses = [log_in(browser, password=f"guess {number}").status_code for browser in browsers for number in range(9)]

    # Nobody was known at the first sign-in; wrong and right ones count.
    assert statuses.count(422) == 30
    assert statuses[30:] == [429] * 6


@pytest.mark.parametrize("change", ["password", "is_active", "is_staff"])
def test_half_a_sign_in_ends_with_a_change_of_the_account(client: Client, change: str, lines: list[str]) -> None:
    user = give_app(make_staff())
    log_in(client)
    other = User.objects.get(pk=user.pk)
    if change == "password":
        other.set_password(NEW)
    else:
        setattr(other, change, False)
    other.save()

    answers = [enter(client, recovery_codes_of(user)[0]), enter(client, app_code())]

    assert ([(it.status_code, it["Location"]) for it in answers], is_in(client)) == ([(302, LOGIN)] * 2, False)
    if change != "is_active":
        assert lines[-1].startswith("second step refused, the account has changed since the first: name 'Grace'")


def test_removed_factor_ends_all_other_sessions() -> None:
    user = give_app(make_staff())
    phone, desk = Client(), Client()
    log_in(phone)
    enter(phone, recovery_codes_of(user)[0])
    log_in(desk)
    enter(desk, recovery_codes_of(user)[0])
    desk.post(f"{FACTORS}password/", {"password": PASSWORD, "next": f"{FACTORS}app/remove/"})
    assert is_in(phone)

    assert desk.post(f"{FACTORS}app/remove/").status_code == 302

    assert (is_in(phone), desk.get(FACTORS).status_code) == (False, 200)


@pytest.mark.parametrize(
    "credential", ["[" * 19_000, "9" * 5_000, '{"id":"\\ud800","response":{}}', "x" * 20_001, '{"id":"\ud800"}']
)
@pytest.mark.parametrize("page", ["add", "sign in"])
def test_passkey_that_no_browser_sends_is_refused(client: Client, page: str, credential: str) -> None:
    user = make_staff()
    if page == "sign in":
        give_app(user)
    log_in(client)
    url = "/organise/login/code/"
    if page == "add":
        url = f"{FACTORS}passkeys/add/"
        client.post(f"{FACTORS}password/", {"password": PASSWORD, "next": url})
    client.get(url)

    form = urlencode({"name": "Key", "credential": credential}, errors="surrogatepass")
    answer = client.post(url, form, content_type="application/x-www-form-urlencoded")

    assert (answer.status_code, "ud800" in answer.text) == (422, False)

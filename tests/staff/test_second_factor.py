"""The second factor at the door: codes of an app, recovery codes, and every way round them."""

from __future__ import annotations

import datetime as dt

import pytest
import time_machine
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries, Settings

from tests.factories import make_conference, make_event
from tests.staff.signing_in import (
    ADMIN,
    CODE,
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
    setting_of,
    wrong_code,
)

pytestmark = pytest.mark.django_db
NOON = dt.datetime(2025, 4, 24, 12, tzinfo=dt.UTC)
HOME = "192.0.2.1"


@pytest.fixture
def grace(db: None) -> User:
    return give_app(make_staff())


@pytest.mark.usefixtures("grace")
def test_password_then_code_opens_the_page_that_was_wanted(client: Client, lines: list[str]) -> None:
    asked = client.post(LOGIN, {"login": "Grace", "password": PASSWORD, "next": "/organise/events/room/"})
    page = client.get(asked["Location"])

    answer = enter(client, app_code())

    assert (asked["Location"], page.status_code, answer["Location"]) == (CODE, 200, "/organise/events/room/")
    assert (is_in(client), lines) == (True, ["signed in with second factor: name 'Grace', network 127.0.0.1"])


@pytest.mark.parametrize("steps", [-1, 1])
@pytest.mark.usefixtures("grace")
def test_clock_of_the_phone_may_be_half_a_minute_off(client: Client, steps: int) -> None:
    with time_machine.travel(NOON, tick=False):
        log_in(client)

        assert enter(client, app_code(steps=steps)).status_code == 302


@pytest.mark.usefixtures("grace")
def test_wrong_code_gets_a_sentence_and_a_line_in_the_log(client: Client, lines: list[str]) -> None:
    log_in(client)

    answer = enter(client, wrong_code())

    assert (answer.status_code, is_in(client)) == (422, False)
    assert "That code is wrong, was used before or has expired." in answer.text
    assert lines == ["wrong second factor: name 'Grace', network 127.0.0.1"]


@pytest.mark.parametrize("typed", ["{}", "{0:.3} {1}", "{0:.3}-{1}"], ids=["the same", "with a space", "with a dash"])
@pytest.mark.usefixtures("grace")
def test_code_works_once(typed: str) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        code = app_code()
        browsers = [Client(), Client()]
        for client in browsers:
            log_in(client)
        first = enter(browsers[0], code)
        # It would be valid for some time yet.
        clock.shift(dt.timedelta(seconds=29))
        second = enter(browsers[1], typed.format(code, code[3:]))

    assert (first.status_code, second.status_code, is_in(browsers[1])) == (302, 422, False)


@pytest.mark.usefixtures("grace")
def test_code_works_once_over_all_processes(settings: Settings) -> None:
    """The cache of a process is no place for what all processes must know."""
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}}
    browsers = [Client(), Client()]
    for client in browsers:
        log_in(client)

    answers = [enter(client, app_code()).status_code for client in browsers]

    assert answers == [302, 422]


def test_recovery_code_opens_once(grace: User) -> None:
    code, browsers = recovery_codes_of(grace)[3], [Client(), Client()]
    for client in browsers:
        log_in(client)

    answers = [enter(client, code).status_code for client in browsers]

    assert (answers, code in recovery_codes_of(grace), len(recovery_codes_of(grace))) == ([302, 422], False, 9)


def test_ten_codes_in_a_quarter_of_an_hour_are_the_most(grace: User, lines: list[str]) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        clients = [from_network(f"192.0.2.{number}") for number in range(12)]
        for client in clients:
            log_in(client)
        wrong = [enter(client, wrong_code()).status_code for client in clients[:10]]

        refused = enter(clients[10], app_code())
        recovery = enter(clients[11], recovery_codes_of(grace)[0])
        passkey = clients[11].post(CODE, {"credential": '{"id": "x"}'})
        clock.shift(dt.timedelta(minutes=16))
        log_in(clients[10])
        later = enter(clients[10], app_code())

    assert wrong == [422] * 10
    assert [(it.status_code, it["Retry-After"]) for it in (refused, recovery, passkey)] == [(429, "900")] * 3
    assert "Too many codes were tried for this account." in refused.text
    assert (later.status_code, lines[10]) == (302, "second factor refused, too many tries: name 'Grace', network 192.0.2.10")


@pytest.mark.usefixtures("grace")
def test_hundred_codes_a_day_are_the_most(client: Client) -> None:
    answers = []
    with time_machine.travel(NOON, tick=False) as clock:
        for _ in range(11):
            log_in(client)
            answers += [enter(client, wrong_code()).status_code for _ in range(10)]
            clock.shift(dt.timedelta(minutes=16))
        refused = enter(client, app_code()) if log_in(client) else None

    assert (answers.count(422), answers[-10:]) == (100, [429] * 10)
    assert refused is not None
    assert (refused.status_code, refused["Retry-After"], "Wait a day" in refused.text) == (429, "86400", True)


@pytest.mark.usefixtures("grace")
def test_right_code_clears_the_wrong_ones() -> None:
    for minutes in (0, 5):
        with time_machine.travel(NOON + dt.timedelta(minutes=minutes), tick=False):
            client = Client()
            log_in(client)
            wrong = [enter(client, wrong_code()).status_code for _ in range(9)]

            assert [*wrong, enter(client, app_code()).status_code] == [422] * 9 + [302]


@pytest.mark.parametrize(
    "credential",
    [
        "",
        "null",
        "[]",
        "{}",
        "1",
        "not json",
        '{"id": "x"}',
        '{"id":"AAAA","rawId":"AAAA","type":"public-key","response":{"clientDataJSON":"AAAA"}}',
        '{"id":"AAAA","rawId":"AAAA","type":"public-key","response":{"clientDataJSON":"e30","authenticatorData":"AAAA","signature":""}}',
        '{"id":1,"rawId":1,"type":1,"response":1}',
        '{"id":"é","rawId":"é","type":"public-key","response":{}}',
    ],
)
@pytest.mark.usefixtures("grace")
def test_made_up_passkey_opens_nothing(client: Client, credential: str) -> None:
    log_in(client)
    client.get(CODE)

    answer = client.post(CODE, {"credential": credential})

    assert (answer.status_code, is_in(client)) == (422, False)


@pytest.mark.usefixtures("grace")
@pytest.mark.parametrize(
    "url",
    [ADMIN, "/organise/events/room/", "/organise/password_change/", "/organise/jsi18n/", FACTORS]
    + [f"{FACTORS}{page}/" for page in ["app", "app/remove", "recovery-codes", "recovery-codes/replace", "passkeys/add", "code"]],
)
def test_password_alone_opens_nothing(client: Client, url: str) -> None:
    log_in(client)

    answers = [client.get(url), client.post(url, {"action": "delete"})]

    assert [(it.status_code, it["Location"].partition("?")[0]) for it in answers] == [(302, LOGIN)] * 2
    assert "_auth_user_id" not in client.session


@pytest.mark.usefixtures("grace", "_required")
@pytest.mark.parametrize("url", ["/organise/events/room/", "/organise/events/session/add/", "/organise/jsi18n/"])
def test_session_from_elsewhere_that_lacks_the_factor_opens_nothing(client: Client, url: str) -> None:
    """As if another way to a session were found: each page of the admin looks for the factor itself."""
    client.login(username="Grace", password=PASSWORD)

    answers = [client.get(url), client.post(url, {"title": "Mine"})]

    assert [(it.status_code, it["Location"]) for it in answers] == [(302, f"{LOGIN}?next={url}")] * 2
    assert client.get(answers[0]["Location"])["Location"] == FACTORS


@pytest.mark.usefixtures("grace", "_required")
@pytest.mark.parametrize(
    "place", ["", "app/", "app/remove/", "recovery-codes/", "recovery-codes/replace/", "passkeys/add/", "password/"]
)
def test_session_older_than_the_factor_cannot_change_it(client: Client, place: str) -> None:
    """Opened with the password alone, before the factor was set up in another browser."""
    client.login(username="Grace", password=PASSWORD)

    answers = [client.get(f"{FACTORS}{place}"), client.post(f"{FACTORS}{place}", {"password": PASSWORD})]

    assert [(it.status_code, it["Location"].partition("?")[0]) for it in answers] == [(302, f"{FACTORS}code/")] * 2
    assert Authenticator.objects.count() == 2


@pytest.mark.usefixtures("grace", "_required")
def test_session_older_than_the_factor_is_opened_by_it(client: Client) -> None:
    client.login(username="Grace", password=PASSWORD)
    asked = client.get(client.get(ADMIN, follow=True).redirect_chain[-1][0])

    wrong = client.post(f"{FACTORS}code/", {"code": wrong_code(), "next": FACTORS})
    right = client.post(f"{FACTORS}code/", {"code": app_code(), "next": FACTORS})

    assert (asked.status_code, wrong.status_code, right["Location"], is_in(client)) == (200, 422, FACTORS, True)


@pytest.mark.usefixtures("grace", "_required")
def test_factor_of_one_account_opens_no_other(client: Client) -> None:
    log_in(client)
    enter(client, app_code())
    make_staff("Ada")

    client.login(username="Ada", password=PASSWORD)

    assert not is_in(client)


@pytest.mark.usefixtures("_required")
def test_other_account_cannot_be_slipped_in_between_password_and_code(client: Client) -> None:
    """Mallory knows Grace's password, and has recovery codes of her own."""
    make_staff()
    give_app(User.objects.get(username="Grace"))
    mallory = make_staff("Mallory")
    log_in(client, name="Mallory")
    client.post("/organise/login/cancel/")
    Authenticator.objects.create(user=mallory, type="totp", data={"secret": get_adapter().encrypt("MFRGGZDFMZTWQ2LK")})
    log_in(client, name="Mallory")
    log_in(client)

    answer = enter(client, app_code("MFRGGZDFMZTWQ2LK"))

    assert (answer.status_code, is_in(client)) == (422, False)


@pytest.mark.usefixtures("grace")
def test_code_without_the_password_is_not_asked_for(client: Client) -> None:
    assert [client.get(CODE)["Location"], enter(client, app_code())["Location"]] == [LOGIN, LOGIN]


@pytest.mark.usefixtures("grace")
def test_quarter_of_an_hour_between_password_and_code_is_the_most(client: Client) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        log_in(client)
        clock.shift(dt.timedelta(minutes=16))

        assert enter(client, app_code())["Location"] == LOGIN


def test_deactivated_between_password_and_code(client: Client, grace: User) -> None:
    log_in(client)
    User.objects.filter(pk=grace.pk).update(is_active=False)
    enter(client, app_code())

    assert not is_in(client)


@pytest.mark.usefixtures("grace")
def test_sign_in_can_be_broken_off(client: Client) -> None:
    log_in(client)

    answers = [client.get("/organise/login/cancel/").status_code, client.post("/organise/login/cancel/")["Location"]]

    assert (answers, enter(client, app_code())["Location"]) == ([405, LOGIN], LOGIN)


@pytest.mark.usefixtures("grace", "_required")
def test_signing_out_ends_what_the_factor_opened(client: Client) -> None:
    log_in(client)
    enter(client, app_code())
    client.post(reverse("admin:logout"))

    client.login(username="Grace", password=PASSWORD)

    assert not is_in(client)


@pytest.mark.usefixtures("_required")
def test_whoever_has_no_factor_is_led_to_set_one_up(client: Client) -> None:
    make_staff()

    landed = client.post(LOGIN, {"login": "Grace", "password": PASSWORD, "next": "/organise/events/room/"}, follow=True)

    assert [url for url, _ in landed.redirect_chain] == [
        "/organise/events/room/",
        f"{LOGIN}?next=/organise/events/room/",
        FACTORS,
    ]
    assert "This site asks organisers for a second factor" in landed.text
    assert (is_in(client), client.get("/organise/events/room/").status_code) == (False, 302)


def test_site_that_requires_none_asks_none(client: Client) -> None:
    make_staff()

    log_in(client)

    assert is_in(client)


@pytest.mark.parametrize(("url", "required"), [("https://x.example", "True"), ("http://127.0.0.1:8000", "False")])
def test_public_site_requires_one_unless_it_says_otherwise(url: str, required: str) -> None:
    assert setting_of("REQUIRE_SECOND_FACTOR", SITE_URL=url) == required
    assert setting_of("REQUIRE_SECOND_FACTOR", SITE_URL=url, REQUIRE_SECOND_FACTOR="no") == "False"
    assert setting_of("REQUIRE_SECOND_FACTOR", SITE_URL=url, REQUIRE_SECOND_FACTOR="yes") == "True"


@pytest.mark.parametrize("is_required", [False, True])
def test_requirement_asks_the_database_nothing(
    client: Client, grace: User, settings: Settings, is_required: bool, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    make_event(make_conference())
    log_in(client)
    enter(client, app_code())
    settings.REQUIRE_SECOND_FACTOR = is_required
    client.get(reverse("admin:jsi18n"))

    # Session and user, as without any second factor.
    with django_assert_num_queries(2):
        client.get(reverse("admin:jsi18n"))

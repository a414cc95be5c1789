"""Setting a second factor up, replacing and removing it, and what is stored of it."""

from __future__ import annotations

import base64
import datetime as dt
import json
import re
from typing import Any
from urllib.parse import urlencode

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from events.models import Letter
from tests.admin.test_site import INLINE
from tests.staff.signing_in import (
    FACTORS,
    PASSWORD,
    SECRET,
    app_code,
    enter,
    give_app,
    is_in,
    log_in,
    make_staff,
    recovery_codes_of,
    wrong_code,
)

pytestmark = pytest.mark.django_db
APP, CODES, PASSKEY = f"{FACTORS}app/", f"{FACTORS}recovery-codes/", f"{FACTORS}passkeys/add/"


def confirm(client: Client, page: str) -> HttpResponse:
    """Ask for a page, and give the password that is asked for before it."""
    asked = client.get(page)
    assert asked["Location"] == f"{FACTORS}password/?{urlencode({'next': page})}"
    return client.post(asked["Location"], {"password": PASSWORD, "next": page})


def set_up(client: Client) -> str:
    """Set up an app as its owner does; the secret that the page shows."""
    confirm(client, APP)
    secret: str = client.get(APP).context["form"].secret
    assert client.post(APP, {"code": app_code(secret)})["Location"] == CODES
    return secret


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("_required")
def test_app_is_set_up_after_the_first_password(client: Client, lines: list[str]) -> None:
    user = make_staff(email="grace@example.org")
    log_in(client)
    confirm(client, APP)
    page = client.get(APP)
    secret = page.context["form"].secret

    wrong = client.post(APP, {"code": wrong_code() if wrong_code() != app_code(secret) else "999999"})
    right = client.post(APP, {"code": app_code(secret)})

    assert (wrong.status_code, wrong.context["form"].secret, right["Location"]) == (422, secret, CODES)
    assert is_in(client)
    shown = re.findall(r"<code>(\d{8})</code>", client.get(CODES).text)
    assert (len(set(shown)), shown) == (10, recovery_codes_of(user))
    assert lines[-2:] == [f"{it} added: name 'Grace', network 127.0.0.1" for it in ("authenticator app", "recovery codes")]
    letters = list(Letter.objects.order_by("pk").values_list("to", "subject"))
    assert ("grace@example.org", "Your sign-in at 127.0.0.1:8000: authenticator app added") in letters


def test_page_shows_the_key_as_a_picture_and_as_text(client: Client) -> None:
    make_staff()
    log_in(client)
    confirm(client, APP)

    page = client.get(APP)

    drawing = base64.b64decode(page.context["totp_svg_data_uri"].partition("base64,")[2]).decode()
    assert page.context["totp_url"].startswith("otpauth://totp/Grace?secret=")
    assert (page.context["form"].secret in page.text, 'src="data:image/svg+xml;base64,' in page.text) == (True, True)
    assert ("<svg" in drawing, "style=" in drawing, "<script" in drawing) == (True, False, False)


def test_code_that_set_the_app_up_signs_nobody_in(client: Client) -> None:
    make_staff()
    log_in(client)
    with time_machine.travel(dt.datetime(2025, 4, 24, 12, tzinfo=dt.UTC), tick=False):
        secret = set_up(client)
        other = Client()
        log_in(other)

        assert enter(other, app_code(secret)).status_code == 422


@pytest.mark.usefixtures("_required")
@pytest.mark.parametrize("url", [APP, PASSKEY, f"{CODES}replace/"])
def test_change_asks_for_the_password_again(client: Client, url: str) -> None:
    make_staff()
    log_in(client)
    asked = [client.get(url)["Location"], client.post(url, {"code": "123456"})["Location"]]

    wrong = client.post(asked[0], {"password": "guess", "next": url})

    assert asked == [f"{FACTORS}password/?{urlencode({'next': url})}"] * 2
    assert (wrong.status_code, client.get(url).status_code, Authenticator.objects.count()) == (422, 302, 0)


def test_password_for_a_change_is_counted_and_logged(client: Client, lines: list[str]) -> None:
    make_staff()
    log_in(client)
    lines.clear()

    answers = [client.post(f"{FACTORS}password/", {"password": "guess"}) for _ in range(11)]

    assert [it.status_code for it in answers] == [422] * 10 + [429]
    assert lines[0] == "wrong password: name 'Grace', network 127.0.0.1"


def test_confirmation_lasts_five_minutes(client: Client) -> None:
    give_app(make_staff())
    with time_machine.travel(dt.datetime(2025, 4, 24, 12, tzinfo=dt.UTC), tick=False) as clock:
        log_in(client)
        enter(client, app_code())
        confirm(client, CODES)
        before = client.get(CODES).status_code
        clock.shift(dt.timedelta(minutes=6))

        assert (before, client.get(CODES).status_code) == (200, 302)


@pytest.mark.usefixtures("_required")
def test_removing_the_app_ends_the_recovery_codes_and_asks_for_a_new_factor(client: Client, lines: list[str]) -> None:
    user = give_app(make_staff())
    log_in(client)
    enter(client, app_code())
    confirm(client, f"{APP}remove/")

    answer = client.post(f"{APP}remove/")

    assert (answer["Location"], list(Authenticator.objects.filter(user=user))) == (FACTORS, [])
    assert (is_in(client), lines[-2]) == (False, "authenticator app removed: name 'Grace', network 127.0.0.1")


def test_new_recovery_codes_replace_the_old_ones(client: Client) -> None:
    user = give_app(make_staff())
    log_in(client)
    enter(client, app_code())
    confirm(client, f"{CODES}replace/")
    old = recovery_codes_of(user)

    client.post(f"{CODES}replace/")

    assert set(old) & set(recovery_codes_of(user)) == set()


def test_database_alone_makes_no_code(settings: Settings) -> None:
    """What is stored is encrypted with the site's key; a former key still reads it."""
    user = give_app(make_staff())
    stored = json.dumps(list(Authenticator.objects.values_list("data", flat=True)))
    codes = recovery_codes_of(user)

    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "n" * 50, [settings.SECRET_KEY]

    assert (SECRET in stored, "seed" in json.loads(stored)[0].values()) == (False, False)
    assert recovery_codes_of(user) == codes


@pytest.mark.parametrize("where", ["code", "factors"])
def test_lost_key_of_the_site_is_explained(client: Client, settings: Settings, where: str, lines: list[str]) -> None:
    user = give_app(make_staff())
    settings.SECRET_KEY = "n" * 50
    log_in(client)
    if where == "factors":
        client.force_login(user)
        session = client.session
        session["second_factor"] = user.pk
        session.save()

    answer = enter(client, app_code()) if where == "code" else client.get(FACTORS)

    assert (answer.status_code, "stored with a former key of this site" in answer.text) == (409, True)
    assert lines[-1].startswith("second factor was encrypted with another SECRET_KEY")


@pytest.mark.parametrize("credential", ["", "{}", '{"id":"x"}', "[]", '{"id":"AAAA","rawId":"AAAA","response":{}}'])
def test_made_up_passkey_is_not_added(client: Client, credential: str) -> None:
    make_staff()
    log_in(client)
    confirm(client, PASSKEY)
    client.get(PASSKEY)

    answer = client.post(PASSKEY, {"name": "Key", "credential": credential})

    assert (answer.status_code, Authenticator.objects.count()) == (422, 0)


def test_nobody_removes_the_passkey_of_somebody_else(client: Client) -> None:
    theirs = Authenticator.objects.create(user=make_staff("Ada"), type="webauthn", data={"name": "Ada's", "credential": {}})
    make_staff()
    log_in(client)
    confirm(client, f"{FACTORS}passkeys/{theirs.pk}/remove/")

    answer = client.post(f"{FACTORS}passkeys/{theirs.pk}/remove/")

    assert (answer.status_code, Authenticator.objects.count()) == (404, 1)


def test_pages_have_nothing_inline_and_are_stored_nowhere(client: Client) -> None:
    give_app(make_staff())
    entrance = [client.get("/organise/login/"), log_in(client, password="guess")]
    log_in(client)
    entrance += [client.get("/organise/login/code/"), enter(client, wrong_code())]
    enter(client, app_code())
    confirm(client, CODES)
    pages = ["", "recovery-codes/", "recovery-codes/replace/", "app/remove/", "passkeys/add/", "password/", "code/"]

    answers = entrance + [client.get(FACTORS + page) for page in pages]

    assert [(it.status_code, INLINE.findall(it.text)) for it in answers] == [(code, []) for code in [200, 422] * 2 + [200] * 7]
    assert {it["Cache-Control"] for it in answers} == {"private, no-store"}


def test_lost_phone_is_forgotten_by_command(lines: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    user, ada, client = give_app(make_staff()), give_app(make_staff("Ada")), Client()
    log_in(client)
    enter(client, app_code())
    other = Client()
    other.force_login(ada)

    call_command("make_organiser", forget_second_factor="Grace")

    assert (list(Authenticator.objects.values_list("user", flat=True)), Session.objects.count()) == ([ada.pk] * 2, 1)
    assert (is_in(client), is_in(other), User.objects.get(pk=user.pk).check_password(PASSWORD)) == (False, True, True)
    assert lines[-1] == "second factor removed for a lost phone: name 'Grace'"
    assert "no second factor any more" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["grace", "attendee"])
def test_command_names_who_it_does_not_know(name: str) -> None:
    give_app(make_staff())
    User.objects.create_user("attendee")

    with pytest.raises(CommandError, match=f"No organiser has the name “{name}”"):
        call_command("make_organiser", forget_second_factor=name)

    assert Authenticator.objects.count() == 2


def colleagues(client: Client, user: User) -> HttpResponse:
    fields: dict[str, Any] = {"action": "second_factor_forget", "_selected_action": [user.pk]}
    return client.post("/organise/auth/user/", fields, follow=True)


def test_superuser_sees_and_removes_the_factor_of_a_colleague(client: Client) -> None:
    user = give_app(make_staff())
    client.force_login(User.objects.create_superuser("root"))
    listed = client.get("/organise/auth/user/")

    answer = colleagues(client, user)

    icons = re.findall(r'field-second_factor"><img src="[^"]*icon-(\w+)', listed.text)
    assert (sorted(icons), Authenticator.objects.count()) == (["no", "yes"], 0)
    assert "“Grace” has no second factor any more and is logged out." in answer.text


def test_others_cannot_remove_the_factor_of_a_colleague(client: Client) -> None:
    user = give_app(make_staff())
    client.force_login(make_staff("Ada"))

    answer = colleagues(client, user)

    assert (answer.status_code, Authenticator.objects.count()) == (403, 2)


def test_secrets_are_on_no_page_of_the_admin(client: Client) -> None:
    client.force_login(User.objects.create_superuser("root"))

    assert client.get("/organise/mfa/authenticator/").status_code == 404

"""A new password by mail: for organisers alone, limited, and never a way around the second factor."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from events.core.limits import STAFF_PASSWORD_MAILS
from events.mail.models import Letter
from events.web.redaction import hide_secrets
from tests.staff.signing_in import CODE, PASSWORD, from_network, give_app, is_in, log_in, make_staff

pytestmark = pytest.mark.django_db
FORGOTTEN = "/organise/password/"
GRACE, NEW = "grace@example.org", "another battery of horses"


def ask(client: Client, mailbox: str = GRACE) -> int:
    return client.post(FORGOTTEN, {"email": mailbox}).status_code


def mailed_link() -> str:
    found = re.search(r"/organise/new-password/\S+", Letter.objects.latest("pk").text)
    assert found
    return found[0]


def choose(client: Client, link: str, password: str = NEW) -> int:
    form = client.get(link, follow=True)
    return client.post(form.request["PATH_INFO"], {"password1": password, "password2": password}).status_code


def test_new_password_replaces_the_old_one_and_ends_sessions(client: Client, lines: list[str]) -> None:
    make_staff(email=GRACE)
    log_in(client)
    browser = Client()

    assert (ask(browser, "Grace@Example.org"), choose(browser, mailed_link())) == (302, 302)
    assert (is_in(client), is_in(browser)) == (False, False)
    assert log_in(browser, password=PASSWORD).status_code == 422
    assert (log_in(browser, password=NEW).status_code, is_in(browser)) == (302, True)
    assert "password chosen by mail: name 'Grace', network 127.0.0.1" in lines
    assert "was chosen anew" in Letter.objects.latest("pk").text


@pytest.mark.usefixtures("_required")
def test_second_factor_is_still_asked_for() -> None:
    give_app(make_staff(email=GRACE))
    browser = Client()
    ask(browser)
    choose(browser, mailed_link())

    assert log_in(browser, password=NEW)["Location"].startswith(CODE)
    assert not is_in(browser)


def test_nobody_learns_who_has_an_account() -> None:
    make_staff(email=GRACE)
    User.objects.create_user("attendee-1", email="visitor@example.org")
    User.objects.create_user("closed", email="closed@example.org", is_staff=True, is_active=False)

    pages = {Client().post(FORGOTTEN, {"email": each}, follow=True).text for each in [GRACE, "nobody@example.org"]}
    ask(Client(), "visitor@example.org")
    ask(Client(), "closed@example.org")

    assert len({re.sub(r"csrf\S+", "", page) for page in pages}) == 1
    assert [letter.to for letter in Letter.objects.all()] == [GRACE]


def test_link_of_an_account_that_was_closed_meanwhile_does_nothing() -> None:
    user = make_staff(email=GRACE)
    ask(Client())
    link = mailed_link()
    User.objects.filter(pk=user.pk).update(is_active=False)

    assert "does not work any more" in Client().get(link, follow=True).text


def test_mails_are_limited_for_each_mailbox() -> None:
    make_staff(email=GRACE)
    most = int(STAFF_PASSWORD_MAILS.mailbox or 0)

    statuses = [ask(from_network(f"192.0.2.{number}")) for number in range(most + 1)]

    assert (statuses, Letter.objects.count()) == ([302] * most + [429], most)


def test_page_of_the_password_is_not_kept_and_its_address_not_logged(client: Client) -> None:
    make_staff(email=GRACE)
    ask(client)
    link = mailed_link()

    assert client.get(link, follow=True)["Cache-Control"] == "private, no-store"
    assert link.split("/")[3] not in hide_secrets(f"GET {link} HTTP/1.1")


@pytest.mark.parametrize("mailbox", ["", "no address", "a" * 400 + "@example.org", "a\x00@example.org"])
def test_what_is_no_address_is_said_at_the_field(client: Client, mailbox: str) -> None:
    answer = client.post(FORGOTTEN, {"email": mailbox})

    assert (answer.status_code, "errorlist" in answer.text) == (422, True)

"""What the first page of the admin says about the installation, and to whom."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.admin.conftest import logged_in

pytestmark = pytest.mark.django_db
PROBLEM = "The disk is almost full: 49 MB are free."
HEADING = "This site needs its administrator"


@pytest.fixture
def superuser() -> Client:
    return logged_in(User.objects.create_superuser("root"))


def index(client: Client) -> str:
    return client.get(reverse("admin:index")).text


def test_superusers_see_what_is_wrong(superuser: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("events.admin.site.installation_problems", lambda: [PROBLEM, "<b>"])

    page = index(superuser)

    assert (HEADING in page, f"<li>{PROBLEM}</li>" in page, "<li>&lt;b&gt;</li>" in page) == (True, True, True)


def test_good_site_says_nothing(superuser: Client) -> None:
    assert HEADING not in index(superuser)


def test_organisers_are_not_asked_to_look_after_the_machine(organiser: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []
    monkeypatch.setattr("events.admin.site.installation_problems", lambda: asked.append(True) or [PROBLEM])

    assert (HEADING in index(organiser), asked) == (False, [])

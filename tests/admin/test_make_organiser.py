"""The command that makes the first account."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client

pytestmark = pytest.mark.django_db


def test_make_organiser_prints_a_working_password(capsys: pytest.CaptureFixture[str], client: Client) -> None:
    call_command("make_organiser", "--name", "Grace")

    password = capsys.readouterr().out.split("password  ")[1].split()[0]
    user = User.objects.get()
    assert client.login(username="Grace", password=password)
    assert (user.is_staff, user.is_superuser, list(user.groups.values_list("name", flat=True))) == (True, False, ["Organisers"])


def test_make_organiser_changes_nothing_once_somebody_has_an_account(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("make_organiser")
    before, _ = list(User.objects.values()), capsys.readouterr()

    call_command("make_organiser", "--name", "somebody-else")

    assert (list(User.objects.values()), "password" in capsys.readouterr().out) == (before, False)


def test_make_organiser_gives_nobody_rights_by_their_name() -> None:
    User.objects.create_user("organiser")

    with pytest.raises(CommandError, match="choose another name with --name"):
        call_command("make_organiser")

    assert User.objects.filter(is_staff=True).count() == 0

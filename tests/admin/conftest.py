"""Who uses the admin."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client


def staff(name: str, *groups: str) -> User:
    user = User.objects.create_user(name, password="a long password", is_staff=True)
    user.groups.set(Group.objects.filter(name__in=groups))
    return user


def logged_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def organiser(db: None) -> Client:
    return logged_in(staff("Grace", "Organisers"))


@pytest.fixture
def other_organiser(db: None) -> Client:
    return logged_in(staff("Edsger", "Organisers"))


@pytest.fixture
def chair(db: None) -> Client:
    return logged_in(staff("Barbara", "Social chairs"))

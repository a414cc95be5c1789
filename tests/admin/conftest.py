"""Who uses the admin."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from events.models import Event
from tests.factories import make_conference, make_event


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


@pytest.fixture
def keynote(db: None) -> Event:
    return make_event(make_conference(), title="Keynote", start="09:00", end="10:00")

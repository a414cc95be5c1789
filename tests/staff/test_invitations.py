"""Invitations of organisers, their groups, and who may manage whom."""

from __future__ import annotations

import datetime as dt
import re

import pytest
import time_machine
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, User
from django.test import Client

from events.core.limits import INVITATIONS
from events.mail.models import Letter
from tests.staff.signing_in import ADMIN, PASSWORD, is_in, log_in, make_staff

pytestmark = pytest.mark.django_db
STAFF, INVITE = "/organise/events/staffmember/", "/organise/events/staffmember/add/"
ADA = "ada@example.org"
NO_ROLES = {"staff_roles-TOTAL_FORMS": "0", "staff_roles-INITIAL_FORMS": "0"}


@pytest.fixture
def organiser(client: Client) -> Client:
    client.force_login(make_staff())
    return client


def group(name: str) -> str:
    return str(Group.objects.get(name=name).pk)


def invite(client: Client, mailbox: str = ADA, to: str = "Social chairs") -> int:
    return client.post(INVITE, {"email": mailbox, "group": group(to)}).status_code


def link_in(letter: Letter) -> str:
    found = re.search(r"/organise/new-password/\S+", letter.text)
    assert found
    return found[0]


def choose(client: Client, link: str, password: str = PASSWORD) -> int:
    form = client.get(link, follow=True)
    return client.post(form.request["PATH_INFO"], {"password1": password, "password2": password}).status_code


def page(member: User) -> str:
    return f"{STAFF}{member.pk}/change/"


def test_invited_person_chooses_a_password_and_is_a_chair(organiser: Client) -> None:
    assert invite(organiser, "Ada@Example.org") == 302
    letter = Letter.objects.get()
    browser = Client()

    assert (letter.to, choose(browser, link_in(letter)), is_in(browser)) == (ADA, 302, False)
    assert log_in(browser, ADA).status_code == 302
    assert browser.get("/organise/events/social/").status_code == 200
    assert browser.get("/organise/events/session/").status_code == 403
    assert (
        "Grace invites you to organise at http://127.0.0.1:8000, in the group “Social chairs” for every conference."
        in letter.text
    )
    assert "Social chairs: every conference" in organiser.get(STAFF).text


def test_address_works_once(organiser: Client) -> None:
    invite(organiser)
    link = link_in(Letter.objects.get())
    choose(Client(), link)

    again = Client().get(link, follow=True)

    assert "This address does not work any more" in again.text
    assert not Client().post(link, {"password1": "x" * 20, "password2": "x" * 20}).wsgi_request.user.is_authenticated
    assert log_in(Client(), ADA).status_code == 302


def test_address_ends_after_three_days(organiser: Client) -> None:
    invite(organiser)
    link = link_in(Letter.objects.get())

    with time_machine.travel(dt.datetime.now(dt.UTC) + dt.timedelta(days=3, minutes=1)):
        assert "does not work any more" in Client().get(link, follow=True).text


def test_weak_password_is_refused_with_the_form(organiser: Client) -> None:
    invite(organiser)

    assert choose(Client(), link_in(Letter.objects.get()), "12345678") == 422
    assert not User.objects.get(username=ADA).has_usable_password()


@pytest.mark.parametrize("known", [ADA, "ADA@EXAMPLE.ORG"])
def test_known_address_is_not_invited_twice(organiser: Client, known: str) -> None:
    invite(organiser)

    answer = organiser.post(INVITE, {"email": known, "group": group("Organisers")})

    assert "has this address already" in answer.text
    assert (Letter.objects.count(), User.objects.get(username=ADA).groups.get().name) == (1, "Social chairs")


def test_invitation_is_sent_again_only_to_those_without_a_password(organiser: Client) -> None:
    invite(organiser)
    member = User.objects.get(username=ADA)
    again = {"action": "invite_again", "_selected_action": [str(member.pk)]}

    organiser.post(STAFF, again)
    first, second = Letter.objects.all()
    choose(Client(), link_in(second))
    told = organiser.post(STAFF, again, follow=True)

    assert "needs no invitation" in told.text
    assert "does not work any more" in Client().get(link_in(first), follow=True).text


def test_invitations_are_limited(organiser: Client) -> None:
    INVITATIONS.allows(visitor=str(User.objects.get().pk))
    for number in range(int(INVITATIONS.visitor or 0) - 1):
        invite(organiser, f"p{number}@example.org")

    told = organiser.post(INVITE, {"email": ADA, "group": group("Organisers")}, follow=True)

    assert "No mail was sent to ada@example.org" in told.text
    assert not Letter.objects.filter(to=ADA).exists()


def test_closed_account_is_logged_out_at_once(organiser: Client) -> None:
    chair = make_chair()
    browser = Client()
    log_in(browser, "Chair")

    organiser.post(page(chair), {"group": group("Social chairs"), **NO_ROLES})

    chair.refresh_from_db()
    assert (chair.is_active, browser.get(ADMIN).status_code, log_in(browser, "Chair").status_code) == (False, 302, 422)


def test_group_of_a_chair_is_changed_and_written_down(organiser: Client) -> None:
    chair = make_chair()

    organiser.post(page(chair), {"group": group("Moderators"), "is_active": "on", **NO_ROLES})

    assert [each.name for each in chair.groups.all()] == ["Moderators"]
    assert "Chair" in organiser.get("/organise/admin/logentry/").text
    assert LogEntry.objects.get().user.username == "Grace"


@pytest.mark.parametrize("whom", ["Grace", "Root", "Other"])
def test_organisers_manage_neither_themselves_nor_superusers_nor_each_other(organiser: Client, whom: str) -> None:
    User.objects.create_superuser("Root", password=PASSWORD)
    make_staff("Other")
    member = User.objects.get(username=whom)

    answer = organiser.post(page(member), {"group": group("Moderators"), **NO_ROLES})

    member.refresh_from_db()
    assert (answer.status_code, member.is_active) == (403, True)


def test_superuser_manages_organisers(client: Client) -> None:
    client.force_login(User.objects.create_superuser("Root", password=PASSWORD))
    other = make_staff("Other")

    assert client.post(page(other), {"group": group("Moderators"), "is_active": "on", **NO_ROLES}).status_code == 302
    assert other.groups.get().name == "Moderators"


def test_nobody_deletes_an_account_there(client: Client) -> None:
    client.force_login(User.objects.create_superuser("Root", password=PASSWORD))

    assert client.post(f"{STAFF}{make_chair().pk}/delete/", {"post": "yes"}).status_code == 403


def test_attendees_are_not_staff(organiser: Client) -> None:
    attendee = User.objects.create_user("attendee-1", email="visitor@example.org")

    assert "visitor@example.org" not in organiser.get(STAFF).text
    assert organiser.get(page(attendee), follow=True).redirect_chain[0][0] == ADMIN


def make_chair() -> User:
    user = User.objects.create_user("Chair", password=PASSWORD, is_staff=True, email="chair@example.org")
    user.groups.add(Group.objects.get(name="Social chairs"))
    return user

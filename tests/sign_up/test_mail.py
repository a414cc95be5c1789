"""Letters to those who get a seat after waiting and have an account."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.core import mail

from events.accounts.sign_in import sign_in_by_mail
from events.agenda.devices import forget_visitor
from events.agenda.merging import merge_visitors
from events.mail.outbox import deliver
from events.models import Agenda, Event, Letter
from tests.factories import forms_url, make_agenda, visitor_of
from tests.sign_up.seating import agendas_of, make_sign_up

pytestmark = pytest.mark.django_db

ADA = "ada@example.org"


def account_of(agenda: Agenda, token: str) -> Agenda:
    """The same agenda, kept by a mailbox."""
    sign_in_by_mail(ADA, token)
    return Agenda.objects.get(conference=agenda.conference, visitor__account__user__email=ADA)


def test_letter_says_where_and_when_and_how_to_give_it_up() -> None:
    own = make_sign_up(places=1)
    Event.objects.update(title="Runners", place="Marina")
    own.event.refresh_from_db()
    (first,) = agendas_of(own, 1)
    second = account_of(*make_agenda(own.event.conference))
    own.join(first)
    own.join(second)
    assert Letter.objects.count() == 0

    own.leave(first)

    letter = Letter.objects.get()
    start = own.event.start.astimezone(own.event.conference.zone) if own.event.start else None
    assert (letter.to, letter.subject) == (ADA, "ICLR 2025: you have a place: Runners")
    assert letter.text == (
        "A place opened up for you:\n\n"
        "* Runners\n"
        f"  {start:%A} {start.day if start else ''} {start:%B, %H:%M} (Singapore time)\n"
        "  Marina\n"
        f"  {settings.SITE_URL}{own.event.get_absolute_url()}\n\n"
        "If you cannot come, give it up there for the next person.\n\n"
        "--\n"
        "You get this message because your account is on this waiting list. To get no more messages about it, leave the list:\n"
        f"{settings.SITE_URL}{forms_url(own.event)}sign-up/\n"
    )
    assert letter.headers == {"Auto-Submitted": "auto-generated"}
    assert deliver() == 1
    assert [it.to for it in mail.outbox] == [[ADA]]


def test_no_letter_for_an_immediate_seat_or_without_an_account() -> None:
    own = make_sign_up(places=1)
    first = account_of(*make_agenda(own.event.conference))
    (second,) = agendas_of(own, 1)
    own.join(first)
    own.join(second)

    own.leave(first)

    assert Letter.objects.count() == 0


@pytest.mark.parametrize("how", ["forgotten", "merged"])
def test_letter_for_a_seat_freed_in_any_way(how: str) -> None:
    own = make_sign_up(places=1)
    first, token = make_agenda(own.event.conference)
    twin, other = make_agenda(own.event.conference)
    own.join(first)
    if how == "merged":
        own.places = 2
        own.save(update_fields=["places"])
        own.join(twin)
    own.join(account_of(*make_agenda(own.event.conference)))

    if how == "forgotten":
        forget_visitor(token)
    else:
        merge_visitors(visitor_of(token), visitor_of(other))

    assert [letter.to for letter in Letter.objects.all()] == [ADA]


def test_title_of_two_lines_makes_no_header() -> None:
    own = make_sign_up(places=1)
    Event.objects.update(title="Runners\r\nBcc: eve@example.org")
    (first,) = agendas_of(own, 1)
    second = account_of(*make_agenda(own.event.conference))
    own.join(first)
    own.join(second)

    own.leave(first)

    assert Letter.objects.get().subject == "ICLR 2025: you have a place: Runners Bcc: eve@example.org"

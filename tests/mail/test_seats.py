"""Who moved up on a list and has an account is written to."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.core import mail

from events.mail.postman import deliver
from events.models import Agenda, Event, Letter
from events.models.claiming import claim
from events.models.devices import forget
from events.models.merging import merge_visitors
from tests.factories import make_agenda, visitor_of
from tests.models.seating import agendas_of, make_sign_up

pytestmark = pytest.mark.django_db

ADA = "ada@example.org"


def account_of(agenda: Agenda, token: str) -> Agenda:
    """The same agenda, kept by a mailbox."""
    claim(ADA, token)
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
        "You waited for a place, and have one now:\n\n"
        "* Runners\n"
        f"  {start:%A} {start.day if start else ''} {start:%B, %H:%M} (Singapore time)\n"
        "  Marina\n"
        f"  {settings.SITE_URL}{own.event.get_absolute_url()}\n\n"
        "If you cannot come, give it up there for whoever is next.\n\n"
        "--\n"
        "You joined this waiting list with the agenda that this mailbox keeps. Who leaves a list gets no mail about it:\n"
        f"{settings.SITE_URL}{own.event.get_absolute_url()}sign-up/\n"
    )
    assert letter.headers == {"Auto-Submitted": "auto-generated"}
    assert deliver() == 1
    assert [it.to for it in mail.outbox] == [[ADA]]


def test_who_takes_a_place_at_once_or_has_no_account_gets_none() -> None:
    own = make_sign_up(places=1)
    first = account_of(*make_agenda(own.event.conference))
    (second,) = agendas_of(own, 1)
    own.join(first)
    own.join(second)

    own.leave(first)

    assert Letter.objects.count() == 0


@pytest.mark.parametrize("how", ["forgotten", "merged"])
def test_place_freed_in_any_way_is_written_about(how: str) -> None:
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
        forget(token)
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

"""What happens when somebody has shown that a mailbox is theirs."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.auth.models import User
from django.db import connection
from pytest_django import Settings

from events.accounts.sign_in import ClosedAccountError, sign_in_by_mail
from events.agenda.devices import forget_visitor, redeem_handover, sign_out_elsewhere
from events.agenda.merging import merge_visitors
from events.agenda.models.sharing import Handover
from events.core.tokens import hash_token
from events.models import Account, Agenda, Event, FeedAddress, Letter, Visitor
from tests.factories import make_agenda, make_conference, make_event, visitor_of

ADA = "ada@example.org"


def picked(token: str) -> list[Event]:
    agenda = Agenda.objects.filter(visitor__tokens__token_hash=hash_token(token)).first()
    return list(agenda.events.order_by("pk")) if agenda else []


@pytest.mark.django_db
def test_claim_begins_an_account_with_a_visitor_of_its_own() -> None:
    event = make_event(make_conference())
    agenda, held = make_agenda(event.conference, event)
    feed = agenda.feed_token

    token = sign_in_by_mail(ADA, held)

    account = Account.objects.get()
    assert (account.mailbox, account.visitor, account.user.has_usable_password()) == (ADA, visitor_of(token), False)
    assert (picked(token), picked(held), token != held) == ([event], [], True)
    assert FeedAddress.objects.exclude(replaced_at=None).get().token_hash == hash_token(feed)


@pytest.mark.django_db
def test_claim_opens_the_same_in_every_browser_and_brings_all_together() -> None:
    conference = make_conference()
    first, second = make_event(conference), make_event(conference)
    tokens = [sign_in_by_mail(ADA, make_agenda(conference, event)[1]) for event in [first, second]]

    assert tokens[0] != tokens[1]
    assert [picked(it) for it in tokens] == [[first, second]] * 2
    assert Agenda.objects.count() == 1


@pytest.mark.django_db
def test_claim_leaves_alone_what_was_not_taken_along() -> None:
    event = make_event(make_conference())
    _, held = make_agenda(event.conference, event)

    token = sign_in_by_mail(ADA)

    assert (picked(token), picked(held)) == ([], [event])


@pytest.mark.django_db
def test_claim_takes_nothing_from_another_account() -> None:
    event = make_event(make_conference())
    _, held = make_agenda(event.conference, event)
    eve = sign_in_by_mail("eve@example.org", held)

    ada = sign_in_by_mail(ADA, eve)

    assert (picked(ada), picked(eve), Account.objects.for_token(eve).mailbox) == ([], [event], "eve@example.org")


@pytest.mark.django_db
@pytest.mark.parametrize("fields", [{"is_staff": True}, {"is_superuser": True}, {"is_active": False}], ids=str)
def test_claim_opens_no_account_of_an_organiser(fields: dict[str, bool]) -> None:
    sign_in_by_mail(ADA)
    User.objects.update(**fields)

    with pytest.raises(ClosedAccountError):
        sign_in_by_mail(ADA)


@pytest.mark.django_db
def test_claim_never_meets_the_user_of_an_organiser_with_the_same_mailbox() -> None:
    organiser = User.objects.create_user("ada@example.org", email=ADA, password="x", is_staff=True)

    sign_in_by_mail(ADA)

    assert Account.objects.get().user != organiser


@pytest.mark.django_db
def test_account_is_opened_after_the_sites_key_was_changed(settings: Settings) -> None:
    event = make_event(make_conference())
    sign_in_by_mail(ADA, make_agenda(event.conference, event)[1])

    settings.SECRET_KEY = "k" * 50

    assert picked(sign_in_by_mail(ADA)) == [event]


@pytest.mark.django_db
def test_account_stays_where_other_browsers_are_signed_out() -> None:
    phone, laptop = sign_in_by_mail(ADA), sign_in_by_mail(ADA)

    fresh = sign_out_elsewhere(phone)

    account = Account.objects.get()
    assert [Account.objects.for_token(it) for it in (phone, laptop, fresh)] == [None, None, account]
    assert visitor_of(sign_in_by_mail(ADA)) == account.visitor


@pytest.mark.django_db
def test_account_follows_where_its_agenda_is_merged_into_another_devices() -> None:
    event = make_event(make_conference())
    _, other = make_agenda(event.conference, event)
    own = sign_in_by_mail(ADA)
    code = Handover.begin(visitor_of(other))

    redeem_handover(code, own)

    assert (Account.objects.get().visitor, picked(sign_in_by_mail(ADA))) == (visitor_of(other), [event])


@pytest.mark.django_db
def test_two_accounts_never_share_a_visitor() -> None:
    ada, eve = sign_in_by_mail(ADA), sign_in_by_mail("eve@example.org")

    merge_visitors(visitor_of(ada), visitor_of(eve))

    assert (Account.objects.for_token(eve).mailbox, Account.objects.for_token(ada)) == ("eve@example.org", None)
    assert visitor_of(sign_in_by_mail(ADA)) != visitor_of(eve)


@pytest.mark.django_db
def test_forgetting_a_visitor_leaves_nothing_of_the_account() -> None:
    event = make_event(make_conference())
    token = sign_in_by_mail(ADA, make_agenda(event.conference, event)[1])
    for mailbox in [ADA, "eve@example.org"]:
        Letter.objects.create(to=mailbox, subject="Moved", text="To Hall 2.")

    forget_visitor(token)

    assert [it.objects.count() for it in (Account, User, Agenda, Visitor)] == [0, 0, 0, 0]
    assert Letter.objects.get().to == "eve@example.org"


@pytest.mark.django_db(transaction=True)
def test_many_at_once_from_one_mailbox_find_one_account() -> None:
    conference = make_conference()
    events = [make_event(conference) for _ in range(6)]
    held = [make_agenda(conference, event)[1] for event in events]

    def enter(token: str) -> str:
        try:
            return sign_in_by_mail(ADA, token)
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        tokens = list(pool.map(enter, held))

    assert (Account.objects.count(), Visitor.objects.count()) == (1, 1)
    assert [picked(it) for it in tokens] == [events] * 6

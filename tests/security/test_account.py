"""Codes that are guessed, replayed or used elsewhere; cookies that were planted; addresses that are tried."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext

from events.accounts.sign_in import MailedCode, sign_in_by_mail
from events.agenda.visitor import VISITOR_COOKIE
from events.core.tokens import hash_token
from events.models import AccessToken, Account, Agenda, Handover, Letter, Visitor
from tests.factories import make_agenda, make_conference, make_event
from tests.mail.reading import newest_code
from tests.security import strings
from tests.security.markup import active
from tests.visitors import browser, own_context

ADA, EVE = "ada@example.org", "eve@example.org"
SIGN_IN, CODE = "/account/sign-in/", "/account/code/"
CHANGING = re.compile(r'value="\w{64}"|[\w.+-]+@example\.org|nonce="[^"]*"')


def ask(client: Client, mailbox: str = ADA) -> str:
    client.post(SIGN_IN, {"mailbox": mailbox})
    return newest_code()


def seen(response: HttpResponse) -> tuple[int, str, list[str], str]:
    """All of an answer that tells one mailbox from another."""
    return response.status_code, response.get("Location", ""), sorted(response.cookies), CHANGING.sub("", response.text)


def statements(client: Client, mailbox: str) -> list[str]:
    with CaptureQueriesContext(connection) as queries:
        client.post(SIGN_IN, {"mailbox": mailbox})
    return [re.sub(r"'[^']*'|\d+", "?", query["sql"])[:60] for query in queries]


@pytest.mark.django_db
@pytest.mark.parametrize("known", ["account", "organiser", "shut out"])
def test_known_mailbox_is_answered_as_any_other(known: str) -> None:
    sign_in_by_mail(ADA)
    if known == "organiser":
        User.objects.update(is_staff=True)
    if known == "shut out":
        User.objects.update(is_active=False)
    clients = {ADA: Client(), "nobody@example.org": Client()}

    answers = [seen(client.post(SIGN_IN, {"mailbox": mailbox})) for mailbox, client in clients.items()]
    pages = [seen(client.get(CODE)) for client in clients.values()]
    wrong = [seen(client.post(CODE, {"code": "00000-00000"})) for client in clients.values()]

    assert answers[0] == answers[1]
    assert pages[0] == pages[1]
    assert wrong[0] == wrong[1]
    assert [it.subject for it in Letter.objects.all()] == ["Your code for 127.0.0.1:8000"] * 2
    assert len({re.sub(r"\w{5}-\w{5}", "", it.text) for it in Letter.objects.all()}) == 1


@pytest.mark.django_db
def test_known_mailbox_costs_the_same_work() -> None:
    sign_in_by_mail(ADA)
    warm = Client()
    warm.post(SIGN_IN, {"mailbox": "first@example.org"})

    assert statements(Client(), ADA) == statements(Client(), "nobody@example.org")


@pytest.mark.django_db
def test_code_bears_five_tries() -> None:
    client = Client()
    code = ask(client)

    answers = [client.post(CODE, {"code": f"00000-0000{number}"}).status_code for number in range(6)]

    assert answers == [422] * 6
    assert (client.post(CODE, {"code": code}).status_code, Account.objects.count()) == (422, 0)


@pytest.mark.django_db(transaction=True)
def test_guesses_at_the_same_time_are_counted_too(monkeypatch: pytest.MonkeyPatch) -> None:
    first = Client()
    ask(first)
    looked: list[str] = []
    monkeypatch.setattr(MailedCode, "is_right", lambda self, typed: bool(looked.append(typed)))

    def guess(number: int) -> None:
        client = Client()
        client.cookies["sessionid"] = first.cookies["sessionid"].value
        try:
            client.post(CODE, {"code": f"00000-000{number}"})
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(guess, range(10, 34)))

    assert len(looked) == 5


@pytest.mark.django_db
def test_hostile_code_is_refused_and_does_nothing_to_the_page() -> None:
    client = Client(raise_request_exception=False)
    answers = {}
    for kind, text in strings.TEXTS.items():
        ask(client, f"{kind.replace(' ', '-')}@example.org")
        answers[kind] = client.post(CODE, {"code": text, "take": text})

    assert {kind: it.status_code for kind, it in answers.items()} == dict.fromkeys(answers, 422)
    assert [kind for kind, it in answers.items() if "onerror" in str([*active(it.text)])] == []
    assert Account.objects.count() == 0


@pytest.mark.django_db
def test_code_has_fifty_bits_and_no_two_are_the_same() -> None:
    codes = {ask(Client(), f"visitor{number}@example.org") for number in range(30)}

    assert len(codes) == 30
    assert {len(code.replace("-", "")) for code in codes} == {10}


@pytest.mark.django_db
def test_code_works_in_no_other_browser() -> None:
    ada, eve = Client(), Client()
    code = ask(ada)
    ask(eve, EVE)

    answers = [Client().post(CODE, {"code": code}), eve.post(CODE, {"code": code})]

    assert [it.status_code for it in answers] == [422, 422]
    assert Account.objects.count() == 0


@pytest.mark.django_db
def test_code_works_once_also_for_who_kept_the_session() -> None:
    client = Client()
    code = ask(client)
    kept = Session.objects.get()
    cookie = client.cookies["sessionid"].value
    client.post(CODE, {"code": code})
    kept.save(force_insert=True)

    thief = Client()
    thief.cookies["sessionid"] = cookie
    response = thief.post(CODE, {"code": code})

    assert (response.status_code, VISITOR_COOKIE in response.cookies) == (422, False)


@pytest.mark.django_db
def test_session_that_was_planted_opens_nothing() -> None:
    eve = Client()
    ask(eve, EVE)
    ada = Client()
    ada.cookies["sessionid"] = eve.cookies["sessionid"].value
    ada.post(CODE, {"code": ask(ada)})

    page = eve.get("/account/")

    assert Account.objects.get().mailbox == ADA
    assert (page.status_code, page["Location"]) == (302, SIGN_IN)
    assert eve.get(CODE)["Location"] == SIGN_IN


@pytest.mark.django_db
def test_cookie_that_was_planted_sees_nothing_afterwards() -> None:
    conference = make_conference()
    agenda, planted = make_agenda(conference, make_event(conference))
    feed = agenda.feed_token
    ada, eve = browser(token=planted), browser(token=planted)

    ada.post(CODE, {"code": ask(ada), "take": "1"})
    ada.post(f"/{conference.slug}/events/{make_event(conference).guid}/bookmark/", {"on": "1"})

    assert ada.cookies[VISITOR_COOKIE].value != planted
    assert own_context(ada.get(f"/{conference.slug}/agenda/"), "count") == 2
    assert own_context(eve.get(f"/{conference.slug}/agenda/"), "count") == 0
    assert (eve.get("/account/")["Location"], Visitor.objects.for_token(planted)) == (SIGN_IN, None)
    assert b"replaced" in eve.get(f"/feeds/{feed}.ics").content


@pytest.mark.django_db
def test_database_alone_opens_nothing() -> None:
    client = Client()
    code = ask(client)
    Letter.objects.all().delete()
    waiting = str(Session.objects.get().get_decoded())
    client.post(CODE, {"code": code})
    token = client.cookies[VISITOR_COOKIE].value

    assert code.replace("-", "") not in waiting.replace("-", "")
    rows = [it for model in (Account, AccessToken, Visitor, Handover) for it in model.objects.values()]
    assert [str(value) for row in rows for value in row.values() if token in str(value)] == []
    assert browser(token=hash_token(token)[:32]).get("/account/")["Location"] == SIGN_IN


@pytest.mark.django_db
def test_letter_says_where_it_is_from_and_not_where_the_request_claims_to_go() -> None:
    Client(headers={"host": "localhost"}).post(SIGN_IN, {"mailbox": ADA})

    letter = Letter.objects.get()

    assert "localhost" not in letter.subject + letter.text
    assert "127.0.0.1:8000" in letter.text


@pytest.mark.django_db
@pytest.mark.parametrize(
    "url", [SIGN_IN, CODE, "/account/code/again/", "/account/digests/", "/account/sign-out/", "/account/delete/"]
)
def test_nothing_is_done_for_another_site(url: str) -> None:
    client = Client(enforce_csrf_checks=True)
    client.cookies[VISITOR_COOKIE] = sign_in_by_mail(ADA)

    answers = [client.post(url, {"mailbox": EVE}), client.post(url, {}, headers={"origin": "https://evil.example"})]

    assert [it.status_code for it in answers] == [403, 403]
    assert (Account.objects.count(), Letter.objects.count(), Agenda.objects.count()) == (1, 0, 0)


@pytest.mark.django_db
def test_organiser_signed_in_stays_so_and_becomes_nobody_else() -> None:
    organiser = User.objects.create_user("organiser", password="x", is_staff=True)
    client = Client()
    client.force_login(organiser)

    client.post(CODE, {"code": ask(client)})

    assert client.get("/account/").context["account"].mailbox == ADA
    assert client.get("/organise/").context["user"] == organiser
    assert Account.objects.get().user != organiser

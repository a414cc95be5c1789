"""In by a code that is mailed, and out again."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse

from events.agenda.visitor import VISITOR_COOKIE
from events.models import Account, Agenda, Letter, Tally, Visitor
from tests.factories import make_agenda, make_conference, make_event, visitor_of
from tests.mail.reading import newest_code
from tests.visitors import browser, own_context

ADA = "ada@example.org"
SIGN_IN, CODE, AGAIN = "/account/sign-in/", "/account/code/", "/account/code/again/"
NOON = dt.datetime(2025, 4, 24, 12, tzinfo=dt.UTC)
MINUTE = dt.timedelta(minutes=1)

pytestmark = pytest.mark.django_db


def ask(client: Client, mailbox: str = ADA) -> str:
    """Have a code mailed; the code."""
    assert client.post(SIGN_IN, {"mailbox": mailbox}).status_code == 302
    return newest_code()


def enter(client: Client, mailbox: str = ADA, **fields: str) -> str:
    """Sign in; the token that the browser has then."""
    response = client.post(CODE, {"code": ask(client, mailbox)} | fields)
    assert (response.status_code, response["Location"]) == (302, "/account/")
    return client.cookies[VISITOR_COOKIE].value


def problem(response: Any) -> str:
    """What the page says is wrong: with the form, and first with each of its fields."""
    in_fields = [str(messages[0]) for messages in response.context["form"].errors.values()]
    return " ".join([*filter(None, [response.context.get("problem")]), *in_fields])


def test_code_makes_an_account_and_opens_it_elsewhere() -> None:
    conference = make_conference()
    event = make_event(conference)
    phone, laptop = browser(token=make_agenda(conference, event)[1]), Client()

    tokens = [enter(phone, take="1"), enter(laptop)]

    assert visitor_of(tokens[0]) == visitor_of(tokens[1])
    assert tokens[0] != tokens[1]
    assert [it.conference for it in laptop.get("/account/").context["agendas"]] == [conference]
    assert own_context(laptop.get(reverse("events:agenda-detail", args=[conference.slug])), "count") == 1


def test_nobody_holds_a_session_once_they_are_in() -> None:
    client = Client()

    enter(client)

    assert (client.cookies["sessionid"].value, Session.objects.count()) == ("", 0)
    assert User.objects.get().last_login is None
    assert client.get(reverse("admin:index")).status_code == 302


@pytest.mark.parametrize("typed", ["{}", " {} ", "{lower}", "{bare}"], ids=["as shown", "spaces", "small", "no dash"])
def test_code_may_be_typed_as_people_do(typed: str) -> None:
    client = Client()
    code = ask(client)

    response = client.post(CODE, {"code": typed.format(code, lower=code.lower(), bare=code.replace("-", ""))})

    assert response.status_code == 302


@pytest.mark.parametrize("mailbox", ["ADA@Example.ORG", " ada@example.org "], ids=["capitals", "spaces"])
def test_mailbox_is_the_same_however_it_is_written(mailbox: str) -> None:
    assert visitor_of(enter(Client(), mailbox)) == visitor_of(enter(Client()))
    assert set(Letter.objects.values_list("to", flat=True)) == {ADA}


@pytest.mark.parametrize(
    ("mailbox", "words"),
    [
        ("", "Enter your mail address."),
        ("ada", "That is not a mail address. Enter one like ada@example.org."),
        ("ada@example.org\nBcc: eve@example.org", "That is not a mail address. Enter one like ada@example.org."),
        ("ada@example.org, eve@example.org", "That is not a mail address. Enter one like ada@example.org."),
        ("ada@exämple.org", "Only the letters a to z, digits and signs are allowed."),
        ("аda@example.org", "That is not a mail address. Enter one like ada@example.org."),
        (f"{'a' * 300}@example.org", "That is too long for a mail address."),
        ("ada\x00@example.org", "That is not a mail address. Enter one like ada@example.org."),
    ],
    ids=["none", "no address", "a header", "two", "an umlaut", "a look-alike", "too long", "a control character"],
)
def test_what_is_no_mailbox_gets_a_sentence_and_no_letter(mailbox: str, words: str) -> None:
    response = Client().post(SIGN_IN, {"mailbox": mailbox})

    assert (response.status_code, problem(response), Letter.objects.count()) == (422, words, 0)


def test_picks_of_the_browser_come_along_only_if_it_is_said() -> None:
    conference = make_conference()
    event = make_event(conference)
    _, planted = make_agenda(conference, event)
    client = browser(token=planted)
    ask(client)
    shown = client.get(CODE).context["bookmark_count"]

    token = enter(client)

    assert (shown, Agenda.objects.filter(visitor=visitor_of(token)).count()) == (1, 0)
    assert Agenda.objects.get(visitor=visitor_of(planted)).count == 1


def test_who_is_in_already_is_not_asked() -> None:
    client = Client()
    enter(client)

    assert client.get(SIGN_IN)["Location"] == "/account/"
    assert client.get(CODE)["Location"] == SIGN_IN
    assert client.post(CODE, {"code": "used already"})["Location"] == "/account/"


def test_code_lives_ten_minutes() -> None:
    client = Client()
    with time_machine.travel(NOON, tick=False) as clock:
        code = ask(client)
        clock.shift(11 * MINUTE)

        response = client.post(CODE, {"code": code})

    assert (response.status_code, Account.objects.count()) == (422, 0)


def test_new_code_ends_the_one_before() -> None:
    client = Client()
    old = ask(client)
    client.post(AGAIN)
    new = newest_code()

    answers = [client.post(CODE, {"code": code}).status_code for code in [old, new]]

    assert (old != new, answers) == (True, [422, 302])


def test_wrong_code_says_how_many_tries_are_left() -> None:
    client, other = Client(), Client()
    ask(client)
    ask(other)
    wrong = {"code": "00000-00000"}

    first = problem(other.post(CODE, wrong))
    client.post(CODE, {"code": ""})
    problems = [problem(client.post(CODE, wrong)) for _ in range(6)]
    client.post(SIGN_IN, {"mailbox": ADA})
    again = problem(client.post(CODE, wrong))

    rest = "Check the newest mail; capitals and dashes do not matter."
    four = f"That is not the code: 4 tries left. {rest}"
    assert problems[:5] == [
        four,
        f"That is not the code: 3 tries left. {rest}",
        f"That is not the code: 2 tries left. {rest}",
        f"That is not the code: 1 try left. {rest}",
        "That is not the code, and that was the last try. Use “Send another code” below.",
    ]
    assert problems[5].startswith("That code has expired.")
    # Each browser counts for its code alone, also with the same mailbox.
    assert (first, problem(other.post(CODE, wrong)), again) == (four, problems[1], four)


def test_too_many_codes_are_told_when_to_come_back() -> None:
    answers = [Client().post(SIGN_IN, {"mailbox": f"a.da+{number}@example.org"}) for number in range(11)]

    assert [it.status_code for it in answers] == [302] * 10 + [429]
    assert (answers[-1]["Retry-After"], Letter.objects.count()) == ("3600", 10)


def test_venue_is_one_address() -> None:
    answers = {Client().post(SIGN_IN, {"mailbox": f"visitor{number}@example.org"}).status_code for number in range(60)}

    assert answers == {302}


def test_sign_out_leaves_nothing_in_the_browser_and_everything_in_the_account() -> None:
    phone, laptop = Client(), Client()
    tokens = [enter(phone), enter(laptop)]
    visitor = visitor_of(tokens[0])

    phone.post("/account/sign-out/")

    assert phone.cookies[VISITOR_COOKIE].value == ""
    assert [Visitor.objects.for_token(it) for it in tokens] == [None, visitor]
    assert visitor_of(enter(phone)) == visitor


def test_sign_out_everywhere_ends_every_browser() -> None:
    phone, laptop = Client(), Client()
    tokens = [enter(phone), enter(laptop)]

    phone.post("/account/sign-out/", {"everywhere": "1"})

    assert laptop.get("/account/")["Location"] == SIGN_IN
    assert [Visitor.objects.for_token(it) for it in tokens] == [None, None]
    enter(phone)
    assert laptop.get("/account/")["Location"] == SIGN_IN


def test_deleting_asks_first_and_leaves_nothing() -> None:
    conference = make_conference()
    client = browser(token=make_agenda(conference, make_event(conference))[1])
    enter(client, take="1")
    asked = client.get("/account/delete/")
    before = Account.objects.count()
    client.post("/account/delete/")

    assert (asked.status_code, before) == (200, 1)
    assert [it.objects.count() for it in (Account, Agenda, User, Session, Letter)] == [0] * 5
    assert client.cookies[VISITOR_COOKIE].value == ""


def test_unfinished_sign_up_leaves_no_account() -> None:
    ask(Client())

    assert (Account.objects.count(), User.objects.count(), Agenda.objects.count()) == (0, 0, 0)
    assert ADA not in "".join(Tally.objects.values_list("key", flat=True))


def test_digests_are_off_until_they_are_wanted_and_set_not_toggled() -> None:
    client = Client()
    enter(client)
    states = [Account.objects.get().wants_digests]

    for on in ["1", "1", "0", "perhaps"]:
        client.post("/account/digests/", {"on": on})
        states.append(Account.objects.get().wants_digests)

    assert states == [False, True, True, False, False]


@pytest.mark.parametrize("editions", [1, 3])
def test_account_page_asks_the_same_number_of_queries(editions: int, django_assert_num_queries: object) -> None:
    client = Client()
    token = enter(client)
    for number in range(editions):
        conference = make_conference(slug=f"iclr-{number}")
        agenda = Agenda.begin(token, conference)
        agenda.bookmark(make_event(conference), on=True)
    client.get("/account/")

    with django_assert_num_queries(2):  # type: ignore[operator]
        page = client.get("/account/")

    assert len(page.context["agendas"]) == editions

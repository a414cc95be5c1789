"""An agenda on a second device: a code, what it would do, and what it does."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from events.accounts.sign_in import sign_in_by_mail
from events.agenda.visitor import VISITOR_COOKIE
from events.core import limits
from events.core.limits import Limit
from events.core.tokens import CODE_ALPHABET, DEVICE_CODE_LENGTH, format_code, new_token
from events.models import Agenda, Conference, Event, Handover, ReadLink, Tally, Visitor
from tests.factories import at, make_agenda, make_conference, make_event, visitor_of
from tests.sign_up.seating import make_sign_up, make_social
from tests.visitors import browser

pytestmark = pytest.mark.django_db

TAKE = "/demo/agenda/take/"
UNKNOWN = "That code is not valid. A code works once, for ten minutes: make a new one on the other device."


@pytest.fixture
def conference() -> Conference:
    return make_conference(slug="demo")


def code_of(page: str) -> str:
    found = re.search(r"<b>([0-9A-Z]{6}-[0-9A-Z]{6})</b>", page)
    assert found is not None
    return found[1]


def shown(client: Client) -> list[str]:
    """The titles in the agenda that this browser has."""
    agenda = Agenda.objects.for_token(client.cookies[VISITOR_COOKIE].value, Conference.objects.get(slug="demo"))
    return list(agenda.events.order_by("title").values_list("title", flat=True)) if agenda else []


def make_events(conference: Conference, *titles: str) -> list[Event]:
    return [make_event(conference, title=title) for title in titles]


def shown_lines(page: str) -> list[str]:
    """What the preview says of each conference, in words alone."""
    return [" ".join(re.sub("<[^>]+>", " ", it).split()) for it in re.findall(r"<dd>(.*?)</dd>", page, re.DOTALL)]


def test_code_opens_the_agenda_on_a_device_that_has_none(conference: Conference) -> None:
    _, token = make_agenda(conference, *make_events(conference, "a", "b"))
    other = Client()

    code = code_of(browser(token=token).post("/demo/agenda/devices/code/").text)
    looked = other.post(TAKE, {"code": code.lower()})
    before = dict(other.cookies)
    opened = other.post(TAKE, {"code": code, "how": "merge"})

    assert shown_lines(looked.text) == ["2 new"]
    assert VISITOR_COOKIE not in before
    assert (opened.status_code, opened["Location"]) == (302, "/demo/agenda/")
    assert other.cookies[VISITOR_COOKIE].value != token
    assert visitor_of(other.cookies[VISITOR_COOKIE].value) == visitor_of(token)
    assert shown(other) == ["a", "b"]


def test_preview_says_what_comes_stays_and_goes_before_anything_does(conference: Conference) -> None:
    new, both, out_here, out_there, mine = make_events(conference, "new", "both", "out here", "out there", "mine")
    theirs, there = make_agenda(conference, new, both, out_here, out_there)
    own, here = make_agenda(conference, both, out_here, out_there, mine)
    own.bookmark(out_here, on=False)
    theirs.bookmark(out_there, on=False)
    theirs.private_entries.create(title="Lunch", start=at("12:00"), end=at("13:00"))
    code = Handover.begin(visitor_of(there))
    before = list(Agenda.objects.values())

    page = browser(token=here).post(TAKE, {"code": code}).text

    assert ". ".join(shown_lines(page)) == (
        "1 new , 1 already here, 1 private entry, 1 only here "
        "1 you removed here: it stays removed 1 you removed there: it goes here too"
    )
    assert "Lunch" not in page
    assert list(Agenda.objects.values()) == before
    assert Handover.find_visitor(code) == visitor_of(there)


def test_preview_says_what_becomes_of_places(conference: Conference) -> None:
    _, there = make_agenda(conference)
    mine, here = make_agenda(conference)
    own = make_sign_up(places=1, event=make_social(conference=conference))
    own.join(mine)
    words = "1 sign-up here: kept if you bring both together, given up if you use only the other one"

    page = browser(token=here).post(TAKE, {"code": Handover.begin(visitor_of(there))}).text
    assert words in " ".join(page.split())
    assert "of places" not in browser(token=there).post(TAKE, {"code": Handover.begin(visitor_of(here))}).text


def test_merge_leaves_one_agenda_of_the_other_visitor(conference: Conference) -> None:
    _, there = make_agenda(conference, *make_events(conference, "a"))
    _, here = make_agenda(conference, *make_events(conference, "b"))
    client = browser(token=here)

    client.post(TAKE, {"code": Handover.begin(visitor_of(there)), "how": "merge"})

    assert visitor_of(client.cookies[VISITOR_COOKIE].value) == visitor_of(there)
    assert shown(client) == ["a", "b"]
    assert shown(browser(token=here)) == []


def test_replace_leaves_what_the_other_has(conference: Conference) -> None:
    _, there = make_agenda(conference, *make_events(conference, "a"))
    _, here = make_agenda(conference, *make_events(conference, "b"))
    client = browser(token=here)

    client.post(TAKE, {"code": Handover.begin(visitor_of(there)), "how": "replace"})

    assert shown(client) == ["a"]
    assert Agenda.objects.count() == 1


def test_button_says_what_only_the_other_agenda_deletes(conference: Conference) -> None:
    _, there = make_agenda(conference, *make_events(conference, "a"))
    events = make_events(conference, "b", "c", "d")
    many, one, none = (make_agenda(conference, *some) for some in (events, events[:2], []))
    many[0].bookmark(events[2], on=False)
    one[0].bookmark(events[1], on=False)
    code = Handover.begin(visitor_of(there))

    pages = [" ".join(browser(token=token).post(TAKE, {"code": code}).text.split()) for _, token in (many, one, none)]

    says = [re.findall(r"Use only the other one: (.*?)</button>", page) for page in pages]
    assert says == [[f"deletes the {what} of this browser"] for what in ("2 picks", "1 pick", "agenda")]
    assert ["also deletes the private entries and notes of this browser: it cannot be undone." in it for it in pages] == [
        True
    ] * 3


def test_own_code_changes_nothing(conference: Conference) -> None:
    _, token = make_agenda(conference, *make_events(conference, "a"))
    code = Handover.begin(visitor_of(token))
    client = browser(token=token)

    page = client.post(TAKE, {"code": code}).text
    client.post(TAKE, {"code": code, "how": "replace"})

    assert "You have it here already" in page
    assert shown(client) == ["a"]


def test_code_in_the_address_is_only_filled_in(conference: Conference) -> None:
    code = Handover.begin(visitor_of(make_agenda(conference)[1]))
    client = Client()

    known, unknown = (client.get(f"{TAKE}{it}/").text for it in (format_code(code), "000000-000000"))

    assert f'value="{format_code(code)}"' in known
    assert re.sub("csrfmiddlewaretoken.*?>", "", known).replace(format_code(code), "000000-000000") == re.sub(
        "csrfmiddlewaretoken.*?>", "", unknown
    )
    assert not Tally.objects.exists()


def test_unknown_used_old_and_dead_codes_are_told_the_same(conference: Conference) -> None:
    _, token = make_agenda(conference)
    used, dead = Handover.begin(visitor_of(token)), Handover.begin(Visitor.objects.create())
    Handover.use_up(used)

    answers = [Client().post(TAKE, {"code": code, "how": how}) for code in ("000000000000", used, dead) for how in ("", "merge")]

    assert {it.status_code for it in answers} == {422}
    assert [UNKNOWN in it.text for it in answers] == [True] * 6
    assert [VISITOR_COOKIE in it.cookies for it in answers] == [False] * 6


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        pytest.param({}, "Enter the code that the other device shows.", id="nothing"),
        pytest.param({"code": "7GK2MX"}, "A code has twelve letters and digits, such as 7GK2MX-4PQZ3T.", id="half"),
        pytest.param({"code": "x" * 5000}, "Ensure this value has at most 100 characters", id="huge"),
        pytest.param({"code": "\x007GK2MX4PQZ3T"}, "Null characters are not allowed.", id="null"),
        pytest.param({"code": "<script>alert(1)</script>"}, "A code has twelve letters and digits", id="markup"),
        pytest.param({"code": "7GK2MX4PQZ3T", "how": "steal"}, "Choose one of the buttons below.", id="no such way"),
    ],
)
def test_what_is_no_code_is_told_in_a_sentence(conference: Conference, sent: dict[str, str], sentence: str) -> None:
    response = Client().post(TAKE, sent)

    assert response.status_code == 422
    assert sentence in response.text
    assert "<script>alert" not in response.text
    assert not Tally.objects.exists()


def test_wrong_codes_are_limited_for_a_visitor_and_a_network(conference: Conference, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "WRONG_DEVICE_CODES", Limit("wrong", visitor=2, network=4))

    def tries(count: int, token: str = "", **options: Any) -> list[Any]:
        client = Client(**options)
        client.cookies[VISITOR_COOKIE] = token
        return [client.post(TAKE, {"code": "000000000000"}) for _ in range(count)]

    visitor = tries(3, new_token(), REMOTE_ADDR="192.0.2.1")
    network = tries(5, REMOTE_ADDR="192.0.2.2")

    assert [it.status_code for it in visitor] == [422, 422, 429]
    assert [it.status_code for it in network] == [422] * 4 + [429]
    assert network[-1]["Retry-After"] == "3600"
    assert "A new one from the other device works at once." in network[-1].text


def test_new_device_is_let_in_whatever_strangers_of_its_network_tried(
    conference: Conference, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "WRONG_DEVICE_CODES", Limit("wrong", visitor=2, network=4))
    token = make_agenda(conference)[1]
    code = Handover.begin(visitor_of(token))
    wrong = [Client().post(TAKE, {"code": "000000000000"}).status_code for _ in range(6)]
    device = Client()

    right = [device.post(TAKE, {"code": code, "how": how}).status_code for how in ("", "merge")]

    assert (wrong, right) == ([422] * 4 + [429] * 2, [200, 302])
    assert visitor_of(device.cookies[VISITOR_COOKIE].value) == visitor_of(token)


def test_code_is_too_long_to_be_guessed_without_a_limit() -> None:
    codes_valid_at_once, guesses_a_second, week = 1_000, 1_000, 7 * 24 * 60 * 60

    assert len(CODE_ALPHABET) ** DEVICE_CODE_LENGTH > 1_000_000 * codes_valid_at_once * guesses_a_second * week


def test_right_codes_of_a_whole_venue_behind_one_address_are_let_through(conference: Conference) -> None:
    tokens = [make_agenda(conference)[1] for _ in range(40)]
    codes = [Handover.begin(visitor_of(token)) for token in tokens]

    answers = [Client(REMOTE_ADDR="192.0.2.1").post(TAKE, {"code": code, "how": "merge"}).status_code for code in codes]

    assert answers == [302] * 40


def test_codes_made_are_few(conference: Conference) -> None:
    token = make_agenda(conference)[1]
    clients = [browser(token=token)] * 20 + [browser(token=visitor_of(token).new_token())]

    statuses = [client.post("/demo/agenda/devices/code/").status_code for client in clients]

    assert statuses == [200] * 20 + [429]


def test_nothing_to_take_makes_no_code(conference: Conference) -> None:
    response = browser(token=new_token()).post("/demo/agenda/devices/code/")

    assert "Make a code" not in response.text
    assert not Handover.objects.exists()


def test_planted_cookie_gives_its_planter_nothing(conference: Conference) -> None:
    # Somebody puts a cookie of theirs into another's browser, who then takes their own agenda there.
    planted_agenda, planted = make_agenda(conference)
    link = ReadLink.begin(planted_agenda)
    assert link is not None
    known = [link.token, planted_agenda.feed_token]
    _, own = make_agenda(conference, *make_events(conference, "Zebra"))
    victim = browser(token=planted)

    victim.post(TAKE, {"code": Handover.begin(visitor_of(own)), "how": "merge"})

    assert shown(victim) == ["Zebra"]
    thief = browser(token=planted)
    seen = [
        thief.get("/demo/agenda/").text,
        thief.get(f"/demo/shared/{known[0]}/").text,
        thief.get(reverse("events:feed", args=[known[1]])).text,
    ]
    assert ["Zebra" in it for it in seen] == [False, False, False]
    assert Visitor.objects.for_token(planted) is None
    assert thief.post("/demo/agenda/devices/code/").text.count("Make a code") == 0


def test_planted_account_is_named_before_anything_is_opened_to_it(conference: Conference) -> None:
    planted = sign_in_by_mail("eve@example.org")
    _, own = make_agenda(conference)
    code = Handover.begin(visitor_of(own))

    pages = [browser(token=token).post(TAKE, {"code": code}).text for token in (planted, new_token())]

    assert ["This device is signed in as eve@example.org" in it for it in pages] == [True, False]


def test_sign_out_elsewhere_leaves_this_device_alone_with_the_agenda(conference: Conference) -> None:
    _, token = make_agenda(conference, *make_events(conference, "a"))
    here, there = browser(token=token), browser(token=token)

    response = here.post("/demo/agenda/devices/sign-out/")

    assert (response.status_code, here.cookies[VISITOR_COOKIE].value != token) == (302, True)
    assert [shown(here), shown(there)] == [["a"], []]


def test_bookmark_on_an_agenda_that_is_merged_in_this_moment_says_that_nothing_was_done(
    conference: Conference, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = make_event(conference)
    agenda, token = make_agenda(conference)
    monkeypatch.setattr("events.pages.views.event.get_or_begin_agenda", lambda request, conference: (agenda, token))
    Agenda.objects.all().delete()
    url = reverse("events:bookmark-set", args=["demo", event.guid])

    plain = browser(token=token).post(url, {"on": "1", "next": "/demo/talks/"}, follow=True)
    htmx = browser(token=token).post(url, {"on": "1"}, headers={"hx-request": "true"})

    assert plain.redirect_chain == [("/demo/talks/", 302)]
    assert "Nothing was changed: your agenda was just merged or deleted," in plain.text
    assert (htmx.status_code, htmx["HX-Refresh"]) == (204, "true")


@pytest.mark.parametrize("size", [1, 3])
def test_preview_and_merge_take_as_many_queries_for_three_as_for_one(size: int, django_assert_num_queries: Any) -> None:
    conference = make_conference(slug="demo")
    events = [make_event(conference) for _ in range(3 * size)]
    _, there = make_agenda(conference, *events[: 2 * size])
    own, here = make_agenda(conference, *events[size:])
    own.bookmark(events[-1], on=False)
    code = Handover.begin(visitor_of(there))
    client = browser(token=here)

    with django_assert_num_queries(19):
        client.post(TAKE, {"code": code})
    with django_assert_num_queries(63):
        client.post(TAKE, {"code": code, "how": "merge"})

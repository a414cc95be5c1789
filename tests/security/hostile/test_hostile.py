"""Whatever stands in a row or comes with a request: an answer, never an error of ours, and never a script."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.db import connection, transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from events.agenda.visitor import FORMER_COOKIE, VISITOR_COOKIE
from events.models import FeedFetch
from events.web.request import DISMISSED_COOKIE, START_COOKIE, WALKING_COOKIE, ZONE_COOKIE
from tests.calendars.lint import problems
from tests.security import strings
from tests.security.addresses import POST_ONLY, address, names, pages
from tests.security.markup import active, elements
from tests.security.planting import address_fields, plant, planted
from tests.security.world import DURING, World

READ = [name for name in names() if name not in POST_ONLY]
# Nobody uploaded that photo, nobody is named for security or reads the figures, nobody wrote that letter, and that question is
# another's to take back.
UNKNOWN = {"events:media", "events:security-txt", "events:metrics", "events:digests-off", "events:question-withdraw"}
PARAMETERS = "type room zone for track topic kind letter award places dry step_free q at floor page".split()
PARAMETERS += "view from next order _connector id".split()
HTMX = {"hx-request": "true"}
SENT = {
    "events:announcements-dismiss": "announcement",
    "events:attendance-set": "attendance",
    "events:bookmark-set": "on",
    "events:crowd-set": "state",
    "events:time-zone": "zone",
    "events:start-set": "start",
    "events:sign-in": "mailbox",
}
# It says what is wrong with the times it is asked about.
ANSWERS_A_QUESTION = {"events:agenda-gap"}
# A place that we do not have has no screen.
NAMES_A_PLACE = {"events:screen"}
# The page for one's own calendar offers the way calendars subscribe, too.
SCHEMES = {"", "http", "https", "mailto", "webcal"}


def shown(world: World) -> list[str]:
    """Every page, and one more for each kind of event and each way to look at a day."""
    days = [day.get_absolute_url() for day in [world.day, world.tuesday, world.friday]]
    events = [world.session, world.talk, world.social, world.poster, world.undated, world.cancelled]
    searches = [f"{address('events:search', world)}?q={question}" for question in ["op", "ada", "expo", "registration"]]
    desk = [address(f"events:{name}", world) + f"?at={DURING}" for name in ["social-propose", "missing"]]
    desk.append(f"{desk[-1]}&where={world.social.get_absolute_url()}")
    walls = [f"{address('events:screen', world)}?zone=all&at={moment}" for moment in (DURING, "2025-04-24T23:30")]
    more = [
        *walls,
        *desk,
        *days,
        *(f"{url}?view=grid" for url in days),
        *(event.get_absolute_url() for event in events),
        *searches,
    ]
    return [*(address(name, world) for name in READ if name not in UNKNOWN), *more]


def ask(world: World) -> dict[str, HttpResponse]:
    client = world.client("agenda holder", raise_request_exception=False)
    # The page of the calendar shows who fetched it: one calendar has, whatever is asked first and was planted before.
    FeedFetch.objects.all().delete()
    client.get(address("events:feed", world))
    return {url: client.get(url) for url in shown(world)}


def html(found: dict[str, HttpResponse]) -> dict[str, str]:
    return {url: it.text for url, it in found.items() if it.get("Content-Type", "").startswith("text/html")}


def strange_links(text: str) -> list[str]:
    hrefs = [value for it in elements(text) for name, value in it.attributes.items() if name.endswith("href")]
    return [href for href in hrefs if urlsplit(href.strip()).scheme not in SCHEMES or href.startswith(("//", "/\\", "\\"))]


def wrong(found: dict[str, HttpResponse], before: dict[str, Counter[str]]) -> list[str]:
    """Where an answer is an error, does something that it did not do before, or is no calendar any more."""
    said = [f"{url}: {it.status_code}" for url, it in found.items() if it.status_code >= 400]
    for url, text in html(found).items():
        said += [f"{url}: {thing}" for thing in active(text) - before[url]] + [f"{url}: {href}" for href in strange_links(text)]
    calendars = {url: it for url, it in found.items() if it.get("Content-Type", "").startswith("text/calendar")}
    said += [f"{url}: {problem}" for url, it in calendars.items() for problem in problems(it.content)]
    return said + [f"{url}: a header" for url, it in found.items() if b"\r\nSet-Cookie: planted" in it.serialize_headers()]


@pytest.fixture(scope="module")
def plain_elements(module_rows: Callable[..., Any], module_world: World) -> dict[str, Counter[str]]:
    """What each page does when every text says something: where there was no place, there are maps to it now."""

    def ask_and_take_back() -> dict[str, Counter[str]]:
        with transaction.atomic():
            plant("Plain words")
            found = {url: active(text) for url, text in html(ask(module_world)).items()}
            transaction.set_rollback(True)
        return found

    return module_rows(ask_and_take_back)


def rotated(group: dict[str, str], step: int = 3) -> list[list[str]]:
    texts = list(group.values())
    return [[*texts[turn:], *texts[:turn]] for turn in range(0, len(texts), step)]


@pytest.mark.parametrize(
    "turns",
    [
        pytest.param([[strings.MARKUP[strings.STRONGEST]], [*strings.MARKUP.values()]], id="markup"),
        pytest.param([[strings.CRLF], [*strings.CHARACTERS.values()]], id="characters"),
        pytest.param(rotated(strings.MARKUP), id="every markup", marks=pytest.mark.exhaustive),
        pytest.param(rotated(strings.CHARACTERS), id="all characters", marks=pytest.mark.exhaustive),
    ],
)
def test_hostile_text_in_every_field_is_shown_as_text(
    world: World, plain_elements: dict[str, Counter[str]], turns: list[list[str]]
) -> None:
    found = {}
    for texts in turns:
        plant(*texts)
        found[texts[0]] = wrong(ask(world), plain_elements)

    assert found == {text: [] for text in found}


def test_null_byte_is_shown_as_nothing_or_not_taken_at_all(world: World, plain_elements: dict[str, Counter[str]]) -> None:
    taken = planted("null\x00byte")

    assert taken == (connection.vendor != "postgresql")
    assert not taken or wrong(ask(world), plain_elements) == []


def test_hostile_address_is_read_as_none(world: World) -> None:
    found = {}
    for link in strings.LINKS:
        for field in address_fields():
            field.model._default_manager.update(**{field.name: link})
        read = {str(field): set(field.model._default_manager.values_list(field.name, flat=True)) for field in address_fields()}
        found[link] = {name: values for name, values in read.items() if values != {""}}

    assert found == {link: {} for link in strings.LINKS}


def test_hostile_address_never_becomes_a_link(world: World) -> None:
    before = {url: active(text) for url, text in html(ask(world)).items()}
    for number, field in enumerate(address_fields()):
        field.model._default_manager.update(**{field.name: strings.LINKS[number]})

    found = ask(world)

    assert wrong(found, before) == []
    assert [url for url, text in html(found).items() if "alert(1)" in text or "evil.example" in text] == []


def test_answers_to_a_bookmark_show_titles_as_text(world: World) -> None:
    url, client = address("events:bookmark-set", world), world.client("agenda holder")
    before = active(client.post(url, {"on": "1"}, headers=HTMX).text)

    found = {}
    for kind, text in strings.MARKUP.items():
        plant(text)
        fragment = client.post(url, {"on": "1"}, headers=HTMX).text
        client.post(url, {"on": "1"})
        told = client.get(address("events:about", world)).text
        found[kind] = [*(active(fragment) - before), *(it.tag for it in elements(told) if it.tag in {"img", "iframe", "b"})]

    assert found == {kind: [] for kind in strings.MARKUP}


@pytest.mark.parametrize(
    "step", [pytest.param(16, id="each once"), pytest.param(3, id="in many places", marks=pytest.mark.exhaustive)]
)
def test_hostile_question_gets_the_usual_answer(world: World, step: int) -> None:
    client = world.client("agenda holder", raise_request_exception=False)
    urls = {name: address(name, world) for name in READ}
    usual = {name: client.get(url).status_code for name, url in urls.items()}

    answers = {}
    for turn in range(0, len(strings.QUERY_VALUES), step):
        for place, (name, url) in enumerate(urls.items()):
            asked = query(turn + place)
            answers[name, asked[:200]] = client.get(f"{url}?{asked}").status_code
    also = dict.fromkeys(ANSWERS_A_QUESTION, 422) | dict.fromkeys(NAMES_A_PLACE, 404)
    allowed = {name: {code, also.get(name, code)} for name, code in usual.items()}

    assert {question: code for question, code in answers.items() if code not in allowed[question[0]]} == {}


def query(turn: int) -> str:
    """Every parameter with a value of its own, another one each turn."""
    values = strings.QUERY_VALUES
    return "&".join(f"{name}={values[(turn + place) % len(values)][:600]}" for place, name in enumerate(PARAMETERS))


@pytest.mark.parametrize("pairs", strings.pairs_of(PARAMETERS, strings.QUERY_VALUES))
def test_hostile_question_of_a_day_gets_an_answer_also_from_htmx(world: World, pairs: list[tuple[str, str]]) -> None:
    client, url = world.client("anonymous", raise_request_exception=False), world.day.get_absolute_url()

    answers = {
        (name, value): client.get(f"{url}?{name}={value}&part=schedule", headers=HTMX).status_code for name, value in pairs
    }

    assert answers == dict.fromkeys(pairs, 200)


def test_address_of_too_many_parts_is_refused(world: World) -> None:
    client = Client(raise_request_exception=False)

    answers = {name: client.get(f"{address(name, world)}?{'x&' * 5001}").status_code for name in pages()}

    assert answers == dict.fromkeys(pages(), 400)


def test_nothing_of_a_question_acts_on_the_page(world: World) -> None:
    client, broken_out = world.client("agenda holder"), "%22%27%3E%3Cimg%20src=x%20onerror=alert(1)%3E"
    values = [f"{before}{broken_out}" for before in ["", "javascript:alert(1)", "//x"]]
    queries = ["&".join(f"{parameter}={value}" for parameter in PARAMETERS) for value in values]

    texts = {f"{name} {query[:40]}": client.get(f"{address(name, world)}?{query}").text for name in pages() for query in queries}

    assert [asked for asked, text in texts.items() if any("onerror" in it.attributes for it in elements(text))] == []
    assert {asked: strange_links(text) for asked, text in texts.items() if strange_links(text)} == {}


@pytest.mark.parametrize("name", ["bookmark-set", "crowd-set", "event-calendar", "person-detail", "paper-detail"])
def test_hostile_id_is_not_found(world: World, name: str) -> None:
    url, guid = reverse(f"events:{name}", args=[world.conference.slug, world.keynote.guid]), str(world.keynote.guid)

    answers = {value[:40]: Client().get(url.replace(guid, value)).status_code for value in strings.IDS}

    assert answers == {value[:40]: 404 for value in strings.IDS}


@pytest.mark.parametrize(
    ("route", "values"),
    [
        pytest.param("/iclr-2025/schedule/{}/", strings.DATES, id="a date that is none or has no page"),
        pytest.param("/media/{}", [*strings.IDS, *strings.PATHS], id="a photo"),
        pytest.param("/{}/agenda/", strings.IDS, id="a conference"),
        pytest.param("/{}/schedule.ics", strings.IDS, id="a conference's calendar"),
        pytest.param("/feeds/{}.ics", strings.TOKENS, id="a feed"),
        pytest.param("/iclr-2025/proposals/{}/", strings.TOKENS, id="a proposal"),
        pytest.param("/iclr-2025/proposals/{}/change/", strings.TOKENS, id="a change of a proposal"),
    ],
)
def test_hostile_address_is_not_found(world: World, route: str, values: list[str]) -> None:
    client = Client(raise_request_exception=False)

    answers = {value[:40]: client.get(route.format(value)).status_code for value in values}

    assert answers == {value[:40]: 404 for value in values}


def test_feed_that_never_was_says_what_any_unknown_address_says(world: World) -> None:
    known = Client().get(f"/feeds/{'x' * 32}.ics").content

    assert {Client().get(f"/feeds/{token}.ics").content for token in strings.TOKENS} == {known}


READS_COOKIES = [f"events:{name}" for name in ("conference-detail", "agenda-detail", "directions", "agenda-download")]


@pytest.mark.parametrize("pairs", strings.pairs_of(READS_COOKIES, strings.COOKIES))
@pytest.mark.parametrize(
    "cookie",
    [
        *(VISITOR_COOKIE, FORMER_COOKIE, ZONE_COOKIE, START_COOKIE, WALKING_COOKIE, DISMISSED_COOKIE),
        *("sessionid", "csrftoken", "messages", "planted"),
    ],
)
def test_bad_cookie_is_as_good_as_none(world: World, cookie: str, pairs: list[tuple[str, str]]) -> None:
    client = Client(raise_request_exception=False)

    answers = {
        (name, value): client.get(address(name, world), headers={"cookie": f"{cookie}={value}"}).status_code
        for name, value in pairs
    }

    assert answers == dict.fromkeys(pairs, 200)


@pytest.mark.parametrize("name", SENT)
def test_hostile_form_is_refused_or_forgotten(world: World, name: str) -> None:
    client, url = world.client("agenda holder", raise_request_exception=False), address(name, world)
    expected = 302 if name == "events:start-set" else 422

    answers = {kind: client.post(url, {SENT[name]: text, "next": text}) for kind, text in strings.TEXTS.items()}

    blank = {"blank": 302} if name == "events:time-zone" else {}
    assert {kind: it.status_code for kind, it in answers.items()} == dict.fromkeys(answers, expected) | blank
    assert [kind for kind, it in answers.items() if re.search("onerror|javascript", str([*active(it.content.decode())]))] == []


@pytest.mark.parametrize(
    ("body", "content_type", "expected"),
    [
        pytest.param(b"on=1&next=%FF%FE%00", "application/x-www-form-urlencoded", 302, id="a way back that is no text"),
        pytest.param(b"on=%FF", "application/x-www-form-urlencoded", 422, id="bytes that are no text"),
        pytest.param(b"--x\r\nContent-Disposition: form-data", "multipart/form-data; boundary=x", 422, id="a form cut off"),
        pytest.param(b"{", "application/json", 422, id="another type"),
        pytest.param(b"on=1" + b"&a=1" * 6000, "application/x-www-form-urlencoded", 400, id="too many fields"),
        pytest.param(b"\x00" * 100, "multipart/form-data", 400, id="no boundary"),
    ],
)
def test_form_that_cannot_be_read_is_refused(world: World, body: bytes, content_type: str, expected: int) -> None:
    client, before = world.client("agenda holder", raise_request_exception=False), world.agenda.bookmarks.count()

    response = client.post(address("events:bookmark-set", world), body, content_type=content_type)

    assert response.status_code == expected
    assert world.agenda.bookmarks.count() == before


LISTED = "q p o e conference__id__exact status__exact _changelist_filters".split()


@pytest.mark.parametrize("name", ["invitedtalk", "route"])
@pytest.mark.parametrize("pairs", strings.pairs_of(LISTED, strings.QUERY_VALUES))
def test_organiser_with_a_hostile_question_gets_an_answer(world: World, name: str, pairs: list[tuple[str, str]]) -> None:
    client = world.client("organiser", raise_request_exception=False)
    url = reverse(f"admin:events_{name}_changelist")

    answers = {f"{parameter}={value[:40]}": client.get(f"{url}?{parameter}={value}").status_code for parameter, value in pairs}

    assert {question: status for question, status in answers.items() if status not in {200, 302, 400}} == {}


def test_look_up_with_a_hostile_question_gets_an_answer(world: World) -> None:
    client = world.client("organiser", raise_request_exception=False)
    url = f"{reverse('admin:autocomplete')}?app_label=events&model_name=social&field_name=room&term="

    answers = {value: client.get(url + value).status_code for value in strings.QUERY_VALUES}

    assert answers == {value: 400 if "%00" in value else 200 for value in strings.QUERY_VALUES}

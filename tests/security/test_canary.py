"""Drafts and all else that is hidden: in no page, feed, file, filter, count or error, for nobody outside the admin."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator

import pytest
import time_machine
from django.http import HttpResponse
from django.test import Client
from django.urls import resolve, reverse

from events.models import Conference
from tests.factories import at
from tests.security.addresses import POST_ONLY, address, names
from tests.security.crawl import crawl, names_of
from tests.security.hidden import CANARY, Hidden, word
from tests.security.markup import without_token
from tests.security.planting import text_fields
from tests.security.world import World

VISITORS = ("anonymous", "agenda holder")
# In the short run one of them follows every link, and the others open every page.
FOLLOWS = "agenda holder"
GUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
EVENT_NAME = re.compile(rf"(?P<slash>/|%2F)events(?P=slash)(?!{GUID.pattern})(?P<name>[\w-]+-\d+)(?P=slash)")
# They say how much of one's own is kept, also of what was hidden since; not what that is.
HOLDS_OWN = {"events:data-export", "events:forget-me"}
# A form to add something of one's own says which new one it adds, so that sent twice it adds one.
NEW_ENTRY = re.compile(r'<input type="hidden" name="(?:guid|stamp)" value="[^"]*">')
# Colours are linked with the revision, and what a browser saves has it; it also rises for what nobody sees.
REVISION = re.compile(r"""(colours\.css\?revision=|"(?:agenda_)?revision": )\d+""")
# Nothing links to a preview.
UNREACHABLE = {"events:preview-open"}
LATER = "?at=2099-06-01T09:30"


@pytest.fixture(scope="module", autouse=True)
def _during_the_conference() -> Iterator[None]:
    with time_machine.travel(at("09:30"), tick=False):
        yield


def starts(world: World) -> list[str]:
    return [address(name, world) for name in names() if name not in POST_ONLY | UNREACHABLE]


def searches(world: World) -> list[str]:
    questions = ["canary", "op", "expo", "gradients", "cannary", "cannary&view=panel"]
    return [f"{address('events:search', world)}?q={question}" for question in questions]


def later(client: Client, world: World) -> dict[str, HttpResponse]:
    """Every page as it looks at a moment when all is over; its links lead to the same pages."""
    return {url: client.get(url) for url in [start + LATER for start in starts(world)]}


def all_pages(client: Client, world: World) -> dict[str, HttpResponse]:
    found = crawl(client, starts(world) + searches(world)) | later(client, world)
    return {REVISION.sub(r"\1", url): response for url, response in found.items()}


def canaries(found: dict[str, HttpResponse]) -> dict[str, set[str]]:
    """By address, what gave itself away in body or headers."""
    told = {
        url: set(CANARY.findall(f"{response.serialize_headers().decode()} {body(response)}")) for url, response in found.items()
    }
    return {url: words for url, words in told.items() if words}


def body(response: HttpResponse) -> str:
    """Without what differs from answer to answer, and with the lines of calendars in one piece; of a picture what is text."""
    text = without_token(response.content.decode(errors="replace")).replace("\r\n ", "")
    return REVISION.sub(r"\1", NEW_ENTRY.sub("", text))


@pytest.mark.slow
def test_the_same_crawl_finds_all_of_it_once_it_is_published(world: World) -> None:
    hidden = Hidden(world)
    hidden.publish()

    found = all_pages(world.client("agenda holder"), world)

    told = set().union(*canaries(found).values())
    expected = "draft place abstract session inside deep child social cost audience signup hours withdrawn moved reason speaker"
    papers = "affiliation panellist talk-award author paper tldr paper-abstract link code award citation announcement recording"
    more = "comfort comfort-note question asker draft-question conference slug slug-schedule elsewhere"
    information = "info info-slug info-text info-picture info-alt"
    polls = "poll poll-answer draft-poll draft-poll-answer"
    labels = (
        "type track topic subarea venue venue-about zone room room-about plan area tea tea-note hotel hotel-slug way leg labelled"
        # Of the zone, in the heading of a list, in an address, and in the name of a file.
        " zone-about types topic-canary-subarea conference-my-agenda"
    )
    assert told == {word(it) for it in f"{expected} {papers} {more} {information} {polls} {labels}".split()}


def test_nothing_hidden_is_on_any_page(world: World) -> None:
    Hidden(world)
    client = world.client("anonymous")

    found = {url: client.get(url) for url in starts(world) + searches(world)} | later(client, world)

    assert canaries(found) == {}


# Hidden, but no draft: organisers see these in the admin only.
NO_DRAFTS = "paper tldr paper-abstract link code award author question asker announcement recording reason poll"


@pytest.mark.parametrize("reader", ["organiser", "guest"])
def test_drafts_are_on_pages_that_show_them_and_that_nobody_keeps(world: World, reader: str) -> None:
    Hidden(world)
    client = world.client("organiser" if reader == "organiser" else "anonymous")
    if reader == "guest":
        client.get(address("events:preview-open", world))

    found = {url: client.get(url) for url in starts(world) + searches(world)} | later(client, world)

    told = canaries(found)
    shown = {url for url in found if getattr(resolve(url.partition("?")[0]).func, "shows_drafts", False)}
    # The list of conferences has drafts for organisers only.
    shown -= {"/", "/" + LATER} if reader == "guest" else set()
    assert told.keys() <= shown
    assert {word("draft"), word("social"), word("speaker")} <= set().union(*told.values())
    assert set().union(*told.values()) & {word(it) for it in NO_DRAFTS.split()} == set()
    assert (word("conference") in set().union(*told.values())) == (reader == "organiser")
    headers = {
        (found[url].get("Cache-Control"), found[url].get("X-Robots-Tag")) for url in shown if found[url].status_code != 404
    }
    assert headers == {("private, no-store", "noindex")}


def test_guest_whose_link_was_withdrawn_sees_what_everybody_sees(world: World) -> None:
    Hidden(world)
    client = world.client("anonymous")
    client.get(address("events:preview-open", world))
    world.preview_link.revoke()

    found = {url: client.get(url) for url in starts(world) + searches(world)}

    assert canaries(found) == {}


@pytest.mark.parametrize("visitor", [pytest.param(it, marks=() if it == FOLLOWS else pytest.mark.exhaustive) for it in VISITORS])
def test_nothing_hidden_is_found_by_following_every_link_and_no_byte_differs(world: World, visitor: str) -> None:
    """Two questions to one crawl, which takes as long as all else in this module."""
    before = all_pages(world.client(visitor), world)
    Hidden(world)

    after = all_pages(world.client(visitor), world)

    assert canaries(after) == {}
    assert names_of(after) - POST_ONLY == set(names()) - POST_ONLY - UNREACHABLE
    assert after.keys() == before.keys()
    same = [url for url in after if names_of({url: after[url]}).isdisjoint(HOLDS_OWN)]
    assert {url: body(after[url]).splitlines() for url in same} == {url: body(before[url]).splitlines() for url in same}


MISSPELLED = ("cannary", "withdrwan", "labeled", "panelist", "elsewhre")


def suggested(world: World, question: str) -> set[str]:
    """What is shown or offered instead of the question: on the page, in its fragment and in the panel."""
    said = set[str]()
    for part in ("", "results", "panel"):
        response = Client().get(f"{address('events:search', world)}?q={question}&part={part}")
        page = response.context["search_page"]
        said |= {page.corrected, *(it.label for it in [*page.other_spellings, *page.fewer_words])}
        said |= {it for it in ("Showing results for", "Did you mean") if it in response.text}
    return said - {""}


def test_no_word_of_anything_hidden_is_suggested_for_a_question_with_a_typo(world: World) -> None:
    hidden = Hidden(world)

    while_hidden = {question: suggested(world, question) for question in MISSPELLED}
    hidden.publish()
    once_public = {question: bool(suggested(world, question)) for question in MISSPELLED}

    assert while_hidden == {question: set() for question in MISSPELLED}
    # The last is a word of another conference.
    assert once_public == {question: question != "elsewhre" for question in MISSPELLED}


# Public as soon as they are in a conference; they are nothing of a draft.
PUBLIC_ALONE = {"Day", "Fact", "Service", "Sponsor", "SponsorLevel"}
# Of visitors and staff, or on no page.
PERSONAL = {"ChangeGroup", "ConferenceHost", "Letter", "Note", "PreviewLink", "PrivateEntry", "ReadLink", "Seat"}


def test_every_model_with_a_name_has_something_hidden(world: World) -> None:
    Hidden(world)
    named = {field.model for field in text_fields() if field.name in {"name", "title", "area", "label", "instruction", "text"}}

    without = {
        model.__name__ for model in named if not any(CANARY.search(str(row)) for row in model._default_manager.values_list())
    }

    assert without == PUBLIC_ALONE | PERSONAL


@pytest.mark.parametrize("name", ["schedule-calendar", "schedule-xml", "schedule-json", "schedule-csv", "schedule"])
def test_filter_by_something_hidden_names_it_nowhere(world: World, name: str) -> None:
    hidden = Hidden(world)
    event = hidden.labelled
    chosen = {"type": event.type.slug, "track": event.track.slug, "topic": event.topic.slug, "room": str(event.room.pk)}
    path = address(f"events:{name}", world)

    answers = {field: Client().get(path, {field: value}) for field, value in chosen.items()}

    words = {field: set(CANARY.findall(body(it))) - set(chosen.values()) for field, it in answers.items()}
    assert words == {field: set() for field in chosen}


def test_path_of_the_admin_is_on_no_public_page(world: World) -> None:
    found = {url: Client().get(url) for url in starts(world)}

    assert [url for url, it in found.items() if "/organise" in f"{it.serialize_headers().decode()}{body(it)}"] == []


def answer_seen(response: HttpResponse) -> tuple[int, str, dict[str, str]]:
    """All that an answer says, apart from the address that was asked for."""
    text = EVENT_NAME.sub("/events/name/", GUID.sub("guid", body(response)))
    return response.status_code, text, dict(response.headers)


def unknown(url: str) -> str:
    return EVENT_NAME.sub(_never_was, GUID.sub(str(uuid.uuid4()), url))


def _never_was(known: re.Match[str]) -> str:
    """As long as the known one, because an answer may say what was asked for."""
    words = len(known["name"]) - len("-4711000")
    return f"/events/{'x' * words}-4711000/"


@pytest.mark.parametrize("visitor", ["anonymous", "agenda holder"])
@pytest.mark.parametrize("method", ["get", "head", "post", "get by htmx"])
def test_address_of_something_hidden_answers_like_one_that_never_was(world: World, visitor: str, method: str) -> None:
    hidden = Hidden(world)
    headers = {"hx-request": "true"} if "htmx" in method else {}

    def ask(url: str) -> tuple[int, str, dict[str, str]]:
        return answer_seen(getattr(world.client(visitor), method[:4].strip())(url, {"on": "1"}, headers=headers))

    addresses = hidden.addresses if method == "get" else hidden.addresses_of_kinds
    answers = {url: ask(url) for url in addresses}

    assert answers == {url: ask(unknown(url)) for url in addresses}
    assert {status for status, *_ in answers.values()} == ({404, 405} if method == "post" else {404})


@pytest.mark.parametrize("visitor", ["anonymous", "agenda holder"])
def test_unpublished_conference_answers_like_one_that_never_was(world: World, visitor: str) -> None:
    hidden = Hidden(world)
    kept = world.conference
    world.conference = hidden.unpublished
    inside = [address(name, world) for name in names() if name not in {"events:feed", "events:media"}]
    world.conference = kept
    inside = [url for url in inside if url.startswith(f"/{hidden.unpublished.slug}/")]

    answers = [answer_seen(world.client(visitor).get(url)) for url in inside]

    never_was = [answer_seen(world.client(visitor).get(url.replace(hidden.unpublished.slug, "never-was"))) for url in inside]
    slugless = [(status, text.replace(hidden.unpublished.slug, "never-was"), headers) for status, text, headers in answers]
    assert slugless == never_was
    assert {status for status, *_ in answers} == {404, 405}


def test_feed_of_an_unpublished_conference_answers_like_an_unknown_one(world: World) -> None:
    hidden = Hidden(world)
    token = hidden.foreign_agenda.feed_token

    response = Client().get(reverse("events:feed", args=[token]))

    assert answer_seen(response) == answer_seen(Client().get(reverse("events:feed", args=[token[::-1]])))
    assert response.status_code == 404


@pytest.mark.parametrize("name", ["agenda-detail", "agenda-calendar", "agenda-download", "feed", "recordings-feed"])
def test_what_was_taken_out_of_the_agenda_is_not_in_it(world: World, name: str) -> None:
    world.agenda.bookmark(world.talk, on=False)

    text = world.client("agenda holder").get(address(f"events:{name}", world)).content.decode()

    assert world.talk.title not in text


def test_bookmark_on_something_hidden_writes_nothing(world: World) -> None:
    hidden = Hidden(world)
    world.agenda.bookmark(hidden.draft, on=False)
    revision = Conference.objects.get(pk=world.conference.pk).revision

    bookmark_url = reverse("events:bookmark-set", args=[world.conference.slug, hidden.draft.guid])
    response = world.client("agenda holder").post(bookmark_url, {"on": "1"})

    assert response.status_code == 404
    assert world.agenda.bookmarks.get(event=hidden.draft).removed_at is not None
    assert Conference.objects.get(pk=world.conference.pk).revision == revision

"""The language of an event on pages: lang and dir on its texts, a badge and a filter where a programme has several."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from events.core.byte_cache import PROCESS_CACHE
from events.models import Conference, Event
from tests.factories import make_agenda, make_appearance, make_conference, make_event, make_paper, make_person, make_room
from tests.pages.queries.reading import card_of, clock, flags
from tests.search.searching import reindex
from tests.visitors import browser

pytestmark = pytest.mark.django_db

DAY = "/demo/schedule/2025-04-24/"
AT = "?at=2025-04-24T09:30"


class World:
    def __init__(self) -> None:
        self.conference: Conference = make_conference(slug="demo")
        room = make_room(self.conference, "Saal 1")
        hours = {"start": "09:00", "end": "12:00"}
        self.session = make_event(self.conference, title="Vormittag", language="de", room=room, **hours)
        talk = {"kind": "talk", "session": self.session, "room": room}
        self.german: Event = make_event(
            self.conference, title="Rechner", abstract="Über Rechner.", language="de", start="09:15", end="10:00", **talk
        )
        self.plain: Event = make_event(
            self.conference, title="Computers", abstract="On them.", start="10:00", end="11:00", **talk
        )

    def add_portuguese(self) -> Event:
        return make_event(self.conference, title="Máquinas", kind="invited-talk", language="pt-BR", start="09:00", end="10:00")


@pytest.fixture
def world() -> World:
    return World()


def text_of(url: str, client: Client | None = None) -> str:
    response = (client or browser()).get(url)
    assert response.status_code == 200
    return response.text


def marked(html: str, title: str) -> set[str]:
    """The attributes for its language of each element that holds only the title, "" for none."""
    tags = re.findall(rf"<(?:a|b|p|span|h1)\b([^<>]*)>\s*(?:<time>[^<]*</time> )?{title}\s*</", html)
    return {" ".join(re.findall(r'(?:lang|dir)="[^"]*"', tag)) for tag in tags if "visually-hidden" not in tag}


@pytest.mark.parametrize(
    "address",
    [
        pytest.param(f"/demo/{AT}", id="overview"),
        pytest.param(DAY + AT, id="day"),
        pytest.param(f"{DAY}{AT}&view=grid", id="grid"),
        pytest.param("/demo/search/?q=Rechner", id="search"),
        pytest.param(f"/demo/venue/{AT}", id="venue"),
    ],
)
def test_titles_are_marked_in_their_language(world: World, address: str) -> None:
    reindex(world.conference)

    html = text_of(address)

    title = "Vormittag" if "venue" in address else "Rechner"
    assert marked(html.replace("<mark>", "").replace("</mark>", ""), title) == {'lang="de" dir="auto"'}


def test_event_page_marks_title_and_abstract_and_says_nothing_of_one_language(world: World) -> None:
    html = text_of(world.german.get_absolute_url())

    assert marked(html, "Rechner") == {'lang="de" dir="auto"'}
    assert '<div lang="de" dir="auto"><p>Über Rechner.</p>' in html
    assert marked(html, "Vormittag") == {'lang="de" dir="auto"'}
    assert "In German" not in html


def test_event_without_a_language_claims_none(world: World) -> None:
    html = text_of(world.plain.get_absolute_url())

    assert marked(html, "Computers") == {'dir="auto"'}
    assert '<div dir="auto"><p>On them.</p>' in html


def test_abstract_of_a_paper_is_not_claimed_to_be_in_the_language_of_the_event(world: World) -> None:
    paper = make_paper(world.conference, make_person(world.conference), title="Rechner", abstract="In English.")
    event = make_event(world.conference, kind="poster", title="Rechner", paper=paper, language="de")

    assert '<div dir="auto"><p>In English.</p>' in text_of(event.get_absolute_url())


def test_names_have_a_direction_and_no_language(world: World) -> None:
    make_appearance(world.german, make_person(world.conference, "שרה כהן"))

    people = re.search(r'<p class="event-people">(.*?)</p>', text_of(DAY + AT), re.DOTALL)
    assert people
    assert "\u2068שרה כהן\u2069" in people[1]
    assert re.search(r'<a href="[^"]*" dir="auto">שרה כהן</a>', text_of(world.german.get_absolute_url()))


def test_badge_and_filter_appear_with_a_second_language(world: World) -> None:
    before = text_of(DAY)
    world.add_portuguese()

    html = text_of(DAY)

    assert ("In German" in before, 'aria-label="Languages"' in before) == (False, False)
    assert html.count('<span class="flag" data-flag="language">In German</span>') == 2
    assert html.count('<span class="flag" data-flag="language">In Brazilian Portuguese</span>') == 1
    assert re.findall(r'id="language-(\w+)" href="(\?language=\w+)"', html) == [
        ("de", "?language=de"),
        ("pt", "?language=pt"),
    ]
    assert 'data-flag="language">In German</span>' in text_of(world.german.get_absolute_url())


def test_exception_in_a_programme_without_languages_is_named(world: World) -> None:
    for number in range(2):
        make_event(world.conference, kind="talk", title=f"Talk {number}")

    assert flags(card_of(world.german, clock("08:00"))) == [("language", "In German")]
    assert flags(card_of(world.plain, clock("08:00"))) == []


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        pytest.param("language=de", {"Rechner"}, id="one"),
        pytest.param("language=pt", {"Máquinas"}, id="any region"),
        pytest.param("language=de&type=talk", {"Rechner"}, id="and a kind"),
        pytest.param("language=de&language=pt", {"Rechner", "Máquinas"}, id="either"),
        pytest.param("language=xx", set(), id="unknown"),
        pytest.param("language=%22%3E%3Cscript%3E", set(), id="hostile"),
    ],
)
@pytest.mark.parametrize("view", ["list", "grid"])
def test_day_is_filtered_by_language(world: World, query: str, shown: set[str], view: str) -> None:
    world.add_portuguese()

    html = text_of(f"{DAY}?{query}&view={view}")

    assert {title for title in ("Rechner", "Computers", "Máquinas") if marked(html, title)} == shown
    assert "<script>" not in html.replace("<script ", "")
    assert "Clear filters" in html


def test_cached_pages_know_the_filter_and_a_new_language(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PROCESS_CACHE, "max_bytes", 10_000_000)
    assert "Computers" in text_of(DAY)
    assert "Computers" not in text_of(f"{DAY}?language=de")
    assert "In German" not in text_of(world.german.get_absolute_url())

    added = make_event(world.conference, title="Later", kind="talk", day=None)
    added.language = "fr"
    added.revise()

    assert "In German" in text_of(world.german.get_absolute_url())
    assert "In German" in text_of(f"{DAY}?language=de")


@pytest.mark.parametrize("name", ["schedule.json", "schedule.xml", "schedule.csv"])
def test_files_are_filtered_by_language(world: World, name: str) -> None:
    def titles(query: str) -> set[str]:
        body = browser().get(f"/demo/{name}{query}").getvalue().decode()
        return {title for title in ("Rechner", "Computers", "Máquinas") if re.search(rf'(?:"title":"|<title>|,){title}', body)}

    world.add_portuguese()

    assert titles("?language=de") == {"Rechner"}
    assert titles("?language=pt") == {"Máquinas"}
    assert titles("?language=xx") == set()
    assert titles("") == {"Rechner", "Computers", "Máquinas"}


def test_socials_are_filtered_by_language(world: World) -> None:
    for title, language in (("Stammtisch", "de"), ("Happy hour", "en")):
        make_event(world.conference, kind="social", title=title, language=language, start="20:00", end="22:00")

    html = text_of("/demo/socials/?language=de")

    assert 'id="language-en"' in html
    assert (bool(marked(html, "Stammtisch")), bool(marked(html, "Happy hour"))) == (True, False)


def test_agenda_marks_what_is_in_it(world: World) -> None:
    world.add_portuguese()
    _, token = make_agenda(world.conference, world.german)

    html = text_of(f"/demo/agenda/{AT}", browser(token=token))

    assert marked(html, "Rechner") == {'lang="de" dir="auto"'}
    assert "In German" in html


def test_hidden_languages_are_not_named(world: World) -> None:
    world.add_portuguese()
    Event.objects.filter(language="pt-BR").update(status="draft")

    html = text_of(DAY)

    assert ("Portuguese" in html, "In German" in html, 'aria-label="Languages"' in html) == (False, False, False)


@pytest.mark.parametrize("language", ['"><script>alert(1)</script>', "x" * 35])
def test_language_written_past_the_checks_harms_no_page(world: World, language: str) -> None:
    Event.objects.filter(pk=world.german.pk).update(language=language[:35])
    world.add_portuguese()

    for url in (DAY, f"{DAY}?view=grid", world.german.get_absolute_url(), "/demo/search/?q=Rechner", f"/demo/{AT}"):
        assert "<script>" not in text_of(url)


def test_pages_need_one_query_more_for_languages(world: World) -> None:
    def count(url: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            text_of(url)
        return len(queries)

    world.add_portuguese()
    several = {url: count(url) for url in (DAY, f"{DAY}?view=grid", f"/demo/{AT}", world.german.get_absolute_url())}
    Event.objects.update(language="")
    none = {url: count(url) for url in several}

    # The cache is off: the lists ask for cards, and the day for its filters too.
    assert {url: several[url] - none[url] for url in several} == {
        DAY: 2,
        f"{DAY}?view=grid": 1,
        f"/demo/{AT}": 2,
        world.german.get_absolute_url(): 2,
    }

"""The lists and the pages of one person, paper or conference."""

from __future__ import annotations

import datetime as dt
import re
import uuid

import pytest
import time_machine

from events.models import Announcement, Award, Conference, Fact, Link, PastEdition, Topic
from tests.factories import (
    THURSDAY,
    at,
    make_agenda,
    make_appearance,
    make_conference,
    make_day,
    make_event,
    make_paper,
    make_person,
)
from tests.pages.queries.reading import titles
from tests.visitors import browser, context, own_context, presses

pytestmark = pytest.mark.django_db

LISTS = {
    "": "next",
    "changes/": "change_days",
    "talks/": "talk_days",
    "socials/": "social_days",
    "people/": "letters",
    "papers/": "rows",
    "awards/": "groups",
    "agenda/": "suggestions",
    "about/": "past_editions",
}


@pytest.fixture
def conference() -> Conference:
    return make_conference(slug="demo")


@pytest.mark.parametrize("path", LISTS)
def test_empty_conference_has_pages(conference: Conference, path: str) -> None:
    assert context(f"/demo/{path}")[LISTS[path]] == []


def test_front_page_lists_conferences() -> None:
    conference = make_conference()
    make_conference(status="draft")

    assert [door.conference for door in context("/")["conferences"]] == [conference]


def test_front_page_without_conferences() -> None:
    assert context("/")["conferences"] == []


def test_overview(conference: Conference) -> None:
    make_event(conference, title="On", start="09:00", end="10:00")
    make_event(conference, title="Next", start="10:00", end="11:00")

    page = context("/demo/?at=2025-04-24T09:30")

    assert ([it.card.title for it in page["now"]], titles(page["next"])) == (["On"], ["Next"])
    assert (page["phase"], page["status"], page["starts_in_days"]) == ("during", "On now", 0)
    assert context("/demo/?at=2025-04-12")["starts_in_days"] == 12


@pytest.mark.parametrize(("now", "until"), [("2025-04-23T20:00", "until 10:00 next day"), ("2025-04-24T09:00", "until 10:00")])
def test_running_event_names_the_day_of_its_end_unless_that_is_today(conference: Conference, now: str, until: str) -> None:
    make_event(conference, title="Hackathon", start=at("18:00", dt.date(2025, 4, 23)), end=at("10:00"))

    page = re.sub(r"<[^>]*>", "", browser().get(f"/demo/?at={now}").text)

    assert re.findall(r"until 10:00(?: next day)?", page) == [until]


def test_overview_after_the_last_event_says_so_with_date_and_city(conference: Conference) -> None:
    last = dt.date(2025, 4, 28)
    make_event(conference, day=make_day(conference, last), start=at("09:00", last), end=at("10:00", last))

    page = " ".join(browser().get("/demo/?at=2025-04-28T23:50").text.split())

    assert "<strong>That was the last event.</strong> The programme and your agenda stay here." in page
    assert f'<p class="lead">{conference.place}, 24–28 April 2025</p>' in page


def test_announcements_are_shown_while_they_last(conference: Conference) -> None:
    for title, begins, ends in [
        ("Now", "09:00", "12:00"),
        ("Open end", "08:00", None),
        ("Later", "11:00", None),
        ("Over", "07:00", "09:30"),
    ]:
        Announcement.objects.create(conference=conference, title=title, starts_at=at(begins), until=at(ends) if ends else None)

    with time_machine.travel(at("09:30"), tick=False):
        shown = [it.announcement.title for it in context("/demo/")["announcements"]().notices]

    assert shown == ["Now", "Open end"]


def test_looking_ahead_tells_no_announcement_early(conference: Conference) -> None:
    Announcement.objects.create(conference=conference, title="Winner", starts_at=at("11:00"))

    with time_machine.travel(at("09:30"), tick=False):
        assert context("/demo/?at=2025-04-24T11:30")["announcements"]().notices == []


def test_about_page(conference: Conference) -> None:
    conference.about, conference.series = "Words", "ICLR"
    conference.revise()
    fact = Fact.objects.create(conference=conference, label="Participants", value="11,039")
    past = PastEdition.objects.create(conference=conference, year=2024, place="Vienna", participants=6533)
    other = make_conference(slug="iclr-2024", series="ICLR", start=dt.date(2024, 5, 7), end=dt.date(2024, 5, 11))

    page = context("/demo/about/")

    assert (page["about"], list(page["facts"]), page["editions"]) == ("Words", [fact], [other])
    assert [(row.edition, row.url) for row in page["past_editions"]] == [(past, "/iclr-2024/")]


def test_changes_are_by_day_newest_first(conference: Conference) -> None:
    event = make_event(conference, title="A")
    for moment, title in [(at("09:00"), "B"), (at("10:00"), "C"), (at("09:00") + dt.timedelta(days=1), "D")]:
        with time_machine.travel(moment, tick=False):
            event.title = title
            event.revise()

    days = context("/demo/changes/")["change_days"]

    assert [(day, [line.new for entry in entries for line in entry.lines]) for day, entries in days] == [
        (THURSDAY + dt.timedelta(days=1), ["D"]),
        (THURSDAY, ["C", "B"]),
    ]


def test_changes_page_by_page(conference: Conference) -> None:
    event = make_event(conference)
    for number in range(51):
        event.title = f"Title {number}"
        event.revise()

    pages = {page: context(f"/demo/changes/?page={page}")["changes"] for page in ("1", "2", "99", "x")}

    assert {page: (it.number, len(it)) for page, it in pages.items()} == {"1": (1, 50), "2": (2, 1), "99": (2, 1), "x": (1, 50)}


def test_talks_and_socials(conference: Conference) -> None:
    make_event(conference, kind="invited-talk", title="Keynote")
    make_event(conference, kind="social", title="Party", official=True, at_venue=True)

    talks, socials = context("/demo/talks/"), context("/demo/socials/")

    assert [(day, titles(cards)) for day, cards in talks["talk_days"]] == [(THURSDAY, ["Keynote"])]
    assert [(day, titles(cards)) for day, cards in socials["social_days"]] == [(THURSDAY, ["Party"])]
    assert (socials["any_asterisk"], socials["count"], socials["hide_full"]) == (True, 1, None)


def test_people_by_letter(conference: Conference) -> None:
    event = make_event(conference)
    for name in ("Ada Lovelace", "Alan Turing"):
        make_appearance(event, make_person(conference, name))

    pages = {letter: context(f"/demo/people/?letter={letter}") for letter in ("", "L", "t", "X")}

    assert {letter: [it.name for it in page["people"]] for letter, page in pages.items()} == {
        "": ["Ada Lovelace", "Alan Turing"],
        "L": ["Ada Lovelace"],
        "t": ["Alan Turing"],
        "X": [],
    }


@pytest.mark.parametrize(
    ("path", "said", "back"),
    [
        ("people/?letter=zz", "No name begins with “zz”", "?"),
        ("papers/?topic=nothing", "None match these filters.", "/demo/papers/"),
        ("papers/?type=nothing&at=2025-04-24", "None match these filters.", "/demo/papers/?at=2025-04-24T08:00"),
    ],
)
def test_filter_that_nothing_has_says_so_and_leads_back(conference: Conference, path: str, said: str, back: str) -> None:
    make_paper(conference, make_person(conference, "Durk Kingma"), title="Adam")

    page = browser().get(f"/demo/{path}").text

    assert said in page
    assert f'href="{back}"' in page
    assert "not published yet" not in page
    assert "Nobody here yet" not in page


def test_topic_that_no_poster_of_a_session_has_says_so_and_leads_back(conference: Conference) -> None:
    session = make_event(conference, title="Posters", start="14:00", end="16:00")
    make_event(conference, kind="poster", title="Adam", start="14:00", end="16:00", session=session)

    page = browser().get(f"{session.get_absolute_url()}?topic=nothing").text

    assert "None match these filters." in page
    assert '<a class="button" href="?#talks">Show all of this session</a>' in page
    assert "Adam" not in page


@pytest.mark.parametrize("at", ["", "&at=2025-04-24T08:00"])
def test_filter_that_nothing_has_leads_to_the_search_of_everything(conference: Conference, at: str) -> None:
    session = make_event(conference, title="Posters", start="14:00", end="16:00")
    for number in range(60):
        make_event(conference, kind="poster", title=f"Poster {number}", start="14:00", end="16:00", session=session)

    for url in ("/demo/papers/", session.get_absolute_url()):
        page = browser().get(f"{url}?q=ada+schmidthuber%26co{at}").text
        assert f'<a href="/demo/search/?q=ada%20schmidthuber%26co{at.replace("&", "&amp;")}">Search the whole programme' in page
        assert "Search the whole programme" not in browser().get(f"{url}?topic=nothing").text


def test_conference_without_papers_names_none_and_offers_the_schedule(conference: Conference) -> None:
    make_event(conference)

    papers, over = (" ".join(browser().get(f"/demo/{path}").text.split()) for path in ("papers/", "?at=2026-04-24"))
    make_paper(conference, make_person(conference))

    assert f"<p>{conference.name} lists no papers here.</p>" in papers
    assert "Show all papers" not in papers
    assert "The programme and your agenda stay here." in over
    assert "The programme, the papers and your agenda stay here." in browser().get("/demo/?at=2026-04-24").text


@pytest.mark.parametrize("letter", ["%00", "%F0%9F", "%ED%A0%80", "%27"])
def test_letter_that_is_none_breaks_nothing(conference: Conference, letter: str) -> None:
    assert browser().get(f"/demo/people/?letter={letter}").status_code == 200


def test_person_page(conference: Conference) -> None:
    durk = make_person(conference, "Durk Kingma")
    talk = make_event(conference, title="Keynote")
    make_appearance(talk, durk)
    make_paper(conference, durk, title="Adam")
    _, token = make_agenda(conference, talk)

    page = context(durk.get_absolute_url())

    assert (page["person"], [it.title for it in page["cards"]]) == (durk, ["Keynote"])
    assert presses(browser(token=token).get(durk.get_absolute_url()).text) == {str(talk.guid): True}
    assert [row.title for row in page["papers"]] == ["Adam"]


def test_paper_pages(conference: Conference) -> None:
    topic = Topic.objects.create(conference=conference, area="RL")
    adam = make_paper(conference, make_person(conference, "Durk Kingma"), title="Adam", topic=topic)
    make_paper(conference, title="Other")
    award = Award.objects.create(conference=conference, name="Test of time", year=2025, paper=adam)
    for kind in ("poster", "talk"):
        make_event(conference, kind=kind, title=kind, paper=adam)

    page = context(adam.get_absolute_url())

    assert (page["paper"], [it.name for it in page["authors"]]) == (adam, ["Durk Kingma"])
    assert (titles(page["slots"]), list(page["awards"])) == (["poster", "talk"], [award])
    assert [row.title for row in context("/demo/papers/?topic=rl")["rows"]] == ["Adam"]
    assert [entry.paper.title for it in context("/demo/awards/")["groups"] for entry in it.entries] == ["Adam"]


def test_paper_with_one_event_is_shown_on_its_page(conference: Conference) -> None:
    paper = make_paper(conference, make_person(conference, "Durk Kingma"), title="Adam", abstract="Moments, estimated.")
    Link.objects.create(paper=paper, kind="paper", title="PDF", url="https://example.org/adam.pdf")
    poster = make_event(conference, kind="poster", title="Adam", paper=paper, board="#92", start="10:00", end="12:00")

    response = browser().get(f"{paper.get_absolute_url()}?at=2025-04-24T09:30")

    assert (response.status_code, response["Location"]) == (302, f"{poster.get_absolute_url()}?at=2025-04-24T09:30")
    page = browser().get(response["Location"]).text.partition("<body>")[2]
    parts = ["Board 92", "Durk Kingma", "Moments, estimated.", 'href="https://example.org/adam.pdf"']
    assert [page.count(it) for it in parts] == [1, 1, 1, 1]
    assert sorted(parts, key=page.index) == parts
    make_event(conference, kind="talk", title="Adam", paper=paper)
    assert browser().get(paper.get_absolute_url()).status_code == 200


@pytest.mark.parametrize("noun", ["people", "papers"])
def test_what_is_hidden_or_elsewhere_is_not_found(conference: Conference, noun: str) -> None:
    other = make_conference()
    hidden = make_paper(conference, make_person(conference), is_public=False)
    elsewhere = make_paper(other, make_person(other))
    guids = {
        "people": [hidden.authorships.get().person.guid, elsewhere.authorships.get().person.guid, uuid.uuid4()],
        "papers": [hidden.guid, elsewhere.guid, uuid.uuid4()],
    }[noun]

    assert [browser().get(f"/demo/{noun}/{guid}/").status_code for guid in guids] == [404] * 3


def test_agenda_page(conference: Conference) -> None:
    first = make_event(conference, kind="talk", title="First", start="09:00", end="10:00")
    second = make_event(conference, kind="talk", title="Second", start="09:30", end="10:30")
    _, token = make_agenda(conference, first, second)

    response = browser(token=token).get("/demo/agenda/")
    page = {name: own_context(response, name) for name in ("agenda_days", "count", "clashes", "undated", "empty", "suggestions")}

    assert [
        (it.day, [(row.card.title, [found.sentence for found in row.between]) for row in it.rows]) for it in page["agenda_days"]
    ] == [(THURSDAY, [("First", []), ("Second", ["Clash: 30 min overlap"])])]
    assert (page["count"], page["clashes"], page["undated"], page["empty"], page["suggestions"]) == (2, 1, 0, False, [])


def test_empty_agenda_suggests_a_beginning(conference: Conference) -> None:
    make_event(conference, kind="invited-talk", title="Keynote", start="09:00", end="10:00")

    page = context("/demo/agenda/")

    assert (page["empty"], titles(page["suggestions"])) == (True, ["Keynote"])


def test_agenda_is_nobody_elses(conference: Conference) -> None:
    make_agenda(conference, make_event(conference))
    _, other = make_agenda(make_conference())

    assert [context("/demo/agenda/", **it)["count"] for it in ({}, {"token": other}, {"token": "x" * 32})] == [0, 0, 0]


@pytest.mark.parametrize("path", ["", "talks/", "agenda/", "services/", "venue/", "colours.css"])
@pytest.mark.parametrize("method", ["post", "put", "delete"])
def test_pages_are_read_only(conference: Conference, path: str, method: str) -> None:
    assert getattr(browser(), method)(f"/demo/{path}").status_code == 405

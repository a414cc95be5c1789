"""What is found by which words, what comes first, and what is never found."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from events.core.words import folded_words
from events.models import Award, Conference, Event, Paper, Service, Topic, Track, Venue
from events.programme.models.venue import UNNAMED_VENUE
from events.search.queries import fulltext
from events.search.queries.page import RESULTS_PER_PAGE, SearchFilters, search
from tests.factories import make_appearance, make_conference, make_day, make_event, make_paper, make_person, make_room, make_zone
from tests.search.queries.asking import ask, result_titles
from tests.search.searching import reindex

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]

FRIDAY = dt.date(2025, 4, 25)


@pytest.fixture
def programme() -> Conference:
    """One thing for each way to be found."""
    conference = make_conference()
    topic = Topic.objects.create(conference=conference, area="Optimisation", subarea="Convexity", slug="convexity")
    zone = make_zone(conference, "Peridot wing")
    room = make_room(conference, "Garnet 212", zone)
    talk = make_event(conference, kind="invited-talk", title="Open science", abstract="About *trust* in peers.", start="09:00",
                      end="10:00", room=room, notes="She quoted Borges.",
                      track=Track.objects.create(conference=conference, name="Plenary"))  # fmt: skip
    make_appearance(talk, make_person(conference, "Bernhard Schölkopf", affiliation="Tübingen"))
    author = make_person(conference, "Łucja Ørsted")
    paper = make_paper(conference, author, title="Gradients without descent", tldr="No ladder needed.", topic=topic,
                       abstract="We show that $\\nabla$ state-of-the-art models stall on plateaus.")  # fmt: skip
    make_event(conference, kind="talk", title="Gradients, oral", start="11:00", end="11:15", paper=paper,
               session=make_event(conference, title="Morning block"))  # fmt: skip
    make_event(conference, kind="poster", title="Gradients without descent", start="14:00", end="16:00", paper=paper,
               board="P117", day=make_day(conference, FRIDAY))  # fmt: skip
    make_paper(conference, author, title="Unseen anywhere")
    Award.objects.create(conference=conference, name="Outstanding paper", year=2025, paper=paper)
    desk = Service.objects.create(conference=conference, name="Registration", description="Bring your visa letter.", zone=zone)
    for date in [None, FRIDAY]:
        day = {"day": make_day(conference, date)} if date else {}
        make_event(conference, kind="service", title="Desk staffed", start="08:00", end="18:00", service=desk, **day)
    make_event(conference, kind="break", title="Coffee", abstract="Decaf, too.", start="10:00", end="10:30")
    make_event(conference, kind="social", title="机器学习之夜", start="19:00", end="21:00", place="Cocktail bar")
    reindex(conference)
    return conference


@pytest.mark.parametrize(("venue", "place"), [(UNNAMED_VENUE, ""), ("The Bar", "The Bar"), ("Expo", "The Bar, Expo")])
def test_room_is_found_with_its_zone_and_venue_each_once(venue: str, place: str) -> None:
    conference = make_conference()
    zone = make_zone(conference, UNNAMED_VENUE if venue == UNNAMED_VENUE else "The Bar")
    Venue.objects.filter(pk=zone.venue_id).update(name=venue)
    make_room(conference, "Garnet 212", zone)
    reindex(conference)

    assert ["".join(part.text for part in it.note) for it in ask(conference, "garnet").results] == [place]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("open science", ["Open science"], id="title"),
        pytest.param("scholkopf", ["Bernhard Schölkopf", "Open science"], id="person without the accent"),
        pytest.param("SCHÖLKOPF", ["Bernhard Schölkopf", "Open science"], id="person in capitals"),
        pytest.param("tubing", ["Bernhard Schölkopf"], id="affiliation"),
        pytest.param("lucja orsted", ["Łucja Ørsted", "Unseen anywhere", "Gradients without descent"], id="author"),
        pytest.param("trust", ["Open science"], id="abstract of an event"),
        pytest.param("borges", ["Open science"], id="what was said"),
        pytest.param("plateaus", ["Gradients without descent"], id="abstract of a paper"),
        pytest.param("ladder", ["Gradients without descent"], id="one sentence"),
        pytest.param("nabla", ["Gradients without descent"], id="formula"),
        pytest.param("convexity", ["Gradients without descent"], id="topic"),
        pytest.param("plenary", ["Open science"], id="track"),
        pytest.param("p117", ["Gradients without descent"], id="board"),
        pytest.param("oral", ["Gradients without descent"], id="title of one of its times"),
        pytest.param("outstanding", ["Gradients without descent"], id="award"),
        pytest.param("garnet", ["Garnet 212", "Open science"], id="room"),
        pytest.param("peridot", ["Garnet 212", "Registration", "Open science"], id="zone"),
        pytest.param("registration", ["Registration"], id="service with its hours"),
        pytest.param("visa", ["Registration"], id="what a service says"),
        pytest.param("decaf", ["Coffee"], id="what a break offers"),
        pytest.param("cocktail", ["机器学习之夜"], id="place in words"),
        pytest.param("学习", ["机器学习之夜"], id="script without spaces"),
        pytest.param("gradients desc", ["Gradients without descent"], id="the last word is a beginning"),
        pytest.param('"without descent"', ["Gradients without descent"], id="phrase"),
        pytest.param('"descent without"', [], id="phrase the other way round"),
        pytest.param('"desc"', [], id="phrase is whole words"),
        pytest.param("state-of-the-art", ["Gradients without descent"], id="joined words"),
        pytest.param("schölkopf plateaus", [], id="words of different things"),
        pytest.param("", [], id="nothing"),
        pytest.param('(((( "" * -', [], id="signs"),
        pytest.param("NOT coffee", ["Coffee"], id="words that are syntax elsewhere"),
    ],
)
def test_things_are_found_by_all_that_is_said_of_them(programme: Conference, text: str, expected: list[str]) -> None:
    assert sorted(result_titles(programme, text)) == sorted(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("attention", ["Attention", "Attention is all you need", "By Ann Attention", "Mentioned"], id="one word"),
        pytest.param("ATTENTION is all you need", ["Attention is all you need"], id="all of a title"),
    ],
)
def test_title_comes_before_people_and_people_before_the_rest(text: str, expected: list[str]) -> None:
    conference = make_conference()
    make_paper(conference, title="Mentioned", abstract="Attention, attention, attention: attention. " * 3)
    make_paper(conference, title="Attention is all you need", abstract="Words. " * 300)
    by = make_event(conference, title="By Ann Attention", abstract="Other words. " * 30)
    Event.objects.filter(pk=by.pk).update(title="Keynote")
    make_appearance(by, make_person(conference, "Ann Attention"))
    make_paper(conference, title="Attention", abstract="Of it. " * 2000)
    reindex(conference)

    titles = [
        "By Ann Attention" if it == "Keynote" else it for it in result_titles(conference, text, kind="") if it != "Ann Attention"
    ]

    assert titles == expected


def test_paper_is_found_once_with_all_its_times(programme: Conference) -> None:
    page = ask(programme, "gradients")

    (result,) = page.results
    assert [slot.type_name for slot in result.times] == ["Talk", "Poster"]
    assert result.url.startswith(f"/{programme.slug}/papers/")


def test_hit_with_one_time_leads_there(programme: Conference) -> None:
    talk = Event.objects.get(title="Open science")

    (result,) = ask(programme, "open science").results

    assert result.only_time is not None
    assert (result.url, result.only_time.key) == (talk.get_absolute_url(), talk.pk)


def test_note_says_why_something_was_found(programme: Conference) -> None:
    def note(text: str) -> str:
        (result,) = ask(programme, text).results
        return "".join(f"[{it.text}]" if it.is_match else it.text for it in result.note)

    assert note("plateaus") == "We show that $\\nabla$ state-of-the-art models stall on [plateaus]."
    assert note("ladder") == "No [ladder] needed."
    assert note("without descent") == "No ladder needed."
    assert note("trust") == "About [trust] in peers."


def test_author_who_was_asked_for_is_shown_however_many_there_are() -> None:
    conference = make_conference()
    make_paper(conference, *(make_person(conference, f"Person {number}") for number in range(9)), title="Many")
    reindex(conference)

    (result,) = ask(conference, '"Person 7" many').results

    assert ["".join(it.text for it in name) for name in result.people] == ["Person 0", "Person 1", "Person 2", "Person 7"]
    assert result.people_more == 5


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        pytest.param({"kind": "poster"}, ["Gradients without descent"], id="kind of one of its times"),
        pytest.param({"kind": "person"}, ["Bernhard Schölkopf", "Łucja Ørsted"], id="people"),
        pytest.param({"kind": "invited-talk"}, ["Open science"], id="kind with a hyphen"),
        pytest.param({"day": "2025-04-25"}, ["Gradients without descent", "Registration"], id="day"),
        pytest.param({"topic": "convexity"}, ["Gradients without descent"], id="topic"),
        pytest.param({"day": "2025-04-25", "kind": "service"}, ["Registration"], id="two at once"),
        pytest.param({"kind": "nothing"}, [], id="kind that is none"),
        pytest.param({"topic": "nothing"}, [], id="topic that is none"),
        pytest.param({"day": "2025-02-30"}, [], id="day that is none"),
    ],
)
def test_search_is_narrowed(programme: Conference, query: dict[str, str], expected: list[str]) -> None:
    # Everything has an "o" word in this programme: its own rows say so.
    everything = {title for word in ["gr", "op", "sc", "re", "or", "un"] for title in result_titles(programme, word, **query)}

    assert sorted(everything) == expected


def test_choices_say_what_they_would_leave(programme: Conference) -> None:
    page = ask(programme, "re", kind="service")

    assert [(it.label, it.count, it.active) for it in page.kinds] == [("Services", 1, True)]
    page = ask(programme, "gradients")
    assert [(it.value, it.count) for it in page.kinds] == [("talk", 1), ("poster", 1), ("paper", 1)]
    assert [(it.value, it.label, it.count) for it in page.days] == [
        ("2025-04-24", "Thu 24 Apr", 1),
        ("2025-04-25", "Fri 25 Apr", 1),
    ]
    assert [(it.value, it.count) for it in page.topics] == [("convexity", 1)]


def test_active_choice_stays_when_it_leaves_nothing_and_can_be_taken_back(programme: Conference) -> None:
    page = ask(programme, "coffee", kind="poster")

    assert page.count == 0
    assert [(it.value, it.active, it.count, it.url) for it in page.kinds] == [
        ("poster", True, 0, "?q=coffee"),
        ("break", False, 1, "?q=coffee&kind=break"),
    ]


def test_words_that_find_nothing_together_are_offered_one_by_one(programme: Conference) -> None:
    assert [(it.label, it.url) for it in ask(programme, "coffee plateaus").fewer_words] == [
        ("coffee", "?q=coffee"),
        ("plateaus", "?q=plateaus"),
    ]
    assert ask(programme, "nothing").fewer_words == []


def test_pages_hold_everything_once() -> None:
    conference = make_conference()
    titles = {make_paper(conference, title=f"Same {number}").title for number in range(2 * RESULTS_PER_PAGE + 3)}
    reindex(conference)

    pages = [result_titles(conference, "same", page=str(number)) for number in (1, 2, 3)]

    assert [len(page) for page in pages] == [RESULTS_PER_PAGE, RESULTS_PER_PAGE, 3]
    assert {title for page in pages for title in page} == titles


def test_ideas_are_topics_of_public_papers(programme: Conference) -> None:
    hidden = Topic.objects.create(conference=programme, area="Secret", slug="secret")
    make_paper(programme, title="Hidden", topic=hidden, is_public=False)

    page = ask(programme)

    assert [(it.label, it.count, it.url) for it in page.topics] == [
        ("Optimisation › Convexity", 1, "?q=%22Convexity%22&topic=convexity")
    ]
    assert result_titles(programme, '"Convexity"', topic="convexity") == ["Gradients without descent"]


# What is hidden


@pytest.mark.parametrize("status", ["draft", "cancelled"])
def test_index_that_is_behind_shows_nothing_that_was_hidden_since(programme: Conference, status: str) -> None:
    Event.objects.filter(title="Open science").update(status=status)

    assert result_titles(programme, "open") == ([] if status == "draft" else ["Open science"])


def test_index_that_is_behind_shows_no_paper_and_no_person_hidden_since(programme: Conference) -> None:
    before = result_titles(programme, "lucja orsted")
    Paper.objects.update(is_public=False)
    Event.objects.update(status="draft")

    # Which of them comes first is the database's to say.
    assert set(before) == {"Łucja Ørsted", "Unseen anywhere", "Gradients without descent"}
    assert result_titles(programme, "lucja orsted") == []


def test_other_conference_changes_neither_what_is_found_nor_its_order(programme: Conference) -> None:
    before = result_titles(programme, "or")
    other = make_conference()
    for number in range(20):
        make_paper(other, title=f"Ørsted oral {number}")
    reindex()

    assert result_titles(programme, "or") == before


# Whatever is typed


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(title=st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=60), question=st.text(max_size=40))
def test_every_title_is_found_by_its_own_words_and_no_question_is_an_error(title: str, question: str) -> None:
    conference = make_conference()
    make_paper(conference, title=title)
    reindex(conference)

    own = folded_words(title)[:12]
    assert len(search(conference, " ".join(f'"{word}"' for word in own))) == bool(own)
    assert len(search(conference, f'"{" ".join(own)}"')) == bool(own)
    assert len(search(conference, question, SearchFilters(question, question, question))) <= 1


def test_workshop_comes_before_its_parts_and_breaks_at_the_end() -> None:
    conference = make_conference(slug="demo")
    for kind, title in [
        ("break", "Verified: coffee"),
        ("talk", "Verified: remarks"),
        ("session", "Verified: learning in the wild"),
    ]:
        make_event(conference, kind=kind, title=title)
    make_event(conference, kind="break", title="Coffee break")
    make_event(conference, kind="session", title="Roasted", abstract="Coffee, coffee and coffee.")
    reindex()

    assert [result_titles(conference, question) for question in ("verified", "coffee")] == [
        ["Verified: learning in the wild", "Verified: remarks", "Verified: coffee"],
        ["Coffee break", "Verified: coffee", "Roasted"],
    ]


def test_names_with_all_words_as_far_as_they_are_typed_come_first() -> None:
    """Also before a short text that has the rest of them thirty times."""
    conference = make_conference()
    in_text = make_paper(conference, title="Graphs", abstract="nodes " * 30)
    in_names = make_paper(conference, make_person(conference, "Nodar Lee"), title="Graphs", abstract="long " * 1000)
    reindex(conference)

    assert [match.target for match in search(conference, "graphs nod")] == [in_names.pk, in_text.pk]


@pytest.mark.parametrize(
    "question", ["gra", "graph", "graph n", "graph nod", "graph node", "the gra", "the graph", '"graph node"']
)
def test_matches_that_are_left_out_would_come_last(question: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the word whole there are enough for one page and a part of the next; others only begin with it."""
    conference = make_conference()
    noor = make_person(conference, "Noor Graph")
    for number in range(RESULTS_PER_PAGE + 3):
        make_paper(conference, noor, title=f"{'The ' * (number % 2)}Graph node {number} {'long ' * number}")
        make_paper(conference, noor, title=f"Graphs {number}", abstract="The graph. Graph nodes. " * number)
    reindex(conference)

    matches = search(conference, question)
    pages = [matches[start : start + RESULTS_PER_PAGE] for start in range(0, len(matches), RESULTS_PER_PAGE)]
    monkeypatch.setattr(fulltext, "_first", lambda question, wanted, tiers, stop: (question, tiers))

    assert len(matches) > RESULTS_PER_PAGE
    assert [match for page in pages for match in page] == matches[: len(matches)]

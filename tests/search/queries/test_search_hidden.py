"""Nothing hidden is found, whatever the index says."""

from __future__ import annotations

import pytest

from events.core.byte_cache import PROCESS_CACHE
from events.models import Amenity, Award, Conference, Event, SearchIndex, SearchWord, Status, Topic
from events.search import indexing
from events.search.queries.page import public_topics
from tests.factories import make_appearance, make_conference, make_event, make_paper, make_person
from tests.search.queries.asking import ask, result_titles
from tests.search.searching import reindex

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]


def hidden_world() -> Conference:
    """Everything in it says "canary" and is hidden."""
    conference = make_conference()
    draft = make_event(conference, title="Canary draft", status="draft", announce=False)
    make_appearance(draft, make_person(conference, "Canary Speaker"))
    session = make_event(conference, title="Canary session", status="draft", announce=False)
    inside = make_event(conference, title="Canary inside", session=session)
    make_event(conference, title="Canary deep", session=inside)
    paper = make_paper(conference, make_person(conference, "Canary Author"), title="Canary paper", is_public=False)
    make_event(conference, title="Poster", paper=paper)
    Award.objects.create(conference=conference, name="Canary award", year=2025, paper=paper)
    Award.objects.create(conference=conference, name="Canary award", year=2025, event=draft)
    make_person(conference, "Canary Nobody")
    for event in (draft, session, inside):
        Amenity.objects.create(conference=conference, name="Canary comfort", note="Canary", event=event)
    make_event(make_conference(status="draft"), title="Canary elsewhere")
    make_event(make_conference(), title="Canary of another conference")
    return conference


def test_nothing_hidden_is_found() -> None:
    conference = hidden_world()
    reindex()

    assert result_titles(conference, "canary") == []
    assert result_titles(conference, "poster") == ["Poster"]


def test_no_word_of_anything_hidden_is_a_spelling() -> None:
    conference = hidden_world()
    reindex()

    page = ask(conference, "cannary")

    assert (page.count, page.corrected, page.other_spellings) == (0, "", [])
    assert not SearchWord.objects.filter(conference=conference, word__in=["canary", "speaker", "author", "nobody"]).exists()


def test_word_of_what_is_withdrawn_is_suggested_until_then() -> None:
    conference = make_conference()
    event = make_event(conference, title="Canary session")
    reindex(conference)
    before = ask(conference, "cannary").corrected

    Event.objects.filter(pk=event.pk).update(status=Status.DRAFT)
    behind = ask(conference, "cannary")
    SearchIndex.objects.update(revision=0)
    indexing.reindex(conference.pk)
    after = ask(conference, "cannary")

    assert before == "Canary"
    assert (behind.results, after.results, after.corrected) == ([], [], "")
    assert not SearchWord.objects.filter(conference=conference).exists()


def test_all_of_it_is_found_once_it_is_public() -> None:
    conference = hidden_world()
    Event.objects.update(status=Status.CONFIRMED)
    conference.papers.update(is_public=True)
    reindex()

    # The award of the draft is said of its event, and the poster of the paper is found as the paper.
    assert sorted(result_titles(conference, "canary")) == [
        *("Canary Author", "Canary Speaker", "Canary comfort", "Canary comfort", "Canary comfort"),
        *("Canary deep", "Canary draft", "Canary inside", "Canary paper", "Canary session"),
    ]


def test_topic_of_hidden_events_is_offered_from_their_publication_until_they_are_hidden_again() -> None:
    PROCESS_CACHE.max_bytes = 2**20
    conference = make_conference()
    topic = Topic.objects.create(conference=conference, area="Canary", slug="canary")
    event = make_event(conference, title="Session", topic=topic, status="draft", announce=False)

    offered = []
    for status in (Status.DRAFT, Status.CONFIRMED, Status.DRAFT):
        event.status = status
        event.revise()
        offered.append([it.slug for it in public_topics(Conference.objects.get(pk=conference.pk))])

    assert offered == [[], ["canary"], []]

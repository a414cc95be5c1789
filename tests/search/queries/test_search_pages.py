"""Pages that organisers write are found as long as they are public, by title and words."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from events.models import Conference, InfoPage, SearchEntry
from tests.factories import make_conference, make_event
from tests.search.queries.asking import ask, result_titles
from tests.search.searching import reindex

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases, pytest.mark.usefixtures("at_the_venue")]
TEXT = "## Letters\n\nAsk for an **invitation** early, see [the embassy](https://example.org/embassy).\n"


def make_page(conference: Conference, title: str = "Visa", text: str = TEXT, **values: Any) -> InfoPage:
    values = {"slug": title.lower().replace(" ", "-"), "is_public": True} | values
    return InfoPage.objects.create(conference=conference, title=title, text=text, **values)


def test_page_is_found_by_title_and_words_under_its_heading() -> None:
    conference = make_conference()
    make_event(conference, title="Invitation to geometry")
    page = make_page(conference)
    reindex()

    by_title, by_words = ask(conference, "visa"), ask(conference, "invitation")

    assert [label for label, _ in by_title.panel_groups] == ["Information"]
    assert [label for label, _ in by_words.panel_groups] == ["Programme", "Information"]
    assert [(it.label, it.count) for it in by_words.kinds] == [("Sessions", 1), ("Information", 1)]
    [found] = ask(conference, "invitation", kind="page").results
    assert (found.url, found.label) == (page.get_absolute_url(), "Page")
    note = "Letters Ask for an invitation early, see the embassy (https://example.org/embassy)."
    assert "".join(part.text for part in found.note) == note


def test_page_named_like_a_facility_is_found_by_its_other_names() -> None:
    conference = make_conference()
    make_page(conference, "Wi-Fi", "Network: hall")
    reindex()

    assert ["".join(part.text for part in it.title) for it in ask(conference, "wlan").all_results] == ["Wi-Fi"]


def test_drafts_and_pages_elsewhere_are_never_found() -> None:
    conference = make_conference()
    page = make_page(conference)
    make_page(conference, "Visa draft", is_public=False)
    make_page(make_conference(), "Visa elsewhere")
    make_page(make_conference(status="draft"), "Visa of a draft")
    reindex()

    assert result_titles(conference, "visa") == ["Visa"]
    assert SearchEntry.objects.filter(thing="page").count() == 2

    # Whatever the index says.
    InfoPage.objects.filter(pk=page.pk).update(is_public=False)
    assert result_titles(conference, "visa") == []


def test_hostile_page_is_marked_and_nothing_more(client: Client) -> None:
    conference = make_conference()
    make_page(conference, "<b>Visa</b>", "<script>alert('visa')</script> <img src=x onerror=alert(1)> visa & more", slug="visa")
    reindex()

    page = client.get(reverse("events:search", args=[conference.slug]), {"q": "visa"})

    assert "<script>alert" not in page.text
    assert "<img src=x" not in page.text
    assert "&lt;b&gt;<mark>Visa</mark>&lt;/b&gt;" in page.text


# Of few results another spelling is looked for.
@pytest.mark.parametrize(("size", "queries"), [(1, 7), (3, 6), (9, 6)])
def test_more_pages_take_no_more_queries(size: int, queries: int, django_assert_num_queries: Any) -> None:
    conference = make_conference()
    for number in range(size):
        make_page(conference, f"Visa {number}")
    reindex()
    ask(conference, "visa")

    with django_assert_num_queries(queries if connection.vendor == "sqlite" else queries - 2):
        assert len(ask(conference, "visa").results) == size

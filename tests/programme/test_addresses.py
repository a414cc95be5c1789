from __future__ import annotations

import pytest

from events.programme.addresses import MAX_ADDRESS_WORDS_CHARS, event_url, page_name, pk_in_page_name
from tests.factories import make_conference, make_event

LONG = "Scaling laws of neural language models and what they do not tell us"


@pytest.mark.parametrize(
    ("title", "name"),
    [
        pytest.param("Opening keynote", "opening-keynote-4711", id="words"),
        pytest.param("Łódź & Zürich: a/b, 50 % ?x#y", "odz-zurich-ab-50-xy-4711", id="signs and accents"),
        pytest.param("機械学習入門", "event-4711", id="no Latin letter"),
        pytest.param("AI 入門", "ai-4711", id="some Latin letters"),
        pytest.param("!?", "event-4711", id="signs alone"),
        pytest.param("_-_", "event-4711", id="lines alone"),
        pytest.param("2025", "2025-4711", id="a number"),
        pytest.param(LONG, "scaling-laws-of-neural-language-models-and-what-they-do-not-4711", id="long, cut after a word"),
        pytest.param("a" * 300, "a" * 60 + "-4711", id="one long word"),
        pytest.param(f"{'a' * 59} b c", f"{'a' * 59}-4711", id="the next word does not fit"),
        pytest.param(f"{'a' * 58} b c", f"{'a' * 58}-b-4711", id="the next word fits exactly"),
    ],
)
def test_page_name_has_words_of_the_title(title: str, name: str) -> None:
    assert page_name(4711, title) == name
    assert len(name) <= MAX_ADDRESS_WORDS_CHARS + len("-4711")
    assert pk_in_page_name(name) == 4711


@pytest.mark.parametrize("name", ["4711", "-4711", "anything--4711", "x-0004711", "2024-4711"])
def test_number_stands_at_the_end(name: str) -> None:
    assert pk_in_page_name(name) == 4711


@pytest.mark.django_db
def test_address_is_that_of_the_urlconf() -> None:
    event = make_event(make_conference(slug="demo"), title="Opening")

    assert event.get_absolute_url() == event_url("demo", event.pk, "Opening") == f"/demo/events/opening-{event.pk}/"

"""When pages name languages."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ValidationError

from events.core.byte_cache import PROCESS_CACHE
from events.models import Conference
from events.programme.queries.filters import describe_filters
from events.programme.queries.languages import shows_languages
from events.programme.rules.languages import are_languages_worth_naming
from tests.factories import make_conference, make_event

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("counts", "named"),
    [
        ({}, False),
        ({"": 9}, False),
        ({"de": 9}, False),
        ({"de": 9, "": 3}, False),
        ({"de": 3, "": 3}, False),
        ({"de": 3, "": 4}, True),
        ({"de": 9, "en": 1}, True),
        ({"en": 5, "en-US": 5}, False),
        ({"en-GB": 5, "de": 1, "": 100}, True),
    ],
)
def test_languages_are_named_where_there_are_several_or_one_is_the_exception(counts: dict[str, int], named: bool) -> None:
    assert are_languages_worth_naming(counts) is named


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        pytest.param({}, True, id="public"),
        pytest.param({"status": "draft"}, False, id="draft"),
        pytest.param({"kind": "break"}, False, id="break"),
        pytest.param({"kind": "service"}, False, id="opening hours"),
    ],
)
def test_only_public_talks_count(fields: dict[str, Any], named: bool) -> None:
    conference = make_conference()
    make_event(conference, kind="talk", language="de")

    make_event(conference, **{"kind": "talk", "language": "en"} | fields)

    assert shows_languages(conference) is named


def test_other_conferences_do_not_count() -> None:
    conference = make_conference()
    make_event(conference, language="de")
    make_event(make_conference(), language="en")

    assert shows_languages(conference) is False


def test_answer_is_read_once_for_each_revision(django_assert_num_queries: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PROCESS_CACHE, "max_bytes", 1_000_000)
    conference = make_conference()
    make_event(conference, language="de")
    event = make_event(conference, language="en")

    with django_assert_num_queries(1):
        assert [shows_languages(conference) for _ in range(3)] == [True] * 3
    event.language = "de"
    event.revise()

    assert shows_languages(Conference.objects.get()) is False


def test_files_say_which_language_was_chosen() -> None:
    conference = make_conference()

    assert describe_filters(conference, (("language", ("de", "pt-BR")),)) == "In German, In Brazilian Portuguese"
    assert describe_filters(conference, (("language", ("German", "xx", '"><script>')),)) == "Unknown choice"


def test_event_takes_a_name_and_refuses_what_is_no_language() -> None:
    event = make_event(make_conference())
    event.language = "German"

    event.full_clean()

    assert event.language == "de"
    for text in ("Klingon", '"><script>alert(1)</script>', "x" * 5_000, "jp"):
        event.language = text
        with pytest.raises(ValidationError) as caught:
            event.full_clean()
        (message, *_) = [it for it in caught.value.message_dict["language"] if "is not a language" in it]
        assert message == f"“{text[:40]}” is not a language: write its code, as de or pt-BR, or its name in English."

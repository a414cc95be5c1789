from __future__ import annotations

import pytest

from events.imports.formats.kinds import KIND_NAMES, event_kind, is_meal, title_kind


@pytest.mark.parametrize(
    ("label", "kind"),
    [
        ("Keynote", "invited-talk"),
        ("Invited Talk", "invited-talk"),
        ("lecture", "talk"),
        ("devroom", "talk"),
        ("Poster", "poster"),
        ("Poster Session", "session"),
        ("Workshop", "session"),
        ("Coffee Break", "break"),
        ("Meal", "break"),
        ("Workshop dinner", "break"),
        ("infodesk", "service"),
        ("DJ Set", "social"),
        ("BoF", "social"),
        ("Birds of a Feather", "social"),
        ("Podcast", "talk"),
        ("teamwork", "talk"),
        ("", "talk"),
    ],
)
def test_kind_follows_from_the_label(label: str, kind: str) -> None:
    assert event_kind(label) == kind
    assert kind in KIND_NAMES


def test_first_label_that_names_a_kind_counts() -> None:
    assert event_kind("other", "Lunch") == "break"
    assert event_kind("Keynote", "Lunch") == "invited-talk"


@pytest.mark.parametrize(
    ("title", "meal"),
    [
        ("Lunch", True),
        ("Breakfast", True),
        ("Afternoon tea", True),
        ("Coffee / Tea break", True),
        ("Lunch break", True),
        ("Conference dinner", False),
        ("Lunch with a keynote", False),
        ("Tea trading in the 18th century", False),
        ("", False),
    ],
)
def test_only_a_title_that_says_nothing_else_is_a_meal(title: str, meal: bool) -> None:
    assert is_meal(title) is meal


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("Lunch", "break"),
        ("Coffee break", "break"),
        ("Poster session 2", "session"),
        ("Welcome reception", "social"),
        ("Keynote: Ada Example", "invited-talk"),
        ("Registration (all day)", "service"),
        ("Improving the performance of relational databases", "talk"),
        ("Performance of databases", "talk"),
        ("Tea pets", "talk"),
        ("Penguin dinner", "talk"),
        ("Building a Community for Game Developers", "talk"),
        ("", "talk"),
    ],
)
def test_only_a_short_title_that_is_the_word_has_a_kind(title: str, kind: str) -> None:
    assert title_kind(title) == kind

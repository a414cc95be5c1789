from __future__ import annotations

import pytest

from events.imports.formats.builder import KIND_NAMES, event_kind


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

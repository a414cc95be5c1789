from __future__ import annotations

import pytest

from events.importers.builder import KINDS
from events.importers.kinds import kind_of


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
def test_kind_is_what_the_label_speaks_of(label: str, kind: str) -> None:
    assert kind_of(label) == kind
    assert kind in KINDS


def test_first_label_that_tells_counts() -> None:
    assert kind_of("other", "Lunch") == "break"
    assert kind_of("Keynote", "Lunch") == "invited-talk"

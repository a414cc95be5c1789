"""Edits between words, initials, facilities, and what is marked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.core.words import folded_words, mark_matches, search_phrases
from events.search.rules import edits_between, facility_names, marked_phrases, shortened, with_initials

WORDS = st.text("abcdeé", min_size=3, max_size=9)


@pytest.mark.parametrize(
    ("one", "other", "edits"),
    [
        ("kolter", "kolter", 0),
        ("koltr", "kolter", 1),
        ("kollter", "kolter", 1),
        ("kolder", "kolter", 1),
        ("kotler", "kolter", 1),
        ("difussion", "diffusion", 2),
        ("ab", "ba", 1),
        ("", "abc", 3),
    ],
)
def test_edits_are_counted(one: str, other: str, edits: int) -> None:
    assert (edits_between(one, other), edits_between(other, one)) == (edits, edits)


@given(word=WORDS, at=st.integers(0, 8), letter=st.sampled_from("xyz"))
def test_words_one_edit_apart_have_a_cut_in_common(word: str, at: int, letter: str) -> None:
    at = min(at, len(word) - 1)
    exchanged = word[:at] + word[at : at + 2][::-1] + word[at + 2 :]
    for other in (word[:at] + letter + word[at:], word[:at] + word[at + 1 :], word[:at] + letter + word[at + 1 :], exchanged):
        assert shortened(word) & shortened(other)
        assert edits_between(word, other) <= 1


@pytest.mark.parametrize(
    ("question", "marked"),
    [
        ("test of time", ["Test", "time"]),
        ("of", ["of"]),
        ('"test of time"', ["Test of time"]),
        ("bengio y", ["Y", "Bengio"]),
        ("c++", ["C++"]),
    ],
)
def test_words_that_say_little_are_not_marked(question: str, marked: list[str]) -> None:
    text = "Test of time: Y. Bengio, Yoshua Bengio of MILA, C++ and C. Young"

    parts = mark_matches(text, marked_phrases(with_initials(search_phrases(question))))

    assert list(dict.fromkeys(part.text for part in parts if part.is_match)) == marked


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("wifi", "wi fi"),
        ("Wi-Fi", "wifi"),
        ("toil", "restroom"),
        ("where is the nearest loo", "toilet"),
        ("quiet room", "quiet space"),
        ("parents’ room", "nursing"),
    ],
)
def test_facility_is_known_by_its_other_names(question: str, name: str) -> None:
    assert name in map(str, facility_names(search_phrases(question)))


@pytest.mark.parametrize("question", ["", "the", "wi", "attention", "toilet paper", "room"])
def test_other_words_are_no_facility(question: str) -> None:
    assert facility_names(search_phrases(question)) == []


def test_letter_with_signs_is_a_word() -> None:
    assert folded_words("C++, C#, C+, a#1 and C") == ["cplusplus", "csharp", "c", "a", "1", "and", "c"]

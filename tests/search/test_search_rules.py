"""Edits between words, initials, facilities, what is marked, and what results depend on."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from events.core.words import Phrase, folded_words, mark_matches, search_phrases
from events.search.rules import (
    edits_between,
    facility_names,
    marked_phrases,
    question_subjects,
    shortened,
    text_subjects,
    with_initials,
)

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
        ("time et al.", ["time"]),
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
        ("emergency", "first aid"),
        ("is there a defibrillator", "first aid"),
        ("first aid", "medical"),
        ("wheelchair", "accessible"),
        ("step-free", "lift"),
        ("stepfree", "wheelchair"),
        ("accessible", "accessibility"),
    ],
)
def test_facility_is_known_by_its_other_names(question: str, name: str) -> None:
    assert name in map(str, facility_names(search_phrases(question)))


@pytest.mark.parametrize("question", ["", "the", "wi", "attention", "toilet paper", "room"])
def test_other_words_are_no_facility(question: str) -> None:
    assert facility_names(search_phrases(question)) == []


def test_who_looks_for_a_lift_wants_lifts_only() -> None:
    assert set(map(str, facility_names(search_phrases("lift")))) == {"lift", "lifts", "elevator", "elevators"}


def test_letter_with_signs_is_a_word() -> None:
    assert folded_words("C++, C#, C+, a#1 and C") == ["cplusplus", "csharp", "c", "a", "1", "and", "c"]


TEXT = st.lists(st.sampled_from("ab abc abcdefgh b bc c d".split()), max_size=7).map(" ".join)
QUESTION = st.lists(
    st.tuples(st.lists(st.sampled_from("ab abc abcdefg abcdefgh b c d".split()), min_size=1, max_size=3), st.booleans()),
    min_size=1,
    max_size=2,
).map(lambda phrases: [Phrase(tuple(words), is_prefix=is_prefix) for words, is_prefix in phrases])


def has(text: str, phrase: Phrase) -> bool:
    words, wanted = text.split(), phrase.words
    for start in range(len(words) - len(wanted) + 1):
        found = words[start : start + len(wanted)]
        if found[:-1] == list(wanted[:-1]) and (
            found[-1].startswith(wanted[-1]) if phrase.is_prefix else found[-1] == wanted[-1]
        ):
            return True
    return False


FEW_WORDS = st.lists(st.sampled_from("b c".split()), max_size=4).map(" ".join)
ENTRY = st.just(()) | st.tuples(st.just("c1"), TEXT, TEXT, TEXT)
PARTS = {"title": 1, "names": 2, "all": 3}


def found_by(entry: tuple[str, ...], question: list[Phrase]) -> dict[str, Any]:
    """All that the queries of events.search.queries.fulltext ask of an entry: what finds it, and what orders it."""
    columns, words = entry[1:], tuple(word for phrase in question for word in phrase.words)
    together, title = Phrase(words, is_quoted=True), " ".join(words)
    answers: dict[str, Any] = {
        "is_title": columns[:1] == (title,),
        "begins_title": bool(columns) and f"{columns[0]} ".startswith(f"{title} "),
    }
    for part, count in PARTS.items():
        # PostgreSQL finds words side by side also where one column ends and the next one begins.
        for name, texts in {"by column": columns[:count], "joined": [" ".join(columns[:count])]}.items():
            forms = [*question, *(Phrase(it.words) for it in question), together]
            answers[f"{part} {name}"] = [any(has(text, form) for text in texts) for form in forms]
    return answers


def shuffled(entry: tuple[str, ...]) -> st.SearchStrategy[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The entry, and one with the same words in another order: only what is side by side differs."""
    columns = [st.permutations(text.split()).map(" ".join) for text in entry[1:]]
    return st.tuples(st.just(entry), st.tuples(st.just("c1"), *columns))


# Side by side since in one column only; three words that are torn apart while each two of them stay together; titles that are,
# or begin with, the question and have no other words or pairs than before.
@example(entries=(("c1", "b", "b c", ""), ("c1", "b", "c b", "")), question=[Phrase(("b",)), Phrase(("c",))])
@example(
    entries=(("c1", "", "", "ab b c d b c"), ("c1", "", "", "ab b d b c c")), question=[Phrase((it,)) for it in ("ab", "b", "c")]
)
@example(entries=(("c1", "b", "", ""), ("c1", "b b", "", "")), question=[Phrase(("b",))])
@example(entries=(("c1", "b b c", "", ""), ("c1", "b c", "", "")), question=[Phrase(("b",)), Phrase(("c",))])
@example(entries=(("c1", "b c", "", ""), ("c1", "b c c", "", "")), question=[Phrase(("b",)), Phrase(("c",))])
@settings(max_examples=300)
@given(
    entries=st.tuples(ENTRY, ENTRY)
    | st.tuples(*[st.tuples(st.just("c1"), FEW_WORDS, FEW_WORDS, FEW_WORDS)] * 2)
    | st.tuples(st.just("c1"), TEXT, TEXT, TEXT).flatmap(shuffled),
    question=QUESTION | st.permutations("ab abc b c d".split()).map(lambda words: [Phrase((word,)) for word in words[:2]]),
)
def test_whoever_asks_for_a_text_that_comes_or_goes_depends_on_it(
    entries: tuple[tuple[str, ...], tuple[str, ...]], question: list[Phrase]
) -> None:
    before, after = entries

    changed = text_subjects([(before, after)])

    assert found_by(before, question) == found_by(after, question) or changed & question_subjects(question)


def test_only_words_that_came_or_went_are_subjects_of_all_questions() -> None:
    before, after = (("c1", title, "ada", "of graphs") for title in ("deep nets for all", "deep nets for some of us"))

    subjects = text_subjects([(before, after)])

    words = {it for it in subjects if not it.startswith("pair") and len(it.split()[-1]) > 2}
    assert words == {"text", "word all", "word som", "word some"}
    assert text_subjects([(before, before)]) == {"text"}
    assert text_subjects([]) == set()


def test_words_side_by_side_are_a_subject_of_questions_with_both() -> None:
    """As where a talk has another title than its paper, and the paper's page has both."""
    before, after = ("c1", "deep nets for graphs", "", ""), ("c1", "deep nets for graphs", "", "deep nets for graphs today")

    changed = text_subjects([(before, after)])

    assert changed & question_subjects([Phrase(("today",))])
    assert not changed & question_subjects([Phrase(("graphs",))])
    assert not changed & question_subjects([Phrase(("graphs",)), Phrase(("of",))])
    assert changed & question_subjects([Phrase(("graphs",)), Phrase(("t",), is_prefix=True)])
    assert changed & question_subjects([Phrase(("neural",)), Phrase(("graphs",)), Phrase(("of",))])
    assert not changed & question_subjects([Phrase(("nets",)), Phrase(("for",))])


def test_a_change_of_filters_or_of_many_words_is_a_change_of_all_results() -> None:
    entry = ("c1 kposter", "deep", "", "")

    assert text_subjects([(entry, ("c1 ktalk", "deep", "", ""))]) == {"text", "texts"}
    assert text_subjects([((), ("c1", " ".join(f"w{number}" for number in range(41)), "", ""))]) == {"text", "texts"}
    assert "texts" in question_subjects([Phrase(("deep",))])
    assert "word multim" in question_subjects([Phrase(("multi", "modal"))])

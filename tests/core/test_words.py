"""Words are compared without case and accents, and marked where they stand."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.core.words import (
    MAX_INDEXED_WORD_CHARS,
    MAX_SEARCH_PHRASES,
    Phrase,
    fold_text,
    folded_words,
    mark_matches,
    other_forms,
    search_phrases,
    snippet,
)
from events.search.texts import MAX_INDEXED_CHARS


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Schölkopf", ["scholkopf"], id="umlaut"),
        pytest.param("Scho\u0308lkopf", ["scholkopf"], id="umlaut in two characters"),
        pytest.param("Łukasz Ørsted Đorđe", ["lukasz", "orsted", "dorde"], id="letters with a stroke"),
        pytest.param("STRASSE Straße", ["strasse", "strasse"], id="sharp s"),
        pytest.param("İstanbul ILIŞ", ["istanbul", "ilis"], id="Turkish"),
        pytest.param("Ångström ﬁeld", ["angstrom", "field"], id="ligature"),
        pytest.param("Νίκος ΝΊΚΟΣ", ["νικοσ", "νικοσ"], id="Greek with its final sigma"),
        pytest.param("٣ ३ x²", ["3", "3", "x2"], id="digits of other scripts"),
        pytest.param("state-of-the-art C++/CUDA", ["state", "of", "the", "art", "cplusplus", "cuda"], id="joined by signs"),
        pytest.param("O’Brien d'Alembert", ["o", "brien", "d", "alembert"], id="apostrophes"),
        pytest.param("机器学习", ["机", "器", "学", "习"], id="no spaces between words"),
        pytest.param("한국어", ["한국어"], id="syllables stay whole"),
        pytest.param("pre\u00adtraining", ["pretraining"], id="soft hyphen"),
        pytest.param("snake_case %00 \x00 ((((", ["snake", "case", "00"], id="signs"),
        pytest.param("", [], id="nothing"),
    ],
)
def test_words_are_folded(text: str, expected: list[str]) -> None:
    assert folded_words(text) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        pytest.param("deep lear", [Phrase(("deep",)), Phrase(("lear",), is_prefix=True)], id="last word is a beginning"),
        pytest.param("deep lear ", [Phrase(("deep",)), Phrase(("lear",), is_prefix=True)], id="a space behind it"),
        pytest.param('"neural net"', [Phrase(("neural", "net"), is_quoted=True)], id="phrase"),
        pytest.param(
            '"neural net" b', [Phrase(("neural", "net"), is_quoted=True), Phrase(("b",))], id="one letter is a whole word"
        ),
        pytest.param("“neural net”", [Phrase(("neural", "net"), is_quoted=True)], id="curly marks"),
        pytest.param('"neural ne', [Phrase(("neural", "ne"), is_quoted=True)], id="mark not closed yet"),
        pytest.param("state-of-the-art", [Phrase(("state", "of", "the", "art"), is_prefix=True)], id="joined words are a phrase"),
        pytest.param("机器", [Phrase(("机", "器"), is_prefix=True)], id="unspaced script is a phrase"),
        pytest.param("bar*", [Phrase(("bar",), is_prefix=True)], id="asterisk"),
        pytest.param("gpt-4", [Phrase(("gpt", "4"), is_prefix=True)], id="one character behind a hyphen"),
        pytest.param("mix- ing", [Phrase(("mix", "ing"), is_prefix=True)], id="line of a PDF that ends within a word"),
        pytest.param("c++", [Phrase(("cplusplus",))], id="finished by signs"),
        pytest.param("NEAR(a b) NOT -x", [Phrase(("near", "a")), Phrase(("b",)), Phrase(("not",)), Phrase(("x",))], id="syntax"),
        pytest.param("a a a", [Phrase(("a",))], id="the same again"),
        pytest.param('(((( "" * -', [], id="no word at all"),
    ],
)
def test_question_becomes_phrases(question: str, expected: list[Phrase]) -> None:
    assert search_phrases(question) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Pre-training of Self‑Supervised, large nets", ["pretraining", "selfsupervised"], id="hyphens"),
        pytest.param("J.-B. O’Brien", ["jb", "obrien"], id="initials and an apostrophe"),
        pytest.param("المؤتمر في ألم الاب", ["موتمر"], id="Arabic article before three letters or more"),
        pytest.param("C++, C# and 机器-学习", [], id="none"),
    ],
)
def test_words_have_other_forms(text: str, expected: list[str]) -> None:
    assert other_forms(text) == expected


@pytest.mark.parametrize("piece", ["a", "a-", "a.-", "ال"])
def test_other_forms_of_a_long_text_are_quick(piece: str) -> None:
    began = time.perf_counter()

    other_forms(piece * MAX_INDEXED_CHARS)

    assert time.perf_counter() - began < 2


def test_question_without_end_is_cut() -> None:
    assert len(search_phrases(" ".join(f"w{number}" for number in range(5000)))) == MAX_SEARCH_PHRASES
    assert search_phrases("a" * 10_000) == [Phrase(("a" * MAX_INDEXED_WORD_CHARS,), is_prefix=True)]


@given(st.text())
def test_phrases_hold_letters_and_digits_alone(question: str) -> None:
    assert all(word.isalnum() for phrase in search_phrases(question) for word in phrase.words)


@given(st.text())
def test_folding_twice_is_folding_once(text: str) -> None:
    assert folded_words(" ".join(folded_words(text))) == folded_words(text)


def shown(parts: object) -> str:
    return "".join(f"[{it.text}]" if it.is_match else it.text for it in parts)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "question", "expected"),
    [
        pytest.param("Bernhard Schölkopf", "scholk", "Bernhard [Schölkopf]", id="accent and beginning"),
        pytest.param("Scho\u0308lkopf", "scholkopf", "[Schölkopf]", id="accent of its own"),
        pytest.param("Deep learning, learned deep", "deep lear", "[Deep] [learning], [learned] [deep]", id="every place"),
        pytest.param("Learning to unlearn", "learn", "[Learning] to unlearn", id="not inside a word"),
        pytest.param("Learning and learn", '"learn"', "Learning and [learn]", id="whole word"),
        pytest.param("A neural net, a net", '"neural net"', "A [neural net], a net", id="phrase"),
        pytest.param("Op de Straße", "strasse", "Op de [Straße]", id="one letter for two"),
        pytest.param("深度学习与机器学习", "机器", "深度学习与[机器]学习", id="unspaced script"),
        pytest.param("深度ai学习, AIé", "ai", "深度[ai]学习, [AIé]", id="letters beside an unspaced script"),
        pytest.param("深度ai学习 AIé", '"ai"', "深度[ai]学习 AIé", id="a whole word beside an unspaced script"),
        pytest.param("Multimodal, multi-modal", "multi-modal", "[Multimodal], [multi-modal]", id="compound as one word"),
        pytest.param("<b>bold</b>", "b", "<[b]>bold</[b]>", id="markup is text"),
        pytest.param("nothing here", "else", "nothing here", id="not there"),
        pytest.param("", "else", "", id="empty"),
    ],
)
def test_marks_stand_on_the_words_asked_for(text: str, question: str, expected: str) -> None:
    assert shown(mark_matches(text, search_phrases(question))) == expected


@given(st.text(), st.text(max_size=20))
def test_marked_pieces_are_the_text(text: str, question: str) -> None:
    parts = mark_matches(text, search_phrases(question))

    assert fold_text("".join(it.text for it in parts)) == fold_text(text)
    assert all(it.text for it in parts)


def test_snippet_shows_the_place_and_what_is_around_it() -> None:
    text = "We begin at the beginning. " * 20 + "Then *diffusion* enters [the stage](https://example.org). " + "And so on. " * 30

    line = snippet(text, search_phrases("diffusion"))

    assert "Then [diffusion] enters the stage. And" in shown(line)
    assert shown(line).startswith("… ")
    assert shown(line).endswith(" …")
    assert 100 < len(shown(line)) < 200


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Only diffusion", "Only [diffusion]"), ("Nothing of it", ""), ("x" * 500 + " diffusion", None), ("", "")],
)
def test_snippet_of_a_short_text_is_the_text(text: str, expected: str | None) -> None:
    line = shown(snippet(text, search_phrases("diffusion")))

    assert line == expected if expected is not None else "[diffusion]" in line


@pytest.mark.parametrize("hostile", ["[](", "![](", "![", "[a", "[", "*`", "[]" + "(a"])
def test_snippet_of_what_looks_like_markup_is_quick(hostile: str) -> None:
    text = hostile * (MAX_INDEXED_CHARS // len(hostile)) + " diffusion"
    began = time.perf_counter()

    assert "[diffusion]" in shown(snippet(text, search_phrases("diffusion")))
    assert time.perf_counter() - began < 2


@given(st.text(max_size=400), st.text(max_size=20), st.integers(20, 60))
def test_snippet_is_never_long(text: str, question: str, length: int) -> None:
    assert len(shown(snippet(text, search_phrases(question), length))) <= length + 4 + 2 * length

"""Texts of rows and requests are kept within bounds of bytes, and never as keys."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator

import pytest

from events.core import words
from events.core.byte_cache import PROCESS_CACHE, size_of
from events.core.rendered_text import cached_html, cached_line_html, cached_plain_text
from events.core.words import MAX_SEARCH_CHARS, mark_matches, search_phrases
from events.pages.queries.plans import _drawing_keys
from events.venue.rules import plans
from events.venue.rules.plans import MAX_SHAPE_CORNERS, parse_shape

MAX_KEY_BYTES = 300
MAX_PATTERN_BYTES = 25_000


@pytest.fixture(autouse=True)
def _cache() -> Iterator[None]:
    PROCESS_CACHE.max_bytes = 2**18
    yield
    re.purge()


def drawing_of(text: str) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><text>{text}</text></svg>'


@pytest.mark.parametrize("keep", [cached_html, cached_line_html, cached_plain_text, lambda it: _drawing_keys(drawing_of(it))])
def test_flood_of_long_texts_is_bounded_in_bytes(keep: Callable[[str], str]) -> None:
    kept = [keep(f"{number} {'x' * 20_000}") for number in range(40)]

    assert (len(set(kept)), len(PROCESS_CACHE.keys) > 5) == (40, True)
    assert 2**17 < PROCESS_CACHE.size <= 2**18
    assert max(size_of(key) for key in PROCESS_CACHE.keys) < MAX_KEY_BYTES


LETTERS = "abcdefghij"
LONG_QUESTIONS = {
    "quoted letters": '"' + " ".join(LETTERS[it % 10] for it in range(MAX_SEARCH_CHARS // 2)) + '"',
    "quoted and unspaced": '"' + "語" * MAX_SEARCH_CHARS + '"',
    "mixed scripts": '"' + "a語" * (MAX_SEARCH_CHARS // 2) + '"',
    "many words": " ".join(f"{it}{LETTERS}" for it in range(30)),
    "one word": "x" * MAX_SEARCH_CHARS,
}


@pytest.mark.parametrize("question", LONG_QUESTIONS.values(), ids=LONG_QUESTIONS)
def test_pattern_of_a_long_question_is_small(question: str) -> None:
    wanted = tuple(search_phrases(question))

    assert sys.getsizeof(words._pattern(wanted, words.LETTER_CLASS)) < MAX_PATTERN_BYTES


def test_phrase_of_words_is_marked_as_a_whole_only() -> None:
    texts = ["big cats nap", "bigcats nap", "xbig cats", "big catsy", "big, cats!", "big_cats", "big 猫 cats"]

    marked = [[part.text for part in mark_matches(text, search_phrases('"big cats"')) if part.is_match] for text in texts]

    assert marked == [["big cats"], [], [], [], ["big, cats"], ["big_cats"], []]


def test_shapes_that_are_kept_are_bounded_in_bytes() -> None:
    corners = [f"{it * 9.13:.2f},{it * it % 977 + 0.37:.2f}" for it in range(MAX_SHAPE_CORNERS)]

    largest = size_of(parse_shape(" ".join(corners)))

    assert largest * (plans._middle.cache_info().maxsize or sys.maxsize) < 8 * 2**20

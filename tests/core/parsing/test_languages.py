"""Languages as people write them, and what is none."""

from __future__ import annotations

import pytest
from django.conf.locale import LANG_INFO

from events.core.languages import isolated, language_attributes, language_name
from events.core.parsing.languages import _TWO_LETTER_CODES, _WORDS, MAX_LANGUAGE_CHARS, language_tag, language_tags


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("de", "de"),
        ("DE", "de"),
        (" de ", "de"),
        ("German", "de"),
        ("deutsch", "de"),
        ("english", "en"),
        ("ger", "de"),
        ("deu-at", "de-AT"),
        ("pt-br", "pt-BR"),
        ("pt_BR", "pt-BR"),
        ("es-419", "es-419"),
        ("zh-hans-cn", "zh-Hans-CN"),
        ("sl-rozaj-biske", "sl-rozaj-biske"),
        ("de-1996", "de-1996"),
        ("zh-yue", "zh-yue"),
        ("gsw", "gsw"),
        ("中文", "zh"),
        ("Français", "fr"),
    ],
)
def test_language_is_read(text: str, tag: str) -> None:
    assert language_tag(text) == tag
    # What is stored is read as itself.
    assert language_tag(tag) == tag


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "-", "d", "de-", "-de", "d-e", "xx", "jp", "tba", "mul", "und", "Klingon", "n/a", "42", "de de", "x-private"),
        *("de\x00", '"><script>alert(1)</script>', "de-u-co-phonebk", "a" * 5_000, "de" + "-abcde" * 10, "дe", "ſe-DE-ſ"),
    ],
)
def test_other_texts_are_no_language(text: str) -> None:
    assert language_tag(text) == ""


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("de, en", ["de", "en"]),
        ("German and English", ["de", "en"]),
        ("en/fr", ["en", "fr"]),
        ("de; Klingon", ["de"]),
        ("de, DE, german", ["de"]),
        ("tba", []),
        ("," * 5_000, []),
    ],
)
def test_several_languages_are_read_one_by_one(text: str, tags: list[str]) -> None:
    assert language_tags(text) == tags


def test_words_are_the_names_that_pages_show() -> None:
    assert {code for code, words in _WORDS.items() if language_name(code).lower() not in words} == {"nb"}
    assert {code for code in LANG_INFO if len(code) == 2} - _TWO_LETTER_CODES == set()


@pytest.mark.parametrize(
    ("tag", "name"),
    [
        ("de", "German"),
        ("de-AT", "German"),
        ("pt-BR", "Brazilian Portuguese"),
        ("zh-CN", "Simplified Chinese"),
        ("zh", "Chinese"),
        ("zh-yue", "Chinese"),
        ("gsw", "gsw"),
    ],
)
def test_languages_are_named_in_english(tag: str, name: str) -> None:
    assert language_name(tag) == name


def test_attributes_of_a_text() -> None:
    assert language_attributes("pt-BR") == ' lang="pt-BR" dir="auto"'
    assert language_attributes("") == ' dir="auto"'
    assert language_attributes('"><script>') == ' lang="&quot;&gt;&lt;script&gt;" dir="auto"'


def test_longest_tag_fits_the_column() -> None:
    variants = "-variant1-variant2-1994"

    assert len("sl-latn-si" + variants) == 33 < MAX_LANGUAGE_CHARS
    assert language_tag("sl-latn-si" + variants) == "sl-Latn-SI" + variants
    assert language_tag("sl-latn-si" + variants + "-1996") == ""


@pytest.mark.parametrize(
    ("name", "isolated_name"),
    [
        pytest.param("Ada", "Ada", id="left to right"),
        pytest.param("שרה כהן", "\u2068שרה כהן\u2069", id="Hebrew"),
        pytest.param("Learning in العربية", "\u2068Learning in العربية\u2069", id="Arabic inside"),
        pytest.param("", "", id="empty"),
    ],
)
def test_name_of_another_direction_is_isolated(name: str, isolated_name: str) -> None:
    assert isolated(name) == isolated_name

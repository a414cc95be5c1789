from __future__ import annotations

import pytest

from events.core.markup import MAX_HTML_TAGS, html_to_text, is_html, is_known_tag, replace_tags, with_headings_from


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("<p>a</p>", True),
        ("\n  <UL>\n<li>a", True),
        ('<span style="x">a</span>', True),
        ("<h2>a</h2>", True),
        ("<div\nclass='a'>b</div>", True),
        ("a <p>b</p>", False),
        ("<a href='x'>a</a> b", False),
        ("<b>a</b>", False),
        ("<page> of a book", False),
        ("<3", False),
        ("<https://iclr.cc/>", False),
        ("`<p>`", False),
        ("", False),
    ],
)
def test_text_is_html_if_it_begins_as_html(text: str, meant: bool) -> None:
    assert is_html(text) is meant


@pytest.mark.parametrize(
    ("text", "known"),
    [("<b>", True), ("</LI>", True), ("\n<p x>", True), ("<img/>", True), ("<T>", False), ("<script>", False), ("b", False)],
)
def test_known_tags_are_those_of_texts(text: str, known: bool) -> None:
    assert is_known_tag(text) is known


def test_text_of_more_tags_than_words_keeps_its_words() -> None:
    assert replace_tags("<p>" + "<b>" * MAX_HTML_TAGS + "a &lt; b").split() == ["a", "&lt;", "b"]


@pytest.mark.parametrize(
    ("picture", "left"),
    [
        ("<img src=x alt='a dog'>", "a dog"),
        ('<IMG ALT="a &quot;dog&quot;" src=x />', "a &quot;dog&quot;"),
        ("<img src=x>", ""),
        ("<img alt=''>", ""),
    ],
)
def test_picture_leaves_its_words(picture: str, left: str) -> None:
    assert replace_tags(picture) == left


def test_words_of_nested_lists_stand_apart() -> None:
    assert html_to_text("<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>") == "a\n\nb\n\nc"


def test_words_keep_one_blank_between_them() -> None:
    assert html_to_text("<p>a\n   b <em> c</em></p>") == "a b c"


@pytest.mark.parametrize(
    ("clean", "moved"),
    [
        ("<h4>A</h4><p>h5</p><h5 id='h6'>B</h5>", "<h2>A</h2><p>h5</p><h3 id='h6'>B</h3>"),
        ("<h3>A</h3><h6>B</h6>", "<h2>A</h2><h5>B</h5>"),
        ("<p>A</p><hr>", "<p>A</p><hr>"),
        ("", ""),
    ],
)
def test_highest_heading_of_a_text_gets_the_level_of_its_page(clean: str, moved: str) -> None:
    assert with_headings_from(2, clean) == moved

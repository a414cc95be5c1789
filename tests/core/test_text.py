from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.core.text import markdown_line_to_html, markdown_to_html, markdown_to_text
from tests.harmless import Found, is_harmless


@pytest.mark.parametrize(
    ("text", "html"),
    [
        pytest.param("*a* **b** ~~c~~ `d`", "<p><em>a</em> <strong>b</strong> <s>c</s> <code>d</code></p>\n", id="words"),
        pytest.param("- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n", id="list"),
        pytest.param("> a", "<blockquote>\n<p>a</p>\n</blockquote>\n", id="quote"),
        pytest.param("a\n\nb", "<p>a</p>\n<p>b</p>\n", id="paragraphs"),
        pytest.param("a  \nb", "<p>a<br>\nb</p>\n", id="line"),
        pytest.param("```\na <b>\n```", "<pre><code>a &lt;b&gt;\n</code></pre>\n", id="code"),
        pytest.param("", "", id="nothing"),
        pytest.param("张伟 🎉 عربي", "<p>张伟 🎉 عربي</p>\n", id="scripts"),
        pytest.param("costs $5 and $6", "<p>costs $5 and $6</p>\n", id="dollars-are-money"),
    ],
)
def test_markdown(text: str, html: str) -> None:
    assert markdown_to_html(text) == html


@pytest.mark.parametrize(("level", "tag"), [(1, "h3"), (2, "h4"), (3, "h5"), (4, "h6"), (5, "h6"), (6, "h6")])
def test_headings_stand_below_those_of_the_page(level: int, tag: str) -> None:
    assert markdown_to_html(f"{'#' * level} Title") == f"<{tag}>Title</{tag}>\n"


def test_table_is_a_table() -> None:
    assert Found(markdown_to_html("|a|b|\n|-|-|\n|1|2|")).tags == ["table", "thead", "tr", "th", "th", "tbody", "tr", "td", "td"]


def test_line_has_no_paragraph() -> None:
    assert markdown_line_to_html("We *train* $x$").startswith("We <em>train</em> <math")


STYLE = "font-family:&quot;Calibri&quot;,sans-serif"
WORD = f'<p class="MsoNormal" style="margin:0cm"><span lang="EN-US" style="{STYLE}">word<o:p></o:p></span></p>'


@pytest.mark.parametrize(
    ("text", "html"),
    [
        pytest.param("<p>a <em>b</em></p>\n<p>c</p>", "<p>a <em>b</em></p>\n<p>c</p>", id="as FOSDEM writes it"),
        pytest.param("<ul>\n\n    <li>a</li>\n</ul>", "<ul>\n\n    <li>a</li>\n</ul>", id="a blank line and a margin"),
        pytest.param("<p><b>a</b> <i>b</i></p>", "<p><strong>a</strong> <em>b</em></p>", id="tags of old"),
        pytest.param("<h1>a</h1><h2>b</h2>", "<h3>a</h3><h4>b</h4>", id="headings stand below the page's"),
        pytest.param("<div>a</div><div><ul><li>b</li></ul></div>", "<p>a</p><ul><li>b</li></ul>", id="boxes"),
        pytest.param("<P STYLE='x'>a<BR>b</P>", "<p>a<br>b</p>", id="capitals"),
        pytest.param(WORD, "<p><span>word</span></p>", id="pasted from Word"),
        pytest.param(WORD * 200, "<p><span>word</span></p>" * 200, id="23 kB of it"),
        pytest.param("<p>a<script>alert(1)</script>b</p>", "<p>ab</p>", id="script"),
        pytest.param("<p>2 &lt; 3 &amp; 4</p>", "<p>2 &lt; 3 &amp; 4</p>", id="entities"),
        pytest.param(
            '<p>a <img src="https://evil.example/x.png" alt="A &lt;b&gt;"> b</p>', "<p>a A &lt;b&gt; b</p>", id="picture"
        ),
        pytest.param("<p>costs $5 or $6$</p>", "<p>costs $5 or $6$</p>", id="no formulas"),
        pytest.param("a<br>\nb", "<p>a<br>\nb</p>\n", id="a break in Markdown"),
        pytest.param("*a* <sub>b</sub> <T> c", "<p><em>a</em> <sub>b</sub> &lt;T&gt; c</p>\n", id="known and unknown tags"),
        pytest.param(
            "**a**:\n<ul>\n  <li>b</li>\n</ul>", "<p><strong>a</strong>:</p>\n<ul>\n  <li>b</li>\n</ul>", id="a list in Markdown"
        ),
        pytest.param("`<p>` is a tag", "<p><code>&lt;p&gt;</code> is a tag</p>\n", id="code about tags"),
        pytest.param("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;", id="a script alone is words"),
    ],
)
def test_html_is_shown_as_what_it_means(text: str, html: str) -> None:
    assert markdown_to_html(text) == html


@pytest.mark.parametrize(
    ("text", "href"),
    [
        ('<p><a href="https://a.example/" onclick="x" target="_blank" hx-get="/organise/">a</a></p>', "https://a.example/"),
        ("<p><a href='mailto:a@b.example'>a</a></p>", "mailto:a@b.example"),
        ("<p><a href='javascript:alert(1)'>a</a></p>", None),
        ("<p><a href=' java&#10;script:alert(1)'>a</a></p>", None),
        ("<p><a href='data:text/html,x'>a</a></p>", None),
        ("so <a href='vbscript:x'>a</a>", None),
    ],
)
def test_link_in_html_leads_where_one_in_markdown_may(text: str, href: str | None) -> None:
    found = Found(markdown_to_html(text))

    assert [value for _, name, value in found.attributes if name == "href"] == ([href] if href else [])
    assert {name for _, name, _ in found.attributes} <= {"href", "rel"}


def test_link_gives_nothing_away() -> None:
    assert markdown_to_html('[ICLR](https://iclr.cc/ "t")') == (
        '<p><a href="https://iclr.cc/" rel="nofollow ugc noopener noreferrer">ICLR</a></p>\n'
    )


@pytest.mark.parametrize("text", ["![a *dog*](https://example.org/x.png)", "![a *dog*][1]\n\n[1]: https://example.org/x.png"])
def test_picture_leaves_its_words(text: str) -> None:
    html = markdown_to_html(text)

    assert "img" not in Found(html).tags
    assert "example.org" not in html
    assert "dog" in html


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "<svg/onload=alert(1)>",
        "<iframe src='https://evil.example/'></iframe>",
        "<a href='javascript:alert(1)' onclick='x'>x</a>",
        "<style>body{display:none}</style>",
        "<div hx-get='/organise/' hx-trigger='load'>x</div>",
        "<form action='https://evil.example/'><input name=x></form>",
        "<base href='https://evil.example/'>",
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt:alert(1))",
        "[x](&#106;avascript:alert(1))",
        "[x](java\tscript:alert(1))",
        "[x](vbscript:x)",
        "[x](data:text/html;base64,PHNjcmlwdD4=)",
        "[x](file:///etc/passwd)",
        "<javascript:alert(1)>",
        "[x]: javascript:alert(1)\n\n[x]",
        "![x](javascript:alert(1))",
        '!["onerror=alert(1)](x)',
        '[x](https://example.org/"onmouseover="alert(1))',
        "[x](https://example.org 'x\" onclick=\"alert(1)')",
        "`<script>`\n\n    <script>alert(1)</script>",
        "```<script>\nx\n```",
        "```html onload=alert(1)\n<b>\n```",
        "|<script>|\n|-|\n|<img src=x onerror=alert(1)>|",
        "$<script>alert(1)</script>$",
        "$\\text{<img src=x onerror=alert(1)>}$",
        "$\\href{javascript:alert(1)}{x}$",
        "$\\class{x}{y}\\style{color:red}{z}\\color{red}{x}$",
        "$$\\unicode{x3c}script\\unicode{x3e}$$",
        "$</math><script>alert(1)</script>$",
        "&#xE000;0&#xE001;<script>",
        "\ue0000\ue001$x$",
        "<!-- --!><script>alert(1)</script> -->",
        "<p>x</p><script>alert(1)</script><style>*{display:none}</style>",
        "<p hx-get='/organise/' hx-trigger='load' onmouseover='x' style='position:fixed' class='a' id='main'>x</p>",
        "<p><img src=x onerror=alert(1)><img alt='\"><script>alert(1)</script>'></p>",
        "<p><iframe src='https://evil.example/'></iframe><object data=x></object><form action=x><input></form></p>",
        "<p><svg><a xlink:href='javascript:alert(1)'>x</a></svg><math href='javascript:alert(1)'>y</math></p>",
        "<p><b><i><s><table><a href='//x' <p onclick=x>",
        "so <b onclick=alert(1)>x</b> <a href=javascript:alert(1) onclick=x>y</a> <font color=red hx-get=/>z</font>",
        "x\n<div>\n\n<script>alert(1)</script>\n\n</div>",
        "<p>&lt;script&gt;alert(1)&lt;/script&gt; &#xE000;0&#xE001;</p>",
        "<p>$<script>alert(1)</script>$</p>",
        "<![CDATA[<script>alert(1)</script>]]>",
        "<math><mtext><script>alert(1)</script></mtext></math>",
        '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    ],
)
def test_text_is_harmless(text: str) -> None:
    assert is_harmless(markdown_to_html(text))
    assert is_harmless(markdown_line_to_html(text))


PIECES = [
    "<p>",
    "</p>",
    "<b>",
    "<a href='",
    "javascript:",
    "<img alt='",
    "<script>",
    "</script>",
    "<ul>",
    "<li>",
    " onclick=x",
    ">",
    "'",
]


@given(
    pieces=st.lists(
        st.sampled_from([*PIECES, '"', "<", "/", "&lt;", "&#60;", "\n\n", "    ", "`", "$x$", "word", "<!--", "-->", "\ue000"])
    )
)
def test_any_html_is_harmless(pieces: list[str]) -> None:
    text = "".join(pieces)

    assert is_harmless(markdown_to_html(text))
    assert is_harmless(markdown_to_html("<p>" + text))
    assert is_harmless(markdown_line_to_html(text))
    assert isinstance(markdown_to_text("<p>" + text), str)


@given(text=st.text(max_size=80))
def test_cleaning_what_is_clean_changes_nothing(text: str) -> None:
    once = markdown_to_html(f"<p>{text}</p>")

    assert markdown_to_html(once) == once


@given(text=st.text(alphabet=st.sampled_from("<>&;#\"'`$\\[]()!*_:/ \n\t|=-xaj{}^\ue000\ue00101\x00\ud800"), max_size=60))
def test_any_text_is_harmless(text: str) -> None:
    assert is_harmless(markdown_to_html(text))
    assert is_harmless(markdown_line_to_html(text))
    assert isinstance(markdown_to_text(text), str)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("*a* **b** `c`", "a b c", id="marks"),
        pytest.param("# Title\n\nText", "Title\n\nText", id="blocks"),
        pytest.param("- a\n- b", "a\n\nb", id="list"),
        pytest.param("[ICLR](https://iclr.cc/)", "ICLR (https://iclr.cc/)", id="link"),
        pytest.param("<https://iclr.cc/>", "https://iclr.cc/", id="address-alone"),
        pytest.param("so $x^2$ and $$y$$", "so $x^2$ and $y$", id="formulas"),
        pytest.param("![a dog](https://example.org/x.png)", "a dog", id="picture"),
        pytest.param("a  \nb\nc", "a\nb\nc", id="lines"),
        pytest.param("<b>a</b> &amp; b", "a & b", id="tags-in-markdown"),
        pytest.param("a <T> b", "a <T> b", id="no-tag-of-html"),
        pytest.param("```\ncode\n```", "code", id="code"),
        pytest.param("<p>a <em>b</em></p>\n<p>c\n  d<br>e</p>", "a b\n\nc d\ne", id="html"),
        pytest.param("<ul><li>a</li><li>b</li></ul>", "a\n\nb", id="html-list"),
        pytest.param('<p><a href="https://iclr.cc/">ICLR</a> now</p>', "ICLR (https://iclr.cc/) now", id="html-link"),
        pytest.param('<p><a href="https://iclr.cc/">https://iclr.cc/</a></p>', "https://iclr.cc/", id="html-address-alone"),
        pytest.param('so <a href="https://iclr.cc/">ICLR</a><br>now', "so ICLR (https://iclr.cc/)\nnow", id="tags-in-words"),
        pytest.param("a:\n\n<ul>\n<li>b</li>\n</ul>", "a:\n\nb", id="list-in-markdown"),
        pytest.param("<table><tr><td>a</td><td>b</td></tr></table>", "a b", id="html-table"),
        pytest.param("<pre>a\n  b</pre>", "a\nb", id="html-lines"),
        pytest.param("<p>2 &lt; 3</p>", "2 < 3", id="html-entities"),
        pytest.param("a\x07b\x00c\x7f", "abc", id="control-characters"),
        pytest.param("\ud83d x", "x", id="half-an-emoji"),
        pytest.param("", "", id="nothing"),
    ],
)
def test_plain(text: str, words: str) -> None:
    assert markdown_to_text(text) == words


def test_endless_text_is_cut() -> None:
    assert len(markdown_to_text("x" * 200_000)) == 100_000
    assert len(markdown_to_html("y" * 200_000)) == 100_000 + len("<p></p>\n")


@pytest.mark.parametrize(
    "text",
    [
        "[" * 20_000,
        "<ul>" * 20_000,
        "x <b>" * 16_000,
        "<p>" + "<a href=x><p>" * 6_000,
        "<img " * 20_000,
        "*a" * 20_000,
        "> " * 5_000,
        "`" * 30_001,
        "a_" * 20_000,
        "![" * 10_000,
    ],
)
def test_hostile_markdown_is_read_quickly(text: str) -> None:
    began = time.monotonic()

    markdown_to_html(text)

    assert time.monotonic() - began < 10

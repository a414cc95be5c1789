"""What is wrong with the lines of a calendar, before anything in them is understood."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise

LONGEST = 75
CONTROLS = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]")
JOINER = "\u200d"
# Signs before a fold among which a better place would have been looked for.
NEAR = 9


def line_problems(body: bytes) -> Iterator[str]:
    if not body.endswith(b"\r\n") or re.search(rb"(?<!\r)\n|\r(?!\n)", body):
        yield "a line does not end in CRLF"
    if body.startswith(b"\xef\xbb\xbf"):
        yield "byte order mark"
    if body.startswith((b" ", b"\t")):
        yield "the first line continues another"
    lines = body.removesuffix(b"\r\n").split(b"\r\n")
    before = ""
    for line in lines:
        yield from _problems(line)
        text = line.decode("utf-8", "replace")
        if text.startswith(" ") and not _may_break(before, text[1:]):
            yield f"folded inside a sign: {before!r} | {text!r}"
        before = text


def _problems(line: bytes) -> Iterator[str]:
    if len(line) > LONGEST:
        yield f"{len(line)} octets: {line!r}"
    if not line.strip():
        yield "empty line"
    if line.startswith(b"\t"):
        yield f"continued by a tab: {line!r}"
    try:
        text = line.decode()
    except UnicodeDecodeError:
        yield f"folded inside a character: {line!r}"
        return
    if CONTROLS.search(text):
        yield f"control character: {line!r}"
    # An odd number of backslashes at the end: the fold stands between the backslash and what it escapes.
    if (len(text) - len(text.rstrip("\\"))) % 2:
        yield f"folded inside an escape: {line!r}"


def _may_break(before: str, after: str) -> bool:
    """Not where a joiner or an accent belongs to what stands before it, unless there was no better place nearby."""
    if not before or not after or _stand_apart(before[-1], after[0]):
        return True
    near = before[-NEAR:]
    return not any(_stand_apart(*pair) for pair in pairwise(near))


def _stand_apart(left: str, right: str) -> bool:
    return JOINER not in {left, right} and not unicodedata.category(right).startswith("M")


def unfolded(body: bytes) -> list[str]:
    return body.removesuffix(b"\r\n").replace(b"\r\n ", b"").decode("utf-8", "replace").split("\r\n")

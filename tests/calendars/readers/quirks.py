"""Where a reader is known to be wrong about a text that is right."""

from __future__ import annotations

ESCAPES = {";": r"\;", ",": r"\,", "\n": r"\n"}
# They undo one kind of escape after the other, so that a backslash before an n is a new line to them: a formula in a title.
IN_TURN = {
    "ics": {r"\;": ";", r"\,": ",", r"\n": "\n", r"\N": "\n", r"\r": "\r", r"\R": "\r", "\\\\": "\\"},
    "node-ical": {r"\,": ",", r"\;": ";", r"\n": "\n", r"\N": "\n", "\\\\": "\\"},
}


def as_read_by(reader: str, text: str) -> str:
    if reader not in IN_TURN:
        return text
    written = text.replace("\\", "\\\\")
    for sign, escape in ESCAPES.items():
        written = written.replace(sign, escape)
    for escape, sign in IN_TURN[reader].items():
        written = written.replace(escape, sign)
    # A title in quotation marks is a quoted parameter to it.
    return written[1:-1] if reader == "node-ical" and len(written) > 1 and written[0] == written[-1] == '"' else written

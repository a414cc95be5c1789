from __future__ import annotations

import pytest

from events.importers import safe_json
from events.importers.errors import ScheduleParseError
from events.importers.safe_json import load_json


@pytest.mark.parametrize(
    ("content", "value"),
    [
        (b'{"a": [1, 2.5, null, true, "x"]}', {"a": [1, 2.5, None, True, "x"]}),
        ('\ufeff{"ä": "🎉"}'.encode(), {"ä": "🎉"}),
        (b" [1e400]", [float("inf")]),
        (b"9" * 300, int("9" * 300)),
    ],
)
def test_json_is_read(content: bytes, value: object) -> None:
    assert load_json(content, file="a.json") == value


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        pytest.param(b"{\n'a': 1}", "a.json, line 2: is not JSON at character 1 (Expecting property name", id="single quotes"),
        pytest.param(b"[1,\n2", "a.json, line 2: is not JSON at character 2 (Expecting ',' delimiter)", id="truncated"),
        pytest.param(b"{}\n{}", "a.json, line 2: is not JSON at character 1 (Extra data): export it again", id="lines"),
        pytest.param(b"[1,\nNaN]", "a.json, line 2: NaN is not a number JSON knows: write null", id="NaN"),
        pytest.param(b"[1,\n-Infinity]", "a.json, line 2: -Infinity is not a number JSON knows: write null", id="infinity"),
        pytest.param(b"[\n" + b"9" * 301 + b"]", "a.json, line 2: a number has 301 digits: export it again", id="long number"),
        pytest.param(b'{"a\\n": 1, "a\\n": 1}', "a.json: the key “a\\u000a” stands twice in one object: delete one", id="twice"),
        pytest.param(b"[" * 100_000, "a.json: holds lists inside lists, too deep for any schedule: export it again", id="deep"),
        pytest.param(b'["a",\n"\xff"]', "a.json, line 2: byte 0xFF is not UTF-8: save the file as UTF-8", id="encoding"),
        pytest.param("{}".encode("utf-16"), "a.json, line 1: byte 0xFF is not UTF-8: save the file as UTF-8", id="utf-16"),
        pytest.param(b" \n", "a.json: is empty: export it again", id="blank"),
        pytest.param(b"[" + b"0," * 99 + b"0]", "a.json: holds more values than any programme: split it", id="many values"),
        pytest.param(b'"' + b"a" * 200 + "🎉".encode() + b'"', "a.json: is larger than 0 MB", id="wide"),
    ],
)
def test_what_is_too_much_or_no_json_is_refused(monkeypatch: pytest.MonkeyPatch, content: bytes, problem: str) -> None:
    if "more values" in problem:
        monkeypatch.setattr(safe_json, "MOST_VALUES", 99)
    if "larger" in problem:
        monkeypatch.setattr(safe_json, "WIDEST", 800)

    with pytest.raises(ScheduleParseError) as caught:
        load_json(content, file="a.json")

    assert str(caught.value).startswith(problem)

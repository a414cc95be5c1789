from __future__ import annotations

import resource

import pytest

from events.core.parsing.errors import ScheduleParseError
from events.core.parsing.safe_yaml import MAX_YAML_DEPTH, MAX_YAML_VALUES, load_yaml


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param("a: 10:30\nb: No\nc: 2020-13-45\n", {"a": "10:30", "b": "No", "c": "2020-13-45"}, id="texts"),
        pytest.param("a:\nb: ~\nc: null\nd: 'null'\n", {"a": "", "b": "", "c": "", "d": "null"}, id="nothing"),
        pytest.param("- a\n- [b, {c: d}]\n", ["a", ["b", {"c": "d"}]], id="lists"),
        pytest.param("a: &x [b]\nc: *x\n", {"a": ["b"], "c": ["b"]}, id="an alias"),
        pytest.param("a: &x b\nc: *x\n", {"a": "b", "c": "b"}, id="an alias of a text"),
        pytest.param("a:\na: b\n", {"a": "b"}, id="a key left empty and given later"),
        pytest.param("\ufeffa: ü🤗\r\n", {"a": "ü🤗"}, id="a byte order mark, an emoji, line ends of Windows"),
        pytest.param('{"a": [1, null]}', {"a": ["1", ""]}, id="JSON"),
        pytest.param("9" * 5000, "9" * 5000, id="a long number"),
    ],
)  # fmt: skip
def test_values_are_texts_as_they_stand(text: str, value: object) -> None:
    assert load_yaml(text.encode(), file="f.yml") == value


BOMB = "a0: &a0 x\n" + "".join(f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 40))


@pytest.mark.parametrize(
    ("content", "told"),
    [
        pytest.param(b"", "f.yml: is empty: export it again", id="empty"),
        pytest.param(b"a: [1\nb: }", "f.yml, line 2: is not YAML", id="broken"),
        pytest.param(b"a:\n\t- b", "f.yml, line 2: is not YAML", id="a tab"),
        pytest.param(b"a: b\nb: \xe9", "f.yml, line 2: byte 0xE9 is not UTF-8", id="Latin-1"),
        pytest.param(b"a: \x00b", "f.yml: is not YAML", id="NUL"),
        pytest.param(b'a: "\\ud800"', "f.yml, line 1: is not YAML", id="half a character"),
        pytest.param(b"a: 1\nb: 2\na: 3", "f.yml, line 3: is not YAML (“a” is given twice)", id="a key twice"),
        pytest.param(b"a: 1\n---\nb: 2", "f.yml, line 2: is not YAML (but found another document)", id="two documents"),
        pytest.param(b"? [a]\n: b", "f.yml, line 1: is not YAML (a list where a name should be", id="a list for a key"),
        pytest.param(b"a: !!python/object/apply:os.system [x]", "f.yml, line 1: is not YAML (the tag “tag:yaml.org", id="a tag"),
        pytest.param(b"a: !!binary aGk=", "f.yml, line 1: is not YAML (the tag “tag:yaml.org,2002:binary”", id="a harmless tag"),
        pytest.param(b"- *b", "f.yml, line 1: is not YAML (found undefined alias)", id="an alias of nothing"),
        pytest.param(b"&a [*a]", "f.yml, line 1: is not YAML (“*a” cannot be followed", id="a list in itself"),
        pytest.param(BOMB.encode(), "f.yml, line 2: is not YAML (“*a0” cannot be followed", id="a billion laughs"),
        pytest.param(
            b"a: &a [" + b"x," * 5000 + b"]\nb: [" + b"*a," * 5000 + b"]",
            "f.yml, line 2: is not YAML (“*a” cannot be followed: write the text out where it is needed)",
            id="a quadratic blow-up",
        ),
        pytest.param(b"[" * 200_000, f"f.yml, line 1: is not YAML (lists inside lists, {MAX_YAML_DEPTH} deep", id="deep lists"),
        pytest.param(
            b"\n".join(b" " * n + b"a:" for n in range(1000)),
            f"f.yml, line {MAX_YAML_DEPTH + 1}: is not YAML (lists inside lists, {MAX_YAML_DEPTH} deep",
            id="deep mappings",
        ),
        pytest.param(b"- a\n" * MAX_YAML_VALUES, "f.yml, line 99999: is not YAML (more than 100,000 values)", id="long"),
        pytest.param(b"a: " + b"x" * 17_000_000, "f.yml: is larger than 16 MB", id="large"),
    ],
)  # fmt: skip
def test_hostile_yaml_is_refused_with_a_message(content: bytes, told: str) -> None:
    with pytest.raises(ScheduleParseError) as caught:
        load_yaml(content, file="f.yml")

    assert str(caught.value).startswith(told)


def test_yaml_bomb_costs_no_memory() -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    with pytest.raises(ScheduleParseError):
        load_yaml(BOMB.encode(), file="f.yml")

    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000

"""YAML from strangers: texts, lists and mappings only; no tags, no aliases that multiply, no depth that breaks a reader."""

from __future__ import annotations

from typing import Any

import yaml

from events.importers import cells
from events.importers.errors import ScheduleParseError
from events.importers.safe_json import decode

LARGEST = 16 * 2**20
MAX_DEPTH, MAX_VALUES, MAX_ALIASES = 40, 100_000, 100
_NOTHING = {"", "~", "null", "Null", "NULL"}


def load_yaml(content: bytes, *, file: str) -> Any:
    """Nested dicts, lists and texts, as they are written; raises ScheduleParseError that names the line."""
    if len(content) > LARGEST:
        raise ScheduleParseError(f"is larger than {LARGEST // 2**20} MB: no programme in YAML is", file=file)
    text = decode(content, file=file)
    try:
        _check(text)
        found = yaml.load(text, Loader=_Loader)  # noqa: S506 - a base loader makes no objects
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = f"is not YAML ({error.problem or error.context}): check how far the lines are indented"
        raise ScheduleParseError(problem, file=file, line=mark.line + 1 if mark else None) from error
    except (yaml.YAMLError, ValueError) as error:
        raise ScheduleParseError(f"is not YAML ({' '.join(str(error).split())[:120]}): export it again", file=file) from error
    if found is None:
        raise ScheduleParseError("is empty: export it again", file=file)
    return found


def _check(text: str) -> None:
    """Refuse what would explode when it is loaded, or what libyaml would load until the process dies."""
    aliases, has_anchor = 0, list[bool]()
    event: Any
    for values, event in enumerate(yaml.parse(text, Loader=yaml.CBaseLoader)):
        if isinstance(event, yaml.CollectionStartEvent):
            has_anchor.append(bool(event.anchor))
        elif isinstance(event, yaml.CollectionEndEvent):
            has_anchor.pop()
        elif isinstance(event, yaml.AliasEvent):
            aliases += 1
            if any(has_anchor) or aliases > MAX_ALIASES:
                raise _refusal(f"“*{str(event.anchor)[:40]}” cannot be followed: write the text out where it is needed", event)
        if getattr(event, "tag", None):
            raise _refusal(f"the tag “{event.tag[:40]}” is not read", event)
        if len(has_anchor) > MAX_DEPTH:
            raise _refusal(f"lists inside lists, {MAX_DEPTH} deep and more", event)
        if values > MAX_VALUES:
            raise _refusal(f"more than {MAX_VALUES:,} values", event)


def _refusal(problem: str, place: Any) -> yaml.MarkedYAMLError:
    return yaml.MarkedYAMLError(problem=problem, problem_mark=place.start_mark)


class _Loader(yaml.CBaseLoader):
    """The base loader makes texts of everything, so 10:30 stays 10:30 and “No” is no False."""

    def construct_scalar(self, node: yaml.ScalarNode) -> str:
        return "" if not node.style and node.value in _NOTHING else str(node.value)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        found: dict[Any, Any] = {}
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise _refusal("a list where a name should stand before the colon", key)
            # A key left empty and given again further down contradicts nothing.
            if found.get(key.value, "") != "":
                raise _refusal(f"{cells.quoted(key.value)} is given twice", key)
            found[key.value] = self.construct_object(value, deep=deep)
        return found

"""Safe reading of foreign YAML: texts, lists and mappings; no tags, few aliases, and limits of depth and size."""

from __future__ import annotations

from typing import Any

import yaml

from events.core.parsing import cells
from events.core.parsing.errors import ScheduleParseError
from events.core.parsing.safe_json import decode_utf8

MAX_YAML_BYTES = 16 * 2**20
MAX_YAML_DEPTH, MAX_YAML_VALUES, MAX_YAML_ALIASES = 40, 100_000, 100
_NULL_SCALARS = {"", "~", "null", "Null", "NULL"}


def load_yaml(content: bytes, *, file: str) -> Any:
    """Return nested dicts, lists and texts; raise ScheduleParseError with the line."""
    if len(content) > MAX_YAML_BYTES:
        raise ScheduleParseError(f"is larger than {MAX_YAML_BYTES // 2**20} MB: no programme in YAML is", file=file)
    text = decode_utf8(content, file=file)
    try:
        _check_yaml(text)
        content = yaml.load(text, Loader=_TextLoader)  # noqa: S506 - a base loader makes no objects
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = f"is not YAML ({error.problem or error.context}): check how far the lines are indented"
        raise ScheduleParseError(problem, file=file, line=mark.line + 1 if mark else None) from error
    except (yaml.YAMLError, ValueError) as error:
        raise ScheduleParseError(f"is not YAML ({' '.join(str(error).split())[:120]}): export it again", file=file) from error
    if content is None:
        raise ScheduleParseError("is empty: export it again", file=file)
    return content


def _check_yaml(text: str) -> None:
    """Refuse nested aliases, which multiply, and depths that would crash libyaml."""
    aliases, has_anchor = 0, list[bool]()
    event: Any
    for values, event in enumerate(yaml.parse(text, Loader=yaml.CBaseLoader)):
        if isinstance(event, yaml.CollectionStartEvent):
            has_anchor.append(bool(event.anchor))
        elif isinstance(event, yaml.CollectionEndEvent):
            has_anchor.pop()
        elif isinstance(event, yaml.AliasEvent):
            aliases += 1
            if any(has_anchor) or aliases > MAX_YAML_ALIASES:
                raise _yaml_error(f"“*{str(event.anchor)[:40]}” cannot be followed: write the text out where it is needed", event)
        if getattr(event, "tag", None):
            raise _yaml_error(f"the tag “{event.tag[:40]}” is not read", event)
        if len(has_anchor) > MAX_YAML_DEPTH:
            raise _yaml_error(f"lists inside lists, {MAX_YAML_DEPTH} deep and more", event)
        if values > MAX_YAML_VALUES:
            raise _yaml_error(f"more than {MAX_YAML_VALUES:,} values", event)


def _yaml_error(problem: str, location: Any) -> yaml.MarkedYAMLError:
    return yaml.MarkedYAMLError(problem=problem, problem_mark=location.start_mark)


class _TextLoader(yaml.CBaseLoader):
    """Reads every scalar as text: 10:30 stays 10:30, and “No” is not False."""

    def construct_scalar(self, node: yaml.ScalarNode) -> str:
        return "" if not node.style and node.value in _NULL_SCALARS else str(node.value)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        mapping: dict[Any, Any] = {}
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise _yaml_error("a list where a name should be before the colon", key)
            # A key may be empty first and have its value further down.
            if mapping.get(key.value, "") != "":
                raise _yaml_error(f"{cells.quoted(key.value)} is given twice", key)
            mapping[key.value] = self.construct_object(value, deep=deep)
        return mapping

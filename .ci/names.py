"""Report the names in events/ that break the contracts import-linter cannot check; exit with 1 if there are any.

A public class has one definition, so that a search for its name leads to it. So has a constant; one that is a number or a
duration also says its subject: MAX_SEATS_PER_AGENDA, not MOST. Models are imported, never looked up by name, because
``apps.get_model`` would go round the contract that imports point down.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

CONSTANT = re.compile(r"_?[A-Z][A-Z0-9_]+")
# Django finds management commands by this class name.
REPEATED_CLASSES = {"Command"}


def classes(module: ast.Module) -> Iterator[str]:
    for statement in module.body:
        if isinstance(statement, ast.ClassDef) and not statement.name.startswith("_") and statement.name not in REPEATED_CLASSES:
            yield statement.name


def constants(module: ast.Module) -> Iterator[tuple[str, ast.expr | None]]:
    for statement in module.body:
        if isinstance(statement, ast.Assign | ast.AnnAssign):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            for target in targets:
                if isinstance(target, ast.Name) and CONSTANT.fullmatch(target.id):
                    yield target.id, statement.value


def is_number(value: ast.expr | None) -> bool:
    if isinstance(value, ast.Call):
        return ast.unparse(value.func).endswith("timedelta")
    return isinstance(value, ast.Constant) and type(value.value) in {int, float}


def problems_of(path: Path, module: ast.Module) -> Iterator[str]:
    for name, value in constants(module):
        if is_number(value) and "_" not in name.strip("_"):
            yield f"{path}: {name} does not say what it counts or measures"
    for node in ast.walk(module):
        if isinstance(node, ast.Attribute) and node.attr == "get_model":
            yield f"{path}:{node.lineno}: get_model goes round the import contract; import the model"


def problems(app: Path) -> Iterator[str]:
    paths: dict[str, list[str]] = defaultdict(list)
    for path in sorted(app.rglob("*.py")):
        if "migrations" not in path.parts:
            module = ast.parse(path.read_text())
            yield from problems_of(path, module)
            for name in [*classes(module), *(name for name, _ in constants(module))]:
                paths[name].append(str(path))
    for name, found in paths.items():
        if len(found) > 1:
            yield f"{name} is defined {len(found)} times: {', '.join(found)}"


def main() -> int:
    found = list(problems(Path("events")))
    sys.stdout.writelines(f"{problem}\n" for problem in found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

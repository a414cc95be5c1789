"""Two versions side by side on one database: migrations after 0026 leave a schema that the last release can use."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation

# Released before there was a rule.
LAST_WITHOUT_RULE = "0026_search_prefixes"
HARMLESS = (
    migrations.CreateModel,
    migrations.AddIndex,
    migrations.RemoveIndex,
    migrations.RenameIndex,
    migrations.AlterModelOptions,
    migrations.AlterModelManagers,
)
NOTE = re.compile(r"\blast release\b", re.IGNORECASE)
HOW = "CONTRIBUTING.md, “How a change lands”, 4"


def problems(migration: Any, docstring: str | None) -> list[str]:
    """What the last release may not survive, unless the migration says in its first lines why it does."""
    if NOTE.search(docstring or ""):
        return []
    created = {operation.name_lower for operation in migration.operations if isinstance(operation, migrations.CreateModel)}
    return [problem for operation in migration.operations for problem in _problems(operation, created)]


def _problems(operation: Operation, created: set[str]) -> Iterator[str]:
    if isinstance(operation, migrations.SeparateDatabaseAndState):
        for inner in operation.database_operations:
            yield from _problems(inner, created)
    elif isinstance(operation, migrations.AddField):
        field = operation.field
        has_value = field.null or field.has_db_default() or field.many_to_many
        if operation.model_name_lower not in created and not has_value:
            yield f"{operation.model_name}.{operation.name} needs db_default or null: {HOW}"
    elif not isinstance(operation, HARMLESS):
        yield f"{type(operation).__name__}: say why the last release works with it: {HOW}"


def test_migrations_leave_the_last_release_working() -> None:
    disk = MigrationLoader(None).disk_migrations
    later = {name: found for (app, name), found in disk.items() if app == "events" and name > LAST_WITHOUT_RULE}

    found = {name: problems(it, importlib.import_module(it.__module__).__doc__) for name, it in later.items()}

    assert {name: sentences for name, sentences in found.items() if sentences} == {}


def new_table(name: str) -> migrations.CreateModel:
    return migrations.CreateModel(name=name, fields=[("id", models.BigAutoField(primary_key=True))])


@pytest.mark.parametrize(
    ("operation", "words"),
    [
        pytest.param(
            migrations.AddField("Agenda", "a", models.BooleanField(default=False)), ["db_default or null"], id="default"
        ),
        pytest.param(migrations.AddField("Agenda", "a", models.BooleanField(db_default=False)), [], id="db-default"),
        pytest.param(migrations.AddField("Agenda", "a", models.DateTimeField(null=True)), [], id="null"),
        pytest.param(migrations.AddField("Agenda", "a", models.ManyToManyField("Event")), [], id="many-to-many"),
        pytest.param(migrations.AddField("New", "a", models.BooleanField()), [], id="new-table"),
        pytest.param(migrations.RemoveField("Agenda", "a"), ["RemoveField"], id="removed"),
        pytest.param(migrations.AlterField("Agenda", "a", models.TextField()), ["AlterField"], id="altered"),
        pytest.param(migrations.RenameField("Agenda", "a", "b"), ["RenameField"], id="renamed"),
        pytest.param(migrations.RunSQL("DROP TABLE a"), ["RunSQL"], id="sql"),
        pytest.param(
            migrations.SeparateDatabaseAndState(database_operations=[migrations.RemoveField("Agenda", "a")]),
            ["RemoveField"],
            id="inside",
        ),
    ],
)
def test_operation_that_the_last_release_cannot_live_with_needs_a_note(operation: Operation, words: list[str]) -> None:
    migration = SimpleNamespace(operations=[new_table("New"), operation])

    found = problems(migration, "Changes an agenda.")

    assert [[word in problem for word in words] for problem in found] == [[True]] * len(words)
    assert problems(migration, "The last release has not read this column since 0.2.") == []

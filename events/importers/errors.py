"""What an importer says when a file cannot be taken."""

from __future__ import annotations


class ScheduleParseError(ValueError):
    """A file that cannot be taken, naming the place, the value and the remedy."""

    def __init__(self, problem: str, *, file: str = "", table: str = "", line: int | None = None, column: str = "") -> None:
        self.problem, self.file, self.table, self.line, self.column = problem, file, table, line, column
        # In TOML, which has no columns, a table's values stand under keys.
        named = f"{'key' if table else 'column'} “{column}”" if column else ""
        place = [file, table, f"line {line}" if line else "", named]
        super().__init__(": ".join(filter(None, [", ".join(filter(None, place)), problem])))

"""What an importer says when a file cannot be taken."""

from __future__ import annotations


class ScheduleParseError(ValueError):
    """A file that cannot be taken, naming the place, the value and the remedy."""

    def __init__(self, problem: str, *, file: str = "", line: int | None = None, column: str = "") -> None:
        self.problem, self.file, self.line, self.column = problem, file, line, column
        place = [file, f"line {line}" if line else "", f"column “{column}”" if column else ""]
        super().__init__(": ".join(filter(None, [", ".join(filter(None, place)), problem])))

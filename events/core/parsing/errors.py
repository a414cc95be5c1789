"""The error of every parser, and the limits of uploaded files."""

from __future__ import annotations


class ScheduleParseError(ValueError):
    """A file that cannot be read; the message has the place, the value and the remedy."""

    def __init__(self, problem: str, *, file: str = "", table: str = "", line: int | None = None, column: str = "") -> None:
        self.problem, self.file, self.table, self.line, self.column = problem, file, table, line, column
        # TOML has keys instead of columns.
        column_name = f"{'key' if table else 'column'} “{column}”" if column else ""
        location = [file, table, f"line {line}" if line else "", column_name]
        super().__init__(": ".join(filter(None, [", ".join(filter(None, location)), problem])))


class TimeZoneNeededError(ScheduleParseError):
    """A file that names no time zone; ``example`` is a likely one."""

    def __init__(self, problem: str, *, example: str, file: str) -> None:
        super().__init__(f"{problem}: say which one the venue is in, such as {example}", file=file)
        self.example = example


class ColumnsNeededError(ScheduleParseError):
    """A spreadsheet of which a column or the order of dates must be chosen; ``field`` is the one that is missing or doubtful."""

    def __init__(self, problem: str, *, file: str, field: str) -> None:
        super().__init__(problem, file=file)
        self.field = field


MAX_UPLOAD_BYTES = 64 * 2**20
"""Bytes of all files of an upload together."""
MAX_TEXT_BYTES = 20 * 2**20
"""Bytes of one XML file or calendar. FOSDEM's have 4 MB."""
MAX_UPLOAD_FILES = 2000
MAX_IMPORT_EVENTS = 20_000
MAX_XML_NODES = 400_000
"""Elements and attributes of an XML file; FOSDEM 2025 has 45,000."""
MAX_JSON_VALUES = 2_000_000
"""Values of a JSON file, where an object or a list weighs as much as five; ICLR 2025 has 540,000."""


def refuse_large_text(content: bytes, *, file: str) -> None:
    if len(content) > MAX_TEXT_BYTES:
        raise too_large_error(file, MAX_TEXT_BYTES)


def too_large_error(file: str, max_bytes: int) -> ScheduleParseError:
    return ScheduleParseError(f"is larger than {max_bytes // 2**20} MB: upload the programme without its media", file=file)

"""The error of every parser, and the limits of uploaded files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar


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


COMMAND_FACTOR = 8
"""``import_schedule`` takes so many times as much as the admin: 30,000 events of FOSDEM's 3.7 kB each are 111 MB."""
COMMAND_REMEDY = f"import it with the command import_schedule, which takes {COMMAND_FACTOR} times as much"
_factor: ContextVar[int] = ContextVar("factor of the limits", default=1)


@contextmanager
def limits_of_command() -> Iterator[None]:
    """Raise the limits for a file that somebody with a shell chose, in a process that ends with its import."""
    token = _factor.set(COMMAND_FACTOR)
    try:
        yield
    finally:
        _factor.reset(token)


def raised(limit: int) -> int:
    return limit * _factor.get()


def or_command(remedy: str) -> str:
    """Add the command to a remedy, unless it is the command that refuses."""
    return f"{remedy}, or {COMMAND_REMEDY}" if _factor.get() == 1 else remedy


MAX_UPLOAD_BYTES = 64 * 2**20
"""Bytes of all files of an upload together. These limits are those of uploads, which ``raised`` raises for the command."""
MAX_TEXT_BYTES = 20 * 2**20
"""Bytes of one XML file or calendar. FOSDEM's have 4 MB."""
MAX_UPLOAD_FILES = 2000
MAX_IMPORT_EVENTS = 20_000
MAX_XML_NODES = 400_000
"""Elements and attributes of an XML file; FOSDEM 2025 has 45,000."""
MAX_JSON_VALUES = 2_000_000
"""Values of a JSON file, where an object or a list weighs as much as five; ICLR 2025 has 540,000."""


def refuse_large_text(content: bytes, *, file: str) -> None:
    if len(content) > raised(MAX_TEXT_BYTES):
        raise too_large_error(file, MAX_TEXT_BYTES)


def too_large_error(file: str, max_bytes: int) -> ScheduleParseError:
    remedy = or_command("upload the programme without its media")
    return ScheduleParseError(f"is larger than {raised(max_bytes) // 2**20} MB: {remedy}", file=file)


def too_many_error(what: str, limit: int, *, file: str, remark: str = "") -> ScheduleParseError:
    return ScheduleParseError(f"has more than {raised(limit):,} {what}{remark}: {or_command('split it')}", file=file)

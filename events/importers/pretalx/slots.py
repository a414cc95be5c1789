"""The slots of the released schedule; pretalx hands organisers those of every version."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterator
from typing import Any
from zoneinfo import ZoneInfo

from events.importers import times, values
from events.importers.errors import ScheduleParseError
from events.importers.pretalx.objects import Objects

Json = dict[str, Any]
UNKNOWN = ZoneInfo("UTC")


class Slots:
    """Raises ScheduleParseError where nobody can tell which version is the released one."""

    def __init__(self, objects: Objects, *, file: str) -> None:
        told = [*objects.slots, *(slot for it in objects.schedules for slot in values.rows(it.get("slots")))]
        versions = {number for slot in told if (number := values.key(slot.get("schedule")))}
        released = _released(objects.schedules)
        if objects.schedules and not released:
            raise ScheduleParseError("holds no released version of the schedule: release one in pretalx first", file=file)
        if not released and len(versions) > 1:
            problem = f"holds the slots of {len(versions)} versions of the schedule: add the schedules, or take one version’s"
            raise ScheduleParseError(problem, file=file)
        self.listed = [slot for slot in told if not released or values.key(slot.get("schedule")) in {"", released}]
        self.by_code: dict[str, list[Json]] = defaultdict(list)
        for slot in self.listed:
            self.by_code[_code_of(slot.get("submission"))].append(slot)
        self.nested = [slot for it in objects.submissions for slot in _nested(it)]

    def of(self, code: str, submission: Json) -> list[Json]:
        """A submission's slots in the order of time: what is the first stays the first when a version is released."""
        found = self.by_code.get(code) or list(_nested(submission))
        return sorted(found, key=lambda slot: values.text(slot.get("start")))

    def empty(self) -> list[Json]:
        """Those without a submission: breaks, and what keeps a room free."""
        return [slot for slot in self.listed if slot.get("submission") is None]

    def submissions(self) -> Iterator[Json]:
        """Those that the slots hold whole instead of by their code."""
        return (values.row(slot.get("submission")) for slot in self.listed if values.row(slot.get("submission")))

    def rooms(self) -> list[Json]:
        """Those that the slots hold whole instead of by their number."""
        found = (values.row(slot.get("room")) for slot in [*self.listed, *self.nested])
        return [room for room in found if "name" in room]

    def moments(self) -> list[dt.datetime]:
        """Their times that name an offset."""
        found = (times.moment(values.text(slot.get("start")), UNKNOWN) for slot in [*self.listed, *self.nested])
        return [it for it in found if it and it.tzinfo is not UNKNOWN]


def _released(schedules: list[Json]) -> str:
    """The version that was published last; the one being worked on has no date."""
    published = [(values.text(it.get("published")), values.key(it.get("id"))) for it in schedules if it.get("published")]
    return max(published, default=("", ""))[1]


def _nested(submission: Json) -> Iterator[Json]:
    """The slots inside a submission: a list, or until 2024 the only one."""
    yield from values.rows(submission.get("slots"))
    if slot := values.row(submission.get("slot")):
        yield slot


def _code_of(submission: Any) -> str:
    return values.key(values.row(submission).get("code") if isinstance(submission, dict) else submission)

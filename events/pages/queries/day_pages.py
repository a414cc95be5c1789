"""The pages of a day, each of whole hours, and the links to them and to hours."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from django.core.paginator import Paginator
from django.http import QueryDict

from events.core.clock import Clock
from events.pages.queries.poster_groups import PosterGroup
from events.programme.models.conference import Day
from events.programme.queries.filters import replaced_query
from events.programme.rules.days import hour_of, pages_of_hours

DAY_EVENTS_PER_PAGE = 100


class Slot(NamedTuple):
    """When something is listed; what has no hour inside a session is listed with the session."""

    start: dt.datetime | None
    end: dt.datetime | None

    def has_ended(self, now: dt.datetime) -> bool:
        return self.end is not None and self.end <= now

    def is_on(self, now: dt.datetime) -> bool:
        return self.start is not None and self.start <= now and not self.has_ended(now)


class HourLink(NamedTuple):
    label: str
    url: str
    is_current: bool = False
    is_past: bool = False


@dataclass
class DayPages:
    """``slots`` are those of the whole day, in order."""

    slots: Sequence[Slot]
    bundles: Sequence[PosterGroup]
    day: Day
    clock: Clock
    query: QueryDict

    @cached_property
    def cuts(self) -> list[slice]:
        hours = [hour_of(it.start, self.clock.zone) for it in self.slots]
        return pages_of_hours(hours, DAY_EVENTS_PER_PAGE) or [slice(0, 0)]

    @cached_property
    def page_of_now(self) -> int:
        """The last page that has begun, or the one after if all of that has ended; 0 on other days than today."""
        if self.day.date != self.clock.today:
            return 0
        firsts = [self._first(number) for number in range(1, len(self.cuts) + 1)]
        number = max((number for number, it in enumerate(firsts, 1) if it and it <= self.clock.now), default=1)
        is_over = all(it.has_ended(self.clock.now) for it in self.slots[self.cuts[number - 1]])
        return number + 1 if is_over and number < len(self.cuts) else number

    @cached_property
    def number(self) -> int:
        return Paginator(self.cuts, 1).get_page(self.query.get("page") or self.page_of_now or 1).number

    @property
    def cut(self) -> slice:
        return self.cuts[self.number - 1]

    @property
    def has_now(self) -> bool:
        return self.number == self.page_of_now

    @property
    def earlier_count(self) -> int:
        now = self.clock.now
        return sum(it.has_ended(now) for it in self.slots) + sum(it.count for it in self.bundles if it.end <= now)

    @property
    def now_url(self) -> str:
        if not self.page_of_now or not (self.slots or self.bundles):
            return ""
        return "#now" if self.has_now else f"{replaced_query(self.query, 'page', '')}#now"

    def _first(self, number: int) -> dt.datetime | None:
        cut = self.cuts[number - 1]
        return self.slots[cut.start].start if self.slots else None

    def page_of(self, start: dt.datetime) -> int:
        """The page for a group of posters that begins then."""
        later = [number for number in range(2, len(self.cuts) + 1) if (first := self._first(number)) is None or first > start]
        return later[0] - 1 if later else len(self.cuts)

    def hour_links(self, visible: set[str], folded: set[str]) -> list[HourLink]:
        """Within the page where the anchor of the hour is visible; else to its page, which opens what is folded."""
        hours = {hour: self.page_of(it.start) for it in self.bundles if (hour := hour_of(it.start, self.clock.zone))}
        for number, cut in reversed(list(enumerate(self.cuts, 1))):
            hours |= {hour: number for it in self.slots[cut] if (hour := hour_of(it.start, self.clock.zone))}
        current = max((hour for hour in hours if hour <= self.clock.now), default=None) if self.page_of_now else None
        return [self._hour_link(hour, hours[hour], hour == current, visible, folded) for hour in sorted(hours)]

    def _hour_link(self, hour: dt.datetime, number: int, is_current: bool, visible: set[str], folded: set[str]) -> HourLink:
        anchor = hour_anchor(hour, self.day, self.clock)
        url = f"{self._page_url(number)}#{anchor}"
        if is_current:
            url = self.now_url
        elif anchor in visible:
            url = f"#{anchor}"
        elif self.has_now and number == self.number and anchor not in folded:
            # All that began in this hour is on.
            url = "#now"
        label = f"{hour.astimezone(self.clock.zone):%H}"
        return HourLink(label, url, is_current, self.page_of_now > 0 and hour < self.clock.now and not is_current)

    def _page_url(self, number: int) -> str:
        changed = self.query.copy()
        changed["page"] = str(number)
        return f"?{changed.urlencode(safe=':')}"

    @cached_property
    def links(self) -> list[HourLink]:
        numbers = range(1, len(self.cuts) + 1) if len(self.cuts) > 1 else []
        return [
            HourLink(self._label(number), self._page_url(number), number == self.number, number < self.page_of_now)
            for number in numbers
        ]

    def _label(self, number: int) -> str:
        """ "10–13"; the pages of one hour are numbered: "10 (2)"."""
        hours = [hour_of(self._first(it), self.clock.zone) for it in range(1, len(self.cuts) + 1)]
        hour, after = hours[number - 1], [*hours, None][number]
        if hour is None:
            return "No time yet"
        if hours.count(hour) > 1:
            return f"{hour.astimezone(self.clock.zone):%H} ({number - hours.index(hour)})"
        last = max(it for it in (hour_of(slot.start, self.clock.zone) for slot in self.slots) if it)
        until = (after or last + dt.timedelta(hours=1)).astimezone(self.clock.zone)
        return f"{hour.astimezone(self.clock.zone):%H}–{until:%H}"


def hour_anchor(start: dt.datetime, day: Day, clock: Clock) -> str:
    local = start.astimezone(clock.zone)
    return f"h{local:%H}" if local.date() == day.date else f"h{local:%d-%H}"

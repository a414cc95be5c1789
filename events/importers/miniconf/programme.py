"""What all files of a site refer to: the conference's dates, its papers, its poster sessions."""

from __future__ import annotations

import dataclasses
import datetime as dt
from dataclasses import dataclass, field

from events.importers.builder import ScheduleBuilder
from events.importers.data import EventData
from events.importers.miniconf import times
from events.importers.miniconf.sitedata import Sitedata
from events.importers.miniconf.times import ONE_DAY, Hours


@dataclass
class Programme:
    files: Sitedata
    builder: ScheduleBuilder
    dates: list[dt.date] = field(default_factory=list)
    papers: dict[str, str] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    # (date, number of the poster session on it) and what a poster session is called -> its event.
    sessions: dict[tuple[dt.date, int] | str, EventData] = field(default_factory=dict)

    def date(self, weekday: int, place: str) -> dt.date | None:
        """The conference's date for a weekday; None, with a warning, if the site names no dates near it."""
        found = times.nearest(weekday, self.dates)
        if found is None:
            self.builder.warn(f"{place}: no day of the conference is that weekday; its day is to be announced")
        return found

    def days(self, said: str, hours: Hours | None, place: str) -> list[tuple[str, dt.date | None]]:
        """The label and date of each day a text names: “Wednesday/Thursday” at 01:00 is one night, at 16:00 two days."""
        named = times.weekdays(said)
        dates = [self.date(weekday, place) for weekday in named.days]
        if len(dates) == 2 and hours and times.at_night(hours.start) and dates[0] and dates[1] == dates[0] + ONE_DAY:
            dates = dates[1:]
        return [(named.label, date) for date in dates]

    def day(self, date: dt.date | None) -> str:
        return self.builder.day(date) if date else ""

    def key(self, kind: str, *names: str) -> str:
        """“social-OSS” from the first name that is one."""
        return self.builder.line(f"{kind}-{next(filter(None, names), 'x')}", 150)

    def add(self, event: EventData, *, place: str) -> EventData:
        """The event with the key it got, which is empty if it was skipped."""
        return dataclasses.replace(event, key=self.builder.event(event, place=place))

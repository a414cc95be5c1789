"""The days under which a file lists its events, compared with the days on which the events start at the venue."""

from __future__ import annotations

from collections import Counter, defaultdict

DAYS_CAUSE = "the file writes its days in another time zone, or {zone} is not that of the venue"


class ListedDays:
    """Days are ISO dates. A file that writes its days in UTC may list every event one day early."""

    def __init__(self) -> None:
        self._starts: dict[str, Counter[str]] = defaultdict(Counter)
        self._strays: dict[str, list[str]] = defaultdict(list)

    def add(self, listed: str, starts_on: str, location: str) -> None:
        self._starts[listed][starts_on] += 1
        if starts_on != listed:
            self._strays[listed].append(f"{location} is listed under {listed} and starts on {starts_on}")

    @property
    def emptied(self) -> set[str]:
        """Days under which events are listed, and on which no event starts."""
        used = {day for starts in self._starts.values() for day in starts}
        return self._strays.keys() - used

    @property
    def are_mostly_wrong(self) -> bool:
        strays = sum(map(len, self._strays.values()))
        return 2 * strays > sum(starts.total() for starts in self._starts.values())

    def warnings(self, zone: str) -> list[str]:
        """One sentence for all days that are wrong for most of their events, and one for the events of other days."""
        wrong = [day for day, strays in self._strays.items() if 2 * len(strays) > self._starts[day].total()]
        if sum(self._starts[day].total() for day in wrong) < 2:
            wrong = []
        few = [stray for day, strays in self._strays.items() if day not in wrong for stray in strays]
        sentences = [self._wrong_days(sorted(wrong), zone)] if wrong else []
        if few:
            more = f" (and {len(few) - 1} more like it)" if len(few) > 1 else ""
            sentences.append(f"{few[0]}{more}: the date of the start at the venue is used")
        return sentences

    def _wrong_days(self, days: list[str], zone: str) -> str:
        events = sum(self._starts[day].total() for day in days)
        strays = sum(len(self._strays[day]) for day in days)
        (example, _), *_ = (item for item in self._starts[days[0]].most_common() if item[0] != days[0])
        listed = f"{days[0]} to {days[-1]}" if len(days) > 1 else days[0]
        return (
            f"{strays} of the {events} events listed under {listed} start on another date at the venue, "
            f"such as {example} instead of {days[0]}; the dates of the events are used: {DAYS_CAUSE.format(zone=zone)}"
        )

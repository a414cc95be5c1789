"""Where a room is when its file does not say: in the conference's first zone, made if there is none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from events.models import Conference, Venue, Zone
from events.sync.steps import NewRow, TablePlan


class Places:
    def __init__(self, conference: Conference, plans: Mapping[str, TablePlan]) -> None:
        self.conference, self.plans = conference, plans
        self._found: Any = None

    def zone(self) -> Any:
        """A zone's primary key, or one not yet saved; an organiser moves the room later if they like."""
        if self._found is None:
            self._found = self._first_zone() or self._make_zone()
        return self._found

    def _first_zone(self) -> Any:
        known = (
            self.conference.zones.order_by("off_site", "position", "name", "pk") if self.conference.pk else Zone.objects.none()
        )
        return next((zone.pk for zone in known[:1]), None) or self._first_new("zones")

    def _make_zone(self) -> Zone:
        known = self.conference.venues.order_by("pk") if self.conference.pk else Venue.objects.none()
        venue = known.first() or self._first_new("venues") or self._planned("venues", Venue(name=self.conference.city or "Venue"))
        zone: Zone = self._planned("zones", Zone(venue=venue, name=venue.name[:100]))
        return zone

    def _first_new(self, part: str) -> Any:
        return next((it.row for it in self.plans[part].new_rows()), None)

    def _planned(self, part: str, row: Any) -> Any:
        """One more row to make; no source brings it, so it is the organisers' own."""
        row.conference = self.conference
        self.plans[part].new.append([NewRow(row, {})])
        return row

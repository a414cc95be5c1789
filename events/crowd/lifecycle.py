"""The data that crowd reports store for an agenda."""

from __future__ import annotations

from events.agenda.lifecycle import AgendaData, StoredList
from events.crowd.models import CrowdReport

# Reports are not merged: they count for a quarter of an hour, and are deleted with their agenda.
CROWD_AGENDA_DATA = AgendaData(lists=(StoredList("crowd_reports", CrowdReport, ("event__guid", "state", "at")),))

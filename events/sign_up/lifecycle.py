"""What sign-up lists store for agendas."""

from __future__ import annotations

from django.db.models import Q

from events.agenda.lifecycle import AgendaData, StoredList
from events.sign_up.models import GIVEN_UP_STATES, Seat, merge_seats, release_seats

SEAT_COLUMNS = ("sign_up__event__guid", "state", "number", "name", "joined_at", "changed_at", "promoted_at", "seen_at")

SIGN_UP_AGENDA_DATA = AgendaData(
    lists=(StoredList("places", Seat, SEAT_COLUMNS, current=~Q(state__in=GIVEN_UP_STATES)),),
    merge=merge_seats,
    release=release_seats,
)

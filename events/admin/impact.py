"""What a plan for events does to attendees, as the page shows it that stands before saving."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest

from events.admin import clash_list
from events.admin.times import span_words
from events.models import Event
from events.queries.clashes import new_clashes
from events.queries.freer_rooms import Seating
from events.queries.impact import impact_of
from events.queries.scene import PLANNED, Scene
from events.schedule.impact import Impact

CHANGES_AT_ONCE = 8
ROOMS_AT_ONCE = 5


def fingerprint(planned: Mapping[int, Event]) -> str:
    """What a page was about; another plan is looked at anew."""
    told = [f"{pk} {name} {_plain(getattr(event, name))}" for pk, event in sorted(planned.items()) for name in PLANNED]
    return hashlib.sha256("\n".join(told).encode("utf-8", "replace")).hexdigest()[:24]


def _plain(value: Any) -> str:
    return value.astimezone(dt.UTC).isoformat() if isinstance(value, dt.datetime) else str(value)


def clashes_of_plan(planned: Mapping[int, Event], request: HttpRequest) -> list[clash_list.ClashRow]:
    """Rooms and people that the plan would have in two places at once."""
    return clash_list.rows(new_clashes({event.conference for event in planned.values()}, planned), request)


def context_of(planned: Mapping[int, Event]) -> dict[str, Any] | None:
    """Context of ``admin/_impact.html``; None for a plan that touches nobody."""
    found = impact_of(planned)
    if found is None:
        return None
    changes = [(found.scene.title(pk), *_told(found.scene, pk)) for pk in found.scene.keys]
    return {
        "counts": list(_counts(found.counts, found.scene)),
        "is_small": found.counts.is_small,
        "changes": changes[:CHANGES_AT_ONCE],
        "more_changes": len(changes[CHANGES_AT_ONCE:]),
        **_rooms(found.seating),
    }


def _counts(counts: Impact, scene: Scene) -> list[tuple[str, str]]:
    """Numbers and words: first what is hard on people, then what is good for them."""
    told = [(counts.have_told, "have it in their agenda" if len(scene.keys) == 1 else "have one of these in their agenda")]
    if counts.is_small:
        return told
    if not all(event.is_cancelled for event in scene.after.values()):
        told.append((counts.told(counts.clash), "get a new clash"))
        told.append((counts.told(counts.late), "cannot walk it in time"))
    better = [(counts.freed, "lose a clash"), (counts.in_time, "no longer arrive late")]
    return told + [(counts.told(number), words) for number, words in better if number]


def _told(scene: Scene, pk: int) -> tuple[str, str]:
    """Where an event stands and where it would."""
    before, after = scene.before.get(pk), scene.after.get(pk)
    return _placed(before) if before else "hidden", _placed(after) if after else "hidden"


def _placed(event: Event) -> str:
    """Thu 24 Apr 09:00–10:00, Hall 1."""
    day = f"{event.day.date:%a} {event.day.date.day} {event.day.date:%b} " if event.day else ""
    where = [event.place, event.room.name if event.room else ""]
    status = "" if event.status == "confirmed" else event.get_status_display().lower()
    return ", ".join(filter(None, [day + span_words(event.start, event.end, event.conference.zone), *where, status]))


def _rooms(seating: Seating) -> dict[str, Any]:
    return {
        "short": seating.short[:CHANGES_AT_ONCE],
        "offers_rooms": seating.offers,
        "rooms": seating.freer[:ROOMS_AT_ONCE],
        "more_rooms": len(seating.freer[ROOMS_AT_ONCE:]),
        "room_count": len(seating.freer),
    }

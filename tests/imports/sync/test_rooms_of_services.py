"""Rooms of services are known by their numbers: a new name moves nobody."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from events.imports.formats import registry
from events.imports.formats.document import Document
from events.imports.sync.engine import sync
from events.imports.sync.report import PUBLISHING, SyncReport
from events.models import Event, Room
from tests.imports.formats.services.service_files import DATA, HINTS

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def bring_in(content: Any) -> SyncReport:
    found, schedule = registry.parse_document(Document.from_upload("some.json", json.dumps(content).encode()), HINTS)
    return sync(schedule, source=found.name, hooks=PUBLISHING)


def rename_listed(content: Any) -> None:
    content["rooms"][0]["name"] = "Hall of Fame"


def rename_grid(content: Any) -> None:
    room = content[0]["rooms"][0]
    room["name"] = "Hall of Fame"
    for session in room["sessions"]:
        session["room"] = "Hall of Fame"


@pytest.mark.parametrize(
    ("name", "rename"),
    [("sessionize/all.json", rename_listed), ("sessionize/grid_smart.json", rename_grid), ("sigchi/program.json", rename_listed)],
)
def test_renamed_room_is_the_same_room(name: str, rename: Callable[[Any], None]) -> None:
    content = json.loads((DATA / name).read_bytes())
    bring_in(content)
    # As former releases stored it.
    for room in Room.objects.all():
        Room.objects.filter(pk=room.pk).update(source_key=room.name.casefold().replace(" ", "-"))
    rooms = dict(Event.objects.values_list("pk", "room"))
    known = Room.objects.count()
    bring_in(content)

    rename(content)
    report = bring_in(content)

    assert (dict(Event.objects.values_list("pk", "room")), Room.objects.count()) == (rooms, known)
    assert Room.objects.filter(name="Hall of Fame").count() == 1
    assert (report.changed, report.cancelled) == (0, 0)


def test_renamed_room_of_pretalx_is_the_same_room() -> None:
    def content(name: str) -> dict[str, Any]:
        slot = {"start": "2025-04-24T09:00:00+02:00", "end": "2025-04-24T10:00:00+02:00", "room": {"id": 7, "name": name}}
        submission = {"code": "BEES", "title": "Bees", "state": "confirmed", "speakers": [], "slots": [slot]}
        return {"results": [submission | {"submission_type": "Talk", "track": None}], "count": 1, "next": None}

    bring_in(content("Great hall"))
    room = Event.objects.get().room

    bring_in(content("Hall of Fame"))

    assert Event.objects.get().room == room
    assert [room.name for room in Room.objects.all()] == ["Hall of Fame"]

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


def bring_in(name: str, content: Any) -> SyncReport:
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
    bring_in(name, content)
    # As former releases stored it.
    for room in Room.objects.all():
        Room.objects.filter(pk=room.pk).update(source_key=room.name.casefold().replace(" ", "-"))
    rooms = dict(Event.objects.values_list("pk", "room"))
    known = Room.objects.count()
    bring_in(name, content)

    rename(content)
    report = bring_in(name, content)

    assert (dict(Event.objects.values_list("pk", "room")), Room.objects.count()) == (rooms, known)
    assert Room.objects.filter(name="Hall of Fame").count() == 1
    assert (report.changed, report.cancelled) == (0, 0)

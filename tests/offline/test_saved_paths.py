"""Which addresses the service worker saves, and after which it deletes everything: its patterns against every address."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from events.offline import worker
from tests.security.addresses import address, names, patterns
from tests.security.world import World

pytestmark = pytest.mark.django_db
SOURCE = (Path(worker.__file__).parent / "worker.js").read_text()
SAVED = {
    "events:conference-detail",
    "events:about",
    "events:info-page",
    "events:sponsor-list",
    "events:announcement-list",
    "events:change-list",
    "events:agenda-detail",
    "events:invited-talk-list",
    "events:social-list",
    "events:award-list",
    "events:service-list",
    "events:offline",
    "events:schedule-day",
    "events:event-detail",
    "events:person-list",
    "events:person-detail",
    "events:paper-list",
    "events:paper-detail",
    "events:topic-list",
    "events:topic-detail",
    "events:venue",
    "events:directions",
}


@pytest.fixture
def world() -> World:
    return World()


def pattern(name: str) -> re.Pattern[str]:
    """A constant of the worker, in Python's way of writing."""
    guid = re.search(r'const GUID = "(.+)";', SOURCE)
    assert guid
    if literal := re.search(rf"const {name} = /(.+)/;", SOURCE):
        return re.compile(literal[1].replace(r"\/", "/"))
    text = re.search(rf"const {name} = new RegExp\(`(.+?)`\);", SOURCE, re.DOTALL)
    assert text
    return re.compile(text[1].replace("\\\n", "").replace("${GUID}", guid[1]).replace("\\\\", "\\"))


def test_worker_saves_these_pages_and_no_others(world: World) -> None:
    saved = pattern("SAVED")

    found = {name for name in names() if saved.search(address(name, world))}

    assert found == SAVED


def test_worker_deletes_everything_where_the_server_asks_for_it(world: World) -> None:
    new_owner = pattern("NEW_OWNER")
    asks = {name for name in names() if clears_storage(patterns()[name].pattern.callback)}

    found = {name for name in names() if new_owner.search(address(name, world))}

    assert found == asks
    assert found == {
        *(
            "events:account-code",
            "events:sign-out",
            "events:account-delete",
            "events:forget-me",
            "events:take",
            "events:take-code",
        ),
        "events:shared-copy",
    }


def clears_storage(view: Any) -> bool:
    return bool(getattr(view, "clears_storage", False))


def test_worker_takes_bookmarks_and_no_other_action(world: World) -> None:
    bookmark = pattern("BOOKMARK")

    assert {name for name in names() if bookmark.search(address(name, world))} == {"events:bookmark-set"}

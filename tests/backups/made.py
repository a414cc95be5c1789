"""A site with rows and a backup of it, and what can be wrong with a backup."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from events.backups.files import mark_of, progress_bar
from tests.backups.checkouts import Checkout
from tests.migrated import MIGRATED_DATABASE

ROWS = """
from django.core.files.base import ContentFile
from events.models import Letter
from tests.factories import make_agenda, make_conference, make_event, make_person
conference = make_conference(slug="demo")
event = make_event(conference, title="Opening", start="09:00", end="10:00")
agenda, token = make_agenda(conference, event)
person = make_person(conference, photo_alt="Ada, writing.")
person.photo.save("ada.webp", ContentFile(b"pixels"))
Letter.objects.create(to="ada@example.org", subject="A seat for you", text="...")
print(token, agenda.feed_token, conference.revision, event.sequence)
"""


class Made:
    """A site with rows, and a folder with one backup of it."""

    def __init__(self, folder: Path) -> None:
        self.site = Checkout.make(folder / "site")
        self.site.var.mkdir(mode=0o700)
        MIGRATED_DATABASE.copy_to(self.site.var / "hallway.sqlite3")
        self.token, self.feed, self.revision, self.sequence = self.site.shell(ROWS).split()[-4:]
        self.backups = folder / "backups"
        self.backups.mkdir(mode=0o700)
        self.output = self.site.manage("backup", str(self.backups))

    @property
    def backup(self) -> Path:
        (found,) = self.backups.glob("hallway-*")
        return found


def damage_database(backup: Path) -> None:
    content = bytearray((backup / "database.sqlite3").read_bytes())
    content[len(content) // 2] ^= 1
    (backup / "database.sqlite3").write_bytes(content)


def change_manifest(**values: Any) -> Callable[[Path], None]:
    def change(backup: Path) -> None:
        file = backup / "manifest.json"
        file.write_text(json.dumps(json.loads(file.read_text()) | values))

    return change


def cut_manifest(backup: Path) -> None:
    file = backup / "manifest.json"
    file.write_text(file.read_text()[:200])


def break_index(backup: Path) -> None:
    """With the right checksum: as a database was that had been damaged before the backup."""
    file = backup / "database.sqlite3"
    content = bytearray(file.read_bytes())
    content[4096:8192] = bytes(4096)
    file.write_bytes(content)
    with progress_bar("", None) as bar:
        values = json.loads((backup / "manifest.json").read_text())["files"]
        change_manifest(files=values | {file.name: mark_of(file, bar)._asdict()})(backup)

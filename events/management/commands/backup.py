"""Back up the database, the photos and the key into a new folder, while the site serves."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from events.backups.files import BackupError
from events.backups.making import delete_older, make_backup
from events.core.db.readiness import unusable_database
from events.doctor.models import CommandRun


class Command(BaseCommand):
    help = "Write a backup of the whole site into a new folder in DIR, named by the time; the site may serve meanwhile."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("dir", type=Path, metavar="DIR", help="an existing folder, better on another disk")
        parser.add_argument("--keep", type=int, metavar="N", help="delete all but the newest N backups in DIR afterwards")

    def handle(self, *args: Any, **options: Any) -> None:
        parent, keep = options["dir"].resolve(), options["keep"]
        if keep is not None and keep < 1:
            raise CommandError(f"--keep {keep}: keep at least 1 backup.")
        try:
            folder, manifest = make_backup(parent)
        except BackupError as error:
            raise CommandError(str(error)) from error
        except DatabaseError as error:
            raise CommandError(unusable_database(error)) from error
        size = sum(mark.size for mark in manifest.files.values())
        self.stdout.write(f"{folder}: {len(manifest.files)} files, {size / 1e6:.1f} MB.")
        self._record()
        if keep:
            self._delete_older(parent, keep)

    def _delete_older(self, parent: Path, keep: int) -> None:
        try:
            deleted = delete_older(parent, keep)
        except BackupError as error:
            raise CommandError(f"The backup is made, but an older one cannot be deleted. {error}") from error
        for old in deleted:
            self.stdout.write(f"Deleted {old.name}.")

    def _record(self) -> None:
        try:
            CommandRun.objects.record("backup")
        except DatabaseError as error:
            # Before the migrations of a new version, or while nothing can be written: the backup is whole all the same.
            self.stderr.write(f"That a backup was made is not on record for manage.py doctor: {error}.")

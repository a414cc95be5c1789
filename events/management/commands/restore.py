"""Restore a backup, while the service is stopped."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from events.agenda.models.agenda import Agenda
from events.backups.checking import check_backup
from events.backups.files import BackupError
from events.backups.manifest import applied_migrations
from events.backups.restoring import Backup, find_backup, restore_backup
from events.core.db.readiness import unusable_database
from events.programme.models.conference import Conference


class Command(BaseCommand):
    help = (
        "Restore the backup in DIR, or the newest of several: the service must be stopped. The database is then migrated, and "
        "calendars and caches fetch everything again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("dir", type=Path, metavar="DIR", help="the folder of a backup, or one that has backups")
        way = parser.add_mutually_exclusive_group()
        way.add_argument("--replace", action="store_true", help="replace a database that is not empty")
        way.add_argument(
            "--check",
            action="store_true",
            help="change nothing: say what the backup is, and whether it is whole, also while the service runs or on a machine "
            "without a site",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            backup = find_backup(options["dir"].resolve())
            if options["check"]:
                self.stdout.write(f"Checking {backup.folder}")
                self.stdout.write("\n".join(check_backup(backup)))
                return
            self.stdout.write(f"Restoring {backup.folder}")
            restore_backup(backup, replace=options["replace"])
        except BackupError as error:
            raise CommandError(str(error)) from error
        except DatabaseError as error:
            raise CommandError(unusable_database(error)) from error
        try:
            self._bring_up_to_date(backup)
        except (DatabaseError, CommandError) as error:
            raise CommandError(
                f"The backup is restored, but not brought up to date: {error}. Remove the cause, then run manage.py migrate "
                "and manage.py after_restore before the service starts."
            ) from error
        self._report(backup)

    def _bring_up_to_date(self, backup: Backup) -> None:
        call_command("migrate", verbosity=0, interactive=False, stdout=self.stdout)
        if count := len(applied_migrations() - backup.manifest.migrations):
            self.stdout.write(f"Migrations applied since the backup: {count}.")
        call_command("after_restore", stdout=self.stdout)

    def _report(self, backup: Backup) -> None:
        counts = f"conferences: {Conference.objects.count()}, agendas: {Agenda.objects.count()}, photos: {len(backup.photos)}"
        self.stdout.write(f"Restored as of {backup.made}; {counts}.")
        if backup.has_other_key:
            self.stdout.write(
                "SECRET_KEY is not that of the backup: agendas, calendars and links work, but pages cannot show their addresses "
                "again, and organisers must set up their second factor anew. Put the former key into SECRET_KEY_FALLBACKS."
            )

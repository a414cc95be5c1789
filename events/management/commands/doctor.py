"""Look at settings, services and the machine, and name a remedy for each thing that is wrong."""

from __future__ import annotations

import functools
import sys
from argparse import ArgumentParser
from collections.abc import Callable
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.core.validators import validate_email

from events.core.db.readiness import FAULTS_PAGE, database_problems, disk_problems, folder_problems, photo_problems
from events.doctor import checks, public_address, services
from events.doctor.models import CommandRun

CHECKS_WITHOUT_DATABASE: dict[str, Callable[[], list[str]]] = {
    "settings": checks.settings_problems,
    "disk": disk_problems,
    "folders": functools.partial(folder_problems, *checks.FOLDER_SETTINGS),
    "static files": services.static_problems,
    "cache": services.cache_problems,
    "mail server": services.mail_problems,
    "public address": public_address.address_problems,
}
CHECKS_IN_DATABASE: dict[str, Callable[[], list[str]]] = {
    "path of the admin": checks.admin_path_problems,
    "photos": photo_problems,
    "clock": services.clock_problems,
    "commands that run by themselves": checks.periodic_problems,
    "outbox": checks.letter_problems,
}


class Command(BaseCommand):
    help = "Look at settings, database, cache, mail, proxy, clock, disk and timers. Exit code: 1 if something is wrong, else 0."
    # They are the first thing that it looks at.
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--mail", metavar="ADDRESS", help="send a test letter to this address, too")
        parser.add_argument(
            "--ran",
            choices=sorted(command.name for command in checks.PERIODIC_COMMANDS),
            help="look at nothing: record that another program has just done the work of this command, such as a backup",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["ran"]:
            CommandRun.objects.record(options["ran"])
            return
        address = options["mail"]
        if address:
            _refuse_bad_address(address)
        wrong = sum(self.show(name, check()) for name, check in CHECKS_WITHOUT_DATABASE.items())
        in_database = database_problems(with_reason=True)
        wrong += self.show("database and migrations", [f"{problem} {FAULTS_PAGE}" for problem in in_database])
        if not in_database:
            wrong += sum(self.show(name, check()) for name, check in CHECKS_IN_DATABASE.items())
        if address:
            wrong += self.show(f"letter to {address}", services.send_test_letter(address))
        if wrong:
            self.stdout.write(f"{wrong} thing{' is' if wrong == 1 else 's are'} wrong.")
            sys.exit(1)

    def show(self, name: str, problems: list[str]) -> int:
        """Write one line for each problem, or that there is none, and return their number."""
        for problem in problems:
            self.stdout.write(f"WRONG  {name}: {problem}")
        if not problems:
            self.stdout.write(f"good   {name}")
        return len(problems)


def _refuse_bad_address(address: str) -> None:
    try:
        validate_email(address)
    except ValidationError:
        raise CommandError(f"“{address}” is not a mail address: write it as name@example.org.") from None

"""Send what is in the outbox."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from events.mail.postman import deliver, tidy
from events.models import CrowdReport, Question

PAUSE = 10.0


class Command(BaseCommand):
    help = "Send the letters that are due, and throw away what nobody waits for any more."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--watch", action="store_true", help="go on, looking every ten seconds")

    def handle(self, *args: Any, **options: Any) -> None:
        tidy()
        # For who lets only this one run from cron.
        Question.objects.erase_overdue(timezone.now())
        CrowdReport.objects.too_old(timezone.now()).delete()
        sent = deliver()
        while options["watch"]:
            time.sleep(PAUSE)
            sent = deliver()
        self.stdout.write(f"{sent} letter{'' if sent == 1 else 's'} sent.")

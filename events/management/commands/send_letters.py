"""Send the mail in the outbox, and delete expired rows."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from events.accounts.alerts import send_alerts
from events.admin.notices import send_notices
from events.crowd.models import CrowdReport
from events.doctor.models import CommandRun
from events.mail.outbox import delete_expired_sessions, deliver
from events.polls.models import Poll
from events.questions.models import Question

POLL_SECONDS, CLEANUP_SECONDS = 10.0, 3600.0


class Command(BaseCommand):
    help = "Send the mail that is due, and delete what has expired."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--watch", action="store_true", help="continue, every ten seconds")

    def handle(self, *args: Any, **options: Any) -> None:
        clean_up()
        write_due()
        sent = deliver()
        cleaned_at = time.monotonic()
        while options["watch"]:
            time.sleep(POLL_SECONDS)
            if time.monotonic() - cleaned_at >= CLEANUP_SECONDS:
                clean_up()
                cleaned_at = time.monotonic()
            write_due()
            sent = deliver()
        self.stdout.write(f"{sent} letter{'' if sent == 1 else 's'} sent.")


def write_due() -> None:
    """What a process left that ended between its change and the letters about it, and what waited for its hour."""
    send_alerts(timezone.now())
    send_notices(timezone.now())


def clean_up() -> None:
    """Delete sessions, names of old questions and crowd reports, also on sites without other daily commands."""
    delete_expired_sessions()
    Question.objects.erase_overdue(timezone.now())
    Poll.objects.erase_overdue(timezone.now())
    CrowdReport.objects.too_old(timezone.now()).delete()
    CommandRun.objects.record("send_letters")

"""Delete rejected proposals and senders' mail addresses after a conference."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from events.doctor.models import CommandRun
from events.proposals.models import Proposal


class Command(BaseCommand):
    help = "Thirty days after a conference: delete declined and withdrawn proposals, and the mail addresses of all senders."

    def handle(self, *args: Any, **options: Any) -> None:
        deleted, emptied = Proposal.objects.erase_overdue(timezone.now().date())
        CommandRun.objects.record("forget_proposals")
        proposals = f"{deleted} proposal{'' if deleted == 1 else 's'}"
        self.stdout.write(f"{proposals} deleted, {emptied} mail address{'' if emptied == 1 else 'es'} deleted.")

"""Forget who asked and who voted, a week after a conference."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from events.models import Question


class Command(BaseCommand):
    help = "Erase names and votes of questions a week after their conference is over; once a day, from cron."

    def handle(self, *args: Any, **options: Any) -> None:
        erased = Question.objects.erase_overdue(timezone.now())
        self.stdout.write(f"{erased} question{'' if erased == 1 else 's'} without a name now.")

"""Erase the names and votes of questions and the votes of polls, a week after a conference."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from events.doctor.models import CommandRun
from events.polls.models import Poll
from events.questions.models import Question


class Command(BaseCommand):
    help = "Erase names and votes of questions, and votes of polls, a week after their conference is over; once a day, from cron."

    def handle(self, *args: Any, **options: Any) -> None:
        erased = Question.objects.erase_overdue(timezone.now())
        polls = Poll.objects.erase_overdue(timezone.now())
        CommandRun.objects.record("erase_questions")
        self.stdout.write(f"Names and votes of {erased} question{'' if erased == 1 else 's'} erased.")
        if polls:
            self.stdout.write(f"Votes of {polls} poll{'' if polls == 1 else 's'} erased.")

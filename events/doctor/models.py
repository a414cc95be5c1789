"""When each command that runs by itself last ended well."""

from __future__ import annotations

from django.db import models
from django.utils import timezone


class CommandRunQuerySet(models.QuerySet["CommandRun"]):
    def record(self, command: str) -> None:
        """One statement, because two machines may end the same command at once."""
        run = CommandRun(command=command, ended_at=timezone.now())
        self.bulk_create([run], update_conflicts=True, unique_fields=["command"], update_fields=["ended_at"])


class CommandRun(models.Model):
    """The last run of a command on any machine of the site: which one ran it does not matter."""

    command = models.CharField(max_length=60, unique=True)
    ended_at = models.DateTimeField()

    objects = CommandRunQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.command} ended {self.ended_at:%Y-%m-%d %H:%M}"

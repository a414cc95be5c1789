"""What is stored when a command that runs by itself ends well."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
import time_machine
from django.core.management import call_command

from events.models import CommandRun, Proposal

pytestmark = pytest.mark.django_db
NOON = dt.datetime(2025, 4, 24, 12, tzinfo=dt.UTC)


@pytest.mark.parametrize("command", ["send_letters", "send_digests", "erase_questions", "forget_proposals", "follow_sources"])
def test_command_records_its_last_run_alone(command: str) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        call_command(command)
        clock.shift(dt.timedelta(days=1))
        call_command(command)

    assert list(CommandRun.objects.values_list("command", "ended_at")) == [(command, NOON + dt.timedelta(days=1))]


def test_command_that_fails_is_not_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr(Proposal.objects, "erase_overdue", fail)

    with pytest.raises(RuntimeError):
        call_command("forget_proposals")

    assert list(CommandRun.objects.all()) == []

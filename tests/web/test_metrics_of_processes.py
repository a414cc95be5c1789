"""The figures of several processes: those that have ended stay counted, in one file of each kind."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.processes import PROJECT

COUNTING = """
import django; django.setup()
from events.web.metrics import PAGES, REQUEST_SECONDS, REQUESTS, join_ended_processes, request_metrics
REQUESTS.labels("events:home", "200").inc()
REQUEST_SECONDS.labels("events:home").observe(0.01)
"""
JOINING = f"{COUNTING}\njoin_ended_processes()\njoin_ended_processes()\nprint(request_metrics().decode())"


def counting(folder: Path, code: str) -> str:
    environment = {"PATH": os.environ["PATH"], "DJANGO_SETTINGS_MODULE": "conference.settings"}
    environment |= {"PROMETHEUS_MULTIPROC_DIR": str(folder), "SECRET_KEY": "k" * 50}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=PROJECT, env=environment, check=True, capture_output=True, text=True).stdout


def test_counts_of_ended_processes_stay_in_one_file_of_each_kind(tmp_path: Path) -> None:
    for _ in range(2):
        counting(tmp_path, COUNTING)
    before = [path.name for path in tmp_path.glob("*.db")]

    text = counting(tmp_path, JOINING)

    after = sorted(path.name.partition("_")[2] for path in tmp_path.glob("*.db"))
    assert len(before) == 4
    assert (len(after), after[2:]) == (4, ["ended.db", "ended.db"])
    assert 'hallway_requests_total{status="200",view="events:home"} 3.0' in text
    assert 'hallway_request_seconds_bucket{le="0.025",view="events:home"} 3.0' in text
    assert 'hallway_request_seconds_bucket{le="0.005",view="events:home"} 0.0' in text

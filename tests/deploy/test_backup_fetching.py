"""The lines of docs/backups.md by which another machine fetches backups, with a stand-in for ssh that runs the forced command."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.deploy.processes import skip
from tests.processes import PROJECT

pytestmark = pytest.mark.deploy
TEXT = (PROJECT / "docs/backups.md").read_text()
FORCED_COMMAND = re.compile(r'^# echo \'restrict,command="([^"]+)" ssh-ed25519 AAAA\' >> ~/\.ssh/authorized_keys$', re.MULTILINE)
FETCH = re.compile(r"^\$ (rsync .*)$", re.MULTILINE)
# As sshd does: what the client asked for is a variable for the forced command.
SSH = """#!/bin/sh
test "$*" = "-i $HOME/.ssh/hallway-backups -l root schedule.example.org ${*#*schedule.example.org }" || exit 9
SSH_ORIGINAL_COMMAND="${*#*schedule.example.org }" exec FORCED
"""


def test_documented_key_reads_backups_and_writes_nothing(tmp_path: Path) -> None:
    if not (shutil.which("rsync") and shutil.which("rrsync")):
        skip("rsync is not installed: apt install rsync")
    backups, copies = tmp_path / "backups", tmp_path / "copies"
    for name in ("hallway-2026-11-24T021500Z", ".unfinished-1"):
        (backups / name).mkdir(parents=True)
        (backups / name / "manifest.json").write_text(name)
    copies.mkdir()
    (forced,), (fetch,) = FORCED_COMMAND.findall(TEXT), FETCH.findall(TEXT)
    (tmp_path / "ssh").write_text(SSH.replace("FORCED", forced.replace("/var/backups/hallway", str(backups))))
    (tmp_path / "ssh").chmod(0o755)

    def run(command: str) -> int:
        environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "HOME": "/home/ada"}
        return subprocess.run(command, shell=True, env=environment, capture_output=True, check=False).returncode

    fetched = run(fetch.replace("/srv/backups/hallway/", f"{copies}/"))
    (copies / "other").touch()
    sent = run(re.sub(r"(root@\S+:) .*", rf"{copies}/other \1", fetch))

    found = sorted(str(path.relative_to(copies)) for path in copies.rglob("*.json"))
    assert (fetched, found) == (0, ["hallway-2026-11-24T021500Z/manifest.json"])
    assert (sent == 0, (backups / "other").exists()) == (False, False)

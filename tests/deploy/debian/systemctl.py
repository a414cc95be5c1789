#!/usr/bin/python3
"""Stands for systemctl where systemd cannot run: reads the units that are installed, and starts their commands as systemd would.

Each command of a unit runs as its user, with its settings, umask, folder and capabilities. Not done: its sandbox, its timers, and
starting again what has ended. `systemd-analyze` checks those (tests/deploy/test_units.py).
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

FOLDERS = [Path("/etc/systemd/system"), Path("/lib/systemd/system")]
STATE = Path("/run/units")
PARTS_SECONDS = re.compile(r"(\d+)(s|min|h)?")
SETTING = re.compile(r"(\w+)=(.*)")


class Unit:
    def __init__(self, name: str) -> None:
        self.name = name if "." in name else f"{name}.service"
        template = re.sub(r"@[^.]+", "@", self.name)
        file = next((path for folder in FOLDERS if (path := folder / template).exists()), None)
        if file is None:
            sys.exit(f"Unit {self.name} not found.")
        instance = re.search(r"@([^.]+)", self.name)
        text = file.read_text().replace("%i", instance[1] if instance else "")
        self.lines = [line.partition("=")[::2] for line in text.splitlines() if "=" in line and not line.startswith("#")]

    def all(self, name: str) -> list[str]:
        return [value for key, value in self.lines if key == name]

    def get(self, name: str, default: str = "") -> str:
        return next(iter(self.all(name)), default)

    @property
    def pid_file(self) -> Path:
        return STATE / self.name

    @property
    def pid(self) -> int:
        """The main process, or 0 if it does not run."""
        pid = int(self.pid_file.read_text()) if self.pid_file.exists() else 0
        return pid if pid and is_alive(pid) else 0

    def environment(self) -> dict[str, str]:
        found = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"}
        if user := self.get("User"):
            found |= {"HOME": home_of(user), "USER": user}
        for file in self.all("EnvironmentFile"):
            matches = (SETTING.fullmatch(line) for line in Path(file).read_text().splitlines())
            found |= {match[1]: match[2].strip("\"'") for match in matches if match}
        return found

    def command(self, line: str) -> list[str]:
        options = ["--no-new-privs"] if self.get("NoNewPrivileges") == "true" else []
        if user := self.get("User"):
            options += [f"--reuid={user}", f"--regid={self.get('Group') or user}", "--init-groups"]
        for name in self.get("AmbientCapabilities").split():
            capability = name.removeprefix("CAP_").lower()
            options += [f"--inh-caps=+{capability}", f"--ambient-caps=+{capability}"]
        return ["setpriv", *options, *shlex.split(line)] if options else shlex.split(line)

    def begin(self, line: str, **more: str) -> subprocess.Popen[bytes]:
        with (STATE / f"{self.name}.log").open("ab") as log:
            return subprocess.Popen(
                self.command(line),
                cwd=self.get("WorkingDirectory", "/"),
                env=self.environment() | more,
                umask=int(self.get("UMask", "0022"), 8),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def run(self, line: str, **more: str) -> None:
        if status := self.begin(line, **more).wait():
            sys.exit(f"{self.name}: {line} ended with {status}.\n{(STATE / f'{self.name}.log').read_text()[-3000:]}")

    def start(self) -> None:
        if self.name.endswith(".timer"):
            # Its service is what it starts.
            Unit(self.get("Unit") or self.name.replace(".timer", ".service"))
        elif not self.pid:
            for line in self.all("ExecStartPre"):
                self.run(line)
            if self.get("Type") == "oneshot":
                self.run(self.get("ExecStart"))
                return
            self.pid_file.write_text(str(self.begin(self.get("ExecStart")).pid))
        for name in links(self.name):
            Unit(name).start()

    def stop(self) -> None:
        for other in with_part_of(self.name):
            other.stop()
        if not (pid := self.pid):
            return
        os.kill(pid, signal.SIGTERM)
        ended = time.monotonic() + seconds(self.get("TimeoutStopSec", "90s"))
        while is_alive(pid) and time.monotonic() < ended:
            time.sleep(0.05)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)

    def reload(self) -> None:
        if not (pid := self.pid):
            sys.exit(f"{self.name} is not active, cannot reload.")
        self.run(self.get("ExecReload"), MAINPID=str(pid))

    def enable(self) -> None:
        for wanted_by in self.get("WantedBy").split():
            folder = FOLDERS[0] / f"{wanted_by}.wants"
            folder.mkdir(exist_ok=True)
            (folder / self.name).touch()


def links(name: str) -> list[str]:
    folder = FOLDERS[0] / f"{name}.wants"
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def with_part_of(name: str) -> list[Unit]:
    running = [Unit(path.name) for path in STATE.iterdir() if path.suffix == ".service"]
    return [unit for unit in running if name in unit.get("PartOf").split()]


def home_of(user: str) -> str:
    return next(line.split(":")[5] for line in Path("/etc/passwd").read_text().splitlines() if line.startswith(f"{user}:"))


def is_alive(pid: int) -> bool:
    """Whether it runs; one that has ended and was not waited for does not."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def seconds(text: str) -> int:
    found = PARTS_SECONDS.fullmatch(text)
    return int(found[1]) * {"min": 60, "h": 3600}.get(found[2], 1) if found else 90


def main(verb: str, *arguments: str) -> None:
    STATE.mkdir(exist_ok=True)
    units = [Unit(name) for name in arguments if not name.startswith("-")]
    if verb not in {"daemon-reload", "enable", "start", "stop", "restart", "reload"}:
        sys.exit(f"Unknown command verb {verb}.")
    for unit in units:
        if verb == "enable":
            unit.enable()
        if verb in {"stop", "restart"}:
            unit.stop()
        if verb in {"start", "restart"} or (verb == "enable" and "--now" in arguments):
            unit.start()
        if verb == "reload":
            unit.reload()


if __name__ == "__main__":
    main(*sys.argv[1:])

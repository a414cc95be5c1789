"""The units of ``deploy/``: valid, as hardened as the server's, and of commands that there are."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from events.doctor.checks import PERIODIC_COMMANDS, PeriodicCommand
from tests.processes import PROJECT

DEPLOY = PROJECT / "deploy"
UNITS = sorted([*DEPLOY.glob("*.service"), *DEPLOY.glob("*.timer")])
SERVICES = [unit for unit in UNITS if unit.suffix == ".service"]
TIMERS = [unit for unit in UNITS if unit.suffix == ".timer"]
COMMANDS = PROJECT / "events/management/commands"
INSTANCES = {
    "hallway-daily@": ["erase_questions", "forget_proposals", "follow_sources", "send_digests"],
    "hallway-check@": ["iclr-2025"],
}
# systemd's scale from 0, closed, to 100, open.
MAX_EXPOSURE = 20
needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None and not os.environ.get("STRICT"),
    reason="systemd-analyze is missing: apt install systemd",
)


def lines(unit: Path) -> list[str]:
    return [line for line in unit.read_text().splitlines() if "=" in line and not line.startswith("#")]


def value(unit: Path, name: str) -> str:
    return next((line.partition("=")[2] for line in lines(unit) if line.startswith(f"{name}=")), "")


def unit_file(unit: str) -> Path:
    """An instance is made from its template: ``a@b.timer`` from ``a@.timer``."""
    return DEPLOY / re.sub(r"@[^.]+", "@", unit)


def command_of(unit: str) -> str:
    """What the unit, or the service of this timer, runs by manage.py."""
    file, instance = unit_file(unit), re.search(r"@([^.]+)", unit)
    if file.suffix == ".timer":
        return command_of(value(file, "Unit") or unit.replace(".timer", ".service"))
    found = re.search(r"manage\.py (\S+)", value(file, "ExecStart"))
    assert found is not None, file
    return found[1].replace("%i", instance[1] if instance else "")


@pytest.fixture
def installed(tmp_path: Path) -> list[Path]:
    """As in /etc/systemd/system, for this checkout and a user that there is, with each instance that the documentation names."""
    files = []
    for unit in UNITS:
        text = unit.read_text().replace("/srv/hallway", str(PROJECT)).replace("User=hallway", "User=root")
        for name in [unit.stem + instance + unit.suffix for instance in INSTANCES.get(unit.stem, [""])]:
            files.append(tmp_path / name)
            files[-1].write_text(text)
    return files


@needs_systemd
def test_units_are_valid(installed: list[Path]) -> None:
    done = subprocess.run(
        ["systemd-analyze", "verify", *map(str, installed)], capture_output=True, text=True, check=False, timeout=60
    )

    assert (done.returncode, [line for line in done.stderr.splitlines() if "hallway" in line]) == (0, [])


@needs_systemd
def test_services_are_closed_to_what_they_do_not_need(installed: list[Path]) -> None:
    command = ["systemd-analyze", "security", "--offline=true", f"--threshold={MAX_EXPOSURE}", "--no-pager"]
    # An offline check counts the user root as exposure, whatever the machine.
    exposed = {}
    for file in installed:
        if file.suffix == ".service":
            file.write_text(file.read_text().replace("User=root", "User=hallway"))
            done = subprocess.run([*command, str(file)], capture_output=True, text=True, check=False, timeout=60)
            exposed[file.name] = done.returncode

    assert exposed == dict.fromkeys(exposed, 0)
    assert len(exposed) >= len(SERVICES)


def test_services_share_user_settings_and_sandbox() -> None:
    def shared(unit: Path) -> list[str]:
        own = (
            "Description",
            "After",
            "PartOf",
            "Type",
            "Exec",
            "ReadWritePaths",
            "Restart",
            "Timeout",
            "Kill",
            "WantedBy",
            "StartLimit",
        )
        return [line for line in lines(unit) if not line.startswith(own)]

    assert {unit.name: shared(unit) for unit in SERVICES} == dict.fromkeys(
        (unit.name for unit in SERVICES), shared(DEPLOY / "hallway.service")
    )
    assert "UMask=0077" in shared(DEPLOY / "hallway.service")


@pytest.mark.parametrize("unit", [unit for unit in SERVICES if unit.name != "hallway.service"], ids=lambda unit: unit.name)
def test_commands_write_to_var_alone(unit: Path) -> None:
    folders = value(unit, "ReadWritePaths").split()

    assert folders == ["-/srv/hallway/var", *(["/var/backups/hallway"] if "backup" in unit.name else [])]


@needs_systemd
@pytest.mark.parametrize("timer", TIMERS, ids=lambda timer: timer.name)
def test_timers_have_a_time_and_a_service(timer: Path) -> None:
    time = value(timer, "OnCalendar")

    done = subprocess.run(["systemd-analyze", "calendar", time], capture_output=True, text=True, check=False, timeout=60)

    assert (done.returncode, done.stderr) == (0, "")
    assert unit_file(value(timer, "Unit") or timer.name.replace(".timer", ".service")).exists()


@pytest.mark.parametrize("command", PERIODIC_COMMANDS, ids=lambda command: command.name)
def test_unit_that_doctor_names_runs_the_command(command: PeriodicCommand) -> None:
    assert command_of(command.unit) == command.name


@pytest.mark.parametrize("command", [it.name for it in PERIODIC_COMMANDS])
def test_commands_of_units_exist(command: str) -> None:
    assert (COMMANDS / f"{command}.py").exists()


def test_documentation_installs_all_units_and_enables_what_doctor_expects() -> None:
    text = (PROJECT / "docs/operations.md").read_text()
    enabled = set(re.findall(r"^# systemctl enable --now (.+)$", text, re.MULTILINE))

    names = {name if "." in name else f"{name}.service" for line in enabled for name in line.split()}

    assert names == {"hallway.service"} | {command.unit for command in PERIODIC_COMMANDS}
    assert "# install -m 0644 deploy/*.service deploy/*.timer /etc/systemd/system/\n" in text
    assert "`hallway-check@SLUG.timer`" in text

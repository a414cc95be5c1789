"""``deploy/serve`` refuses to share a port: granian would, and requests would reach either of two servers."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.processes import PROJECT

UNIT = PROJECT / "deploy/hallway.service"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A project whose granian only prints how it was started."""
    (tmp_path / "deploy").mkdir()
    (tmp_path / ".venv/bin").mkdir(parents=True)
    shutil.copy(PROJECT / "deploy/serve", tmp_path / "deploy/serve")
    (tmp_path / ".venv/bin/python").symlink_to(sys.executable)
    granian = tmp_path / ".venv/bin/granian"
    granian.write_text('#!/bin/sh\necho "$* umask $(umask)"\n')
    granian.chmod(0o755)
    return tmp_path


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0), reuse_port=True) as server:
        yield server


def serve(checkout: Path, **environment: str) -> tuple[int, str, str]:
    command, plain = [str(checkout / "deploy/serve")], {"PATH": "/usr/bin:/bin"}
    done = subprocess.run(command, env=plain | environment, umask=0o022, capture_output=True, text=True, check=False, timeout=30)
    return done.returncode, done.stdout, done.stderr


def free_port() -> str:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return str(server.getsockname()[1])


def test_server_starts_with_its_options_for_this_user_alone(checkout: Path) -> None:
    port = free_port()

    status, written, problem = serve(checkout, PORT=port, WORKERS="3")

    assert (status, problem) == (0, "")
    assert written.startswith(f"Hallway is on http://127.0.0.1:{port}/ (Ctrl+C stops it)\nconference.wsgi:application ")
    options = re.findall(r"--(?:port|workers|blocking-threads|http|backpressure) (\S+)", written)
    assert options == [port, "3", "2", "1024", "1"]
    assert written.endswith("umask 0077\n")


def test_processes_share_their_figures_in_an_empty_folder_for_this_user_alone(checkout: Path) -> None:
    granian = checkout / ".venv/bin/granian"
    granian.write_text('#!/bin/sh\nls -la "$PROMETHEUS_MULTIPROC_DIR"\necho "in $PROMETHEUS_MULTIPROC_DIR"\n')
    port = free_port()

    _, written, _ = serve(checkout, PORT=port, METRICS_TOKEN="t" * 20)
    folder = Path(written.split()[-1])
    (folder / "counter_1.db").touch()
    status, again, problem = serve(checkout, PORT=port, METRICS_TOKEN="t" * 20)
    mode = stat.S_IMODE(folder.stat().st_mode)
    folder.rmdir()

    assert (status, problem, folder.name) == (0, "", f"hallway-metrics-{os.getuid()}-{port}")
    assert (mode, "counter_1.db" in again) == (0o700, False)
    assert serve(checkout, PORT=port)[1].endswith("\nin \n")


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_port_that_is_taken_is_named(checkout: Path, listener: socket.socket, host: str) -> None:
    port = str(listener.getsockname()[1])

    assert serve(checkout, HOST=host, PORT=port) == (1, "", f"Something listens on port {port} already: make run PORT=8001\n")


def test_second_start_before_the_first_one_listens_is_named(checkout: Path) -> None:
    port = free_port()
    (checkout / "var").mkdir()
    with (checkout / f"var/serve-{port}.lock").open("w") as first:
        fcntl.flock(first, fcntl.LOCK_EX)

        refused = serve(checkout, PORT=port)

    message = f"Another server is starting or running on port {port} already: make run PORT=8001\n"
    assert refused == (1, "", message)
    assert serve(checkout, PORT=port)[0] == 0


@pytest.mark.parametrize(
    ("environment", "message"),
    [
        pytest.param({"PORT": "http"}, "PORT is “http”: choose a number from 1 to 65535", id="word"),
        pytest.param({"WORKERS": "abc"}, "WORKERS is “abc”: choose a number from 1 to 999, such as 2", id="workers"),
        pytest.param({"WORKERS": "0"}, "WORKERS is “0”: choose a number from 1 to 999, such as 2", id="no-worker"),
        pytest.param({"PORT": "65536"}, "PORT is “65536”: choose a number from 1 to 65535", id="too-large"),
        pytest.param(
            {"PORT": "8199", "HOST": "203.0.113.1"},
            "The server cannot listen on HOST=203.0.113.1 and PORT=8199: Cannot assign requested address",
            id="address-of-another-machine",
        ),
    ],
)
def test_address_that_cannot_be_had_is_named(checkout: Path, environment: dict[str, str], message: str) -> None:
    assert serve(checkout, **environment) == (1, "", f"{message}\n")


def test_options_of_the_server_are_in_one_place() -> None:
    files = [PROJECT / "Makefile", *sorted((PROJECT / "deploy").iterdir()), PROJECT / "docs/operations.md"]

    assert [file.name for file in files if "--respawn" in file.read_text()] == ["serve"]


@pytest.mark.skipif(
    shutil.which("systemd-analyze") is None and not os.environ.get("STRICT"),
    reason="systemd-analyze is missing: apt install systemd",
)
def test_unit_is_valid_and_runs_this_file(tmp_path: Path) -> None:
    unit = tmp_path / "hallway.service"
    unit.write_text(UNIT.read_text().replace("/srv/hallway", str(PROJECT)).replace("User=hallway", "User=root"))

    done = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, check=False, timeout=60)

    assert (done.returncode, [line for line in done.stderr.splitlines() if "hallway.service" in line]) == (0, [])
    assert f"ExecStart={PROJECT}/deploy/serve\n" in unit.read_text()

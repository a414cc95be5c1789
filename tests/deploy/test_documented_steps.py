"""The lines of docs/operations.md, backups.md and updates.md, typed by root on a bare Debian 12 with a stand-in for systemctl."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.deploy.debian.documents import typed_lines
from tests.deploy.debian.machine import HOST_NAME, Machine, bare_debian
from tests.processes import PROJECT

pytestmark = pytest.mark.deploy
DEBIAN = Path(__file__).parent / "debian"
SITE = f"https://{HOST_NAME}"
REHEARSAL = "http://127.0.0.1:8099"
PASSWORD = "of-the-test-alone-7"
MAIL_URL = "smtp://127.0.0.1:2525"
MAIL_SERVER = "python3 -u -W ignore -m smtpd -n -c DebuggingServer 127.0.0.1:2525"
EDITOR = f"#!/bin/sh\nsed -i 's|^#MAIL_URL=.*|MAIL_URL={MAIL_URL}|' \"$1\"\n"
CADDY_ROOT = "/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt"
MARK = "<!-- of the next release -->"
BOOKMARKED = """
from events.models import Agenda
print(*Agenda.objects.latest('pk').bookmarks.filter(removed_at=None).values_list('event__guid', flat=True))
"""
CONDITION = re.compile(r" ; [^\\\n]+")
LONGEST_RELOAD_SECONDS = 300


@dataclass
class Installed:
    machine: Machine
    password: str
    doctor: str

    def bookmarked(self) -> set[str]:
        """By the last visitor."""
        return set(self.machine.type([f'hallway-manage shell --no-imports -c "{BOOKMARKED}"']).split())

    def page(self, path: str) -> str:
        return self.machine.type([f"curl --silent --show-error --fail {SITE}{path}"])

    def asked(self, address: str, what: str) -> str:
        """What curl says of an answer."""
        return self.machine.type([f"curl --silent --output /dev/null --write-out '%{{{what}}}' {address}"])

    def visitor(self) -> subprocess.Popen[bytes]:
        return self.machine.process(["python3", "/srv/visitor.py", HOST_NAME, "iclr-2025"])


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installed]:
    packages, program, settings, services, programme, proxy, look = typed_lines("operations", "## A public site on one machine")
    with bare_debian(tmp_path_factory.mktemp("machine") / "root") as machine:
        machine.type(packages, network=True)
        prepare(machine)
        machine.type(program)
        machine.type(settings)
        machine.type(services)
        said = machine.type(programme, answers={"Password: ": PASSWORD, "Password (again): ": PASSWORD})
        machine.type(proxy)
        trust_caddy(machine)
        yield Installed(machine, said.partition("password ")[2].split()[0], machine.type(look))


def prepare(machine: Machine) -> None:
    """What a public machine has around it: names, a mail server, the repository, packages of Python, and systemd."""
    root = machine.root
    (root / "etc/hosts").write_text(f"127.0.0.1 localhost machine {HOST_NAME}\n")
    shutil.copy(DEBIAN / "systemctl.py", root / "usr/local/bin/systemctl")
    shutil.copy(DEBIAN / "visitor.py", root / "srv/visitor.py")
    (root / "usr/local/bin/editor").write_text(EDITOR)
    for program in ("systemctl", "editor"):
        (root / "usr/local/bin" / program).chmod(0o755)
    packages_of_python(root)
    commit(root / "srv/git/hallway", "A release")
    daemons = ["git daemon --export-all --base-path=/srv/git --listen=127.0.0.1", MAIL_SERVER]
    machine.type([f"setsid {daemon} > /var/log/{daemon.split()[0]}.log 2>&1 < /dev/null &" for daemon in daemons])
    # Debian starts it when it is installed.
    machine.type(["systemctl start caddy"])


def packages_of_python(root: Path) -> None:
    """The locked ones, from wherever this machine has them; the machine checks their hashes."""
    lock = root / "srv/python/lock.txt"
    lock.parent.mkdir()
    names = ("requirements-environment.txt", "requirements.txt")
    # Without conditions: they would be those of the Python that runs this test.
    lock.write_text("\n".join(CONDITION.sub("", (PROJECT / name).read_text()) for name in names))
    options = ["--quiet", "--require-hashes", "--no-deps", "--only-binary=:all:", "--python-version=3.11"]
    command = [sys.executable, "-m", "pip", "download", *options, f"--dest={lock.parent}", f"--requirement={lock}"]
    subprocess.run(command, check=True, capture_output=True)
    (root / "etc/pip.conf").write_text("[global]\nno-index = true\nfind-links = /srv/python\n")


def commit(repository: Path, subject: str) -> None:
    """The files of this checkout, committed or not, as a repository of their own."""
    if not repository.exists():
        names = git(PROJECT, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
        for name in filter(None, names):
            if (PROJECT / name).is_file():
                (repository / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(PROJECT / name, repository / name)
        git(repository, "init", "--quiet", "--initial-branch", "main")
    git(repository, "add", "--all")
    git(repository, "-c", "user.name=Grace", "-c", "user.email=grace@example.org", "commit", "--quiet", "--message", subject)


def git(folder: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=True).stdout


def trust_caddy(machine: Machine) -> None:
    """Caddy gives a name that is not public a certificate of its own."""
    machine.type(
        [
            f"timeout 30 sh -c 'until [ -e {CADDY_ROOT} ]; do sleep 0.1; done'",
            f"cp {CADDY_ROOT} /usr/local/share/ca-certificates/caddy.crt",
            "update-ca-certificates",
        ]
    )


def test_site_answers_through_its_proxy(installed: Installed) -> None:
    assert "ICLR 2025" in installed.page("/iclr-2025/")
    assert installed.asked(f"http://{HOST_NAME}/", "redirect_url") == f"{SITE}/"
    assert installed.asked(f"{SITE}/iclr-2025/", "http_version") == "2"
    assert len(installed.password) == 20


def test_doctor_finds_all_good(installed: Installed) -> None:
    lines = installed.doctor.splitlines()

    assert [line for line in lines if not line.startswith("good ")] == []
    assert len(lines) == 14
    assert "Subject: Test of the mail of Hallway" in (installed.machine.root / "var/log/python3.log").read_text()


def test_backup_is_rehearsed_beside_the_site(installed: Installed) -> None:
    [[*steps, serve]] = typed_lines("backups", "## Rehearse it")
    asked = ["timeout 60 sh -c 'until curl --silent --fail 127.0.0.1:8099/readyz; do sleep 0.2; done'"]
    asked += [f"curl --silent --fail {REHEARSAL}/iclr-2025/schedule.json --output /tmp/rehearsed.json"]

    said = installed.machine.type([*steps, f"{serve} > /dev/null 2>&1 &", *asked, "kill $! && wait || true"])

    assert "Restored as of " in said
    assert REHEARSAL in (installed.machine.root / "tmp/rehearsed.json").read_text()
    assert "ICLR 2025" in installed.page("/iclr-2025/")
    assert REHEARSAL not in installed.page("/iclr-2025/schedule.json")


def test_backup_is_restored_after_the_database_is_lost(installed: Installed) -> None:
    (make,), ((stop, restore, start),) = typed_lines("backups", "## Make one"), typed_lines("backups", "## Restore")
    with installed.visitor() as visitor:
        assert visitor.stdout
        assert visitor.stdin
        first = [visitor.stdout.readline() for _ in range(3)]
        visitor.stdin.close()
        visitor.stdout.read()
    before = installed.bookmarked()

    installed.machine.type(make)
    installed.machine.type([stop, "rm -rf /srv/hallway/var/hallway.sqlite3* /srv/hallway/var/media"])
    said = installed.machine.type([restore])
    installed.machine.type([start])

    assert [line.decode().split()[:2] for line in first] == [["302", "1"]] * 3
    assert "Restored as of " in said
    assert installed.bookmarked() == before
    assert "ICLR 2025" in installed.page("/iclr-2025/")
    assert installed.page("/readyz") == "ready"


def test_update_by_a_reload_loses_no_acknowledged_write(installed: Installed) -> None:
    [update] = typed_lines("updates", "## One machine")
    repository = installed.machine.root / "srv/git/hallway"
    with (repository / "templates/base.html").open("a") as template:
        template.write(MARK)
    commit(repository, "The next release")

    with installed.visitor() as visitor:
        assert visitor.stdout
        assert visitor.stdin
        lines = [visitor.stdout.readline()]
        said = installed.machine.type(update)
        wait_for_the_next_release(installed)
        visitor.stdin.close()
        lines += visitor.stdout.read().splitlines()
    right, bookmarked = right_states(lines), installed.bookmarked()

    assert said.endswith("ready")
    assert len([line for line in lines if line.startswith(b"302")]) > 20
    assert [event for event, states in right.items() if (event in bookmarked) not in states] == []


def right_states(lines: list[bytes]) -> dict[str, set[bool]]:
    """Whether each event is bookmarked: as was acknowledged last, or as was asked for since without an acknowledgement."""
    right: dict[str, set[bool]] = {}
    for line in lines:
        status, on, event = line.decode().split()
        state = {on == "1"}
        right[event] = state if status == "302" else state | right.get(event, {False})
    return right


def wait_for_the_next_release(installed: Installed) -> None:
    began = time.monotonic()
    pages = f"for _ in $(seq 20); do curl --silent --max-time 30 {SITE}/iclr-2025/; done"
    asked = f"{pages} | grep --only-matching '{MARK}' | wc --lines"
    while installed.machine.type([asked]) != "20":
        assert time.monotonic() - began < LONGEST_RELOAD_SECONDS, "old processes go on"
        time.sleep(1)

"""A bare Debian 12 in a folder, with its own processes, mounts and network, in which the steps of the documentation are typed."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.deploy.processes import skip

HOST_NAME = "schedule.localhost"
REPOSITORY = "git://127.0.0.1/hallway"
# Bash is the first process, waits for those without a parent, and ends with the test.
FIRST_PROCESS = """
mount --rbind /dev "$1/dev"; mount -t proc proc "$1/proc"; mount -t tmpfs tmpfs "$1/run"
ip link set lo up; hostname machine; echo ready; cat; exit 0
"""
PROGRAMS = ["mmdebstrap", "unshare", "nsenter", "ip", "script"]
APT_ENVIRONMENT = ["http_proxy", "https_proxy", "no_proxy"]


class StepFailedError(AssertionError):
    """A line of the documentation ended with an error."""


@dataclass
class Machine:
    root: Path
    pid: int
    folder: str = "~"

    def type(self, lines: list[str], *, answers: dict[str, str] | None = None, network: bool = False) -> str:
        """What root reads after typing these lines into one shell, which goes on in the folder of the last one."""
        lines = [line.replace("YOUR.HOST.NAME", HOST_NAME).replace("<repository>", REPOSITORY) for line in lines]
        text = "\n".join(["set -e", f"cd {self.folder}", *lines, "echo; pwd"])
        command = ["bash", "-c", text]
        if answers:
            (self.root / "srv/typed").write_text(text)
            command = ["script", "--quiet", "--return", "--command", "bash /srv/typed", "/dev/null"]
        status, output = self._run(command, answers or {}, network=network)
        if status:
            raise StepFailedError("\n".join([*lines, f"ended with {status}:", output[-6000:]]))
        said, _, self.folder = output.strip().rpartition("\n")
        return said.replace("\r", "").strip()

    def _run(self, command: list[str], answers: dict[str, str], *, network: bool) -> tuple[int, str]:
        """Answer each question as often as it is asked."""
        with self.process(command, network=network) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            said = unanswered = ""
            while piece := os.read(process.stdout.fileno(), 65536).decode(errors="replace"):
                said, unanswered = said + piece, unanswered + piece
                for question, answer in answers.items():
                    if unanswered.endswith(question):
                        process.stdin.write(f"{answer}\n".encode())
                        process.stdin.flush()
                        unanswered = ""
        return process.returncode, said

    def process(self, command: list[str], *, network: bool = False) -> subprocess.Popen[bytes]:
        spaces = ["--mount", "--pid", "--uts", *([] if network else ["--net"])]
        enter = ["nsenter", f"--target={self.pid}", *spaces, "chroot", str(self.root)]
        path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        environment = {"PATH": path, "HOME": "/root", "LANG": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive", "TERM": "dumb"}
        return subprocess.Popen(
            enter + command,
            env=environment | {name: os.environ[name] for name in APT_ENVIRONMENT if name in os.environ},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )


@contextlib.contextmanager
def bare_debian(root: Path) -> Iterator[Machine]:
    """Skip where there are no rights or no programs for it."""
    if os.geteuid() != 0:
        skip("a machine of its own can only be made by root")
    if missing := [name for name in PROGRAMS if shutil.which(name) is None]:
        skip(f"{', '.join(missing)} missing: apt install mmdebstrap iproute2")
    # Of root on most systems; that of these tests is the site's own.
    umask = os.umask(0o022)
    try:
        with _in_memory(root):
            subprocess.run(["mmdebstrap", "--quiet", "--variant=minbase", "bookworm", str(root), _mirror()], check=True)
            with _first_process(root) as pid:
                yield Machine(root, pid)
    finally:
        os.umask(umask)


@contextlib.contextmanager
def _in_memory(root: Path) -> Iterator[None]:
    """A folder that need not wait for a disk, and whose many small files are gone at once."""
    root.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=6g", "machine", root]
    mounted = subprocess.run(command, capture_output=True, text=True, check=False)
    if mounted.returncode:
        skip(f"this machine lets nobody mount: {mounted.stderr}")
    try:
        yield
    finally:
        # Lazily: a process that is about to end may be inside.
        subprocess.run(["umount", "--lazy", root], check=False)


def _mirror() -> str:
    """Where this machine gets Debian 12 from."""
    command = ["apt-get", "indextargets", "--format", "$(REPO_URI) $(CODENAME)", "Identifier: Packages"]
    found = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    mirrors = re.findall(r"^(\S+) bookworm$", found, re.MULTILINE)
    if not mirrors:
        skip("apt names no mirror of Debian 12")
    return mirrors[0]


@contextlib.contextmanager
def _first_process(root: Path) -> Iterator[int]:
    """The process id, outside, of the first process inside."""
    shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
    command = [
        "unshare",
        "--mount",
        "--net",
        "--pid",
        "--uts",
        "--fork",
        "--kill-child",
        "bash",
        "-c",
        FIRST_PROCESS,
        "-",
        str(root),
    ]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        if process.stdout.readline() != b"ready\n":
            assert process.stderr is not None
            skip(f"this machine lets nobody have namespaces: {process.stderr.read().decode()}")
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
        try:
            yield int(children)
        finally:
            # At the end of its input, it ends, and with it all that it has.
            process.communicate()

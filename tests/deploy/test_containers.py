"""The image and its compose file. No container engine runs here: files are read, and the steps of the image done in a folder."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import urllib.request
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.deploy.processes import free_port, migrated, running
from tests.processes import PROJECT

CONTAINERFILE = (PROJECT / "deploy/Containerfile").read_text()
COMPOSE: dict[str, Any] = yaml.safe_load((PROJECT / "deploy/compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
COMMANDS = {path.stem for path in (PROJECT / "events/management/commands").glob("[!_]*.py")} | {"migrate", "collectstatic"}
STEPS = [line.partition(" ")[::2] for line in CONTAINERFILE.splitlines() if re.match(r"[A-Z]", line)]
HOME = "/srv/hallway"


def steps(instruction: str) -> list[str]:
    return [words for name, words in STEPS if name == instruction]


def ours() -> dict[str, dict[str, Any]]:
    return {name: service for name, service in SERVICES.items() if service["image"] == "hallway"}


def test_image_has_the_python_that_is_tested() -> None:
    lowest = re.search(r'requires-python = ">=(\S+)"', (PROJECT / "pyproject.toml").read_text())

    assert lowest is not None
    assert steps("FROM") == [f"docker.io/library/python:{lowest[1]}-slim-bookworm"]


def test_image_installs_the_locks_by_their_hashes() -> None:
    installs = [step for step in steps("RUN") if " install " in step and "pip" in step]

    locks = [name for step in installs for name in re.findall(r"--requirement (\S+)", step)]
    assert locks == ["requirements-environment.txt", "requirements.txt", "requirements-sentry.txt"]
    assert all("--require-hashes" in step for step in installs)


def test_image_copies_what_there_is_and_no_secret() -> None:
    copied = [source for step in steps("COPY") for source in step.split()[:-1]]

    assert [source for source in copied if not (PROJECT / source).exists()] == []
    assert {source.partition("/")[0] for source in copied}.isdisjoint({".", "var", ".venv", ".git"})


def test_server_is_a_user_without_rights_who_owns_var_alone() -> None:
    owned = [found[1] for step in steps("RUN") if (found := re.search(r"chown -R hallway: (.+)$", step))]

    assert (steps("USER"), owned) == (["hallway"], ["var"])
    assert {name for name, _ in STEPS[STEPS.index(("USER", "hallway")) + 1 :]} == {"ENV", "EXPOSE", "HEALTHCHECK", "CMD"}


def test_compose_gives_secrets_from_one_file_and_opens_no_port_to_others() -> None:
    text = (PROJECT / "deploy/compose.yaml").read_text()

    assert {service.get("env_file") for service in ours().values()} == {".env"}
    assert set(re.findall(r"\$\{(\w+)", text)) == {"POSTGRES_PASSWORD"}
    assert "/deploy/.env\n" in (PROJECT / ".gitignore").read_text()
    assert [port for service in SERVICES.values() for port in service.get("ports", [])] == ["127.0.0.1:8000:8000"]


def test_compose_builds_the_image_and_uses_volumes_that_it_names() -> None:
    used = {volume.partition(":")[0] for service in SERVICES.values() for volume in service.get("volumes", [])}

    assert {(PROJECT / "deploy" / it["build"]["context"] / it["build"]["dockerfile"]).resolve() for it in ours().values()} == {
        PROJECT / "deploy/Containerfile"
    }
    assert used == set(COMPOSE["volumes"])
    folders = {volume.partition(":")[2] for it in ours().values() for volume in it["volumes"]}
    assert folders == {f"{HOME}/{folder}" for folder in steps("RUN")[-1].removeprefix("mkdir -p ").partition(" &&")[0].split()}


def test_compose_waits_for_services_that_there_are() -> None:
    awaited = {name for service in SERVICES.values() for name in service.get("depends_on", {})}

    assert awaited <= set(SERVICES)
    assert {name for name, it in ours().items() if "migrate" in it.get("depends_on", {})} == set(ours()) - {"migrate"}


def test_compose_runs_commands_that_there_are() -> None:
    named = re.findall(r"manage\.py(?:,)? (\w+)", (PROJECT / "deploy/compose.yaml").read_text().replace("manage.py doctor", ""))

    assert set(named) == {
        "migrate",
        "send_letters",
        "send_digests",
        "erase_questions",
        "forget_proposals",
        "follow_sources",
        "backup",
    }
    assert set(named) <= COMMANDS


@pytest.mark.deploy
def test_steps_of_the_image_make_a_server_that_is_healthy(tmp_path: Path) -> None:
    """All steps but those of root and of pip; their result is the environment of the tests."""
    home = tmp_path / "hallway"
    home.mkdir()
    (home / ".venv").symlink_to(PROJECT / ".venv")
    environment = {"PATH": os.environ["PATH"]}
    for name, words in STEPS[STEPS.index(("WORKDIR", HOME)) :]:
        if name == "COPY":
            *sources, target = words.split()
            for source in sources:
                copy(PROJECT / source, home / target / (source if target.endswith("/") else ""))
        elif name == "RUN" and "venv .venv" not in words and "pip install" not in words:
            subprocess.run(["sh", "-c", words.partition(" && chown")[0]], cwd=home, env=environment, check=True)
        elif name == "ENV":
            environment |= dict(pair.split("=") for pair in words.split())
    port = str(free_port())
    files = {path.name for path in (home / "var").iterdir()}
    environment |= {"HOST": "127.0.0.1", "PORT": port, "SECRET_KEY": "k" * 50, "DATABASE_URL": f"sqlite:///{migrated(tmp_path)}"}
    health = json.loads(steps("HEALTHCHECK")[0].partition("CMD ")[2])

    with running([str(home / json.loads(steps("CMD")[0])[0])], int(port), tmp_path / "log", environment):
        page = urllib.request.urlopen(f"http://127.0.0.1:{port}/account/", timeout=60).read().decode()
        style = re.search(r'href="(/static/\S+?\.css)"', page)
        assert style is not None
        assert urllib.request.urlopen(f"http://127.0.0.1:{port}{style[1]}", timeout=60).status == 200
        asked = [part.replace("8000", port) for part in health]
        subprocess.run(asked, cwd=home, env=environment, check=True, timeout=60)
    stopped = subprocess.run(asked, cwd=home, env=environment, capture_output=True, check=False, timeout=60)

    assert (files, stopped.returncode) == ({"static", "media", "uploads", "backups"}, 1), shlex.join(health)


def copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copy(source, target)

"""deploy/hallway.env, and what reads it: hallway-manage, and manage.py, which refuses to work without it."""

from __future__ import annotations

import json
import os
import pwd
import re
import shlex
import shutil
import string
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deploy.debian.documents import typed_lines
from tests.processes import PROJECT

EXAMPLE = (PROJECT / "deploy/hallway.env").read_text()
README = (PROJECT / "README.md").read_text()
# Not settings of the site: README says what reads them.
OTHERS = {"WORKERS", "POSTGRES_PASSWORD"}
ASSIGNMENT = re.compile(r"^(#?)([A-Z_]+)=(.*)$", re.MULTILINE)
KEY = string.ascii_letters
PRINT = "import json, os, sys; print(json.dumps([sys.argv[1:], dict(os.environ), os.getcwd(), os.umask(0)]))"
SHOW = f"#!/bin/sh\nexec /usr/bin/python3 -c '{PRINT}' \"$@\"\n"


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that others may enter, unlike tmp_path: the wrapper becomes another user if root runs the tests."""
    umask = os.umask(0o022)
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)
    os.umask(umask)


def wrapper(folder: Path, settings: str | None, site: Path | None = None) -> list[str]:
    """The wrapper as it is installed, for a user that there is and a site whose python shows how it was called."""
    site = site or folder / "site"
    user = "nobody" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
    file = folder / "hallway.env"
    if settings is not None:
        file.write_text(settings)
    text = (PROJECT / "deploy/hallway-manage").read_text()
    for name, here in {"SETTINGS": file, "SITE": site, "USER": user}.items():
        text = re.sub(rf'^{name} = ".*"$', f'{name} = "{here}"', text, count=1, flags=re.MULTILINE)
    (folder / "hallway-manage").write_text(text)
    return ["/usr/bin/python3", str(folder / "hallway-manage")]


def show(folder: Path) -> None:
    python = folder / "site/.venv/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text(SHOW)
    python.chmod(0o755)


def run(command: list[str], **environment: str) -> tuple[int, str, str]:
    plain = {"PATH": "/usr/bin:/bin"}
    done = subprocess.run(command, env=plain | environment, cwd="/", capture_output=True, text=True, check=False, timeout=60)
    return done.returncode, done.stdout, done.stderr


def test_example_has_every_setting_once() -> None:
    documented = re.findall(r"^\| `([A-Z_]+)` \|", README, re.MULTILINE)

    named = [name for _, name, _ in ASSIGNMENT.findall(EXAMPLE)]

    assert sorted(named) == sorted([*documented, *OTHERS])


def test_example_leaves_out_what_has_a_default() -> None:
    assert [name for comment, name, _ in ASSIGNMENT.findall(EXAMPLE) if not comment] == ["SITE_URL", "SECRET_KEY", "BEHIND_PROXY"]


def test_example_has_the_defaults_of_the_readme() -> None:
    plain = dict(re.findall(r"^\| `([A-Z_]+)` \| `([\w.:/+-]+)`(?:,[^|]*)? \|", README, re.MULTILINE))
    commented = {name: text for comment, name, text in ASSIGNMENT.findall(EXAMPLE) if comment}
    # A public site has others.
    del plain["SITE_URL"], plain["DATABASE_URL"], plain["BEHIND_PROXY"]

    folder = "/srv/hallway/"
    wrong = {name: text for name, text in plain.items() if name in commented and commented[name].removeprefix(folder) != text}

    assert ("PORT" in plain, "OFFLINE" in plain, wrong) == (True, True, {})


def test_example_with_a_key_is_a_safe_site(folder: Path) -> None:
    """As the documentation installs it: every line of the example read, and ``check --deploy`` without a warning."""
    lines = re.sub(r"^#([A-Z_]+=)", r"\1", EXAMPLE, flags=re.MULTILINE)
    for name, text in {"SECRET_KEY": KEY, "DATABASE_URL": "sqlite://:memory:", "CACHE_URL": "locmemcache://"}.items():
        lines = re.sub(rf"^{name}=.*$", f"{name}={text}", lines, flags=re.MULTILINE)
    show(folder)
    _, written, problem = run(wrapper(folder, lines))
    settings = {name: text for name, text in json.loads(written)[1].items() if f"{name}=" in EXAMPLE}

    command = [sys.executable, str(PROJECT / "manage.py"), "check", "--deploy", "--fail-level", "WARNING"]
    status, _, warnings = run(command, **settings)

    assert (problem, status, warnings) == ("", 0, "")


def test_wrapper_runs_manage_py_as_the_services_do(folder: Path) -> None:
    show(folder)
    command = wrapper(folder, 'SITE_URL=https://a.example\n# no\nMAIL_FROM="Hallway <a@b.example>"\nOFFLINE=\n')

    status, written, problem = run([*command, "seed", "a b", "$HOME"], SITE_URL="http://other", DATABASE_URL="sqlite:///other")

    arguments, environment, here, umask = json.loads(written)
    assert (status, problem, here, oct(umask)) == (0, "", str(folder / "site"), "0o77")
    assert arguments == [str(folder / "site/manage.py"), "seed", "a b", "$HOME"]
    assert {name: environment.get(name) for name in ("SITE_URL", "MAIL_FROM", "OFFLINE", "DATABASE_URL")} == {
        "SITE_URL": "https://a.example",
        "MAIL_FROM": "Hallway <a@b.example>",
        "OFFLINE": "",
        "DATABASE_URL": None,
    }


@pytest.mark.parametrize("heading", ["## One machine", "## Going back"])
def test_documented_update_has_the_settings_of_the_services(folder: Path, heading: str) -> None:
    url = "postgres://u:p@h:5432/n?connect_timeout=5&keepalives_idle=5"
    [lines] = typed_lines("updates", heading)
    [install] = [line for line in lines if "make install" in line]
    (folder / "site").mkdir()
    (folder / "site/Makefile").write_text('install:\n\t@echo "$$DATABASE_URL"\n')
    wrapped = shlex.join(wrapper(folder, f"DATABASE_URL={url}\n"))

    found = run(["sh", "-c", install.replace("hallway-manage", wrapped)], DATABASE_URL="sqlite:///other")

    assert found == (0, f"{url}\n", "")


@pytest.mark.skipif(os.geteuid() != 0, reason="Only root can become another user.")
def test_wrapper_leaves_the_rights_of_root(folder: Path) -> None:
    show(folder)
    python = folder / "site/.venv/bin/python"
    python.write_text("#!/bin/sh\nid -un; id -Gn\n")

    assert run(wrapper(folder, "")) == (0, "nobody\nnogroup\n", "")


# As EnvironmentFile= of systemd 252 reads the same lines.
@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("A=postgres://u:p@h:5432/n?a=1&b=2", "postgres://u:p@h:5432/n?a=1&b=2"),
        ("A=Hallway <hallway@x.org>", "Hallway <hallway@x.org>"),
        ('A="it\'s"', "it's"),
        ("A='a \"b\" c'", 'a "b" c'),
        ("A=a$HOME$$b", "a$HOME$$b"),
        ("A=a#b c #d", "a#b c #d"),
        ("A=value   ", "value"),
        ("A=", ""),
        ('A=""', ""),
        ("A=a=b;c", "a=b;c"),
        ("A=Prüfung", "Prüfung"),
    ],
)
def test_wrapper_reads_a_line_as_systemd_does(folder: Path, line: str, read: str) -> None:
    show(folder)

    _, written, problem = run(wrapper(folder, f"{line}\n"))

    assert (json.loads(written)[1]["A"], problem) == (read, "")


@pytest.mark.parametrize(
    "line",
    ["A = b", "export A=b", "A=a\\b", "A='b", 'A="a"b', "A=it's", 'A="a\\"b"', "A= b", "just words", "  A=b", "=b", "# C:\\"],
)
def test_wrapper_refuses_a_line_that_others_could_read_otherwise(folder: Path, line: str) -> None:
    show(folder)

    status, written, problem = run(wrapper(folder, f"SITE_URL=https://a.example\n{line}\n"))

    assert (status, written) == (1, "")
    assert problem.startswith(f"{folder}/hallway.env, line 2: write NAME=value at the beginning of the line")


def test_wrapper_names_what_is_missing(folder: Path) -> None:
    assert run(wrapper(folder, None))[2] == (
        f"{folder}/hallway.env cannot be read (No such file or directory): run hallway-manage as root.\n"
    )
    (folder / "site").mkdir()
    assert run(wrapper(folder, ""))[2] == (
        f"{folder}/site/.venv/bin/python cannot be run (No such file or directory): start the service once, which makes it.\n"
    )
    assert run([*wrapper(folder, ""), "--run", "nonsense"])[2] == (
        "nonsense cannot be run (No such file or directory): write a program of this machine after --run.\n"
    )
    assert run([*wrapper(folder, ""), "--run"])[2] == "Write a program after --run: hallway-manage --run make install.\n"


@pytest.fixture
def manage(tmp_path: Path) -> list[str]:
    """manage.py on a machine with a site, whose settings this user may not read."""
    settings = tmp_path / "hallway.env"
    settings.touch(0o000)
    text = (PROJECT / "manage.py").read_text()
    assert text.count('Path("/etc/hallway.env")') == 1
    (tmp_path / "manage.py").write_text(text.replace("/etc/hallway.env", str(settings)))
    shutil.copytree(PROJECT / "conference", tmp_path / "conference")
    (tmp_path / "events").symlink_to(PROJECT / "events")
    return [sys.executable, str(tmp_path / "manage.py")]


def test_manage_py_refuses_to_work_on_another_database(manage: list[str], tmp_path: Path) -> None:
    status, written, problem = run([*manage, "migrate"])

    assert (status, written) == (1, "")
    assert problem == (
        f"The site on this machine has its settings in {tmp_path}/hallway.env, and SITE_URL is not set here: this command would "
        "work on another database. Run hallway-manage instead of manage.py (docs/operations.md), or set SITE_URL.\n"
    )
    assert not (tmp_path / "var").exists()


def test_manage_py_works_with_settings_and_where_there_is_no_site(manage: list[str], tmp_path: Path) -> None:
    with_settings = run([*manage, "check"], SITE_URL="http://127.0.0.1:8000")
    (tmp_path / "hallway.env").unlink()

    assert (with_settings[0], run([*manage, "check"])[0]) == (0, 0)


def test_manage_py_rehearses_a_backup_as_documented(manage: list[str], tmp_path: Path) -> None:
    [lines] = typed_lines("backups", "## Rehearse it")
    named = [line.replace("/tmp/rehearsal", str(tmp_path)) for line in lines if line.startswith("rehearsal=")]
    script = "\n".join([*named, f"env $rehearsal {shlex.join([*manage, 'check'])}"])

    assert run(["sh", "-c", script]) == (0, "System check identified no issues (0 silenced).\n", "")


def test_wrong_settings_are_a_sentence(manage: list[str]) -> None:
    status, written, problem = run([*manage, "check"], SITE_URL="https://a.example")

    said = "The settings are wrong: SITE_URL is https: set SECRET_KEY to a random text of at least 50 characters.\n"
    assert (status, written, problem) == (1, "", said)


@pytest.mark.parametrize("url", ["nonsense", "mysql://a/b"])
def test_address_that_is_no_database_is_a_sentence(manage: list[str], url: str) -> None:
    status, _, problem = run([*manage, "check"], SITE_URL="http://127.0.0.1:8000", DATABASE_URL=url)

    examples = "sqlite:////folder/file.sqlite3 or postgres://user:password@host:5432/name"
    assert (status, problem) == (1, f"The settings are wrong: DATABASE_URL is “{url}”: write {examples}.\n")

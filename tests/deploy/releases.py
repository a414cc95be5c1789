"""The last release of this project as git has it, which must work on the database of the next one."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.deploy.processes import DEPLOY, PROJECT

# A commit, for as long as there is no tag.
FILE = DEPLOY / "last-release"


class MissingHistoryError(Exception):
    """Git does not have the last release here."""


def last_release(project: Path = PROJECT) -> str:
    """The newest tag v… before this commit; while there is none, the commit in deploy/last-release."""
    tags = _git(project, "tag", "--list", "v*", "--merged", "HEAD", "--no-contains", "HEAD", "--sort=-version:refname").split()
    return tags[0] if tags else (project / FILE.relative_to(PROJECT)).read_text().strip()


def unpack(release: str, folder: Path, project: Path = PROJECT) -> None:
    """Write the files of the release, with this environment instead of its own."""
    try:
        packed = subprocess.run(["git", "archive", release], cwd=project, capture_output=True, check=True).stdout
    except subprocess.CalledProcessError as error:
        raise MissingHistoryError(
            f"git does not have {release}, the last release: a shallow clone has no history. Run git fetch --unshallow --tags."
        ) from error
    subprocess.run(["tar", "--extract", "--directory", folder], input=packed, check=True)
    (folder / ".venv").symlink_to(PROJECT / ".venv")


def _git(project: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=project, capture_output=True, text=True, check=False)
    if done.returncode:
        raise MissingHistoryError(f"The last release is in git, and this folder is not of git: {done.stderr.strip()}")
    return done.stdout

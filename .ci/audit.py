"""Report versions in the locks that .ci/advisories.toml names as faulty; exit with 1 if there are any.

The list is in the repository because the check must also work without access to a service that knows more.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from packaging.version import Version

ADVISORIES = Path(__file__).with_name("advisories.toml")
PIN = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==([^\s;\\]+)", re.MULTILINE)


def pins(lock: Path) -> Iterator[tuple[str, Version]]:
    for name, version in PIN.findall(lock.read_text()):
        yield re.sub(r"[-_.]+", "-", name).lower(), Version(version)


def is_faulty(version: Version, fixed: list[str]) -> bool:
    """Whether a version is older than the fix of its series (5.2 of 5.2.8), or than all fixes if its series has none."""
    fixes = sorted(Version(text) for text in fixed)
    of_series = [fix for fix in fixes if fix.release[:2] == version.release[:2]]
    return version < (of_series or fixes)[-1]


def problems(locks: list[Path]) -> Iterator[str]:
    advisories = tomllib.loads(ADVISORIES.read_text())["advisory"]
    for lock in locks:
        for name, version in pins(lock):
            for advisory in advisories:
                if advisory["package"] == name and is_faulty(version, advisory["fixed"]):
                    newer = " or ".join(advisory["fixed"])
                    yield f"{lock.name}: {name} {version}: {advisory['identifier']}, fixed in {newer}. {advisory['about']}"


def main() -> int:
    locks = [Path(argument) for argument in sys.argv[1:]] or sorted(Path().glob("requirements*.txt"))
    if not locks:
        sys.stderr.write("No lock was found: run this where requirements.txt is, or name the locks.\n")
        return 1
    found = list(problems(locks))
    sys.stdout.writelines(f"{problem}\n" for problem in found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

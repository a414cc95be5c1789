"""A setting that is no number, or neither true nor false, is refused with a sentence: it must not switch a protection off."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]


def settings_checked(**environment: str) -> tuple[int, str]:
    """The status and the last line of `manage.py diffsettings`, which needs no database."""
    done = subprocess.run(
        [sys.executable, "manage.py", "diffsettings", "--output", "unified"],
        cwd=PROJECT,
        env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8"} | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stderr.strip()


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("PORT", "eight", "PORT is “eight”: set a whole number of 0 or more, such as 8000."),
        ("TRUSTED_PROXIES", "-1", "TRUSTED_PROXIES is “-1”: set a whole number of 0 or more, such as 0."),
        ("PAGE_CACHE_MB", "80 MB", "PAGE_CACHE_MB is “80 MB”: set a whole number of 0 or more, such as 72."),
        ("REQUIRE_SECOND_FACTOR", "yess", "REQUIRE_SECOND_FACTOR is “yess”: set true or false."),
        ("BEHIND_PROXY", "nginx", "BEHIND_PROXY is “nginx”: set true or false."),
        ("LOG_LEVEL", "loud", "LOG_LEVEL is “loud”: choose DEBUG, INFO, WARNING, ERROR or CRITICAL."),
    ],
)
def test_wrong_values_are_refused_in_one_line(name: str, value: str, sentence: str) -> None:
    assert settings_checked(**{name: value}) == (1, f"The settings are wrong: {sentence}")


def test_empty_values_are_the_defaults() -> None:
    empty = settings_checked(PORT="", PAGE_CACHE_MB=" ", BEHIND_PROXY="", REQUIRE_SECOND_FACTOR="", LOG_LEVEL="INFO")

    assert empty == settings_checked() == (0, "")

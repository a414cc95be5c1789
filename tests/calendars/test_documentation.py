from __future__ import annotations

import re
from pathlib import Path

from django.conf import settings

PAGE = (Path(settings.BASE_DIR) / "docs/calendars.md").read_text()
HERE = Path(__file__).parent


def test_page_has_each_point_once() -> None:
    points = re.findall(r"^\| (\d+) \|", PAGE, re.MULTILINE)

    assert points == [str(number) for number in range(1, 73)]


def test_page_names_only_tests_there_are() -> None:
    tests = {name for file in HERE.rglob("test_*.py") for name in re.findall(r"def (test_\w+)", file.read_text())}

    assert set(re.findall(r"`(test_\w+)`", PAGE)) - tests == set()

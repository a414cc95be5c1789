"""Marks for whole modules; a single test carries its own ``@pytest.mark.slow`` or ``exhaustive``."""

from __future__ import annotations

from pathlib import Path

import pytest

TESTS = Path(__file__).parent
BROWSER = TESTS / "browser"

# Search, raw SQL, locks, threads, constraints, bulk writes, JSON fields, the order of rows, and every page once (test_access).
BOTH_DATABASES = frozenset(
    TESTS / folder / f"test_{name}.py"
    for folder, names in {
        "admin": "deleting history lists proposals_decided proposals_races races stale_forms",
        "calendars": "feeds",
        "exports": "round_trip",
        "mail": "digests postman",
        "management": "after_restore import_schedule seed seed_scale",
        "models": "agenda agenda_threads announce bulk constraints crowd_threads deciding deciding_threads fields history "
        "letters merging merging_threads picks prepared_query proposals_threads question_decisions question_votes questions "
        "questions_erased questions_threads revise_properties search sign_up sign_up_threads tallies writing",
        "queries": "people pinned schedule search search_hidden",
        "security": "access",
        "sync": "faults guids hands lock matching promises runs sync vanished",
        "views": "bookmark bookmark_cookies faults question_votes sign_up",
    }.items()
    for name in names.split()
)


def marks_of(item: pytest.Item) -> list[pytest.MarkDecorator]:
    marks = []
    if item.path.is_relative_to(BROWSER):
        marks.append(pytest.mark.browser)
    if item.path in BOTH_DATABASES:
        marks.append(pytest.mark.both_databases)
    return marks

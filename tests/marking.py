"""Marks for whole modules, and which tests cannot be together; a single test carries its own ``@pytest.mark.slow``."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.db import connection

TESTS = Path(__file__).parent
BROWSER = TESTS / "browser"
TRANSACTIONAL_FIXTURES = {"transactional_db", "live_server"}

# Search, raw SQL, locks, threads, constraints, bulk writes, JSON fields, the order of rows, and every page once (test_access).
BOTH_DATABASES = frozenset(
    TESTS / folder / f"test_{name}.py"
    for folder, names in {
        "accounts": "alerts digests",
        "admin": "numbers publication_races races room_board uncounted",
        "admin/base": "deleting history stale_forms",
        "admin/programme": "copying lists more_actions",
        "admin/timetable": "event_move timetable_page",
        "admin/proposals": "proposals_decided proposals_races",
        "agenda": "newcomers page_life",
        "agenda/models": "agenda agenda_threads bookmarks late_decisions merging merging_threads",
        "agenda/views": "bookmark bookmark_cookies",
        "backups": "making",
        "calendars": "round_trip",
        "calendars/feeds": "feeds",
        "core": "pinned_time tallies",
        "core/db": "bulk fields history prepared_query writing",
        "crowd": "crowd_threads",
        "crowd/queries": "newcomers",
        "doctor": "checks command_runs doctor services",
        "exports": "kept_pieces round_trip stored_exports",
        "imports": "column_choices following import_schedule numbered_uploads runs seed seed_scale sources",
        "imports/sync": "faults hidden_rows lock promises sync undo",
        "imports/sync/matching": "edits_by_hand guids handover matching missing_events repeats values_of_parts",
        "mail": "letters postman",
        "pages/queries": "people schedule",
        "pages/views": "change_list database_away errors",
        "polls": "polls_models polls_threads polls_views",
        "programme/models": "after_restore constraints publication record_changes revise_properties",
        "proposals": "proposals_threads",
        "proposals/deciding": "deciding deciding_threads",
        "questions": "newcomers question_decisions question_votes_models question_votes_views questions_erased "
        "questions_models questions_threads",
        "search": "following missed result_life search_models typos",
        "search/queries": "broad fewer_words search search_hidden spelling",
        "security": "access",
        "security/hostile": "hostile_numbers",
        "sign_up": "promoted_seats sign_up_limits sign_up_models sign_up_threads sign_up_views",
        "staff": "factors notices invitations",
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


def is_transactional(item: pytest.Item) -> bool:
    marker = item.get_closest_marker("django_db")
    by_marker = bool(marker and (marker.kwargs.get("transaction") or marker.args[:1] == (True,)))
    return by_marker or not TRANSACTIONAL_FIXTURES.isdisjoint(getattr(item, "fixturenames", ()))


def refuse_commits_among_shared_rows(item: pytest.Item) -> None:
    """A test that commits can neither see nor roll back rows of its module's open transaction: it needs a module of its own."""
    shares_rows = "module_rows" in getattr(item, "fixturenames", ())
    if is_transactional(item) and (shares_rows or connection.in_atomic_block):
        pytest.fail("A test with transaction=True or live_server cannot be in a module that uses module_rows.", pytrace=False)

"""What is listed as different between databases is there; a test that commits is refused where a module shares rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from tests.marking import BOTH_DATABASES, TESTS, refuse_commits_among_shared_rows

REFUSED = "cannot be in a module that uses module_rows"


@dataclass
class FakeItem:
    """What the rule reads of a test."""

    fixturenames: tuple[str, ...] = ()
    django_db: pytest.Mark | None = None

    def get_closest_marker(self, name: str) -> pytest.Mark | None:
        return self.django_db if name == "django_db" else None


BY_KEYWORD = pytest.mark.django_db(transaction=True).mark
BY_POSITION = pytest.mark.django_db(True).mark
COMMITTING = [
    pytest.param((), BY_KEYWORD, id="marked by keyword"),
    pytest.param((), BY_POSITION, id="marked by position"),
    pytest.param(("transactional_db",), None, id="asks for transactional_db"),
    pytest.param(("live_server",), None, id="asks for live_server"),
]
ROLLED_BACK = [
    pytest.param((), None, id="without a database"),
    pytest.param(("db",), None, id="asks for db"),
    pytest.param((), pytest.mark.django_db.mark, id="marked"),
    pytest.param((), pytest.mark.django_db(transaction=False).mark, id="marked as rolled back"),
]


def test_every_module_that_runs_on_both_databases_is_there() -> None:
    assert [str(path) for path in sorted(BOTH_DATABASES) if not path.exists()] == []


@pytest.mark.parametrize(("fixtures", "mark"), COMMITTING)
def test_test_that_commits_is_refused_where_it_asks_for_shared_rows(fixtures: tuple[str, ...], mark: Any) -> None:
    with pytest.raises(pytest.fail.Exception, match=REFUSED):
        refuse_commits_among_shared_rows(FakeItem((*fixtures, "module_rows"), mark))


@pytest.mark.parametrize(("fixtures", "mark"), COMMITTING)
def test_test_that_commits_is_refused_while_rows_of_its_module_are_open(db: None, fixtures: tuple[str, ...], mark: Any) -> None:
    with pytest.raises(pytest.fail.Exception, match=REFUSED):
        refuse_commits_among_shared_rows(FakeItem(fixtures, mark))


@pytest.mark.parametrize(("fixtures", "mark"), COMMITTING)
def test_test_that_commits_is_let_through_elsewhere(fixtures: tuple[str, ...], mark: Any) -> None:
    refuse_commits_among_shared_rows(FakeItem(fixtures, mark))


@pytest.mark.parametrize(("fixtures", "mark"), ROLLED_BACK)
def test_test_that_is_rolled_back_is_let_through(db: None, fixtures: tuple[str, ...], mark: Any) -> None:
    refuse_commits_among_shared_rows(FakeItem((*fixtures, "module_rows"), mark))


def test_rule_is_asked_before_each_test(pytestconfig: pytest.Config) -> None:
    hooks = pytestconfig.pluginmanager.get_plugin(str(TESTS / "conftest.py"))

    with pytest.raises(pytest.fail.Exception, match=REFUSED):
        hooks.pytest_runtest_setup(FakeItem(("module_rows",), BY_KEYWORD))

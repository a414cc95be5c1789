"""What is listed as different between databases is there."""

from __future__ import annotations

from tests.marking import BOTH_DATABASES


def test_every_module_that_runs_on_both_databases_is_there() -> None:
    assert [str(path) for path in sorted(BOTH_DATABASES) if not path.exists()] == []

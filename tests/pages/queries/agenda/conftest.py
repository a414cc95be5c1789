"""The venue of the agendas."""

from __future__ import annotations

import pytest

from tests.pages.queries.agenda.agendas import Venue


@pytest.fixture
def venue() -> Venue:
    return Venue()

"""Reads are asked for while the visitor's zone is in force, as the views see to."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.utils import timezone

from tests.factories import SINGAPORE


@pytest.fixture(autouse=True)
def _at_the_venue() -> Iterator[None]:
    with timezone.override(SINGAPORE):
        yield

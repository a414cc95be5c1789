"""A conference that has socials, before it begins."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import time_machine

from events.models import Conference
from tests.factories import make_conference, make_type
from tests.proposals.forms_filled import BEFORE


@pytest.fixture
def before_the_conference() -> Iterator[None]:
    with time_machine.travel(BEFORE, tick=False):
        yield


@pytest.fixture
def conference() -> Conference:
    conference = make_conference(slug="demo")
    make_type(conference, "social")
    return conference

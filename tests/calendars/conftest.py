"""What tests of calendars share."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from tests.calendars.world import World


@pytest.fixture(scope="module")
def module_world(module_rows: Callable[..., Any]) -> World:
    return module_rows(World)


@pytest.fixture
def world(db: None, module_world: World) -> World:
    return deepcopy(module_world)

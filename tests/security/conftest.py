"""The conference all of these tests look at."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from tests.security.world import World


@pytest.fixture(scope="module")
def module_world(module_rows: Callable[..., Any]) -> World:
    return module_rows(World)


@pytest.fixture
def world(db: None, module_world: World) -> World:
    """As it was made: what a test does to its rows is rolled back, what it does to its objects is done to a copy."""
    return deepcopy(module_world)

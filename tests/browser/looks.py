"""A phone in the light and a desk in the dark; where everything runs, the other way round too."""

from __future__ import annotations

from typing import Literal

import pytest

Scheme = Literal["light", "dark"]
NARROWEST, PHONE, DESK = 320, 390, 1280


def looks(phone: int = PHONE) -> pytest.MarkDecorator:
    """Parameters ``width`` and ``scheme`` of a test."""
    more = [pytest.param(*look, marks=pytest.mark.exhaustive) for look in [(phone, "dark"), (DESK, "light")]]
    return pytest.mark.parametrize(("width", "scheme"), [(phone, "light"), (DESK, "dark"), *more])

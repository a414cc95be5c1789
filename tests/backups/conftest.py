from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.backups.checkouts import Checkout
from tests.backups.made import Made


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return Made(tmp_path_factory.mktemp("made"))


@pytest.fixture
def elsewhere(tmp_path: Path) -> Checkout:
    return Checkout.make(tmp_path / "elsewhere")


@pytest.fixture
def copied(made: Made, tmp_path: Path) -> Path:
    """A backup that a test may damage."""
    return Path(shutil.copytree(made.backup, tmp_path / made.backup.name))

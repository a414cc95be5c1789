"""A bounded shelf with one builder at a time."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass

import pytest
from events.shelf import Shelf


@dataclass(frozen=True)
class Box:
    size: int
    label: str = ""


def fill(shelf: Shelf[Box], *sizes: int) -> None:
    for number, size in enumerate(sizes):
        shelf.get_or_build(number, lambda box: True, lambda size=size: Box(size))  # type: ignore[misc]


def kept(shelf: Shelf[Box], count: int) -> list[int]:
    return [number for number in range(count) if shelf.get(number)]


def test_what_was_not_asked_for_the_longest_goes_first() -> None:
    shelf: Shelf[Box] = Shelf(100)
    fill(shelf, 25, 25, 25, 25)
    shelf.get(0)

    shelf.get_or_build(4, lambda box: True, lambda: Box(20))

    assert kept(shelf, 5) == [0, 2, 3, 4]


def test_what_would_fill_the_shelf_is_built_and_not_kept() -> None:
    shelf: Shelf[Box] = Shelf(100)

    assert shelf.get_or_build(0, lambda box: True, lambda: Box(26)) == Box(26)
    assert kept(shelf, 1) == []


def test_shelf_without_room_builds_every_time() -> None:
    shelf: Shelf[Box] = Shelf(0)
    built = [shelf.get_or_build(0, lambda box: True, lambda: Box(0)) for _ in range(2)]

    assert built == [Box(0), Box(0)]
    assert shelf.get(0) is None


def test_nothing_built_is_nothing_kept() -> None:
    shelf: Shelf[Box] = Shelf(100)

    assert shelf.get_or_build(0, lambda box: True, lambda: None) is None
    assert shelf.get_or_build(0, lambda box: True, lambda: Box(1)) == Box(1)


def test_what_is_no_longer_good_is_replaced_in_its_place() -> None:
    shelf: Shelf[Box] = Shelf(100)
    shelf.get_or_build(0, lambda box: True, lambda: Box(25, "old"))

    for _ in range(10):
        new = shelf.get_or_build(0, lambda box: box.label == "new", lambda: Box(25, "new"))

    assert new == shelf.get(0) == Box(25, "new")
    fill(shelf, 25, 25, 25, 25)
    assert kept(shelf, 4) == [0, 1, 2, 3]


def test_one_builds_while_the_others_wait() -> None:
    shelf: Shelf[Box] = Shelf(100)
    built: list[int] = []
    found: list[Box | None] = []

    def build() -> Box:
        built.append(threading.get_ident())
        time.sleep(0.05)
        return Box(1)

    threads = [
        threading.Thread(target=lambda: found.append(shelf.get_or_build("page", lambda box: True, build))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(built) == 1
    assert found == [Box(1)] * 8


def test_builder_that_fails_leaves_the_way_free() -> None:
    shelf: Shelf[Box] = Shelf(100)

    def fail() -> Box:
        raise ValueError("no page")

    for _ in range(2):
        with pytest.raises(ValueError, match="no page"):
            shelf.get_or_build(0, lambda box: True, fail)
    assert shelf.get_or_build(0, lambda box: True, lambda: Box(1)) == Box(1)

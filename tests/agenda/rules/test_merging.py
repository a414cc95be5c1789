"""Merging agendas: the order is nobody's, and what was removed stays removed."""

from __future__ import annotations

import datetime as dt
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from events.agenda.rules.merging import (
    LEVELS_STRONGEST_FIRST,
    MergeableBookmark,
    MergeableEntry,
    MergePreview,
    merge_by_key,
    preview_merge,
)

NOON = dt.datetime(2025, 4, 24, 12, tzinfo=dt.UTC)
moments = st.integers(0, 5).map(lambda hours: NOON + dt.timedelta(hours=hours))
maybe = st.none() | moments
bookmarks = st.builds(
    MergeableBookmark, st.sampled_from(LEVELS_STRONGEST_FIRST), moments, maybe, st.booleans(), maybe, maybe, maybe
)
entries = st.builds(
    MergeableEntry,
    st.sampled_from(["Lunch", "Flight"]),
    st.sampled_from(["", "Gate 4"]),
    moments,
    moments.map(lambda moment: moment + dt.timedelta(hours=9)),
    moments,
    moments,
    st.integers(0, 2),
    maybe,
)
agendas = st.dictionaries(st.integers(0, 4), bookmarks, max_size=5) | st.dictionaries(st.integers(5, 9), entries, max_size=5)


@given(agendas, agendas)
def test_merged_is_the_same_in_either_order(mine: Any, theirs: Any) -> None:
    assert merge_by_key(mine, theirs) == merge_by_key(theirs, mine)


def lunch(title: str, updated: int, sequence: int) -> dict[int, MergeableEntry]:
    hour = dt.timedelta(hours=1)
    return {5: MergeableEntry(title, "", NOON, NOON + hour, NOON, NOON + updated * hour, sequence)}


@given(agendas, agendas, agendas)
@example(lunch("Lunch", 0, 1), lunch("Flight", 1, 0), lunch("Lunch", 1, 0))
def test_merged_does_not_depend_on_who_merges_first(one: Any, two: Any, three: Any) -> None:
    assert merge_by_key(merge_by_key(one, two), three) == merge_by_key(one, merge_by_key(two, three))


@given(agendas, agendas)
def test_merged_twice_is_merged_once(mine: Any, theirs: Any) -> None:
    once = merge_by_key(mine, theirs)

    assert merge_by_key(once, theirs) == once == merge_by_key(once, once)


@given(agendas, agendas)
def test_merged_never_brings_back_what_either_removed(mine: Any, theirs: Any) -> None:
    gone = {key for agenda in (mine, theirs) for key, it in agenda.items() if it.removed_at}

    assert {key for key, it in merge_by_key(mine, theirs).items() if it.removed_at} == gone


@given(agendas, agendas)
def test_merged_loses_nothing_that_nobody_removed(mine: Any, theirs: Any) -> None:
    assert merge_by_key(mine, theirs).keys() == mine.keys() | theirs.keys()


@given(st.dictionaries(st.integers(0, 4), bookmarks), st.dictionaries(st.integers(0, 4), bookmarks))
def test_preview_counts_what_the_merge_does(mine: Any, theirs: Any) -> None:
    after = merge_by_key(mine, theirs)
    told = preview_merge(mine, theirs)

    assert told.new == sum(1 for key, bookmark in after.items() if bookmark.removed_at is None and key not in mine)
    assert told.removed_there == sum(1 for key, bookmark in mine.items() if bookmark.removed_at is None and after[key].removed_at)
    assert told.already + told.new + told.removed_here == sum(1 for bookmark in theirs.values() if bookmark.removed_at is None)


def test_preview_of_each_kind() -> None:
    live, gone = MergeableBookmark("must", NOON), MergeableBookmark("must", NOON, removed_at=NOON)

    told = preview_merge({"a": live, "b": gone, "c": live}, {"a": live, "b": live, "c": gone, "d": live, "e": gone})

    assert told == MergePreview(new=1, already=1, removed_here=1, removed_there=1)


def test_must_on_one_device_is_must_on_both() -> None:
    assert MergeableBookmark("later", NOON).merged(MergeableBookmark("must", NOON)).level == "must"

from __future__ import annotations

from events.schedule.names import FIRST, SECOND, given_name, is_given


def test_given_name_is_the_same_for_the_same_and_another_elsewhere() -> None:
    names = {(key, event, holder): given_name(key, event, holder) for key in "kl" for event in "ef" for holder in "gh"}

    assert {what: given_name(*what) for what in names} == names
    assert len(set(names.values())) == 8
    assert all(is_given(name) for name in names.values())


def test_parts_of_what_a_name_is_about_do_not_run_into_each_other() -> None:
    assert given_name("k", "ab", "c") != given_name("k", "a", "bc")


def test_there_are_names_for_a_hall() -> None:
    assert len({given_name("key", str(number)) for number in range(11_000)}) > 10_800
    assert len({*FIRST, *SECOND}) == 128


def test_only_what_is_given_is_given() -> None:
    assert [is_given(it) for it in ["Amber Heron 42", "Amber Heron 420", "amber heron 42", "Ada Lovelace"]] == [
        True,
        False,
        False,
        False,
    ]

from __future__ import annotations

from events.questions.rules import PSEUDONYM_FIRST_WORDS, PSEUDONYM_SECOND_WORDS, is_pseudonym, pseudonym


def test_given_name_is_the_same_for_the_same_and_another_elsewhere() -> None:
    names = {(key, event, holder): pseudonym(key, event, holder) for key in "kl" for event in "ef" for holder in "gh"}

    assert {what: pseudonym(*what) for what in names} == names
    assert len(set(names.values())) == 8
    assert all(is_pseudonym(name) for name in names.values())


def test_parts_of_what_a_name_is_about_do_not_run_into_each_other() -> None:
    assert pseudonym("k", "ab", "c") != pseudonym("k", "a", "bc")


def test_there_are_names_for_a_hall() -> None:
    assert len({pseudonym("key", str(number)) for number in range(11_000)}) > 10_800
    assert len({*PSEUDONYM_FIRST_WORDS, *PSEUDONYM_SECOND_WORDS}) == 128


def test_only_what_is_given_is_given() -> None:
    assert [is_pseudonym(it) for it in ["Amber Heron 42", "Amber Heron 420", "amber heron 42", "Ada Lovelace"]] == [
        True,
        False,
        False,
        False,
    ]

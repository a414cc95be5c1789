from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.schedule.lookalikes import looks_of, mixes_scripts, near
from events.schedule.names import FIRST, SECOND, given_name, is_given, is_office, like_any, passes_for_given, says_conference

BENGIO = ["Yoshua Bengio"]


@pytest.mark.parametrize(
    "name",
    [
        "Yoshua Bengio",
        "Y0shua Bengio",
        "Yoshua Beng10",
        "YOSHUA  BENGIO",
        "Yoshüa Bengïo",
        "Bengio, Yoshua",
        "Bengio Yoshua",
        "YoshuaBengio",
        "bengio.yoshua",
        "Y-o-s-h-u-a B e n g i o",
        "Y. Bengio",
        "YBengio",
        "Yoshua B.",
        "Yoshua M. Bengio",
        "Prof. Yoshua Bengio",
        "TheRealYoshuaBengio",
        "Yoshua Bengio 2",
        "Yoshua Bengi",
        "Yohsua Bengio",
        "Yoshuaa Bengio",
        "Joshua Bengio",
        "Yоshuа Веngiо",
        "Υοshua Βεngio",
        "𝐘𝐨𝐬𝐡𝐮𝐚 𝐁𝐞𝐧𝐠𝐢𝐨",
        "Ｙｏｓｈｕａ Ｂｅｎｇｉｏ",
        "Yoshua\u200b Ben\u2060gio",
        "Yo\u0301shua Bengio",
        "Yo\u3164\u3164shua Ben\u115f\uffa0gio",
        "ʏᴏꜱʜᴜᴀ ʙᴇɴɢɪᴏ",
        "🆈🅾🆂hua Bengio",
        "🇾🇴🇸hua Bengio",
        "🅨🅞shua Bengio",
        "The Real Dr. Bengio, Yoshua",
    ],
)
def test_name_that_would_be_read_as_somebodys_is_like_it(name: str) -> None:
    assert like_any(name, BENGIO)


@pytest.mark.parametrize("name", ["Ada Lovelace", "Samy Bengio", "Yoshua", "Bengio", "Y. B.", "Joshua Gordon", "李 明", "", "…"])
def test_name_that_is_somebody_elses_is_not(name: str) -> None:
    assert not like_any(name, BENGIO)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        pytest.param("Bemie Homer", "Bernie Horner", id="rn reads as m"),
        pytest.param("VVei Zhang", "Wei Zhang", id="vv reads as w"),
        pytest.param("Alice Smlth", "Alice Smith", id="l reads as i"),
        pytest.param("Yoshua Bengio", "Y. Bengio", id="the programme has the initial"),
        pytest.param("Geoffrey Hinton", "Geoffrey Everest Hinton", id="the programme has a middle name"),
        pytest.param("Lukasz Kaiser", "Łukasz Kaiser", id="a stroke through the letter"),
        pytest.param("Soren Hauberg", "Søren Hauberg", id="another stroke"),
        pytest.param("李飞飞", "李飞飞", id="no letters to fold"),
        pytest.param("Ηinton G.", "G. Hinton", id="a Greek capital"),
    ],
)
def test_likeness_is_of_what_is_seen(name: str, other: str) -> None:
    assert like_any(name, [other])
    assert like_any(other, [name])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Yoshua", True),
        ("Beng1o", True),
        ("Prof. Bengio", True),
        ("The real Yoshua", True),
        ("Samy Bengio", False),
        ("Ada", False),
        ("Y", False),
        ("Dr", False),
    ],
)
def test_one_word_of_a_name_is_too_much_where_its_bearer_stands(name: str, *, expected: bool) -> None:
    assert like_any(name, BENGIO, close=True) == expected


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("bengio", "bengio", True),
        ("bengio", "bengo", True),
        ("bengio", "benngio", True),
        ("bengio", "bengia", True),
        ("bengio", "begnio", True),
        ("bengio", "engio", True),
        ("bengio", "bengioo", True),
        ("bengio", "begino", False),
        ("bengio", "beng", False),
        ("jean", "joan", False),
        ("jean", "jeans", False),
        ("", "", True),
    ],
)
def test_near_is_one_letter_in_five(a: str, b: str, *, expected: bool) -> None:
    assert (near(a, b), near(b, a)) == (expected, expected)


def one_edit(word: str, at: int, letter: str) -> set[str]:
    return {
        word[:at] + letter + word[at:],
        word[:at] + word[at + 1 :],
        word[:at] + letter + word[at + 1 :],
        word[:at] + word[at + 1 : at + 2] + word[at : at + 1] + word[at + 2 :],
    }


@given(st.text("abcd", min_size=6, max_size=9), st.integers(0, 8), st.sampled_from("abcd"))
def test_whatever_one_edit_makes_is_near(word: str, at: int, letter: str) -> None:
    assert [it for it in one_edit(word, at, letter) if not near(word, it)] == []


@given(st.text(max_size=60), st.text(max_size=60))
def test_likeness_is_mutual_for_equals_and_never_fails(name: str, other: str) -> None:
    like_any(name, [other], close=True)
    assert like_any(name, [name]) == bool(looks_of(name))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Moderator", True),
        ("M0derat0r", True),
        ("The Session Chair", True),
        ("s t a f f", True),
        ("ProgramCommitteeMember", True),
        ("0rganiser", True),
        ("ΑDMIN", True),
        ("General Chairs", True),
        ("Mod", True),
        ("PC", True),
        ("A Reviewer", True),
        ("P. C. Chandra", False),
        ("PC Chandra", False),
        ("Chairat Wong", False),
        ("Claire St Clair", False),
        ("Hostetler", False),
        ("Teamo", False),
        ("Ada", False),
    ],
)
def test_office_is_no_name(name: str, *, expected: bool) -> None:
    assert is_office(name) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ICLR", True),
        ("1CLR 2025", True),
        ("ICLR News", True),
        ("The l.C.L.R.", True),
        ("Deep Learning lndaba", True),
        ("Deep Learner", False),
        ("iclrissa", False),
        ("AI", False),
        ("Ada Lovelace", False),
    ],
)
def test_name_of_the_conference_is_nobodys(name: str, *, expected: bool) -> None:
    assert says_conference(name, ["ICLR 2025", "iclr-2025", "Deep Learning Indaba", "AI", "2025"]) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Yоshua", True),
        ("Yoshua Βengio", True),
        ("Ada Lovelace", False),
        ("Ada 李", False),
        ("ひらがなとカナ", False),
        ("김 Ada", False),
    ],
)
def test_scripts_that_nobody_mixes(name: str, *, expected: bool) -> None:
    assert mixes_scripts(name) == expected


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


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Amber Heron 42", True),
        ("amber heron", True),
        ("AmberHer0n7", True),
        ("Arnber Heron 42", True),
        ("Fern Nebula", True),
        ("Femnebula", True),
        ("Amber Rose", False),
    ],
)
def test_own_name_does_not_pass_for_a_given_one(name: str, *, expected: bool) -> None:
    assert passes_for_given(name) == expected


def test_only_what_is_given_is_given() -> None:
    assert [is_given(it) for it in ["Amber Heron 42", "Amber Heron 420", "amber heron 42", "Ada Lovelace"]] == [
        True,
        False,
        False,
        False,
    ]

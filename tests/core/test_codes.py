from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.core.tokens import CODE_ALPHABET, DEVICE_CODE_LENGTH, format_code, new_code, normalize_code


def test_code_has_50_bits_and_nothing_to_mistake() -> None:
    codes = {new_code() for _ in range(200)}

    assert len(codes) == 200
    assert {len(code) for code in codes} == {10}
    assert len(new_code(DEVICE_CODE_LENGTH)) == 12
    assert set("".join(codes)) <= set(CODE_ALPHABET)
    assert len(CODE_ALPHABET) == 32
    assert not set("ILOU") & set(CODE_ALPHABET)


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("ABCDE-FGHJK", "ABCDEFGHJK"),
        (" abcde fghjk\n", "ABCDEFGHJK"),
        ("abcde–fghjk", "ABCDEFGHJK"),
        ("oilOI-LABCD", "0110 11ABCD".replace(" ", "")),
        ("ABCDE-FGHJ", ""),
        ("ABCDE-FGHJKM", ""),
        ("ABCDE-FGHJU", ""),
        ("", ""),
        ("\x00" * 10, ""),
        ("\ud800" * 10, ""),
        ("0" * 100_000, ""),
    ],
    ids=ascii,
)
def test_code_is_read_as_people_type_it(typed: str, code: str) -> None:
    assert normalize_code(typed) == code


@given(st.text(alphabet=CODE_ALPHABET, min_size=10, max_size=10) | st.text(alphabet=CODE_ALPHABET, min_size=12, max_size=12))
def test_code_in_groups_is_read_again(code: str) -> None:
    shown, length = format_code(code), len(code)

    assert normalize_code(shown, length) == normalize_code(shown.lower(), length) == code


@given(st.text())
def test_anything_typed_is_a_code_or_none(text: str) -> None:
    assert len(normalize_code(text)) in {0, 10}

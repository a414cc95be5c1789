"""A visitor's secret, sealed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.models.agenda import new_token
from events.models.sealing import BrokenSealError, seal, unseal


def test_unseal_gives_back_what_was_sealed() -> None:
    secret = new_token()

    assert unseal(seal(secret, purpose="handover", key="ABCDE"), purpose="handover", key="ABCDE") == secret


def test_seal_is_never_twice_the_same() -> None:
    secret = new_token()

    assert seal(secret, purpose="account", key="7") != seal(secret, purpose="account", key="7")


def test_seal_refuses_more_than_its_pad_covers() -> None:
    with pytest.raises(ValueError, match="32 characters"):
        seal("x" * 33, purpose="account", key="7")


@pytest.mark.parametrize(
    ("purpose", "key"), [("handover", "7"), ("account", "8"), ("account", "")], ids=["purpose", "key", "no-key"]
)
def test_unseal_refuses_what_was_sealed_for_something_else(purpose: str, key: str) -> None:
    sealed = seal(new_token(), purpose="account", key="7")

    with pytest.raises(BrokenSealError):
        unseal(sealed, purpose=purpose, key=key)


@given(st.integers(0, 63), st.integers(1, 255))
def test_unseal_notices_every_changed_byte(place: int, change: int) -> None:
    sealed = bytearray(seal("a" * 32, purpose="account", key="7"))
    sealed[place] ^= change

    with pytest.raises(BrokenSealError):
        unseal(bytes(sealed), purpose="account", key="7")


@given(st.binary(max_size=80))
def test_unseal_refuses_anything_else(text: bytes) -> None:
    with pytest.raises(BrokenSealError):
        unseal(text, purpose="account", key="7")


def test_unseal_knows_the_key_before_the_last(settings: Any) -> None:
    secret, settings.SECRET_KEY = new_token(), "the old key"
    sealed = seal(secret, purpose="account", key="7")

    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "the new key", ["the old key"]

    assert unseal(sealed, purpose="account", key="7") == secret


def test_sealed_does_not_show_the_secret() -> None:
    secret = new_token()

    assert secret.encode() not in seal(secret, purpose="account", key="7")

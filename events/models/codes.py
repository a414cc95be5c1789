"""Codes that people type: letters and digits that nobody mistakes for each other."""

from __future__ import annotations

import secrets

# Crockford's: no I, L, O and U.
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
LENGTH = 10
MISREAD = str.maketrans("OIL", "011", " -–—_.")


def new_code() -> str:
    """50 random bits."""
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


def as_typed(text: str) -> str:
    """The code that was meant, however it was written; empty if that is none."""
    code = "".join(text[:100].upper().split()).translate(MISREAD)
    return code if len(code) == LENGTH and set(code) <= set(ALPHABET) else ""


def in_groups(code: str) -> str:
    """As it is shown: ABCDE-FGHJK."""
    return f"{code[:5]}-{code[5:]}"

"""A visitor's secret put away so that neither the database nor the key to it is enough alone."""

from __future__ import annotations

import hmac
import secrets

from django.conf import settings
from django.utils.crypto import salted_hmac

NONCE = 16
SEAL = 16


class BrokenSealError(ValueError):
    """Not sealed by this site, or not with this key."""


def seal(secret: str, *, purpose: str, key: str) -> bytes:
    """At most 32 characters of ASCII, as one opaque value; never twice the same."""
    plain = secret.encode("ascii")
    if len(plain) > 32:
        raise ValueError("Only a visitor's secret is sealed, which has 32 characters.")
    nonce = secrets.token_bytes(NONCE)
    body = _mixed(plain, nonce, purpose, key, settings.SECRET_KEY)
    return nonce + _mark(nonce + body, purpose, key, settings.SECRET_KEY) + body


def unseal(sealed: bytes | memoryview[int], *, purpose: str, key: str) -> str:
    """What was sealed, also before SECRET_KEY was changed; raises BrokenSealError on anything else."""
    sealed = bytes(sealed)
    nonce, mark, body = sealed[:NONCE], sealed[NONCE : NONCE + SEAL], sealed[NONCE + SEAL :]
    for site_key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        if hmac.compare_digest(mark, _mark(nonce + body, purpose, key, site_key)):
            return _mixed(body, nonce, purpose, key, site_key).decode("ascii")
    raise BrokenSealError


def _mixed(text: bytes, nonce: bytes, purpose: str, key: str, site_key: str) -> bytes:
    """The text under a pad that is used once, because the nonce is; doing it again undoes it."""
    pad = _digest("pad", nonce, purpose, key, site_key)
    return bytes(a ^ b for a, b in zip(text, pad, strict=False))


def _mark(sealed: bytes, purpose: str, key: str, site_key: str) -> bytes:
    return _digest("mark", sealed, purpose, key, site_key)[:SEAL]


def _digest(part: str, data: bytes, purpose: str, key: str, site_key: str) -> bytes:
    # The key's length first: no other key and data read as the same bytes.
    value = f"{len(key)}:{key}:".encode() + data
    return salted_hmac(f"hallway.{purpose}.{part}", value, secret=site_key, algorithm="sha256").digest()

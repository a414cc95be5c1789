"""Tokens and codes: how they are generated, hashed and recovered; digests for ETags."""

from __future__ import annotations

import base64
import hashlib
import secrets
import uuid

from django.conf import settings
from django.db import models
from django.utils.crypto import constant_time_compare, salted_hmac

TOKEN_BYTES = 24


def new_token() -> str:
    """Return 192 random bits, as 32 characters that need no escaping in a URL."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def hash_token(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def derived_token(salt: str, key: uuid.UUID, secret_key: str | None = None) -> str:
    """Return a token computed from a stored key and SECRET_KEY; the database alone does not reveal it."""
    mac = salted_hmac(salt, str(key), secret=secret_key, algorithm="sha256").digest()
    return base64.urlsafe_b64encode(mac[:TOKEN_BYTES]).decode()


def recovered_token(salt: str, key: uuid.UUID, token_hash: str) -> str:
    """Return the token with this hash; "" if neither SECRET_KEY nor any of SECRET_KEY_FALLBACKS gives it."""
    tokens = (derived_token(salt, key, secret) for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS))
    return next((token for token in tokens if constant_time_compare(hash_token(token), token_hash)), "")


class SecretAddress(models.Model):
    """An address that is stored as a hash and can be shown again with SECRET_KEY."""

    salt: str

    key = models.UUIDField(default=uuid.uuid4, editable=False)
    token_hash = models.CharField(max_length=64, unique=True, editable=False)

    class Meta:
        abstract = True

    @property
    def token(self) -> str:
        """Return "" if SECRET_KEY was changed, or for an address of a version that derived it from the cookie."""
        return recovered_token(self.salt, self.key, self.token_hash)

    def make_token(self) -> None:
        """Must be called before the first save."""
        self.token_hash = hash_token(derived_token(self.salt, self.key))


# Crockford's: no I, L, O and U.
CODE_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
CODE_LENGTH = 10
# A device code is found by itself: whoever guesses, guesses at all valid ones at once. Tries at a mailed code are few.
DEVICE_CODE_LENGTH = 12
MISREAD_CHARACTERS = str.maketrans("OIL", "011", " -–—_.")


def new_code(length: int = CODE_LENGTH) -> str:
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(length))


def normalize_code(text: str, length: int = CODE_LENGTH) -> str:
    """Remove spaces and hyphens and correct misread letters; return "" if the result is not a code."""
    code = "".join(text[:100].upper().split()).translate(MISREAD_CHARACTERS)
    return code if len(code) == length and set(code) <= set(CODE_ALPHABET) else ""


def format_code(code: str) -> str:
    half = len(code) // 2
    return f"{code[:half]}-{code[half:]}"


def etag_digest(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]

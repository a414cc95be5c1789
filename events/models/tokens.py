"""Secrets in cookies and addresses: how they are made, and what the database stores of them."""

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
    """192 random bits, as 32 characters that need no escaping in a URL."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def digest(token: str) -> str:
    """What is stored of a token: it recognises the token, and does not give it away."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def derived_token(salt: str, key: uuid.UUID, secret_key: str | None = None) -> str:
    """A token that can be computed again from a stored key and SECRET_KEY, but not from the database alone."""
    mac = salted_hmac(salt, str(key), secret=secret_key, algorithm="sha256").digest()
    return base64.urlsafe_b64encode(mac[:TOKEN_BYTES]).decode()


def recovered_token(salt: str, key: uuid.UUID, token_hash: str) -> str:
    """The token with this hash; empty if neither SECRET_KEY nor any of SECRET_KEY_FALLBACKS gives it."""
    tokens = (derived_token(salt, key, it) for it in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS))
    return next((token for token in tokens if constant_time_compare(digest(token), token_hash)), "")


class SecretAddress(models.Model):
    """An address that is stored as a hash, and can be shown again with the help of SECRET_KEY."""

    salt: str

    key = models.UUIDField(default=uuid.uuid4, editable=False)
    token_hash = models.CharField(max_length=64, unique=True, editable=False)

    class Meta:
        abstract = True

    @property
    def token(self) -> str:
        """Empty if SECRET_KEY was changed, or if the address is from a version that derived it from the cookie."""
        return recovered_token(self.salt, self.key, self.token_hash)

    def make_token(self) -> None:
        """Before the first save."""
        self.token_hash = digest(derived_token(self.salt, self.key))

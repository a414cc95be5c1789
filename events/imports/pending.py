"""Uploaded files that wait for confirmation, in ``UPLOAD_ROOT``.

Not in the media folder, which is public, and not in the cache, which other workers may not share.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import re
import secrets
import shutil
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils import timezone

PENDING_UPLOAD_TTL = dt.timedelta(hours=1)
SHARED_UPLOAD_TTL = dt.timedelta(days=30)
"""Of a file that any organiser may decide on: that of an address that is followed."""
MAX_PENDING_UPLOADS_PER_USER = 5
"""So many files of one person wait at once on one page; an older one is dropped for a new one."""
UPLOAD_TOKEN_PATTERN = re.compile(r"[A-Za-z0-9_-]{22}\Z")


@dataclass(frozen=True)
class PendingUpload:
    """``purpose`` is the page it was sent to, ``options`` the answers there, ``preview`` what it would do.

    One without a user waits for any organiser.
    """

    token: str
    user_id: int | None
    purpose: str
    name: str
    size: int
    digest: str
    kept_at: str
    options: dict[str, Any]
    preview: dict[str, Any]

    def read_content(self) -> bytes | None:
        """Return the content of the file, which stays; None if it is gone."""
        try:
            content = (upload_folder() / self.token / "file").read_bytes()
        except OSError:
            return None
        return content if hashlib.sha256(content).hexdigest() == self.digest else None

    def pop_content(self) -> bytes | None:
        """Remove the file and return its content; None if another request has removed it first."""
        taken = upload_folder() / f"{self.token}.taken"
        try:
            (upload_folder() / self.token).rename(taken)
        except OSError:
            return None
        try:
            content = (taken / "file").read_bytes()
        except OSError:
            return None
        finally:
            shutil.rmtree(taken, ignore_errors=True)
        return content if hashlib.sha256(content).hexdigest() == self.digest else None


def upload_folder() -> Path:
    return Path(settings.UPLOAD_ROOT)


def store_upload(
    user: Any,
    purpose: str,
    name: str,
    content: bytes,
    preview: dict[str, Any],
    *,
    most: int = MAX_PENDING_UPLOADS_PER_USER,
    **options: Any,
) -> PendingUpload:
    """Store a file of this user, who has at most so many of this purpose; of any organiser, if it is None."""
    user_id = user.pk if user else None
    delete_expired_uploads(user_id, purpose, most)
    upload = PendingUpload(
        token=secrets.token_urlsafe(16),
        user_id=user_id,
        purpose=purpose,
        name="".join(letter for letter in name if letter.isprintable())[:200] or "file",
        size=len(content),
        digest=hashlib.sha256(content).hexdigest(),
        kept_at=timezone.now().isoformat(),
        options=options,
        preview=preview,
    )
    folder = upload_folder() / upload.token
    upload_folder().mkdir(parents=True, exist_ok=True, mode=0o700)
    folder.mkdir(mode=0o700)
    (folder / "file").write_bytes(content)
    (folder / "about.json").write_text(json.dumps(vars(upload)), encoding="utf-8")
    return upload


def find_upload(user: Any, purpose: str, token: str) -> PendingUpload | None:
    """The upload with this token, if it is this user's, or everybody's for None, of this page, and not expired."""
    if not UPLOAD_TOKEN_PATTERN.match(token):
        return None
    upload = _read_upload(upload_folder() / token)
    if upload is None or (upload.user_id, upload.purpose) != (user.pk if user else None, purpose) or _is_expired(upload):
        return None
    return upload


def delete_expired_uploads(user_id: int | None, purpose: str, most: int) -> None:
    """Delete expired uploads of all users, and the oldest of a user who has too many of a purpose for one more."""
    of_user = []
    for folder in upload_folder().iterdir() if upload_folder().is_dir() else ():
        upload = _read_upload(folder)
        if (upload is None and _is_abandoned(folder)) or (upload is not None and _is_expired(upload)):
            shutil.rmtree(folder, ignore_errors=True)
        elif upload is not None and user_id is not None and (upload.user_id, upload.purpose) == (user_id, purpose):
            of_user.append(upload)
    for upload in sorted(of_user, key=lambda it: it.kept_at)[: max(0, len(of_user) - most + 1)]:
        upload.pop_content()


def _read_upload(folder: Path) -> PendingUpload | None:
    try:
        return PendingUpload(**json.loads((folder / "about.json").read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def _is_expired(upload: PendingUpload) -> bool:
    ttl = SHARED_UPLOAD_TTL if upload.user_id is None else PENDING_UPLOAD_TTL
    return timezone.now() - dt.datetime.fromisoformat(upload.kept_at) > ttl


def _is_abandoned(folder: Path) -> bool:
    """Whether an incomplete upload is old enough not to be in progress."""
    try:
        return time.time() - folder.stat().st_mtime > PENDING_UPLOAD_TTL.total_seconds()
    except OSError:
        return False

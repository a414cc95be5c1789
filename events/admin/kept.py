"""Uploaded files between the page that shows what they would do and the button that does it.

They lie in a folder of their own: the media folder is served to everybody, and the cache of one worker is not that of the next.
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

LASTS = dt.timedelta(hours=1)
EACH = 5
"""So many files of one person wait at once; an older one is dropped for a new one."""
TOKEN = re.compile(r"[A-Za-z0-9_-]{22}\Z")


@dataclass(frozen=True)
class KeptFile:
    """``purpose`` is the page it was sent to; ``options`` what was chosen there; ``preview`` what it would do."""

    token: str
    user_id: int
    purpose: str
    name: str
    size: int
    digest: str
    kept_at: str
    options: dict[str, Any]
    preview: dict[str, Any]

    def take(self) -> bytes | None:
        """The file, and nothing of it stays here; None for all but the first of those who take it at once."""
        taken = folder() / f"{self.token}.taken"
        try:
            (folder() / self.token).rename(taken)
        except OSError:
            return None
        try:
            content = (taken / "file").read_bytes()
        except OSError:
            return None
        finally:
            shutil.rmtree(taken, ignore_errors=True)
        return content if hashlib.sha256(content).hexdigest() == self.digest else None


def folder() -> Path:
    return Path(settings.UPLOAD_ROOT)


def keep(user: Any, purpose: str, name: str, content: bytes, preview: dict[str, Any], **options: Any) -> KeptFile:
    sweep(user.pk)
    kept = KeptFile(
        token=secrets.token_urlsafe(16),
        user_id=user.pk,
        purpose=purpose,
        name="".join(letter for letter in name if letter.isprintable())[:200] or "file",
        size=len(content),
        digest=hashlib.sha256(content).hexdigest(),
        kept_at=timezone.now().isoformat(),
        options=options,
        preview=preview,
    )
    place = folder() / kept.token
    folder().mkdir(parents=True, exist_ok=True, mode=0o700)
    place.mkdir(mode=0o700)
    (place / "file").write_bytes(content)
    (place / "about.json").write_text(json.dumps(vars(kept)), encoding="utf-8")
    return kept


def find(user: Any, purpose: str, token: str) -> KeptFile | None:
    """The file under this token, if it is this person's, was sent to this page, and has not expired."""
    if not TOKEN.match(token):
        return None
    kept = _read(folder() / token)
    if kept is None or (kept.user_id, kept.purpose) != (user.pk, purpose) or _is_old(kept):
        return None
    return kept


def sweep(user_id: int) -> None:
    """Leave nothing behind: what has expired, and the oldest of somebody who keeps sending more."""
    own = []
    for place in folder().iterdir() if folder().is_dir() else ():
        kept = _read(place)
        if (kept is None and _is_unfinished(place)) or (kept is not None and _is_old(kept)):
            shutil.rmtree(place, ignore_errors=True)
        elif kept is not None and kept.user_id == user_id:
            own.append(kept)
    for kept in sorted(own, key=lambda it: it.kept_at)[: max(0, len(own) - EACH + 1)]:
        kept.take()


def _read(place: Path) -> KeptFile | None:
    try:
        return KeptFile(**json.loads((place / "about.json").read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def _is_old(kept: KeptFile) -> bool:
    return timezone.now() - dt.datetime.fromisoformat(kept.kept_at) > LASTS


def _is_unfinished(place: Path) -> bool:
    """Left by somebody who was cut off; what is just being written has a little time."""
    try:
        return time.time() - place.stat().st_mtime > LASTS.total_seconds()
    except OSError:
        return False

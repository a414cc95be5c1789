"""Look at an address that a conference follows: fetch, compare, then apply, wait for an organiser, or say why neither."""

from __future__ import annotations

import datetime as dt
import hashlib
import logging
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.utils import timezone as clock

from events.core.fetching import PUBLIC_INTERNET, Fetched, FetchError, Internet, fetch
from events.core.parsing.errors import ColumnsNeededError, ScheduleParseError, TimeZoneNeededError
from events.imports import pending
from events.imports.following_mail import mail_problem, mail_waiting
from events.imports.formats.document import Document
from events.imports.formats.registry import SPREADSHEET_FORMAT
from events.imports.models import FIRST_LOOK_DELAY, MAX_LOOK_DELAY, FollowedSource, ImportRun, WaitingFor
from events.imports.previews import ImpactOf, preview_programme
from events.imports.runs import error_text, record_unopened_file, run_import
from events.imports.sync.report import LOOKS_ONLY, ROW_CANCELLED, ROW_CHANGED, SyncError, TooManyCancelledError

DECISION_PURPOSE = "events_followedsource_waiting"
"""Of a file that waits for a decision, as in the addresses of the admin."""
COLUMNS_PURPOSE = f"{DECISION_PURPOSE}_columns"
SOURCE_BUSY_TEXT = "Somebody else is looking at this address just now: try again in a minute."
SAME_FILE_TEXT = "The file is the same as last time."
UNEXPECTED_TEXT = "An error of Hallway kept the file from being read: its administrator finds the error in the log."

logger = logging.getLogger("events.imports")


class LookResult(StrEnum):
    BUSY = "busy"
    UNCHANGED = "unchanged"
    APPLIED = "applied"
    WAITS = "waits"
    FAILED = "failed"


@dataclass(frozen=True)
class Look:
    """What came of one look, in a sentence; ``run`` is that of an import that was applied."""

    result: LookResult
    text: str
    run: ImportRun | None = None


class _GrewError(Exception):
    """The import would change more than the comparison before it."""


def follow(source: FollowedSource, *, impact_of: ImpactOf, user: Any = None, internet: Internet = PUBLIC_INTERNET) -> Look:
    """Look at the address. With a ``user``, who asked for it, the file is fetched and compared even if it is not new.

    What a user sees is not mailed, and does not count as one of several failures.
    """
    if not source.lock():
        return Look(LookResult.BUSY, SOURCE_BUSY_TEXT)
    try:
        return _Follower(source, impact_of, user, internet).look()
    finally:
        source.unlock()


@dataclass
class _Follower:
    source: FollowedSource
    impact_of: ImpactOf
    user: Any
    internet: Internet

    def look(self) -> Look:
        try:
            fetched = self._fetch()
            return self._compare(fetched) if fetched else self._unchanged(SAME_FILE_TEXT)
        except (FetchError, ScheduleParseError, SyncError) as error:
            return self._failed(_sentence(error), retry_after=getattr(error, "retry_after", 0))
        except Exception:
            logger.exception("Followed source %s", self.source.pk)
            return self._failed(UNEXPECTED_TEXT)

    def _fetch(self) -> Fetched | None:
        source = self.source
        # Whoever presses the button wants to see the difference, and a file that waits and is lost is fetched again.
        if self.user or self._is_waiting_lost:
            return fetch(source.url, internet=self.internet)
        return fetch(source.url, etag=source.etag, last_modified=source.last_modified, internet=self.internet)

    @property
    def _is_waiting_lost(self) -> bool:
        return self.source.is_waiting and not waiting_upload(self.source)

    def _compare(self, fetched: Fetched) -> Look:
        is_known = _digest(fetched) == self.source.digest
        if is_known and not self.user and not self._is_waiting_lost:
            return self._unchanged(SAME_FILE_TEXT, **_validators(fetched))
        document = self._document(fetched)
        # The comparison has to show also what only an organiser may decide.
        options = import_options(self.source) | {"allow_cancel": True}
        try:
            run, preview = self._preview(document, options)
        except ColumnsNeededError as error:
            return self._wait(fetched, COLUMNS_PURPOSE, WaitingFor.COLUMNS, _sentence(error), {}, options)
        if run.is_empty:
            return self._unchanged(f"Nothing would change: {run.summary}.", **self._decided(fetched))
        warning = self._warning(document, options) if run.cancelled else ""
        if not (warning or is_known or self.source.must_ask) and self._may_apply(run):
            try:
                return self._apply(fetched, document, options)
            except _GrewError:
                run, preview = self._preview(document, options)
        if run.format == SPREADSHEET_FORMAT:
            options["columns"] = {}
        text = warning or f"{counts_in_words(run)} would change."
        preview["warning"] = warning
        return self._wait(fetched, DECISION_PURPOSE, WaitingFor.DECISION, text, preview, options)

    def _warning(self, document: Document, options: dict[str, Any]) -> str:
        """What an import says that was not allowed to cancel more than a fifth of the events."""
        try:
            run_import(document, user=self.user, **options | {"allow_cancel": False, "dry_run": True})
        except TooManyCancelledError as error:
            return error.with_remedy("it may be incomplete.")
        return ""

    def _document(self, fetched: Fetched) -> Document:
        try:
            return Document.from_upload(fetched.name, fetched.content)
        except ScheduleParseError as error:
            if self._is_new_problem:
                slug = self.source.conference.slug
                record_unopened_file(fetched.name, fetched.content, error, slug=slug, user=self.user)
            raise

    @property
    def _is_new_problem(self) -> bool:
        """A file that is refused each time has one record."""
        return not self.source.problem or bool(self.user)

    def _preview(self, document: Document, options: dict[str, Any]) -> tuple[ImportRun, dict[str, Any]]:
        refused = {"keep_refused": self._is_new_problem}
        return preview_programme(document, user=self.user, impact_of=self.impact_of, **options | refused)

    def _may_apply(self, run: ImportRun) -> bool:
        return self.source.applies_up_to > 0 and changes_of(run) <= self.source.applies_up_to and not run.left_out

    def _apply(self, fetched: Fetched, document: Document, options: dict[str, Any]) -> Look:
        def accept(run: ImportRun) -> None:
            if not self._may_apply(run):
                raise _GrewError

        run = run_import(document, user=self.user, **options | {"allow_cancel": False, "accept": accept})
        self.source.store(**self._came_in(), **self._decided(fetched))
        return Look(LookResult.APPLIED, f"Applied: {run.summary}.", run)

    def _unchanged(self, text: str, **values: Any) -> Look:
        self.source.store(**self._came_in(), **values)
        return Look(LookResult.UNCHANGED, text)

    def _decided(self, fetched: Fetched) -> dict[str, Any]:
        """Nothing waits any more, and this file is not news any more."""
        drop_waiting(self.source)
        return nothing_waits() | _validators(fetched) | {"digest": _digest(fetched), "asks_first": False}

    def _came_in(self) -> dict[str, Any]:
        now = clock.now()
        return {"looked_at": now, "next_at": now, "problem": "", "failures": 0, "failing_since": None}

    def _wait(
        self,
        fetched: Fetched,
        purpose: str,
        waiting_for: WaitingFor,
        text: str,
        preview: dict[str, Any],
        options: dict[str, Any],
    ) -> Look:
        source, digest = self.source, _digest(fetched)
        is_news = digest != source.digest
        drop_waiting(source)
        upload = pending.store_upload(None, purpose, fetched.name, fetched.content, preview, **options)
        waiting = {"waiting_for": waiting_for, "waiting_token": upload.token, "waiting_text": text[:300], "digest": digest}
        if not source.store(**self._came_in(), **_validators(fetched), **waiting):
            # The address was changed meanwhile.
            upload.pop_content()
        elif is_news and not self.user:
            mail_waiting(source)
        return Look(LookResult.WAITS, text)

    def _failed(self, problem: str, *, retry_after: int = 0) -> Look:
        now, source = clock.now(), self.source
        values: dict[str, Any] = {"looked_at": now, "problem": problem, "failing_since": source.failing_since or now}
        if not self.user:
            values |= {"failures": source.failures + 1, "next_at": now + _delay(source.failures, retry_after)}
        source.store(**values)
        if not self.user:
            mail_problem(source)
        return Look(LookResult.FAILED, problem)


def import_options(source: FollowedSource) -> dict[str, Any]:
    """How a file of this address is imported."""
    shared = {name: getattr(source, name) for name in ("format", "timezone", "source", "reason")}
    return {"slug": source.conference.slug, "create": False, "followed": source.pk, **shared}


def changes_of(run: ImportRun) -> int:
    """New, changed and cancelled events, and changed rows of other kinds: a room that is renamed changes its events too."""
    other = [line for line in run.lines if line["what"] != "event" and line["verb"] == ROW_CHANGED]
    return run.created + run.changed + run.cancelled + sum(tuple(line.get("about", ())) != LOOKS_ONLY for line in other)


def counts_in_words(run: ImportRun) -> str:
    counts = [(run.created, "new"), (run.changed, ROW_CHANGED), (run.cancelled, ROW_CANCELLED)]
    words = [f"{number} {word}" for number, word in counts if number]
    number = sum(number for number, _ in counts)
    return f"{number} event{'' if number == 1 else 's'} ({', '.join(words)})" if words else f"{run.other_rows} other rows"


def waiting_upload(source: FollowedSource) -> pending.PendingUpload | None:
    purpose = COLUMNS_PURPOSE if source.waiting_for == WaitingFor.COLUMNS else DECISION_PURPOSE
    return pending.find_upload(None, purpose, source.waiting_token)


def drop_waiting(source: FollowedSource) -> None:
    if upload := waiting_upload(source):
        upload.pop_content()


def nothing_waits() -> dict[str, Any]:
    return {"waiting_for": WaitingFor.NOTHING, "waiting_token": "", "waiting_text": ""}


def _digest(fetched: Fetched) -> str:
    return hashlib.sha256(fetched.content).hexdigest()


def _validators(fetched: Fetched) -> dict[str, Any]:
    return {"etag": fetched.etag, "last_modified": fetched.last_modified}


def _delay(failures: int, retry_after: int) -> dt.timedelta:
    """Double it each time, and wait for as long as the host asks."""
    delay: dt.timedelta = min(FIRST_LOOK_DELAY * 2 ** min(failures, 20), MAX_LOOK_DELAY)
    return max(delay, dt.timedelta(seconds=retry_after))


def _sentence(error: Exception) -> str:
    text = error_text(error)
    if isinstance(error, TimeZoneNeededError):
        return f"{text}. Choose it on the page of this address."
    return text if text.endswith((".", "?")) else f"{text}."

"""Which revision last changed what, as one process knows it: whether a page of an earlier revision still holds."""

from __future__ import annotations

import threading
from collections.abc import Collection

from events.core.byte_cache import PROCESS_CACHE
from events.programme.models.conference import Conference, RevisionScope

MAX_KNOWN_SUBJECTS = 10_000
"""About 1.5 MB in a process. Beyond it, earlier pages are rendered anew."""


class KnownRevisions:
    """What is known of one conference. In the cache of the process: when it is dropped, all earlier pages are stale."""

    def __init__(self) -> None:
        self.revision = -1
        # Pages of earlier revisions are stale, whatever they show.
        self.everything = 0
        self._last: dict[str, int] = {}
        self._lock = threading.Lock()

    def holds(self, since: int, subjects: Collection[str] | None) -> bool:
        """Whether no revision after ``since`` changed one of ``subjects``; None are all there are."""
        if since == self.revision:
            return True
        if subjects is None or not self.everything <= since < self.revision:
            return False
        last = self._last
        return all(last.get(subject, 0) <= since for subject in subjects)

    def begin(self, revision: int) -> None:
        """Begin with the revision of the first page: no earlier one can be asked for."""
        with self._lock:
            if self.revision < 0:
                self.revision = self.everything = revision

    def advance(self, conference: int) -> int | None:
        """Read what changed since; return the revision, or None if the conference is not public."""
        return self.advance_to(conference, Conference.public_revision(conference))

    def advance_to(self, conference: int, revision: int | None) -> int | None:
        """The same, for a revision that was read just now."""
        if revision is None or revision == self.revision:
            return revision
        with self._lock:
            if revision < self.revision:
                # Another thread may have read a later one meanwhile; asked again, a lower one is from a restored backup.
                revision = Conference.public_revision(conference)
            if revision is not None and revision != self.revision:
                self._learn(conference, revision)
        return revision

    def _learn(self, conference: int, revision: int) -> None:
        if revision < self.revision:
            PROCESS_CACHE.clear()
        known, last = self.revision, self._last
        rows = RevisionScope.objects.filter(conference=conference, revision__gt=known, revision__lte=revision)
        scopes = dict(rows.values_list("revision", "subjects")) if 0 <= known < revision else {}
        if len(scopes) < revision - known or len(last) > MAX_KNOWN_SUBJECTS:
            # A revision without a row changed everything.
            self.everything, last = revision, {}
        # A new dictionary, as other threads read the former one.
        self._last = last | {subject: number for number in sorted(scopes) for subject in scopes[number]}
        self.revision = revision


def still_holds(conference: Conference, since: int, subjects: Collection[str] | None) -> bool:
    """Whether nothing of ``subjects`` changed after the revision ``since`` until that of the conference."""
    known = known_revisions(conference.pk)
    if known.revision < conference.revision:
        known.advance(conference.pk)
    return since == conference.revision or (conference.revision <= known.revision and known.holds(since, subjects))


def last_change_of_everything(conference: Conference) -> int:
    """Return the last revision that may have changed anything: later ones say what they changed."""
    known = known_revisions(conference.pk)
    known.begin(conference.revision)
    if known.revision != conference.revision:
        known.advance(conference.pk)
    return known.everything


def events_tell_since(conference: Conference, revision: int) -> bool:
    """Whether each revision after this one says what it changed: then only events look different, by their ``revised_at``."""
    later = RevisionScope.objects.filter(conference=conference, revision__gt=revision, revision__lte=conference.revision)
    return revision <= conference.revision and later.count() == conference.revision - revision


def known_revisions(conference: int) -> KnownRevisions:
    return PROCESS_CACHE.get_or_build(("revisions", conference), KnownRevisions)

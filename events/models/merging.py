"""One visitor's agendas become another's, when two devices turn out to be one person's."""

from __future__ import annotations

import datetime as dt

from django.db import models

from events.models.accounts import Account
from events.models.agenda import Agenda, digest
from events.models.feeds import OPTIONS, ReplacedFeed
from events.models.picks import Bookmark
from events.models.places import release_all, take_seats
from events.models.private_entries import PrivateEntry
from events.models.questions import Question, QuestionVote
from events.models.writing import short_write
from events.schedule.merging import Pick, Private

PICK_FIELDS = ("level", "created_at", "removed_at", "presents", "seen_at", "visited_at", "downloaded_at")
ENTRY_FIELDS = ("title", "place", "start", "end", "created_at", "updated_at", "sequence", "removed_at")


def merge_visitors(old: str, new: str) -> None:
    """All that the holder of the one secret has becomes the other's; the old secret opens nothing any more."""
    if old == new:
        return
    with short_write():
        Account.follow(old, new)
        for agenda in held(old, new):
            if agenda.token_hash == digest(old):
                absorb(Agenda.begin(new, agenda.conference), agenda)


def replace_visitor(old: str, new: str) -> None:
    """What the holder of the one secret has is given up for the other's."""
    if old == new:
        return
    with short_write():
        Account.follow(old, new)
        agendas = held(old, new)
        kept = {it.conference_id: it for it in agendas if it.token_hash == digest(new)}
        for agenda in agendas:
            if agenda.token_hash == digest(old):
                _end(agenda, kept.get(agenda.conference_id))


def held(*tokens: str) -> list[Agenda]:
    """Everything of these visitors, locked in one order, so that two who merge with each other do not wait for ever."""
    agendas = Agenda.objects.filter(token_hash__in=[digest(token) for token in tokens if token])
    return list(agendas.select_related("conference").select_for_update(of=("self",)).order_by("pk"))


def absorb(agenda: Agenda, other: Agenda) -> bool:
    """Take in all that another agenda of the same conference has, which ends; True when that changed anything."""
    with short_write():
        list(Agenda.objects.filter(pk__in=[agenda.pk, other.pk]).select_for_update().order_by("pk"))
        if not agenda.revision:
            _inherit(agenda, other)
        taken = (_take_start, _take_picks, _take_entries, _take_questions, take_seats)
        # Each is taken, whatever another one changed.
        changed = agenda.change(lambda now: sum(take(agenda, other) for take in taken) > 0)
        _end(other, agenda)
    return changed


def copy_picks(agenda: Agenda, other: Agenda) -> int:
    """Pick what somebody else means to attend; what was taken out here stays out. How many are new."""
    new: list[Bookmark] = []

    def write(now: dt.datetime) -> bool:
        known = agenda.bookmarks.values("event")
        wanted = other.attended().exclude(event__in=known).values_list("event_id", "level")
        new.extend(Bookmark(agenda=agenda, event_id=event, level=level, created_at=now) for event, level in wanted)
        Bookmark.objects.bulk_create(new)
        return bool(new)

    agenda.change(write)
    return len(new)


def _inherit(agenda: Agenda, other: Agenda) -> None:
    """What was begun only to take the other in goes on as the other did."""
    names = (*OPTIONS, "start", "created_at", "digested_at")
    Agenda.objects.filter(pk=agenda.pk).update(**{name: getattr(other, name) for name in names})


def _end(agenda: Agenda, heir: Agenda | None) -> None:
    """Calendars that still ask for it are told; its read-only links end, because whoever knew the old secret may know them."""
    if heir is not None:
        ReplacedFeed.objects.filter(agenda=agenda).update(agenda=heir)
        heir.replaced_feeds.create(token_hash=agenda.feed_token_hash)
    release_all([agenda])
    Question.objects.filter(agenda=agenda).disown()
    agenda.delete()


def _take_start(agenda: Agenda, other: Agenda) -> bool:
    """Where one comes from, unless it is known here."""
    own = Agenda.objects.filter(pk=agenda.pk, start=None)
    return bool(other.start_id and own.update(start=other.start_id))


def _take_picks(agenda: Agenda, other: Agenda) -> bool:
    both = other.bookmarks.filter(event__in=agenda.bookmarks.values("event"))
    theirs = {it.event_id: it for it in both}
    mine = agenda.bookmarks.filter(event__in=list(theirs))
    changed = [it for it in mine if _assign(it, as_pick(it), as_pick(theirs[it.event_id]))]
    Bookmark.objects.bulk_update(changed, PICK_FIELDS)
    moved = other.bookmarks.exclude(event__in=list(theirs)).update(agenda=agenda)
    return bool(changed or moved)


def _take_entries(agenda: Agenda, other: Agenda) -> bool:
    both = other.private_entries.filter(guid__in=agenda.private_entries.values("guid"))
    theirs = {it.guid: it for it in both}
    mine = agenda.private_entries.filter(guid__in=list(theirs))
    changed = [it for it in mine if _assign(it, as_private(it), as_private(theirs[it.guid]))]
    PrivateEntry.objects.bulk_update(changed, ENTRY_FIELDS)
    moved = other.private_entries.exclude(guid__in=list(theirs)).update(agenda=agenda)
    return bool(changed or moved)


def _take_questions(agenda: Agenda, other: Agenda) -> bool:
    """Names stay as they were read; of two votes for one question one counts, and none for one's own."""
    asked = Question.objects.filter(agenda=other).update(agenda=agenda)
    twice = QuestionVote.objects.filter(agenda=other, question__in=agenda.question_votes.values("question"))
    twice.delete()
    voted = other.question_votes.update(agenda=agenda)
    agenda.question_votes.filter(question__agenda=agenda).delete()
    return bool(asked or voted)


def _assign(row: models.Model, mine: Pick | Private, theirs: Pick | Private) -> bool:
    """Write into the row what the two make together; False when that is what it says already."""
    joined = mine.merged(theirs)  # type: ignore[arg-type]
    for name, value in vars(joined).items():
        setattr(row, "created_at" if name == "picked_at" else name, value)
    return joined != mine


def as_pick(row: Bookmark) -> Pick:
    return Pick(
        level=row.level,
        picked_at=row.created_at,
        removed_at=row.removed_at,
        presents=row.presents,
        seen_at=row.seen_at,
        visited_at=row.visited_at,
        downloaded_at=row.downloaded_at,
    )


def as_private(row: PrivateEntry) -> Private:
    return Private(**{name: getattr(row, name) for name in ENTRY_FIELDS})

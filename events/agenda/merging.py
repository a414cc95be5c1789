"""Merging the agendas of two visitors, when two devices belong to one person."""

from __future__ import annotations

import datetime as dt

from django.db import models
from django.utils import timezone

from events.agenda.lifecycle import LIFECYCLE
from events.agenda.models.agenda import Agenda
from events.agenda.models.bookmarks import Bookmark
from events.agenda.models.notes import Note
from events.agenda.models.private_entries import PrivateEntry
from events.agenda.models.visitors import Account, Visitor
from events.agenda.rules.merging import MergeableBookmark, MergeableEntry, merged_notes
from events.core.db.writing import serialized_write

BOOKMARK_FIELDS = ("level", "created_at", "removed_at", "decided_at", "presents", "seen_at", "visited_at", "downloaded_at")
PRIVATE_ENTRY_FIELDS = ("title", "place", "start", "end", "created_at", "updated_at", "sequence", "removed_at")


def merge_visitors(old: Visitor, new: Visitor) -> None:
    """Move everything from the old visitor to the new one. The old tokens and links stop working."""
    if old == new:
        return
    with serialized_write():
        agendas, heirs = _agendas_and_heirs(old, new)
        for agenda in agendas:
            if heir := heirs.get(agenda.conference_id):
                merge_agenda(heir, agenda)
            else:
                _move(agenda, new)
        old.end()


def replace_visitor(old: Visitor, new: Visitor) -> None:
    """Delete what the old visitor has; the new one gets only the account."""
    if old == new:
        return
    with serialized_write():
        agendas, heirs = _agendas_and_heirs(old, new)
        for agenda in agendas:
            _delete_agenda(agenda, heirs.get(agenda.conference_id))
        old.end()


def locked_agendas(*visitors: Visitor) -> list[Agenda]:
    """All agendas of these visitors, locked in the order that ``Visitor.objects.lock`` gives."""
    Visitor.objects.lock(*visitors)
    agendas = Agenda.objects.filter(visitor__in=visitors).select_related("conference")
    return list(agendas.select_for_update(of=("self",)).order_by("pk"))


def _agendas_and_heirs(old: Visitor, new: Visitor) -> tuple[list[Agenda], dict[int, Agenda]]:
    """The agendas of the old visitor, and those of the new one by conference. The account moves to the new visitor."""
    agendas = locked_agendas(old, new)
    if account := Account.objects.filter(visitor=old).first():
        # Two accounts share no agenda: if both have one, the account of the old visitor continues with an empty visitor.
        account.visitor = Visitor.objects.create() if Account.objects.filter(visitor=new).exists() else new
        account.save(update_fields=["visitor"])
    heirs = {it.conference_id: it for it in agendas if it.visitor_id == new.pk}
    return [it for it in agendas if it.visitor_id == old.pk], heirs


def _move(agenda: Agenda, visitor: Visitor) -> None:
    """Replace the feed and end the links: others may know them from the old visitor's browser."""
    agenda.visitor = visitor
    agenda.save(update_fields=["visitor"])
    agenda.reset_feed()
    agenda.read_links.all().revoke()


def merge_agenda(agenda: Agenda, other: Agenda) -> bool:
    """Move everything from another agenda of the same conference and delete that one; True if the agenda changed."""
    with serialized_write():
        list(Agenda.objects.filter(pk__in=[agenda.pk, other.pk]).select_for_update().order_by("pk"))
        merges = (_merge_start, _merge_bookmarks, _merge_entries, _merge_notes, LIFECYCLE.merge)
        # Each one runs, whatever another one changed.
        changed = agenda.change(lambda now: sum(merge(agenda, other) for merge in merges) > 0)
        _delete_agenda(other, agenda)
    return changed


def copy_bookmarks(agenda: Agenda, other: Agenda) -> int:
    """Bookmark what another visitor wants to attend, without what was removed here. Return the number of new bookmarks."""
    new: list[Bookmark] = []

    def write(now: dt.datetime) -> bool:
        present = agenda.bookmarks.values("event")
        wanted = other.attended().exclude(event__in=present).values_list("event_id", "level")
        new.extend(Bookmark(agenda=agenda, event_id=event, level=level, created_at=now) for event, level in wanted)
        Bookmark.objects.bulk_create(new)
        return bool(new)

    agenda.change(write)
    return len(new)


def _delete_agenda(agenda: Agenda, heir: Agenda | None) -> None:
    """Its feed addresses stay with the heir as replaced ones; its read links are deleted."""
    if heir is not None:
        agenda.feed_addresses.filter(replaced_at=None).update(replaced_at=timezone.now())
        agenda.feed_addresses.update(agenda=heir)
    LIFECYCLE.release([agenda])
    agenda.delete()


def _merge_start(agenda: Agenda, other: Agenda) -> bool:
    without_start = Agenda.objects.filter(pk=agenda.pk, start=None)
    return bool(other.start_id and without_start.update(start=other.start_id))


def _merge_bookmarks(agenda: Agenda, other: Agenda) -> bool:
    both = other.bookmarks.filter(event__in=agenda.bookmarks.values("event"))
    theirs = {it.event_id: it for it in both}
    mine = agenda.bookmarks.filter(event__in=list(theirs))
    changed = [it for it in mine if _assign(it, mergeable_bookmark(it), mergeable_bookmark(theirs[it.event_id]))]
    Bookmark.objects.bulk_update(changed, BOOKMARK_FIELDS)
    moved = other.bookmarks.exclude(event__in=list(theirs)).update(agenda=agenda)
    return bool(changed or moved)


def _merge_entries(agenda: Agenda, other: Agenda) -> bool:
    both = other.private_entries.filter(guid__in=agenda.private_entries.values("guid"))
    theirs = {it.guid: it for it in both}
    mine = agenda.private_entries.filter(guid__in=list(theirs))
    changed = [it for it in mine if _assign(it, mergeable_entry(it), mergeable_entry(theirs[it.guid]))]
    PrivateEntry.objects.bulk_update(changed, PRIVATE_ENTRY_FIELDS)
    moved = other.private_entries.exclude(guid__in=list(theirs)).update(agenda=agenda)
    return bool(changed or moved)


def _merge_notes(agenda: Agenda, other: Agenda) -> bool:
    """Of two notes about one event both texts stay, the earlier one first."""
    theirs = {it.event_id: it for it in other.notes.all()}
    # Most agendas have no notes.
    if not theirs:
        return False
    mine = list(agenda.notes.filter(event__in=list(theirs)))
    for note in mine:
        twin = theirs[note.event_id]
        note.updated_at, note.text = merged_notes((note.updated_at, note.text), (twin.updated_at, twin.text))
    Note.objects.bulk_update(mine, ["text", "updated_at"])
    other.notes.exclude(event__in=[it.event_id for it in mine]).update(agenda=agenda)
    return True


def _assign(row: models.Model, mine: MergeableBookmark | MergeableEntry, theirs: MergeableBookmark | MergeableEntry) -> bool:
    """Write the merged values into the row; False if they are the same as before."""
    joined = mine.merged(theirs)  # type: ignore[arg-type]
    for name, value in vars(joined).items():
        setattr(row, "created_at" if name == "bookmarked_at" else name, value)
    return joined != mine


def mergeable_bookmark(row: Bookmark) -> MergeableBookmark:
    return MergeableBookmark(
        level=row.level,
        bookmarked_at=row.created_at,
        removed_at=row.removed_at,
        decided_at=row.decided_at,
        presents=row.presents,
        seen_at=row.seen_at,
        visited_at=row.visited_at,
        downloaded_at=row.downloaded_at,
    )


def mergeable_entry(row: PrivateEntry) -> MergeableEntry:
    return MergeableEntry(**{name: getattr(row, name) for name in PRIVATE_ENTRY_FIELDS})

"""One visitor's agendas become another's, when two devices turn out to be one person's."""

from __future__ import annotations

import datetime as dt

from django.db import models
from django.utils import timezone

from events.models.accounts import Account
from events.models.agenda import Agenda
from events.models.picks import Bookmark
from events.models.places import release_all, take_seats
from events.models.private_entries import PrivateEntry
from events.models.questions import Question, QuestionVote
from events.models.visitors import Visitor
from events.models.writing import short_write
from events.schedule.merging import Pick, Private

PICK_FIELDS = ("level", "created_at", "removed_at", "presents", "seen_at", "visited_at", "downloaded_at")
ENTRY_FIELDS = ("title", "place", "start", "end", "created_at", "updated_at", "sequence", "removed_at")


def merge_visitors(old: Visitor, new: Visitor) -> None:
    """All that the one visitor has becomes the other's; no browser or link of the old one opens anything any more."""
    if old == new:
        return
    with short_write():
        agendas, heirs = _both(old, new)
        for agenda in agendas:
            if heir := heirs.get(agenda.conference_id):
                absorb(heir, agenda)
            else:
                _move(agenda, new)
        old.delete()


def replace_visitor(old: Visitor, new: Visitor) -> None:
    """What the one visitor has is deleted in favour of the other's."""
    if old == new:
        return
    with short_write():
        agendas, heirs = _both(old, new)
        for agenda in agendas:
            _end(agenda, heirs.get(agenda.conference_id))
        old.delete()


def locked_agendas(*visitors: Visitor) -> list[Agenda]:
    """All agendas of these visitors, locked in the order that ``Visitor.objects.lock`` gives."""
    Visitor.objects.lock(*visitors)
    agendas = Agenda.objects.filter(visitor__in=visitors).select_related("conference")
    return list(agendas.select_for_update(of=("self",)).order_by("pk"))


def _both(old: Visitor, new: Visitor) -> tuple[list[Agenda], dict[int, Agenda]]:
    """The agendas of the old visitor, and by conference those of the new one, who gets the account."""
    agendas = locked_agendas(old, new)
    if account := Account.objects.filter(visitor=old).first():
        # Two mailboxes have no agenda in common: the account of the old one goes on with nothing.
        account.visitor = Visitor.objects.create() if Account.objects.filter(visitor=new).exists() else new
        account.save(update_fields=["visitor"])
    heirs = {it.conference_id: it for it in agendas if it.visitor_id == new.pk}
    return [it for it in agendas if it.visitor_id == old.pk], heirs


def _move(agenda: Agenda, visitor: Visitor) -> None:
    """Its addresses end, because whoever knew a token of the old visitor may know them."""
    agenda.visitor = visitor
    agenda.save(update_fields=["visitor"])
    agenda.reset_feed()
    agenda.read_links.all().take_back()


def absorb(agenda: Agenda, other: Agenda) -> bool:
    """Take in all that another agenda of the same conference has, which ends; True when that changed anything."""
    with short_write():
        list(Agenda.objects.filter(pk__in=[agenda.pk, other.pk]).select_for_update().order_by("pk"))
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


def _end(agenda: Agenda, heir: Agenda | None) -> None:
    """Its feed addresses stay with the heir as replaced ones; links to read it end with it."""
    if heir is not None:
        agenda.feed_addresses.filter(replaced_at=None).update(replaced_at=timezone.now())
        agenda.feed_addresses.update(agenda=heir)
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

"""The rows of a file in the database: with their history, their lines in the log, and one word to attendees."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from django.contrib.admin.models import ADDITION, CHANGE, LogEntry
from django.db import models
from django.db.models import Q
from simple_history.utils import bulk_create_with_history

from events.admin.spreadsheets.people import People
from events.models import Conference, Event

BATCH = 400
# Beyond this, looking at every event costs less than naming those that may differ.
NAMED_AT_ONCE = 1000


def store_people(people: People, user: Any) -> None:
    """Those whom the file names for the first time."""
    made = [coming.person for coming in people.coming.values()]
    if made:
        for person in made:
            person.clean_fields(exclude=["conference", "guid", "imported"])
        bulk_create_with_history(made, type(made[0]), batch_size=BATCH, default_user=user)


def store_new(rows: Sequence[Any], user: Any, reason: str) -> None:
    if rows:
        bulk_create_with_history(
            list(rows),
            type(rows[0])._meta.concrete_model,
            batch_size=BATCH,
            default_user=user,
            default_change_reason=reason[:100] or None,
        )


def store_changed(rows: Iterable[Any], reason: str) -> None:
    for row in rows:
        row._change_reason = reason[:100] or None
        (row.save_changed if isinstance(row, Event) else row.save)()


def write_children(
    rows: Iterable[Any], attribute: str, related: str, build: Callable[[Any], Sequence[models.Model]], *, fresh: bool
) -> None:
    """What belongs to each row whose cell was filled in or changed; a ``fresh`` row has nothing yet."""
    children: list[models.Model] = []
    for row in rows:
        if getattr(row, attribute, None) is not None:
            if not fresh:
                getattr(row, related).all().delete()
            children += build(row)
    if children:
        type(children[0])._default_manager.bulk_create(children, batch_size=BATCH)


def log(user: Any, made: Sequence[Any], changed: Sequence[Any], file_name: str) -> None:
    """Said on each row's history page."""
    for rows, flag in ((made, ADDITION), (changed, CHANGE)):
        if rows:
            LogEntry.objects.log_actions(user.pk, rows, flag, f"By the file {file_name[:150]}")


def announce(conference: Conference, rows: Sequence[Any], reason: str) -> None:
    """Tell attendees of everything that these people, papers or rooms changed in the programme."""
    if not rows:
        return
    conference.bump()
    events: Any = conference.events.all()
    if len(rows) <= NAMED_AT_ONCE:
        keys = [row.pk for row in rows]
        shows = Q(*((f"{path}__in", keys) for path in type(rows[0]).event_paths), _connector=Q.OR)
        events = events.filter(pk__in=events.filter(shows).values("pk"))
    events.announce(reason=reason)


def announce_events(conference: Conference, keys: Sequence[int], reason: str, *, quiet: bool) -> None:
    """The same of events, and of what is inside them."""
    events: Any = conference.events.all()
    if len(keys) <= NAMED_AT_ONCE:
        events = events.filter(Q(pk__in=keys) | Q(session__in=keys) | Q(session__session__in=keys))
    events.announce(reason=reason, quiet=quiet)

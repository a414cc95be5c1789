"""The venue's clocks: what instants were worked out with, and keeping wall times where a government moves the clocks."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from django.apps import apps
from django.db import models, transaction
from django.db.models import Max, Min
from django.utils import timezone
from simple_history.utils import get_history_manager_for_model

from events.models.bulk import update_rows
from events.schedule.zones import DAY, Rules, parse_rules, rules_of, same_hours, same_wall_time

if TYPE_CHECKING:
    from events.models.conference import Conference

AROUND = dt.timedelta(days=400)
"""Kept before the first and after the last day: a conference is not put off by more, as a rule."""
FARTHEST = dt.timedelta(days=3660)
"""A year that somebody mistyped is no reason to keep the rules of two centuries."""
EARLIEST, LATEST = dt.date(1900, 1, 1), dt.date(2200, 1, 1)
AT_ONCE = 500
CLOCK = "clock"
"""The field of a Change that tells it."""
REASON = "The clocks there follow new rules: the time on them stays."
HIDDEN = "Something that nobody was told of yet"
EVENT_FIELDS = ("start", "end", "signup_until", "announced", "imported", "sequence", "revised_at")
ANNOUNCEMENT_FIELDS = ("starts_at", "until", "imported")

logger = logging.getLogger("events.clocks")


@dataclass(frozen=True)
class Retimed:
    """What kept its wall time, and so moved for everybody who reads it elsewhere."""

    title: str
    wall: dt.datetime
    old: dt.datetime
    new: dt.datetime


def rules_to_keep(conference: Conference) -> str:
    """What to store with the row: never rules that its instants were not worked out with."""
    kept, (first, last) = parse_rules(conference.zone_rules), _years(conference)
    if kept and kept.zone == conference.zone.key:
        if kept.covers(first, last) or rules_of(conference.zone, kept.first, kept.last) != kept:
            return conference.zone_rules
        first, last = min(first, kept.first), max(last, kept.last)
    return rules_of(conference.zone, *_with_events(conference, first, last)).text


def outdated_rules(conference: Conference) -> tuple[Rules, Rules] | None:
    """The rules its instants were worked out with and today's, where those differ; another zone is no other rules."""
    old = parse_rules(conference.zone_rules)
    if old is None or old.zone != conference.zone.key:
        return None
    new = rules_of(conference.zone, old.first, old.last)
    return None if new == old else (old, new)


def follow(conference: Conference, old: Rules, new: Rules) -> list[Retimed]:
    """Move every instant that was meant as a wall time; within a transaction that holds the conference."""
    _retell(conference, old, new)
    moved = _move_events(conference, old, new)
    # Their times stand in what their sessions show too.
    _as_far_as_readable(partial(conference.events.announce, quiet=True))
    return moved + _move_announcements(conference, old, new)


def _years(conference: Conference) -> tuple[dt.datetime, dt.datetime]:
    return _midnight(conference.start) - AROUND, _midnight(conference.end) + AROUND


def _with_events(conference: Conference, first: dt.datetime, last: dt.datetime) -> tuple[dt.datetime, dt.datetime]:
    """Wider where the programme goes beyond it."""
    dates = conference.days.aggregate(first=Min("date"), last=Max("date")) if conference.pk else {}
    if dates.get("first"):
        # A day begins before UTC's in the east, and ends long after it in the west.
        first = min(first, max(_midnight(dates["first"]) - DAY, first - FARTHEST))
        last = max(last, min(_midnight(dates["last"]) + 3 * DAY, last + FARTHEST))
    return first, last


def _midnight(date: dt.date) -> dt.datetime:
    """Within the years that clocks have been set by; only a row written around the forms is outside of them."""
    return dt.datetime.combine(min(max(date, EARLIEST), LATEST), dt.time(), dt.UTC)


def _move_events(conference: Conference, old: Rules, new: Rules) -> list[Retimed]:
    """What was announced moves along: nobody is told of another hour, but of the clock that shows it."""
    change, changes, rows, moved, now = apps.get_model("events", "Change"), [], [], [], timezone.now()
    # Only what is needed of a row is read: one that is broken elsewhere stops nothing.
    timed = conference.events.exclude(start=None, signup_until=None)
    for event in timed.only("conference", *EVENT_FIELDS).order_by("start", "pk"):
        was, closed, hours = event.start, event.signup_until, _hours_of(event, old, new)
        if _set(event, hours, old, new):
            event.revised_at = now if event.announced else event.revised_at
            rows.append(event)
        if closed and event.signup_until and event.signup_until != closed:
            title = f"Sign-up: {event.announced.get('title', HIDDEN)}"
            moved.append(Retimed(title, old.wall(closed), closed, event.signup_until))
        begins = hours.get("start")
        if was is None or begins is None or begins == was:
            continue
        moved.append(Retimed(event.announced.get("title", HIDDEN), old.wall(was), was, begins))
        if event.announced:
            event.sequence, event.revised_at = event.sequence + 1, now
            told = {"old": old.name_at(was), "new": new.name_at(begins), "reason": REASON, "at": now}
            changes.append(change(event=event, field=CLOCK, **told))
    update_rows(conference.events.model, rows, EVENT_FIELDS)
    change.objects.bulk_create(changes)
    _record(conference.events.model, [event.pk for event in rows])
    return moved


def _hours_of(event: Any, old: Rules, new: Rules) -> dict[str, dt.datetime | None]:
    """Each of its hours by the new rules; what ends before it begins is left as it is."""
    hours: dict[str, dt.datetime | None] = {}
    if event.start and event.end and event.end > event.start:
        hours["start"], hours["end"] = same_hours(event.start, event.end, old, new)
    if event.signup_until:
        hours["signup_until"] = same_wall_time(event.signup_until, old, new)
    return hours


def _move_announcements(conference: Conference, old: Rules, new: Rules) -> list[Retimed]:
    rows, moved, now = [], [], timezone.now()
    for row in conference.announcements.only("conference", "title", *ANNOUNCEMENT_FIELDS).order_by("starts_at", "pk"):
        was = row.starts_at
        begins, until = same_hours(was, row.until, old, new)
        if was <= now:
            # It went up at a moment, not at an hour.
            begins, until = was, until if until is None or until > was else row.until
        if _set(row, {"starts_at": begins, "until": until}, old, new):
            rows.append(row)
        if row.starts_at != was:
            moved.append(Retimed(row.title, old.wall(was), was, begins))
    update_rows(conference.announcements.model, rows, ANNOUNCEMENT_FIELDS)
    return moved


def _set(row: Any, hours: dict[str, dt.datetime | None], old: Rules, new: Rules) -> bool:
    """Set the hours, also in what the row remembers of them; whether that changed anything."""
    moved = {_text(getattr(row, name)): _text(value) for name, value in hours.items()}
    changed = any(before != after for before, after in moved.items())
    for name, value in hours.items():
        setattr(row, name, value)
        for memory in (row.imported, getattr(row, "announced", {})):
            said = memory.get(name)
            if isinstance(said, str) and said:
                memory[name] = moved.get(said) or _retold(said, old, new)
                changed = changed or memory[name] != said
    return changed


def _retell(conference: Conference, old: Rules, new: Rules) -> None:
    """Moves told before were told in wall times too: from 09:00 to 10:00 stays that."""
    model = apps.get_model("events", "Change")
    rows = []
    for row in model.objects.filter(event__conference=conference, field__in=["start", "end", "signup_until"]).only("old", "new"):
        said = (row.old, row.new)
        row.old, row.new = (_retold(text, old, new) for text in said)
        if said != (row.old, row.new):
            rows.append(row)
    update_rows(model, rows, ["old", "new"])


def _retold(text: str, old: Rules, new: Rules) -> str:
    try:
        instant = dt.datetime.fromisoformat(text)
    except ValueError:
        return text
    return _text(same_wall_time(instant, old, new)) if instant.tzinfo else text


def _text(instant: dt.datetime | None) -> str:
    """As announcements and imports remember it."""
    return instant.astimezone(dt.UTC).isoformat(timespec="seconds") if instant else ""


def _record(model: type[models.Model], pks: Sequence[int]) -> None:
    """A line in the history of each that can be read."""
    for start in range(0, len(pks), AT_ONCE):
        some = model._base_manager.filter(pk__in=pks[start : start + AT_ONCE])
        _as_far_as_readable(partial(_write_history, model, some))


def _write_history(model: type[models.Model], rows: Iterable[models.Model]) -> None:
    history = get_history_manager_for_model(model)
    history.bulk_history_create(list(rows), batch_size=AT_ONCE, update=True, default_change_reason=REASON)


def _as_far_as_readable(act: Callable[[], object]) -> None:
    """A row that cannot be read, put in past Django, must not keep all others at the wrong time."""
    try:
        with transaction.atomic():
            act()
    except Exception:
        logger.exception("A row cannot be read: the history and the sessions around it do not say that their clocks changed")

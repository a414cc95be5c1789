"""The talks of a session, as lines of its own entry."""

from __future__ import annotations

import datetime as dt
from typing import NamedTuple

from events.calendars.text import octets, one_line, shorten
from events.models import Event, Kind

LONGEST_TITLE = 150
LONGEST = 1_200
REST = "… and {} more"


class Listed(NamedTuple):
    text: str
    told: frozenset[int]
    """What has said all in its line: where and when. It needs no entry beside this one."""


def listed(session: Event) -> Listed:
    """As many as there is room for, in order, and how many more there are."""
    talks = session.talks
    lines: list[str] = []
    room = LONGEST - octets(REST.format(len(talks)))
    for talk in talks:
        text = line(talk, session)
        room -= octets(text) + 1
        if room < 0:
            break
        lines.append(text)
    told = frozenset(talk.pk for talk in talks[: len(lines)] if is_told(talk, session))
    rest = [REST.format(len(talks) - len(lines))] if len(lines) < len(talks) else []
    return Listed("\n".join([*lines, *rest]), told)


def line(talk: Event, session: Event) -> str:
    title = shorten(one_line(talk.title) or talk.type.name, LONGEST_TITLE)
    cancelled = "Cancelled: " if talk.is_cancelled else ""
    where = "" if is_same_place(talk, session) else f" ({place(talk)})"
    return one_line(" ".join(filter(None, [when(talk, session), cancelled + title + where])))


def when(talk: Event, session: Event) -> str:
    if talk.start is None or talk.end is None:
        return ""
    zone = session.conference.zone
    start, end = talk.start.astimezone(zone), talk.end.astimezone(zone)
    another_day = session.start is None or abs(talk.start - session.start) >= dt.timedelta(days=1)
    day = f"{start:%a} {start.day} {start:%b}, " if another_day else ""
    return f"{day}{start:%H:%M}–{end:%H:%M}"


def is_told(talk: Event, session: Event) -> bool:
    """An hour within the session's own and its room; what is a session itself has more to say."""
    if session.is_cancelled or talk.type.kind == Kind.SESSION or not is_same_place(talk, session):
        return False
    if talk.start is None or talk.end is None or session.start is None or session.end is None:
        return False
    return session.start <= talk.start and talk.end <= session.end


def is_same_place(talk: Event, session: Event) -> bool:
    return not place(talk) or (talk.room_id, talk.place) == (session.room_id, session.place)


def place(talk: Event) -> str:
    return ", ".join(filter(None, [talk.place, talk.room.name if talk.room else ""]))

"""A proposal in the words of the chairs' pages: what it is, what it says, and what that changes."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.text import Truncator

from events.admin.times import long_date, span_words
from events.models import Event, Kind, Proposal, ProposalKind
from events.models.proposed import PARTS as FIELDS_OF
from events.models.proposed import Verdict, said, standing, weigh
from events.models.publishing import UnpublishableError, target_of
from events.schedule.clock import programme_date

PARTS = {
    "title": "Title",
    "when": "Day and time",
    "place": "Place",
    "host": "Host",
    "about": "About",
    "audience": "Who may come",
    "signup_url": "Sign-up page",
    "signup_until": "Sign-up until",
    "cost": "Cost",
    "capacity": "Places",
    "access_notes": "Accessibility",
}
MARKS = {
    Verdict.SAME: "",
    Verdict.CHANGED: "● Changed",
    Verdict.KEPT: "◆ Changed by organisers, stays",
    Verdict.CONFLICT: "▲ Changed by both",
}
NOTHING = "—"


class Row(NamedTuple):
    """A part of a social: as it is published, as the sender wants it, and how these differ."""

    part: str
    label: str
    old: str
    new: str
    verdict: Verdict
    mark: str

    @property
    def choice(self) -> str:
        """Both sides in a line, to be ticked: “Cost: Free instead of 10 dollars”."""
        new, old = (Truncator(it).chars(60) for it in (self.new, self.old))
        return f"{self.label}: {new} instead of {old}"


def what(proposal: Proposal) -> str:
    """New, an edit of its own, a correction of another's, or a note."""
    event = proposal.event
    # What is a draft now is not named to those who see socials only.
    name = f" “{event}”" if event and (event.is_public or event.type.kind == Kind.SOCIAL) else " something that is hidden now"
    if proposal.kind == ProposalKind.NOTE:
        return f"Note on{name}" if event else "Note"
    if event is None:
        return "New social"
    return f"{'Edit' if proposal.is_edit else 'Correction'} of{name}"


def when(date: dt.date | None, start: dt.datetime | None, end: dt.datetime | None, zone: ZoneInfo) -> str:
    """Thu 24 April 2025, 19:00–21:00, by the clock at the venue."""
    if start is not None:
        date = programme_date(start, zone)
    return f"{long_date(date)}, {span_words(start, end, zone)}" if date else ""


def age(since: dt.datetime, now: dt.datetime) -> str:
    """5 min, 3 h, 2 days."""
    minutes = max(0, int((now - since) / dt.timedelta(minutes=1)))
    if minutes < 60:
        return f"{minutes} min"
    if minutes < 48 * 60:
        return f"{minutes // 60} h"
    return f"{minutes // (24 * 60)} days"


def rows(proposal: Proposal) -> list[Row]:
    """Everything that either of both says, in the order of the form."""
    event = _target(proposal)
    new, old = said(proposal), standing(event) if event else {}
    verdicts = weigh(proposal, event)
    found = []
    for part, label in PARTS.items():
        before, after = (_words(values, part, proposal) if values else "" for values in (old, new))
        if before or after:
            found.append(Row(part, label, before or NOTHING, after or NOTHING, verdicts[part], MARKS[verdicts[part]]))
    return found


def _target(proposal: Proposal) -> Event | None:
    try:
        return target_of(proposal)
    except UnpublishableError:
        return None


def _words(values: Mapping[str, Any], part: str, proposal: Proposal) -> str:
    if part == "when":
        return when(values["date"], values["start"], values["end"], proposal.conference.zone)
    value = values[FIELDS_OF[part][0]]
    if isinstance(value, dt.datetime):
        return f"{long_date(timezone.localtime(value).date())}, {timezone.localtime(value):%H:%M}"
    return "" if value is None else str(value)


def decided(proposal: Proposal) -> str:
    """“Published by ada at 10:32”; nothing before anybody decided."""
    if proposal.decided_at is None or proposal.status == "waiting":
        return ""
    at = timezone.localtime(proposal.decided_at)
    today = timezone.localtime().date()
    day = "" if at.date() == today else f" on {long_date(at.date())}"
    who = f" by {proposal.decided_by}" if proposal.decided_by else ""
    return f"{proposal.get_status_display()}{who}{day} at {at:%H:%M}"

"""Texts of proposals for the chairs: type, parts, differences and decision."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from django.utils.text import Truncator

from events.admin.base.times import instant_text, long_date, span_text
from events.core.clock import programme_date
from events.programme.models.event import Event
from events.programme.models.labels import Kind
from events.proposals.decisions import UnpublishableError, target_of
from events.proposals.diff import PROPOSAL_PARTS as FIELDS_OF
from events.proposals.diff import DiffState, compare, proposed_values, values_of
from events.proposals.models import Proposal, ProposalKind, ProposalStatus

PROPOSAL_PART_LABELS = {
    "title": "Title",
    "when": "Day and time",
    "place": "Place",
    "host": "Host",
    "about": "About",
    "audience": "Who can come",
    "signup_url": "Sign-up page",
    "signup_until": "Sign-up until",
    "cost": "Cost",
    "capacity": "Places",
    "access_notes": "Accessibility",
}
VERDICT_MARKS = {
    DiffState.SAME: "",
    DiffState.CHANGED: "● Changed",
    DiffState.KEPT: "◆ Changed by organisers, stays",
    DiffState.CONFLICT: "▲ Changed by both",
}
EMPTY_PART = "—"


class ProposalRow(NamedTuple):
    """One part of a social: published, proposed, and how they differ."""

    part: str
    label: str
    old: str
    new: str
    verdict: DiffState
    mark: str

    @property
    def choice(self) -> str:
        """“Cost: Free instead of 10 dollars”, for a checkbox."""
        new, old = (Truncator(it).chars(60) for it in (self.new, self.old))
        return f"{self.label}: {new} instead of {old}"


def proposal_type_text(proposal: Proposal) -> str:
    event = proposal.event
    # Social chairs do not see the titles of drafts that are not socials.
    name = f" “{event}”" if event and (event.is_public or event.type.kind == Kind.SOCIAL) else " an event that is hidden now"
    if proposal.kind == ProposalKind.NOTE:
        return f"Note on{name}" if event else "Note"
    if event is None:
        return "New social"
    if proposal.is_edit and proposal.status == ProposalStatus.PUBLISHED:
        return f"Social{name}"
    return f"{'Edit' if proposal.is_edit else 'Correction'} of{name}"


def proposal_time_text(date: dt.date | None, start: dt.datetime | None, end: dt.datetime | None, zone: ZoneInfo) -> str:
    """Thu 24 April 2025, 19:00–21:00, by the clock at the venue."""
    if start is not None:
        date = programme_date(start, zone)
    return f"{long_date(date)}, {span_text(start, end, zone)}" if date else ""


def age_text(since: dt.datetime, now: dt.datetime) -> str:
    """5 min, 3 h, 2 days."""
    minutes = max(0, int((now - since) / dt.timedelta(minutes=1)))
    if minutes < 60:
        return f"{minutes} min"
    if minutes < 48 * 60:
        return f"{minutes // 60} h"
    return f"{minutes // (24 * 60)} days"


def proposal_rows(proposal: Proposal) -> list[ProposalRow]:
    """Every part that is published or proposed, in the order of the form."""
    event = _target_event(proposal)
    new, old = proposed_values(proposal), values_of(event) if event else {}
    verdicts = compare(proposal, event)
    rows = []
    for part, label in PROPOSAL_PART_LABELS.items():
        before, after = (_part_text(values, part, proposal) if values else "" for values in (old, new))
        if before or after:
            rows.append(
                ProposalRow(part, label, before or EMPTY_PART, after or EMPTY_PART, verdicts[part], VERDICT_MARKS[verdicts[part]])
            )
    return rows


def _target_event(proposal: Proposal) -> Event | None:
    try:
        return target_of(proposal)
    except UnpublishableError:
        return None


def _part_text(values: Mapping[str, Any], part: str, proposal: Proposal) -> str:
    if part == "when":
        return proposal_time_text(values["date"], values["start"], values["end"], proposal.conference.zone)
    value = values[FIELDS_OF[part][0]]
    if isinstance(value, dt.datetime):
        return instant_text(value, proposal.conference)
    return "" if value is None else str(value)


def decision_text(proposal: Proposal) -> str:
    """“Published by ada, 22 Nov 2026 20:35, Singapore”; empty if nobody has decided yet."""
    if proposal.status == ProposalStatus.WITHDRAWN or proposal.is_change_withdrawn:
        what = "Withdrawn by the sender" if proposal.status == ProposalStatus.WITHDRAWN else "The sender withdrew this change"
        return f"{what}, {instant_text(proposal.updated_at, proposal.conference)}"
    if proposal.decided_at is None or proposal.status == ProposalStatus.WAITING:
        return ""
    who = f" by {proposal.decided_by}" if proposal.decided_by else ""
    return f"{proposal.get_status_display()}{who}, {instant_text(proposal.decided_at, proposal.conference)}"

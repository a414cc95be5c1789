"""Mail to organisers and chairs: proposals, reported faults, held questions and full rooms; one letter an hour at most."""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from django.conf import settings
from django.db.models import Q
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.http import urlencode

from events.admin.base.visible import visible_for
from events.core.clock import Clock
from events.core.db.writing import serialized_write
from events.crowd.models import CrowdReport
from events.crowd.queries.reports import room_states
from events.crowd.rules import REPORT_TTL
from events.mail.outbox import queue_letter
from events.programme.models.conference import Conference
from events.programme.models.venue import Room, RoomState
from events.proposals.models import Proposal, ProposalKind, ProposalStatus
from events.questions.models import Question
from events.staff.models import MailChoice, StaffMember
from events.staff.roles import confinement

MIN_NOTICE_INTERVAL = dt.timedelta(hours=1)
# Who was never mailed is not told of last year's.
NOTICE_WINDOW = dt.timedelta(days=1)


class Subject(NamedTuple):
    """What one choice of ``MailChoice`` is about, and the permission to act on it."""

    choice: str
    permission: str
    one: str
    many: str

    def words(self, count: int) -> str:
        return f"{count} {self.one if count == 1 else self.many}"


PROPOSAL_SUBJECT = Subject("proposals", "events.change_proposal", "proposal", "proposals")
FAULT_SUBJECT = Subject("faults", "events.change_proposal", "reported fault", "reported faults")
QUESTION_SUBJECT = Subject("questions", "events.change_question", "question held back", "questions held back")
ROOM_SUBJECT = Subject("rooms", "events.change_room", "full room", "full rooms")
SUBJECTS = (PROPOSAL_SUBJECT, FAULT_SUBJECT, QUESTION_SUBJECT, ROOM_SUBJECT)


class NoticeItem(NamedTuple):
    """One thing that needs somebody, since ``at``."""

    subject: Subject
    at: dt.datetime
    conference: Conference
    title: str
    url: str


def send_notices(now: dt.datetime) -> int:
    """Queue a letter to everybody who has something new; return their number. One query if nobody may be mailed now."""
    members = list(_members_due(now))
    waiting = list(_all_waiting(now)) if members else []
    return sum(_send_notice(member, waiting, now) for member in members) if waiting else 0


def _members_due(now: dt.datetime) -> Iterable[StaffMember]:
    rested = Q(mail_choice=None) | Q(mail_choice__mailed_at=None) | Q(mail_choice__mailed_at__lte=now - MIN_NOTICE_INTERVAL)
    return StaffMember.objects.filter(rested, is_active=True).exclude(email="").select_related("mail_choice")


def _all_waiting(now: dt.datetime) -> Iterator[NoticeItem]:
    since = now - NOTICE_WINDOW
    yield from _proposals(since)
    yield from _questions(since)
    yield from _full_rooms(now)


def _proposals(since: dt.datetime) -> Iterator[NoticeItem]:
    rows = Proposal.objects.filter(status=ProposalStatus.WAITING, updated_at__gt=since).select_related("conference", "event")
    for row in rows.order_by("updated_at"):
        subject = FAULT_SUBJECT if row.kind == ProposalKind.NOTE else PROPOSAL_SUBJECT
        yield NoticeItem(
            subject, row.updated_at, row.conference, str(row), reverse("admin:events_proposal_change", args=[row.pk])
        )


def _questions(since: dt.datetime) -> Iterator[NoticeItem]:
    rows = Question.objects.held().filter(asked_at__gt=since).select_related("event__conference").order_by("asked_at")
    for row in rows:
        conference, event = row.event.conference, row.event
        url = reverse("admin:events_question_stage", args=[conference.slug, event.guid])
        yield NoticeItem(QUESTION_SUBJECT, row.asked_at, conference, event.title, url)


def _full_rooms(now: dt.datetime) -> Iterator[NoticeItem]:
    """Rooms that are full for attendees, and that attendees say are full: staff know what they report themselves."""
    said = CrowdReport.objects.since(now - REPORT_TTL, now).filter(state=RoomState.FULL, by_staff=False, room__isnull=False)
    for conference in Conference.objects.filter(pk__in=said.order_by().values("conference")):
        crowds = room_states(conference, Clock(now=now, venue_zone=conference.zone))
        full = {pk: crowd.reported_at for pk, crowd in crowds.items() if crowd.is_full and crowd.reported_at}
        url = f"{reverse('admin:events_room_pressure')}?{urlencode({'conference': conference.pk})}"
        for room in Room.objects.filter(Q(pk__in=list(full)) & Q(pk__in=said.order_by().values("room"))):
            yield NoticeItem(ROOM_SUBJECT, full[room.pk], conference, room.name, url)


def _send_notice(member: StaffMember, waiting: list[NoticeItem], now: dt.datetime) -> bool:
    """No more than one letter an hour, also if two processes send at once."""
    choice = MailChoice.objects.get_or_create(user=member)[0]
    mine = _waiting_for(member, choice, waiting, choice.mailed_at or now - NOTICE_WINDOW)
    if not mine:
        return False
    with serialized_write():
        if not MailChoice.objects.filter(pk=choice.pk, mailed_at=choice.mailed_at).update(mailed_at=now):
            return False
        queue_letter(member.email, notice_subject(mine), _notice_text(member, mine), expires_at=now + NOTICE_WINDOW)
    return True


def _waiting_for(member: StaffMember, choice: MailChoice, waiting: Iterable[NoticeItem], since: dt.datetime) -> list[NoticeItem]:
    """What is new to them, what they chose, what they may act on, in conferences that they see."""
    wanted = {subject for subject in SUBJECTS if getattr(choice, subject.choice)}
    mine = [it for it in waiting if it.at > since and it.subject in wanted and may_act_on(member, it)]
    if not mine or confinement(member):
        return mine
    visible = set(visible_for(member, Conference.objects.all()).values_list("pk", flat=True))
    return [it for it in mine if it.conference.pk in visible]


def may_act_on(member: StaffMember, item: NoticeItem) -> bool:
    """In every conference, or by a role in this one."""
    return member.has_perm(item.subject.permission, item.conference)


def notice_subject(waiting: Iterable[NoticeItem]) -> str:
    counts = Counter(it.subject for it in waiting)
    return ", ".join(subject.words(counts[subject]) for subject in SUBJECTS if counts[subject])


def _notice_text(member: StaffMember, waiting: list[NoticeItem]) -> str:
    by_conference: dict[str, list[NoticeItem]] = defaultdict(list)
    for it in waiting:
        by_conference[it.conference.name].append(it)
    context = {
        "user": member,
        "parts": dict(by_conference),
        "site": settings.SITE_URL,
        "choices": settings.SITE_URL + reverse("staff_mail"),
    }
    return render_to_string("staff/notice_letter.txt", context).strip() + "\n"

"""The first page of the admin: the state of the current conference, its first steps, and what today asks for."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import Count, Exists, OuterRef, Q
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from events.admin.base.clash_rows import EVENT_PROXIES, ClashRow, clash_rows, event_change_url, proxy_of_kind
from events.admin.base.visible import SEES_ALL_PERMISSION, visible_to
from events.admin.crowd import PRESSURE_PERMISSIONS
from events.admin.numbers import NUMBERS_PERMISSIONS
from events.admin.room_board import REPORT_PERMISSION
from events.admin.timetable.views import TIMETABLE_PERMISSIONS
from events.admin.uploads.programme import IMPORT_PERMISSIONS
from events.core.clock import programme_date
from events.polls.models import Poll
from events.programme.models.changes import Announcement
from events.programme.models.conference import Conference, Day
from events.programme.models.event import Event
from events.programme.models.event_kinds import InvitedTalk, Session, Social
from events.programme.models.labels import EventType, Kind, Status
from events.programme.models.people import Person
from events.programme.models.venue import Room, Venue
from events.programme.queries.clashes import clashes_of
from events.proposals.models import Proposal, ProposalStatus
from events.questions.models import UNDECIDED_STATES, Question

ADDED_MODELS: tuple[Any, ...] = (Session, InvitedTalk, Social, Person, Room, Announcement)
OPENED_MODELS: tuple[Any, ...] = (Session, InvitedTalk, Social, Proposal, Question, Poll)
OPENED_PAGES: tuple[tuple[str, str, Sequence[str]], ...] = (
    ("Timetable", "events_event_timetable", TIMETABLE_PERMISSIONS),
    ("Room board", "events_room_board", [REPORT_PERMISSION]),
    ("Room pressure", "events_room_pressure", PRESSURE_PERMISSIONS),
    ("Numbers", "events_conference_numbers", NUMBERS_PERMISSIONS),
)
MAX_SHOWN_ROWS = 5
MAX_READ_RECORDS = 200
ONE_EDIT = dt.timedelta(minutes=10)
"""Changes of one person with shorter breaks are one line."""
NEW_CLASH_AGE = dt.timedelta(days=1)


class Step(NamedTuple):
    label: str
    is_done: bool
    url: str


class Waiting(NamedTuple):
    """``url`` is the list of what waits."""

    number: int
    noun: str
    rest: str
    url: str

    @property
    def text(self) -> str:
        return f"{self.noun}{'' if self.number == 1 else 's'} {self.rest}"


class OnNow(NamedTuple):
    event: Event
    url: str


@dataclass
class Edit:
    """Changes of events, by one person, one after the other. ``title`` and ``url`` are of the last one."""

    who: str
    at: dt.datetime
    title: str
    url: str
    since: dt.datetime
    events: set[int]

    @property
    def others(self) -> int:
        return len(self.events) - 1


def dashboard(request: HttpRequest, conference: Conference | None) -> dict[str, Any]:
    if conference is None:
        return {}
    now = timezone.now()
    on_now = _on_now(request, conference, now)
    clashes = _coming_clashes(request, conference, now)
    return {
        "conference": conference,
        "add_links": [(it._meta.verbose_name, _url(it, "add")) for it in ADDED_MODELS if _may(request, "add", it)],
        "open_links": _open_links(request, conference),
        "state": state_text(conference, programme_date(now, conference.zone)),
        "steps": _steps(request, conference),
        "on_now": on_now[:MAX_SHOWN_ROWS],
        "more_on_now": on_now[MAX_SHOWN_ROWS:],
        "waiting": [*_proposals(request, conference), *_questions(request, conference), *_drafts(request, conference)],
        "clashes": clashes[:MAX_SHOWN_ROWS],
        "clash_count": len(clashes),
        "new_clash_count": _new_count(clashes, now),
        "announcements": _announcements(request, conference, now),
        "edits": _last_edits(request, conference),
    }


def state_text(conference: Conference, today: dt.date) -> str:
    if today > conference.end:
        return f"over since {conference.end.day} {conference.end:%b %Y}"
    if today >= conference.start:
        return f"day {(today - conference.start).days + 1} of {(conference.end - conference.start).days + 1}"
    days = (conference.start - today).days
    return "starts tomorrow" if days == 1 else f"starts in {days:,} days"


def _may(request: HttpRequest, verb: str, model: Any) -> bool:
    return request.user.has_perm(f"events.{verb}_{model._meta.model_name}")


def _url(model: Any, page: str, *args: object, **query: object) -> str:
    return reverse(f"admin:events_{model._meta.model_name}_{page}", args=args, query=query or None)


def _open_links(request: HttpRequest, conference: Conference) -> list[tuple[str, str]]:
    lists = [
        (str(it._meta.verbose_name_plural).capitalize(), _url(it, "changelist"))
        for it in OPENED_MODELS
        if _may(request, "view", it)
    ]
    lists += [(label, reverse(f"admin:{name}")) for label, name, needed in OPENED_PAGES if request.user.has_perms(needed)]
    if request.user.has_perms(IMPORT_PERMISSIONS):
        # Its form names a conference only if the address does.
        query = {"conference": conference.pk}
        lists.append(("Import a programme", reverse("admin:events_conference_programme", query=query)))
    return lists


def _steps(request: HttpRequest, conference: Conference) -> list[Step]:
    """Empty once all are done, and for those who do not make a conference."""
    if not _may(request, "change", Conference):
        return []
    here = {"conference": OuterRef("pk")}
    parts = {"days": Day, "venue": Venue, "types": EventType, "event": Event}
    made = {f"has_{name}": Exists(model._default_manager.filter(**here)) for name, model in parts.items()}
    has: dict[str, bool] = Conference.objects.filter(pk=conference.pk).values(**made).get()  # type: ignore[assignment]
    steps = [
        Step("The days of the programme", has["has_days"], _url(Conference, "change", conference.pk)),
        Step("A place: the venue, with zones and rooms", has["has_venue"], _url(Venue, "add")),
        Step("Types of events", has["has_types"], _url(EventType, "add")),
        Step("The first event", has["has_event"], _url(Session, "add")),
        Step(f"Publish {conference}", not conference.is_draft, _url(Conference, "publish", conference.pk)),
    ]
    return [] if all(step.is_done for step in steps) else steps


def _on_now(request: HttpRequest, conference: Conference, now: dt.datetime) -> list[OnNow]:
    events = visible_to(request, Event.objects.public()).filter(conference=conference, start__lte=now, end__gt=now)
    events = events.exclude(status=Status.CANCELLED).exclude(type__kind=Kind.SERVICE)
    rows = events.select_related("room", "type").in_order()
    return [OnNow(it, _change_url(request, it.pk, it.type.kind)) for it in rows]


def _change_url(request: HttpRequest, pk: int, kind: str) -> str:
    return event_change_url(pk, kind) if _may(request, "view", proxy_of_kind(kind)) else ""


def _proposals(request: HttpRequest, conference: Conference) -> list[Waiting]:
    if not _may(request, "view", Proposal):
        return []
    waiting = visible_to(request, Proposal.objects.filter(status=ProposalStatus.WAITING))
    found = waiting.aggregate(every=Count("pk"), here=Count("pk", filter=Q(conference=conference)))
    query = {"status__exact": ProposalStatus.WAITING.value}
    rows = [
        Waiting(found["here"], "proposal", "waiting", _url(Proposal, "changelist", conference__id__exact=conference.pk, **query)),
        Waiting(
            found["every"] - found["here"],
            "proposal",
            "waiting at other conferences",
            _url(Proposal, "changelist", conference__id__exact="all", **query),
        ),
    ]
    return [row for row in rows if row.number]


def _questions(request: HttpRequest, conference: Conference) -> list[Waiting]:
    if not _may(request, "view", Question):
        return []
    asked = visible_to(request, Question.objects.filter(event__conference=conference))
    # Nobody answers the others: their event does not take place.
    chosen = {"state__in": UNDECIDED_STATES, "event__status__in": [it for it in Status if it != Status.CANCELLED]}
    count = asked.filter(**chosen).count()
    query = {name: ",".join(values) for name, values in chosen.items()}
    url = _url(Question, "changelist", event__conference__id__exact=conference.pk, **query)
    return [Waiting(count, "question", "waiting", url)][:count]


def _drafts(request: HttpRequest, conference: Conference) -> list[Waiting]:
    drafts = Event.objects.filter(conference=conference, status=Status.DRAFT)
    by_kind = dict(drafts.order_by().values_list("type__kind").annotate(Count("pk")))
    rows = []
    for proxy in EVENT_PROXIES:
        count = sum(by_kind.get(kind, 0) for kind in proxy.kinds)
        if count and _may(request, "view", proxy):
            url = _url(proxy, "changelist", conference__id__exact=conference.pk, status__exact=Status.DRAFT.value)
            rows.append(Waiting(count, "draft", f"in {proxy._meta.verbose_name_plural}", url))
    return rows


def _coming_clashes(request: HttpRequest, conference: Conference, now: dt.datetime) -> list[ClashRow]:
    """Those with an event that the user may see."""
    if not any(_may(request, "view", proxy) for proxy in EVENT_PROXIES):
        return []
    rows = clash_rows([it for it in clashes_of(conference) if it.end > now], request)
    return [row for row in rows if row.a.url or row.b.url]


def _new_count(clashes: Sequence[ClashRow], now: dt.datetime) -> int:
    """How many have an event that attendees see differently since yesterday."""
    sides = [{row.clash.a.pk, row.clash.b.pk} for row in clashes]
    if not sides:
        return 0
    changed = Event.objects.filter(pk__in=set().union(*sides), revised_at__gte=now - NEW_CLASH_AGE)
    new = set(changed.values_list("pk", flat=True))
    return sum(bool(keys & new) for keys in sides)


def _announcements(request: HttpRequest, conference: Conference, now: dt.datetime) -> list[tuple[Announcement, str]]:
    if not _may(request, "view", Announcement):
        return []
    running = Announcement.objects.filter(conference=conference).current(now)[:MAX_SHOWN_ROWS]
    return [(it, _url(Announcement, "change", it.pk)) for it in running]


def _last_edits(request: HttpRequest, conference: Conference) -> list[Edit]:
    if not request.user.has_perm(SEES_ALL_PERMISSION):
        return []
    history: Any = Event.history
    names = ["id", "title", "history_user__username", "history_date", "history_type"]
    return group_edits(history.filter(conference=conference).values_list(*names)[:MAX_READ_RECORDS])[:MAX_SHOWN_ROWS]


def group_edits(records: Iterable[tuple[int, str, str | None, dt.datetime, str]]) -> list[Edit]:
    """``records`` of the history, newest first."""
    edits: list[Edit] = []
    for pk, title, user, at, verb in records:
        who = user or "an import or command"
        last = edits[-1] if edits else None
        if last and last.who == who and last.since - at < ONE_EDIT:
            last.since = at
            last.events.add(pk)
        else:
            edits.append(Edit(who, at, title, "" if verb == "-" else _url(Event, "history", pk), at, {pk}))
    return edits

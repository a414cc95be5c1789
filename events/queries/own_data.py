"""Everything that is kept about one visitor, for nobody but the visitor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from events.models import (
    AccessToken,
    Account,
    Agenda,
    Bookmark,
    ConferenceStatus,
    CrowdReport,
    Event,
    FeedAddress,
    FeedFetch,
    PrivateEntry,
    Question,
    QuestionVote,
    ReadLink,
    Seat,
    Visitor,
)
from events.models.feeds import OPTIONS
from events.models.seats import GONE

PICK = ("level", "created_at", "removed_at", "seen_at", "presents", "visited_at", "downloaded_at")
ENTRY = ("guid", "title", "place", "start", "end", "created_at", "updated_at", "sequence", "removed_at")
QUESTION = ("guid", "event__guid", "text", "name", "state", "reason", "asked_at", "decided_at")
SEAT = ("sign_up__event__guid", "state", "number", "name", "joined_at", "changed_at", "promoted_at", "seen_at")
OWN = ("created_at", "changed_at", "revision", "feed_serial", "digested_at", *OPTIONS)


@dataclass(frozen=True)
class Kept:
    """How much there is, at each conference."""

    conference: str
    picks: int
    entries: int
    links: int
    questions: int
    places: int


def kept(visitor: Visitor | None) -> list[Kept]:
    return [
        Kept(
            agenda["conference"]["name"],
            sum(it["removed_at"] is None for it in agenda["picks"]),
            sum(it["removed_at"] is None for it in agenda["private_entries"]),
            sum(it["revoked_at"] is None for it in agenda["links_to_read"]),
            len(agenda["questions"]),
            sum(it["state"] not in GONE for it in agenda["places"]),
        )
        for agenda in own_data(visitor)["agendas"]
    ]


def own_data(visitor: Visitor | None) -> dict[str, Any]:
    """As plain values; of secrets only hashes are kept, and those say nothing."""
    if visitor is None:
        return {"agendas": [], "account": None, "browsers": []}
    agendas = list(visitor.agendas.select_related("conference", "start").order_by("pk"))
    lists = {
        "picks": _picks(agendas),
        "private_entries": _rows(PrivateEntry, agendas, *ENTRY),
        "links_to_read": _rows(ReadLink, agendas, "serial", "label", "created_at", "revoked_at"),
        "crowd_reports": _rows(CrowdReport, agendas, "event__guid", "state", "at"),
        "calendars_that_came": _rows(FeedFetch, agendas, "client", "at"),
        "calendar_addresses_replaced": _rows(FeedAddress, agendas, "replaced_at", replaced_at__isnull=False),
        "questions": _rows(Question, agendas, *QUESTION),
        "places": _rows(Seat, agendas, *SEAT),
        "question_votes": _rows(QuestionVote, agendas, "question__guid", "at"),
    }
    return {
        "agendas": [_agenda(agenda) | {name: rows[agenda.pk] for name, rows in lists.items()} for agenda in agendas],
        "account": _account(visitor),
        "browsers": list(AccessToken.objects.filter(visitor=visitor).order_by("pk").values("created_at")),
    }


def _agenda(agenda: Agenda) -> dict[str, Any]:
    at = agenda.conference
    public = at.status == ConferenceStatus.PUBLISHED
    conference = {"slug": at.slug if public else "", "name": at.name if public else "A conference that is not public now"}
    start = agenda.start.name if agenda.start and public else ""
    return {"conference": conference, "start": start, **{name: getattr(agenda, name) for name in OWN}}


def _picks(agendas: list[Agenda]) -> dict[int, list[dict[str, Any]]]:
    """With titles, but for what was hidden since: what it is called now is not theirs to know."""
    rows = _rows(Bookmark, agendas, "event__guid", *PICK)
    public = Event.objects.public().filter(bookmarks__agenda__in=agendas).distinct()
    titles = dict(public.values_list("guid", "title"))
    return {
        agenda: [{"event_guid": it["event_guid"], "event_title": titles.get(it["event_guid"], ""), **it} for it in picks]
        for agenda, picks in rows.items()
    }


def _rows(model: Any, agendas: list[Agenda], *names: str, **only: Any) -> dict[int, list[dict[str, Any]]]:
    """The values of these columns, by agenda."""
    found: dict[int, list[dict[str, Any]]] = {agenda.pk: [] for agenda in agendas}
    for row in model.objects.filter(agenda__in=agendas, **only).order_by("pk").values("agenda_id", *names):
        found[row.pop("agenda_id")].append({name.replace("__", "_"): value for name, value in row.items()})
    return found


def _account(visitor: Visitor) -> dict[str, Any] | None:
    account = Account.objects.filter(visitor=visitor).select_related("user").first()
    if account is None:
        return None
    return {"mail": account.user.email, "wants_digests": account.wants_digests, "created_at": account.created_at}

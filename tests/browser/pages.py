"""Every page of the app by its name in the URLconf, so that a new page joins the tests by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse

from events.models import (
    Conference,
    Event,
    InfoPage,
    Kind,
    Paper,
    Person,
    Poll,
    PrivateEntry,
    Proposal,
    Question,
    Room,
    SignUp,
    Topic,
)
from events.programme.addresses import page_name
from events.screens.queries import screen_address_of
from tests.security.addresses import LISTED, OF_HOST, OF_POLLS, OF_PROPOSALS, OF_QUESTIONS, SHOWN_BY_LINK, pages, patterns

SLUG_MODELS: dict[str, Any] = {"events:topic-detail": Topic, "events:info-page": InfoPage}
AT = "?at=2025-04-24T10:20"


def page_addresses(conference: Conference) -> dict[str, str]:
    """Name to path, for everything that answers with HTML."""
    found = {}
    for name in pages():
        if name in {"events:schedule", "events:question-withdraw"} or name in SHOWN_BY_LINK:
            # It sends on to a day's page, or only who has the agenda is shown it or can say where it is.
            continue
        if name in SLUG_MODELS and not SLUG_MODELS[name].objects.filter(conference=conference).exists():
            continue
        if name in OF_PROPOSALS and not conference.proposals.exists():
            continue
        if name == "events:private-entry" and not _entries(conference).exists():
            continue
        if (name in OF_QUESTIONS and not _questions(conference)) or (name in OF_POLLS and not _polls(conference)):
            continue
        if name in OF_HOST | LISTED and not _sign_ups(conference).exists():
            continue
        values = {gap: _value(conference, name, gap) for gap in patterns()[name].gaps}
        found[name.removeprefix("events:")] = reverse(name, kwargs=values) + AT
    found["venue-level-2"] = found["venue"] + "&floor=level-2"
    found["schedule-day-grid"] = found["schedule-day"] + "&view=grid"
    found["screen-everywhere"] = f"{found['screen']}&zone=all"
    # By its name, whatever that is by now.
    if room := Room.objects.filter(conference=conference).order_by("pk").first():
        found["screen-room"] = f"{screen_address_of(room)}&{AT[1:]}"
    if social := conference.events.public().of_kind(Kind.SOCIAL).order_by("pk").first():
        found["missing-in-social"] = f"{found['missing']}&where={social.get_absolute_url()}"
    found["nothing-there"] = f"/{conference.slug}/nothing-there/"
    return found


def _entries(conference: Conference) -> QuerySet[PrivateEntry]:
    return PrivateEntry.objects.filter(agenda__conference=conference, removed_at=None)


def _questions(conference: Conference) -> QuerySet[Question]:
    return Question.objects.filter(event__conference=conference, state="open").order_by("pk")


def _polls(conference: Conference) -> QuerySet[Poll]:
    return Poll.objects.filter(event__conference=conference, state="open").order_by("pk")


def _sign_ups(conference: Conference) -> QuerySet[SignUp]:
    return SignUp.objects.filter(event__conference=conference).order_by("pk")


def _value(conference: Conference, name: str, gap: str) -> Any:
    def first(model: Any) -> Any:
        return model.objects.filter(conference=conference).order_by("pk")[0]

    known: dict[str, Callable[[], Any]] = {
        "conference_slug": lambda: conference.slug,
        "code": lambda: "7GK2MX-4PQZ3T",
        "date": lambda: "2025-04-24",
        "guid": lambda: _guid(conference, name),
        "name": lambda: _page_name(conference),
        "poll": lambda: _polls(conference)[0].guid,
        "question": lambda: _questions(conference)[0].guid,
        "other": lambda: conference.events.order_by("pk")[1].guid,
        "slug": lambda: first(SLUG_MODELS[name]).slug,
        "token": lambda: _sign_ups(conference)[0].new_host_token() if name in OF_HOST else first(Proposal).token,
    }
    if gap not in known:
        raise LookupError(f"Say what {gap} is in the address of {name}.")
    return known[gap]()


def _page_name(conference: Conference) -> str:
    event = conference.events.order_by("pk")[0]
    return page_name(event.pk, event.title)


def _guid(conference: Conference, name: str) -> Any:
    if name in OF_QUESTIONS:
        return _questions(conference)[0].event.guid
    if name in OF_POLLS:
        return _polls(conference)[0].event.guid
    if name in LISTED:
        return _sign_ups(conference)[0].event.guid
    model = {"events:person-detail": Person, "events:paper-detail": Paper}.get(name, Event)
    rows = _entries(conference) if name == "events:private-entry" else model.objects.filter(conference=conference)
    return rows.order_by("pk").values_list("guid", flat=True)[0]

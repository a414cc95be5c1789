"""Every page of the app by its name in the URLconf, so that a new page joins the tests by itself."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.urls import reverse

from events.models import Conference, Event, Paper, Person, PrivateEntry, Topic
from tests.security.addresses import SHOWN_BY_LINK, pages, patterns

AT = "?at=2025-04-24T10:20"


def page_addresses(conference: Conference) -> dict[str, str]:
    """Name to path, for everything that answers with HTML."""
    found = {}
    for name in pages():
        if name == "events:schedule" or name in SHOWN_BY_LINK:
            # It sends on to a day's page, or only who has the agenda can say where it is.
            continue
        if name == "events:topic-detail" and not conference.topics.exists():
            continue
        if name == "events:private-entry" and not _entries(conference).exists():
            continue
        values = {gap: _value(conference, name, gap) for gap in patterns()[name].gaps}
        found[name.removeprefix("events:")] = reverse(name, kwargs=values) + AT
    found["schedule-day-grid"] = found["schedule-day"] + "&view=grid"
    found["nothing-there"] = f"/{conference.slug}/nothing-there/"
    return found


def _entries(conference: Conference) -> QuerySet[PrivateEntry]:
    return PrivateEntry.objects.filter(agenda__conference=conference, removed_at=None)


def _value(conference: Conference, name: str, gap: str) -> Any:
    match gap:
        case "conference_slug":
            return conference.slug
        case "code":
            return "7GK2M-X4PQZ"
        case "date":
            return "2025-04-24"
        case "guid":
            model = {"events:person-detail": Person, "events:paper-detail": Paper}.get(name, Event)
            rows = _entries(conference) if name == "events:private-entry" else model.objects.filter(conference=conference)
            return rows.order_by("pk").values_list("guid", flat=True)[0]
        case "other":
            return Event.objects.filter(conference=conference).order_by("pk").values_list("guid", flat=True)[1]
        case "slug":
            return Topic.objects.filter(conference=conference).order_by("pk").values_list("slug", flat=True)[0]
        case _:
            raise LookupError(f"Say what {gap} is in the address of {name}.")

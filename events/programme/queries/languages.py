"""The languages of a conference's public events."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Count, Q

from events.core.byte_cache import PROCESS_CACHE
from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.programme.models.labels import Kind
from events.programme.queries.revisions import last_change_of_everything
from events.programme.rules.languages import are_languages_worth_naming


def shows_languages(conference: Conference) -> bool:
    """Whether pages name the language of an event and offer languages as a filter."""

    def read() -> bool:
        # Files give breaks no language, whatever the talks are in.
        events = Event.objects.public().filter(conference=conference).exclude(type__kind__in=[Kind.BREAK, Kind.SERVICE])
        return are_languages_worth_naming(dict(events.order_by().values_list("language").annotate(n=Count("pk"))))

    # Cached, because every page with an event in a language asks.
    return PROCESS_CACHE.get_or_build(("languages", conference.pk), read, version=last_change_of_everything(conference))


def in_languages(tags: Iterable[str]) -> Q:
    """Match events in these languages: “pt” is also “pt-BR” (RFC 4647 3.3.1)."""
    return Q(*(Q(language=tag) | Q(language__startswith=f"{tag}-") for tag in tags), _connector=Q.OR)

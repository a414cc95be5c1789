"""People, links and talks of many events, read together. ``Event`` itself is defined above this module."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import Prefetch

from events.core.db.prepared_query import set_prefetched
from events.programme.models.papers import Authorship, Link
from events.programme.models.people import Appearance


def people_prefetches(appearance: Sequence[str] = (), authorship: Sequence[str] = ()) -> list[Prefetch[str]]:
    # People are joined: SQLite accepts no list of more than a thousand keys to look up.
    appearances = Appearance.objects.select_related("person")
    authorships = Authorship.objects.select_related("person")
    return [
        Prefetch("appearances", appearances.only(*appearance) if appearance else appearances),
        Prefetch("paper__authorships", authorships.only(*authorship) if authorship else authorships),
    ]


def read_relations(events: Sequence[Any], talks: Iterable[Any]) -> None:
    """Set what snapshots show besides the rows of the events; ``talks`` are those of all of them."""
    appearances = Appearance.objects.select_related("person").only("event", "role", "remote", "person__name")
    pks, papers = [event.pk for event in events], {event.paper_id for event in events if event.paper_id}
    people = _grouped((row.event_id, row) for row in appearances.filter(event__in=pks))
    links = _grouped((row.event_id, row) for row in Link.objects.filter(event__in=pks))
    children = _grouped((talk.session_id, talk) for talk in talks)
    authors = Authorship.objects.filter(paper__in=papers).order_by("position", "pk")
    names = _grouped(authors.values_list("paper", "person__name"))
    for event in events:
        for relation, related in (("appearances", people), ("links", links), ("children", children)):
            set_prefetched(event, relation, related.get(event.pk, []))
        if event.paper:
            event.paper.author_names = names.get(event.paper.pk, [])


def _grouped(pairs: Iterable[tuple[Any, Any]]) -> dict[Any, list[Any]]:
    rows: dict[Any, list[Any]] = defaultdict(list)
    for key, row in pairs:
        rows[key].append(row)
    return rows

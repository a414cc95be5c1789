"""Every address of the site, found by walking the URLconf, and what fills its gaps in the world of these tests."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from django.urls import URLPattern, URLResolver, get_resolver, reverse

from events.programme.addresses import page_name
from tests.security.world import World

GAP = re.compile(r"<(?:\w+:)?(\w+)>")
NEEDS_LETTERS = re.compile(r"[^\w/<>:.-]")
CALENDARS = frozenset(
    f"events:{name}"
    for name in (
        "event-calendar",
        "schedule-calendar",
        "day-calendar",
        "person-calendar",
        "sign-up-calendar",
        "agenda-download",
        "feed",
    )
)
EXPORTS = frozenset(
    {
        "events:announcements-feed",
        "events:changes-feed",
        "events:schedule-xml",
        "events:schedule-json",
        "events:schedule-csv",
        "events:papers-csv",
        "events:sign-up-table",
        "events:data-export",
        "events:recordings-feed",
    }
)
PICTURES = frozenset(
    f"events:{name}"
    for name in (
        "icon",
        "favicon",
        "preview-picture",
        "event-preview-picture",
        "feed-qr",
        "agenda-qr",
        "directions-qr",
        "event-round-qr",
        "poll-qr",
        "question-qr",
        "plan-drawing",
    )
)
PLAIN = frozenset(
    {
        # They send on to the overview, and to the page of the event.
        "events:preview-open",
        "events:event-by-guid",
        "events:digests-off",
        "events:agenda-banner",
        "events:crowd-list",
        "events:healthz",
        "events:readyz",
        "events:robots",
        "events:sitemap",
        "events:sitemap-index",
        "events:speculation-rules",
        "events:security-txt",
        "events:media",
        "events:metrics",
        "events:colours",
        "events:service-worker",
        "events:offline-list",
        "events:manifest",
    }
)
OF_ACCOUNT = frozenset({"events:account-code-again", "events:digests-set", "events:sign-out"})
OF_QUESTIONS = frozenset({"events:question-list", "events:question-ask", "events:question-vote", "events:question-withdraw"})
OF_POLLS = frozenset({"events:poll-list", "events:poll-vote"})
OF_DEVICES = frozenset({"events:others-sign-out", "events:device-sign-out", "events:link-take-back"})
OF_LISTS = frozenset({"events:place-seen"})
POST_ONLY = (
    OF_ACCOUNT
    | OF_DEVICES
    | OF_LISTS
    | frozenset({"events:preview-leave", "events:start-set", "events:walking-set", "events:visit-set"})
    | frozenset({"events:feed-reset", "events:feed-options", "events:feed-alarm"})
)
LISTED = frozenset({"events:sign-up", "events:place-seen"})
OF_HOST = frozenset({"events:sign-up-list", "events:sign-up-table"})
# Their address is a secret that only the holder of the agenda can make.
OF_PROPOSALS = frozenset({"events:proposal", "events:proposal-change"})
SHOWN_BY_LINK = frozenset({"events:shared-agenda", "events:shared-copy"})


class Address(NamedTuple):
    """A pattern under its name, ``events:feed``; one without a name under its route, ``admin:organise/…``."""

    name: str
    route: str
    pattern: URLPattern

    @property
    def gaps(self) -> list[str]:
        return GAP.findall(self.route)


@cache
def patterns() -> dict[str, Address]:
    return {it.name: it for it in _walk(get_resolver(), "", "")}


def _walk(resolver: URLResolver, namespace: str, route: str) -> Iterator[Address]:
    for it in resolver.url_patterns:
        here = route + str(it.pattern)
        if isinstance(it, URLResolver):
            yield from _walk(it, f"{namespace}{it.namespace}:" if it.namespace else namespace, here)
        else:
            yield Address(f"{namespace}{it.name or NEEDS_LETTERS.sub('', here)}", here, it)


def names() -> list[str]:
    """Everything of ours, in the order of the URLconf."""
    return [name for name in patterns() if name.startswith("events:")]


def pages() -> list[str]:
    """What answers with HTML: whatever is not known to be something else, so that a new address is looked at."""
    return [name for name in names() if name not in CALENDARS | EXPORTS | PICTURES | PLAIN | POST_ONLY]


def address(name: str, world: World) -> str:
    """The address under which the world has something to show."""
    shown = {"person-detail": world.person, "person-calendar": world.person, "paper-detail": world.paper}.get(
        name.partition(":")[2], world.keynote
    )
    known = {
        "code": "7GK2MX-4PQZ3T",
        "conference_slug": world.conference.slug,
        "date": world.day.date,
        "guid": shown.guid,
        "name": page_name(world.keynote.pk, world.keynote.title),
        "other": world.poster.guid,
        "poll": world.poll.guid,
        "size": 192,
        "question": world.question.guid,
        "slug": world.topic.slug,
        "token": world.read_token if name in SHOWN_BY_LINK else world.feed_token,
        "word": "1:nothing-that-we-signed",
        "path": "people/nobody.webp",
        "version": hashlib.md5(world.upper_plan.drawing.encode()).hexdigest(),
    }
    if name in OF_PROPOSALS:
        known["token"] = world.proposal.token
    if name == "events:preview-open":
        known["token"] = world.preview_link.token
    if name in LISTED:
        known["guid"] = world.party.guid
    if name in OF_HOST:
        known["token"] = world.host_token
    if name == "events:sign-up-calendar":
        known["guid"] = world.social.guid
    if name == "events:info-page":
        known["slug"] = world.info.slug
    if name == "events:private-entry":
        known["guid"] = world.entry.guid
    gaps = patterns()[name].gaps
    unknown = set(gaps) - known.keys()
    assert not unknown, f"{name} has {unknown} in its address: say in {__name__} what stands there."
    return reverse(name, kwargs={gap: known[gap] for gap in gaps})

"""Pages of the days that a question names: "sunday 9:30" leads to the day, "social sunday" to what is found on it."""

from __future__ import annotations

import datetime as dt

from django.http import QueryDict
from django.urls import reverse

from events.core.byte_cache import PROCESS_CACHE
from events.core.clock import Clock, with_pinned_time
from events.programme.models.conference import Conference
from events.programme.queries.filters import FilterOption
from events.programme.queries.revisions import last_change_of_everything
from events.search.rules import COMMON_WORDS, may_name_days, named_days, named_hour

MAX_DAY_PAGES = 3


def day_pages(conference: Conference, question: str, query: QueryDict, clock: Clock) -> list[FilterOption]:
    """Return the pages of the days, or searches for the other words of the question on these days."""
    if not may_name_days(question):
        return []
    hour, rest = named_hour(question)
    dates, others = named_days(rest, _dates(conference), clock.today)
    others = "" if COMMON_WORDS.issuperset(others.casefold().split()) else others
    found = []
    for date in dates[:MAX_DAY_PAGES]:
        name, key = f"{date:%A} {date.day} {date:%B}", date.isoformat()
        if others:
            asked = query.copy()
            asked["q"], asked["day"] = others, key
            url = f"{reverse('events:search', args=[conference.slug])}?{asked.urlencode()}"
            found.append(FilterOption(f"“{others}” on {name}", key, url, active=False))
        else:
            url = with_pinned_time(reverse("events:schedule-day", args=[conference.slug, key]), clock)
            # The anchor of the hour (events.pages.queries.day_pages.hour_anchor), if something begins in it.
            found.append(FilterOption(name, key, url if hour is None else f"{url}#h{hour:02}", active=False))
    return found


def _dates(conference: Conference) -> list[dt.date]:
    def read() -> list[dt.date]:
        return list(conference.days.order_by("date").values_list("date", flat=True))

    return PROCESS_CACHE.get_or_build(("dates", conference.pk), read, version=last_change_of_everything(conference))

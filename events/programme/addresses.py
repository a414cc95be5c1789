"""Addresses of events, by words of the title for readers and the primary key, and of other rows, by their guid."""

from __future__ import annotations

import functools
from uuid import UUID

from django.urls import reverse
from django.utils.text import slugify

MAX_ADDRESS_WORDS_CHARS = 60
WORDS_WITHOUT_TITLE = "event"


class PageNameConverter:
    """A name as "opening-keynote-4711": any words, and a number that fits into a column of 64 bits."""

    regex = "(?:[^/]*-)?[0-9]{1,18}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


def page_name(pk: int, title: str) -> str:
    return f"{_words(title) or WORDS_WITHOUT_TITLE}-{pk}"


def pk_in_page_name(name: str) -> int:
    return int(name.rpartition("-")[2])


def event_url(slug: str, pk: int, title: str) -> str:
    """The address of an event's page; ``slug`` is that of its conference."""
    return f"{_event_pages(slug)}{page_name(pk, title)}/"


def guid_url(name: str, slug: str, guid: UUID) -> str:
    """As ``reverse`` gives it, of a row that is found by its guid."""
    before, after = _around_guid(name, slug)
    return f"{before}{guid}{after}"


def _words(title: str) -> str:
    words = slugify(title)
    if len(words) <= MAX_ADDRESS_WORDS_CHARS:
        return words
    # With one more character, a word that ends there is whole.
    whole = words[: MAX_ADDRESS_WORDS_CHARS + 1].rpartition("-")[0]
    return (whole or words[:MAX_ADDRESS_WORDS_CHARS]).rstrip("-_")


# A page has hundreds of addresses, or thousands: ``reverse`` for each took a tenth of its time.
@functools.lru_cache(maxsize=256)
def _event_pages(slug: str) -> str:
    return reverse("events:event-detail", args=[slug, "0"]).removesuffix("0/")


@functools.lru_cache(maxsize=256)
def _around_guid(name: str, slug: str) -> tuple[str, str]:
    before, after = reverse(name, args=[slug, UUID(int=0)]).split(str(UUID(int=0)))
    return before, after


def name_in_url(name: str) -> str:
    """Return a slug in any script; the name itself if no letter remains."""
    return slugify(name, allow_unicode=True) or name


def folded_name(name: str) -> str:
    """Return what is equal for two spellings of a place's name in addresses."""
    return name_in_url(name).casefold()

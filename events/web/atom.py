"""Atom feeds (RFC 4287) of a conference, as responses."""

from __future__ import annotations

import datetime as dt
import uuid

from django.http import HttpResponse
from django.utils.feedgenerator import Atom1Feed
from django.utils.http import http_date

from events.core.text import one_line
from events.programme.models.conference import Conference

ATOM_FORMAT_VERSION = 3
"""Part of the ETags: raise it with any change of the bytes."""


class ConferenceFeed(Atom1Feed):
    """An Atom feed dated by its newest entry, so that the same rows give the same bytes."""

    def __init__(self, conference: Conference, title: str, page: str, *, part: str, own_url: str | None = None) -> None:
        """``part`` is part of the id: one page may have several feeds."""
        # The date of an empty feed.
        self.default_date = dt.datetime(conference.start.year, 1, 1, tzinfo=dt.UTC)
        self.newest: dt.datetime | None = None
        super().__init__(
            title=one_line(f"{conference.name}: {title}"),
            link=page,
            description=None,
            author_name=one_line(conference.name),
            feed_url=own_url,
            feed_guid=f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, f'{page}#{part}')}",
        )

    def add(self, guid: uuid.UUID, title: str, link: str, text: str, *, at: dt.datetime, changed: dt.datetime) -> None:
        """``text`` is HTML without control characters."""
        self.newest = max(self.newest or changed, changed)
        self.add_item(
            title=one_line(title), link=link, description=text, unique_id=f"urn:uuid:{guid}", pubdate=at, updateddate=changed
        )

    def latest_post_date(self) -> dt.datetime:
        return self.newest or self.default_date

    def as_response(self) -> HttpResponse:
        headers = {"Last-Modified": http_date(self.latest_post_date().timestamp())}
        response = HttpResponse(content_type="application/atom+xml; charset=utf-8", headers=headers)
        self.write(response, "utf-8")
        return response

"""Which kinds of calendars fetched a feed, when they came last, and the revisions they were given."""

from __future__ import annotations

import datetime as dt
import logging

from django.db import Error

from events.models import Agenda, FeedFetch
from events.models.writing import impatient_write

logger = logging.getLogger("events.calendars")


def record(agenda: Agenda, client: str, at: dt.datetime) -> None:
    """Write down the visit; a database that is locked or away costs this row, and not the calendar its answer."""
    given = {"at": at, "agenda_revision": agenda.revision, "conference_revision": agenda.conference.revision}
    # Only for the address that was asked for: of one that was replaced meanwhile the visit says nothing.
    address = Agenda.objects.filter(pk=agenda.pk, feed_serial=agenda.feed_serial)
    last = FeedFetch.objects.filter(agenda__in=address, client=client)
    try:
        with impatient_write():
            # One that came later may have been quicker.
            if last.filter(at__lte=at).update(**given):
                return
            if address.select_for_update(no_key=True).values_list("pk").first():
                FeedFetch.objects.bulk_create([FeedFetch(agenda=agenda, client=client, **given)], ignore_conflicts=True)
    except Error as error:
        logger.warning("The visit of a calendar was not written down: %r", error)

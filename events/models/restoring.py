"""After a backup was put back: what was numbered since it was made is not to be numbered so a second time."""

from __future__ import annotations

from django.db import transaction
from django.db.models import F

from events.models.conference import Conference

# More than anybody does to one event, and to a conference, between two backups.
REVISIONS = 1_000_000
SEQUENCES = 100


def outrun(conference: Conference) -> None:
    """Calendars and caches that have seen what the backup does not know take what is there now for newer."""
    with transaction.atomic():
        # Its history says when, to whoever asks by date.
        conference.save()
        conference.events.update(sequence=F("sequence") + SEQUENCES)
        Conference.objects.filter(pk=conference.pk).update(revision=F("revision") + REVISIONS)
        conference.bump()

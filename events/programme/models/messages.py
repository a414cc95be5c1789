"""Messages of organisers to everybody who has an event."""

from __future__ import annotations

from django.db import transaction

from events.programme import lifecycle
from events.programme.models.changes import Change
from events.programme.models.event import Event
from events.programme.rules.changes import MESSAGE_FIELD, RecordedChange
from events.programme.rules.subjects import event_subject


def send_message(event: Event, text: str) -> None:
    """Write a change of a public event: agendas and its page show it, and it is mailed to those who asked."""
    with transaction.atomic():
        event.conference.lock()
        # With the first change every menu gets the page of changes.
        is_first = not Change.objects.public().filter(event__conference=event.conference).exists()
        change = Change.objects.create(event=event, field=MESSAGE_FIELD, new=text)
        event.conference.bump_revision([event.pk], None if is_first else {event_subject(event.guid)})
        lifecycle.call_after_changes_recorded([RecordedChange(MESSAGE_FIELD, "", text, change.at, event.start)])

"""The feed people subscribe to, and what an address answers that is one no longer."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.utils import timezone

from events.calendars import feeds
from events.http import Request
from events.models import Agenda
from events.views.calendar_answers import PERSONAL, answer, read_only, unlisted


@read_only
@unlisted
def feed(request: Request, token: str) -> HttpResponse:
    """What calendars fetch every hour: no cookie read, none set, and nothing written."""
    agenda = Agenda.objects.by_feed(token)
    if agenda is None:
        raise Http404
    return answer(request, feeds.agenda_feed(agenda, timezone.now()), PERSONAL)

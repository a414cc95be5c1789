"""What of the questions to an event is a visitor's own: set into the page that is the same for everybody."""

from __future__ import annotations

from typing import cast

from django.http import HttpRequest
from django.template.loader import render_to_string

from events.http import Request, find_agenda
from events.models import Event
from events.pages.holes import own_part
from events.queries.questions import OwnVotes, own_votes


def own_votes_of(request: HttpRequest, event_key: str) -> tuple[Event, OwnVotes] | None:
    """Read once a request, however many questions there are; nothing for who neither asked nor voted."""
    known: dict[str, tuple[Event, OwnVotes] | None] = request.__dict__.setdefault("own_votes", {})
    if event_key not in known:
        conference, clock = cast(Request, request).conference, cast(Request, request).clock
        agenda = find_agenda(request, conference)
        found = Event.objects.public().filter(conference=conference, pk=event_key, takes_questions=True)
        event = found.first() if agenda else None
        if agenda is None or event is None:
            known[event_key] = None
        else:
            event.conference = conference
            known[event_key] = event, own_votes(agenda, event, clock.now)
    return known[event_key]


@own_part("question-vote", kept=False)
def question_vote(request: HttpRequest, argument: str) -> str:
    """The button of a question (``argument``: the event's key and its own) that one asked or voted for; else as for all."""
    event_key, _, key = argument.partition(".")
    found = own_votes_of(request, event_key)
    if found is None:
        return ""
    own, pk = found[1], int(key)
    line = own.asked.get(pk) or own.voted.get(pk)
    if line is None:
        return ""
    return render_to_string("events/_question_vote.html", {"question": line, "is_own": pk in own.asked, "voted": pk in own.voted})


@own_part("my-questions", kept=False)
def my_questions(request: HttpRequest, argument: str) -> str:
    """What one asked of an event (``argument``, its primary key), and what became of it."""
    found = own_votes_of(request, argument)
    if found is None or not found[1].asked:
        return ""
    context = {"mine": list(found[1].asked.values()), "clock": cast(Request, request).clock}
    return render_to_string("events/_my_questions.html", context)

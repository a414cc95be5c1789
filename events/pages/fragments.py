"""Personal fragments: the HTML for one visitor that replaces the placeholders of a page."""

from __future__ import annotations

import datetime as dt
import html
from uuid import UUID

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe

from events.agenda.models.agenda import Agenda
from events.agenda.models.bookmarks import SlotColumns, SlotRow
from events.agenda.page_cache import Fragment, once_per_request, start_pk
from events.agenda.queries.changes import agenda_news as news_of
from events.agenda.queries.conflicts import AgendaConflicts
from events.agenda.queries.notes import note_of
from events.agenda.queries.other_times import other_times_of_event
from events.agenda.visitor import find_agenda, former_token, has_lost_agenda
from events.announcements import queries as announcements_queries
from events.core.clock import not_after_now, with_pinned_time
from events.crowd.queries.block import alternatives_to, reported_event
from events.pages.my_agenda import my_agenda_fragment
from events.pages.queries import agenda as agenda_queries
from events.pages.queries import lists as lists_queries
from events.pages.queries.agenda import NextStop
from events.pages.queries.agenda import next_stop as next_stop_of
from events.pages.queries.event import event_conflicts
from events.pages.queries.leaving import LeaveLine, leave_line
from events.pages.queries.topics import topic_fit
from events.polls.queries import poll_by_pk, poll_card
from events.posters.queries import my_posters as posters_of
from events.programme.display import BookmarkButton
from events.programme.models.event import Event
from events.programme.queries.events import placed_event
from events.programme.rules.subjects import card_subjects
from events.programme.rules.walking import Need
from events.questions.queries import OwnVotes, own_votes
from events.sign_up import queries as sign_up_queries
from events.venue.queries.ways import way_to_event
from events.venue.rules.plan_labels import area_sign
from events.web.request import Request, attendance_of, dismissed_of, needs_of

# What a fragment is about that shows bookmarks and nothing else (``request.subjects``).
ONLY_BOOKMARKS: frozenset[str] = frozenset()


def personal_html(request: Request, name: str, *arguments: object) -> str:
    """A fragment on a page that is rendered for one visitor; built once per request, however often the page has it."""
    fragment, agenda = FRAGMENTS[name], find_agenda(request, request.conference)
    if agenda is None and fragment.needs_agenda:
        return ""
    if agenda:
        agenda.conference = request.conference
    return once_per_request(request, (fragment, arguments), lambda: fragment.render(request, agenda, *arguments))


def agenda_count_fragment(request: Request, agenda: Agenda) -> str:
    request.subjects = ONLY_BOOKMARKS
    return str(agenda.count or "")


def agenda_news_fragment(request: Request, agenda: Agenda) -> str:
    clock, request.subjects = request.clock, ONLY_BOOKMARKS
    context = {"news_count": news_of(agenda, clock).count, "new_places": sign_up_queries.new_seats(agenda, clock)}
    return _html(request, "agenda/_watch", context)


def lost_agenda_fragment(request: Request, agenda: Agenda | None) -> str:
    if agenda is not None or not has_lost_agenda(request):
        return ""
    return _html(request, "agenda/_lost_agenda", {"has_former": bool(former_token(request))})


def announcements_fragment(request: Request, agenda: Agenda | None) -> str:
    """Without what this visitor has dismissed; empty if that is nothing."""
    conference = request.conference
    dismissed = announcements_queries.dismissed_ids(agenda, conference, dismissed_of(request))
    if not dismissed:
        return ""
    left = announcements_queries.banner(conference, request.clock, attendance_of(request), dismissed)
    return _html(request, "announcements/_announcements", {"announcements": left})


def bookmark_button_fragment(request: Request, agenda: Agenda, event_pk: int, *button: str) -> str:
    return bookmark_html(*button, bookmarked=True) if event_pk in agenda.bookmarked_events else ""


# For pages where everything depends on the bookmarks: the whole main part is replaced.
# Of the messages only the content: a screen reader may not speak what comes with a new live region.
REDRAW_MAIN = mark_safe(
    'hx-target="#main" hx-select="#main" hx-swap="outerHTML"'
    ' hx-select-oob="#status:innerHTML,#agenda-count-bar,#agenda-count-rail,#my-day-column"'
)


def bookmark_html(button_id: str, url: str, title: str, *, bookmarked: bool, redraws_main: bool = False) -> SafeString:
    """Without a template, since a page has a hundred of them. An id with "wide-" makes a button with a text."""
    swap = REDRAW_MAIN if redraws_main else 'hx-swap="outerHTML"'
    if "wide-" in button_id:
        name, words = ' data-size="wide"', "Bookmarked" if bookmarked else "Bookmark"
    else:
        name, words = f' aria-label="Bookmark {html.escape(title)}"', ""
    on, pressed, address = "0" if bookmarked else "1", "true" if bookmarked else "false", html.escape(url)
    return mark_safe(
        f'<button class="bookmark" id="{html.escape(button_id)}" form="bookmark-form" formaction="{address}" name="on"'
        f' value="{on}" aria-pressed="{pressed}"{name} hx-post="{address}" {swap}>{words}</button>'
    )


def conflicts_fragment(request: Request, agenda: Agenda, guid: UUID, slot: SlotColumns) -> str:
    """The conflicts of an event, which is read only if it has any: the page that shows it knows its time slot."""
    row = SlotRow(*slot)
    agenda_conflicts = AgendaConflicts(agenda, request.conference, request.clock, needs_of(request))
    lines = agenda_conflicts.conflicts_of_row(row)
    event = _shown_event(request, row.pk) if lines else None
    if event is None:
        # Otherwise everything, since other times of what is in conflict may be anywhere.
        request.subjects = card_subjects(str(guid), {})
        return ""
    found = event_conflicts(event, lines, request.clock)
    ways = other_times_of_event(event, [*found.lines, *found.missed], agenda_conflicts)
    return _html(request, "pages/_event_conflicts", {"found": found, "ways": ways})


def topic_fit_fragment(request: Request, agenda: Agenda, topics: str) -> str:
    """How many events about the topics (ids as "17,4") fit the agenda; empty for an empty agenda."""
    keys = [int(it) for it in topics.split(",")]
    found = topic_fit(request.conference, agenda, keys) if agenda.events.exists() else None
    return _html(request, "agenda/_fits", {"fit": found}) if found and found.total else ""


def alternatives_fragment(request: Request, agenda: Agenda, guid: UUID) -> str:
    event = reported_event(request.conference, guid)
    if event is None:
        return ""
    found = alternatives_to(event, request.clock, agenda, needs_of(request))
    return _html(request, "crowd/_alternatives", {"instead": found, "event": event})


def level_fragment(request: Request, agenda: Agenda, event_pk: int) -> str:
    request.subjects = ONLY_BOOKMARKS
    bookmark = agenda.bookmarked_events.get(event_pk)
    event = _shown_event(request, event_pk) if bookmark else None
    if bookmark is None or event is None:
        return ""
    event.presents = bookmark.presents
    return _html(request, "agenda/_my_bookmark", {"card": BookmarkButton(event, bookmarked=True), "level": bookmark.level})


def my_day_fragment(request: Request, agenda: Agenda, date: str) -> str:
    """The bookmarks of a date (ISO 8601) as a column beside the page."""
    request.subjects = ONLY_BOOKMARKS
    day = dt.date.fromisoformat(date)
    rows = agenda_queries.agenda_rows_of_day(agenda, request.clock, day, needs_of(request))
    picks = sum(row.picks for row in rows)
    return _html(request, "agenda/_my_day", {"day": day, "my_day": rows, "picks": picks}) if rows else ""


def my_note_fragment(request: Request, agenda: Agenda, event_pk: int) -> str:
    note = note_of(agenda, event_pk)
    event = _shown_event(request, event_pk) if note else None
    return _html(request, "agenda/_my_note", {"event": event, "note": note}) if event else ""


def my_posters_fragment(request: Request, agenda: Agenda, session_pk: int) -> str:
    session = _shown_event(request, session_pk)
    mine = posters_of(agenda, session, request.clock) if session else None
    if session is None or mine is None or not mine.boards:
        return ""
    round_url = with_pinned_time(reverse("events:event-round", args=[request.conference.slug, session.guid]), request.clock)
    return _html(request, "posters/_my_posters", {"mine": mine, "round_url": round_url})


def my_questions_fragment(request: Request, agenda: Agenda, event_pk: int) -> str:
    votes = _visitor_votes(request, agenda, event_pk)
    return _html(request, "questions/_my_questions", {"mine": list(votes.asked.values())}) if votes and votes.asked else ""


def ready_to_watch_fragment(request: Request, agenda: Agenda) -> str:
    count = lists_queries.ready_count(agenda, request.clock)
    return _html(request, "agenda/_ready_way", {"count": count}) if count else ""


def question_vote_fragment(request: Request, agenda: Agenda, event_pk: int, question_pk: int) -> str:
    votes = _visitor_votes(request, agenda, event_pk)
    line = (votes.asked.get(question_pk) or votes.voted.get(question_pk)) if votes else None
    if votes is None or line is None:
        return ""
    return _html(
        request,
        "questions/_question_vote",
        {"question": line, "is_own": question_pk in votes.asked, "voted": question_pk in votes.voted},
    )


def poll_fragment(request: Request, agenda: Agenda, poll_pk: int) -> str:
    poll = poll_by_pk(request.conference, poll_pk)
    card = poll_card(poll, agenda, request.clock.now) if poll else None
    return _html(request, "polls/_poll", {"poll": card}) if card and card.has_voted else ""


def _visitor_votes(request: Request, agenda: Agenda, event_pk: int) -> OwnVotes | None:
    event = Event.objects.public().filter(conference=request.conference, pk=event_pk, takes_questions=True)

    def read() -> OwnVotes | None:
        for found in event:
            found.conference = request.conference
            return own_votes(agenda, found, request.clock.now)
        return None

    return once_per_request(request, ("votes", event_pk), read)


def my_seat_fragment(request: Request, agenda: Agenda, event_pk: int) -> str:
    mine = sign_up_queries.seats_with_position(agenda).filter(sign_up__event=event_pk).first()
    if mine is None:
        return ""
    event, now = mine.sign_up.event, not_after_now(request.clock).now
    event.conference = request.conference
    context = {
        "seat": mine,
        "seat_text": sign_up_queries.seat_text(mine, now),
        "is_over": event.end is not None and event.end <= now,
        "has_name": sign_up_queries.can_come(mine, now),
        "event": event,
    }
    return _html(request, "sign_up/_my_seat", context)


def leave_line_fragment(request: Request, agenda: Agenda, is_online: bool) -> str:
    request.subjects = ONLY_BOOKMARKS
    line = _leave_line(request, agenda, is_online)
    return _html(request, "agenda/_leave_line", {"line": line}) if line else ""


def leave_watch_fragment(request: Request, agenda: Agenda) -> str:
    request.subjects = ONLY_BOOKMARKS
    return _html(request, "agenda/_leave_watch", {})


def _leave_line(request: Request, agenda: Agenda, is_online: bool) -> LeaveLine | None:
    def read() -> LeaveLine | None:
        return leave_line(agenda, request.clock, needs_of(request), start_pk(request, agenda), is_online=is_online)

    return once_per_request(request, ("leave line", is_online), read)


def next_room_fragment(request: Request, agenda: Agenda) -> str:
    request.subjects = ONLY_BOOKMARKS
    found = _next_room(request, agenda)
    return _html(request, "agenda/_next_room", {"next": found}) if found else ""


def next_stop_fragment(request: Request, agenda: Agenda, is_online: bool) -> str:
    """What comes on a later day: the line above the page names what comes today."""
    request.subjects = ONLY_BOOKMARKS
    found = None if _leave_line(request, agenda, is_online) else next_stop_of(agenda, request.clock, needs_of(request))
    return _html(request, "agenda/_next_stop", {"next": found}) if found else ""


def next_area_fragment(request: Request, agenda: Agenda, plan: int) -> str:
    request.subjects = ONLY_BOOKMARKS
    found = _next_room(request, agenda)
    places = [it for it in found.places if it.plan == plan] if found else []
    if not found or not places:
        return ""
    start = timezone.localtime(found.event.start)
    when = f"Next {start:%H:%M}" if found.is_today else f"Next {start:%a %H:%M}"
    return _html(request, "venue/_next_area", {"signs": [area_sign(it.shape, when, it.width) for it in places]})


def _next_room(request: Request, agenda: Agenda) -> NextStop | None:
    return once_per_request(request, "next room", lambda: next_stop_of(agenda, request.clock, needs_of(request), only_rooms=True))


def way_fragment(request: Request, agenda: Agenda | None, event_pk: int) -> str:
    event = _shown_event(request, event_pk)
    if event is None:
        return ""
    needs = needs_of(request)
    here = way_to_event(event, start_pk(request, agenda), request.clock, needs)
    if here is None:
        return ""
    url = with_pinned_time(event.get_absolute_url(), request.clock)
    back = f"{url}#getting-there"
    query = {"from": here.start.slug} if here.start else {}
    directions = reverse("events:directions", args=[request.conference.slug], query=query | {"next": back})
    context = {
        "here": here,
        "step_free": Need.STEP_FREE in needs,
        "dry": Need.DRY in needs,
        "next_url": back,
        "directions_url": with_pinned_time(directions, request.clock),
    }
    return _html(request, "venue/_way_here", context)


def _shown_event(request: Request, event_pk: int) -> Event | None:
    """The public event, without a query if the page that is being rendered is its own."""
    event: Event | None = getattr(request, "event", None)
    if event is not None and event.pk == event_pk:
        return event
    return once_per_request(request, ("event", event_pk), lambda: placed_event(request.conference, event_pk))


def _html(request: Request, template: str, context: dict[str, object]) -> str:
    # Without the request: what is cached must not depend on anything that is not in its key.
    shared = {"conference": request.conference, "clock": request.clock}
    return render_to_string(f"events/{template}.html", context | shared)


FRAGMENTS = {
    "agenda-count": Fragment(agenda_count_fragment),
    "agenda-news": Fragment(agenda_news_fragment),
    "announcements": Fragment(announcements_fragment, cached=False, needs_agenda=False),
    "bookmark-button": Fragment(bookmark_button_fragment, cached=False),
    "conflicts": Fragment(conflicts_fragment),
    "fits": Fragment(topic_fit_fragment),
    "instead": Fragment(alternatives_fragment),
    "leave-line": Fragment(leave_line_fragment),
    "leave-watch": Fragment(leave_watch_fragment),
    "level": Fragment(level_fragment),
    "lost-agenda": Fragment(lost_agenda_fragment, cached=False, needs_agenda=False, for_lost=True),
    # It caches itself, without the places.
    "my-agenda": Fragment(my_agenda_fragment, cached=False),
    "my-day": Fragment(my_day_fragment),
    "my-note": Fragment(my_note_fragment, cached=False),
    "my-posters": Fragment(my_posters_fragment),
    "my-questions": Fragment(my_questions_fragment, cached=False),
    "my-seat": Fragment(my_seat_fragment, cached=False),
    "next-area": Fragment(next_area_fragment),
    "next-room": Fragment(next_room_fragment),
    "next-stop": Fragment(next_stop_fragment),
    "poll": Fragment(poll_fragment, cached=False),
    "question-vote": Fragment(question_vote_fragment, cached=False),
    "ready-to-watch": Fragment(ready_to_watch_fragment),
    "way": Fragment(way_fragment, needs_agenda=False),
}
"""By the names in ``{% personal_fragment %}``."""

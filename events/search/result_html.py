"""The list of results as HTML, without a template: each letter of a search as you type shows ten."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from html import escape

from django.utils.safestring import SafeString, mark_safe

from events.core.languages import isolated, language_attributes
from events.core.words import TextPart
from events.programme.display import RoomSign
from events.programme.rules.days import board_text
from events.search.queries.result_times import ResultTime
from events.search.queries.results import SearchResult

TENTATIVE = '<span class="flag" data-flag="tentative">Tentative</span>'
CANCELLED = '<span class="flag" data-flag="cancelled">Cancelled</span>'


@dataclass(frozen=True)
class ResultParts:
    """The parts of results that other lists have too."""

    room: Callable[[RoomSign], str]
    bookmark: Callable[[ResultTime], str]


def results_html(results: Iterable[SearchResult], parts: ResultParts) -> SafeString:
    return mark_safe("\n".join(f"<li>{_result(result, parts)}</li>" for result in results))


def marked_html(text: Iterable[TextPart]) -> str:
    return "".join(f"<mark>{escape(part.text)}</mark>" if part.is_match else escape(part.text) for part in text)


def _result(result: SearchResult, parts: ResultParts) -> str:
    time = result.only_time
    more = f" and {result.people_more} more" if result.people_more else ""
    people = ", ".join(isolated(marked_html(name)) for name in result.people)
    language = language_attributes(result.language)
    return "\n".join(
        [
            _opening(result, time),
            f'<h3 class="event-title"><a href="{escape(result.url)}"{language}>{marked_html(result.title)}</a></h3>',
            *([f'<p class="event-people">{people}{more}</p>'] if people else []),
            *([f'<p class="event-note"{language}>{marked_html(result.note)}</p>'] if result.note else []),
            *_end(result, time, parts),
            "</article>",
        ]
    )


def _opening(result: SearchResult, time: ResultTime | None) -> str:
    if time is None:
        thing = f'data-line="break" data-thing="{escape(result.thing)}"'
        return f'<article class="event-card hit" {thing}>\n<p class="event-when"><span class="kind">{result.label}</span></p>'
    state = f'data-line="{escape(time.line)}" data-type="{escape(time.type_slug)}"'
    state += " data-past" if time.is_past else ""
    when = f'<p class="event-when">{time.when} {_type_name(time)}</p>'
    return f'<article class="event-card hit" {state}{_cancelled(time)}>\n{when}'


def _end(result: SearchResult, time: ResultTime | None, parts: ResultParts) -> list[str]:
    if time:
        foot = [f'<p class="event-foot">\n{_details(time, parts)}\n</p>'] if time.has_details else []
        return [*foot, parts.bookmark(time)]
    if result.times:
        more = [f'<p class="meta">and {result.more_times_count} more</p>'] if result.more_times_count else []
        return ['<ul class="hit-slots">', *(_slot(it, parts) for it in result.first_times), "</ul>", *more]
    if result.plate:
        link = f'<a href="{escape(result.schedule_url)}">What is on here</a>'
        return [f'<p class="event-foot event-more">\n{parts.room(result.plate)}{link}\n</p>']
    return []


def _details(time: ResultTime, parts: ResultParts) -> str:
    details = [
        parts.room(time.plate) if time.plate else "",
        f"<span>{escape(time.place)}</span>" if time.place else "",
        _board(time),
        f'<span class="event-in">in {escape(time.session)}</span>' if time.session else "",
        _flag(time),
    ]
    return "\n".join(filter(None, details))


def _slot(time: ResultTime, parts: ResultParts) -> str:
    details = [
        f'<a href="{escape(time.url)}">{_type_name(time)} {time.when}</a>',
        parts.room(time.plate) if time.plate else "",
        _board(time),
        _flag(time),
        parts.bookmark(time),
    ]
    state = f'data-line="{escape(time.line)}" data-type="{escape(time.type_slug)}"{_cancelled(time)}'
    return "\n".join([f"<li {state}>", *filter(None, details), "</li>"])


def _type_name(time: ResultTime) -> str:
    return f'<span class="kind">{escape(time.type_name)}</span>'


def _board(time: ResultTime) -> str:
    return f"<b>{escape(board_text(time.board))}</b>" if time.board else ""


def _flag(time: ResultTime) -> str:
    return CANCELLED if time.is_cancelled else TENTATIVE if time.is_tentative else ""


def _cancelled(time: ResultTime) -> str:
    return ' data-status="cancelled"' if time.is_cancelled else ""

"""Filters for times and texts, and the tags for bookmark buttons and personal fragments."""

from __future__ import annotations

import datetime as dt
import html
from collections.abc import Iterable, Mapping
from typing import Any

from django import template
from django.forms import BoundField
from django.template.defaultfilters import date
from django.utils import timezone
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify

from events.agenda.page_cache import Placeholder, placeholder_mark
from events.agenda.page_keys import PART_PARAM
from events.agenda.queries.conflicts import slot_columns
from events.core.clock import Clock, with_pinned_time
from events.core.languages import isolated, language_attributes
from events.core.rendered_text import cached_html, cached_line_html
from events.core.spans import spoken_duration
from events.core.words import TextPart
from events.pages.fragments import FRAGMENTS, REDRAW_MAIN, bookmark_html, personal_html
from events.pages.frame import frame_part
from events.programme.display import RoomSign, conference_dates
from events.programme.drafts import drafts_are_shown
from events.programme.queries.filters import FilterOption
from events.programme.rules.days import board_text
from events.search.queries.results import SearchResult
from events.search.result_html import ResultParts, marked_html, results_html
from events.web.icons import icon_path
from events.web.request import Request
from events.web.toasts import toast_of

register = template.Library()


@register.filter
def of(values: Mapping[Any, Any], key: object) -> Any:
    """The value of this key, or None."""
    return values.get(key) if values else None


@register.filter
def has_any(names: frozenset[str], some: str) -> bool:
    """Whether one of these names, separated by spaces, is among them."""
    return not names.isdisjoint(some.split())


@register.filter
def markdown(text: str) -> SafeString:
    return mark_safe(cached_html(text or ""))


@register.filter
def markdown_line(text: str) -> SafeString:
    return mark_safe(cached_line_html(text or ""))


@register.filter
def marks(parts: Iterable[TextPart]) -> SafeString:
    """Write the text as escaped HTML, with matches in <mark>."""
    return mark_safe(marked_html(parts))


@register.filter
def sign_link(sign: RoomSign, clock: Clock | None) -> SafeString:
    """The room's name with its zone, as a link. Without a template, since a list has dozens."""
    zone = sign.letter or sign.floor
    zone_html = f'<span class="plate-zone">{html.escape(zone)}</span>' if zone else ""
    url = html.escape(carry(sign.url, clock))
    return mark_safe(f'<a class="plate" href="{url}">\n  {zone_html}{html.escape(sign.name)}\n</a>')


@register.simple_tag
def filter_link(choice: FilterOption, prefix: str) -> SafeString:
    """Without a template, since each letter of a search as you type makes twenty."""
    current, end = "", ""
    if choice.active:
        current = ' aria-current="true"'
        icon = f'<svg class="icon" aria-hidden="true" viewBox="0 0 24 24"><path d="{icon_path("x")}"/></svg>'
        end = f'{icon}<span class="visually-hidden">: remove this filter</span>'
    elif choice.count:
        end = f" <small>({choice.count:,})</small>"
    link = f'class="chip" id="{prefix}-{slugify(choice.value)}" href="{html.escape(choice.url)}"{current}'
    return mark_safe(f"<a {link}>{html.escape(choice.label)}{end}</a>")


@register.simple_tag(takes_context=True)
def search_results(context: template.Context, results: Iterable[SearchResult]) -> SafeString:
    """Items of a list, with bookmark buttons."""
    clock = context["clock"]
    return results_html(results, ResultParts(lambda sign: sign_link(sign, clock), lambda time: bookmark_button(context, time)))


@register.simple_tag
def invalid(field: BoundField, help_id: str = "") -> SafeString:
    """Attributes of a control: that it has an error, and the ids of what describes it (events/web/_problems.html)."""
    state = mark_safe('aria-invalid="true"') if field.errors else ""
    ids = " ".join(filter(None, [f"{field.name}-problem" if field.errors else "", help_id]))
    return format_html("{} {}", state, format_html('aria-describedby="{}"', ids) if ids else "")


@register.filter
def choices_title(active: Iterable[FilterOption], question: str = "") -> str:
    """How the title of a filtered page begins: "“weights” · Talks · "."""
    names = [f"“{question}”"] if question else []
    return "".join(f"{name} · " for name in [*names, *(option.label for option in active)])


@register.filter
def duration(value: dt.timedelta | float | None) -> str:
    """As "45 min" or "1 h 30 min"."""
    return "" if value is None else spoken_duration(value)


@register.filter
def iso(value: dt.datetime | None) -> str:
    """ISO 8601 in the current time zone, for ``<time datetime>``."""
    return timezone.localtime(value).isoformat(timespec="minutes") if value else ""


@register.filter
def carry(url: str, clock: Clock | None) -> str:
    """Add the pinned time to the address, if there is one."""
    return with_pinned_time(url, clock) if clock else url


@register.filter
def part(url: str, name: str) -> str:
    """The address of a part of this page, for a script (events.agenda.page_cache)."""
    return f"{url}{'&' if '?' in url else '?'}{PART_PARAM}={name}"


register.filter("board", board_text)
register.filter("dates", conference_dates)
register.filter("lang", language_attributes)
register.filter(isolated)
register.simple_tag(icon_path)
register.filter(toast_of)


@register.simple_tag
def redraw_main() -> SafeString:
    return REDRAW_MAIN


@register.simple_tag
def hours(start: dt.datetime, end: dt.datetime, start_format: str = "H:i", listed: dt.date | None = None) -> SafeString:
    """Two <time> elements in the current time zone, as "14:00–14:20", and whether the second is on a later date.

    Under the date where it is ``listed``, another date of the start is named: "from Mon 18:00 until 16:00", if it lasts into
    that date, else "Mon 30 Nov, 01:00–02:00".
    """
    start, end = timezone.localtime(start), timezone.localtime(end)
    lasts = listed is not None and start.date() < listed <= end.date()
    if lasts:
        start_format = "D H:i"
    elif listed and start.date() != listed:
        start_format = "D j M, H:i"
    # Not by the filter "date", which asks for the language each time: a page of a day has hundreds of hours.
    begins = f"{start:%H:%M}" if start_format == "H:i" else escape(date(start, start_format))
    first, last = _time_html(start, begins), _time_html(end, f"{end:%H:%M}")
    if lasts and listed:
        return mark_safe(f"from {first} until {last}{_later_day(listed, end)}")
    return mark_safe(f"{first}–{last}{_later_day(start.date(), end)}")


@register.simple_tag
def clock_time(moment: dt.datetime, clock: Clock) -> SafeString:
    """A <time> element in the current time zone, as "16:00", and whether it is on a later date than now."""
    moment = timezone.localtime(moment)
    later = "" if clock.is_on_date_of(moment) else _later_day(timezone.localtime(clock.made_at).date(), moment)
    return mark_safe(f"{_time_html(moment, f'{moment:%H:%M}')}{later}")


def _time_html(moment: dt.datetime, text: str) -> str:
    return f'<time datetime="{moment.isoformat(timespec="minutes")}">{text}</time>'


def _later_day(day: dt.date, moment: dt.datetime) -> str:
    """Nothing for the same day; the weekday, if it is not the next one."""
    days = (moment.date() - day).days
    return "" if days < 1 else f" <small>{'next day' if days == 1 else f'{moment:%a}'}</small>"


# Where others have the star: nobody can bookmark a draft.
DRAFT_MARK = mark_safe(
    '<span class="flag" data-flag="draft">Draft<span class="visually-hidden">: only organisers see this</span></span>'
)


@register.simple_tag(takes_context=True)
def bookmark_button(context: template.Context, card: Any, button_id: str = "") -> str:
    """Render the star of a card. Its id survives a swap, which keeps the keyboard focus."""
    if drafts_are_shown() and (card.event.is_draft or card.event.conference.is_draft):
        return DRAFT_MARK if card.event.is_draft else ""
    button = (button_id or card.element_id, card.bookmark_url, card.title)
    if not _is_shared(context.get("request")):
        return bookmark_html(*button, bookmarked=card.bookmarked, redraws_main=bool(context.get("redraws_main")))
    return _placeholder(context["request"], bookmark_html(*button, bookmarked=False), "bookmark-button", card.key, *button)


@register.simple_tag(takes_context=True)
def personal_fragment(context: template.Context, name: str, *arguments: object) -> str:
    """{% personal_fragment name … %}, with a name of ``events.pages.fragments.FRAGMENTS``."""
    request, fragment = context["request"], FRAGMENTS[name]
    if not _is_shared(request):
        return mark_safe(personal_html(request, name, *arguments))
    default = "" if fragment.needs_agenda else fragment.render(request, None, *arguments)
    return _placeholder(request, default, name, *arguments)


register.filter("slot_columns", slot_columns)


@register.simple_block_tag(takes_context=True)
def personal_fragment_or(context: template.Context, content: str, name: str, *arguments: object) -> str:
    """{% personal_fragment_or name … %}…{% endpersonal_fragment_or %}, with the default for visitors without the fragment."""
    request = context["request"]
    if not _is_shared(request):
        return mark_safe(personal_html(request, name, *arguments) or content)
    return _placeholder(request, content, name, *arguments)


@register.simple_block_tag(takes_context=True)
def page_title(context: template.Context, content: str) -> SafeString:
    """{% page_title %}…{% endpage_title %}: the title of the page, also for those who show its link."""
    title = content.strip()
    shared = f'\n    <meta property="og:title" content="{title}">' if context.get("preview") else ""
    return mark_safe(f"<title>{title}</title>{shared}")


@register.simple_tag(takes_context=True, name="frame_part")
def frame_part_tag(context: template.Context, name: str, **values: object) -> str:
    """{% frame_part template name=value … %}: it depends on the name of the page, the menus, and these values."""
    return frame_part(context, name, values)


def _is_shared(request: Request | None) -> bool:
    return getattr(request, "shared", False)


def _placeholder(request: Request, default: str, name: str, *arguments: object) -> str:
    return mark_safe(placeholder_mark(request, Placeholder(FRAGMENTS[name], arguments, default.encode())))

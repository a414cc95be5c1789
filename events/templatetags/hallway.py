"""What templates say about time and text."""

from __future__ import annotations

import datetime as dt
import functools
from typing import Any

from django import template
from django.template.base import NodeList, Parser, Token
from django.templatetags.static import static
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from events.pages.holes import blank_html, mark_own, mark_pick, own_html
from events.queries.pinned import carried
from events.schedule.clock import Clock
from events.schedule.spans import spoken
from events.text import markdown_line_to_html, markdown_to_html

register = template.Library()


@register.filter
def markdown(text: str) -> SafeString:
    return mark_safe(markdown_to_html(text or ""))


@register.filter
def markdown_line(text: str) -> SafeString:
    return mark_safe(markdown_line_to_html(text or ""))


@register.filter
def duration(value: dt.timedelta | float | None) -> str:
    """A length as people say it: "45 min", "1 h 30 min"."""
    return "" if value is None else spoken(value)


@register.filter
def iso(value: dt.datetime | None) -> str:
    """The instant in the zone it is shown in, for ``<time datetime>``."""
    return timezone.localtime(value).isoformat(timespec="minutes") if value else ""


@register.filter
def carry(url: str, clock: Clock | None) -> str:
    """The address, with the moment the visitor looks at if it is not now."""
    return carried(url, clock) if clock else url


@register.simple_tag
@functools.cache
def icons() -> str:
    """The address of the drawings; a page has dozens, and each would look for it among all static files."""
    return static("events/icons.svg")


@register.simple_tag(takes_context=True)
def bookmark_button(context: template.Context, card: Any, button_id: str = "") -> SafeString:
    """The star of a card, pressed or not; in a page for everybody both ways. A page has a hundred of them.

    It keeps its id across a swap; one that starts with "wide-" says in words what it does.
    """
    make = functools.partial(_bookmark_button, card, button_id or card.element_id, card.bookmark_url)
    if not _is_shared(context):
        return make(card.bookmarked)
    return mark_safe(mark_pick(card.key, make(False), make(True)))


def _bookmark_button(card: Any, button_id: str, url: str, picked: bool) -> SafeString:
    if "wide-" in button_id:
        name, words = mark_safe(' data-size="wide"'), "Bookmarked" if picked else "Bookmark"
    else:
        name, words = format_html(' aria-label="Bookmark {}"', card.title), ""
    return format_html(
        '<button class="bookmark" id="{}" form="bookmark-form" formaction="{}" name="on" value="{}" aria-pressed="{}"{}'
        ' hx-post="{}" hx-swap="outerHTML"><svg class="icon" aria-hidden="true"><use href="{}#star"/></svg>{}</button>',
        *(button_id, url, "0" if picked else "1", "true" if picked else "false", name, url, icons(), words),
    )


@register.simple_tag(takes_context=True)
def own(context: template.Context, name: str, argument: Any = "") -> SafeString:
    """A part of the page that is the visitor's own, by the name it is registered under."""
    if _is_shared(context):
        return mark_safe(mark_own(name, str(argument), blank_html(context["request"], name, str(argument))))
    return mark_safe(own_html(context["request"], name, str(argument)))


class OwnOrNode(template.Node):
    """{% own_or name argument %}…{% endown_or %}: the visitor's own part, or what stands between where that is nothing."""

    def __init__(self, name: template.base.FilterExpression, argument: template.base.FilterExpression, blank: NodeList) -> None:
        self.name, self.argument, self.blank = name, argument, blank

    def render(self, context: template.Context) -> SafeString:
        name, argument = self.name.resolve(context), str(self.argument.resolve(context))
        if _is_shared(context):
            return mark_safe(mark_own(name, argument, self.blank.render(context)))
        return mark_safe(own_html(context["request"], name, argument) or self.blank.render(context))


@register.tag
def own_or(parser: Parser, token: Token) -> OwnOrNode:
    _, name, argument = token.split_contents()
    blank = parser.parse(("endown_or",))
    parser.delete_first_token()
    return OwnOrNode(parser.compile_filter(name), parser.compile_filter(argument), blank)


def _is_shared(context: template.Context) -> bool:
    return getattr(context.get("request"), "shared", False)

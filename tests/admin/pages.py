"""Forms as a browser sees and sends them."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

from django.test import Client
from django.urls import reverse

from events.models import Event
from tests.factories import make_agenda

UNDO_LINK = re.compile(r' <a href="[^"]+/undo/">Undo …</a>$')


class FormReader(HTMLParser):
    """Collects what the controls of a page would send."""

    def __init__(self) -> None:
        super().__init__()
        self.data: dict[str, Any] = {}
        self.select = self.area = ""
        self.first_option = True

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        name = values.get("name") or ""
        if tag == "input" and name and values.get("type") not in {"submit", "file"}:
            if values.get("type") not in {"checkbox", "radio"} or "checked" in values:
                self.data[name] = values.get("value") or ("on" if values.get("type") == "checkbox" else "")
        elif tag == "select" and name:
            self.select, self.first_option = name, True
        elif tag == "option" and self.select and ("selected" in values or self.first_option):
            self.data[self.select], self.first_option = values.get("value") or "", False
        elif tag == "textarea" and name:
            self.area, self.data[name] = name, ""

    def handle_endtag(self, tag: str) -> None:
        self.select = "" if tag == "select" else self.select
        self.area = "" if tag == "textarea" else self.area

    def handle_data(self, data: str) -> None:
        if self.area:
            self.data[self.area] += data.removeprefix("\n").removeprefix("\r\n")


def url(page: str, model: str, *args: object) -> str:
    return reverse(f"admin:events_{model}_{page}", args=args)


def sent_by(page: Any) -> dict[str, Any]:
    """What the buttons of a page would send, but for their own names."""
    reader = FormReader()
    reader.feed(page.text)
    return {name: value for name, value in reader.data.items() if name != "csrfmiddlewaretoken"}


def open_form(client: Client, address: str) -> dict[str, Any]:
    reader = FormReader()
    reader.feed(client.get(address).text)
    return {name: value for name, value in reader.data.items() if "__prefix__" not in name and name != "csrfmiddlewaretoken"}


def save(client: Client, address: str, data: dict[str, Any], /, **changes: Any) -> Any:
    return client.post(address, {**data, **changes, "_save": "Save"})


def errors_of(response: Any) -> dict[str, list[str]]:
    """Every error of the page, by field."""
    errors = {name: list(words) for name, words in response.context["adminform"].form.errors.items()}
    for inline in response.context["inline_admin_formsets"]:
        for form in inline.formset.forms:
            errors |= {f"{form.prefix}-{name}": list(words) for name, words in form.errors.items()}
    return errors


def messages_of(response: Any) -> list[str]:
    """The messages of the answer, without the link that takes back what they say."""
    return [UNDO_LINK.sub("", str(message)) for message in response.wsgi_request._messages]


LATER = {"start_1": "11:00", "end_1": "12:00"}


def move(client: Client, event: Event, model: str = "session", /, **changes: Any) -> Any:
    """Open the form of an event, type, and press Save."""
    address = url("change", model, event.pk)
    return save(client, address, open_form(client, address), **changes)


def asks(page: Any) -> bool:
    """Whether it is the page between a form and saving it."""
    return page.status_code == 200 and "admin/event_confirm.html" in [it.name for it in page.templates]


def picked(count: int, *events: Event) -> None:
    """So many agendas that have just these."""
    for _ in range(count):
        make_agenda(events[0].conference, *events)


def counts(page: Any) -> list[tuple[str, str]]:
    """What the page says a change does to attendees."""
    found: list[tuple[str, str]] = page.context["impact"]["counts"]
    return found


def act(client: Client, model: str, action: str, events: Any, **answers: Any) -> Any:
    """Choose events in a list, and an action; with answers, also the page that asks for them."""
    data = {"action": action, "_selected_action": [str(event.pk) for event in events]}
    if answers:
        data |= {"apply": "1", **answers}
    else:
        data |= {"index": "0"}
    return client.post(url("changelist", model), data)

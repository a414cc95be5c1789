"""Messages after an action, with an Undo that sets the former state."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from django.contrib import messages
from django.contrib.messages.storage.base import Message
from django.http import HttpRequest


@dataclass(frozen=True, slots=True)
class Undo:
    """A form: its address, and the fields that set the former state."""

    url: str
    fields: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Toast:
    """A message that ``stays`` is closed by its reader; others leave after some seconds."""

    sentence: str
    undo: Undo | None = None
    stays: bool = False


# What is larger does not fit into the cookie that carries a message over a redirect, and Django then drops the message.
MAX_TOAST_BYTES = 1200
MAX_UNDO_BYTES = 750


def add_toast(request: HttpRequest, sentence: str, undo: Undo | None = None, *, stays: bool = False) -> None:
    """Show it on the next page; a long sentence is cut, and an Undo with long fields left out.

    Django keeps messages as text with tags, so the rest travels as a tag.
    """
    undo_bytes = sum(len(value.encode()) for value in undo.fields.values()) if undo else 0
    if undo_bytes > MAX_UNDO_BYTES:
        undo, undo_bytes = None, 0
    sentence = cut_to_bytes(sentence, MAX_TOAST_BYTES - undo_bytes)
    undo_values = [undo.url, dict(undo.fields)] if undo else None
    messages.success(request, sentence, extra_tags=json.dumps({"undo": undo_values, "stays": stays}))


def cut_to_bytes(text: str, most: int) -> str:
    if len(text.encode()) <= most:
        return text
    return text.encode()[: most - len("…".encode())].decode(errors="ignore") + "…"


def toast_of(message: Message) -> Toast:
    tags = json.loads(message.extra_tags) if (message.extra_tags or "").startswith("{") else {}
    undo = Undo(*tags["undo"]) if tags.get("undo") else None
    return Toast(str(message.message), undo, stays=tags.get("stays", False) or message.level >= messages.WARNING)

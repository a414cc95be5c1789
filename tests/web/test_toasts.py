"""Messages that travel in a cookie over a redirect."""

from __future__ import annotations

import random

import pytest
from django.contrib.messages import get_messages
from django.contrib.messages.storage.cookie import CookieStorage
from django.http import HttpResponse
from django.test import RequestFactory

from events.web.toasts import Toast, Undo, add_toast, cut_to_bytes, toast_of

FIRST, LAST = ord("一"), ord("龥")


def carried(sentence: str, undo: Undo | None = None) -> list[Toast]:
    """The messages on the next page."""
    request, response = RequestFactory().get("/"), HttpResponse()
    storage = CookieStorage(request)
    request._messages = storage  # type: ignore[attr-defined]
    add_toast(request, sentence, undo)
    storage.update(response)
    following = RequestFactory().get("/")
    following.COOKIES = {name: morsel.value for name, morsel in response.cookies.items()}
    following._messages = CookieStorage(following)  # type: ignore[attr-defined]
    return [toast_of(message) for message in get_messages(following)]


def characters(number: int) -> str:
    """Text that does not get shorter when it is compressed."""
    source = random.Random(15)
    return "".join(chr(source.randint(FIRST, LAST)) for _ in range(number))


@pytest.mark.parametrize(("said", "noted"), [(60, 240), (400, 240), (400, 260), (2000, 4000), (400, 0)])
def test_message_of_any_length_arrives(said: int, noted: int) -> None:
    undo = Undo("/demo/events/a/note/", {"text": characters(noted), "undo": "1"})

    [toast] = carried(characters(said), undo)

    assert toast.sentence.removesuffix("…") == characters(said)[: len(toast.sentence.removesuffix("…"))]
    assert (toast.undo == undo) == (noted < 250)


def test_long_sentence_of_many_conflicts_keeps_its_undo() -> None:
    undo = Undo("/demo/events/a/bookmark/", {"undo": "must"})

    [toast] = carried("In your agenda: Adam. " + characters(3000), undo)

    assert (toast.sentence[:21], toast.sentence[-1], toast.undo) == ("In your agenda: Adam.", "…", undo)


def test_text_is_cut_between_characters() -> None:
    assert [cut_to_bytes("éé", most) for most in (4, 3)] == ["éé", "…"]

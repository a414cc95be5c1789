from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.exceptions import ValidationError
from pytest_django import Settings

from events.core.db.fields import COLOUR_LINES, free_slug, hex_colour, line_colour, plain_text, time_zone, web_address
from events.models import Conference, Event, EventType, Link, Person, Track

Validator = Callable[[str], None]


def refusal(validator: Validator, value: str) -> str:
    with pytest.raises(ValidationError) as caught:
        validator(value)
    return " ".join(caught.value.messages)


@pytest.mark.parametrize("path", ["hidden-door/", "hidden-door/inside/"])
def test_conference_is_not_where_the_admin_is(settings: Settings, path: str) -> None:
    settings.ADMIN_PATH = path

    free_slug("hidden")
    assert refusal(free_slug, "hidden-door") == "“hidden-door” is an address of the site itself: add the year, hidden-door-2025."


@pytest.mark.parametrize(
    ("text", "position", "name"),
    [
        pytest.param("a\x00b", 2, "U+0000", id="nul"),
        pytest.param("\x07", 1, "U+0007", id="bell"),
        pytest.param("ab\x1b[1m", 3, "U+001B", id="escape"),
        pytest.param("a\x7f", 2, "U+007F", id="delete"),
        pytest.param("\x85", 1, "U+0085", id="c1-next-line"),
        pytest.param("ok \ud83d", 4, "U+D83D", id="half-an-emoji"),
    ],
)
def test_plain_text_names_what_cannot_be_shown(text: str, position: int, name: str) -> None:
    assert refusal(plain_text, text) == f"Character {position} ({name}) cannot be shown: delete it and type the text again."


@pytest.mark.parametrize("text", ["\u200b", " \u2060\u200e", "\n\u00a0"])
def test_plain_text_refuses_what_nobody_sees(text: str) -> None:
    assert refusal(plain_text, text) == "There are only invisible characters: delete them and type the text again."


@pytest.mark.parametrize("text", ["", "👩\u200d🔬", "Zoë Čapek 张伟 🎉", "two\nlines\tand a tab\r\n", "عربي", "e\u0301"])
def test_plain_text_takes_every_script(text: str) -> None:
    assert plain_text(text) is None  # type: ignore[func-returns-value]


@pytest.mark.parametrize(
    "address",
    [
        pytest.param("javascript:alert(1)", id="script"),
        pytest.param("JaVaScRiPt:alert(1)//https://example.org", id="script-in-disguise"),
        pytest.param("data:text/html,x", id="data"),
        pytest.param("ftp://example.org/", id="ftp"),
        pytest.param("//example.org/", id="no-scheme"),
        pytest.param("example.org", id="no-address"),
        pytest.param("https://", id="no-host"),
        pytest.param(" https://example.org/", id="space-before"),
        pytest.param("https://example.org/a b", id="space-inside"),
        pytest.param("https://example.org/\n", id="line-after"),
        pytest.param("https://example.org/\x01", id="control-character"),
        pytest.param('https://example.org/"onclick=', id="quote"),
        pytest.param("https://example.org/<b>", id="angle-bracket"),
    ],
)
def test_web_address_refuses(address: str) -> None:
    assert refusal(web_address, address) == (f"“{address}” is not a web address: it starts with https:// and has no spaces.")


@pytest.mark.parametrize("address", ["https://iclr.cc/", "HTTP://EXAMPLE.ORG", "https://example.org/ü?q='x'&y=%20#z"])
def test_web_address_takes(address: str) -> None:
    assert web_address(address) is None  # type: ignore[func-returns-value]


@pytest.mark.parametrize("value", ["#1747b8", "#1747B8", "#000000"])
def test_colour_takes_six_digits(value: str) -> None:
    assert (hex_colour(value), line_colour(value)) == (None, None)  # type: ignore[func-returns-value]


@pytest.mark.parametrize("value", ["1747B8", "#17B", "#1747B8F", "#1747B8\n", "red", "#GGGGGG", "#1747B8;}body{", "url(x)"])
def test_colour_refuses_the_rest(value: str) -> None:
    assert refusal(hex_colour, value) == "Write a colour as # and six hexadecimal digits, such as #1747B8."
    assert refusal(line_colour, value).startswith(f"“{value}” is not a colour: write invited, session,")


@pytest.mark.parametrize("line", COLOUR_LINES)
def test_line_colour_takes_the_names_of_lines(line: str) -> None:
    assert line_colour(line) is None  # type: ignore[func-returns-value]


@pytest.mark.parametrize("name", ["Asia/Singapore", "Europe/Vienna", "America/Chicago", "UTC", "Asia/Kathmandu"])
def test_time_zone_takes_names(name: str) -> None:
    assert time_zone(name) is None  # type: ignore[func-returns-value]


@pytest.mark.parametrize("name", ["", "Singapur", "UTC+8", "../../etc/passwd", "/etc/localtime", "Asia", "Asia/\x00", "x" * 300])
def test_time_zone_refuses_the_rest(name: str) -> None:
    assert refusal(time_zone, name) == f"“{name}” is not a time zone: write a name such as Asia/Singapore."


# How large a number may be is the database's word, though nothing is read from it.
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("row", "field"),
    [
        pytest.param(Event(title="a\x00"), "title", id="event-title"),
        pytest.param(Event(abstract="a\x00"), "abstract", id="event-abstract"),
        pytest.param(Event(signup_url="javascript:x"), "signup_url", id="sign-up"),
        pytest.param(Event(recording_url="javascript:x"), "recording_url", id="recording"),
        pytest.param(Event(notes_source="javascript:x"), "notes_source", id="notes-source"),
        pytest.param(Link(url="javascript:x"), "url", id="link"),
        pytest.param(Link(url=""), "url", id="link-without-address"),
        pytest.param(Person(name="\ud800"), "name", id="person"),
        pytest.param(Track(colour="red"), "colour", id="track-colour"),
        pytest.param(EventType(colour="#fff"), "colour", id="type-colour"),
        pytest.param(Conference(timezone="Mars/Olympus"), "timezone", id="time-zone"),
        pytest.param(Conference(colour="red"), "colour", id="conference-colour"),
    ],
)
def test_models_use_them(row: Event | Link | Person, field: str) -> None:
    with pytest.raises(ValidationError) as caught:
        row.clean_fields()

    assert field in caught.value.message_dict

"""libical, with which GNOME and KDE read calendars: a library of the system, called as C calls it."""

from __future__ import annotations

import contextlib
import ctypes
import datetime as dt
from collections.abc import Iterator
from ctypes import Structure, c_char_p, c_int, c_void_p

from tests.calendars.readers.entry import Entry

HOW_TO_HAVE_IT = "apt install libical3"


class Time(Structure):
    _fields_ = [
        *((name, c_int) for name in ["year", "month", "day", "hour", "minute", "second", "is_date", "is_daylight"]),
        ("zone", c_void_p),
    ]


FUNCTIONS = {
    "icalparser_parse_string": (c_void_p, [c_char_p]),
    "icalcomponent_string_to_kind": (c_int, [c_char_p]),
    "icalcomponent_get_first_component": (c_void_p, [c_void_p, c_int]),
    "icalcomponent_get_next_component": (c_void_p, [c_void_p, c_int]),
    "icalcomponent_get_uid": (c_char_p, [c_void_p]),
    "icalcomponent_get_summary": (c_char_p, [c_void_p]),
    "icalcomponent_get_dtstart": (Time, [c_void_p]),
    "icalcomponent_get_dtend": (Time, [c_void_p]),
    "icaltime_as_ical_string": (c_char_p, [Time]),
    "icalcomponent_get_status": (c_int, [c_void_p]),
    "icalproperty_status_to_string": (c_char_p, [c_int]),
    "icalcomponent_count_errors": (c_int, [c_void_p]),
    "icalcomponent_free": (None, [c_void_p]),
}


def _library() -> ctypes.CDLL | None:
    for name in ["libical.so.3", "libical.so.4", "libical.dylib"]:
        with contextlib.suppress(OSError):
            library = ctypes.CDLL(name)
            for function, (result, arguments) in FUNCTIONS.items():
                getattr(library, function).restype = result
                getattr(library, function).argtypes = arguments
            return library
    return None


LIBICAL = _library()


def by_libical(body: bytes) -> list[Entry]:
    """It leaves out what it cannot read and counts that: nothing may have been left out."""
    assert LIBICAL
    calendar = LIBICAL.icalparser_parse_string(body)
    assert calendar, "libical found no calendar"
    try:
        assert LIBICAL.icalcomponent_count_errors(calendar) == 0
        return [_entry(event) for event in _events(calendar)]
    finally:
        LIBICAL.icalcomponent_free(calendar)


def _events(calendar: int) -> Iterator[int]:
    assert LIBICAL
    kind = LIBICAL.icalcomponent_string_to_kind(b"VEVENT")
    event = LIBICAL.icalcomponent_get_first_component(calendar, kind)
    while event:
        yield event
        event = LIBICAL.icalcomponent_get_next_component(calendar, kind)


def _entry(event: int) -> Entry:
    assert LIBICAL
    start, end = LIBICAL.icalcomponent_get_dtstart(event), LIBICAL.icalcomponent_get_dtend(event)
    uid, summary = LIBICAL.icalcomponent_get_uid(event), LIBICAL.icalcomponent_get_summary(event)
    status = LIBICAL.icalproperty_status_to_string(LIBICAL.icalcomponent_get_status(event))
    return Entry(uid.decode(), _moment(start), _moment(end), summary.decode(), status.decode())


def _moment(time: Time) -> dt.date:
    assert LIBICAL
    text = LIBICAL.icaltime_as_ical_string(time).decode()
    if time.is_date:
        return dt.date.fromisoformat(text)
    # Only with its Z is it an instant in UTC.
    return dt.datetime.strptime(text, "%Y%m%dT%H%M%S%z")

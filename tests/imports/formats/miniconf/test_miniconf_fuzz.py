"""Any files of a site are read, or refused with a message: there is no other outcome."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.core.parsing.errors import ScheduleParseError
from events.imports.formats.document import Document, Hints
from events.imports.formats.miniconf import reader as miniconf
from events.imports.formats.miniconf.files import SITE_FILES
from events.programme.data.schedule import ScheduleData

DATA = Path(__file__).parents[3] / "data" / "miniconf"
WORDS = st.sampled_from(
    """Monday|Monday/Tuesday|Wed|x: Tue|23:00-01:00 GMT|1:00 AM|25:00-26:00 XYZ|10-11 +99|All Day|2020-04-27|paperA|P1S1
|2020-07-06T08:00:00+00:00|0001-01-01T00:00:00+14:00|9999-12-31|poster|qa|5a|1""".replace("\n", "").split("|")
)
NAMES = st.sampled_from(
    """name day days times time id UID sessions events slot type short section theme ids posters title speaker content
    authors start end calendarId start_time end_time organizers members time_slots conference socials speakers workshops
    expos slides""".split()
)
VALUES = st.recursive(
    WORDS | st.text(max_size=6) | st.none() | st.integers(-3, 3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize("folder", ["iclr", "standard"])
@pytest.mark.parametrize("file", [name for name in SITE_FILES if not name.endswith(".csv")])
@given(value=VALUES)
def test_values_are_read_or_refused(folder: str, file: str, value: object) -> None:
    """JSON is YAML, so one writer serves both."""
    known = Document.read(DATA / folder).files
    document = Document("site", known | {file: json.dumps(value).encode()})

    try:
        found: ScheduleData | ScheduleParseError = miniconf.parse(document, Hints(slug="demo"))
    except ScheduleParseError as error:
        found = error

    assert isinstance(found, ScheduleData) or found.file in {file, "site"}


@given(file=st.sampled_from(SITE_FILES), content=st.binary(max_size=120))
def test_bytes_are_read_or_refused(file: str, content: bytes) -> None:
    document = Document("site", {"socials.yml": b"socials: []\n", file: content})

    assert miniconf.recognises(document) in {True, False}
    with pytest.raises(ScheduleParseError):
        miniconf.parse(document, Hints(slug="demo"))

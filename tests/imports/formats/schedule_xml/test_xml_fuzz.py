"""A schedule.xml with any damage gives a sound programme or a ScheduleParseError, never anything else."""

from __future__ import annotations

import contextlib
import copy
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from events.core.parsing.errors import ScheduleParseError
from events.imports.formats import frab, registry
from events.imports.formats.document import Document, Hints
from tests.imports.formats.schedule_xml.xml_files import DATA
from tests.imports.formats.soundness import assert_sound

HINTS = Hints(slug="demo", timezone="Europe/Vienna")
FILES = {path.stem: path.read_bytes() for path in sorted(DATA.glob("*.xml"))}
SOME = settings(suppress_health_check=[HealthCheck.too_slow])
TROUBLE = st.one_of(
    st.sampled_from(
        [
            *("", " ", "0", "-1", "x" * 400, "x" * 100_001, "\u202e", "<b>", "&amp;#x27;", "&lt;p&gt;", "٣:٠٠", "\n\n"),
            *("9999-12-31T23:59:00-14:00", "0001-01-01T00:00:00+14:00", "2025-03-30T02:30:00", "2025-10-26", "20008-02-24"),
            *("2199-12-31T23:59:00+00:00", "1900-01-01T00:00:00+14:00", "2025-04-24T09:00:00.999999Z", "24:00", "25:00", "00:00"),
            *("-0:30", "0:00", "99999:99", "26:00:00", "PT99999M", "P9999D", "1e9", "NaN", "javascript:alert(1)", "https://[::1"),
            *("../../etc/passwd", "Europe/Vienna", "UTC", "#12345G", "#123456", "fdbc5919-f702-524c-9331-3a2c670f6ff3"),
        ]
    ),
    st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"), max_size=20),
)


def check(content: bytes) -> None:
    # One or the other is right: that nothing else comes out is what is tested.
    with contextlib.suppress(ScheduleParseError):
        assert_sound(frab.parse(Document("talks.xml", {"talks.xml": content}), HINTS))


def harm(data: st.DataObject, root: Element) -> None:
    """Change one thing somewhere."""
    parents = [it for it in root.iter() if len(it)]
    parent = data.draw(st.sampled_from(parents))
    child = data.draw(st.sampled_from(list(parent)))
    match data.draw(st.sampled_from(["text", "attribute", "delete", "again", "elsewhere"])):
        case "text":
            child.text = data.draw(TROUBLE)
        case "attribute":
            child.set(
                data.draw(st.sampled_from(["guid", "id", "code", "name", "date", "start", "href", "color"])), data.draw(TROUBLE)
            )
        case "delete":
            parent.remove(child)
        case "again":
            parent.append(copy.deepcopy(child))
        case _:
            data.draw(st.sampled_from(parents)).append(copy.deepcopy(child))


@pytest.mark.parametrize("name", FILES)
@SOME
@given(data=st.data())
def test_damaged_element_is_read_or_refused(name: str, data: st.DataObject) -> None:
    root = ElementTree.fromstring(FILES[name])
    for _ in range(data.draw(st.integers(1, 4))):
        harm(data, root)

    check(ElementTree.tostring(root, encoding="utf-8", xml_declaration=True))


@pytest.mark.parametrize("name", FILES)
@SOME
@given(data=st.data())
def test_damaged_bytes_are_read_or_refused(name: str, data: st.DataObject) -> None:
    content = FILES[name]
    start = data.draw(st.integers(0, len(content)))
    end = data.draw(st.integers(start, min(len(content), start + 40)))

    check(content[:start] + data.draw(st.binary(max_size=8)) + content[end:])


@given(content=st.binary(max_size=200))
def test_any_bytes_are_refused(content: bytes) -> None:
    with pytest.raises(ScheduleParseError):
        registry.parse_document(Document.from_upload("talks", content), HINTS)


@pytest.mark.parametrize("name", FILES)
def test_undamaged_programme_is_sound(name: str) -> None:
    assert_sound(frab.parse(Document("talks.xml", {"talks.xml": FILES[name]}), HINTS))

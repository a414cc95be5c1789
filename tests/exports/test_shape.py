"""The exact bytes of export files: with any change of them, raise EXPORT_FORMAT_VERSION in events/exports/files.py."""

from __future__ import annotations

import dataclasses
import json
import uuid

import pytest

from events.exports.schedule_xml import duration_text
from events.exports.values import acronym
from events.programme.data.export_numbers import MAX_EXPORT_NUMBER
from tests.exports.programmes import guid, whole
from tests.exports.reading import as_json, as_xml

HEAD = """\
<?xml version='1.0' encoding='utf-8'?>
<schedule>
  <generator name="Hallway" system="https://hallway.example" version="1"/>
  <url>https://hallway.example/demo/schedule.xml</url>
  <version>2025-04-24 09:00</version>
  <conference>
    <title>The Demo Conference</title>
    <acronym>demo</acronym>
    <start>2025-04-24</start>
    <end>2025-04-24</end>
    <days>1</days>
    <timeslot_duration>00:05</timeslot_duration>
    <base_url>https://hallway.example/demo/</base_url>
    <url>https://hallway.example/demo/</url>
    <time_zone_name>Asia/Singapore</time_zone_name>
    <track name="Theory &amp; more" color="#0B6E75" slug="theory"/>
  </conference>
  <day index="1" date="2025-04-24" start="2025-04-24T04:00:00+08:00" end="2025-04-25T04:00:00+08:00">
"""
POSTER = """\
      <event guid="00000000-0000-4000-8000-000000000005" id="13">
        <date>2025-04-24T09:00:00+08:00</date>
        <start>09:00</start>
        <duration>01:00</duration>
        <room>By the door, Hall 1</room>
        <slug>demo-poster-poster-00000000000040008000000000000005</slug>
        <url>https://hallway.example/demo/events/00000000-0000-4000-8000-000000000005/</url>
        <title>On engines</title>
        <subtitle>Board #12</subtitle>
        <track></track>
        <type>Poster</type>
        <abstract></abstract>
        <description>We show $y &lt; 1$.</description>
        <persons>
          <person guid="00000000-0000-4000-8000-000000000002">Song Han</person>
          <person guid="00000000-0000-4000-8000-000000000001">Ada Lovelace</person>
        </persons>
        <links>
          <link href="https://hallway.example/demo/events/00000000-0000-4000-8000-000000000004/" type="session" \
service="hallway">Posters 1</link>
          <link href="https://hallway.example/demo/papers/00000000-0000-4000-8000-000000000003/" type="paper" \
service="hallway">On engines</link>
          <link href="https://hallway.example/demo/schedule/?topic=bandits" type="topic" \
service="hallway">Learning › Bandits</link>
          <link href="https://code.example/" type="code" service="hallway-paper">The code</link>
        </links>
      </event>
"""


def number(guid_text: str, content: str) -> str:
    """The id that stands with a guid, whatever it is."""
    return content.partition(f'guid="{guid_text}" id="')[2].partition('"')[0]


def test_xml_begins_with_the_conference() -> None:
    assert as_xml(whole()).decode().startswith(HEAD)


def test_xml_event() -> None:
    content = as_xml(whole()).decode()

    assert POSTER.replace('id="13"', f'id="{number(guid(5), content)}"') in content


def test_json_event() -> None:
    conference = json.loads(as_json(whole()))["schedule"]["conference"]
    poster = next(it for it in conference["days"][0]["rooms"]["Hall 1"] if it["guid"] == guid(5))

    assert poster == {
        "guid": guid(5),
        "id": int(number(guid(5), as_xml(whole()).decode())),
        "logo": None,
        "date": "2025-04-24T09:00:00+08:00",
        "start": "09:00",
        "duration": "01:00",
        "room": "Hall 1",
        "slug": "demo-poster-poster-00000000000040008000000000000005",
        "url": f"https://hallway.example/demo/events/{guid(5)}/",
        "title": "On engines",
        "subtitle": "Board #12",
        "track": None,
        "type": "Poster",
        "language": None,
        "abstract": "",
        "description": "We show $y < 1$.",
        "persons": [
            {"guid": guid(2), "name": "Song Han", "url": f"https://hallway.example/demo/people/{guid(2)}/"},
            {
                "guid": guid(1),
                "name": "Ada Lovelace",
                "biography": "First.",
                "url": f"https://hallway.example/demo/people/{guid(1)}/",
            },
        ],
        "links": [{"url": "https://code.example/", "title": "The code"}],
    }


def test_json_lists_rooms_under_where_people_would_look() -> None:
    days = json.loads(as_json(whole()))["schedule"]["conference"]["days"]

    assert {room: [it["title"] for it in events] for room, events in days[0]["rooms"].items()} == {
        "Hall 1": ["Posters 1", "On engines"],
        "A bar": ["Mixer"],
        "by the gate": ["Registration"],
    }


def test_own_part_does_not_repeat_what_stands_in_the_programme() -> None:
    own = json.loads(as_json(whole()))["generator"]["hallway"]
    poster = next(it for it in own["events"] if it["key"] == guid(5))

    assert poster == {
        "key": guid(5),
        "type": "poster",
        "room": "hall-1",
        "place": "By the door",
        "topic": "bandits",
        "session": guid(4),
        "position": 3,
        "paper": guid(3),
        "board": "#12",
    }
    assert ["abstract" in it for it in own["papers"]] == [False, True]


def test_ids_are_other_numbers_for_guids_that_want_the_same() -> None:
    twin = str(uuid.UUID(int=uuid.UUID(guid(5)).int + MAX_EXPORT_NUMBER))
    events = (whole().events[0], dataclasses.replace(whole().events[1], key=twin, guid=twin), whole().events[1])
    content = as_xml(whole(events=events)).decode()

    wanted = uuid.UUID(guid(5)).int % MAX_EXPORT_NUMBER + 1
    assert [int(number(key, content)) for key in (twin, guid(5))] == [wanted, wanted + 1]


@pytest.mark.parametrize(
    ("minutes", "text"), [(1, "00:01"), (90, "01:30"), (24 * 60, "24:00"), (99 * 60 + 59, "99:59"), (100 * 60, "4:04:00")]
)
def test_duration_fits_the_schema(minutes: int, text: str) -> None:
    assert duration_text(minutes) == text


@pytest.mark.parametrize(
    ("slug", "name"), [("iclr-2025", "iclr_2025"), ("abc", "abc_conf"), ("ICLR", "iclr"), ("x", "x_conf"), ("-", "__conf")]
)
def test_acronym_fits_both_schemas(slug: str, name: str) -> None:
    assert acronym(slug) == name

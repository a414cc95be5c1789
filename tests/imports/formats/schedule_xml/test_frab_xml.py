from __future__ import annotations

import datetime as dt

import pytest

from events.core.parsing.errors import ScheduleParseError
from events.imports.formats import frab, registry
from events.imports.formats.document import Document, Hints
from events.programme.data.schedule import LinkData
from tests.imports.formats.schedule_xml.xml_files import DATA, GUID, event, only, parse, parse_file, schedule, utc

ROOM = "7d2cb6f7-aab2-52a0-9a25-5a2a0c2b9f2e"
FEEDBACK = "https://pretalx.example.org/democon-2025/talk/ABCDEF/feedback/"


@pytest.mark.parametrize("path", sorted(DATA.glob("*.xml")), ids=lambda path: path.stem)
def test_each_dialect_is_recognised_by_content(path: str) -> None:
    document = Document.from_upload("download", (DATA / path).read_bytes())

    assert registry.detect_format(document).name == "schedule.xml"


def test_pretalx_event_is_imported_completely() -> None:
    data = parse_file("pretalx.xml")

    keynote = data.events[0]
    assert (keynote.key, keynote.guid, keynote.title, keynote.type) == (GUID, GUID, "Parsers & People", "keynote")
    assert (keynote.start, keynote.end) == (utc("2025-03-07T04:00"), utc("2025-03-07T05:00"))
    assert (keynote.day, keynote.room, keynote.track) == ("2025-03-07", ROOM, "languages-compilers")
    assert (keynote.abstract, keynote.description) == ("We parse *everything*.", "And then we parse it *again*.")
    assert (keynote.export_number, keynote.export_slug) == (101, "democon-2025-101-parsers-people")
    assert keynote.logo_url == "https://pretalx.example.org/media/democon/talk.png"
    assert (keynote.recording_license, keynote.do_not_record) == ("CC BY 4.0", False)
    assert keynote.recording_url == "https://video.example.org/101"
    assert keynote.links == (
        LinkData(kind="website", url="https://example.org/more", title="Further reading"),
        LinkData(kind="slides", url="https://pretalx.example.org/media/democon/slides.pdf", title="Slides as PDF"),
        LinkData(kind="source", url="https://pretalx.example.org/democon-2025/talk/ABCDEF/"),
        LinkData(kind="website", url=FEEDBACK, title="Feedback"),
    )
    assert data.warnings == (
        "line 22, event “Parsers & People”: “javascript:alert(1)” is not an http(s) address; it is left out",
    )


def test_pretalx_conference_and_labels_are_imported() -> None:
    data = parse_file("pretalx.xml")

    told = data.conference
    assert (told.name, told.timezone, told.url) == ("DemoCon 2025", "Asia/Kolkata", "https://pretalx.example.org")
    assert (told.start, told.end) == (dt.date(2025, 3, 7), dt.date(2025, 3, 8))
    assert [(it.name, it.colour) for it in data.tracks] == [("Languages & Compilers", "#1747b8"), ("C", "#aa0000"), ("C++", "")]
    assert len({it.key for it in data.tracks}) == 3
    assert [(it.key, it.name) for it in data.rooms] == [(ROOM, "Auditorium"), ("terrace", "Terrace")]
    assert [(it.key, it.name) for it in data.people] == [
        ("11111111-1111-5111-8111-111111111111", "Ada Example"),
        ("id:12", "Bo Example"),
    ]
    assert [(it.name, it.kind) for it in data.types] == [("Keynote", "invited-talk"), ("Workshop", "session")]


def test_two_times_of_one_submission_are_two_events() -> None:
    first, second = parse_file("pretalx.xml").events[1:]

    assert (first.key, second.key) == (f"{GUID[:-1]}2", f"{GUID[:-1]}3")
    assert (first.subtitle, second.subtitle) == ("Bring a laptop", "")
    assert (first.abstract, first.do_not_record) == ("", None)
    assert (first.day, second.day) == ("2025-03-07", "2025-03-08")
    assert (second.start, second.end) == (utc("2025-03-08T19:30"), utc("2025-03-08T21:00"))


def test_pentabarf_event_knows_its_day_only_from_where_it_stands() -> None:
    data = parse_file("pentabarf.xml", timezone="Europe/Brussels")

    opening, night = data.events
    assert (opening.key, opening.guid, opening.start, opening.room) == ("id:0", "", utc("2008-02-23T12:30"), "janson")
    assert (night.start, night.day, night.room) == (utc("2008-02-24T00:15"), "2008-02-23", "bar")
    assert [it.url for it in opening.links] == ["http://www.example.org/opening", "https://www.example.org/old"]
    assert data.conference.title == "The meeting of old formats"
    assert data.warnings == ("the conference’s end, “20008-02-24”, is not a date; its days count",)
    assert data.skipped == (
        "line 47, event “Talk without a length”: “soon” is not a duration: write it as 1:30",
        "line 53, event “Talk without a time”: “” is not a time: write it as 09:30",
    )


def test_numbers_new_at_every_appearance_are_not_ids() -> None:
    data = parse_file("pentabarf.xml", timezone="Europe/Brussels")

    assert [it.key for it in data.people] == ["ada-example", "bo-example"]
    assert [[it.person for it in event.people] for event in data.events] == [["ada-example", "bo-example"], ["ada-example"]]


def test_hub_event_after_the_day_change_belongs_to_the_day_it_starts_on() -> None:
    late, evening = parse_file("hub.xml").events

    assert (late.start, late.day) == (utc("2024-12-28T04:00"), "2024-12-28")
    assert (evening.start, evening.day) == (utc("2024-12-27T18:15"), "2024-12-27")


def test_hub_texts_lose_the_margins_of_printing() -> None:
    late, evening = parse_file("hub.xml").events

    assert (late.abstract, late.description) == ("Short.", "Short. And long:\n\n- one\n- two\n\nSee **there**.")
    assert (evening.abstract, evening.description) == ("", "")


def test_hub_link_may_hold_elements_and_letters() -> None:
    late = parse_file("hub.xml").events[0]

    assert late.links[0] == LinkData(kind="website", url="https://zügli.example", title="Zügli")


def test_hub_rooms_people_and_colours_are_imported() -> None:
    data = parse_file("hub.xml")

    assert [it.name for it in data.rooms] == ["Saal 1", "Empty tent"]
    assert [it.key for it in data.people] == ["0c16ffaa-709d-599f-959f-9a38b911361a"]
    assert data.conference.colour == "#00AA88"
    assert [(it.name, it.kind) for it in data.types] == [("DJ Set", "social"), ("Other", "talk")]


def test_fosdem_directory_adds_biographies_and_nobody() -> None:
    data = parse_file("fosdem.xml")

    assert [(it.key, it.name, it.bio) for it in data.people] == [
        ("id:2", "Ada Example", "<p>Ada wrote the first file.</p>"),
    ]


def test_fosdem_html_stays_html() -> None:
    welcome = only(parse_file("fosdem.xml"))

    assert (welcome.subtitle, welcome.abstract) == ("To everybody", "<p>Opening <em>talk</em>.</p>")


def test_fosdem_links_have_their_kind_and_stand_once() -> None:
    welcome = only(parse_file("fosdem.xml"))

    assert [(it.kind, it.title) for it in welcome.links] == [
        ("slides", "Talk slides"),
        ("video", "Video recording (MP4) - 357.1 MB"),
        ("website", "Chat room(app)"),
        ("website", "Submit Feedback"),
        ("source", ""),
    ]


def test_three_part_duration_is_days_hours_and_minutes() -> None:
    installation = parse_file("emf.xml", timezone="Europe/London").events[0]

    assert (installation.start, installation.end) == (utc("2018-08-31T12:30"), utc("2018-09-02T18:30"))


def test_days_count_where_the_header_speaks_of_another_year() -> None:
    data = parse_file("emf.xml", timezone="Europe/London")

    assert (data.conference.start, data.conference.end) == (dt.date(2018, 8, 31), dt.date(2018, 8, 31))
    assert data.warnings[1] == ("the conference says 2020-07-24 to 2020-07-26, its days 2018-08-31 to 2018-08-31; the days count")


def test_event_of_no_length_gets_one() -> None:
    data = parse_file("emf.xml", timezone="Europe/London")

    assert data.events[1].end == utc("2018-08-31T23:35")
    assert data.warnings[0] == "line 2, event “Flash”: has no length; 5 minutes are assumed"


def test_id_with_several_names_is_ignored() -> None:
    data = parse_file("emf.xml", timezone="Europe/London")

    assert [(it.key, it.name) for it in data.people] == [("ada-example", "Ada Example"), ("bo-example", "Bo Example")]


def test_id_zero_is_ignored() -> None:
    repeated = parse_file("merged.xml", timezone="Europe/Berlin").events[0]

    assert [it.person for it in repeated.people] == ["ada-example", "bo-example", "id:17"]


def test_guid_that_comes_again_is_numbered_and_a_repetition_left_out() -> None:
    data = parse_file("merged.xml", timezone="Europe/Berlin")

    guid = "5e8ac6b0-6d26-5b5e-8a53-b5a4dd0b2a01"
    assert [(it.key, it.guid) for it in data.events[:2]] == [(guid, guid), (f"{guid}#2", "")]
    assert data.skipped == ("line 23, event “Repeated workshop”: it is there twice, at the same time in the same room",)


def test_event_without_a_guid_is_known_by_what_there_is() -> None:
    data = parse_file("merged.xml", timezone="Europe/Berlin")

    assert [it.key for it in data.events[2:]] == ["code:ZZZ999", "title:nothing-at-all-1komona-headnut", "not-a-uuid"]
    assert [it.guid for it in data.events[2:]] == ["", "", ""]


def test_title_says_that_an_event_is_cancelled() -> None:
    titles = ("Talk", "Talk (cancelled)")
    events = [only(parse(schedule(event(title=title, guid="").replace(' id="1"', "")))) for title in titles]

    assert [(it.title, it.status) for it in events] == [("Talk", "confirmed"), ("Talk", "cancelled")]
    assert events[0].key == events[1].key


def test_room_is_where_the_event_stands() -> None:
    data = parse_file("merged.xml", timezone="Europe/Berlin")

    assert [it.name for it in data.rooms] == ["1Komona headnut"]


def test_event_under_no_room_has_none() -> None:
    found = only(parse(schedule(event(), room="")))

    assert (found.room, found.place) == ("", "")


def test_file_without_a_conference_is_named_by_its_slug() -> None:
    content = schedule(event()).replace(b"<conference>", b"<other>").replace(b"</conference>", b"</other>")

    data = parse(content, timezone="Asia/Singapore")

    assert (data.conference.name, data.conference.start) == ("demo", dt.date(2025, 4, 24))


def test_day_without_a_date_is_that_of_its_events() -> None:
    data = parse(schedule(event(date="2025-04-24T09:00:00+08:00"), event(guid="", start="09:00"), date="soon"))

    assert [it.key for it in data.days] == ["2025-04-24"]
    assert data.warnings == ("line 3, day 1: “soon” is not a date",)
    assert data.skipped == ("line 6, event “Talk”: neither it nor its day has a date",)


def test_name_of_the_conference_that_is_there_already_stays() -> None:
    data = frab.parse(Document.from_upload("a.xml", schedule(event())), Hints(slug="demo", name="ICLR 2025"))

    assert data.conference.name == "ICLR 2025"


def test_file_without_a_single_event_is_refused() -> None:
    with pytest.raises(ScheduleParseError, match=r"^schedule\.xml: has no event that can be imported$"):
        parse(schedule())

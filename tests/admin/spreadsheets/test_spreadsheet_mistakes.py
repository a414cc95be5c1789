"""Rows of a spreadsheet that cannot be taken: told by row, column, value and remedy, and nothing is written."""

from __future__ import annotations

import pytest
from django.test import Client

from events.models import Conference, Event
from tests.admin.uploads.sending import csv_of, lines, mistakes, send, take_in
from tests.factories import make_conference, make_day, make_event, make_person, make_room, make_type

pytestmark = pytest.mark.django_db
ROWS = {
    "a room nobody knows": ({"room": "Hal 1"}, "room: “Hal 1” is not a room of ICLR 2025: did you mean “Hall 1”?"),
    "a type of another list": ({"type": "Social"}, "type: “Social” is not a type of session: import it with the socials."),
    "no title": ({"title": ""}, "title: It is empty: every row needs one."),
    "no time": ({"start": "nine"}, "start: “nine” is not a time: write it as 2025-04-24 09:30."),
    "a time in another order": (
        {"start": "24/04/2025 09:30"},
        "start: “24/04/2025 09:30” is not a time: write it as 2025-04-24 09:30.",
    ),
    "an hour of no day": ({"start": "09:30"}, "day: Choose the day this time belongs to."),
    "a day of no programme": (
        {"start": "2025-04-30 09:30"},
        "start: 2025-04-30 is no day of ICLR 2025: add it under Days first.",
    ),
    "an end before the start": (
        {"start": "2025-04-24 09:30", "end": "2025-04-24 09:00"},
        "end: It would end at 09:00, before it starts at 09:30.",
    ),
    "two days": (
        {"day": "2025-04-24", "start": "2025-04-25 09:30"},
        "start: Fri 25 April 2025 is not Thu 24 April 2025: remove the date here, or choose another day.",
    ),
    "no status": ({"status": "sure"}, "status: “sure” is none of draft, tentative, confirmed, cancelled."),
    "neither yes nor no": (
        {"official": "maybe"},
        "official: “maybe” is neither yes nor no: leave it empty where it is not known.",
    ),
    "no number": ({"capacity": "many"}, "capacity: “many” is not a whole number from 0 to 1,000,000."),
    "no address": (
        {"stream_url": "javascript:alert(1)"},
        "stream_url: “javascript:alert(1)” is not a web address: it starts with https:// and has no spaces.",
    ),
    "a link without a kind": (
        {"links": "https://example.org"},
        (
            "links: “https://example.org” does not begin with one of paper, code, slides, poster, video, website, source: "
            "write “paper https://…”."
        ),
    ),
    "no role": (
        {"people": "Ada Lovelace (chair)"},
        "people: “chair” after “Ada Lovelace” is none of speaker, host, moderator, panellist, remote.",
    ),
    "somebody twice": (
        {"people": "Ada Lovelace; Ada  lovelace"},
        "people: “Ada Lovelace” is named twice in “Ada Lovelace; Ada  lovelace”: delete one.",
    ),
    "a name of two": ({"people": "Wei Wang"}, "people: “Wei Wang” is the name of 2 people: write"),
    "a title too long": ({"title": "x" * 301}, "title: Ensure this value has at most 300 characters (it has 301)."),
    "a guid of nothing": ({"guid": "x"}, "guid: “x” is not a session of ICLR 2025: empty the guid to add it as a new one."),
    "itself inside": ({"session": "Row"}, "“Row” would be inside itself: fix the column session."),
}


@pytest.mark.parametrize(("cells", "said"), [pytest.param(*it, id=name) for name, it in ROWS.items()])
def test_mistake_is_reported_with_its_row_and_column(organiser: Client, cells: dict[str, str], said: str) -> None:
    conference = make_conference()
    make_day(conference)
    make_room(conference, "Hall 1")
    make_type(conference, "social")
    for name in ("Ada Lovelace", "Wei Wang", "Wei Wang"):
        make_person(conference, name)
    row = {"title": "Row", "type": make_type(conference).name, **cells}
    good = {name: "Good" if name == "title" else "session" if name == "type" else "" for name in row}

    page = send(organiser, "session", conference, csv_of(list(row), list(good.values()), list(row.values())))

    [found] = mistakes(page)
    place = "" if "itself" in said else "Row 3, "
    assert found.startswith(f"{place}{said}")
    assert (page.status_code, Event.objects.count()) == (422, 0)


def test_all_rows_or_none(organiser: Client) -> None:
    conference = make_conference()
    event = make_event(conference, title="Keynote")
    file = csv_of(["guid", "title", "capacity"], [event.guid, "Renamed", "5"], ["", "New", "many"])

    page = send(organiser, "session", conference, file)

    assert (mistakes(page), Event.objects.get().title) == (
        ["Row 3, capacity: “many” is not a whole number from 0 to 1,000,000."],
        "Keynote",
    )


def test_many_mistakes_are_listed_in_part(organiser: Client) -> None:
    conference = make_conference()
    make_type(conference)

    page = send(organiser, "session", conference, csv_of(["title", "capacity"], *(["x" + str(n), "many"] for n in range(300))))

    assert (len(page.context["mistakes"]), page.context["more_mistakes"]) == (100, 200)


def test_row_never_moves_between_conferences(organiser: Client) -> None:
    mine, other = make_conference(), make_conference(name="ICLR 2024")
    event, room = make_event(other, title="Theirs"), make_room(other, "Elsewhere")
    make_type(mine)
    file = csv_of(["guid", "title", "room"], [event.guid, "Mine", ""], ["", "New", "Elsewhere"])

    page = send(organiser, "session", mine, file)
    rooms = send(organiser, "room", mine, csv_of(["id", "name"], [room.pk, "Mine"]))

    assert mistakes(page) == [
        f"Row 2, guid: “{event.guid}” is not a session of ICLR 2025: empty the guid to add it as a new one.",
        "Row 3, room: “Elsewhere” is not a room of ICLR 2025: there is none yet.",
    ]
    assert mistakes(rooms) == [f"Row 2, id: “{room.pk}” is not a room of ICLR 2025: empty the id to add it as a new one."]
    assert Event.objects.filter(conference=other).get().title == "Theirs"


def test_row_of_another_list_names_that_list(chair: Client) -> None:
    conference = make_conference()
    talk = make_event(conference, title="Keynote", kind="invited-talk")
    make_type(conference, "social")

    page = send(chair, "social", conference, csv_of(["guid", "title"], [talk.guid, "Mine"]))

    assert mistakes(page) == [
        f"Row 2, guid: “{talk.guid}” is not a social of ICLR 2025: it is among the invited talks, and imported there."
    ]


def test_social_chair_adds_nobody_to_the_people(chair: Client) -> None:
    conference = make_conference()
    make_type(conference, "social")
    make_person(conference, "Ada Lovelace")
    known, unknown = (csv_of(["title", "people"], ["Jazz", name]) for name in ("Ada Lovelace (host)", "Ada Lovelac (host)"))

    refused = send(chair, "social", conference, unknown)
    take_in(chair, "social", conference, known)

    said = "Row 2, people: “Ada Lovelac” is not among the people of ICLR 2025: did you mean “Ada Lovelace”?"
    assert (mistakes(refused), Event.objects.get().people_names) == ([said], ["Ada Lovelace"])


def test_hostile_cells_are_shown_as_text(organiser: Client) -> None:
    conference = make_conference()
    make_type(conference)
    hostile = "</title><script>alert(1)</script><img src=x onerror=alert(1)>"

    preview = send(
        organiser, "session", conference, csv_of(["title", "people"], [hostile, hostile]), name=f"{hostile}.csv", reason=hostile
    )
    refused = send(organiser, "session", conference, csv_of(["title", "room"], ["x", hostile]))

    assert [lines(preview)[0][1], "<script>alert" in preview.text, "<script>alert" in refused.text] == [hostile, False, False]
    assert Conference.objects.get().name == "ICLR 2025"

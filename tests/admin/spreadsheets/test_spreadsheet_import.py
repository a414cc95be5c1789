"""Spreadsheets of the lists: in, after a look at what would change."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client

from events.models import Change, Conference, Event, ImportRun, Link, Person, Room, Social
from tests.admin.uploads.sending import csv_of, export, lines, mistakes, rows_of, send, take_in, xlsx_of
from tests.factories import (
    THURSDAY,
    at,
    make_agenda,
    make_appearance,
    make_conference,
    make_day,
    make_event,
    make_paper,
    make_person,
    make_room,
    make_type,
    make_zone,
)

pytestmark = pytest.mark.django_db
FRIDAY = dt.date(2025, 4, 25)


def test_preview_shows_the_difference_and_writes_nothing(organiser: Client) -> None:
    conference = make_conference()
    event = make_event(conference, title="Keynote", start="09:00", end="10:00", room=make_room(conference, "Hall 1"))
    make_room(conference, "Hall 2")
    before = Conference.objects.get().revision

    page = send(
        organiser,
        "session",
        conference,
        csv_of(
            ["guid", "title", "start", "end", "room"], [event.guid, "Keynote", "2025-04-24 09:30", "2025-04-24 10:30", "hall 2"]
        ),
    )

    differences = [
        "start: 2025-04-24 09:00 → 2025-04-24 09:30",
        "end: 2025-04-24 10:00 → 2025-04-24 10:30",
        "room: Hall 1 → Hall 2",
    ]
    assert lines(page) == [("changed", "Keynote", differences)]
    assert (Event.objects.get().start, Conference.objects.get().revision, Change.objects.count()) == (at("09:00"), before, 0)
    assert ImportRun.objects.count() == 0


def test_preview_says_what_it_does_to_agendas(organiser: Client) -> None:
    conference = make_conference()
    event = make_event(conference, title="Keynote", start="09:00", end="10:00")
    for _ in range(6):
        make_agenda(conference, event)
    header = ["guid", "title", "start", "end"]
    moved = csv_of(header, [event.guid, "Keynote", "2025-04-24 11:00", "2025-04-24 12:00"])
    renamed = csv_of(header, [event.guid, "Opening keynote", "2025-04-24 09:00", "2025-04-24 10:00"])

    impacts = [send(organiser, "session", conference, file).context["impact"] for file in (moved, renamed)]

    assert [impact and (impact["counts"][0], impact["changes"][0][0]) for impact in impacts] == [
        (["6", "have it in their agenda"], "Keynote"),
        None,
    ]


def test_change_is_announced_like_any_other(organiser: Client) -> None:
    conference = make_conference()
    event = make_event(conference, title="Keynote", start="09:00", end="10:00")
    agenda, _ = make_agenda(conference, event)
    file = csv_of(["guid", "start", "end"], [event.guid, "2025-04-24 11:00", "2025-04-24 12:00"])

    response = take_in(organiser, "session", conference, file, reason="The hall is being repaired.")

    event.refresh_from_db()
    changes = {(it.field, it.reason) for it in Change.objects.all()}
    assert (event.start, event.sequence, list(agenda.events.all())) == (at("11:00"), 1, [event])
    assert changes == {("start", "The hall is being repaired."), ("end", "The hall is being repaired.")}
    assert str(next(iter(response.context["messages"]))).startswith("Imported from list.csv: 0 new, 1 changed, 0 unchanged.")
    history = event.history.first()
    assert (history.history_user.username, history.history_change_reason) == ("Grace", "The hall is being repaired.")
    assert LogEntry.objects.get().change_message == "By the file list.csv"
    run = ImportRun.objects.get()
    assert (run.user_name, run.file_name, run.changed, run.outcome) == ("Grace", "list.csv", 1, "done")


def test_placeholder_is_no_person(organiser: Client) -> None:
    conference = make_conference()
    make_type(conference, "session")

    take_in(organiser, "session", conference, csv_of(["title", "people"], ["Orals", "TBA"], ["Panel", "Ada Lovelace; N.N. "]))

    assert list(Person.objects.values_list("name", flat=True)) == ["Ada Lovelace"]


def test_new_rows_refer_to_each_other_and_bring_people(organiser: Client) -> None:
    conference = make_conference()
    make_event(conference, title="Opening")
    make_type(conference, "talk")
    make_day(conference)
    ada = make_person(conference, "Ada Lovelace")
    file = csv_of(
        ["title", "type", "status", "start", "end", "session", "people", "links"],
        [
            "A talk",
            "talk",
            "confirmed",
            "2025-04-24 09:00",
            "2025-04-24 09:15",
            "Orals",
            "ada lovelace; Mary Somerville (moderator, remote)",
            "",
        ],
        [
            "Orals",
            "session",
            "confirmed",
            "2025-04-24 09:00",
            "2025-04-24 10:00",
            "",
            "",
            "slides https://example.org/s Her slides; code https://example.org/c",
        ],
    )

    page = send(organiser, "session", conference, file)
    take_in(organiser, "session", conference, file)

    talk, orals = Event.objects.get(title="A talk"), Event.objects.get(title="Orals")
    mary = Person.objects.get(name="Mary Somerville")
    assert page.context["warnings"]["first"] == ["New people (1): Mary Somerville"]
    assert (talk.session, talk.start, talk.source) == (orals, at("09:00"), "")
    seen = [(it.person, it.role, it.remote) for it in talk.appearances.all()]
    assert seen == [(ada, "speaker", False), (mary, "moderator", True)]
    assert [(it.kind, it.url, it.title) for it in Link.objects.all()] == [
        ("slides", "https://example.org/s", "Her slides"),
        ("code", "https://example.org/c", ""),
    ]
    assert {it.event.title for it in Change.objects.filter(field="status", old="")} == {"A talk", "Orals"}


def test_first_programme_is_published_quietly(organiser: Client) -> None:
    conference = make_conference()
    make_type(conference, "session")
    make_day(conference)
    file = csv_of(["title", "status", "start"], ["Welcome", "confirmed", "2025-04-24 09:00"])

    take_in(organiser, "session", conference, file)

    event = Event.objects.get()
    assert (event.announced["title"], event.end, Change.objects.count()) == ("Welcome", at("10:00"), 0)


def test_row_without_a_status_becomes_a_draft(organiser: Client) -> None:
    conference = make_conference()
    make_type(conference, "session")

    take_in(organiser, "session", conference, csv_of(["title"], ["Secret"]))

    assert Event.objects.get().status == "draft"


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_own_export_changes_nothing(organiser: Client, kind: str) -> None:
    conference = make_conference()
    room = make_room(conference, "Hall 1")
    session = make_event(conference, title="=Orals", abstract="Line one\r\n\r\nline two ", start="23:00", end="23:30", room=room)
    event = make_event(conference, kind="talk", title="-Talk", session=session, paper=make_paper(conference), official=True)
    for position, name in enumerate(["Wei Wang", "Wei Wang", "Li; Na"]):
        make_appearance(event, make_person(conference, name), position=position, role="panellist", remote=True)
    Link.objects.create(event=event, kind="code", url="https://example.org/a;b", title="It's all here")
    before = Conference.objects.get().revision

    content = export(organiser, "session", kind).content
    page = send(organiser, "session", conference, content, name=f"list.{kind}")

    assert (lines(page), page.context["empty"]) == ([], True)
    assert page.context["counts"] == [(0, "new"), (0, "changed"), (2, "unchanged")]
    assert Conference.objects.get().revision == before


def test_same_file_twice_changes_nothing(organiser: Client) -> None:
    conference = make_conference()
    make_type(conference, "break", name="Coffee")
    for date in (THURSDAY, FRIDAY):
        make_day(conference, date)
    file = csv_of(["title", "type", "start"], *(["Coffee", "Coffee", f"2025-04-{day} 10:00"] for day in (24, 25)))
    take_in(organiser, "session", conference, file)

    page = send(organiser, "session", conference, file)

    assert (lines(page), Event.objects.count()) == ([], 2)


def test_hour_alone_belongs_to_the_day_in_its_column(organiser: Client) -> None:
    conference = make_conference()
    make_type(conference, "social")
    make_day(conference)

    take_in(organiser, "social", conference, csv_of(["title", "day", "start", "end"], ["Jazz", "2025-04-24", "22:00", "01:30"]))

    social = Social.objects.get()
    assert (social.start, social.end, social.day.date) == (at("22:00"), at("01:30", FRIDAY), THURSDAY)


def test_date_in_the_start_moves_the_day_along(organiser: Client) -> None:
    conference = make_conference()
    event = make_event(conference, title="Keynote", start="09:00", end="10:00")
    make_day(conference, FRIDAY)
    [row] = rows_of(export(organiser, "session"))
    row |= {"start": "2025-04-25 09:00", "end": "2025-04-25 10:00"}

    take_in(organiser, "session", conference, csv_of(list(row), list(row.values())))

    event.refresh_from_db()
    assert (event.day.date, event.start, event.end) == (FRIDAY, at("09:00", FRIDAY), at("10:00", FRIDAY))


def test_dates_and_numbers_of_a_workbook_are_read_as_written(organiser: Client) -> None:
    conference = make_conference()
    make_type(conference, "social")
    make_day(conference)
    file = xlsx_of(
        ["title", "start", "end", "capacity", "official", ""],
        ["Jazz", dt.datetime(2025, 4, 24, 20), dt.datetime(2025, 4, 25, 0, 0), 80.0, True, None],
    )

    take_in(organiser, "social", conference, file, name="socials.xlsx")

    social = Social.objects.get()
    assert (social.start, social.end, social.capacity, social.official) == (at("20:00"), at("00:00", FRIDAY), 80, True)


def test_papers_take_authors_in_order(organiser: Client) -> None:
    conference = make_conference()
    ada = make_person(conference, "Ada Lovelace")
    paper = make_paper(conference, ada, title="Engines")
    event = make_event(conference, kind="poster", paper=paper)
    file = csv_of(["guid", "title", "authors", "public"], [paper.guid, "On Engines", "Mary Somerville; Ada Lovelace", "yes"])

    take_in(organiser, "paper", conference, file)

    paper.refresh_from_db()
    event.refresh_from_db()
    assert (paper.title, [it.person.name for it in paper.authorships.all()]) == (
        "On Engines",
        ["Mary Somerville", "Ada Lovelace"],
    )
    assert event.announced["paper"] == "On Engines Mary Somerville, Ada Lovelace"


def test_rooms_and_people_are_renamed_by_their_identifier(organiser: Client) -> None:
    conference = make_conference()
    room, person = make_room(conference, "Hall 1"), make_person(conference, "Ada Byron")
    event = make_event(conference, room=room)
    make_appearance(event, person)

    take_in(organiser, "room", conference, csv_of(["id", "name", "capacity"], [room.pk, "Hall A", 300]))
    take_in(organiser, "person", conference, csv_of(["guid", "name"], [person.guid, "Ada Lovelace"]))

    event.refresh_from_db()
    assert Room.objects.values_list("name", "capacity").get() == ("Hall A", 300)
    assert (event.announced["room"], event.announced["people"]) == ("Hall A", "Ada Lovelace")
    assert {it.field for it in Change.objects.all()} == {"room", "people"}


def test_new_room_needs_a_zone(organiser: Client) -> None:
    conference = make_conference()
    make_zone(conference, "Garnet")

    page = send(organiser, "room", conference, csv_of(["name", "zone"], ["212", "Garnett"], ["213", ""]))

    said = ["“Garnett” is not a zone of ICLR 2025: did you mean “Garnet”?", "It is empty: every room is in a zone."]
    assert mistakes(page) == [f"Row 2, zone: {said[0]}", f"Row 3, zone: {said[1]}"]


def test_only_the_previewed_import_is_written(organiser: Client) -> None:
    conference = make_conference()
    event = make_event(conference, title="Keynote", capacity=None)
    file = csv_of(["guid", "title", "place"], [event.guid, "Keynote", "Marina"])
    preview = send(organiser, "session", conference, file)
    event.place = "Harbour"
    event.revise()

    again = organiser.post(preview.request["PATH_INFO"], {"confirm": "1"}, follow=True)

    assert (Event.objects.get().place, lines(again)) == ("Harbour", [("changed", "Keynote", ["place: Harbour → Marina"])])
    assert "The programme has changed since the preview." in str(next(iter(again.context["messages"])))
    organiser.post(again.request["PATH_INFO"], {"confirm": "1"})
    assert Event.objects.get().place == "Marina"


def test_second_press_of_the_button_is_refused_in_words(organiser: Client) -> None:
    conference = make_conference()
    make_type(conference, "session")
    preview = send(organiser, "session", conference, csv_of(["title"], ["Welcome"]))
    address = preview.request["PATH_INFO"]

    organiser.post(address, {"confirm": "1"}, follow=True)
    second = organiser.post(address, {"confirm": "1"}, follow=True)

    said = "That file is no longer available: it was imported or discarded, or an hour has passed. Please upload it again."
    assert ([str(it) for it in second.context["messages"]], Event.objects.count()) == ([said], 1)


def test_new_clashes_stand_in_the_preview(organiser: Client) -> None:
    conference = make_conference()
    room = make_room(conference, "Hall 1")
    make_event(conference, title="One", start="09:00", end="10:00", room=room)
    two = make_event(conference, title="Two", start="11:00", end="12:00", room=room)

    page = send(organiser, "session", conference, csv_of(["guid", "start"], [two.guid, "2025-04-24 09:30"]))

    assert page.context["clashes"]["count"] == 1
    assert "Hall 1 holds two events for 30 min" in page.context["clashes"]["first"][0]


def test_refused_file_is_recorded_with_its_reason(organiser: Client) -> None:
    conference = make_conference()

    broken = send(organiser, "session", conference, b'guid;title\n"', name="broken.csv")
    wrong = send(organiser, "session", conference, csv_of(["title", "room"], ["Keynote", "Nowhere \0"]), name="wrong\u202e.csv")

    assert (broken.status_code, wrong.status_code, Event.objects.count()) == (422, 422, 0)
    runs = list(ImportRun.objects.order_by("pk"))
    assert [(it.conference, it.user_name, it.file_name, it.format, it.outcome) for it in runs] == [
        (conference, "Grace", "broken.csv", "spreadsheet (session)", "refused"),
        (conference, "Grace", "wrong.csv", "spreadsheet (session)", "refused"),
    ]
    assert [it.reason for it in runs] == ["; ".join(mistakes(page)).replace("\0", "") for page in (broken, wrong)]


@pytest.mark.parametrize("number", [1, 3])
def test_look_at_a_spreadsheet_takes_a_fixed_number_of_queries(
    organiser: Client, number: int, django_assert_num_queries: Any
) -> None:
    conference = make_conference()
    rooms = [make_room(conference, f"Hall {it}") for it in range(number)]
    events = [make_event(conference, title=f"Talk {it}", start="09:00", end="10:00", room=rooms[it]) for it in range(number)]
    rows = [[it.guid, f"{it.title}, new", "2025-04-24 09:30", "2025-04-24 10:30", "hall 0"] for it in events]
    file = csv_of(["guid", "title", "start", "end", "room"], *rows)

    # With the page it leads to.
    with django_assert_num_queries(33):
        preview = send(organiser, "session", conference, file)
    with django_assert_num_queries(6):
        page = organiser.get(preview.request["PATH_INFO"])

    assert len(lines(page)) == number

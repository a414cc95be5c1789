"""Events and people of files without ids, whose titles and names are corrected here and in the file."""

from __future__ import annotations

import dataclasses
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.imports.sync.engine import sync
from events.imports.sync.report import PUBLISHING
from events.imports.sync.undo import undo
from events.models import Change, ChangeGroup, Event, Person
from events.programme.data.schedule import AppearanceData, EventData, PaperData, PersonData, ScheduleData
from tests.factories import at, make_agenda
from tests.imports.formats.spreadsheets.sheet_files import parsed, table
from tests.imports.sync.programmes import event, everything, programme, row

pytestmark = pytest.mark.django_db
OTHERS = [event(f"title:other-{number}", start=at("14:00"), end=at("15:00")) for number in range(9)]
_number = count(1)


def titled(*titles: str, **fields: object) -> ScheduleData:
    return programme(*(event(f"title:{title.lower()}", title=title, **fields) for title in titles), *OTHERS)


def correct(title: str, corrected: str) -> Event:
    found = Event.objects.get(title=title)
    found.title = corrected
    found.revise()
    return found


def test_title_corrected_here_and_then_in_the_file_is_one_event() -> None:
    sync(titled("Tlak", abstract="Old"), source="file", hooks=PUBLISHING)
    talk = correct("Tlak", "Talk")
    agenda, _ = make_agenda(talk.conference, talk)

    report = sync(titled("TALK", abstract="New"), source="file")
    again = sync(titled("Talk", abstract="Newer"), source="file")

    assert str(report) == str(again) == "created 0, changed 1, cancelled 0, unchanged 9, skipped 0"
    assert report.sentences("kept") == ["kept “Talk”: title stays “Talk”, the file says “TALK”"]
    assert (row("title:talk").pk, row("title:talk").abstract) == (talk.pk, "Newer")
    assert list(agenda.events.all()) == [talk]


@pytest.mark.parametrize(
    ("before", "after", "is_same"),
    [
        pytest.param("title:talk", "17", True, id="the-file-gets-ids"),
        pytest.param("17", "title:talk", True, id="the-file-loses-its-ids"),
        pytest.param("session:talk", "title:talk", True, id="a-named-session-gets-a-row"),
        pytest.param("17", "18", False, id="two-ids-are-two-events"),
    ],
)
def test_same_title_under_another_key(before: str, after: str, *, is_same: bool) -> None:
    sync(programme(event(before, title="Talk"), *OTHERS), source="file")
    pk = row(before).pk

    report = sync(programme(event(after, title="Talk"), *OTHERS), source="file")

    assert (row(after).pk == pk, report.created, report.cancelled) == (is_same, int(not is_same), int(not is_same))


def test_title_of_a_row_that_is_still_in_the_file_makes_a_new_event() -> None:
    sync(titled("Tlak"), source="file")
    talk = correct("Tlak", "Talk")

    report = sync(titled("Tlak", "Talk"), source="file")

    assert (report.created, report.cancelled, row("title:tlak")) == (1, 0, talk)


def test_key_counts_before_the_title() -> None:
    sync(titled("A", "B"), source="file")
    first, second = Event.objects.get(title="A"), Event.objects.get(title="B")
    correct("A", "B")

    sync(titled("B"), source="file", allow_cancel=True)

    assert row("title:b") == second
    assert Event.objects.get(pk=first.pk).status == "cancelled"


def test_of_several_with_one_title_the_start_decides() -> None:
    hours = [(at("09:00"), at("10:00")), (at("11:00"), at("12:00"))]
    keys = ("title:poster-sesion", "title:poster-sesion#2")
    sync(
        programme(*(event(key, start=start, end=end) for key, (start, end) in zip(keys, hours, strict=True)), *OTHERS), source="f"
    )
    pks = {}
    for key in keys:
        session = row(key, "f")
        session.title = "Poster session"
        session.revise()
        pks[session.start] = session.pk

    new = [(hours[1], "title:poster-session"), (hours[0], "title:poster-session#2")]
    corrected = [event(key, title="Poster session", start=start, end=end) for (start, end), key in new]
    report = sync(programme(*corrected, *OTHERS), source="f")

    assert (report.created, report.cancelled) == (0, 0)
    assert [row(key, "f").pk for _, key in new] == [pks[start] for (start, _), _ in new]


def test_of_several_with_one_title_and_start_none_is_taken() -> None:
    sync(titled("A", "B"), source="file")
    correct("A", "C")
    correct("B", "C")

    assert sync(titled("C"), source="file", allow_cancel=True).created == 1


def test_talks_of_a_corrected_session_stay_inside_it() -> None:
    talk = event("talk:title:sesion a", title="A", session="title:sesion")
    sync(programme(event("title:sesion", title="Sesion"), talk, *OTHERS), source="file")
    pks = set(Event.objects.values_list("pk", flat=True))
    session = correct("Sesion", "Session")

    moved = dataclasses.replace(talk, key="talk:title:session a", session="title:session")
    report = sync(programme(event("title:session", title="Session"), moved, *OTHERS), source="file")

    assert report.is_empty
    assert (set(Event.objects.values_list("pk", flat=True)), row(moved.key).session) == (pks, session)


def test_paper_of_a_corrected_talk_is_recognised_too() -> None:
    def file(title: str) -> ScheduleData:
        key = f"title:{title.lower()}"
        talk = event(key, title=title, paper=f"paper:{key}")
        return dataclasses.replace(programme(talk, *OTHERS), papers=(PaperData(key=f"paper:{key}", title=title),))

    sync(file("Tlak"), source="file")
    talk = correct("Tlak", "Talk")
    paper = talk.paper
    assert paper
    paper.title = "Talk"
    paper.save()

    report = sync(file("Talk"), source="file")

    assert report.is_empty
    assert row("title:talk").paper == paper


def test_undone_import_with_a_corrected_title_can_be_repeated() -> None:
    sync(titled("Tlak", abstract="Old"), source="file")
    talk = correct("Tlak", "Talk")
    corrected = titled("Talk", abstract="New")
    report = sync(corrected, source="file")
    assert report.group

    undo(ChangeGroup.objects.get(pk=report.group.pk))
    undone = row("title:tlak")
    sync(corrected, source="file")

    assert (undone, undone.abstract, undone.title) == (talk, "Old", "Talk")
    assert (row("title:talk"), row("title:talk").abstract) == (talk, "New")


def test_recognised_title_is_no_change_for_attendees() -> None:
    sync(titled("Tlak"), source="file")
    correct("Tlak", "Talk")
    before = Change.objects.count()

    report = sync(titled("Talk"), source="file")
    stored = everything()

    assert (report.is_empty, Change.objects.count()) == (True, before)
    assert sync(titled("Talk"), source="file").is_empty
    assert everything() == stored


@given(
    titles=st.lists(st.sampled_from("abcde"), min_size=1, max_size=4, unique=True),
    corrections=st.dictionaries(st.sampled_from("abcde"), st.sampled_from("vwxyz"), max_size=3),
)
def test_titles_corrected_on_both_sides_make_and_cancel_nothing(titles: list[str], corrections: dict[str, str]) -> None:
    if len({corrections.get(title, title) for title in titles}) < len(titles):
        corrections = {}
    slug = f"titles-{next(_number)}"

    def file(shown: list[str]) -> ScheduleData:
        data = titled(*shown)
        return dataclasses.replace(data, conference=dataclasses.replace(data.conference, slug=slug))

    sync(file(titles), source="file")
    mine = Event.objects.filter(conference__slug=slug)
    pks = {corrections.get(found.title, found.title): found.pk for found in mine}
    for found in mine.filter(title__in=corrections):
        found.title = corrections[found.title]
        found.revise()

    report = sync(file([corrections.get(title, title) for title in titles]), source="file")

    assert report.is_empty
    assert {found.title: found.pk for found in mine.all()} == pks


def speaking(name: str, key: str, **fields: str) -> ScheduleData:
    talk: EventData = event("17", people=(AppearanceData(person=key),))
    return dataclasses.replace(programme(talk, *OTHERS), people=(PersonData(key=key, name=name, **fields),))


def test_name_corrected_here_and_then_in_the_file_is_one_person() -> None:
    sync(speaking("Jonh Smiht", "jonh-smiht"), source="file")
    person = Person.objects.get()
    person.name = "John Smith"
    person.save()

    report = sync(speaking("John Smith", "john-smith"), source="file")
    again = sync(speaking("John Smith", "john-smith", affiliation="Example Institute"), source="file")

    assert (report.is_empty, report.lines, again.other_rows) == (True, [], 1)
    assert [(it.pk, it.source_key, it.affiliation) for it in Person.objects.all()] == [
        (person.pk, "john-smith", "Example Institute")
    ]
    assert list(row("17").appearances.values_list("person", flat=True)) == [person.pk]


def test_person_who_is_still_in_the_file_is_another_one_of_the_same_name() -> None:
    sync(speaking("Jonh Smiht", "jonh-smiht"), source="file")
    Person.objects.update(name="John Smith")
    both = speaking("John Smith", "john-smith")

    sync(dataclasses.replace(both, people=(*both.people, PersonData(key="jonh-smiht", name="Jonh Smiht"))), source="file")

    assert sorted(Person.objects.values_list("source_key", "name")) == [
        ("john-smith", "John Smith"),
        ("jonh-smiht", "John Smith"),
    ]


def test_people_with_guids_are_not_matched_by_name() -> None:
    guids = ("b1c2d3e4-0000-4000-8000-000000000001", "b1c2d3e4-0000-4000-8000-000000000002")
    for guid in guids:
        sync(speaking("John Smith", guid, guid=guid), source="file")

    assert {str(it.guid) for it in Person.objects.all()} == set(guids)


def spreadsheet(title: str, speaker: str) -> ScheduleData:
    header = ("Date", "Start", "End", "Title", "Speaker", "Room", "Session")
    talk = ("2026-04-23", "9:00", "9:30", title, speaker, "Hall", "Morning")
    lunch = ("2026-04-23", "12:00", "13:00", "Lunch", "", "Foyer", "")
    return parsed(table(header, talk, lunch))


def test_spreadsheet_with_the_corrections_made_here_changes_nothing() -> None:
    sync(spreadsheet("Slow rivrs", "Jonh Smiht"), source="file")
    talk = correct("Slow rivrs", "Slow rivers")
    Person.objects.update(name="John Smith")

    report = sync(spreadsheet("Slow rivers", "John Smith"), source="file")

    assert (report.is_empty, report.lines) == (True, [])
    assert [it.people_names for it in Event.objects.filter(pk=talk.pk)] == [["John Smith"]]
    assert (Event.objects.count(), Person.objects.count()) == (3, 1)

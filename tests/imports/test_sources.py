"""Several files that feed one conference, and one programme that comes in two formats."""

from __future__ import annotations

import io
import json
import uuid
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from events.models import Conference, Event, ImportRun, Person
from tests.factories import make_conference

pytestmark = pytest.mark.django_db

GUIDS = [str(uuid.UUID(int=number)) for number in range(1, 7)]

CREATING = ("--create", "--publish", "--timezone", "Europe/Vienna")


def calendar(*names: str, day: str = "20300202") -> str:
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Demo//EN"]
    for hour, name in enumerate(names, start=9):
        times = [f"DTSTART:{day}T{hour:02}0000Z", f"DTEND:{day}T{hour:02}3000Z"]
        lines += ["BEGIN:VEVENT", f"UID:{name}@demo.example", *times, f"SUMMARY:{name}", "END:VEVENT"]
    return "\r\n".join([*lines, "END:VCALENDAR", ""])


def schedule_xml(*guids: str, hour: int = 10) -> str:
    events = "".join(
        f'<event guid="{guid}" id="{guid[-4:]}"><date>2030-02-02T{hour}:00:00+01:00</date><start>{hour}:00</start>'
        f"<duration>00:30</duration><title>Talk {guid[-4:]}</title><room>Hall {guid[-1]}</room>"
        f'<persons><person id="{guid[-1]}">Speaker {guid[-1]}</person></persons></event>'
        for guid in guids
    )
    return (
        "<schedule><conference><title>Demo</title><time_zone_name>Europe/Vienna</time_zone_name></conference>"
        f'<day date="2030-02-02" index="1"><room name="Hall">{events}</room></day></schedule>'
    )


def schedule_json(*guids: str, hour: int = 10) -> str:
    events = [
        {
            "guid": guid,
            "id": int(guid[-4:]),
            "date": f"2030-02-02T{hour}:00:00+01:00",
            "start": f"{hour}:00",
            "duration": "00:30",
            "title": f"Talk {guid[-4:]}",
            "room": f"Hall {guid[-1]}",
            "persons": [{"id": int(guid[-1]), "public_name": f"Speaker {guid[-1]}"}],
        }
        for guid in guids
    ]
    day = {"index": 1, "date": "2030-02-02", "rooms": {"Hall": events}}
    conference = {"title": "Demo", "acronym": "demo", "time_zone_name": "Europe/Vienna", "days": [day]}
    return json.dumps({"schedule": {"conference": conference}})


def take(tmp_path: Path, name: str, text: str, *options: str) -> list[str]:
    path, out = tmp_path / name, io.StringIO()
    path.write_text(text)
    call_command("import_schedule", path, "--conference", "demo", *CREATING, *options, stdout=out)
    return out.getvalue().splitlines()


def statuses() -> dict[str, tuple[str, str]]:
    return {it.title: (it.source, it.status) for it in Event.objects.all()}


def test_two_files_of_one_format_feed_one_conference(tmp_path: Path) -> None:
    take(tmp_path, "main.ics", calendar("Opening", "Looms", "Closing", "Engines", "Tapes"))
    take(tmp_path, "socials.ics", calendar("Dinner", "Walk", "Quiz", "Film", "Run"), "--source", "Socials")

    take(tmp_path, "socials.ics", calendar("Dinner", "Walk", "Quiz", "Film"), "--source", "Socials")
    main = take(tmp_path, "main.ics", calendar("Opening", "Looms", "Closing", "Engines", "Tapes"))

    assert main[-1] == "created 0, changed 0, cancelled 0, unchanged 5, skipped 0"
    assert {title for title, (_, status) in statuses().items() if status == "cancelled"} == {"Run"}
    assert {source for source, _ in statuses().values()} == {"icalendar", "Socials"}
    assert list(ImportRun.objects.order_by("pk").values_list("source", flat=True)) == [
        "icalendar",
        "Socials",
        "Socials",
        "icalendar",
    ]


def sheet(*rows: tuple[str, str]) -> str:
    lines = [f"{title},2030-02-02,{hour}:00,{hour}:30,Hall,{people}" for hour, (title, people) in enumerate(rows, start=10)]
    return "\n".join(["Title,Date,Start,End,Room,Speakers", *lines, ""])


def speakers() -> dict[str, list[str]]:
    return {it.title: sorted(it.appearances.values_list("person__name", flat=True)) for it in Event.objects.all()}


def test_speaker_of_two_files_is_one_person(tmp_path: Path) -> None:
    main, second = sheet(("Looms", "Ada Byron"), ("Engines", "Bob Roe")), sheet(("Tapes", "Ada Byron; Cleo Poe"))
    take(tmp_path, "main.csv", main)
    take(tmp_path, "second.csv", second, "--source", "Second")

    again = [take(tmp_path, "main.csv", main)[-1], take(tmp_path, "second.csv", second, "--source", "Second")[-1]]

    assert speakers() == {"Looms": ["Ada Byron"], "Engines": ["Bob Roe"], "Tapes": ["Ada Byron", "Cleo Poe"]}
    assert sorted(Person.objects.values_list("name", flat=True)) == ["Ada Byron", "Bob Roe", "Cleo Poe"]
    assert again == [f"created 0, changed 0, cancelled 0, unchanged {count}, skipped 0" for count in (2, 1)]


def test_speaker_who_was_typed_by_hand_is_the_one_in_the_file(tmp_path: Path) -> None:
    conference = make_conference(slug="demo", timezone="Europe/Vienna")
    ada = Person.objects.create(conference=conference, name="Ada Byron", bio="Wrote the first program.")
    file = sheet(("Looms", "Ada Byron"), ("Engines", "Bob Roe"))

    take(tmp_path, "main.csv", file)
    again = take(tmp_path, "main.csv", file)[-1]

    assert [it.person_id for it in Event.objects.get(title="Looms").appearances.all()] == [ada.pk]
    assert dict(Person.objects.values_list("name", "bio")) == {"Ada Byron": "Wrote the first program.", "Bob Roe": ""}
    assert again == "created 0, changed 0, cancelled 0, unchanged 2, skipped 0"
    # Who was typed by hand stays when the file has them no more.
    take(tmp_path, "main.csv", sheet(("Looms", "Eve Doe"), ("Engines", "Bob Roe")))
    assert Person.objects.filter(pk=ada.pk).exists()


def test_speaker_stays_with_the_second_file_when_the_first_drops_them(tmp_path: Path) -> None:
    take(tmp_path, "main.csv", sheet(("Looms", "Ada Byron"), ("Engines", "Bob Roe")))
    second = sheet(("Tapes", "Ada Byron"))
    take(tmp_path, "second.csv", second, "--source", "Second")

    take(tmp_path, "main.csv", sheet(("Looms", "Eve Doe"), ("Engines", "Bob Roe")))
    again = take(tmp_path, "second.csv", second, "--source", "Second")

    assert speakers() == {"Looms": ["Eve Doe"], "Engines": ["Bob Roe"], "Tapes": ["Ada Byron"]}
    assert again[-1] == "created 0, changed 0, cancelled 0, unchanged 1, skipped 0"


def test_two_people_of_one_name_stay_two(tmp_path: Path) -> None:
    conference = make_conference(slug="demo", timezone="Europe/Vienna")
    for number in (1, 2):
        Person.objects.create(conference=conference, name="Ada Byron", source="file", source_key=f"ada-{number}")

    take(tmp_path, "second.csv", sheet(("Tapes", "Ada Byron")), "--source", "Second")

    assert Person.objects.filter(name="Ada Byron").count() == 3


def test_other_part_of_a_programme_is_told_to_take_a_source(tmp_path: Path) -> None:
    take(tmp_path, "main.ics", calendar("Opening", "Looms"))

    with pytest.raises(CommandError, match="and a file of another part of the programme its own --source"):
        take(tmp_path, "socials.ics", calendar("Dinner", "Walk"))


@pytest.mark.parametrize("name", ["x" * 61, "two\nlines"])
def test_name_that_cannot_be_stored_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(CommandError, match="cannot be the name of a source: write up to 60 characters in one line"):
        take(tmp_path, "main.ics", calendar("Opening"), "--source", name)

    assert not Conference.objects.exists()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param(("a.xml", schedule_xml), ("a.json", schedule_json), id="xml-then-json"),
        pytest.param(("a.json", schedule_json), ("a.xml", schedule_xml), id="json-then-xml"),
    ],
)
def test_programme_that_changes_its_format_goes_on(tmp_path: Path, first: Any, second: Any) -> None:
    take(tmp_path, first[0], first[1](*GUIDS))
    before = dict(Event.objects.values_list("guid", "pk"))
    people = set(Conference.objects.get().people.values_list("pk", flat=True))

    lines = take(tmp_path, second[0], second[1](*GUIDS[:5], hour=16))

    assert lines[-1] == "created 0, changed 5, cancelled 1, unchanged 0, skipped 0"
    assert any("5 of its 6 events have the same guids here" in line for line in lines)
    assert dict(Event.objects.values_list("guid", "pk")) == before
    assert set(Conference.objects.get().people.values_list("pk", flat=True)) == people
    assert {f"{it:%H:%M}" for it in Event.objects.filter(status="confirmed").values_list("start", flat=True)} == {"15:00"}


def test_file_of_a_few_shared_events_says_whose_they_are(tmp_path: Path) -> None:
    take(tmp_path, "a.xml", schedule_xml(*GUIDS))

    lines = take(tmp_path, "b.json", schedule_json(*GUIDS[:2], hour=16))

    assert lines[-1] == "created 0, changed 0, cancelled 0, unchanged 0, skipped 0, kept by another source 2"
    assert any("import it with the source “schedule.xml”" in line for line in lines)
    assert ImportRun.objects.latest("pk").elsewhere == 2


def test_own_export_takes_nothing_over(tmp_path: Path, client: Any) -> None:
    take(tmp_path, "a.xml", schedule_xml(*GUIDS))
    Conference.objects.update(status="published")
    export = b"".join(client.get("/demo/schedule.xml")).decode()

    lines = take(tmp_path, "own.xml", export)

    assert lines[-1].endswith("unchanged 0, skipped 0, kept by another source 6")
    assert {source for source, _ in statuses().values()} == {"schedule.xml"}

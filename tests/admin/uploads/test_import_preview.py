"""The preview of a programme: what moves, whom that hits, types, reason; and forms that keep their file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from events.models import Change, Conference, Event, ImportRun
from events.programme.models.publication import publish_conference
from tests.admin.pages import sent_by
from tests.admin.uploads.sending import lines, mistakes
from tests.admin.uploads.test_programme_upload import FORM, MOVED, SCHEDULE, confirm, messages_of, send, take_in
from tests.factories import make_agenda

pytestmark = pytest.mark.django_db
WITHOUT_ZONE = SCHEDULE.replace("<time_zone_name>Asia/Singapore</time_zone_name>", "").replace("+08:00", "")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Path:
    settings.UPLOAD_ROOT = tmp_path / "uploads"
    return Path(settings.UPLOAD_ROOT)


@pytest.fixture
def conference(organiser: Client) -> Conference:
    take_in(organiser, SCHEDULE, slug="small-2025")
    publish_conference(Conference.objects.get())
    # Its publication announced each event as new.
    Change.objects.all().delete()
    return Conference.objects.get()


def shown(page: Any, **query: str) -> list[str]:
    return [line["title"] for line in page.client.get(page.request["PATH_INFO"], query).context["page"]]


def test_rows_say_day_hour_and_room_also_new_ones(organiser: Client) -> None:
    page = send(organiser, SCHEDULE, slug="small-2025")

    assert [(line["title"], line["slot"]) for line in page.context["page"]][:2] == [
        ("Opening", "Thu 24 April, 09:00–10:00 · Hall 1"),
        ("Engines that learn", "Thu 24 April, 10:30–11:15 · Hall 1"),
    ]
    assert "Thu 24 April, 09:00–10:00 · Hall 1" in page.text


def test_differences_are_filtered_by_what_they_are_about(organiser: Client, conference: Conference) -> None:
    changed = (
        MOVED.replace("<title>Looms</title>", "<title>Old looms</title>")
        .replace("Welcome to everybody.", "Welcome, everybody.")
        .replace('<room name="Hall 2">', '<room name="Hall 3">')
    )

    page = send(organiser, changed, conference=conference.pk)

    counts = {name: number for name, _, number in page.context["groups"] if number}
    assert counts == {"time": 1, "room": 1, "title": 1, "words": 1}
    assert shown(page, about="time") == ["Engines that learn"]
    assert shown(page, about="room") == shown(page, about="title") == ["Looms"]
    assert shown(page, about="words") == ["Opening"]
    assert shown(page, about="people") == []
    assert sorted(shown(page, about="nonsense")) == ["Engines that learn", "Looms", "Opening"]


def test_order_and_colour_come_last(organiser: Client, conference: Conference) -> None:
    earlier = SCHEDULE.replace("<type>keynote</type>", "<type>address</type>", 1).replace("Looms<", "Old looms<")

    page = send(organiser, earlier, conference=conference.pk)

    looks = [list(line["about"]) == ["looks"] for line in page.context["page"]]
    assert (any(looks), looks) == (True, sorted(looks))


@pytest.mark.parametrize(("agendas", "number"), [pytest.param(2, "<5", id="few"), pytest.param(6, "6", id="six")])
def test_agendas_that_a_change_hits_are_counted_on_top(
    organiser: Client, conference: Conference, agendas: int, number: str
) -> None:
    event = Event.objects.get(title="Engines that learn")
    for _ in range(agendas):
        make_agenda(conference, event)

    page = send(organiser, MOVED, conference=conference.pk)

    assert page.context["impact"]["counts"][0] == [number, "have it in their agenda"]
    assert page.text.index("What this does to attendees") < page.text.index("Row by row")


def test_new_room_and_cancelled_event_are_part_of_the_impact(organiser: Client, conference: Conference) -> None:
    for title in ("Opening", "Looms"):
        make_agenda(conference, Event.objects.get(title=title))
    changed = SCHEDULE.replace('<room name="Hall 2">', '<room name="Hall 9">')

    page = send(organiser, changed, conference=conference.pk)

    assert [change[0] for change in page.context["impact"]["changes"]] == ["Looms"]
    assert page.context["impact"]["changes"][0][2].endswith("Hall 9")


def test_change_of_words_hits_nobody(organiser: Client, conference: Conference) -> None:
    make_agenda(conference, Event.objects.get(title="Opening"))

    page = send(organiser, SCHEDULE.replace("Welcome to everybody.", "Hello."), conference=conference.pk)

    assert page.context["impact"] is None


@pytest.mark.parametrize("place", ["form", "preview"])
def test_reason_is_stored_with_the_changes(organiser: Client, conference: Conference, place: str) -> None:
    reason = "The speaker’s train is late."
    page = send(organiser, MOVED, conference=conference.pk, **({"reason": reason} if place == "form" else {}))
    answers = sent_by(page) | ({"reason": reason} if place == "preview" else {})

    organiser.post(page.request["PATH_INFO"], {**answers, "confirm": "Import it"})

    assert {(it.field, it.reason) for it in Change.objects.all()} == {("start", reason), ("end", reason)}


def test_reason_that_cannot_be_stored_leaves_the_file_waiting(organiser: Client, conference: Conference) -> None:
    page = send(organiser, MOVED, conference=conference.pk)

    refused = organiser.post(page.request["PATH_INFO"], {"confirm": "1", "reason": "x" * 301})

    again = organiser.post(page.request["PATH_INFO"], {"again": "1", "reason": "a\0b"})

    assert (refused.status_code, again.status_code, Change.objects.count()) == (422, 422, 0)
    assert messages_of(confirm(organiser, page))[0].startswith("Imported from")


def test_types_are_shown_chosen_and_remembered(organiser: Client) -> None:
    page = send(organiser, SCHEDULE, slug="small-2025")
    answers = sent_by(page)
    assert (answers["type-keynote"], answers["type-lecture"]) == ("kind:invited-talk", "kind:talk")

    again = organiser.post(page.request["PATH_INFO"], {**answers, "type-lecture": "kind:session", "confirm": "1"}, follow=True)

    assert (Conference.objects.count(), sent_by(again)["type-lecture"]) == (0, "kind:session")
    assert messages_of(again) == ["Nothing is imported yet: this is what the file would change with your choices."]
    organiser.post(again.request["PATH_INFO"], {**sent_by(again), "confirm": "1"})
    assert Event.objects.get(title="Looms").type.kind == "session"
    next_one = send(organiser, MOVED, conference=Conference.objects.get().pk)
    assert sent_by(next_one)["type-lecture"] == "kind:session"
    assert ImportRun.objects.get(outcome="done").types == {"lecture": "kind:session"}


def test_show_again_changes_nothing_and_leave_discards(organiser: Client, folder: Path) -> None:
    page = send(organiser, SCHEDULE, slug="small-2025")

    again = organiser.post(page.request["PATH_INFO"], {**sent_by(page), "again": "1"}, follow=True)
    organiser.post(again.request["PATH_INFO"], {**sent_by(again), "leave": "1"})

    assert (Conference.objects.count(), list(folder.iterdir())) == (0, [])


def test_time_zone_is_asked_for_in_its_field_and_the_file_stays(organiser: Client, folder: Path) -> None:
    refused = send(organiser, WITHOUT_ZONE, slug="small-2025")
    [problem] = refused.context["form"].errors["timezone"]
    assert problem == "schedule.xml: names no time zone: say which one the venue is in, such as Europe/Brussels."
    assert ("--timezone" in refused.text, "“schedule.xml” is uploaded already" in refused.text) == (False, True)
    assert '<option value="Europe/Oslo">Oslo, Norway</option>' in refused.text

    preview = organiser.post(FORM, {**sent_by(refused), "timezone": "Singapore"}, follow=True)

    assert (preview.status_code, mistakes(preview)) == (200, [])
    assert len(list(folder.iterdir())) == 1
    confirm(organiser, preview)
    assert Conference.objects.get().timezone == "Asia/Singapore"


def test_form_without_an_address_keeps_the_file(organiser: Client, folder: Path) -> None:
    refused = send(organiser, SCHEDULE)

    still = organiser.post(FORM, {**sent_by(refused), "slug": "Not a slug"}, follow=True)
    preview = organiser.post(FORM, {**sent_by(still), "slug": "small-2025"}, follow=True)

    assert [page.status_code for page in (refused, still, preview)] == [422, 422, 200]
    assert len(lines(preview)) >= 4
    assert len(list(folder.iterdir())) == 1


def test_another_file_replaces_the_one_that_was_kept(organiser: Client, folder: Path) -> None:
    refused = send(organiser, "hello")
    again = organiser.post(
        FORM, {**sent_by(refused), "slug": "small-2025", "file": SimpleUploadedFile("b.xml", SCHEDULE.encode())}, follow=True
    )

    assert (again.status_code, len(list(folder.iterdir()))) == (200, 1)


def test_kept_file_of_somebody_else_is_not_read(organiser: Client, other_organiser: Client) -> None:
    refused = send(organiser, SCHEDULE)

    stolen = other_organiser.post(FORM, {**sent_by(refused), "slug": "mine"})

    assert (stolen.status_code, mistakes(stolen)) == (422, ["This field is required."])

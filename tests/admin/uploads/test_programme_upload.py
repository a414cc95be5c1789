"""Whole programmes: uploaded, previewed, and imported as previewed."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from events.imports.sync.undo import undo
from events.models import Change, Conference, Event, ImportRun
from events.programme.models.publication import publish_conference
from tests.admin.pages import url
from tests.admin.uploads.sending import lines, mistakes
from tests.factories import at, make_agenda, make_conference

pytestmark = pytest.mark.django_db
SCHEDULE = (Path(__file__).parents[2] / "data" / "upload" / "schedule.xml").read_text()
# "Engines that learn" moves half an hour on, "Looms" is gone, and so is nothing else.
MOVED = SCHEDULE.replace("2025-04-24T10:30:00", "2025-04-24T11:00:00").replace("<start>10:30</start>", "<start>11:00</start>")
WITHOUT_LOOMS = re.sub(r'<room name="Hall 2">.*?</event>\s*</room>', "", MOVED, flags=re.DOTALL)
FORM = "/organise/events/conference/programme/"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Path:
    settings.UPLOAD_ROOT = tmp_path / "uploads"
    return Path(settings.UPLOAD_ROOT)


def send(client: Client, content: str | bytes, **answers: Any) -> Any:
    """The page that the upload leads to: what would change, or the form with what is wrong."""
    data = content.encode() if isinstance(content, str) else content
    return client.post(FORM, {"file": SimpleUploadedFile("schedule.xml", data), **answers}, follow=True)


def confirm(client: Client, preview: Any) -> Any:
    return client.post(preview.request["PATH_INFO"], {"confirm": "Import it"}, follow=True)


def take_in(client: Client, content: str, **answers: Any) -> Any:
    preview = send(client, content, **answers)
    assert preview.status_code == 200, mistakes(preview)
    return confirm(client, preview)


def messages_of(response: Any) -> list[str]:
    return [str(message) for message in response.context["messages"]]


def test_new_conference_is_made_from_a_file(organiser: Client) -> None:
    preview = send(organiser, SCHEDULE, slug="small-2025")
    before = Conference.objects.count(), Event.objects.count(), ImportRun.objects.count()

    result = confirm(organiser, preview)

    conference = Conference.objects.get()
    assert before == (0, 0, 0)
    assert (conference.slug, conference.name, conference.timezone) == ("small-2025", "Small 2025", "Asia/Singapore")
    assert list(Event.objects.in_order().values_list("title", flat=True)) == ["Opening", "Engines that learn", "Looms", "Closing"]
    run = ImportRun.objects.get()
    assert (run.user_name, run.format, run.outcome, run.created) == ("Grace", "schedule.xml", "done", 4)
    assert result.request["PATH_INFO"] == url("change", "importrun", run.pk)
    for address in (
        f"{reverse('admin:events_event_timetable')}?conference={conference.pk}",
        f"{url('changelist', 'session')}?conference__id__exact={conference.pk}",
    ):
        assert f'href="{address}"' in result.text
        assert organiser.get(address).status_code == 200


def test_conference_that_an_import_makes_becomes_the_one_you_work_on(organiser: Client) -> None:
    make_conference(name="Running", start=dt.date(2020, 1, 1), end=dt.date(2100, 1, 1))

    result = take_in(organiser, SCHEDULE, slug="small-2025")

    assert str(result.context["current_conference"]) == "Small 2025"


def test_preview_shows_the_exact_difference_and_new_clashes(organiser: Client) -> None:
    take_in(organiser, SCHEDULE, slug="small-2025")
    conference = Conference.objects.get()
    revision = conference.revision

    page = send(
        organiser,
        MOVED.replace(">Mary Somerville<", ">Ada Lovelace<").replace('id="2">Ada', 'id="1">Ada'),
        conference=conference.pk,
    )

    [(verb, title, differences)] = lines(page)
    assert (verb, title) == ("changed", "Engines that learn")
    assert any("10:30" in it and "11:00" in it for it in differences)
    assert page.context["clashes"]["count"] == 1
    assert "Ada Lovelace is in two events for 30 min" in page.context["clashes"]["first"][0]
    assert (Conference.objects.get().revision, Change.objects.count()) == (revision, 0)


def test_reimport_moves_an_event_and_keeps_its_bookmarks(organiser: Client) -> None:
    take_in(organiser, SCHEDULE, slug="small-2025")
    publish_conference(Conference.objects.get())
    Change.objects.all().delete()
    conference, event = Conference.objects.get(), Event.objects.get(title="Engines that learn")
    agenda, _ = make_agenda(conference, event)

    result = take_in(organiser, MOVED, conference=conference.pk)

    event.refresh_from_db()
    assert (event.start, event.end, list(agenda.events.all())) == (at("11:00"), at("11:45"), [event])
    assert {(it.event, it.field) for it in Change.objects.all()} == {(event, "start"), (event, "end")}
    assert messages_of(result) == ["Imported from schedule.xml: created 0, changed 1, cancelled 0, unchanged 3, skipped 0."]


def test_same_file_again_changes_nothing(organiser: Client) -> None:
    take_in(organiser, SCHEDULE, slug="small-2025")
    conference = Conference.objects.get()

    preview = send(organiser, SCHEDULE, conference=conference.pk)

    assert (lines(preview), preview.context["empty"]) == ([], True)
    assert Conference.objects.get().revision == conference.revision


def test_too_much_cancelling_is_refused_in_words_until_it_is_allowed(organiser: Client) -> None:
    take_in(organiser, SCHEDULE, slug="small-2025")
    conference = Conference.objects.get()

    refused = send(organiser, WITHOUT_LOOMS, conference=conference.pk)
    allowed = take_in(organiser, WITHOUT_LOOMS, conference=conference.pk, allow_cancel="on")

    [words] = mistakes(refused)
    assert (refused.status_code, words.startswith("1 of 4 events"), "--" in words) == (422, True, False)
    told = list(ImportRun.objects.order_by("pk").values_list("conference", "outcome", "cancelled"))
    assert told == [(conference.pk, "done", 0), (conference.pk, "refused", 0), (conference.pk, "done", 1)]
    assert Event.objects.get(title="Looms").status == "cancelled"
    assert messages_of(allowed)[0].startswith("Imported from schedule.xml: created 0, changed 1, cancelled 1")


def test_what_moved_since_is_shown_again(organiser: Client) -> None:
    take_in(organiser, SCHEDULE, slug="small-2025")
    conference, event = Conference.objects.get(), Event.objects.get(title="Opening")
    preview = send(organiser, MOVED, conference=conference.pk)
    event.title = "Grand opening"
    event.revise()

    again = confirm(organiser, preview)

    assert messages_of(again) == [
        "The programme has changed since the preview. Nothing is imported yet: this is what the file would change now."
    ]
    assert Event.objects.get(title="Engines that learn").start == at("10:30")
    assert [it[:2] for it in lines(again) if it[0] == "changed"] == [("changed", "Engines that learn")]
    confirm(organiser, again)
    assert Event.objects.get(title="Engines that learn").start == at("11:00")


@pytest.mark.parametrize(
    "meanwhile",
    [
        pytest.param(lambda: Event.objects.filter(title="Engines that learn").update(title="Engines"), id="a row"),
        pytest.param(lambda: Conference.objects.get().bump_revision(), id="the revision"),
    ],
)
def test_change_since_the_preview_gives_a_new_preview(organiser: Client, meanwhile: Callable[[], object]) -> None:
    take_in(organiser, SCHEDULE, slug="small-2025")
    preview = send(organiser, MOVED, conference=Conference.objects.get().pk)
    meanwhile()
    before = list(Event.objects.order_by("pk").values_list("title", "start"))

    again = confirm(organiser, preview)

    assert messages_of(again)[0].startswith("The programme has changed since the preview.")
    assert list(Event.objects.order_by("pk").values_list("title", "start")) == before


def test_second_press_of_the_button_is_refused_in_words(organiser: Client) -> None:
    preview = send(organiser, SCHEDULE, slug="small-2025")
    confirm(organiser, preview)

    second = confirm(organiser, preview)

    gone = "That file is no longer available: it was imported or discarded, or an hour has passed. Please upload it again."
    assert (messages_of(second), ImportRun.objects.count(), Event.objects.count()) == ([gone], 1, 4)


def test_nothing_is_left_behind(organiser: Client, folder: Path) -> None:
    preview = send(organiser, SCHEDULE, slug="small-2025")
    waiting = len(list(folder.iterdir()))
    confirm(organiser, preview)
    put_aside = send(organiser, SCHEDULE, conference=Conference.objects.get().pk)
    organiser.post(put_aside.request["PATH_INFO"], {"leave": "1"})

    assert (waiting, list(folder.iterdir())) == (1, [])


def test_file_of_somebody_else_is_not_waiting(organiser: Client, other_organiser: Client, chair: Client) -> None:
    preview = send(organiser, SCHEDULE, slug="small-2025")
    address = preview.request["PATH_INFO"]

    answers = [client.post(address, {"confirm": "1"}).status_code for client in (other_organiser, chair, Client())]

    assert (answers, Conference.objects.count()) == ([302, 403, 302], 0)
    assert confirm(organiser, preview).status_code == 200


@pytest.mark.parametrize("page", ["session", "social"])
def test_file_of_one_page_is_not_waiting_at_another(organiser: Client, page: str) -> None:
    make_conference()
    token = send(organiser, SCHEDULE, slug="small-2025").request["PATH_INFO"].split("/")[-2]

    response = organiser.post(url("import_preview", page, token), {"confirm": "1"})

    assert (response.status_code, response["Location"]) == (302, url("import", page))


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        pytest.param({}, "Choose the conference, or name a new one below.", id="neither"),
        pytest.param(
            {"slug": "ICLR 2026!"}, "Enter a valid “slug” consisting of letters, numbers, underscores or hyphens.", id="no slug"
        ),
        pytest.param(
            {"slug": "static"}, "“static” is an address of the site itself: add the year, static-2025.", id="an address of ours"
        ),
        pytest.param({"slug": "there"}, "There is a conference “there”: choose it above.", id="taken"),
        pytest.param(
            {"slug": "new", "timezone": "Nowhere"},
            "“Nowhere” is not a time zone: write a large city in it, such as Oslo, or a name such as Asia/Singapore.",
            id="no zone",
        ),
        pytest.param(
            {"slug": "new", "format": "docx"}, "Select a valid choice. docx is not one of the available choices.", id="no format"
        ),
    ],
)
def test_answer_that_cannot_be_is_refused_in_words(organiser: Client, answers: dict[str, str], words: str) -> None:
    make_conference(slug="there")

    page = send(organiser, SCHEDULE, **answers)

    assert (page.status_code, mistakes(page)) == (422, [words])


@pytest.mark.parametrize(
    ("content", "words"),
    [
        pytest.param(b"", "The file is empty.", id="nothing"),
        pytest.param(b"hello", "schedule.xml: is in no format Hallway knows.", id="something else"),
        pytest.param(SCHEDULE[:900].encode(), "schedule.xml", id="cut off"),
        pytest.param(b"<!DOCTYPE x [<!ENTITY a 'b'>]>" + SCHEDULE[39:].encode(), "schedule.xml", id="entities"),
        pytest.param(b"PK\x03\x04broken", "schedule.xml: is a zip that cannot be opened", id="a broken zip"),
    ],
)
def test_bad_file_is_refused_on_the_form(organiser: Client, folder: Path, content: bytes, words: str) -> None:
    page = send(organiser, content, slug="new")

    [found] = mistakes(page)
    assert (page.status_code, found[: len(words)]) == (422, words)
    assert (Conference.objects.count(), list(folder.glob("*"))) == (0, [])
    # One that is empty never was a file.
    kept = [(it.slug, it.user_name, it.file_name, it.size, it.outcome, it.reason) for it in ImportRun.objects.all()]
    assert kept == ([("new", "Grace", "schedule.xml", len(content), "refused", found)] if content else [])


def test_social_chair_and_visitors_upload_no_programme(chair: Client) -> None:
    answers = [client.post(FORM, {"slug": "mine"}).status_code for client in (chair, Client())]

    assert (answers, FORM in chair.get(reverse("admin:index")).text) == ([403, 302], False)


def test_upload_is_offered_where_organisers_look(organiser: Client) -> None:
    conference = make_conference()

    pages = [reverse("admin:index"), url("changelist", "conference"), url("change", "conference", conference.pk)]

    assert [FORM in organiser.get(page).text for page in pages] == [True] * 3


def big(number: int) -> str:
    event = re.search(r'<event guid="5b3d0a52-1111-4d3f-9c1e-000000000001".*?</event>', SCHEDULE, re.DOTALL)
    assert event is not None
    copies = [event[0].replace("000000000001", f"{it:012}").replace('id="1"', f'id="{it}"') for it in range(10, number + 10)]
    return SCHEDULE.replace(event[0], "".join(copies))


def test_preview_of_many_rows_is_paged(organiser: Client) -> None:
    preview = send(organiser, big(300), slug="small-2025")

    address = preview.request["PATH_INFO"]
    last = organiser.get(address, {"page": "99"})
    assert (len(preview.context["page"]), preview.context["page"].paginator.num_pages >= 6) == (50, True)
    assert (len(preview.content) < 100_000, last.context["page"].has_next()) == (True, False)
    assert [organiser.get(address, {"page": nonsense, "show": nonsense}).status_code for nonsense in ("x", "-1", "<b>")] == [
        200
    ] * 3


@pytest.mark.parametrize("number", [1, 60])
def test_preview_takes_a_fixed_number_of_queries(organiser: Client, number: int, django_assert_num_queries: Any) -> None:
    address = send(organiser, big(number), slug="small-2025").request["PATH_INFO"]

    with django_assert_num_queries(6):
        organiser.get(address)


@pytest.mark.parametrize("number", [1, 60])
def test_record_takes_a_fixed_number_of_queries(organiser: Client, number: int, django_assert_num_queries: Any) -> None:
    take_in(organiser, big(number), slug="small-2025")
    run = ImportRun.objects.get()

    with django_assert_num_queries(9):
        page = organiser.get(url("change", "importrun", run.pk))

    assert len(page.context["page"]) == min(50, len(run.lines))


def test_record_of_an_import_stays_as_it_is(organiser: Client) -> None:
    take_in(organiser, SCHEDULE, slug="small-2025")
    run = ImportRun.objects.get()

    answers = [
        organiser.post(url("change", "importrun", run.pk), {"file_name": "mine"}).status_code,
        organiser.post(url("delete", "importrun", run.pk), {"post": "yes"}).status_code,
        organiser.post(url("add", "importrun")).status_code,
        organiser.post(url("changelist", "importrun"), {"action": "delete_selected", "_selected_action": [run.pk]}).status_code,
    ]

    assert (answers[:3], list(ImportRun.objects.values_list("file_name", flat=True))) == ([403] * 3, ["schedule.xml"])


def result_of(page: str) -> str:
    found = re.search(r'<td class="field-result">(.*?)</td>|field-result.*?<div class="readonly">(.*?)</div>', page, re.DOTALL)
    return next(filter(None, found.groups())) if found else ""


def test_record_of_an_import_says_that_it_was_taken_back(organiser: Client) -> None:
    take_in(organiser, SCHEDULE, slug="small-2025")
    run = ImportRun.objects.get()
    before = organiser.get(url("changelist", "importrun")).text
    assert run.group

    with time_machine.travel("2025-04-20T10:00:00+00:00", tick=False):
        undo(run.group)
    pages = [organiser.get(address).text for address in (url("changelist", "importrun"), url("change", "importrun", run.pk))]

    assert (result_of(before), *map(result_of, pages)) == ("Taken in", *["Taken back on 20 April 2025, 18:00"] * 2)


def test_undo_says_that_the_conference_stays(organiser: Client) -> None:
    take_in(organiser, SCHEDULE, slug="small-2025")
    run = ImportRun.objects.get()
    assert run.group

    page = organiser.post(reverse("admin:events_changegroup_undo", args=[run.group.pk]), follow=True)

    [message] = page.context["messages"]
    stays = "Small 2025 stays, without events: delete it on its page if nobody needs it."
    assert str(message) == f"Taken back: {run.group.title}. {stays}"


def test_file_of_another_part_takes_a_source_of_its_own(organiser: Client) -> None:
    take_in(organiser, SCHEDULE, slug="small-2025")
    conference = Conference.objects.get()
    other = re.sub(r'guid="[^"]{8}', 'guid="99999999', SCHEDULE).replace("<title>", "<title>Other: ").replace('id="', 'id="9')

    refused = send(organiser, other, conference=conference.pk)
    take_in(organiser, other, conference=conference.pk, source="Workshops")

    assert "If it is another part of the programme, give it a source of its own." in str(mistakes(refused))
    assert Event.objects.filter(status="cancelled").count() == 0
    assert set(Event.objects.values_list("source", flat=True)) == {"schedule.xml", "Workshops"}
    run = ImportRun.objects.filter(outcome="done").latest("pk")
    assert (run.source, run.created) == ("Workshops", 4)
    assert "Workshops" in organiser.get(url("change", "importrun", run.pk)).text


def test_preview_says_that_another_source_takes_over(organiser: Client) -> None:
    take_in(organiser, SCHEDULE, slug="small-2025")
    conference = Conference.objects.get()

    page = send(organiser, MOVED, conference=conference.pk, source="Renamed")
    confirm(organiser, page)

    assert "This is the programme of “schedule.xml” in another file: 4 of its 4 events have the same guids here." in page.text
    assert set(Event.objects.values_list("source", flat=True)) == {"Renamed"}
    assert (Event.objects.count(), Event.objects.get(title="Engines that learn").start) == (4, at("11:00"))

"""Followed sources in the admin: the form, the button, and what waits for any organiser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from events.admin.following import WAITING_GONE_MESSAGE, FollowedSourceAdmin
from events.imports.following import follow, waiting_upload
from events.imports.models import FollowedSource
from events.models import ChangeGroup, Conference, Event, ImportRun
from tests.admin.pages import sent_by, url
from tests.admin.uploads.test_programme_upload import messages_of
from tests.factories import make_conference
from tests.https_server import HOST, HttpsServer
from tests.imports.formats.spreadsheets.sheet_files import content_of
from tests.imports.test_following import BEFORE, MOVED, SCHEDULE, WITHOUT_HALL_2, running, server, start_of, titles

__all__ = ["running", "server"]
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _before() -> Iterator[None]:
    with time_machine.travel(BEFORE, tick=False):
        yield


@pytest.fixture
def source(server: HttpsServer, monkeypatch: pytest.MonkeyPatch) -> FollowedSource:
    monkeypatch.setattr(FollowedSourceAdmin, "internet", server.internet())
    conference = make_conference(slug="small-2025")
    server.serve(SCHEDULE, ETag='"1"')
    source = FollowedSource.objects.create(conference=conference, url=server.url(), applies_up_to=5)
    follow(source, impact_of=lambda slots: None, internet=server.internet())
    FollowedSource.objects.update(applies_up_to=0)
    return FollowedSource.objects.get()


def press_look(client: Client, source: FollowedSource) -> Any:
    return client.post(reverse("admin:events_followedsource_look", args=[source.pk]), follow=True)


def press(page: Any, button: str, client: Client | None = None, **answers: Any) -> Any:
    return (client or page.client).post(page.request["PATH_INFO"], {**sent_by(page), **answers, button: "on"}, follow=True)


def test_address_is_added_and_its_page_has_the_button(organiser: Client) -> None:
    conference = make_conference()
    form = organiser.get(url("add", "followedsource"))

    page = organiser.post(
        url("add", "followedsource"),
        {**sent_by(form), "conference": conference.pk, "url": "https://example.org/a.xml", "timezone": "Oslo", "_continue": "1"},
        follow=True,
    )

    added = FollowedSource.objects.get()
    assert (added.url, added.timezone, added.applies_up_to, added.is_active) == (
        "https://example.org/a.xml",
        "Europe/Oslo",
        0,
        True,
    )
    assert ("Not looked at yet" in page.text, "Look now" in page.text) == (True, True)


@pytest.mark.parametrize(
    ("values", "field", "words"),
    [
        ({"url": "http://example.org/a.xml"}, "url", "does not begin with https://"),
        ({"url": "https://a:b@example.org/a.xml"}, "url", "name or a password"),
        ({"url": "https://example.org:22/"}, "url", "names port 22"),
        ({"applies_up_to": "501"}, "applies_up_to", "501 is too large: write 500 or less."),
        ({"timezone": "Atlantis"}, "timezone", "is not a time zone"),
        ({"source": ""}, "source", "give it a name of its own"),
    ],
)
def test_what_is_wrong_is_told_at_its_field(
    organiser: Client, source: FollowedSource, values: dict[str, str], field: str, words: str
) -> None:
    other = FollowedSource.objects.create(conference=source.conference, url="https://example.org/b.xml", source="Socials")
    page = organiser.get(url("change", "followedsource", other.pk))

    refused = organiser.post(url("change", "followedsource", other.pk), {**sent_by(page), **values})

    assert refused.status_code == 200
    assert words in str(refused.context["adminform"].form.errors[field])


def test_another_address_begins_anew(organiser: Client, source: FollowedSource, server: HttpsServer) -> None:
    server.serve(MOVED, ETag='"2"')
    press_look(organiser, source)
    source.refresh_from_db()
    waiting = waiting_upload(source)
    # The form takes port 443 alone.
    FollowedSource.objects.update(url="https://schedule.example.org/schedule.xml")
    page = organiser.get(url("change", "followedsource", source.pk))
    organiser.post(url("change", "followedsource", source.pk), {**sent_by(page), "reason": "Rain"})
    source.refresh_from_db()
    assert (source.reason, source.is_waiting, source.etag) == ("Rain", True, '"2"')

    page = organiser.get(url("change", "followedsource", source.pk))
    organiser.post(url("change", "followedsource", source.pk), {**sent_by(page), "url": "https://schedule.example.org/new.xml"})

    source.refresh_from_db()
    assert (source.url.rpartition("/")[2], source.is_waiting, source.etag, source.digest) == ("new.xml", False, "", "")
    assert waiting is not None
    assert waiting.read_content() is None


def test_look_meanwhile_makes_no_form_outdated(organiser: Client, source: FollowedSource, server: HttpsServer) -> None:
    FollowedSource.objects.update(url="https://nobody.example.org/schedule.xml")
    source.refresh_from_db()
    page = organiser.get(url("change", "followedsource", source.pk))
    follow(source, impact_of=lambda slots: None, internet=server.internet())

    answer = organiser.post(url("change", "followedsource", source.pk), {**sent_by(page), "applies_up_to": "7"})

    source.refresh_from_db()
    assert (answer.status_code, source.applies_up_to, source.failures) == (302, 7, 1)


def test_button_shows_the_difference_and_apply_does_it(organiser: Client, source: FollowedSource, server: HttpsServer) -> None:
    server.serve(MOVED)

    page = press_look(organiser, source)

    assert [line["title"] for line in page.context["page"] if line["what"] == "event"] == ["Engines that learn"]
    assert (">Apply<" in page.text or 'value="Apply"' in page.text, 'value="Not now"' in page.text) == (True, True)
    assert start_of("Engines that learn") == "02:30"
    done = press(page, "confirm", reason="The hall is being repaired.")
    run = ImportRun.objects.first()
    assert run is not None
    assert (run.user_name, run.followed, done.request["PATH_INFO"]) == ("Grace", source, url("change", "importrun", run.pk))
    assert start_of("Engines that learn") == "03:00"
    group = ChangeGroup.objects.first()
    assert group is not None
    assert (group.note, group.import_run, "Undo …" in done.text) == ("The hall is being repaired.", run, True)
    source.refresh_from_db()
    assert (source.is_waiting, source.waiting_token) == (False, "")
    assert "Applied from it" in organiser.get(url("change", "followedsource", source.pk)).text


def test_not_now_leaves_everything_until_the_file_changes(organiser: Client, source: FollowedSource, server: HttpsServer) -> None:
    server.serve(MOVED)
    page = press_look(organiser, source)

    left = press(page, "leave")

    source.refresh_from_db()
    assert (source.is_waiting, start_of("Engines that learn")) == (False, "02:30")
    assert messages_of(left) == [
        "Not now: schedule.xml is not applied. What changes in it next is shown together with this, and waits."
    ]
    assert follow(source, impact_of=lambda slots: None, internet=server.internet()).result == "unchanged"
    FollowedSource.objects.update(applies_up_to=5)
    source.refresh_from_db()
    server.serve(MOVED.replace("Looms<", "Old looms<"))
    found = follow(source, impact_of=lambda slots: None, internet=server.internet())
    assert (found.result, found.text) == ("waits", "2 events (2 changed) would change.")


def test_any_organiser_decides_and_only_one(
    organiser: Client, other_organiser: Client, source: FollowedSource, server: HttpsServer
) -> None:
    server.serve(MOVED)
    follow(source, impact_of=lambda slots: None, internet=server.internet())
    first = other_organiser.get("/organise/")
    assert "1 event (1 changed) would change." in first.text
    shown = other_organiser.get(url("change", "followedsource", source.pk)).context["waiting_url"]
    page = other_organiser.get(shown)

    press(page, "confirm", organiser)
    late = press(page, "confirm", other_organiser)

    assert messages_of(late) == [WAITING_GONE_MESSAGE]
    assert ImportRun.objects.done().count() == 2
    assert "would change" not in organiser.get("/organise/").text


def test_file_without_many_events_is_shown_with_a_warning(organiser: Client, source: FollowedSource, server: HttpsServer) -> None:
    server.serve(WITHOUT_HALL_2)

    page = press_look(organiser, source)

    assert "1 of 4 events are missing from the file; it may be incomplete." in page.text
    press(page, "confirm")
    assert list(Event.objects.filter(status="cancelled").values_list("title", flat=True)) == ["Looms"]


def test_programme_that_changed_meanwhile_is_shown_again(organiser: Client, source: FollowedSource, server: HttpsServer) -> None:
    server.serve(MOVED)
    page = press_look(organiser, source)
    event = Event.objects.get(title="Looms")
    event.title = "Old looms"
    event.save()
    event.revise()

    again = press(page, "confirm")

    assert (again.status_code, start_of("Engines that learn")) == (200, "02:30")
    assert messages_of(again)[0].startswith("The programme has changed since the preview.")
    press(again, "confirm")
    assert (start_of("Engines that learn"), FollowedSource.objects.get().is_waiting) == ("03:00", False)


def test_conference_with_another_slug_is_followed_on(organiser: Client, source: FollowedSource, server: HttpsServer) -> None:
    server.serve(MOVED)
    page = press_look(organiser, source)
    Conference.objects.update(slug="renamed-2025")

    press(page, "confirm")

    assert start_of("Engines that learn") == "03:00"


def test_import_that_is_refused_loses_nothing(
    organiser: Client, source: FollowedSource, server: HttpsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    from events.admin.uploads import programme  # noqa: PLC0415 - to be patched

    server.serve(MOVED, ETag='"2"')
    page = press_look(organiser, source)

    def busy(*arguments: Any, **options: Any) -> None:
        raise programme.SyncError("Another import is running.")

    with monkeypatch.context() as patch:
        patch.setattr(programme, "run_import", busy)
        refused = press(page, "confirm")

    assert messages_of(refused) == ["Nothing was changed. Another import is running."]
    source.refresh_from_db()
    assert follow(source, impact_of=lambda slots: None, internet=server.internet()).result == "waits"


def test_small_change_is_applied_by_the_button_too(organiser: Client, source: FollowedSource, server: HttpsServer) -> None:
    FollowedSource.objects.update(applies_up_to=3)
    server.serve(MOVED)

    page = press_look(organiser, source)

    run = ImportRun.objects.first()
    assert run is not None
    assert page.request["PATH_INFO"] == url("change", "importrun", run.pk)
    assert messages_of(page)[0].startswith("Applied: created 0, changed 1")


@pytest.mark.parametrize(
    ("prepare", "words"),
    [
        (lambda server: None, "Nothing would change"),
        (lambda server: server.serve("", status=404), f"{HOST} answers 404"),
        (lambda server: FollowedSource.objects.get().lock(), "Somebody else is looking"),
    ],
    ids=["nothing new", "not found", "busy"],
)
def test_button_says_what_came_of_it(
    organiser: Client, source: FollowedSource, server: HttpsServer, prepare: Callable[[HttpsServer], Any], words: str
) -> None:
    prepare(server)

    page = press_look(organiser, source)

    assert words in messages_of(page)[0]
    assert page.request["PATH_INFO"] == url("change", "followedsource", source.pk)


def test_failure_is_on_the_first_page_and_on_its_own(organiser: Client, source: FollowedSource, server: HttpsServer) -> None:
    server.serve("", status=404)
    follow(source, impact_of=lambda slots: None, internet=server.internet())

    for page in (organiser.get("/organise/"), organiser.get(url("change", "followedsource", source.pk))):
        assert f"{HOST} answers 404: nothing is there: correct the address" in page.text


def test_columns_of_a_sheet_are_chosen_applied_and_remembered(
    organiser: Client, server: HttpsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FollowedSourceAdmin, "internet", server.internet())
    conference = make_conference(slug="meadow-2026", timezone="Europe/Vienna")
    source = FollowedSource.objects.create(conference=conference, url=server.url("/talks.csv"), applies_up_to=100)
    FollowedSource.objects.update(applies_up_to=0)
    server.serve(content_of("google.csv"), "/talks.csv")
    preview = press_look(organiser, source)

    columns = press(preview, "columns")
    assert "What it is about" in columns.text
    preview = press(columns, "confirm", **{"column-6": "abstract"})
    press(preview, "confirm")

    assert ImportRun.objects.done().get().columns["columns"]["What it is about"] == "abstract"
    assert Event.objects.exclude(abstract="").exists()
    source.refresh_from_db()
    assert source.is_waiting is False
    FollowedSource.objects.update(applies_up_to=50)
    source.refresh_from_db()
    server.serve(content_of("google.csv").replace(b"Grass that sings", b"Grass that hums"), "/talks.csv")
    assert follow(source, impact_of=lambda slots: None, internet=server.internet()).result == "applied"
    assert "Grass that hums" in titles()


def test_sheet_without_known_columns_leads_to_their_page(organiser: Client, source: FollowedSource, server: HttpsServer) -> None:
    server.serve("Alpha,Beta\n1,2\n3,4\n", ETag='"2"')

    page = press_look(organiser, source)

    assert page.resolver_match.url_name == "events_followedsource_waiting_columns"
    link = organiser.get(url("change", "followedsource", source.pk))
    assert "Say what its columns are" in link.text
    press(page, "leave")
    assert FollowedSource.objects.get().is_waiting is False


def test_list_reads_the_same_for_one_and_three(organiser: Client, django_assert_num_queries: Any) -> None:
    conference = make_conference()
    organiser.get(url("changelist", "followedsource"))
    for number in range(3):
        FollowedSource.objects.create(conference=conference, url=f"https://example.org/{number}", source=f"Part {number}")
        if number in {0, 2}:
            with django_assert_num_queries(7):
                page = organiser.get(url("changelist", "followedsource"))
    assert "Part 2 (example.org)" in page.text

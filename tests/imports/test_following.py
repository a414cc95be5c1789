"""Programmes at addresses that conferences follow: what is applied, what waits, what fails, and who is told."""

from __future__ import annotations

import datetime as dt
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.conf import settings
from django.core.management import CommandError, call_command

from events.imports import following
from events.imports.following import Look, follow, waiting_upload
from events.imports.models import FollowedSource
from events.imports.sync.undo import undo
from events.management.commands.follow_sources import Command
from events.models import ChangeGroup, CommandRun, Conference, Event, ImportRun, Letter
from events.programme.models.publication import publish_conference, withdraw_conference
from tests.admin.conftest import staff
from tests.factories import make_conference
from tests.https_server import HOST, HttpsServer, https_server
from tests.imports.formats.spreadsheets.sheet_files import content_of
from tests.imports.test_sources import calendar

pytestmark = pytest.mark.django_db
SCHEDULE = (Path(__file__).parents[1] / "data" / "upload" / "schedule.xml").read_text()
MOVED = SCHEDULE.replace("2025-04-24T10:30:00", "2025-04-24T11:00:00").replace("<start>10:30</start>", "<start>11:00</start>")
WITHOUT_HALL_2 = re.sub(r'<room name="Hall 2">.*?</event>\s*</room>', "", SCHEDULE, flags=re.DOTALL)
BEFORE = dt.datetime(2025, 4, 20, 9, tzinfo=dt.UTC)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpsServer]:
    with https_server(tmp_path_factory.mktemp("https")) as server:
        yield server


@pytest.fixture
def server(running: HttpsServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> HttpsServer:
    settings.UPLOAD_ROOT = tmp_path / "uploads"
    running.answers.clear()
    running.asked.clear()
    monkeypatch.setattr(Command, "internet", running.internet())
    return running


@pytest.fixture(autouse=True)
def clock() -> Iterator[Any]:
    with time_machine.travel(BEFORE, tick=False) as traveller:
        yield traveller


@pytest.fixture
def source(server: HttpsServer) -> FollowedSource:
    """A conference that has the file already, and follows it."""
    conference = make_conference(slug="small-2025")
    source = FollowedSource.objects.create(conference=conference, url=server.url(), applies_up_to=5)
    server.serve(SCHEDULE, ETag='"1"')
    assert look(source, server).result == "applied"
    server.asked.clear()
    return source


def look(source: FollowedSource, server: HttpsServer, user: Any = None) -> Look:
    found = follow(source, impact_of=lambda slots: None, user=user, internet=server.internet())
    source.refresh_from_db()
    return found


def titles() -> list[str]:
    return list(Event.objects.public().order_by("title").values_list("title", flat=True))


def start_of(title: str) -> str:
    start = Event.objects.get(title=title).start
    assert start is not None
    return f"{start:%H:%M}"


def run_command(**options: Any) -> list[str]:
    out = io.StringIO()
    call_command("follow_sources", stdout=out, **options)
    return out.getvalue().splitlines()


def test_small_change_is_applied_as_a_run_with_one_entry(source: FollowedSource, server: HttpsServer) -> None:
    source.reason = "The hall is being repaired."
    source.save()
    server.serve(MOVED, ETag='"2"')

    found = look(source, server)

    assert (found.result, found.text) == ("applied", "Applied: created 0, changed 1, cancelled 0, unchanged 3, skipped 0.")
    run = ImportRun.objects.first()
    assert run is not None
    assert (run, run.followed, run.user_name, run.outcome, run.source) == (found.run, source, "", "done", "schedule.xml")
    assert start_of("Engines that learn") == "03:00"
    group = ChangeGroup.objects.first()
    assert group is not None
    assert (group.import_run, group.note, group.is_public) == (run, "The hall is being repaired.", True)
    assert set(group.changes.values_list("field", "reason")) == {("start", source.reason), ("end", source.reason)}
    assert (source.etag, source.is_waiting, source.problem) == ('"2"', False, "")
    assert Letter.objects.count() == 0


def test_what_was_applied_is_taken_back_and_not_applied_again(source: FollowedSource, server: HttpsServer) -> None:
    server.serve(MOVED)
    look(source, server)

    group = ChangeGroup.objects.first()
    assert group is not None
    undo(group)

    assert start_of("Engines that learn") == "02:30"
    assert (look(source, server).result, start_of("Engines that learn")) == ("unchanged", "02:30")
    # An organiser who asks sees it, and it waits.
    assert look(source, server, user=staff("Grace", "Organisers")).result == "waits"
    assert start_of("Engines that learn") == "02:30"
    # The next change has what was taken back in it, and waits too.
    server.serve(MOVED.replace("Looms<", "Old looms<"))
    assert (look(source, server).result, start_of("Engines that learn")) == ("waits", "02:30")


def test_same_file_is_asked_for_by_its_mark_and_makes_no_run(source: FollowedSource, server: HttpsServer) -> None:
    runs, revision = ImportRun.objects.count(), Conference.objects.get().revision

    found = look(source, server)

    assert (found.result, found.text) == ("unchanged", "The file is the same as last time.")
    assert server.asked[0][1]["If-None-Match"] == '"1"'
    assert (ImportRun.objects.count(), Conference.objects.get().revision) == (runs, revision)


def test_same_file_from_a_host_without_marks_is_not_compared(
    source: FollowedSource, server: HttpsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.serve(SCHEDULE)
    monkeypatch.setattr(following, "preview_programme", None)

    assert look(source, server).result == "unchanged"


def test_large_change_waits_and_organisers_are_told_once(source: FollowedSource, server: HttpsServer) -> None:
    grace, _ = staff("Grace", "Organisers"), staff("Barbara", "Social chairs")
    grace.email = "grace@example.org"
    grace.save()
    FollowedSource.objects.update(applies_up_to=1)
    source.refresh_from_db()
    server.serve(MOVED.replace("Looms<", "Old looms<"), ETag='"2"')

    found = look(source, server)

    assert (found.result, found.text) == ("waits", "2 events (2 changed) would change.")
    assert (start_of("Engines that learn"), source.waiting_for) == ("02:30", "decision")
    waiting = waiting_upload(source)
    assert waiting is not None
    assert (waiting.preview["counts"]["changed"], waiting.user_id) == (2, None)
    server.asked.clear()
    assert look(source, server).result == "unchanged"
    assert (server.asked[0][1]["If-None-Match"], source.is_waiting) == ('"2"', True)
    letter = Letter.objects.get()
    assert (letter.to, letter.subject) == (
        "grace@example.org",
        f"{source.conference.name}: a change of its programme waits for you",
    )
    assert "2 events (2 changed) would change." in letter.text
    assert f"/organise/events/followedsource/{source.pk}/change/" in letter.text
    # A key in the address is nobody's who reads a mail.
    assert "schedule.xml" not in letter.text


def test_everything_waits_where_nothing_may_be_applied(source: FollowedSource, server: HttpsServer) -> None:
    FollowedSource.objects.update(applies_up_to=0)
    source.refresh_from_db()
    server.serve(MOVED)

    assert (look(source, server).result, start_of("Engines that learn")) == ("waits", "02:30")


def test_renamed_person_counts_as_a_change(source: FollowedSource, server: HttpsServer) -> None:
    FollowedSource.objects.update(applies_up_to=1)
    source.refresh_from_db()
    server.serve(MOVED.replace("Ada Lovelace", "Augusta Ada King"))

    assert (look(source, server).result, start_of("Engines that learn")) == ("waits", "02:30")


def test_file_without_most_of_its_events_always_waits(source: FollowedSource, server: HttpsServer) -> None:
    """Cut off where its program stopped writing it, and still well-formed."""
    server.serve(WITHOUT_HALL_2)

    found = look(source, server)

    assert found.result == "waits"
    assert found.text == "1 of 4 events are missing from the file; it may be incomplete. The first is “Looms”."
    assert titles() == ["Closing", "Engines that learn", "Looms", "Opening"]
    assert ImportRun.objects.filter(outcome="refused").count() == 0


def test_corrected_file_takes_the_place_of_one_that_waits(source: FollowedSource, server: HttpsServer) -> None:
    server.serve(WITHOUT_HALL_2)
    look(source, server)
    first = waiting_upload(source)
    server.serve(MOVED)

    assert look(source, server).result == "applied"

    assert (source.is_waiting, first and first.read_content(), start_of("Engines that learn")) == (False, None, "03:00")


def test_file_that_waits_and_is_lost_is_fetched_again(source: FollowedSource, server: HttpsServer) -> None:
    server.serve(WITHOUT_HALL_2, ETag='"2"')
    look(source, server)
    lost = waiting_upload(source)
    assert lost is not None
    lost.pop_content()

    assert look(source, server).result == "waits"
    assert waiting_upload(source) is not None


def test_draft_stays_a_draft(source: FollowedSource, server: HttpsServer) -> None:
    withdraw_conference(Conference.objects.get())
    server.serve(MOVED)

    assert look(source, server).result == "applied"

    conference = Conference.objects.get()
    assert (conference.is_draft, conference.change_groups.filter(is_public=True).count()) == (True, 0)
    publish_conference(conference)
    assert look(source, server).result == "unchanged"


def test_edit_by_hand_stays(source: FollowedSource, server: HttpsServer) -> None:
    event = Event.objects.get(title="Looms")
    event.title = "Looms of Jacquard"
    event.save()
    server.serve(MOVED.replace("Looms<", "Old looms<"))

    look(source, server)

    assert titles() == ["Closing", "Engines that learn", "Looms of Jacquard", "Opening"]


def test_two_sources_cancel_only_what_each_brought(server: HttpsServer) -> None:
    conference = make_conference(slug="demo", timezone="Europe/Vienna")
    of = {"conference": conference, "applies_up_to": 10}
    talks = FollowedSource.objects.create(url=server.url("/talks.ics"), source="Talks", **of)
    socials = FollowedSource.objects.create(url=server.url("/socials.ics"), source="Socials", **of)
    server.serve(calendar(*"abcdefg"), "/talks.ics")
    server.serve(calendar("dinner", "walk", "chess", "run", "choir", "tea", "boat"), "/socials.ics")
    look(talks, server)
    look(socials, server)
    server.serve(calendar("dinner", "walk", "chess", "run", "choir", "tea"), "/socials.ics")

    assert look(socials, server).result == "applied"

    assert list(Event.objects.filter(status="cancelled").values_list("title", flat=True)) == ["boat"]


def test_spreadsheet_waits_for_its_columns_or_a_decision(server: HttpsServer) -> None:
    conference = make_conference(slug="meadow-2026", timezone="Europe/Vienna")
    source = FollowedSource.objects.create(conference=conference, url=server.url("/talks.csv"))
    server.serve(content_of("google.csv"), "/talks.csv")

    assert (look(source, server).result, source.waiting_for) == ("waits", "decision")
    waiting = waiting_upload(source)
    assert waiting is not None
    assert waiting.options["columns"] == {}
    server.serve("Alpha,Beta\n1,2\n3,4\n", "/talks.csv")
    found = look(source, server)
    assert (found.result, source.waiting_for) == ("waits", "columns")
    assert waiting_upload(source) is not None


FAILURES = [
    pytest.param({"content": "", "status": 404}, f"{HOST} answers 404: nothing is there", id="not found"),
    pytest.param({"content": "<!doctype html><html>Sign in</html>"}, "web page", id="web page"),
    pytest.param({"content": SCHEDULE[:900]}, "schedule.xml", id="cut off"),
    pytest.param({"content": "just words"}, "is in no format Hallway knows", id="no programme"),
    pytest.param({"content": ""}, "is empty", id="empty"),
    pytest.param({"content": b"\x1f\x8b" + b"\0" * 50}, "is compressed with gzip", id="gzip file"),
    pytest.param({"content": '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><schedule>&b;</schedule>'}, "", id="entity"),
]


@pytest.mark.parametrize(("answer", "words"), FAILURES)
def test_what_cannot_be_read_changes_nothing_and_is_told(
    source: FollowedSource, server: HttpsServer, answer: dict[str, Any], words: str
) -> None:
    before = list(Event.objects.order_by("pk").values())
    server.serve(**answer)

    found = look(source, server)
    look(source, server)

    assert found.result == "failed"
    assert words in source.problem
    assert source.problem.endswith((".", "?"))
    assert "/etc" not in source.problem
    assert (source.failures, source.failing_since, list(Event.objects.order_by("pk").values())) == (2, BEFORE, before)
    # One record of a file that is refused each time.
    assert ImportRun.objects.filter(outcome="refused").count() <= 1
    # What was fetched last is asked for still: the broken file is never taken for the same as last time.
    assert server.asked[-1][1]["If-None-Match"] == '"1"'


def test_lone_hiccup_is_not_mailed_and_a_lasting_failure_once_a_day(
    source: FollowedSource, server: HttpsServer, clock: Any
) -> None:
    grace = staff("Grace", "Organisers")
    grace.email = "grace@example.org"
    grace.save()
    server.serve("", status=500)
    look(source, server)
    look(source, server)
    server.serve(SCHEDULE, ETag='"1"')
    assert look(source, server).result == "unchanged"
    assert (source.problem, source.failures, Letter.objects.count()) == ("", 0, 0)

    server.serve("", status=500)
    mailed = []
    for _ in range(30):
        look(source, server)
        mailed.append(Letter.objects.count())
        clock.shift(dt.timedelta(hours=1))

    assert (mailed[:3], mailed[25], mailed[26], mailed[-1]) == ([0, 0, 1], 1, 2, 2)
    letter = Letter.objects.first()
    assert letter is not None
    assert letter.subject == f"{source.conference.name}: its programme does not come in"
    assert f"{HOST} answers 500: it is asked again later." in letter.text
    assert "It has not come in since Sunday 20 April, 17:00" in letter.text


def test_button_neither_mails_nor_counts(source: FollowedSource, server: HttpsServer) -> None:
    grace = staff("Grace", "Organisers")
    server.serve("", status=500)

    for _ in range(4):
        assert look(source, server, user=grace).result == "failed"

    assert (source.failures, Letter.objects.count()) == (0, 0)
    assert source.problem.startswith(f"{HOST} answers 500")


def test_superusers_are_told_where_no_organiser_has_a_mailbox(source: FollowedSource, server: HttpsServer) -> None:
    root = staff("root")
    root.is_superuser, root.email = True, "root@example.org"
    root.save()
    server.serve(WITHOUT_HALL_2)

    look(source, server)

    assert list(Letter.objects.values_list("to", flat=True)) == ["root@example.org"]


def test_intervals_grow_while_it_fails(source: FollowedSource, server: HttpsServer, clock: Any) -> None:
    server.serve("", status=500)
    waits = []
    for _ in range(8):
        look(source, server)
        waits.append((source.next_at - BEFORE).total_seconds() / 60)

    assert waits == [10, 20, 40, 80, 160, 320, 360, 360]
    assert run_command() == []
    assert len(run_command(conference="small-2025")) == 1
    server.serve("", status=503, Retry_After="80000")
    look(source, server)
    assert (source.next_at - BEFORE).total_seconds() == 80_000


def test_of_two_who_look_at_once_one_does(source: FollowedSource, server: HttpsServer, clock: Any) -> None:
    other = FollowedSource.objects.get()
    assert other.lock()

    found = look(source, server)

    assert (found.result, server.asked) == ("busy", [])
    clock.shift(dt.timedelta(minutes=21))
    # Whoever held it has died.
    assert look(source, server).result == "unchanged"
    other.unlock()
    assert FollowedSource.objects.get().locked_until is None


def test_address_that_is_changed_meanwhile_keeps_nothing_of_the_old_one(
    source: FollowedSource, server: HttpsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def change_and_fetch(url: str, **values: Any) -> Any:
        FollowedSource.objects.update(url=server.url("/new.xml"), etag="", digest="")
        return fetch(url, **values)

    fetch = following.fetch
    monkeypatch.setattr(following, "fetch", change_and_fetch)
    server.serve(WITHOUT_HALL_2, ETag='"2"')

    look(source, server)

    assert (source.etag, source.digest, source.is_waiting) == ("", "", False)


def test_error_of_ours_is_one_failure(
    source: FollowedSource, server: HttpsServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    server.serve(MOVED)
    monkeypatch.setattr(following, "run_import", lambda *arguments, **options: 1 / 0)

    assert (look(source, server).result, source.problem) == ("failed", following.UNEXPECTED_TEXT)
    assert "ZeroDivisionError" in caplog.text
    assert FollowedSource.objects.get().locked_until is None


def test_change_that_grows_between_comparison_and_import_waits(
    source: FollowedSource, server: HttpsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    FollowedSource.objects.update(applies_up_to=1)
    source.refresh_from_db()
    server.serve(MOVED)
    run_import = following.run_import

    def slowly(*arguments: Any, **options: Any) -> Any:
        event = Event.objects.get(title="Looms")
        event.delete()
        return run_import(*arguments, **options)

    monkeypatch.setattr(following, "run_import", slowly)

    found = look(source, server)

    assert (found.result, found.text) == ("waits", "2 events (1 new, 1 changed) would change.")
    assert start_of("Engines that learn") == "02:30"


def test_command_looks_at_what_is_followed_and_records_its_run(source: FollowedSource, server: HttpsServer, clock: Any) -> None:
    server.serve(MOVED)
    paused = FollowedSource.objects.create(conference=source.conference, url=server.url("/b"), source="B", is_active=False)
    over = make_conference(slug="over", start=dt.date(2025, 4, 1), end=dt.date(2025, 4, 3))
    FollowedSource.objects.create(conference=over, url=server.url("/c"))

    lines = run_command()

    assert lines == [f"small-2025, {HOST}: applied. Applied: created 0, changed 1, cancelled 0, unchanged 3, skipped 0."]
    assert (paused.looked_at, [path for path, _ in server.asked]) == (None, ["/schedule.xml"])
    assert list(CommandRun.objects.values_list("command", flat=True)) == ["follow_sources"]
    with pytest.raises(CommandError, match="There is no conference “nothing”"):
        run_command(conference="nothing")


def test_each_address_of_a_conference_has_a_source_of_its_own(source: FollowedSource) -> None:
    other = FollowedSource(conference=source.conference, url="https://example.org/b.xml")

    with pytest.raises(Exception, match="give it a name of its own"):
        other.full_clean()

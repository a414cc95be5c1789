"""The record of an import: done, refused or dry."""

from __future__ import annotations

import datetime as dt
import hashlib
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, User

from events.core.parsing.errors import ScheduleParseError
from events.imports import runs
from events.imports.formats.document import Document
from events.imports.runs import run_import
from events.imports.sync.report import SyncError
from events.models import Conference, Event, ImportRun
from tests.factories import make_conference, make_event, make_room
from tests.imports.formats.seeds.seed_folders import write_folder
from tests.imports.sync.programmes import everything

pytestmark = pytest.mark.django_db

XML = """<schedule><conference><acronym>demo</acronym><title>Demo</title>
<time_zone_name>Europe/Vienna</time_zone_name></conference>
<day index="1" date="2030-02-02"><room name="Hall 1">
<event guid="fdbc5919-f702-524c-9331-3a2c670f6f01" id="1"><date>2030-02-02T09:00:00+01:00</date><start>09:00</start>
<duration>01:00</duration><room>Hall 1</room><title>{title}</title><type>talk</type>
<persons><person id="1">Ada Example</person></persons></event>
<event guid="fdbc5919-f702-524c-9331-3a2c670f6f02" id="2"><date>2030-02-02T{second}:00+01:00</date><start>{second}</start>
<duration>01:00</duration><room>Hall 1</room><title>Second</title><type>talk</type>
<persons><person id="1">Ada Example</person></persons></event>
<event guid="fdbc5919-f702-524c-9331-3a2c670f6f03" id="3"><start>12:00</start><duration>01:00</duration><title></title></event>
</room></day></schedule>"""


def document(title: str = "First", second: str = "10:00") -> Document:
    return Document.from_upload("schedule.xml", XML.format(title=title, second=second).encode())


def without_event(xml: str, title: str) -> str:
    before, _, after = xml.partition(f"<title>{title}</title>")
    return before[: before.rindex("<event")] + after.partition("</event>")[2]


def run(**options: Any) -> ImportRun:
    return run_import(document(**options.pop("file", {})), slug="demo", **{"create": True} | options)


def recorded_runs() -> list[ImportRun]:
    return list(ImportRun.objects.order_by("pk"))


def lines_by_verb(run: ImportRun, verb: str) -> list[dict[str, Any]]:
    return [line for line in run.lines if line["verb"] == verb]


def programme_rows() -> dict[str, Any]:
    """Everything but the records of imports."""
    return {name: rows for name, rows in everything().items() if name != "ImportRun"}


def test_run_records_user_file_and_result() -> None:
    ada = User.objects.create_user("ada")

    run(user=ada)

    [it] = recorded_runs()
    content = XML.format(title="First", second="10:00").encode()
    assert (it.conference, it.slug, it.user, it.user_name) == (Conference.objects.get(), "demo", ada, "ada")
    assert (it.file_name, it.size, it.digest) == ("schedule.xml", len(content), hashlib.sha256(content).hexdigest())
    assert (it.format, it.source, it.outcome, it.reason) == ("schedule.xml", "schedule.xml", "done", "")
    assert it.summary == "created 2, changed 0, cancelled 0, unchanged 0, skipped 1"
    assert [line["title"] for line in lines_by_verb(it, "created")] == ["First", "Second"]
    assert [line["guid"] for line in lines_by_verb(it, "created")] == [
        str(guid) for guid in Event.objects.order_by("title").values_list("guid", flat=True)
    ]
    assert len(lines_by_verb(it, "skipped")) == it.skipped == 1
    assert it.finished_at is not None
    assert dt.timedelta(0) <= it.finished_at - it.started_at < dt.timedelta(minutes=5)


def test_run_without_changes_is_recorded_and_writes_nothing_else() -> None:
    run()
    before = programme_rows()

    run()

    assert programme_rows() == before
    assert [(it.summary, it.is_empty) for it in recorded_runs()] == [
        ("created 2, changed 0, cancelled 0, unchanged 0, skipped 1", False),
        ("created 0, changed 0, cancelled 0, unchanged 2, skipped 1", True),
    ]


def test_run_reports_fields_as_texts_and_times_at_the_venue() -> None:
    run()

    run(file={"title": "Renamed", "second": "10:30"})

    lines = lines_by_verb(recorded_runs()[-1], "changed")
    changes = [(line["title"], [(it["field"], it["old"], it["new"]) for it in line["differences"]]) for line in lines]
    assert changes == [
        ("First", [("title", "First", "Renamed")]),
        (
            "Second",
            [
                ("start", "Sat 2 February 2030, 10:00", "Sat 2 February 2030, 10:30"),
                ("end", "Sat 2 February 2030, 11:00", "Sat 2 February 2030, 11:30"),
            ],
        ),
    ]


def test_run_reports_only_new_clashes() -> None:
    run()
    conference = Conference.objects.get()
    other = make_room(conference, "Hall 9")
    for title in ("There already", "There as well"):
        make_event(conference, title=title, room=other, start="09:00", end="10:00")

    dry = run(file={"second": "09:30"}, dry_run=True)
    done = run(file={"second": "09:30"})
    again = run(file={"second": "09:30"})

    assert dry.new_clashes == [
        (f"Sat 2 February, 09:30–10:00: {what} two events for 30 min: “First” (09:00–10:00) and “Second” (09:30–10:30). {advice}")
        for what, advice in [
            ("Ada Example is in", "Move one, or ask somebody else."),
            ("Hall 1 holds", "Move one, or give it another room."),
        ]
    ]
    assert (done.new_clashes, again.new_clashes) == (dry.new_clashes, [])


def test_first_programme_reports_its_clashes() -> None:
    assert len(run(file={"second": "09:30"}, dry_run=True).new_clashes) == 2


def test_dry_run_reports_the_same_and_leaves_no_record() -> None:
    would = run(dry_run=True)
    after = everything()
    did = run()

    assert not any(rows for rows in after.values())
    assert would.pk is None
    assert [{**line, "guid": ""} for line in would.lines] == [{**line, "guid": ""} for line in did.lines]
    assert [line["guid"] for line in would.lines] == [line["guid"] for line in did.lines]
    assert (would.summary, would.outcome) == (did.summary, did.outcome)


@pytest.mark.parametrize(
    ("content", "options", "kind", "message"),
    [
        pytest.param(b"<schedule>", {}, ScheduleParseError, "schedule.xml, line 1", id="file"),
        pytest.param(b"nothing we know", {}, ScheduleParseError, "schedule.xml: is in no format Hallway knows", id="format"),
        pytest.param(None, {"create": False}, SyncError, "There is no conference “demo”", id="no-conference"),
        pytest.param(None, {"format": "no-such"}, ScheduleParseError, "“no-such” is not a format", id="unknown-format"),
    ],
)
def test_refused_run_is_recorded_with_its_reason(
    content: bytes | None, options: dict[str, Any], kind: type[Exception], message: str
) -> None:
    given = document() if content is None else Document.from_upload("schedule.xml", content)

    with pytest.raises(kind, match=message):
        run_import(given, slug="demo", **{"create": True} | options)

    [it] = recorded_runs()
    assert (it.outcome, it.conference, it.slug, it.reason.startswith(message)) == ("refused", None, "demo", True)
    assert (it.file_name, it.digest) == ("schedule.xml", hashlib.sha256(given.content).hexdigest())
    assert Conference.objects.count() == 0


def test_refused_dry_run_leaves_no_record() -> None:
    with pytest.raises(SyncError):
        run(create=False, dry_run=True)

    assert recorded_runs() == []


def test_run_that_would_cancel_too_much_is_recorded_as_refused() -> None:
    run()
    one = document()
    fewer = Document.from_upload("fewer.xml", without_event(one.content.decode(), "Second").encode())

    with pytest.raises(SyncError) as refused:
        run_import(fewer, slug="demo")
    allowed = run_import(fewer, slug="demo", allow_cancel=True)

    assert (refused.value.missing, refused.value.known, refused.value.first) == (1, 2, "Second")  # type: ignore[attr-defined]
    assert [it.outcome for it in recorded_runs()] == ["done", "refused", "done"]
    assert recorded_runs()[1].conference == Conference.objects.get()
    assert allowed.summary == "created 0, changed 0, cancelled 1, unchanged 1, skipped 1"


def test_run_that_is_not_accepted_is_undone() -> None:
    def no(shown: ImportRun) -> None:
        assert (shown.created, Event.objects.count()) == (2, 2)
        raise LookupError("not this")

    with pytest.raises(LookupError):
        run(accept=no)

    assert not any(everything().values())


def test_run_outlives_its_user_and_its_conference() -> None:
    run(user=User.objects.create_user("ada"))
    User.objects.all().delete()
    Event.objects.all().delete()
    Conference.objects.all().delete()

    assert [(it.user, it.user_name, it.conference, it.slug) for it in recorded_runs()] == [(None, "ada", None, "demo")]


@pytest.mark.parametrize("user", [None, AnonymousUser()], ids=["command-line", "anonymous"])
def test_run_without_a_user_has_no_name(user: Any) -> None:
    run(user=user)

    assert [(it.user, it.user_name) for it in recorded_runs()] == [(None, "")]


def test_time_zone_is_the_conference_s_unless_another_is_given() -> None:
    make_conference(slug="demo", timezone="Asia/Singapore")
    zoneless = XML.replace("<time_zone_name>Europe/Vienna</time_zone_name>", "").replace("+01:00", "")
    given = Document.from_upload("schedule.xml", zoneless.format(title="First", second="10:00").encode())

    run_import(given, slug="demo")
    first = list(Event.objects.order_by("start").values_list("start", flat=True))
    Event.objects.all().delete()
    run_import(given, slug="demo", timezone="UTC")

    assert first == [dt.datetime(2030, 2, 2, hour, tzinfo=dt.UTC) for hour in (1, 2)]
    assert list(Event.objects.order_by("start").values_list("start", flat=True)) == [
        dt.datetime(2030, 2, 2, hour, tzinfo=dt.UTC) for hour in (9, 10)
    ]


def test_source_may_be_given() -> None:
    run(source="pretalx of the first track")

    assert set(Event.objects.values_list("source", flat=True)) == {"pretalx of the first track"}


def test_seed_folder_keeps_the_source_that_the_seed_command_uses(tmp_path: Path) -> None:
    folder = write_folder(tmp_path, {})

    run_import(Document.read(folder), slug="demo", create=True)

    assert Conference.objects.get().source == "seed"
    assert [(it.format, it.source) for it in recorded_runs()] == [("seed-folder", "seed")]


@pytest.mark.parametrize("slug", ["a" * 61, "de\x00mo", "Foo_Bar/"], ids=["too-long", "control-character", "slash"])
def test_invalid_slug_is_refused_and_recorded_readably(slug: str) -> None:
    with pytest.raises(SyncError, match=r"^“(a{60}…|demo…|Foo_Bar/)” cannot be the address of a conference"):
        run_import(document(), slug=slug, create=True)

    assert [it.slug for it in recorded_runs()] == ["".join(c for c in slug if c.isprintable())[:60]]


def test_conference_is_not_created_under_an_address_of_the_site() -> None:
    with pytest.raises(SyncError, match="“feeds” is an address of the site itself"):
        run_import(document(), slug="feeds", create=True)


def test_report_is_bounded_and_has_the_lines_that_need_attention(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "MAX_REPORT_LINES", 2)

    it = run()

    assert ([line["verb"] for line in it.lines], it.left_out, it.created) == (["skipped", "created"], 1, 2)

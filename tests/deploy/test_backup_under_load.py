"""A backup of a site under load, restored elsewhere: nothing acknowledged before is lost, and no number of a feed goes back."""

from __future__ import annotations

import contextlib
import itertools
import re
import sqlite3
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import pytest

from tests.deploy.instances import Instance, Visitor, fresh_database, instance
from tests.deploy.processes import PROJECT

pytestmark = pytest.mark.deploy
VISITORS, READERS, EVENTS, SECONDS = 4, 2, 120, 3.0
ROWS = f"""
from django.core.files.base import ContentFile
from django.core.management import call_command
call_command("migrate", verbosity=0)
from tests.factories import forms_url, make_agenda, make_conference, make_event, make_person
conference = make_conference(slug="demo")
events = [make_event(conference, title=f"Talk {{number}}", start="09:00", end="10:00") for number in range({EVENTS})]
for event in events:
    event.revise()
for number in range(3):
    person = make_person(conference, f"Ada {{number}}", photo_alt="Ada, writing.")
    person.photo.save("ada.webp", ContentFile(b"pixels %d" % number))
    print("photo", person.photo.url)
for event in events:
    print("event", forms_url(event))
for _ in range({VISITORS}):
    agenda, token = make_agenda(conference, events[0])
    print("agenda", token, f"/feeds/{{agenda.feed_token}}.ics")
"""
# The first event is in all feeds.
CHANGES = """
import itertools, sys, threading
from events.models import Event
event, over = Event.objects.order_by("pk").first(), threading.Event()
threading.Thread(target=lambda: (sys.stdin.read(), over.set()), daemon=True).start()
for number in itertools.count():
    if over.wait(0.15):
        break
    event.title = f"Change {number}"
    event.save()
    event.revise()
print(number)
"""
ONE_CHANGE = """
from events.models import Event
event = Event.objects.order_by("pk").first()
event.title = "After the restore"
event.save()
event.revise()
"""
BOOKMARKED = """
from events.models import Agenda, Conference
from tests.factories import forms_url
for token in TOKENS:
    agenda = Agenda.objects.for_token(token, Conference.objects.get())
    print(*sorted(forms_url(event) for event in agenda.events.all()))
"""


@dataclass
class Told:
    """What feeds have told calendars: the highest SEQUENCE of each event, and each ETag."""

    sequences: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    etags: set[str] = field(default_factory=set)
    fetches: int = 0

    def fetch(self, port: int, feed: str) -> dict[str, int]:
        reply = Visitor().ask(port, feed)
        assert reply.status == 200
        text = reply.text.replace("\r\n ", "")
        entries = [entry.partition("END:VEVENT")[0] for entry in text.split("BEGIN:VEVENT")[1:]]
        found = {_value(entry, "UID"): int(_value(entry, "SEQUENCE")) for entry in entries}
        for uid, sequence in found.items():
            self.sequences[uid] = max(self.sequences[uid], sequence)
        self.etags.add(reply.headers["etag"])
        self.fetches += 1
        return found


def _value(entry: str, name: str) -> str:
    found = re.search(rf"^{name}:(.*?)\r?$", entry, re.MULTILINE)
    assert found, (name, entry)
    return found[1]


@dataclass
class Picks:
    """Of one visitor, who bookmarks one event after another: how many were sent and how many acknowledged."""

    token: str
    feed: str
    sent: int = 0
    acknowledged: int = 0


@dataclass
class Load:
    site: Instance
    events: list[str]
    picks: list[Picks]
    told: list[Told]
    over: threading.Event = field(default_factory=threading.Event)
    errors: list[str] = field(default_factory=list)

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        work = [*((self.pick, it) for it in self.picks), *((self.read, it) for it in self.told)]
        threads = [threading.Thread(target=self.guarded, args=it) for it in work]
        with subprocess.Popen(
            [sys.executable, "manage.py", "shell", "--no-imports", "-c", CHANGES],
            cwd=PROJECT,
            env=self.site.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        ) as organiser:
            for thread in threads:
                thread.start()
            try:
                yield
            finally:
                self.over.set()
                for thread in threads:
                    thread.join()
                changes, _ = organiser.communicate(timeout=60)
        assert organiser.returncode == 0
        assert int(changes) > 3

    def guarded(self, work: object, what: object) -> None:
        try:
            work(what)  # type: ignore[operator]
        except Exception as error:  # noqa: BLE001 - reported by the test
            self.errors.append(repr(error))

    def pick(self, picks: Picks) -> None:
        visitor = Visitor({"hallway": picks.token})
        for event in self.events[1:]:
            if self.over.is_set():
                return
            picks.sent += 1
            reply = visitor.ask(self.site.port, f"{event}bookmark/", {"on": "1"})
            assert reply.status == 302, reply.text
            picks.acknowledged += 1
            time.sleep(0.05)

    def read(self, told: Told) -> None:
        for picks in itertools.cycle(self.picks):
            if self.over.wait(0.05):
                return
            told.fetch(self.site.port, picks.feed)


@dataclass(frozen=True)
class Restored:
    """The site that the backup was restored to, what was acknowledged before the backup and sent until its end, and the load."""

    site: Instance
    database: str
    output: str
    load: Load
    acknowledged: list[int]
    sent: list[int]
    photos: dict[str, bytes]


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def restored(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Restored]:
    folder = tmp_path_factory.mktemp(request.param)
    with fresh_database(request.param) as first, fresh_database(request.param) as second:
        site, elsewhere = instance(folder / "site", first), instance(folder / "elsewhere", second)
        rows = [line.split() for line in site.shell(ROWS).splitlines()]
        photos, events = ([row[1] for row in rows if row[0] == kind] for kind in ("photo", "event"))
        load = Load(site, events, [Picks(*row[1:]) for row in rows if row[0] == "agenda"], [Told() for _ in range(READERS)])
        backups = folder / "backups"
        backups.mkdir(mode=0o700)
        with site.serving():
            pictures = {photo: Visitor().ask(site.port, photo).body for photo in photos}
            with load.running():
                time.sleep(SECONDS)
                acknowledged = [it.acknowledged for it in load.picks]
                site.manage("backup", str(backups))
                sent = [it.sent for it in load.picks]
                time.sleep(SECONDS)
        output = elsewhere.manage("restore", str(backups))
        yield Restored(elsewhere, second, output, load, acknowledged, sent, pictures)


def test_agendas_are_whole_until_the_backup(restored: Restored) -> None:
    events, picks = restored.load.events, restored.load.picks

    found = restored.site.shell(BOOKMARKED.replace("TOKENS", repr([it.token for it in picks]))).splitlines()

    assert restored.load.errors == []
    # There was load before the backup and after it.
    assert min(restored.acknowledged) > 2
    assert min(it.acknowledged - sent for it, sent in zip(picks, restored.sent, strict=True)) > 2
    # Each is as it was at one moment of the backup: what was bookmarked until then, and nothing after.
    counts = [len(line.split()) - 1 for line in found]
    assert [sorted(events[: count + 1]) for count in counts] == [line.split() for line in found]
    bounds = zip(restored.acknowledged, counts, restored.sent, strict=True)
    assert [least <= count <= most for least, count, most in bounds] == [True] * VISITORS
    assert f"agendas: {VISITORS}, photos: {len(restored.photos)}." in restored.output
    assert is_sound(restored.database)


def test_feeds_go_on_above_all_they_have_told(restored: Restored) -> None:
    feeds, told, after = [it.feed for it in restored.load.picks], restored.load.told, Told()
    sequences = {uid: max(it.sequences[uid] for it in told) for it in told for uid in list(it.sequences)}

    with restored.site.serving():
        photos = {photo: Visitor().ask(restored.site.port, photo).body for photo in restored.photos}
        first = [after.fetch(restored.site.port, feed) for feed in feeds]
        restored.site.shell(ONE_CHANGE)
        changed = [after.fetch(restored.site.port, feed) for feed in feeds]

    assert photos == restored.photos
    assert len(sequences) > 10
    assert [uid for entries in first for uid, number in entries.items() if number <= sequences.get(uid, -1)] == []
    (uid,) = {uid for old, new in zip(first, changed, strict=True) for uid in new if new[uid] != old[uid]}
    assert [new[uid] > old[uid] for old, new in zip(first, changed, strict=True)] == [True] * VISITORS
    assert len(after.etags) == 2 * VISITORS
    assert after.etags & set().union(*(it.etags for it in told)) == set()


def is_sound(url: str) -> bool:
    """PostgreSQL checks all constraints while it restores."""
    where = urlsplit(url)
    if where.scheme != "sqlite":
        return True
    with contextlib.closing(sqlite3.connect(where.path)) as own:
        checks = [own.execute(f"PRAGMA {name}_check").fetchall() for name in ("integrity", "foreign_key")]
    return checks == [[("ok",)], []]

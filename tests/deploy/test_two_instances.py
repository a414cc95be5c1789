"""Two servers of different start, one PostgreSQL, one Redis and shared folders: they agree at the next request."""

from __future__ import annotations

import io
import re
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from PIL import Image

from tests.admin.uploads.test_programme_upload import SCHEDULE
from tests.deploy.instances import Instance, Reply, Visitor, fresh_database, instance
from tests.deploy.redis_server import RedisServer, redis_server
from tests.staff.signing_in import CODE, LOGIN, PASSWORD, app_code

pytestmark = [pytest.mark.deploy, pytest.mark.alone]
ROWS = """
from django.core.management import call_command
call_command("migrate", verbosity=0)
from tests.factories import forms_url, make_agenda, make_conference, make_event
from tests.staff.signing_in import give_app, make_staff
conference = make_conference(slug="demo")
events = [make_event(conference, title=f"Talk {hour}", start=f"{hour:02}:00", end=f"{hour:02}:30") for hour in range(8, 14)]
for event in events:
    event.revise()
agenda, token = make_agenda(conference, events[0])
make_staff("Ada")
give_app(make_staff("Grace"))
print(conference.pk, token, f"/feeds/{agenda.feed_token}.ics", *(forms_url(event) for event in events))
"""
CHANGE = """
from events.models import Event
event = Event.objects.get(title__startswith="Talk 13")
event.title = "TITLE"
event.save()
event.revise()
"""
SITE = {"SITE_URL": "http://schedule.test", "WORKERS": "1"}
HIDDEN = re.compile(r'<input[^>]* type="hidden"[^>]*>')
VALUE = re.compile(r' (name|value)="([^"]*)"')
ADMIN = "/organise/events/"
EXPORTS = ["/demo/schedule.ics", "/demo/schedule.json", "/demo/schedule.xml", "/demo/schedule.csv"]
LONGEST_WAIT_SECONDS = 1.0
# At a given time, because pages say as of which minute they are.
AT = "?at=2025-04-24T07:00"
AGENDA = f"/demo/agenda/{AT}"


@dataclass(frozen=True)
class Pair:
    first: Instance
    second: Instance
    redis: RedisServer
    conference: str
    token: str
    feed: str
    events: list[str]

    @property
    def ports(self) -> list[int]:
        return [self.first.port, self.second.port]


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    folder = tmp_path_factory.mktemp("pair")
    with fresh_database("postgresql") as url, redis_server(folder / "redis") as redis:
        shared = SITE | {"CACHE_URL": redis.url}
        first, second = (instance(folder / name, url, shared=folder / "shared", **shared) for name in ("first", "second"))
        conference, token, feed, *events = first.shell(ROWS).split()
        pair = Pair(first, second, redis, conference, token, feed, events)
        with first.serving():
            assert Visitor().ask(first.port, "/demo/").status == 200
            with second.serving():
                yield pair


def form_data(fields: dict[str, str], name: str, file: tuple[str, bytes]) -> tuple[bytes, dict[str, str]]:
    """A multipart body, and its header."""
    mark = uuid.uuid4().hex
    begin = f"--{mark}\r\nContent-Disposition: form-data; "
    parts = [f'{begin}name="{key}"\r\n\r\n{value}\r\n'.encode() for key, value in fields.items()]
    head = f'{begin}name="{name}"; filename="{file[0]}"\r\n\r\n'.encode()
    body = b"".join([*parts, head, file[1], b"\r\n", f"--{mark}--\r\n".encode()])
    return body, {"Content-Type": f"multipart/form-data; boundary={mark}"}


def hidden_fields(page: Reply) -> dict[str, str]:
    pairs = [dict(VALUE.findall(element)) for element in HIDDEN.findall(page.text)]
    return {it["name"]: it.get("value", "") for it in pairs if "name" in it}


def send_file(organiser: Visitor, port: int, path: str, fields: dict[str, str], name: str, file: tuple[str, bytes]) -> Reply:
    page = organiser.ask(port, path)
    assert page.status == 200, page.text
    return organiser.send("POST", port, path, *form_data(hidden_fields(page) | fields, name, file))


def signed_in(port: int, name: str = "Ada") -> Visitor:
    organiser = Visitor()
    fields = hidden_fields(organiser.ask(port, LOGIN)) | {"login": name, "password": PASSWORD}
    reply = organiser.ask(port, LOGIN, fields)
    if name == "Grace":
        fields = hidden_fields(organiser.ask(port, CODE)) | {"code": app_code()}
        reply = organiser.ask(port, CODE, fields)
    assert reply.status == 302, reply.text
    return organiser


def test_bookmarks_are_on_the_other_at_its_next_request(pair: Pair) -> None:
    visitor = Visitor({"hallway": pair.token})
    for number, event in enumerate(pair.events[1:5]):
        here, there = (pair.ports[(number + side) % 2] for side in (0, 1))
        assert visitor.ask(here, f"{event}bookmark/", {"on": "1"}).status == 302

        # The first shows the message of the bookmark too.
        assert event in visitor.ask(there, AGENDA).text
        agendas = [visitor.ask(port, AGENDA) for port in (there, here)]
        feeds = [visitor.ask(port, pair.feed) for port in (there, here)]

        assert (feeds[0].body, feeds[0].headers["etag"]) == (feeds[1].body, feeds[1].headers["etag"])
        assert feeds[0].text.count("BEGIN:VEVENT") == number + 2
        assert agendas[0].headers["etag"] == agendas[1].headers["etag"]
        known = [
            visitor.ask(here, page, **{"If-None-Match": reply.headers["etag"]}).status
            for page, reply in [(AGENDA, agendas[0]), (pair.feed, feeds[0])]
        ]
        assert known == [304, 304]


def test_change_is_on_both_at_the_next_request(pair: Pair) -> None:
    paths = [f"/demo/{AT}", f"/demo/schedule/2025-04-24/{AT}", *EXPORTS]
    before = {path: [Visitor().ask(port, path) for port in pair.ports] for path in paths}
    pair.first.shell(CHANGE.replace("TITLE", "Talk 13 moved"))

    after = {path: [Visitor().ask(port, path) for port in pair.ports] for path in paths}

    answers = {path: {(it.status, it.body, it.headers["etag"]) for it in replies} for path, replies in after.items()}
    assert {path: len(found) for path, found in answers.items()} == dict.fromkeys(paths, 1)
    assert [path for path in paths[1:] if "Talk 13 moved" not in after[path][0].text] == []
    assert [path for path in paths[1:] if before[path][0].headers["etag"] == after[path][0].headers["etag"]] == []


def test_photo_that_one_stored_is_served_by_the_other(pair: Pair) -> None:
    organiser, picture = signed_in(pair.first.port), io.BytesIO()
    Image.new("RGB", (8, 8), "red").save(picture, "PNG")
    fields = {"conference": pair.conference, "name": "Ada Lovelace", "photo_alt": "Ada, writing."}

    sent = send_file(organiser, pair.first.port, f"{ADMIN}person/add/", fields, "photo", ("ada.png", picture.getvalue()))

    assert sent.status == 302, sent.text
    (photo,) = Path(pair.first.media).rglob("*.webp")
    path = f"/media/{photo.relative_to(pair.first.media)}"
    assert [Visitor().ask(port, path).body for port in pair.ports] == [photo.read_bytes()] * 2


def test_upload_that_one_took_is_previewed_and_imported_by_the_other(pair: Pair) -> None:
    organiser = signed_in(pair.first.port)
    programme = ("schedule.xml", SCHEDULE.encode())

    sent = send_file(organiser, pair.first.port, f"{ADMIN}conference/programme/", {"slug": "small-2025"}, "file", programme)
    preview = organiser.ask(pair.second.port, sent.headers["location"])
    fields = hidden_fields(preview) | {"confirm": "Import it"}
    imported = organiser.ask(pair.second.port, sent.headers["location"], fields)

    assert (sent.status, preview.status, imported.status) == (302, 200, 302)
    assert "Engines that learn" in preview.text
    names = pair.first.shell("from events.models import Conference; print(*Conference.objects.values_list('slug', flat=True))")
    assert sorted(names.split()) == ["demo", "small-2025"]


def asked(pair: Pair, number: int) -> tuple[set[int], float]:
    """The statuses of what visitors ask both for, with a change so that nothing is cached, and the longest wait."""
    pair.first.shell(CHANGE.replace("TITLE", f"Talk 13 {number}"))
    visitor, statuses, longest = Visitor({"hallway": pair.token}), set(), 0.0
    for path in ["/demo/", "/demo/schedule/2025-04-24/", "/demo/agenda/", "/demo/search/?q=talk", pair.feed, *EXPORTS]:
        for port in pair.ports:
            began = time.monotonic()
            statuses.add(visitor.ask(port, path).status)
            longest = max(longest, time.monotonic() - began)
    return statuses, longest


def test_pages_feeds_and_sign_in_go_on_without_redis(pair: Pair) -> None:
    with pair.redis.hanging():
        hanging = asked(pair, 1)
        signed_in(pair.first.port, "Grace")
    pair.redis.stop()
    try:
        stopped = asked(pair, 2)
    finally:
        pair.redis.start()
    after = asked(pair, 3)

    assert [statuses for statuses, _ in (hanging, stopped, after)] == [{200}] * 3
    assert max(longest for _, longest in (hanging, stopped, after)) < LONGEST_WAIT_SECONDS
    assert "Redis does not answer (TimeoutError)" in pair.first.log
    assert [it.log.count("Traceback") for it in (pair.first, pair.second)] == [0, 0]

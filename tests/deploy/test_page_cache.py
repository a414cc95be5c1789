"""nginx with the lines of docs/operations.md keeps pages of visitors without a cookie, and never one with a name on it."""

from __future__ import annotations

import gzip
import http.client
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.deploy.processes import DEPLOY, PROJECT, free_port, hallway, migrated, nginx
from tests.deploy.test_proxies import skip_if_missing
from tests.processes import manage_shell

pytestmark = pytest.mark.deploy
OPERATIONS = (PROJECT / "docs" / "operations.md").read_text().partition("## A cache for pages")[2]
ABOVE, INSIDE = re.findall(r"```nginx\n(.*?)```", OPERATIONS, re.DOTALL)
LAST_LINE = "    proxy_set_header X-Forwarded-For $remote_addr;\n"
HOLDERS, READERS, ROUNDS = 4, 4, 60
PUBLISHED = """
import datetime as dt
from tests.factories import at, forms_url, make_conference, make_event
conference = make_conference(slug="demo")
for hour in range(8, 18):
    event = make_event(conference, title=f"Talk {hour}", start=f"{hour:02}:00", end=f"{hour:02}:30")
    event.revise()
    print(event.get_absolute_url(), forms_url(event))
"""
PRESSED = re.compile(r'formaction="([^"]*/events/[0-9a-f-]{36}/)bookmark/" name="on"[^>]* aria-pressed="true"')
COUNT = re.compile(r'id="agenda-count-rail"[^>]*>(\d*)')
TOKEN = re.compile(r"hallway=([^;]+)")


@dataclass
class Answer:
    status: int
    text: str
    headers: dict[str, str]

    @property
    def cache(self) -> str:
        return self.headers.get("x-cache", "")


@dataclass
class Browser:
    """One connection, which keeps the cookie that it is given."""

    port: int
    cookie: str = "_ga=GA1.1.1"
    mine: list[str] = field(default_factory=list)

    def ask(self, path: str, body: dict[str, str] | None = None, **headers: str) -> Answer:
        headers |= {"Cookie": self.cookie, "Accept-Encoding": "gzip", "Origin": f"http://127.0.0.1:{self.port}"}
        sent = urlencode(body) if body else None
        if sent:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)) as client:
            client.request("POST" if body else "GET", path, sent, headers)
            response = client.getresponse()
            data = response.read()
        if token := TOKEN.search(response.headers.get("Set-Cookie", "")):
            self.cookie += f"; hallway={token[1]}"
        text = gzip.decompress(data) if response.headers.get("Content-Encoding") == "gzip" else data
        return Answer(response.status, text.decode(), {name.lower(): value for name, value in response.headers.items()})

    def bookmark(self, event: str) -> None:
        answer = self.ask(f"{event}bookmark/", {"on": "1", "next": DAY})
        assert answer.status == 302
        self.mine.append(event)


@dataclass
class Site:
    port: int
    event_pages: list[str]
    # Where the forms of each begin.
    events: list[str]
    # Ends the server behind nginx.
    stop: Callable[[], None]

    @property
    def pages(self) -> list[str]:
        return ["/demo/", DAY, f"{DAY}?view=grid", *self.event_pages]


DAY = "/demo/schedule/2025-04-24/"


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    file = migrated(tmp_path_factory.mktemp("database"))
    return file, manage_shell(PUBLISHED, DATABASE_URL=f"sqlite:///{file}", SECRET_KEY="k" * 50).split()


@pytest.fixture
def site(published: tuple[Path, list[str]], tmp_path: Path) -> Iterator[Site]:
    skip_if_missing("nginx")
    database, events = published
    text = (DEPLOY / "nginx.conf").read_text()
    assert text.count(LAST_LINE) == 1
    text = ABOVE.replace("/var/lib/nginx/hallway-pages", str(tmp_path / "pages")) + text.replace(LAST_LINE, LAST_LINE + INSIDE)
    port, upstream = free_port(), free_port()
    # "hallway" is the server's processes, which a test may end before it does.
    server = hallway(database, tmp_path, upstream, SITE_URL=f"http://127.0.0.1:{port}", BEHIND_PROXY="true")
    server.__enter__()
    stopped = threading.Event()

    def stop() -> None:
        if not stopped.is_set():
            stopped.set()
            server.__exit__(None, None, None)

    try:
        with nginx(tmp_path, text, port, upstream):
            yield Site(port, events[::2], events[1::2], stop)
    finally:
        stop()


def pressed(text: str) -> set[str]:
    return set(PRESSED.findall(text))


def read(site: Site, found: Counter[str], problems: list[str]) -> None:
    """A visitor without a cookie of ours opens one page after the other."""
    browser = Browser(site.port)
    for turn in range(ROUNDS):
        page = site.pages[turn % len(site.pages)]
        answer = browser.ask(page)
        found[answer.cache] += 1
        is_mine = pressed(answer.text) or COUNT.findall(answer.text) != [""] or "hallway" in browser.cookie
        if answer.status != 200 or is_mine:
            problems.append(f"{page}: {answer.status}, somebody's page for nobody")


def hold(site: Site, number: int, problems: list[str]) -> None:
    """A visitor bookmarks one event after the other, different ones than the others."""
    browser = Browser(site.port)
    for turn in range(ROUNDS // 4):
        if turn % 5 == 0:
            browser.bookmark(site.events[(number + turn // 5 * HOLDERS) % len(site.events)])
        answer = browser.ask(DAY)
        if answer.cache or "private" not in answer.headers["cache-control"]:
            problems.append(f"holder {number}: from the cache")
        if (pressed(answer.text), COUNT.findall(answer.text)) != (set(browser.mine), [str(len(browser.mine))]):
            problems.append(f"holder {number}: {pressed(answer.text)} instead of {browser.mine}")


def test_pages_without_a_cookie_are_kept_and_each_holder_sees_their_own(site: Site) -> None:
    found, problems = Counter[str](), list[str]()
    for page in site.pages:
        Browser(site.port).ask(page)

    threads = [threading.Thread(target=read, args=[site, found, problems]) for _ in range(READERS)]
    threads += [threading.Thread(target=hold, args=[site, number, problems]) for number in range(HOLDERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    kept = sum(found[name] for name in ("HIT", "STALE", "UPDATING", "REVALIDATED"))
    assert problems == []
    assert sum(found.values()) == READERS * ROUNDS
    assert kept / sum(found.values()) >= 0.95, found


def test_first_bookmark_is_seen_at_once(site: Site) -> None:
    browser, other = Browser(site.port), Browser(site.port)
    browser.ask(DAY)
    assert browser.ask(DAY).cache == "HIT"

    browser.bookmark(site.events[0])
    mine, theirs = browser.ask(DAY), other.ask(DAY)

    assert (pressed(mine.text), mine.cache) == ({site.events[0]}, "")
    assert (pressed(theirs.text), theirs.cache) == (set(), "HIT")


def test_page_is_shown_while_it_is_fetched_again_and_while_the_site_is_away(site: Site) -> None:
    browser, holder = Browser(site.port), Browser(site.port)
    holder.bookmark(site.events[0])
    part = f"{DAY}?part=schedule"
    before = [browser.ask(page).cache for page in (DAY, part)]
    # The page is no longer fresh.
    time.sleep(16)
    updating = browser.ask(DAY)

    site.stop()
    time.sleep(16)
    away = browser.ask(DAY), browser.ask(part), browser.ask(site.event_pages[0]), holder.ask(DAY)

    assert before == ["MISS", "MISS"]
    assert (updating.status, updating.cache) == (200, "STALE")
    assert [it.status for it in away] == [200, 200, 502, 502]
    assert (away[0].cache, away[1].cache) == ("STALE", "STALE")


def test_pages_of_holders_and_secret_addresses_are_kept_nowhere(site: Site, tmp_path: Path) -> None:
    holder = Browser(site.port)
    holder.bookmark(site.events[0])
    for page in [*site.pages, "/demo/agenda/", "/demo/agenda/calendar/", "/demo/agenda/sharing/"]:
        holder.ask(page)
    Browser(site.port).ask("/demo/agenda/calendar/")
    Browser(site.port).ask("/demo/agenda/")
    Browser(site.port).ask(DAY)

    files = [it.read_bytes() for it in (tmp_path / "pages").rglob("*") if it.is_file()]

    # The agenda page of those who have none is the same for all.
    assert sorted(re.findall(rb"KEY: \S+ \S+ (\S+)", b"".join(files))) == [b"/demo/agenda/", DAY.encode()]
    assert not [file for file in files if b"Bookmarked" in file or b'aria-pressed="true"' in file]

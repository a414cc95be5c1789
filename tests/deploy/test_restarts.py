"""Reloads, restarts and killed processes under load, behind the proxies of deploy/: no acknowledged write is lost."""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import os
import re
import signal
import threading
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest

from tests.benchmarks.opening import database
from tests.deploy.processes import DEPLOY, PROXIES, free_port, nginx, skip
from tests.deploy.test_proxies import skip_if_missing
from tests.trust.served import Site, prepared_site

pytestmark = [pytest.mark.deploy, pytest.mark.alone]
# The first event of a new database has the number 1.
PAGES = ["/demo/", "/demo/events/opening-1/", "/demo/agenda/"]
GOOD = {200, 302}
TOKEN = "token-of-the-figures"
# Between two requests of one visitor, after one without an answer, and after a kill.
PAUSE_SECONDS, FAILED_PAUSE_SECONDS, KILLED_SECONDS = 0.02, 0.2, 2.0
LONGEST_RELOAD_SECONDS, LONGEST_RETURN_SECONDS = 60.0, 60.0


@dataclass
class Visits:
    """What visitors were answered, and which states of each bookmark are right afterwards."""

    # The last one that was acknowledged, and those that were asked for since without an answer.
    right: list[set[bool]]
    # How many writes of each visitor were acknowledged.
    acknowledged: list[int]
    reads: Counter[int] = field(default_factory=Counter)
    writes: Counter[int] = field(default_factory=Counter)

    def failed(self) -> Counter[int]:
        return Counter({status: count for status, count in (self.reads + self.writes).items() if status not in GOOD})

    def lost(self, site: Site) -> list[int]:
        """The visitors whose bookmark is not as it was acknowledged."""
        return [number for number, state in enumerate(states(site)) if state not in self.right[number]]

    def go_on(self) -> bool:
        """Whether each visitor soon has two more acknowledged writes, after which no older one of theirs can be on its way."""
        before, began = list(self.acknowledged), time.monotonic()
        while time.monotonic() - began < LONGEST_RETURN_SECONDS:
            if all(count >= old + 2 for old, count in zip(before, self.acknowledged, strict=True)):
                return True
            time.sleep(0.05)
        return False


def states(site: Site) -> list[bool]:
    found, _ = site.bookmarks()
    return [bool(count) for count in found]


@contextlib.contextmanager
def visitors(site: Site, port: int) -> Iterator[Visits]:
    """One visitor for each agenda, who sets and resets a bookmark and reads pages; a request without an answer is a 0."""
    visits = Visits([{state} for state in states(site)], [0] * len(site.tokens))
    client, over, lock = dataclasses.replace(site, port=port), threading.Event(), threading.Lock()

    def ask(request: Callable[[], int], answers: Counter[int]) -> bool:
        status = 0
        with contextlib.suppress(OSError):
            status = request()
        with lock:
            answers[status] += 1
        return status in GOOD

    def visit(number: int, token: str) -> None:
        is_answered = True
        for path, on in zip(itertools.cycle(PAGES), itertools.cycle([False, True])):
            if over.wait(PAUSE_SECONDS if is_answered else FAILED_PAUSE_SECONDS):
                return
            visits.right[number].add(on)
            if is_answered := ask(partial(client.bookmark, token, on=on), visits.writes):
                visits.right[number] = {on}
                visits.acknowledged[number] += 1
            ask(partial(client.status, path, token=token), visits.reads)

    with ThreadPoolExecutor(len(site.tokens)) as pool:
        running = [pool.submit(visit, number, token) for number, token in enumerate(site.tokens)]
        try:
            assert visits.go_on()
            yield visits
            assert visits.go_on(), f"somebody is not served any more: {visits}"
        finally:
            over.set()
        for it in running:
            it.result()


def reload(site: Site) -> None:
    """What ``systemctl reload hallway`` does, until all workers are new."""
    before = set(site.workers())
    os.kill(site.pid, signal.SIGHUP)
    began = time.monotonic()
    while set(site.workers()) & before or len(site.workers()) < len(before):
        assert time.monotonic() - began < LONGEST_RELOAD_SECONDS, "the old workers go on"
        time.sleep(0.1)


@pytest.fixture(scope="module")
def proxy_port() -> int:
    """Of one proxy after the other: forms are taken from this address alone."""
    return free_port()


def behind_proxy(site: Site, proxy_port: int) -> Site:
    site.environment |= {"BEHIND_PROXY": "true", "SITE_URL": f"http://127.0.0.1:{proxy_port}", "METRICS_TOKEN": TOKEN}
    return site


def counted(site: Site) -> int:
    """How many requests of visitors the server has counted in all its processes (docs/monitoring.md)."""
    with urllib.request.urlopen(f"http://127.0.0.1:{site.port}/metrics/{TOKEN}/", timeout=60) as response:
        lines = re.findall(r"^hallway_requests_total\{(.*)\} (\S+)$", response.read().decode(), re.MULTILINE)
    return sum(int(float(number)) for labels, number in lines if "events:metrics" not in labels)


@pytest.fixture(scope="module")
def site(proxy_port: int, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    site = behind_proxy(prepared_site(tmp_path_factory.mktemp("site")), proxy_port)
    site.start()
    yield site
    site.stop()


@pytest.fixture(params=PROXIES)
def proxy(request: pytest.FixtureRequest, site: Site, proxy_port: int, tmp_path: Path) -> Iterator[str]:
    name: str = request.param
    skip_if_missing(name)
    start, file = PROXIES[name]
    with start(tmp_path, (DEPLOY / file).read_text(), proxy_port, site.port):
        yield name


@pytest.mark.parametrize("proxy", ["nginx"], indirect=True)
def test_reload_loses_no_write_and_next_to_no_request(site: Site, proxy: str, proxy_port: int) -> None:
    before = counted(site)

    with visitors(site, proxy_port) as visits:
        reload(site)

    assert visits.lost(site) == []
    # A connection that arrives in the moment in which a worker ends may be closed (docs/trust.md, F4); usually there is none.
    assert visits.failed().total() <= 2
    good = visits.reads[200] + visits.writes[302]
    assert good <= counted(site) - before <= good + visits.failed().total()


def test_restart_behind_the_proxy_loses_no_acknowledged_write(site: Site, proxy: str, proxy_port: int) -> None:
    with visitors(site, proxy_port) as visits:
        site.stop()
        site.start()

    assert visits.lost(site) == []
    if proxy == "caddy":
        # It waits for the server; only what the old one had received may get no answer from it.
        assert set(visits.reads) == {200}
        assert visits.failed().total() <= len(site.tokens)
    assert set(visits.failed()) <= {502}


def test_killed_worker_behind_the_proxy_loses_no_acknowledged_write(site: Site, proxy: str, proxy_port: int) -> None:
    with visitors(site, proxy_port) as visits:
        os.kill(site.workers()[0], signal.SIGKILL)
        time.sleep(KILLED_SECONDS)

    assert visits.lost(site) == []
    # Each visitor had one request at a time, and the other worker goes on.
    assert visits.failed().total() <= len(site.tokens)


@pytest.fixture
def two_instances(proxy_port: int, tmp_path: Path) -> Iterator[tuple[Site, Site]]:
    """Two servers on one database, and nginx before both."""
    skip_if_missing("nginx")
    with database("postgresql") as url:
        if url is None:
            skip("PostgreSQL is missing: apt install postgresql, and see .ci/postgres_url.py")
        first = behind_proxy(prepared_site(tmp_path, str(url)), proxy_port)
        (tmp_path / "second").mkdir()
        second = dataclasses.replace(first, folder=tmp_path / "second", port=free_port())
        second.environment = first.environment | {"PORT": str(second.port)}
        line, text = "    server 127.0.0.1:8000 max_fails=0;\n", (DEPLOY / "nginx.conf").read_text()
        assert line in text
        text = text.replace(line, line + line.replace("8000", str(second.port)))
        try:
            first.start()
            second.start()
            with nginx(tmp_path, text, proxy_port, first.port):
                yield first, second
        finally:
            first.stop()
            second.stop()


def test_one_of_two_instances_is_killed_and_nobody_loses_a_write(two_instances: tuple[Site, Site], proxy_port: int) -> None:
    first, second = two_instances
    with visitors(first, proxy_port) as visits:
        first.stop(signal.SIGKILL)
        time.sleep(KILLED_SECONDS)

    assert visits.lost(second) == []
    # nginx asks the other one, but for forms that the killed one had received.
    assert set(visits.reads) == {200}
    assert visits.failed().total() <= len(second.tokens)

"""How fast the pages are on a phone: Chromium with a slowed processor and network (`make bench-phone`; prints Markdown)."""

from __future__ import annotations

import argparse
import contextlib
import datetime as dt
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, sync_playwright

from tests.benchmarks.servers import HALLWAY, LIMITS, PROJECT, Server, manage, serving

# What Chromium and this machine take for any page at all.
EMPTY_PAGE = (
    '<!doctype html><html lang="en"><head><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">'
    "<title>Empty</title></head><body><h1>An empty page with one line of text</h1></body></html>"
)
VIEWPORT = {"width": 390, "height": 844}
SLOWER_PROCESSOR = 4
# Slow 4G: milliseconds for each request, bytes a second down and up.
SLOW_4G = {"offline": False, "latency": 150, "downloadThroughput": 1_600_000 / 8, "uploadThroughput": 750_000 / 8}
NETWORKS: dict[str, dict[str, Any] | None] = {"processor": None, "slow 4G": SLOW_4G}
AIMS = {
    "processor ÷4, cold LCP ms": 500,
    "slow 4G, cold LCP ms": 800,
    "slow 4G, warm LCP ms": 450,
    "cold kB": 100,
    "CLS": 0,
    "elements": 1264,
}
# Nothing may move until then; a page is complete long before.
SETTLE_MS = 700
OBSERVE = """
window.measured = {lcp: 0, cls: 0, blocked: 0};
new PerformanceObserver((list) => list.getEntries().forEach((entry) => { measured.lcp = entry.startTime; }))
  .observe({type: "largest-contentful-paint", buffered: true});
new PerformanceObserver((list) => list.getEntries().forEach((entry) => {
  if (!entry.hadRecentInput) measured.cls += entry.value;
})).observe({type: "layout-shift", buffered: true});
new PerformanceObserver((list) => list.getEntries().forEach((entry) => { measured.blocked += Math.max(0, entry.duration - 50); }))
  .observe({type: "longtask", buffered: true});
"""
READ = """() => ({
  ...measured,
  fcp: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
  nodes: document.querySelectorAll("*").length,
  blocking: performance.getEntriesByType("resource").filter((entry) => entry.renderBlockingStatus === "blocking").length,
})"""


@dataclass(frozen=True)
class PhonePage:
    """One line of the table; ``token`` is that of the visitor whose agenda it shows."""

    name: str
    path: str
    token: str = ""


@dataclass(frozen=True)
class Load:
    """One load of a page: milliseconds, bytes on the wire with headers, requests, styles that block, elements."""

    fcp: float
    lcp: float
    cls: float
    blocked: float
    bytes: int
    requests: int
    blocking: int
    nodes: int


@dataclass
class Loads:
    """All loads of one page over one network, first visits and second ones."""

    cold: list[Load] = field(default_factory=list)
    warm: list[Load] = field(default_factory=list)

    def middle(self, name: str, *, warm: bool = False) -> float:
        return float(median(getattr(load, name) for load in (self.warm if warm else self.cold)))

    def range(self, name: str) -> str:
        values = [getattr(load, name) for load in self.cold]
        return f"{min(values):.0f}–{max(values):.0f}"

    @property
    def largest_shift(self) -> float:
        return max(load.cls for load in [*self.cold, *self.warm])


Results = dict[str, Loads]
"""By the names of ``NETWORKS``."""


COLUMNS = ["page", "CPU ÷4, cold FCP / LCP ms (range of LCP)", "warm LCP", "slow 4G, cold FCP / LCP (range of LCP)", "warm LCP"]
COLUMNS += ["TBT / on slow 4G", "CLS, largest", "kB cold / warm", "requests", "blocking styles", "elements"]
HEAD = f"| {' | '.join(COLUMNS)} |\n{'|---' * len(COLUMNS)}|"


def row(name: str, results: Results) -> str:
    cpu, slow = results["processor"], results["slow 4G"]
    return (
        f"| {name} | {cpu.middle('fcp'):.0f} / {cpu.middle('lcp'):.0f} ({cpu.range('lcp')}) | {cpu.middle('lcp', warm=True):.0f} "
        f"| {slow.middle('fcp'):.0f} / {slow.middle('lcp'):.0f} ({slow.range('lcp')}) | {slow.middle('lcp', warm=True):.0f} "
        f"| {cpu.middle('blocked'):.0f} / {slow.middle('blocked'):.0f} "
        f"| {max(cpu.largest_shift, slow.largest_shift):.3f} "
        f"| {slow.middle('bytes') / 1000:.0f} / {slow.middle('bytes', warm=True) / 1000:.1f} | {slow.middle('requests'):.0f} "
        f"| {slow.middle('blocking'):.0f} | {slow.middle('nodes'):,.0f} |"
    )


def missed(results: Results) -> list[str]:
    """The aims that a page misses, with what it has instead."""
    cpu, slow = results["processor"], results["slow 4G"]
    # Movements below what a hundredth shows are not seen.
    shift = round(max(cpu.largest_shift, slow.largest_shift), 2)
    found = dict(
        zip(
            AIMS,
            [
                cpu.middle("lcp"),
                slow.middle("lcp"),
                slow.middle("lcp", warm=True),
                slow.middle("bytes") / 1000,
                shift,
                slow.middle("nodes"),
            ],
            strict=True,
        )
    )
    return [f"{aim} {found[aim]:.4g}" for aim, most in AIMS.items() if found[aim] > most]


class Phone:
    """A new browser profile of a phone, as of somebody's first visit."""

    def __init__(self, browser: Browser, origin: str, network: dict[str, Any] | None, token: str) -> None:
        self.origin = origin
        self.context: BrowserContext = browser.new_context(
            viewport=VIEWPORT,
            device_scale_factor=2,
            is_mobile=True,
            has_touch=True,  # type: ignore[arg-type]
        )
        if token:
            self.context.add_cookies([{"name": "hallway", "value": token, "url": origin}])
        self.page: Page = self.context.new_page()
        self.page.add_init_script(OBSERVE)
        self.session: CDPSession = self.context.new_cdp_session(self.page)
        self.bytes = self.requests = 0
        self.session.send("Network.enable")
        self.session.on("Network.loadingFinished", self._finished)
        self.session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER_PROCESSOR})
        if network:
            self.session.send("Network.emulateNetworkConditions", network)

    def _finished(self, event: dict[str, Any]) -> None:
        self.bytes += int(event["encodedDataLength"])
        self.requests += 1

    def load(self, path: str) -> Load:
        self.bytes = self.requests = 0
        self.page.goto(f"{self.origin}{path}", wait_until="load", timeout=60_000)
        self.page.wait_for_timeout(SETTLE_MS)
        found = self.page.evaluate(READ)
        return Load(bytes=self.bytes, requests=self.requests, **found)

    def visits(self, path: str, loads: Loads) -> None:
        """The first visit of a page and the second."""
        loads.cold.append(self.load(path))
        self.page.goto("about:blank")
        loads.warm.append(self.load(path))


def measure(browser: Browser, origins: Sequence[str], page: PhonePage, runs: int) -> list[Results]:
    """The loads of one page from each server in turns, so that what else the machine does reaches all of them."""
    results: list[Results] = [{name: Loads() for name in NETWORKS} for _ in origins]
    for name, network in NETWORKS.items():
        for _ in range(runs):
            for origin, found in zip(origins, results, strict=True):
                phone = Phone(browser, origin, network, page.token)
                with contextlib.closing(phone.context):
                    phone.visits(page.path, found[name])
    return results


def phone_pages(big: dict[str, str], iclr: dict[str, str]) -> list[PhonePage]:
    """The page types of the table."""
    return [
        PhonePage("scale overview", big["overview"]),
        PhonePage("scale busiest day", big["day"]),
        PhonePage("scale day, 20 bookmarks", big["day"], big["token"]),
        PhonePage("scale talk", big["event"]),
        PhonePage("scale poster session", big["session"]),
        PhonePage("scale agenda, 20 bookmarks", big["agenda"], big["token"]),
        PhonePage("scale papers", big["papers"]),
        PhonePage("scale search", big["search"]),
        PhonePage("ICLR overview", iclr["overview"]),
        PhonePage("ICLR busiest day", iclr["day"]),
        PhonePage("ICLR keynote", iclr["event"]),
        PhonePage("ICLR agenda, 19 bookmarks", iclr["agenda"], iclr["token"]),
        PhonePage("ICLR venue", iclr["venue"]),
        PhonePage("ICLR directions", iclr["directions"]),
    ]


def loaded(events: int | None) -> list[PhonePage]:
    """Both programmes in DATABASE_URL, and the pages to measure."""
    manage("migrate", "--verbosity", "0")
    manage("seed", "--verbosity", "0")
    manage("seed_scale", *(["--events", str(events)] if events else []))
    script = "from tests.benchmarks.phone_addresses import main; main()"
    return phone_pages(*json.loads(manage("shell", "--no-imports", "-c", script).output.splitlines()[-1]))


def write(line: str = "") -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


@contextlib.contextmanager
def servers(projects: Sequence[Path]) -> Iterator[list[Server]]:
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(serving(HALLWAY, project=project)) for project in projects]


@contextlib.contextmanager
def empty_page_server(folder: Path) -> Iterator[Server]:
    """A server without a framework that answers / with ``EMPTY_PAGE``."""
    (folder / "empty.html").write_text(EMPTY_PAGE)
    (folder / "answers.json").write_text(json.dumps({"/": ("200 OK", "empty.html")}))
    with serving(LIMITS, {"BENCH_ANSWERS": str(folder)}) as server:
        yield server


def conditions(runs: int, version: str) -> None:
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=PROJECT, check=False, capture_output=True, text=True)
    write(f"{dt.date.today():%d %B %Y}, {commit.stdout.strip()}: {os.cpu_count()} cores for the server and Chromium {version} "  # noqa: DTZ011
          f"together, load average {os.getloadavg()[0]:.1f} before, Python {platform.python_version()}, SQLite; "
          f"medians of {runs}, {VIEWPORT['width']}×{VIEWPORT['height']}, slow 4G is 150 ms and 1.6/0.75 Mbit/s.\n")  # fmt: skip


def table(
    browser: Browser, found: Sequence[Server], empty: Server, pages: Sequence[PhonePage], runs: int, names: Sequence[str]
) -> None:
    origins = [f"http://127.0.0.1:{server.port}" for server in found]
    for server in found:
        # Each worker makes each page once before it is measured.
        for page in [*pages] * 6:
            server.fetch(page.path, {"Cookie": f"hallway={page.token}"} if page.token else {}).read()
    write(HEAD)
    [least] = measure(browser, [f"http://127.0.0.1:{empty.port}"], PhonePage("an empty page", "/"), runs)
    write(row("an empty page", least))
    failures: list[str] = []
    for page in pages:
        for name, results in zip(names, measure(browser, origins, page, runs), strict=True):
            write(row(f"{page.name}{name}", results))
            failures += [f"{page.name}{name}: {aim}" for aim in missed(results)]
    aims = ", ".join(f"{aim} {most}" for aim, most in AIMS.items())
    write(f"\nAims, at most: {aims}. " + ("All are met." if not failures else f"Missed: {'; '.join(failures)}."))


def parsed(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.phone", description=__doc__)
    parser.add_argument("--runs", type=int, default=5, help="loads of each page over each network, cold and warm")
    parser.add_argument("--pages", default="", help="only pages whose name contains this")
    parser.add_argument("--events", type=int, help="a smaller programme (default: as large as ICLR 2025)")
    parser.add_argument("--before", type=Path, help="another checkout, with .venv and collected files, to measure in turns")
    given = parser.parse_args(arguments)
    if given.runs < 1:
        parser.error("--runs is at least 1")
    if given.before and not (given.before / "deploy/serve").exists():
        parser.error(f"{given.before} is no checkout of Hallway: it has no deploy/serve")
    return given


def main(arguments: Sequence[str]) -> None:
    given = parsed(arguments)
    chromium = shutil.which(os.environ.get("CHROMIUM") or "chromium")
    if chromium is None:
        raise SystemExit("make bench-phone needs Chromium: apt install chromium, or name one: CHROMIUM=/path/to/chromium")
    projects, names = ([given.before, PROJECT], [", before", ", now"]) if given.before else ([PROJECT], [""])
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        os.environ["DATABASE_URL"] = f"sqlite:///{folder}/hallway.sqlite3"
        pages = [page for page in loaded(given.events) if given.pages in page.name]
        if not pages:
            raise SystemExit(f"No page's name contains “{given.pages}”.")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        conditions(given.runs, browser.version)
        with servers(projects) as found, empty_page_server(Path(folder)) as empty:
            table(browser, found, empty, pages, given.runs, names)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])

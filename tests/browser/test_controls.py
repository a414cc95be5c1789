"""Every control that htmx answers, on every page: found on the pages, tapped, and looked at for what a broken swap leaves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.urls import reverse
from playwright.sync_api import Browser, Page
from pytest_django.live_server_helper import LiveServer

from events.agenda.visitor import VISITOR_COOKIE
from events.models import Event, PrivateEntry, Topic
from tests.browser.looks import DESK, PHONE
from tests.browser.pages import AT, page_addresses
from tests.browser.watching import Watch
from tests.factories import at, make_agenda, make_event, make_paper, make_type
from tests.security.world import FRIDAY, World

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

MAX_GROWTH = 1.5
"""How much taller a tap may make a page: with a message, or the answer to a question."""
MIN_GROWTH = 1000  # pixels
MAX_DEPTH = 2
"""Taps in a row: a chosen filter brings controls that were not there before, such as the link that clears it."""
WAIT = 5_000  # milliseconds
PARTS = 4
"""One test of a few minutes would keep a single process busy at the end of a run."""
WITH_CONTROLS = {"schedule-day", "schedule-day-grid", "agenda-detail", "search"}
SHARED = ("frame", "polled")
"""What the frame has, and what asks by itself and changes only itself, is tried on one page, since most pages have it."""

# Counts the requests of htmx, and what the policy stopped.
LISTEN = """
  window.asked = { begun: 0, open: 0, violations: [] };
  document.addEventListener("htmx:beforeRequest", () => { asked.begun += 1; asked.open += 1; });
  document.addEventListener("htmx:afterRequest", () => { asked.open -= 1; });
  document.addEventListener("securitypolicyviolation", (event) => asked.violations.push(event.violatedDirective));
"""
# Controls that differ only in the event, the number or the filter that they name are of one kind.
FIND = """() => {
  const controls = {};
  const plain = (words) => (words ?? "").replace(/[0-9a-f]{8}-[0-9a-f-]{27}|\\d+/g, "*").replace(/\\?.*/, "?");
  const timed = (element) => /every/.test(element.getAttribute("hx-trigger") ?? "");
  const found = document.querySelectorAll("[hx-get], [hx-post], [hx-trigger], [hx-boost] a[href], [hx-boost] form");
  document.querySelectorAll("main details").forEach((it) => { it.open = true; });
  found.forEach((element) => {
    const of = (name) => element.getAttribute(name) ?? "";
    const place = element.closest("[hx-boost], [class]")?.className ?? "";
    const polled = timed(element) && element.closest("[hx-target]") === null;
    const shared = polled ? "polled" : element.closest("main") ? "page" : "frame";
    const kind = [
      shared, element.tagName, plain(of("hx-get")), plain(of("hx-post")), of("hx-trigger"), of("name"), of("class"),
      plain(of("id")).split("-")[0], of("aria-pressed"), of("aria-current"), place,
      element.closest("[hx-target]")?.getAttribute("hx-target"),
    ].join(" ").trim();
    if (!(kind in controls) || (!controls[kind].checkVisibility() && element.checkVisibility())) controls[kind] = element;
  });
  window.controls = controls;
  return Object.entries(controls).map(([kind, element]) => [kind, timed(element) ? "timed" : element.tagName]);
}"""
# By the element's own click: menus are all open, and cover each other.
PRESS = """kind => {
  const control = controls[kind];
  const field = control.querySelector("input[type=search], input[type=text], input:not([type]), textarea");
  if (field) {
    field.value = "open";
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  if (!control.matches("form")) control.click();
  else if (!/input/.test(control.getAttribute("hx-trigger") ?? "")) control.querySelector("button").click();
}"""
LOOK = """() => {
  const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
  return {
    mains: document.querySelectorAll("main").length,
    titles: document.querySelectorAll("h1").length,
    doubled: ids.filter((id, place) => ids.indexOf(id) !== place),
    violations: asked.violations,
    overflow: Math.max(0, document.documentElement.scrollWidth - innerWidth),
    height: document.documentElement.scrollHeight,
  };
}"""
CALM = "() => asked.begun && !asked.open && !document.querySelector('.htmx-request, .htmx-swapping, .htmx-settling')"


class Visit:
    """One visitor with an agenda for each tap, so that no tap takes away what the next one needs."""

    def __init__(self, world: World, page: Page, watch: Watch, posters: Event) -> None:
        self.world, self.page, self.watch = world, page, watch
        self.session, self.posters = posters, posters.children.all()

    def begin(self) -> None:
        world = self.world
        with time_machine.travel(at("08:00"), tick=True):
            mine = (world.keynote, world.talk, world.lunch, world.social, world.party, *self.posters)
            agenda, token = make_agenda(world.conference, *mine)
            self.entry = PrivateEntry.add(agenda, title="Breakfast", start=at("07:00", FRIDAY), end=at("07:30", FRIDAY))
            world.sign_up.join(agenda, "Ada L.")
        self.page.context.add_cookies([{"name": VISITOR_COOKIE, "value": token, "url": self.watch.origin}])

    def open(self, address: str) -> dict[str, str]:
        self.begin()
        self.page.set_viewport_size({"width": PHONE, "height": 844})
        self.page.goto(address.replace(str(self.world.entry.guid), str(self.entry.guid)))
        return self.controls()

    def controls(self) -> dict[str, str]:
        return dict(self.page.evaluate(FIND))

    def tap(self, kind: str, how: str) -> None:
        self.page.evaluate("asked.begun = 0")
        if how == "timed":
            self.page.clock.fast_forward(61_000)
        else:
            self._reach(kind)
        self.page.wait_for_function(CALM, timeout=WAIT)

    def _reach(self, kind: str) -> None:
        if not self.page.evaluate("kind => controls[kind].checkVisibility()", kind):
            self.page.set_viewport_size({"width": DESK, "height": 900})
        self.page.evaluate(PRESS, kind)

    def faults(self, before: dict[str, Any]) -> dict[str, Any]:
        found = self.page.evaluate(LOOK)
        wanted = {"mains": 1, "titles": before["titles"], "doubled": [], "violations": [], "overflow": 0}
        wrong = {name: found[name] for name, value in wanted.items() if found[name] != value}
        if found["height"] > max(before["height"] * MAX_GROWTH, before["height"] + MIN_GROWTH):
            wrong["height"] = (before["height"], found["height"])
        if self.watch.complaints:
            wrong["console"] = list(self.watch.complaints)
            self.watch.complaints.clear()
        return wrong


@pytest.fixture
def visit(browser: Browser, live_server: LiveServer, world: World) -> Iterator[Visit]:
    with time_machine.travel(at("09:35"), tick=True):
        world.talk.refresh_from_db()
        world.talk.end = at("10:05")
        world.talk.revise(reason="A longer talk")
        posters = add_posters(world)
        context = browser.new_context(base_url=live_server.url, has_touch=True, viewport={"width": PHONE, "height": 844})
        context.add_init_script(LISTEN)
        page = context.new_page()
        page.clock.install()
        yield Visit(world, page, Watch(page, live_server.url), posters)
        context.close()


def add_posters(world: World) -> Event:
    """A poster session with enough papers, topics and kinds for each filter of each list."""
    conference = world.conference
    session = make_event(conference, title="Posters", start="09:30", end="11:00", room=world.hall_room)
    for board in ("1", "2"):
        topic = Topic.objects.create(conference=conference, area="Optimisation", subarea=f"Area {board}", slug=f"area-{board}")
        paper = make_paper(conference, title=f"Paper on board {board}", topic=topic)
        make_event(conference, kind="poster", title=paper.title, session=session, paper=paper, board=board, topic=topic)
    make_event(conference, kind="social", type=make_type(conference, "social", name="Affinity event"), start="19:00", end="20:00")
    return session


def addresses(world: World, posters: Event) -> dict[str, str]:
    """Of a running conference: as now is, not at a moment that is pinned."""
    running = {name: path.replace(f"{AT}&", "?").replace(AT, "") for name, path in page_addresses(world.conference).items()}
    # Its answer is an error, which the console shows.
    del running["nothing-there"]
    running["search-results"] = f"{running['search']}?q=open"
    running["event-round"] = reverse("events:event-round", args=[world.conference.slug, posters.guid])
    running["event-posters"] = posters.get_absolute_url()
    running["event-session"] = world.session.get_absolute_url()
    running["event-social"] = world.party.get_absolute_url()
    return running


def explore(visit: Visit, address: str, path: tuple[str, ...], known: set[str]) -> dict[tuple[str, ...], dict[str, Any]]:
    """Tap each kind of control that is not known yet, and what such a tap brings."""
    faults: dict[tuple[str, ...], dict[str, Any]] = {}
    controls, is_fresh = _controls_after(visit, address, path), True
    for kind in sorted(controls.keys() - known):
        known.add(kind)
        if not is_fresh:
            _controls_after(visit, address, path)
        is_fresh = False
        before = visit.page.evaluate(LOOK)
        visit.tap(kind, controls[kind])
        if wrong := visit.faults(before):
            faults[(*path, kind)] = wrong
        elif len(path) + 1 < MAX_DEPTH and visit.controls().keys() - known:
            faults |= explore(visit, address, (*path, kind), known)
    return faults


def _controls_after(visit: Visit, address: str, path: tuple[str, ...]) -> dict[str, str]:
    controls = visit.open(address)
    for kind in path:
        visit.tap(kind, controls[kind])
        controls = visit.controls()
    return controls


@pytest.mark.parametrize("part", range(PARTS))
def test_every_control_swaps_its_part_of_the_page_and_nothing_else(visit: Visit, world: World, part: int) -> None:
    tapped: dict[str, set[str]] = {}
    faults = {}
    shared: set[str] = set()

    for name, address in list(addresses(world, visit.session).items())[part::PARTS]:
        known = set(shared)
        if wrong := explore(visit, address, (), known):
            faults[name] = wrong
        shared |= {kind for kind in known if kind.startswith(SHARED)}
        tapped[name] = known - shared

    assert faults == {}
    assert {kind.split()[0] for kind in shared} == set(SHARED)
    assert [name for name in WITH_CONTROLS & tapped.keys() if not tapped[name]] == []


def test_pages_with_controls_are_tried(world: World) -> None:
    assert addresses(world, add_posters(world)).keys() >= WITH_CONTROLS

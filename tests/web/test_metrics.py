"""Figures for Prometheus: what they count, that nothing of a visitor is in them, and that they have a secret address."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator

import pytest
import yaml
from django.db import OperationalError
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import DjangoAssertNumQueries, Settings

from events.core.byte_cache import PROCESS_CACHE
from events.imports.models import ImportOutcome, ImportRun
from events.mail.models import Letter
from events.pages.views import metrics as metrics_view
from tests.factories import forms_url, make_agenda, make_conference, make_event
from tests.processes import PROJECT
from tests.visitors import browser

pytestmark = pytest.mark.django_db
TOKEN = "t0ken-of-the-figures"
ADDRESS = f"/metrics/{TOKEN}/"
Figures = dict[tuple[str, ...], float]


@pytest.fixture(autouse=True)
def _counting(settings: Settings) -> Iterator[None]:
    PROCESS_CACHE.max_bytes = 2**24
    settings.METRICS_TOKEN = TOKEN
    settings.MIDDLEWARE = ["events.web.metrics.count_requests", *settings.MIDDLEWARE]
    yield
    PROCESS_CACHE.clear()


def figures() -> Figures:
    """Each figure by its name and the values of its labels, in the order of their names."""
    text = Client().get(ADDRESS).text
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    return {(sample.name, *sample.labels.values()): sample.value for sample in samples}


def new_figures(before: Figures, prefix: str) -> Figures:
    """What was counted since, without the times and without the requests for the figures."""
    after = figures()
    grown = {name: value - before.get(name, 0) for name, value in after.items() if name[0].startswith(prefix)}
    return {name[1:]: value for name, value in grown.items() if value and "events:metrics" not in name}


def test_requests_are_counted_by_view_and_status() -> None:
    event = make_event(make_conference(slug="demo"))
    agenda, token = make_agenda(event.conference, event)
    before = figures()

    Client().get("/demo/")
    Client().get("/demo/")
    Client().get("/demo/never-was/")
    Client().get("/static/never-was.css")
    visitor = browser(token=token)
    visitor.post(f"{forms_url(event)}bookmark/", {"on": "1"}, headers={"Origin": "http://testserver"})
    feed = visitor.get(f"/feeds/{agenda.feed_token}.ics")
    visitor.get(f"/feeds/{agenda.feed_token}.ics", headers={"If-None-Match": feed["ETag"]})

    assert new_figures(before, "hallway_requests_total") == {
        ("200", "events:conference-detail"): 2,
        ("404", "none"): 1,
        ("404", "static"): 1,
        ("302", "events:bookmark-set"): 1,
        ("200", "events:feed"): 1,
        ("304", "events:feed"): 1,
    }
    assert new_figures(before, "hallway_request_seconds_count") == {
        ("events:conference-detail",): 2,
        ("none",): 1,
        ("static",): 1,
        ("events:bookmark-set",): 1,
        ("events:feed",): 2,
    }


def test_cached_pages_are_hits() -> None:
    make_conference(slug="demo")
    before = figures()

    for path in ["/demo/", "/demo/", "/demo/about/", "/demo/", "/demo/agenda/devices/"]:
        Client().get(path)

    assert new_figures(before, "hallway_pages_total") == {("miss",): 2, ("hit",): 2}


def test_labels_have_nothing_of_a_visitor() -> None:
    event = make_event(make_conference(slug="canary-conference"), title="Canary talk")
    _, token = make_agenda(event.conference, event)
    visitor = browser(token=token)
    paths = [
        "/canary-conference/?q=canary",
        f"{event.get_absolute_url()}?canary=1",
        "/canary/",
        "/feeds/canary.ics",
        "/static/canary",
    ]
    for path in [*paths, f"/metrics/{TOKEN}canary/", "/canary-conference/shared/canary/", "/organise/canary/"]:
        visitor.get(path, headers={"User-Agent": "canary", "Referer": "http://canary/", "X-Canary": "canary"})
    visitor.generic("CANARY", "/canary-conference/")

    text = Client().get(ADDRESS).text

    found = [word for word in ("canary", token, TOKEN, str(event.guid), "127.0.0.1") if word.lower() in text.lower()]
    assert found == []


def test_mail_and_imports_are_read_from_the_database() -> None:
    now = timezone.now()
    for minutes in (10, 3):
        Letter.objects.create(to="a@example.org", subject="s", text="t", created_at=now - dt.timedelta(minutes=minutes))
    for outcome in (ImportOutcome.DONE, ImportOutcome.DONE, ImportOutcome.REFUSED):
        ImportRun.objects.create(slug="demo", file_name="f", digest="d", outcome=outcome)

    found = {name: value for name, value in figures().items() if name[0].startswith(("hallway_mail", "hallway_import"))}

    age = found.pop(("hallway_mail_oldest_seconds",))
    assert 600 <= age < 630
    assert found == {
        ("hallway_mail_letters",): 2,
        ("hallway_import_runs", "done"): 2,
        ("hallway_import_runs", "refused"): 1,
    }


def test_figures_without_mail_and_imports_are_zero(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    figures()

    with django_assert_num_queries(2):
        found = figures()

    names = [("hallway_mail_letters",), ("hallway_mail_oldest_seconds",), ("hallway_import_runs", "done")]
    assert [found[name] for name in names] == [0, 0, 0]


def test_requests_are_shown_while_the_database_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    def away() -> bytes:
        raise OperationalError("away")

    monkeypatch.setattr(metrics_view, "database_metrics", away)

    response = Client().get(ADDRESS)

    assert (response.status_code, "hallway_requests_total" in response.text) == (200, True)
    assert response.text.endswith("# The database does not answer: mail and imports are left out.\n")


def test_figures_are_stored_by_nobody() -> None:
    response = Client().get(ADDRESS)

    headers = ["Content-Type", "Cache-Control", "X-Robots-Tag"]
    assert [response[name] for name in headers] == ["text/plain; version=0.0.4; charset=utf-8", "no-store", "noindex"]


@pytest.mark.parametrize(("configured", "path"), [("", "/metrics//"), ("", ADDRESS), (TOKEN, "/metrics/other-token-of-figures/")])
def test_address_does_not_exist_without_its_token(settings: Settings, configured: str, path: str) -> None:
    settings.METRICS_TOKEN = configured

    assert Client().get(path).status_code == 404


def test_document_names_the_figures_there_are() -> None:
    make_conference(slug="demo")
    Client().get("/demo/")
    text = (PROJECT / "docs/monitoring.md").read_text()

    # A single process also says since when it counts.
    found = text_string_to_metric_families(Client().get(ADDRESS).text)
    families = [family for family in found if not family.name.endswith("_created")]

    existing = {family.name for family in families} | {sample.name for family in families for sample in family.samples}
    named = set(re.findall(r"\bhallway_\w+", text))
    assert named - existing == set()
    # A counter’s family is without its “_total”.
    assert {family.name for family in families} - {name.removesuffix("_total") for name in named} == set()
    [rules] = [
        yaml.safe_load(block)
        for block in re.findall(r"^```yaml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
        if "alert:" in block
    ]
    assert all({"alert", "expr", "annotations"} <= rule.keys() for rule in rules["groups"][0]["rules"])

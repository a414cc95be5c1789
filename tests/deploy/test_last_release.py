"""The last release serves on the database that the next one has migrated, as during an update in turns."""

from __future__ import annotations

import http.cookiejar
import re
import subprocess
import urllib.parse
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from lxml import html

from tests.benchmarks.opening import database
from tests.deploy.processes import DEPLOY, PROJECT, free_port, running, skip
from tests.deploy.releases import MissingHistoryError, last_release, unpack
from tests.processes import manage, manage_shell

pytestmark = pytest.mark.deploy
PROGRAMME = """
from django.contrib.auth.models import User
from django.urls import reverse
from tests.factories import forms_url, make_agenda, make_conference, make_event
conference = make_conference(slug="demo")
talk, other = [make_event(conference, title=title, start="09:00", end="10:00") for title in ("Opening talk", "Closing talk")]
User.objects.create_superuser("grace", password="of-the-last-release")
print(forms_url(talk), forms_url(other), make_agenda(conference, talk)[1],
      reverse("admin:events_session_change", args=[talk.pk]))
"""
FILE = PROJECT / "tests/data/schedule_json/frab.json"


@dataclass
class Browser:
    """One browser for both versions: cookies do not know ports."""

    headers: dict[str, str] = field(default_factory=dict)
    jar: http.cookiejar.CookieJar = field(default_factory=http.cookiejar.CookieJar)

    def get(self, address: str) -> str:
        return self._open(urllib.request.Request(address, headers=self.headers))

    def post(self, address: str, data: dict[str, str]) -> str:
        site = "/".join(address.split("/")[:3])
        headers = {"Origin": site, "Referer": address}
        return self._open(urllib.request.Request(address, urllib.parse.urlencode(data).encode(), headers | self.headers))

    def send(self, address: str, **values: str) -> str:
        """Open a page and send the form in it that has these fields."""
        forms = html.fromstring(self.get(address)).forms
        form = next(form for form in forms if set(values) <= set(form.fields))
        form.fields.update(values)
        return self.post(address, dict(form.form_values()))

    def _open(self, request: urllib.request.Request) -> str:
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))
        with opener.open(request, timeout=60) as response:
            return str(response.read().decode())


@dataclass(frozen=True)
class Upgrade:
    """The addresses of both versions, and rows that the new one made."""

    old: str
    new: str
    folder: Path
    settings: dict[str, str]
    talk: str
    other: str
    token: str
    talk_in_admin: str


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("release")
    try:
        unpack(last_release(), folder)
    except MissingHistoryError as error:
        # A clone without history may be all that there is, with STRICT too.
        pytest.skip(str(error))
    manage("collectstatic", "--noinput", "--verbosity", "0", project=folder, SECRET_KEY="k" * 50, DEBUG="false")
    return folder


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def upgrade(request: pytest.FixtureRequest, release: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Upgrade]:
    folder = tmp_path_factory.mktemp("upgrade")
    with database(request.param) as url:
        if url is None:
            skip("PostgreSQL is missing: apt install postgresql, and see .ci/postgres_url.py")
        settings = {"DATABASE_URL": str(url), "SECRET_KEY": "k" * 50}
        manage("migrate", "--verbosity", "0", **settings)
        rows = manage_shell(PROGRAMME, **settings).split()
        old, new = free_port(), free_port()
        served = settings | {"WORKERS": "1", "SITE_URL": f"http://127.0.0.1:{old}"}
        with (
            running([str(release / "deploy/serve")], old, folder / "old.log", served | {"PORT": str(old)}),
            running([str(DEPLOY / "serve")], new, folder / "new.log", served | {"PORT": str(new)}),
        ):
            yield Upgrade(f"http://127.0.0.1:{old}", f"http://127.0.0.1:{new}", release, settings, *rows)


def test_visitor_begins_an_agenda_on_the_last_release(upgrade: Upgrade) -> None:
    visitor = Browser()

    visitor.post(f"{upgrade.old}{upgrade.talk}bookmark/", {"on": "1"})
    visitor.post(f"{upgrade.new}{upgrade.other}bookmark/", {"on": "1"})

    agendas = [visitor.get(f"{site}/demo/agenda/") for site in (upgrade.old, upgrade.new)]
    assert [[title in page for title in ("Opening talk", "Closing talk")] for page in agendas] == [[True, True]] * 2


def test_last_release_is_ready_on_the_new_schema(upgrade: Upgrade) -> None:
    assert [Browser().get(f"{site}/readyz") for site in (upgrade.old, upgrade.new)] == ["ready\n"] * 2


def test_event_page_of_the_last_release_shows_an_event(upgrade: Upgrade) -> None:
    page = Browser().get(f"{upgrade.old}{upgrade.other}")

    assert "<title>Closing talk" in page


def test_both_versions_serve_the_same_calendar(upgrade: Upgrade) -> None:
    visitor = Browser()
    visitor.post(f"{upgrade.old}{upgrade.talk}bookmark/", {"on": "1"})
    [feed] = set(re.findall(r"/feeds/[\w-]+\.ics", visitor.get(f"{upgrade.old}/demo/agenda/calendar/")))

    calendars = [visitor.get(f"{site}{feed}") for site in (upgrade.old, upgrade.new, upgrade.old)]

    assert [calendar.count("BEGIN:VEVENT") for calendar in calendars] == [1] * 3
    assert all("Opening talk" in calendar for calendar in calendars)


def test_agenda_of_the_new_version_is_changed_on_the_last_release(upgrade: Upgrade) -> None:
    visitor = Browser()
    visitor.headers["Cookie"] = f"hallway={upgrade.token}"

    visitor.post(f"{upgrade.old}{upgrade.other}bookmark/", {"on": "1"})

    agenda = visitor.get(f"{upgrade.new}/demo/agenda/")
    assert [title in agenda for title in ("Opening talk", "Closing talk")] == [True, True]


def test_organiser_edits_an_event_on_the_last_release(upgrade: Upgrade) -> None:
    organiser = Browser()
    organiser.send(f"{upgrade.old}/organise/login/", login="grace", password="of-the-last-release")

    edited = organiser.send(f"{upgrade.old}{upgrade.talk_in_admin}", title="Opening talk, in the large hall")

    assert "was changed successfully" in edited
    assert "Opening talk, in the large hall" in organiser.get(f"{upgrade.new}{upgrade.talk}")


def test_last_release_imports_a_programme(upgrade: Upgrade) -> None:
    command = ["import_schedule", str(FILE), "--conference", "imported", "--create", "--timezone", "UTC"]

    written = manage(*command, project=upgrade.folder, **upgrade.settings)

    assert "created 5," in written


def test_last_release_goes_back_to_the_new_schema(upgrade: Upgrade) -> None:
    """As ``make install`` of the older version does, on the way back."""
    manage("migrate", "--verbosity", "0", project=upgrade.folder, **upgrade.settings)

    assert "Opening talk" in Browser().get(f"{upgrade.new}{upgrade.talk}")
    assert Browser().get(f"{upgrade.new}/readyz") == "ready\n"


def git(folder: Path, *arguments: str) -> None:
    name = ["-c", "user.name=Grace", "-c", "user.email=grace@example.org"]
    subprocess.run(["git", *name, *arguments], cwd=folder, check=True, capture_output=True)


def test_newest_tag_before_this_commit_is_the_last_release(tmp_path: Path) -> None:
    git(tmp_path, "init", "--initial-branch", "main")
    (tmp_path / "deploy").mkdir()
    (tmp_path / "deploy/last-release").write_text("0123abc\n")
    found = []

    for tag in ["", "v0.9", "v0.10", "draft"]:
        git(tmp_path, "commit", "--allow-empty", "--message", f"Release {tag}")
        found.append(last_release(tmp_path))
        if tag:
            git(tmp_path, "tag", tag)

    assert found == ["0123abc", "0123abc", "v0.9", "v0.10"]
    # A release is compared with the one before it.
    git(tmp_path, "checkout", "v0.10")
    assert last_release(tmp_path) == "v0.9"


def test_shallow_clone_is_named(tmp_path: Path) -> None:
    git(tmp_path, "clone", "--depth", "1", f"file://{PROJECT}", "shallow")
    (tmp_path / "shallow/deploy/last-release").write_text(f"{'0123' * 10}\n")

    with pytest.raises(MissingHistoryError, match=r"shallow clone has no history\. Run git fetch --unshallow --tags\."):
        unpack(last_release(tmp_path / "shallow"), tmp_path / "release", tmp_path / "shallow")


def test_folder_without_git_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingHistoryError, match="this folder is not of git"):
        last_release(tmp_path)

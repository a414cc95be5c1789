"""The lines of docs/backups.md that move a site from SQLite to PostgreSQL: every row, and the groups with their permissions."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tests.backups.checkouts import Checkout
from tests.deploy.debian.documents import typed_lines
from tests.deploy.instances import KEY, fresh_database
from tests.migrated import MIGRATED_DATABASE

pytestmark = pytest.mark.deploy
ROWS = """
from django.contrib.auth.models import Group, Permission, User
from django.contrib.contenttypes.models import ContentType
from tests.factories import make_agenda, make_conference, make_event
conference = make_conference()
make_agenda(conference, make_event(conference, title="Opening", start="09:00", end="10:00"))
# As an update leaves it whose migrations removed a model.
former = ContentType.objects.create(app_label="events", model="sponsorship")
of_former_model = Permission.objects.create(content_type=former, codename="view_sponsorship", name="Can view sponsorship")
sponsors = Group.objects.create(name="Sponsors desk")
sponsors.permissions.add(Permission.objects.get(codename="change_sponsor"), of_former_model)
organisers = Group.objects.get(name="Organisers")
organisers.permissions.remove(Permission.objects.get(codename="delete_conference"))
# A site on which groups were made in another order has other numbers.
Group.objects.filter(name="Moderators").delete()
moderators = Group.objects.create(name="Moderators")
moderators.permissions.add(Permission.objects.get(codename="view_poll"))
User.objects.create_user("gone").delete()
User.objects.create_user("grace").groups.add(sponsors, organisers)
"""
FOUND = """
from django.apps import apps
from django.contrib.auth.models import Group, User
for group in Group.objects.order_by("name"):
    print(group.name, sorted("%s.%s" % it for it in group.permissions.values_list("content_type__model", "codename")))
user = User.objects.get()
print(user.pk, user.username, sorted(user.groups.values_list("name", flat=True)))
for model in apps.get_models():
    if model._meta.label not in {"admin.LogEntry", "sessions.Session"}:
        print(model._meta.label, model._base_manager.count())
"""
NEW_ROWS = """
from django.contrib.auth.models import User
from events.models import Conference
from tests.factories import make_event
User.objects.create_user("ada")
print(make_event(Conference.objects.get(), start="11:00", end="12:00").pk > 0)
"""


def run(site: Checkout, lines: list[str], backups: Path, **settings: str) -> None:
    """All but the lines for the services."""
    for line in lines:
        program, *arguments = shlex.split(line.replace("/var/backups/hallway", str(backups)))
        if program == "hallway-manage":
            site.manage(*arguments, SECRET_KEY=KEY, **settings)
        elif program == "rm":
            for name in arguments:
                (site.folder / Path(name).relative_to("/srv/hallway")).unlink()
        else:
            assert program == "systemctl"


def test_moved_site_has_all_rows_and_its_groups_as_they_were(tmp_path: Path) -> None:
    site, backups = Checkout.make(tmp_path / "site"), tmp_path / "backups"
    backups.mkdir()
    site.var.mkdir()
    MIGRATED_DATABASE.copy_to(site.var / "hallway.sqlite3")
    site.shell(ROWS, SECRET_KEY=KEY)
    write, read = typed_lines("backups", "## From SQLite to PostgreSQL")

    with fresh_database("postgresql") as url:
        run(site, write, backups)
        run(site, read, backups, DATABASE_URL=url)
        before, after = site.shell(FOUND, SECRET_KEY=KEY), site.shell(FOUND, SECRET_KEY=KEY, DATABASE_URL=url)
        added = site.shell(NEW_ROWS, SECRET_KEY=KEY, DATABASE_URL=url)

    assert "Sponsors desk ['sponsor.change_sponsor', 'sponsorship.view_sponsorship']" in before
    assert after.splitlines() == before.splitlines()
    assert added.split() == ["True"]
    assert list(site.var.glob("*.json")) == []

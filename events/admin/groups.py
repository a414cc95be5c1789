"""The groups that exist after every migrate, and their permissions."""

from __future__ import annotations

from django.contrib.auth.models import Group, Permission
from django.db import connection
from django.db.models import Q, QuerySet

from events.staff.models import MODERATORS, ORGANISERS, ROOM_HELPERS, SOCIAL_CHAIRS

CHAIR_VIEW_MODELS = ("conference", "day", "eventtype", "room", "zone", "person", "track")
CHAIR_PROPOSAL_PERMISSIONS = ("view_proposal", "change_proposal")

_ids_before_migrate: set[int] = set()


def note_permissions() -> None:
    """Note which permissions there are before a migrate, so that those it makes can be recognised."""
    _ids_before_migrate.clear()
    # The table is missing in an empty database.
    if Permission._meta.db_table in connection.introspection.table_names():
        _ids_before_migrate.update(Permission.objects.values_list("pk", flat=True))


def ensure_groups() -> None:
    """Give a new group all its permissions, and an older one those that this migrate made: what was taken away stays away.

    A release that gives a group a permission of an earlier release needs a migration that does it.
    """
    for name, permissions in _standard_groups():
        group, created = Group.objects.get_or_create(name=name)
        given = permissions if created else permissions.exclude(pk__in=_ids_before_migrate)
        group.permissions.add(*given)


def _standard_groups() -> list[tuple[str, QuerySet[Permission]]]:
    everything = Permission.objects.filter(content_type__app_label="events").exclude(codename__contains="historical")
    # Agendas are personal: organisers see counts only.
    organisers = everything.exclude(
        content_type__model__in=["agenda", "bookmark", "seat", "questionvote", "pollvote", "mailchoice", "currentconference"]
    )
    # Import runs are written by the import and read only.
    organisers = organisers.exclude(codename__in=["add_importrun", "change_importrun", "delete_importrun"])
    # Proposals and questions come from attendees: they are decided, never added or deleted.
    organisers = organisers.exclude(codename__in=["add_proposal", "delete_proposal", "add_question", "delete_question"])
    # Nobody deletes an account: what it changed stays its own.
    organisers = organisers.exclude(codename="delete_staffmember") | Permission.objects.filter(codename="view_logentry")
    views = [f"view_{model}" for model in CHAIR_VIEW_MODELS]
    chairs = everything.filter(
        Q(content_type__model__in=["social", "appearance", "link", "signup"])
        | Q(codename__in=[*views, *CHAIR_PROPOSAL_PERMISSIONS]),
    ).exclude(codename__startswith="delete_social")
    # Moderators decide on questions, open and close polls, and see nothing else.
    moderators = everything.filter(codename__in=["view_question", "change_question", "view_poll", "change_poll"])
    # Helpers at the doors report how full rooms are, on the room board only.
    helpers = everything.filter(codename="add_crowdreport")
    return [(ORGANISERS, organisers), (SOCIAL_CHAIRS, chairs), (MODERATORS, moderators), (ROOM_HELPERS, helpers)]

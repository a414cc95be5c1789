"""Who may edit what: the groups that exist after every migrate."""

from __future__ import annotations

from django.contrib.auth.models import Group, Permission
from django.db.models import Q

ORGANISERS = "Organisers"
SOCIAL_CHAIRS = "Social chairs"
MODERATORS = "Moderators"
LOOKED_UP_BY_CHAIRS = ("conference", "day", "eventtype", "room", "zone", "person", "track")
DECIDED_BY_CHAIRS = ("view_proposal", "change_proposal")


def ensure_groups() -> None:
    """Organisers edit everything of the programme; social chairs decide on proposals, and edit socials."""
    everything = Permission.objects.filter(content_type__app_label="events").exclude(codename__contains="historical")
    # Agendas are the visitors' own: organisers see counts, never whose.
    organisers = everything.exclude(content_type__model__in=["agenda", "bookmark", "seat", "questionvote"])
    # An import keeps its own record, which nobody edits.
    organisers = organisers.exclude(codename__in=["add_importrun", "change_importrun", "delete_importrun"])
    # What somebody sent in is decided, not made up or made away with.
    organisers = organisers.exclude(codename__in=["add_proposal", "delete_proposal", "add_question", "delete_question"])
    views = [f"view_{model}" for model in LOOKED_UP_BY_CHAIRS]
    chairs = everything.filter(
        Q(content_type__model__in=["social", "appearance", "link", "signup"]) | Q(codename__in=[*views, *DECIDED_BY_CHAIRS]),
    ).exclude(codename__startswith="delete_social")
    # Who runs a stage sees what is asked, and nothing else.
    moderators = everything.filter(codename__in=["view_question", "change_question"])
    for name, permissions in [(ORGANISERS, organisers), (SOCIAL_CHAIRS, chairs), (MODERATORS, moderators)]:
        group, made = Group.objects.get_or_create(name=name)
        missing = permissions.exclude(pk__in=group.permissions.values("pk"))
        if made or missing.exists():
            group.permissions.add(*missing)

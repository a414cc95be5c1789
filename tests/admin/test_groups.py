from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.core.management import call_command
from django.db.models import Q

from events.admin.groups import ensure_groups

pytestmark = pytest.mark.django_db


def codenames(name: str) -> set[str]:
    return set(Group.objects.get(name=name).permissions.values_list("codename", flat=True))


def member_of(name: str) -> Any:
    user = User.objects.create_user(name)
    user.groups.add(Group.objects.get(name=name))
    return user


def test_four_groups_exist_after_migrate() -> None:
    assert list(Group.objects.order_by("name").values_list("name", flat=True)) == [
        "Moderators",
        "Organisers",
        "Room helpers",
        "Social chairs",
    ]


def test_organisers_may_edit_all_of_the_programme_and_no_visitors_agenda() -> None:
    programme = Permission.objects.filter(content_type__app_label="events").exclude(
        Q(content_type__model__startswith="historical")
        | Q(content_type__model__in=["agenda", "bookmark", "seat", "questionvote", "pollvote", "mailchoice", "currentconference"])
    )

    records = {
        "add_importrun",
        "change_importrun",
        "delete_importrun",
        "add_proposal",
        "delete_proposal",
        "add_question",
        "delete_question",
        "delete_staffmember",
    }
    assert codenames("Organisers") == set(programme.values_list("codename", flat=True)) - records | {"view_logentry"}
    assert programme.count() > 60


def test_moderators_decide_on_questions_and_polls_only() -> None:
    assert codenames("Moderators") == {"view_question", "change_question", "view_poll", "change_poll"}


def test_room_helpers_report_on_rooms_only() -> None:
    assert codenames("Room helpers") == {"add_crowdreport"}


def test_social_chairs_may_edit_socials_and_decide_on_proposals_only() -> None:
    editing = {it for it in codenames("Social chairs") if not it.startswith("view_")}

    assert editing == {"add_social", "change_social", "change_proposal"} | {
        f"{verb}_{model}" for verb in ("add", "change", "delete") for model in ("appearance", "link", "signup")
    }


@pytest.mark.parametrize(
    ("name", "may"),
    [
        ("Organisers", {"events.change_session": True, "events.change_social": True, "auth.change_user": False}),
        ("Social chairs", {"events.change_session": False, "events.change_social": True, "auth.change_user": False}),
    ],
)
def test_member_may(name: str, may: dict[str, bool]) -> None:
    user = member_of(name)

    assert {permission: user.has_perm(permission) for permission in may} == may


def test_migrating_again_keeps_what_was_added_and_taken_away_by_hand() -> None:
    group = Group.objects.get(name="Organisers")
    before = codenames("Organisers")
    group.permissions.add(Permission.objects.get(codename="view_user"))
    group.permissions.remove(Permission.objects.get(codename="change_followedsource"))

    call_command("migrate", verbosity=0)

    assert codenames("Organisers") == (before | {"view_user"}) - {"change_followedsource"}


def test_migration_of_a_new_model_gives_its_permissions_to_groups() -> None:
    group = Group.objects.get(name="Organisers")
    before = codenames("Organisers")
    group.permissions.remove(Permission.objects.get(codename="change_room"))
    Permission.objects.filter(content_type__model="followedsource").delete()

    call_command("migrate", verbosity=0)

    assert codenames("Organisers") == before - {"change_room"}


def test_deleted_group_is_made_again_with_all_its_permissions() -> None:
    before = codenames("Social chairs")
    Group.objects.get(name="Social chairs").delete()

    call_command("migrate", verbosity=0)

    assert codenames("Social chairs") == before


def test_groups_are_made_once() -> None:
    ensure_groups()

    assert Group.objects.count() == 4

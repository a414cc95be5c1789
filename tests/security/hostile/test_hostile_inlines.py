"""Forms whose inline rows were deleted in another tab, or whose ids were forged: a sentence, and nothing is changed."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group, User
from django.db import models, transaction
from django.test import Client

from events.models import Appearance, ConferenceHost, Event, Link, SignUp, StaffRole
from events.staff.models import ROOM_HELPERS
from tests.admin.pages import errors_of, open_form, save, url
from tests.factories import make_day, make_person, make_room, make_zone
from tests.security.world import World


class InlineRow(NamedTuple):
    """The last stored row of an inline, ``field`` is the start of the names of its fields in the form of its parent."""

    inline: str
    address: str
    model: type[models.Model]
    pk: int
    field: str
    parent: str
    parent_pk: int


@pytest.fixture
def organiser(world: World) -> Client:
    for event in (world.keynote, world.session, world.party):
        Link.objects.create(event=event, kind="slides", url="https://example.org/")
        Appearance.objects.create(event=event, person=make_person(world.conference, "Grace Hopper"))
    SignUp.objects.create(event=world.session, places=5)
    ConferenceHost.objects.create(conference=world.conference, name="demo.example")
    helper = User.objects.create_user("helper", is_staff=True)
    StaffRole.objects.create(user=helper, group=Group.objects.get(name=ROOM_HELPERS), conference=world.conference)
    # Nothing refers to these, so that somebody can delete them.
    make_day(world.conference, world.conference.end)
    make_room(world.conference, "Unused", world.hall, position=99)
    make_zone(world.conference, "Unused", position=99)
    return world.client("organiser", raise_request_exception=False)


def inline_rows(client: Client) -> list[InlineRow]:
    """One row of every inline of every form that an organiser can open."""
    found: dict[str, InlineRow] = {}
    for model, model_admin in admin.site._registry.items():
        if model._meta.app_label != "events" or model is Event or not model_admin.inlines:
            continue
        for parent in model._default_manager.order_by("pk"):
            if sum(name.startswith(f"{model.__name__} ") for name in found) == len(model_admin.inlines):
                break
            address = url("change", model._meta.model_name or "", parent.pk)
            for inline in client.get(address).context["inline_admin_formsets"]:
                name, formset = f"{model.__name__} {type(inline.opts).__name__}", inline.formset
                if formset.initial_forms:
                    row = formset.initial_forms[-1]
                    found.setdefault(
                        name,
                        InlineRow(name, address, formset.model, row.instance.pk, row.prefix, formset.fk.name, parent.pk),
                    )
    return list(found.values())


def stored() -> dict[str, list[Any]]:
    """All rows that an inline can change."""
    changed = {inline.model for it in admin.site._registry.values() for inline in it.inlines}
    return {model.__name__: list(model._default_manager.order_by("pk").values()) for model in changed}


def outcome(client: Client, address: str, data: dict[str, Any]) -> tuple[int, bool, bool]:
    """The status, whether rows changed, and whether the page has an error; all is rolled back."""
    with transaction.atomic():
        before = stored()
        response = save(client, address, data)
        changed = stored() != before
        explained = response.status_code == 200 and any(errors_of(response).values() or response.context["errors"])
        transaction.set_rollback(True)
    return response.status_code, changed, explained


def test_every_inline_has_a_row_to_try(organiser: Client) -> None:
    inlines = {
        f"{model.__name__} {inline.__name__}"
        for model, model_admin in admin.site._registry.items()
        for inline in model_admin.inlines
    }

    assert {row.inline for row in inline_rows(organiser)} == inlines


def copy_elsewhere(world: World, row: InlineRow) -> int:
    """The key of a row of this model that is not in the form: of another conference if the model names one."""
    others = row.model._default_manager.exclude(pk=row.pk).exclude(**{row.parent: row.parent_pk})
    return others.values_list("pk", flat=True).first() or 10**6


@pytest.mark.both_databases
@pytest.mark.parametrize("ticked", [{}, {"DELETE": "on"}], ids=["saved", "deleted"])
def test_inline_row_deleted_in_another_tab_is_refused(organiser: Client, ticked: dict[str, str]) -> None:
    answers = {}
    for row in inline_rows(organiser):
        data = open_form(organiser, row.address)
        with transaction.atomic():
            row.model._default_manager.filter(pk=row.pk).delete()
            answers[row.inline] = outcome(organiser, row.address, data | {f"{row.field}-{key}": it for key, it in ticked.items()})
            transaction.set_rollback(True)

    assert answers == dict.fromkeys(answers, (200, False, True))


OTHER = "of another conference"


@pytest.mark.both_databases
@pytest.mark.parametrize(
    "ticked",
    [pytest.param({}, id="saved", marks=pytest.mark.exhaustive), pytest.param({"DELETE": "on", "sure": "on"}, id="deleted")],
)
@pytest.mark.parametrize(
    "forged",
    [
        pytest.param(["9" * 40, "x", OTHER], id="usual"),
        pytest.param(["-1", "", "0"], id="others", marks=pytest.mark.exhaustive),
    ],
)
def test_forged_id_of_an_inline_row_is_refused(
    world: World, organiser: Client, forged: list[str], ticked: dict[str, str]
) -> None:
    answers = {}
    for row in inline_rows(organiser):
        data = open_form(organiser, row.address) | {f"{row.field}-{name}": on for name, on in ticked.items()}
        for key in forged:
            sent = str(copy_elsewhere(world, row)) if key == OTHER else key
            answers[row.inline, key] = outcome(organiser, row.address, data | {f"{row.field}-id": sent})

    assert answers == dict.fromkeys(answers, (200, False, True))

"""Drafts in the admin: social chairs see those of socials, moderators none."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse

from events.models import Conference, Event
from events.staff.models import MODERATORS, SOCIAL_CHAIRS
from tests.admin.pages import url
from tests.admin.uploads.sending import csv_of, send
from tests.security.hidden import CANARY, Hidden, word
from tests.security.world import World

pytestmark = pytest.mark.both_databases
# A chair edits drafts of socials and decides on proposals, and a social can be in any room.
OF_SOCIALS = {word(it) for it in "social cost audience signup withdrawn moved reason".split()}
OF_MODERATORS = {word("question"), word("poll"), word("poll-answer")}
OF_ROOMS = {word(it) for it in "room room-about zone zone-about venue".split()}


def client_of(group: str) -> Client:
    user = User.objects.create_user(group, is_staff=True)
    user.groups.add(Group.objects.get(name=group))
    client = Client()
    client.force_login(user)
    return client


def addresses(conference: Conference) -> Iterator[str]:
    """Lists, filters, forms, histories, exports, look-ups and stages of everything, also where it is refused."""
    narrowed = ["?q=canary", f"?conference__id__exact={conference.pk}"]
    yield reverse("admin:index")
    for model, model_admin in admin.site._registry.items():
        if model._meta.app_label != "events":
            continue
        name = model._meta.model_name or ""
        yield from (url("changelist", name) + query for query in ["", *narrowed])
        yield f"{url('add', name)}?conference={conference.pk}"
        # Rows with hidden words; pages of other rows differ in nothing.
        rows = [row for row in model._default_manager.values() if CANARY.search(str(row))]
        yield from (url(page, name, row["id"]) for row in rows for page in ("change", "history"))
        fields = [(model, it) for it in model_admin.autocomplete_fields]
        fields += [(inline.model, it) for inline in model_admin.inlines for it in inline.autocomplete_fields]
        for owner, field in fields:
            asked = {"app_label": "events", "model_name": owner._meta.model_name, "field_name": field, "term": "canary"}
            yield reverse("admin:autocomplete", query=asked)
    for name in ("session", "social", "invitedtalk", "person", "room", "paper"):
        yield from (url("export", name, "csv") + query for query in narrowed)
        yield url("import", name)
    yield reverse("admin:events_room_pressure")
    places = Event.objects.values_list("conference__slug", "guid")
    yield from (reverse("admin:events_question_stage", args=place) for place in places)


def words(client: Client, conference: Conference) -> set[str]:
    found = {each: client.get(each, follow=True).content.decode() for each in addresses(conference)}
    return {it for text in found.values() for it in CANARY.findall(text.replace("q=canary", ""))}


@pytest.mark.parametrize(("group", "allowed"), [(MODERATORS, OF_MODERATORS), (SOCIAL_CHAIRS, OF_SOCIALS | OF_ROOMS)])
def test_staff_see_nothing_of_drafts_that_they_need_not(world: World, group: str, allowed: set[str]) -> None:
    hidden = Hidden(world)
    Event.objects.update(takes_questions=True)

    found = words(client_of(group), hidden.unpublished)

    assert {it for it in found if not it.startswith("canary-proposed")} - allowed == set()


def test_social_chair_sees_what_a_draft_of_a_social_needs(world: World) -> None:
    hidden = Hidden(world)
    client = client_of(SOCIAL_CHAIRS)

    page = client.get(url("change", "social", hidden.social.pk))
    asked = {"app_label": "events", "model_name": "social", "field_name": "room", "term": "canary"}
    found = client.get(reverse("admin:autocomplete", query=asked))

    assert (word("social") in page.text, [it["text"] for it in found.json()["results"]]) == (True, [word("room")])


def test_draft_conference_is_visible_to_chairs_from_its_first_social(world: World) -> None:
    hidden = Hidden(world)
    client = client_of(SOCIAL_CHAIRS)
    before = client.get(url("changelist", "conference")).text
    Event.objects.filter(pk=hidden.foreign.pk).update(type=hidden.social.type)

    after = client.get(url("changelist", "conference")).text

    assert (word("conference") in before, word("conference") in after) == (False, True)


@pytest.mark.parametrize(
    ("column", "typed"),
    [("people", "canary-speakr"), ("people", "canary-authr"), ("type", "canary-typ"), ("track", "canary-trac")],
)
def test_misspelt_name_in_a_file_of_a_social_chair_leads_to_nothing_hidden(world: World, column: str, typed: str) -> None:
    hidden = Hidden(world)
    cells = {"type": "Social", "title": "Picnic", column: typed}

    page = send(client_of(SOCIAL_CHAIRS), "social", hidden.conference, csv_of(list(cells), list(cells.values())))

    assert (page.status_code in {200, 422}, typed in page.text) == (True, True)
    assert set(CANARY.findall(page.text)) - {typed} == set()


@pytest.mark.parametrize(("column", "taken"), [("room", word("room")), ("people", word("panellist"))])
def test_clash_in_a_file_of_a_social_chair_names_nothing_hidden(world: World, column: str, taken: str) -> None:
    hidden, day = Hidden(world), "2025-04-24"
    cells = {"type": "Social", "title": "Picnic", "start": f"{day} 14:00", "end": f"{day} 18:00", column: taken}
    file = csv_of(list(cells), list(cells.values()))

    of_chair, of_organiser = (
        set(CANARY.findall(send(client, "social", hidden.conference, file).text)) - {taken}
        for client in (client_of(SOCIAL_CHAIRS), world.client("organiser"))
    )

    assert (of_chair, bool(of_organiser)) == (set(), True)

"""The organisers' pages, which show first what anybody may send in."""

from __future__ import annotations

import uuid
from collections import Counter

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from events.models import Event, Proposal
from tests.security import strings
from tests.security.markup import active
from tests.security.planting import plant
from tests.security.world import World

PAGES = ["changelist", "add", "change", "history", "delete"]
ASKING = ["cancel", "move", "change_room", "delete_drafts"]


def addresses() -> list[str]:
    """Every page of every model of ours that an organiser may open."""
    found = [reverse("admin:index"), reverse("admin:app_list", args=["events"])]
    for model in admin.site._registry:
        row = model._default_manager.order_by("pk").first()
        if model._meta.app_label == "events" and model is not Event and row is not None:
            for page in PAGES:
                args = [] if page in {"changelist", "add"} else [row.pk]
                found.append(reverse(f"admin:events_{model._meta.model_name}_{page}", args=args))
    return found


def acts(client: Client, world: World) -> dict[str, Counter[str]]:
    """What each page does by itself, and each page that asks before many events are changed at once."""
    opened = {url: client.get(url).text for url in addresses()}
    for model, row in [("invitedtalk", world.keynote), ("session", world.session), ("social", world.social)]:
        url = reverse(f"admin:events_{model}_changelist")
        for action in ASKING:
            opened[f"{url} {action}"] = client.post(url, {"action": action, "_selected_action": [row.pk]}).text
    return {url: active(text) for url, text in opened.items()}


def rewrite(world: World, text: str) -> None:
    """Leave hostile text in the history too, as what was and as what is."""
    for event in [world.keynote, world.session, world.social]:
        event.title, event.abstract, event.place, event._change_reason = text[:300], text, text[:200], text[:100]
        event.save()


TEXTS = list(strings.MARKUP.values())
STRONG = [strings.MARKUP[name] for name in (strings.STRONGEST, "handler", "broken out of single quotes")]


@pytest.mark.parametrize(
    "turns",
    [
        pytest.param([STRONG, TEXTS], id="strong and each"),
        pytest.param([[*TEXTS[it:], *TEXTS[:it]] for it in range(3, len(TEXTS), 3)], id="all", marks=pytest.mark.exhaustive),
    ],
)
def test_hostile_text_is_shown_as_text_to_organisers(world: World, turns: list[list[str]]) -> None:
    client = world.client("organiser", raise_request_exception=False)
    # Planted texts make proposals and events alike, and a page offers to merge them: here it does so from the start.
    plant("Alike")
    rewrite(world, "Alike")
    twin = Proposal.objects.get(pk=world.proposal.pk)
    twin.pk, twin.guid, twin.token_hash = None, uuid.uuid4(), "twin"
    twin.save(force_insert=True)
    before = acts(client, world)

    found = {}
    for texts in turns:
        plant(*texts)
        rewrite(world, texts[0])
        after = acts(client, world)
        found[texts[0]] = {url: list(after[url] - before[url]) for url in before if after[url] - before[url]}

    assert found == {text: {} for text in found}
    # Nobody adds a change, a proposal, a question or the record of an import, and what attendees know of is not deleted.
    closed = [url for url, things in before.items() if not things["<form>"]]
    written_by_us = ("/change/add/", "/changegroup/add/", "/importrun/add/", "/proposal/add/", "/question/add/", "/delete/")
    assert [url for url in closed if not url.endswith(written_by_us) and "/events/change/" not in url] == []

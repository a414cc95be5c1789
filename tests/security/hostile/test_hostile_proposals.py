"""What strangers send to the chairs, shown to them as text; and what is typed into the chairs' own forms."""

from __future__ import annotations

from typing import Any
from unicodedata import category

import pytest
from django.urls import reverse

from events.core.db.fields import WebAddressField
from events.models import Event, Proposal
from tests.admin.proposals.deciding import form_of
from tests.factories import make_type
from tests.proposals.proposing import make_correction, make_note, make_proposal
from tests.security import strings
from tests.security.markup import active
from tests.security.world import World

SAID = (
    "title",
    "place",
    "host",
    "about",
    "audience",
    "signup_url",
    "cost",
    "access_notes",
    "message",
    "page",
    "answer",
    "mailbox",
)
TYPED = ("title", "place", "hosts", "abstract", "audience", "signup_url", "cost", "access_notes", "reason")
NUMBERS = ["-1", "1e309", "NaN", "99999999999999999999", "0x10", "1.5", "many"]
TIMES = [
    {"start_1": "21:00", "end_1": "19:00"},
    {"start_1": "24:00"},
    {"start_1": "23:59:60"},
    {"start_1": "", "end_1": "19:00"},
    {"date": "2025-02-30"},
    {"date": "0001-01-01"},
    {"date": "9999-12-31"},
    {"date": ""},
    {"start_0": "9999-12-31", "start_1": "23:59"},
    {"signup_until_0": "9999-12-31", "signup_until_1": ""},
]


SHOWN = strings.MARKUP | strings.CHARACTERS
# The strongest in every field of every proposal; then each once.
SHORT = [{"strongest": strings.MARKUP[strings.STRONGEST]}, SHOWN]


def change_url(proposal: Proposal) -> str:
    return reverse("admin:events_proposal_change", args=[proposal.pk])


def one_of_each(world: World) -> list[Proposal]:
    make_type(world.conference, "social", name="Party")
    # What organisers and the sender both changed is shown with a box to tick.
    both = {"status": "asked", "title": "Theirs", "cost": "Theirs", "base": {"title": "Once", "cost": "Once"}}
    return [
        make_proposal(world.conference),
        make_proposal(world.conference, event=world.social, **both),
        make_note(world.conference, event=world.keynote),
        make_proposal(world.conference, status="declined"),
    ]


def write(proposals: list[Proposal], texts: list[str]) -> None:
    """Past every form, in turns."""
    for number, name in enumerate(SAID):
        field: Any = Proposal._meta.get_field(name)
        for turn, proposal in enumerate(proposals):
            text = texts[(number + 8 * turn) % len(texts)]
            Proposal.objects.filter(pk=proposal.pk).update(**{name: text[: field.max_length or 2_000]})


@pytest.mark.parametrize(
    ("role", "turns"),
    [
        pytest.param("organiser", SHORT, id="organiser"),
        pytest.param("social chair", SHORT, id="chair"),
        pytest.param("organiser", [{name: text} for name, text in SHOWN.items()], id="every", marks=pytest.mark.exhaustive),
    ],
)
def test_what_strangers_send_is_shown_as_text(world: World, role: str, turns: list[dict[str, str]]) -> None:
    proposals, client = one_of_each(world), world.client(role)
    addresses = [reverse("admin:events_proposal_changelist"), *map(change_url, proposals)]
    before = {url: active(client.get(url).text) for url in addresses}

    found = {}
    for texts in turns:
        write(proposals, [*texts.values()])
        for url in addresses:
            response = client.get(url)
            more = active(response.text) - before[url]
            if response.status_code != 200 or more:
                found[tuple(texts), url] = (response.status_code, list(more))

    assert found == {}


def test_no_link_of_a_stranger_is_a_link(world: World) -> None:
    proposals = {
        it: make_proposal(world.conference, signup_url=it[:500], page=it[:500], about=f"[x]({it})") for it in strings.LINKS
    }
    client = world.client("social chair")

    texts = {link: client.get(change_url(proposal)).text for link, proposal in proposals.items()}

    assert [link for link, text in texts.items() if f'href="{link}' in text] == []
    assert WebAddressField().max_length == 500


@pytest.mark.parametrize("pairs", strings.pairs_of(TYPED, strings.TEXTS.values(), in_each=[strings.MARKUP[strings.STRONGEST]]))
def test_hostile_text_in_the_form_of_a_chair_is_refused_or_text(world: World, pairs: list[tuple[str, str]]) -> None:
    client = world.client("social chair", raise_request_exception=False)
    codes = set()
    for name, text in pairs:
        proposal = make_correction(world.social) if name == "reason" else make_proposal(world.conference)
        page = client.get(change_url(proposal))
        response = client.post(change_url(proposal), form_of(page, "publish") | {name: text})
        codes.add(response.status_code)
        proposal.refresh_from_db()
        assert (response.status_code == 302) == (proposal.status == "published")

    assert codes <= {200, 302}
    lines = [text for row in Event.objects.values_list("title", "place", "audience", "cost") for text in row]
    assert [text for text in lines if any(category(it) == "Cc" for it in text)] == []


@pytest.mark.parametrize("typed", [*({"capacity": it} for it in NUMBERS), *TIMES], ids=str)
def test_number_or_time_that_cannot_be_is_told(world: World, typed: dict[str, str]) -> None:
    client, proposal, count = world.client("social chair"), make_proposal(world.conference), Event.objects.count()
    page = client.get(change_url(proposal))

    response = client.post(change_url(proposal), form_of(page, "publish") | typed)

    proposal.refresh_from_db()
    assert (response.status_code, proposal.status, Event.objects.count()) == (200, "waiting", count)
    assert response.context["forms"]["publish"].errors


@pytest.mark.parametrize("decision", ["ask", "decline"])
def test_hostile_words_to_a_sender_are_refused_or_text(world: World, decision: str) -> None:
    client = world.client("social chair", raise_request_exception=False)
    plain = make_proposal(world.conference)
    client.post(change_url(plain), {"decision": decision, "version": "1", "answer": "Plain words."})
    before = active(client.get(change_url(plain)).text)

    for text in strings.TEXTS.values():
        proposal = make_proposal(world.conference, "Another one altogether", place=str(len(text)))
        response = client.post(change_url(proposal), {"decision": decision, "version": "1", "answer": text})

        assert response.status_code in {200, 302}
        if response.status_code == 302:
            assert active(client.get(change_url(proposal)).text).keys() <= before.keys()

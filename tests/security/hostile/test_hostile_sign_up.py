"""Names on lists, written by anybody: shown as text to whom they are shown, and to nobody else."""

from __future__ import annotations

import unicodedata
from urllib.parse import urlsplit

import pytest
from django.urls import reverse

from events.models import Seat
from tests.factories import make_agenda
from tests.security import strings
from tests.security.addresses import OF_HOST, POST_ONLY, address, names
from tests.security.hidden import word
from tests.security.markup import active
from tests.security.world import World

pytestmark = pytest.mark.django_db
UNREACHABLE = {"events:media", "events:digests-off"}


def shown(world: World) -> dict[str, str]:
    """Everywhere that a name is shown to somebody, as page."""
    holder, staff = world.client("agenda holder"), world.client("organiser")
    return {
        "list": holder.get(address("events:sign-up", world)).text,
        "event": holder.get(world.party.get_absolute_url()).text,
        "host": world.client("anonymous").get(address("events:sign-up-list", world)).text,
        "admin": staff.get(reverse("admin:events_social_change", args=[world.party.pk])).text,
    }


def test_name_is_refused_in_words_or_shown_as_text(world: World) -> None:
    client, url = world.client("agenda holder"), address("events:sign-up", world)
    before = {place: active(text) for place, text in shown(world).items()}

    for kind, text in strings.TEXTS.items():
        was = Seat.objects.get().name
        response = client.post(url, {"on": "1", "name": text[:60]})
        name = Seat.objects.get().name

        assert response.status_code in {302, 422}, kind
        assert [it for it in name if unicodedata.category(it) == "Cc"] == [], kind
        assert {place: active(page) for place, page in shown(world).items()} == before, kind
        assert response.status_code == 302 or name == was, kind


def test_page_that_refuses_repeats_what_was_typed_as_text(world: World) -> None:
    client, url = world.client("agenda holder"), address("events:sign-up", world)
    before = active(client.post(url, {"on": "?", "name": "Ada"}).text)

    responses = {kind: client.post(url, {"on": "?", "name": text}) for kind, text in strings.TEXTS.items()}

    assert {kind: it.status_code for kind, it in responses.items()} == dict.fromkeys(strings.TEXTS, 422)
    assert {kind: active(it.text) for kind, it in responses.items()} == dict.fromkeys(strings.TEXTS, before)


def test_state_that_is_none_changes_nothing(world: World) -> None:
    client, url = world.client("agenda holder"), address("events:sign-up", world)
    states = ["2", "-1", "on", "٣", "1" * 5000, "\ud800"]

    codes = [client.post(url, {"on": it.encode("utf-8", "surrogatepass")}).status_code for it in states]

    assert codes == [422] * len(states)
    assert Seat.objects.get().state == "taken"


@pytest.mark.parametrize("name", ["events:sign-up", "events:place-seen"])
def test_no_form_leads_away_from_the_site(world: World, name: str) -> None:
    client, url = world.client("agenda holder"), address(name, world)

    responses = [client.post(url, {"on": "1", "next": target}) for target in strings.NEXTS]

    assert [urlsplit(it["Location"])[:2] for it in responses] == [("", "")] * len(strings.NEXTS)
    assert [it for it in responses if "\nSet-Cookie: planted" in it.serialize_headers().decode()] == []


def test_no_address_but_the_hosts_opens_a_list(world: World) -> None:
    urls = [f"/{world.conference.slug}/sign-up/{token}/" for token in strings.TOKENS]

    assert {world.client("anonymous").get(url).status_code for it in urls for url in (it, f"{it}list.csv")} == {404}


def test_name_is_on_no_page_but_the_lists(world: World) -> None:
    other, _ = make_agenda(world.conference)
    world.sign_up.join(other, word("seat-name"))
    urls = {name: address(name, world) for name in names() if name not in POST_ONLY | UNREACHABLE}

    found = {
        name
        for role in ("anonymous", "agenda holder", "organiser")
        for name, url in urls.items()
        if word("seat-name") in world.client(role).get(url).content.decode(errors="replace")
    }

    assert found == OF_HOST


def test_nobody_reads_changes_or_gives_up_anothers_seat(world: World) -> None:
    other, token = make_agenda(world.conference)
    stranger = world.client("anonymous")
    stranger.cookies["hallway"] = token

    stranger.post(address("events:sign-up", world), {"on": "0", "name": "Eve"})
    stranger.post(address("events:place-seen", world))
    page = stranger.get(address("events:sign-up", world)).text

    assert [(seat.agenda, seat.name) for seat in Seat.objects.all()] == [(world.agenda, "Ada L.")]
    assert "Ada L." not in page
    assert other.levels() == {}

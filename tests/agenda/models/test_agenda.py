from __future__ import annotations

import hashlib
import re

import pytest
from pytest_django import Settings

from events.core.tokens import derived_token, hash_token, new_token
from events.models import Agenda, Bookmark, Event, Visitor
from tests.factories import make_agenda, make_conference, make_event

pytestmark = pytest.mark.django_db


def stored(agenda: Agenda) -> str:
    """All that the database knows of the agenda, as text."""
    rows = [Agenda.objects.filter(pk=agenda.pk), agenda.feed_addresses, agenda.visitor.tokens]
    return repr([list(it.values()) for it in rows])


def test_token_has_192_bits_and_needs_no_escaping() -> None:
    tokens = {new_token() for _ in range(100)}

    assert len(tokens) == 100
    assert {bool(re.fullmatch(r"[A-Za-z0-9_-]{32}", token)) for token in tokens} == {True}


def test_agenda_stores_tokens_hashed_only() -> None:
    agenda, token = make_agenda(make_conference())

    feed = agenda.feed_token

    assert agenda.visitor.tokens.get().token_hash == hashlib.sha256(token.encode()).hexdigest()
    assert agenda.feed_addresses.get().token_hash == hash_token(feed)
    assert token not in stored(agenda)
    assert feed not in stored(agenda)


def test_agenda_is_found_by_its_token_in_its_conference_only() -> None:
    agenda, token = make_agenda(make_conference())
    other = make_conference()

    found = [
        Agenda.objects.for_token(token, agenda.conference),
        Agenda.objects.for_token(token, other),
        Agenda.objects.for_token("", agenda.conference),
        Agenda.objects.for_token(hash_token(token), agenda.conference),
        Agenda.objects.for_token("\ud800", agenda.conference),
    ]

    assert found == [agenda, None, None, None, None]


def test_agenda_begins_once() -> None:
    conference, token = make_conference(), Visitor.objects.create().new_token()

    first, second = Agenda.begin(token, conference), Agenda.begin(token, conference)

    assert first == second
    assert Agenda.objects.count() == 1


def test_one_token_has_an_agenda_and_a_feed_per_conference() -> None:
    token = Visitor.objects.create().new_token()
    agendas = [Agenda.begin(token, make_conference()) for _ in range(2)]

    feeds = {agenda.feed_token for agenda in agendas}

    assert len(feeds) == 2
    assert {Agenda.objects.by_feed(feed) for feed in feeds} == set(agendas)


def test_feed_token_cannot_be_worked_out_from_the_database_alone(settings: Settings) -> None:
    agenda, _ = make_agenda(make_conference())
    feed = agenda.feed_token
    settings.SECRET_KEY = "a guess"

    guess = derived_token("hallway.feed", agenda.feed_addresses.get().key)

    assert (guess != feed, agenda.feed_token) == (True, "")
    assert [Agenda.objects.by_feed(it) for it in (feed, guess)] == [agenda, None]


def test_feed_token_is_shown_while_its_secret_key_is_among_the_fallbacks(settings: Settings) -> None:
    agenda, _ = make_agenda(make_conference())
    feed = agenda.feed_token
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "a new one", ["another", settings.SECRET_KEY]

    shown = agenda.feed_token
    agenda.reset_feed()

    assert (shown, Agenda.objects.by_feed(feed)) == (feed, None)
    assert Agenda.objects.by_feed(agenda.feed_token) == agenda


def test_feed_token_cannot_be_used_as_the_cookie() -> None:
    agenda, token = make_agenda(make_conference())

    assert Agenda.objects.for_token(agenda.feed_token, agenda.conference) is None
    assert Agenda.objects.by_feed(token) is None


def test_feed_address_fits_a_calendar() -> None:
    agenda, _ = make_agenda(make_conference())

    assert re.fullmatch(r"[A-Za-z0-9_-]{32}", agenda.feed_token)


def test_feed_survives_a_new_slug() -> None:
    agenda, _ = make_agenda(make_conference(slug="iclr-25"))
    before = agenda.feed_token

    agenda.conference.slug = "iclr-2025"
    agenda.conference.revise()

    assert Agenda.objects.get(pk=agenda.pk).feed_token == before


def test_feed_of_a_hidden_conference_is_unknown() -> None:
    agenda, _ = make_agenda(make_conference())

    agenda.conference.status = "draft"
    agenda.conference.revise()

    assert Agenda.objects.by_feed(agenda.feed_token) is None


def test_reset_ends_the_old_feed_and_begins_a_new_one() -> None:
    agenda, _ = make_agenda(make_conference())
    feeds = [agenda.feed_token]

    for _ in range(2):
        agenda.reset_feed()
        feeds.append(agenda.feed_token)

    assert [Agenda.objects.by_feed(feed) for feed in feeds] == [None, None, agenda]


def test_reset_from_an_agenda_read_earlier_never_returns_to_an_old_feed() -> None:
    agenda, _ = make_agenda(make_conference())
    read_earlier = Agenda.objects.get(pk=agenda.pk)
    agenda.reset_feed()
    second = agenda.feed_token

    read_earlier.reset_feed()

    assert read_earlier.feed_token != second
    assert Agenda.objects.by_feed(second) is None


def test_bookmark_sets_a_state_and_says_whether_that_changed_anything() -> None:
    conference = make_conference()
    event = make_event(conference)
    agenda, _ = make_agenda(conference)

    done = [agenda.bookmark(event, on=on) for on in (False, True, True, False, False, True)]

    assert done == [False, True, False, True, False, True]
    assert list(agenda.events) == [event]


def test_revision_moves_only_when_the_picks_do() -> None:
    conference = make_conference()
    event = make_event(conference)
    agenda, _ = make_agenda(conference)

    seen = []
    for on in (False, True, True, False, False):
        agenda.bookmark(event, on=on)
        agenda.refresh_from_db()
        seen.append((agenda.revision, agenda.changed_at))

    assert [revision for revision, _ in seen] == [0, 1, 1, 2, 2]
    assert [seen[0][1] < seen[1][1], seen[1][1] == seen[2][1], seen[2][1] < seen[3][1], seen[3][1] == seen[4][1]] == [True] * 4


def test_taking_a_pick_back_leaves_a_tombstone() -> None:
    conference = make_conference()
    event = make_event(conference)
    agenda, _ = make_agenda(conference, event)

    agenda.bookmark(event, on=False)

    tombstone = Bookmark.objects.get()
    assert (tombstone.event, tombstone.removed_at is None) == (event, False)
    assert list(agenda.events) == []


def test_picking_again_revives_the_tombstone_as_a_new_pick() -> None:
    conference = make_conference()
    event = make_event(conference)
    agenda, _ = make_agenda(conference, event)
    first = Bookmark.objects.get()

    agenda.bookmark(event, on=False)
    agenda.bookmark(event, on=True)

    again = Bookmark.objects.get()
    assert (again.pk, again.removed_at, again.created_at > first.created_at) == (first.pk, None, True)


def test_agenda_shows_what_is_public_and_keeps_the_rest() -> None:
    conference = make_conference()
    shown, withdrawn = make_event(conference), make_event(conference)
    agenda, _ = make_agenda(conference, shown, withdrawn)

    withdrawn.status = "draft"
    withdrawn.revise()

    assert list(agenda.events) == [shown]
    assert set(Event.objects.filter(bookmarks__agenda=agenda)) == {shown, withdrawn}


def test_level_is_a_must_for_what_is_new_and_else_as_it_was() -> None:
    conference = make_conference()
    event = make_event(conference)
    agenda, _ = make_agenda(conference)
    steps = [(True, "maybe"), (True, ""), (True, "maybe"), (True, "later"), (False, "must"), (True, ""), (True, "must")]

    done = [(agenda.bookmark(event, on=on, level=level), agenda.levels()) for on, level in steps]

    assert done == [
        (True, {event.pk: "maybe"}),
        (False, {event.pk: "maybe"}),
        (False, {event.pk: "maybe"}),
        (True, {event.pk: "later"}),
        (True, {}),
        (True, {event.pk: "must"}),
        (False, {event.pk: "must"}),
    ]


def test_level_moves_the_revision_and_not_when_it_was_picked() -> None:
    conference = make_conference()
    event = make_event(conference)
    agenda, _ = make_agenda(conference, event)
    before = Bookmark.objects.get().created_at, agenda.revision

    agenda.bookmark(event, on=True, level="maybe")

    agenda.refresh_from_db()
    assert (Bookmark.objects.get().created_at, agenda.revision) == (before[0], before[1] + 1)


def test_count_is_of_what_one_goes_to() -> None:
    conference = make_conference()
    events = [make_event(conference) for _ in range(3)]
    agenda, _ = make_agenda(conference)

    for event, level in zip(events, ["must", "maybe", "later"], strict=True):
        agenda.bookmark(event, on=True, level=level)

    assert (agenda.count, set(agenda.events)) == (2, set(events))

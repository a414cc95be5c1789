from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.utils import timezone

from events.agenda.devices import forget_visitor, redeem_handover, sign_out_elsewhere
from events.agenda.merging import merge_agenda, merge_visitors, replace_visitor
from events.agenda.models.agenda import AgendaGoneError
from events.core.tokens import hash_token
from events.models import (
    Agenda,
    Bookmark,
    Conference,
    Event,
    FeedAddress,
    Handover,
    PrivateEntry,
    ReadLink,
    StartingPoint,
    Visitor,
)
from tests.factories import at, make_agenda, make_conference, make_event, visitor_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def conference() -> Conference:
    return make_conference()


def bookmark_states(agenda: Agenda | None) -> dict[str, bool]:
    """By title, whether it is picked or was taken back."""
    assert agenda is not None
    rows = agenda.bookmarks.values_list("event__title", "removed_at").order_by("event__title")
    return {title: removed_at is None for title, removed_at in rows}


def make_events(conference: Conference, *titles: str) -> list[Event]:
    return [make_event(conference, title=title) for title in titles]


def test_absorb_takes_all_that_either_has_and_brings_nothing_back(conference: Conference) -> None:
    both, mine, theirs, out_here, out_there = make_events(conference, "both", "mine", "theirs", "out here", "out there")
    agenda, _ = make_agenda(conference, both, mine, out_here, out_there)
    other, _ = make_agenda(conference, both, theirs, out_here, out_there)
    agenda.bookmark(out_here, on=False)
    other.bookmark(out_there, on=False)

    changed = merge_agenda(agenda, other)

    assert changed
    assert bookmark_states(agenda) == {"both": True, "mine": True, "theirs": True, "out here": False, "out there": False}
    assert list(Agenda.objects.all()) == [agenda]
    assert Bookmark.objects.count() == 5


def test_absorb_joins_what_is_said_of_a_pick(conference: Conference) -> None:
    event = make_event(conference)
    agenda, _ = make_agenda(conference, event)
    other, _ = make_agenda(conference, event)
    agenda.bookmarks.update(level="later", created_at=at("09:00"), seen_at=at("10:00"))
    other.bookmarks.update(level="maybe", created_at=at("08:00"), seen_at=at("09:30"), presents=True)

    merge_agenda(agenda, other)

    row = agenda.bookmarks.get()
    assert (row.level, row.created_at, row.seen_at, row.presents) == ("maybe", at("08:00"), at("10:00"), True)


def test_absorb_counts_one_change_where_there_is_one(conference: Conference) -> None:
    event = make_event(conference)
    agenda, _ = make_agenda(conference, event)
    other, _ = make_agenda(conference, event)
    other.bookmarks.update(created_at=timezone.now() + dt.timedelta(hours=1))
    before = agenda.revision

    assert not merge_agenda(agenda, other)

    agenda.refresh_from_db()
    assert agenda.revision == before
    third, _ = make_agenda(conference, make_event(conference))
    assert merge_agenda(agenda, third)
    agenda.refresh_from_db()
    assert agenda.revision == before + 1


def test_absorb_keeps_the_later_of_two_private_entries_and_the_removal_of_either(conference: Conference) -> None:
    agenda, _ = make_agenda(conference)
    other, _ = make_agenda(conference)
    times: dict[str, Any] = {"start": at("12:00"), "end": at("13:00")}
    lunch = agenda.private_entries.create(title="Lunch", updated_at=at("08:00"), **times)
    other.private_entries.create(guid=lunch.guid, title="Late lunch", updated_at=at("09:00"), **times)
    flight = agenda.private_entries.create(title="Flight", **times)
    other.private_entries.create(guid=flight.guid, title="Flight", removed_at=at("09:00"), **times)
    other.private_entries.create(title="Call", **times)

    merge_agenda(agenda, other)

    rows = PrivateEntry.objects.values_list("agenda", "title", "removed_at").order_by("title")
    assert list(rows) == [(agenda.pk, "Call", None), (agenda.pk, "Flight", at("09:00")), (agenda.pk, "Late lunch", None)]


@pytest.mark.parametrize("turned", [False, True])
def test_absorb_ends_the_same_in_either_order(conference: Conference, turned: bool) -> None:
    one, two, three = make_events(conference, "one", "two", "three")
    agendas = [make_agenda(conference, one, two)[0], make_agenda(conference, two, three)[0]]
    agendas[0].bookmark(two, on=False)

    first, second = agendas[::-1] if turned else agendas
    merge_agenda(first, second)

    assert bookmark_states(first) == {"one": True, "two": False, "three": True}


def test_merge_visitors_brings_every_conference_together(conference: Conference) -> None:
    elsewhere = make_conference()
    _, new = make_agenda(conference, *make_events(conference, "a"))
    _, old = make_agenda(conference, *make_events(conference, "b"))
    away = Agenda.begin(old, elsewhere)
    away.bookmark(make_event(elsewhere, title="c"), on=True)
    away.set_feed_options(feed_alarm=True)

    merge_visitors(visitor_of(old), visitor_of(new))

    assert bookmark_states(Agenda.objects.for_token(new, conference)) == {"a": True, "b": True}
    there = Agenda.objects.for_token(new, elsewhere)
    assert bookmark_states(there) == {"c": True}
    assert there is not None
    assert there.feed_alarm
    assert [Agenda.objects.for_token(old, it) for it in (conference, elsewhere)] == [None, None]


def test_merge_visitors_tells_the_calendars_of_the_old_one(conference: Conference) -> None:
    agenda, new = make_agenda(conference)
    other, old = make_agenda(conference)
    first = other.feed_token
    other.reset_feed()
    second = other.feed_token

    merge_visitors(visitor_of(old), visitor_of(new))

    assert [Agenda.objects.by_feed(it) for it in (first, second)] == [None, None]
    told = [Agenda.objects.replaced_feed(it) for it in (first, second)]
    assert [it and it.agenda for it in told] == [agenda, agenda]
    assert Agenda.objects.by_feed(agenda.feed_token) == agenda


def test_merge_visitors_ends_the_links_that_the_old_one_made(conference: Conference) -> None:
    # Whoever planted a cookie in somebody's browser knows them.
    _, new = make_agenda(conference)
    other, old = make_agenda(conference)
    link = ReadLink.begin(other)
    assert link is not None

    merge_visitors(visitor_of(old), visitor_of(new))

    assert ReadLink.objects.alive(link.token) is None


@pytest.mark.parametrize(
    ("mine", "theirs", "kept"),
    [
        pytest.param("hotel", "mrt", "hotel", id="both-know"),
        pytest.param("", "mrt", "mrt", id="only-the-other"),
        pytest.param("hotel", "", "hotel", id="only-mine"),
        pytest.param("", "", "", id="neither"),
    ],
)
def test_absorb_keeps_where_one_starts_and_learns_it_if_it_is_not_known(
    conference: Conference, mine: str, theirs: str, kept: str
) -> None:
    agenda, other = make_agenda(conference, make_event(conference))[0], make_agenda(conference, make_event(conference))[0]
    for slug, held in [(mine, agenda), (theirs, other)]:
        if slug:
            held.set_start(StartingPoint.objects.create(conference=conference, name=slug, slug=slug))

    merge_agenda(agenda, other)

    agenda.refresh_from_db()
    assert (agenda.start.slug if agenda.start else "") == kept


def test_visitor_merged_into_a_new_one_starts_where_they_did(conference: Conference) -> None:
    agenda, token = make_agenda(conference, make_event(conference))
    start = StartingPoint.objects.create(conference=conference, name="Hotel", slug="hotel")
    agenda.set_start(start)

    merge_visitors(visitor_of(token), Visitor.objects.create())

    assert [it.start for it in Agenda.objects.all()] == [start]


def test_start_that_is_gone_is_nowhere(conference: Conference) -> None:
    agenda, _ = make_agenda(conference, make_event(conference))
    start = StartingPoint.objects.create(conference=conference, name="Hotel", slug="hotel")
    assert [agenda.set_start(start), agenda.set_start(start)] == [True, False]

    start.delete()

    agenda.refresh_from_db()
    assert agenda.start is None


def test_merge_with_oneself_changes_nothing(conference: Conference) -> None:
    agenda, token = make_agenda(conference, *make_events(conference, "a"))

    merge_visitors(visitor_of(token), visitor_of(token))
    replace_visitor(visitor_of(token), visitor_of(token))

    assert bookmark_states(agenda) == {"a": True}


def test_replace_gives_up_what_was_there(conference: Conference) -> None:
    elsewhere = make_conference()
    agenda, new = make_agenda(conference, *make_events(conference, "a"))
    other, old = make_agenda(conference, *make_events(conference, "b"))
    Agenda.begin(old, elsewhere)
    feed = other.feed_token

    replace_visitor(visitor_of(old), visitor_of(new))

    assert list(Agenda.objects.all()) == [agenda]
    assert bookmark_states(agenda) == {"a": True}
    assert [it.agenda for it in FeedAddress.objects.exclude(replaced_at=None)] == [agenda]
    assert Agenda.objects.replaced_feed(feed)


def test_merge_takes_as_many_queries_for_60_picks_as_for_3(conference: Conference, django_assert_max_num_queries: Any) -> None:
    events = [make_event(conference, announce=False) for _ in range(60)]
    _, new = make_agenda(conference, *events[:40])
    other, old = make_agenda(conference, *events[20:])
    other.bookmark(events[30], on=False)

    with django_assert_max_num_queries(53):
        merge_visitors(visitor_of(old), visitor_of(new))

    merged = Agenda.objects.for_token(new, conference)
    assert merged is not None
    assert merged.bookmarked_ids().count() == 59


def test_change_of_an_agenda_that_is_gone_is_refused(conference: Conference) -> None:
    event = make_event(conference)
    agenda, _ = make_agenda(conference)
    Agenda.objects.all().delete()

    with pytest.raises(AgendaGoneError):
        agenda.bookmark(event, on=True)

    assert not Bookmark.objects.exists()


def test_take_over_works_once(conference: Conference) -> None:
    _, token = make_agenda(conference)
    code = Handover.begin(visitor_of(token))

    taken = [redeem_handover(code, ""), redeem_handover(code, "")]

    assert (visitor_of(taken[0]), taken[0] != token, taken[1]) == (visitor_of(token), True, "")


def test_take_over_of_a_visitor_who_is_gone_opens_nothing(conference: Conference) -> None:
    _, token = make_agenda(conference)
    code = Handover.begin(visitor_of(token))
    agenda, own = make_agenda(conference, *make_events(conference, "mine"))
    forget_visitor(token)

    assert redeem_handover(code, own) == ""
    assert bookmark_states(agenda) == {"mine": True}


def test_take_over_with_crossed_codes_loses_nothing(conference: Conference) -> None:
    _, one = make_agenda(conference, *make_events(conference, "a"))
    _, two = make_agenda(conference, *make_events(conference, "b"))
    codes = [Handover.begin(visitor_of(one)), Handover.begin(visitor_of(two))]

    taken = [redeem_handover(codes[0], two), redeem_handover(codes[1], one)]

    assert taken[1] == ""
    assert [bookmark_states(Agenda.objects.for_token(it, conference)) for it in (one, taken[0])] == [{"a": True, "b": True}] * 2


def test_handover_keeps_no_secret_and_no_code(conference: Conference) -> None:
    _, token = make_agenda(conference)

    code = Handover.begin(visitor_of(token))

    stored = repr(Handover.objects.values().get())
    assert [it in stored for it in (token, code, hash_token(code), hash_token(token))] == [False] * 4
    assert Handover.find_visitor(code) == visitor_of(token)


def test_handover_is_over_after_ten_minutes(conference: Conference) -> None:
    code = Handover.begin(Visitor.objects.create())
    Handover.objects.update(expires_at=timezone.now())

    assert [Handover.find_visitor(code), Handover.use_up(code)] == [None, False]
    Handover.begin(Visitor.objects.create())
    assert Handover.objects.count() == 1


def test_sign_out_elsewhere_changes_every_secret(conference: Conference) -> None:
    agenda, token = make_agenda(conference, *make_events(conference, "a"))
    link = ReadLink.begin(agenda, "Lab")
    assert link is not None
    shown, feed = link.token, agenda.feed_token
    code = Handover.begin(visitor_of(token))
    other = visitor_of(token).new_token()

    fresh = sign_out_elsewhere(token)

    assert (redeem_handover(code, ""), Agenda.objects.for_token(other, conference)) == ("", None)

    assert Agenda.objects.for_token(token, conference) is None
    assert bookmark_states(Agenda.objects.for_token(fresh, conference)) == {"a": True}
    assert ReadLink.objects.alive(shown) is None
    assert Agenda.objects.by_feed(feed) is None
    assert Agenda.objects.replaced_feed(feed)
    agenda.refresh_from_db()
    assert Agenda.objects.by_feed(agenda.feed_token) == agenda


def test_forget_deletes_everything_of_one_visitor_at_every_conference(conference: Conference) -> None:
    agenda, token = make_agenda(conference, make_event(conference))
    Agenda.begin(token, make_conference())
    agenda.private_entries.create(title="Lunch", start=at("12:00"), end=at("13:00"))
    agenda.reset_feed()
    ReadLink.begin(agenda)
    other, _ = make_agenda(conference, make_event(conference))

    assert forget_visitor(token) == 2

    assert list(Agenda.objects.all()) == [other]
    left = [model.objects.count() for model in (Bookmark, PrivateEntry, ReadLink, FeedAddress, Visitor)]
    assert left == [1, 0, 0, 1, 1]
    assert forget_visitor("") == 0


def test_read_link_is_known_by_its_token_until_it_is_taken_back(conference: Conference) -> None:
    agenda, token = make_agenda(conference)
    one, two = ReadLink.begin(agenda, "Lab"), ReadLink.begin(agenda)
    assert one is not None
    assert two is not None

    agenda.read_links.filter(serial=one.serial).revoke()

    assert (one.serial, two.serial) == (1, 2)
    assert ReadLink.objects.alive_by_token([one.token, two.token, token, ""]) == {two.token: two}
    assert two.token not in repr(ReadLink.objects.values())


def test_read_link_of_an_agenda_is_no_feed_and_no_cookie(conference: Conference) -> None:
    agenda, token = make_agenda(conference)
    link = ReadLink.begin(agenda)
    assert link is not None

    opened = link.token

    assert opened not in {token, agenda.feed_token}
    assert Agenda.objects.for_token(opened, conference) is None
    assert Agenda.objects.by_feed(opened) is None
    assert ReadLink.objects.alive(agenda.feed_token) is None


def test_read_links_are_at_most_20_at_a_time(conference: Conference) -> None:
    agenda, _ = make_agenda(conference)

    made = [ReadLink.begin(agenda) for _ in range(21)]

    assert [it is None for it in made] == [False] * 20 + [True]
    agenda.read_links.filter(serial=3).revoke()
    again = ReadLink.begin(agenda)
    assert again is not None
    assert again.serial == 21

"""A conference where a government moves the clocks: hours on the wall stay, instants and calendars move."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from events.models import Announcement, Change, Conference, Event
from events.models.clocks import REASON
from events.models.face import face
from events.queries.changes import lines_of_event
from events.queries.moves import moved_from
from events.schedule.clock import Clock
from tests.clocks import write_zone, zones_from
from tests.factories import THURSDAY, at, make_conference, make_event, make_room
from tests.models.snapshots import changes_of, snapshot

pytestmark = pytest.mark.django_db

ALL_YEAR = ("", 8)
NINE = (("", 8), ("2025-04-01T00:00:00", 9))
"""Singapore an hour further ahead from the first of April on."""
SEVEN = (("", 8), ("2025-04-01T00:00:00", 7))
HOUR = dt.timedelta(hours=1)


def zone(folder: Path, *changes: tuple[str, float]) -> Any:
    return zones_from(write_zone(folder, "Asia/Singapore", *changes))


def follow(conference: Conference) -> list[tuple[str, str, str]]:
    """What moved, by title: from, to, in UTC."""
    moved = Conference.objects.get(pk=conference.pk).follow_zone()
    return [(it.title, f"{it.old:%H:%M}", f"{it.new:%H:%M}") for it in moved]


def times(*events: Event) -> list[tuple[dt.datetime | None, dt.datetime | None]]:
    return [Event.objects.values_list("start", "end").get(pk=event.pk) for event in events]


def test_conference_keeps_the_rules_of_its_zone_from_its_first_save() -> None:
    conference = make_conference(timezone="Europe/Vienna")

    assert Conference.objects.get(pk=conference.pk).zone_rules == (
        "Europe/Vienna\n"
        "2024-03-20T00:00:00+00:00 +3600\n"
        "2024-03-31T01:00:00+00:00 +7200\n"
        "2024-10-27T01:00:00+00:00 +3600\n"
        "2025-03-30T01:00:00+00:00 +7200\n"
        "2025-10-26T01:00:00+00:00 +3600\n"
        "2026-03-29T01:00:00+00:00 +7200\n"
        "2026-06-02T00:00:00+00:00 end"
    )


def test_same_rules_move_nothing() -> None:
    conference = make_conference()
    event = make_event(conference, start="09:00", end="10:00")
    before = snapshot(event)

    assert follow(conference) == []
    assert snapshot(event) == before


def test_wall_times_stay_and_instants_move(tmp_path: Path) -> None:
    conference = make_conference()
    event = make_event(conference, title="Opening", start="09:00", end="10:00")
    before = snapshot(event)

    with zone(tmp_path, *NINE):
        moved = follow(conference)
        shown = Event.objects.get(pk=event.pk).start

        assert shown
        assert shown.astimezone(Conference.objects.get(pk=conference.pk).zone).time() == dt.time(9)
    after = snapshot(event)

    assert moved == [("Opening", "01:00", "00:00")]
    assert times(event) == [(at("08:00"), at("09:00"))]
    assert (after.sequence, after.revision, after.history) == (before.sequence + 1, before.revision + 1, before.history + 1)
    assert after.revised_at > before.revised_at
    assert changes_of(event) == [("clock", "UTC+08:00", "UTC+09:00")]
    assert Change.objects.get().reason == REASON


def test_face_moves_along_so_that_the_next_announcement_is_silent(tmp_path: Path) -> None:
    conference = make_conference()
    session = make_event(conference, start="09:00", end="12:00")
    make_event(conference, kind="talk", session=session, start="09:00", end="10:00")
    conference.events.all().announce()

    with zone(tmp_path, *NINE):
        follow(conference)

        assert [face(event) == event.announced for event in Event.objects.for_faces()] == [True, True]
        assert Event.objects.all().announce() == []


def test_following_twice_is_following_once(tmp_path: Path) -> None:
    conference = make_conference()
    event = make_event(conference, start="09:00", end="10:00")

    with zone(tmp_path, *NINE):
        follow(conference)
        before = snapshot(event)

        assert (follow(conference), snapshot(event)) == ([], before)


def test_end_of_the_sign_up_stays_on_the_wall_also_where_the_hour_is_to_be_announced(tmp_path: Path) -> None:
    conference = make_conference()
    event = make_event(conference, title="Mixer", start=None, end=None, signup_until=at("18:00"))
    event.revise()
    told = len(changes_of(event))

    with zone(tmp_path, *NINE):
        moved = follow(conference)

    event.refresh_from_db()
    assert moved == [("Sign-up: Mixer", "10:00", "09:00")]
    assert event.signup_until == at("18:00") - HOUR
    assert event.announced == face(event)
    assert len(changes_of(event)) == told


def test_way_back_restores_the_times_and_raises_the_sequence_again(tmp_path: Path) -> None:
    conference = make_conference()
    event = make_event(conference, start="09:00", end="10:00")
    before = snapshot(event)

    with zone(tmp_path, *NINE):
        follow(conference)
    follow(conference)

    assert times(event) == [(at("09:00"), at("10:00"))]
    assert (snapshot(event).sequence, snapshot(event).announced) == (before.sequence + 2, before.announced)


def test_only_what_the_new_rules_touch_moves(tmp_path: Path) -> None:
    conference = make_conference()
    early = make_event(conference, start="09:00", end="10:00")
    late = make_event(conference, title="Late", start=at("09:00", dt.date(2025, 5, 2)), end=at("10:00", dt.date(2025, 5, 2)))
    tba = make_event(conference)
    untouched = [snapshot(event)[:3] for event in (early, tba)]

    with zone(tmp_path, ALL_YEAR, ("2025-05-01T00:00:00", 9)):
        assert follow(conference) == [("Late", "01:00", "00:00")]

    assert [snapshot(event)[:3] for event in (early, tba)] == untouched
    assert times(early, late) == [
        (at("09:00"), at("10:00")),
        (at("08:00", dt.date(2025, 5, 2)), at("09:00", dt.date(2025, 5, 2))),
    ]


def test_hidden_event_moves_and_is_told_to_nobody(tmp_path: Path) -> None:
    conference = make_conference()
    draft = make_event(conference, title="Secret", status="draft", start="09:00", end="10:00")

    with zone(tmp_path, *NINE):
        assert follow(conference) == [("Something that nobody was told of yet", "01:00", "00:00")]

    assert times(draft) == [(at("08:00"), at("09:00"))]
    assert (snapshot(draft).sequence, changes_of(draft)) == (0, [])


def test_moves_told_before_still_read_as_they_did(tmp_path: Path) -> None:
    conference = make_conference()
    event = make_event(conference, start="09:00", end="10:00")
    event.start, event.end = at("10:00"), at("11:00")
    event.revise()

    with zone(tmp_path, *NINE):
        follow(conference)

    assert changes_of(event) == [
        ("start", "2025-04-24T00:00:00+00:00", "2025-04-24T01:00:00+00:00"),
        ("end", "2025-04-24T01:00:00+00:00", "2025-04-24T02:00:00+00:00"),
        ("clock", "UTC+08:00", "UTC+09:00"),
    ]


def test_what_a_file_said_moves_along(tmp_path: Path) -> None:
    conference = make_conference()
    event = make_event(conference, start="09:00", end="10:00")
    Event.objects.filter(pk=event.pk).update(imported={"title": event.title, "start": "2025-04-24T03:00:00+00:00", "end": ""})

    with zone(tmp_path, *NINE):
        follow(conference)

    assert Event.objects.get().imported == {"title": event.title, "start": "2025-04-24T02:00:00+00:00", "end": ""}


def test_announcement_still_to_come_moves_and_one_that_has_begun_only_ends(tmp_path: Path, time_machine: Any) -> None:
    time_machine.move_to(at("08:00"), tick=False)
    conference = make_conference()
    gone_up, to_come = (
        Announcement.objects.create(conference=conference, title=title, starts_at=starts, until=at("18:00"))
        for title, starts in [("Welcome", at("07:00")), ("Dinner", at("17:00"))]
    )

    with zone(tmp_path, *NINE):
        assert follow(conference) == [("Dinner", "09:00", "08:00")]

    found = Announcement.objects.order_by("pk").values_list("title", "starts_at", "until")
    assert list(found) == [(gone_up.title, at("07:00"), at("17:00")), (to_come.title, at("16:00"), at("17:00"))]


def test_dry_run_tells_and_writes_nothing(tmp_path: Path) -> None:
    conference = make_conference()
    event = make_event(conference, title="Opening", start="09:00", end="10:00")
    before, rules = snapshot(event), conference.zone_rules

    with zone(tmp_path, *NINE):
        told = [it.title for it in Conference.objects.get().follow_zone(dry_run=True)]

    assert (told, snapshot(event), Conference.objects.get().zone_rules) == (["Opening"], before, rules)


def test_rules_that_are_not_known_are_recorded_and_move_nothing(tmp_path: Path) -> None:
    conference = make_conference()
    event = make_event(conference, start="09:00", end="10:00")
    before = snapshot(event)
    Conference.objects.update(zone_rules="")

    with zone(tmp_path, *NINE):
        assert follow(conference) == []
        assert Conference.objects.get().zone_rules.splitlines()[2] == "2025-04-01T00:00:00+00:00 +32400"

    assert snapshot(event) == before


def test_another_zone_chosen_by_hand_moves_nothing(tmp_path: Path) -> None:
    conference = make_conference()
    event = make_event(conference, start="09:00", end="10:00")
    conference.timezone = "Europe/Vienna"
    conference.revise()

    assert follow(conference) == []
    assert times(event) == [(at("09:00"), at("10:00"))]
    assert Conference.objects.get().zone_rules.startswith("Europe/Vienna\n")


def test_saving_with_new_zone_data_does_not_hide_that_they_are_to_be_followed(tmp_path: Path) -> None:
    conference = make_conference()
    make_event(conference, title="Opening", start="09:00", end="10:00")

    with zone(tmp_path, *NINE):
        stale = Conference.objects.get()
        stale.name, stale.end = "ICLR, the thirteenth", dt.date(2026, 12, 31)
        stale.revise()

        assert follow(conference) == [("Opening", "01:00", "00:00")]
        assert Conference.objects.get().zone_rules.splitlines()[-1] == "2028-02-04T00:00:00+00:00 end"


def test_stale_instance_does_not_bring_old_rules_back(tmp_path: Path) -> None:
    conference = make_conference()
    make_event(conference, start="09:00", end="10:00")
    stale = Conference.objects.get()

    with zone(tmp_path, *NINE):
        follow(conference)
        stale.name = "ICLR, the thirteenth"
        stale.revise()

        assert follow(conference) == []


def test_rules_reach_as_far_as_the_days_of_the_programme() -> None:
    conference = make_conference()
    far = dt.date(2027, 1, 1)
    make_event(conference, start=at("09:00", far), end=at("10:00", far), day=conference.days.create(date=far))
    Conference.objects.update(zone_rules="")

    follow(conference)

    assert Conference.objects.get().zone_rules.splitlines()[-1] == "2027-01-04T00:00:00+00:00 end"


def test_backup_brings_its_rules_along_and_is_followed(tmp_path: Path) -> None:
    conference = make_conference()
    make_event(conference, title="Opening", start="09:00", end="10:00")
    backup = tmp_path / "backup.json"
    call_command("dumpdata", "events", exclude=["events.searchentry"], output=str(backup))
    Conference.objects.all().delete()

    with zone(tmp_path, *NINE):
        call_command("loaddata", str(backup), verbosity=0)

        assert times(Event.objects.get()) == [(at("09:00"), at("10:00"))]
        assert follow(conference) == [("Opening", "01:00", "00:00")]


def test_clock_is_told_in_words(tmp_path: Path) -> None:
    conference = make_conference()
    event = make_event(conference, start="09:00", end="10:00")

    with zone(tmp_path, *NINE):
        follow(conference)
        clock = Clock(at("08:00"), conference.zone)

        assert [(it.what, it.old, it.new, it.reason) for it in lines_of_event(Event.objects.get(pk=event.pk), clock)] == [
            ("Clock at the venue", "UTC+08:00", "UTC+09:00", REASON)
        ]
        assert moved_from(Event.objects.all(), at("00:00"), conference.zone) == {}


def test_migrate_follows(tmp_path: Path) -> None:
    event = make_event(make_conference(), start="09:00", end="10:00")

    with zone(tmp_path, *NINE):
        call_command("migrate", verbosity=0)

    assert times(event) == [(at("08:00"), at("09:00"))]


@pytest.mark.parametrize("count", [1, 3])
def test_following_takes_the_same_queries_for_one_event_and_three(
    count: int, tmp_path: Path, django_assert_num_queries: Any
) -> None:
    conference = make_conference()
    for number in range(count):
        make_event(conference, start="09:00", end="10:00", room=make_room(conference, f"Room {number}"))

    with zone(tmp_path, *NINE):
        stale = Conference.objects.get()
        with django_assert_num_queries(25):
            stale.follow_zone()


def test_nothing_to_follow_costs_no_query(django_assert_num_queries: Any) -> None:
    conference = Conference.objects.get(pk=make_conference().pk)

    with django_assert_num_queries(0):
        conference.follow_zone()


offsets = st.lists(st.sampled_from([ALL_YEAR[1], 7, 7.5, 9, 9.5]), min_size=1, max_size=3)


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(offsets, st.integers(5, 23))
def test_followed_step_by_step_is_followed_at_once(tmp_path: Path, steps: list[float], hour: int) -> None:
    start = dt.datetime.combine(THURSDAY, dt.time(hour), at("00:00").tzinfo)
    whole, at_once = make_conference(), make_conference()
    first, second = (make_event(it, start=start, end=start + HOUR) for it in (whole, at_once))

    for offset in steps:
        with zone(tmp_path, ALL_YEAR, ("2025-04-01T00:00:00", offset)):
            follow(whole)
    with zone(tmp_path, ALL_YEAR, ("2025-04-01T00:00:00", steps[-1])):
        follow(at_once)

    assert times(first) == times(second) == [(start - (steps[-1] - 8) * HOUR, start + HOUR - (steps[-1] - 8) * HOUR)]
    assert snapshot(first).sequence == sum(a != b for a, b in zip([8, *steps], steps, strict=False))

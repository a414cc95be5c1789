from __future__ import annotations

import pytest
from django.http import QueryDict
from pytest_django import DjangoAssertNumQueries

from events.models import Conference, Event, Topic, Track
from events.programme.queries.filters import (
    FILTER_FIELDS,
    chosen_events,
    filter_events,
    filters_for,
    replaced_query,
    schedule_filter_selection,
    toggled_query,
    with_room_numbers,
)
from tests.factories import make_conference, make_event, make_room, make_zone
from tests.pages.queries.reading import query

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]


class World:
    """Three events over two kinds, tracks, rooms and topics."""

    def __init__(self) -> None:
        self.conference: Conference = make_conference()
        self.hall, self.garnet = make_room(self.conference, "Hall 1"), make_room(self.conference, "Garnet", position=1)
        theory, practice = (Track.objects.create(conference=self.conference, name=name) for name in ("Theory", "Practice"))
        topic = Topic.objects.create(conference=self.conference, area="RL", subarea="Bandits")
        make_event(self.conference, title="A", kind="talk", room=self.hall, track=theory, topic=topic)
        make_event(self.conference, title="B", kind="talk", room=self.garnet, track=practice, language="pt")
        make_event(self.conference, title="C", kind="session", room=self.hall, track=theory, language="pt-BR")

    def shown(self, asked: QueryDict) -> str:
        return "".join(sorted(event.title for event in filter_events(Event.objects.all(), asked)))


@pytest.fixture
def world() -> World:
    return World()


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        pytest.param(query(), "ABC", id="nothing"),
        pytest.param(query(type="talk"), "AB", id="kind"),
        pytest.param(query(track="theory"), "AC", id="track"),
        pytest.param(query(topic="rl-bandits"), "A", id="topic"),
        pytest.param(query(type="talk", track="theory"), "A", id="kind-and-track"),
        pytest.param(query(type=["talk", "session"]), "ABC", id="either-kind"),
        pytest.param(query(type=["talk", "nobody-knows"]), "AB", id="one-that-is-known"),
        pytest.param(query(language="pt"), "BC", id="language-of-any-region"),
        pytest.param(query(language="pt-BR"), "C", id="language-of-a-region"),
        pytest.param(query(language=["pt-BR", "de"]), "C", id="either-language"),
        pytest.param(query(language="p"), "", id="half-a-language"),
        pytest.param(query(language='"><script>'), "", id="no-language"),
        pytest.param(query(language="%"), "", id="language-as-a-pattern"),
        pytest.param(query(language="x" * 5_000), "", id="language-longer-than-any"),
        pytest.param(query(type="nobody-knows"), "", id="unknown"),
        pytest.param(query(type=""), "ABC", id="empty"),
        pytest.param(query(type="", room=""), "ABC", id="two-empty"),
        pytest.param(query(type="\x00"), "", id="nul"),
        pytest.param(query(type="x" * 61), "", id="longer-than-any"),
        pytest.param(query(room="hall-1"), "", id="room-that-is-no-number"),
        pytest.param(query(room="²"), "", id="room-by-a-digit-that-is-none"),
        pytest.param(query(room="9" * 30), "", id="room-beyond-any-number"),
        pytest.param(query(room="99999999"), "", id="unknown-room"),
        pytest.param(query(other="x"), "ABC", id="other-words"),
    ],
)
def test_narrowed_to_what_the_address_asks(world: World, asked: QueryDict, shown: str) -> None:
    assert world.shown(asked) == shown


def test_narrowed_to_a_room(world: World) -> None:
    rooms = [str(world.hall.pk), str(world.garnet.pk)]

    assert [world.shown(query(room=it)) for it in (rooms[0], rooms[1], rooms)] == ["AC", "B", "ABC"]


def numbers(world: World, *asked: str) -> list[str]:
    return with_room_numbers(world.conference, query(room=list(asked))).getlist("room")


def test_room_may_be_named_as_on_wall_screens(world: World) -> None:
    hall, garnet = str(world.hall.pk), str(world.garnet.pk)
    annex = make_zone(world.conference, "Annex")
    other = str(make_room(world.conference, "hall (1)", zone=annex).pk)

    named = [numbers(world, *it) for it in (["garnet"], ["GARNET"], ["Hall 1"], ["hall-1", garnet], ["hall-2"], ["", "²"])]

    assert named == [[garnet], [garnet], [hall, other], [hall, other, garnet], ["hall-2"], ["²"]]


def test_room_may_be_named_by_its_slug_in_schedule_json(world: World) -> None:
    room = make_room(world.conference, "Garnet 212–213")

    assert [numbers(world, name) for name in ("garnet-212-213", "garnet-212213")] == [[str(room.pk)]] * 2


def test_blank_choice_of_a_file_chooses_nothing(world: World) -> None:
    asked = query(day=[""], kind=["", "talk"], layer=[""])

    assert schedule_filter_selection(asked) == (("kind", ("talk",)),)
    assert {it.title for it in chosen_events(world.conference, asked)} == {"A", "B"}
    assert schedule_filter_selection(query(day=["", "nonsense"])) == (("day", ()),)


def test_room_by_its_number_needs_no_query(world: World, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(0):
        assert numbers(world, "1", "") == ["1", ""]


def test_filters_have_the_choices_that_the_events_leave_with_their_counts(world: World) -> None:
    filters = filters_for(Event.objects.all(), query(type="talk"), world.conference)

    assert [(it.label, it.value, it.count, it.active, it.line) for it in filters.kinds] == [
        ("Session", "session", 1, False, "session"),
        ("Talk", "talk", 2, True, "session"),
    ]
    assert [(it.label, it.count) for it in filters.tracks] == [("Practice", 1), ("Theory", 1)]
    assert [(it.label, it.value, it.count) for it in filters.rooms] == [
        ("Hall 1", str(world.hall.pk), 1),
        ("Garnet", str(world.garnet.pk), 1),
    ]
    assert [(it.value, it.count) for it in filters.topics] == [("rl-bandits", 1)]


@pytest.mark.parametrize("asked", [query(), query(type="talk"), query(type="session", track="theory"), query(language="pt-BR")])
def test_number_of_a_choice_is_what_one_tap_shows(world: World, asked: QueryDict) -> None:
    make_event(world.conference, title="D", kind="talk", language="de")
    filters = filters_for(Event.objects.all(), asked, world.conference)
    choices = {
        (name, it.value): it
        for name, group in zip(
            FILTER_FIELDS, (filters.kinds, filters.tracks, filters.rooms, filters.topics, filters.languages), strict=True
        )
        for it in group
    }

    shown = {(name, value): len(world.shown(QueryDict(replaced_query(asked, name, value)[1:]))) for name, value in choices}

    assert {key: it.count for key, it in choices.items()} == shown
    assert len(choices) > 6


def test_filters_have_languages_where_a_programme_has_several(world: World) -> None:
    def languages() -> list[tuple[str, str, int | None, bool]]:
        filters = filters_for(Event.objects.all(), query(language="pt"), world.conference)
        return [(it.label, it.value, it.count, it.active) for it in filters.languages]

    assert languages() == []
    make_event(world.conference, title="D", kind="talk", language="de")
    assert languages() == [("German", "de", 1, False), ("Portuguese", "pt", 2, True)]


def test_filters_count_only_the_events_they_are_given(world: World) -> None:
    filters = filters_for(Event.objects.filter(title="A"), query(), world.conference)

    assert [(it.label, it.count) for it in [*filters.kinds, *filters.tracks, *filters.rooms]] == [
        ("Talk", 1),
        ("Theory", 1),
        ("Hall 1", 1),
    ]


@pytest.mark.parametrize(
    ("asked", "active", "any_"),
    [
        pytest.param(query(), [], False, id="nothing"),
        pytest.param(query(type="talk", track="theory"), ["Talk", "Theory"], True, id="two"),
        pytest.param(query(type="nobody-knows"), [], True, id="unknown"),
        pytest.param(query(room="hall-1"), [], True, id="unknown-room"),
    ],
)
def test_filters_say_what_is_chosen(world: World, asked: QueryDict, active: list[str], any_: bool) -> None:
    filters = filters_for(Event.objects.all(), asked, world.conference)

    assert ([choice.label for choice in filters.active], filters.any) == (active, any_)


def test_filters_can_be_cleared_and_the_rest_stays(world: World) -> None:
    filters = filters_for(Event.objects.all(), query(type="talk", room="1", view="grid", at="2025-04-24T09:30"), world.conference)

    assert filters.clear_url == "?view=grid&at=2025-04-24T09%3A30"
    assert filters_for(Event.objects.all(), query(type="talk"), world.conference).clear_url == "?"


@pytest.mark.parametrize(
    ("asked", "url"),
    [
        pytest.param(query(), "?type=talk", id="taken"),
        pytest.param(query(type="talk"), "?", id="given-back"),
        pytest.param(query(type="session"), "?type=session&type=talk", id="added"),
        pytest.param(query(type=["session", "talk"]), "?type=session", id="one-of-two-given-back"),
        pytest.param(query(page="3", view="grid"), "?view=grid&type=talk", id="from-the-first-page-again"),
    ],
)
def test_toggled(asked: QueryDict, url: str) -> None:
    before = asked.urlencode()

    assert toggled_query(asked, "type", "talk") == url
    assert asked.urlencode() == before


@pytest.mark.parametrize(
    ("asked", "value", "url"),
    [
        pytest.param(query(), "mrt", "?from=mrt", id="set"),
        pytest.param(query(dry="1"), "mrt", "?dry=1&from=mrt", id="added"),
        pytest.param(query(dry="1", page="2"), "", "?dry=1", id="taken-out"),
        pytest.param(query(), "", "?", id="nothing-left"),
    ],
)
def test_replaced(asked: QueryDict, value: str, url: str) -> None:
    assert replaced_query(asked, "from", value) == url

"""The shipped conferences have the facts of their sources, and no others."""

from __future__ import annotations

import datetime as dt
import functools
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from events.imports.formats.seeds.reader import parse_folder
from events.programme.data.place import LegData, WalkData
from events.programme.data.schedule import AppearanceData, EventData, ScheduleData
from events.venue.rules.routes import RouteStep, is_dry, is_gate_free, is_step_free, total_minutes
from events.web.icons import icon_paths

ROOT = Path(__file__).parents[4]
SLUGS = ["iclr-2019", "iclr-2024", "iclr-2025"]


@functools.cache
def seeds(slug: str) -> ScheduleData:
    return parse_folder(ROOT / "seeds" / slug)


def of_type(slug: str, *types: str) -> list[EventData]:
    return [event for event in seeds(slug).events if event.type in types]


def hours(slug: str, event: EventData) -> str:
    """“15:00–17:30”, at the venue."""
    zone = ZoneInfo(seeds(slug).conference.timezone)
    times = [time.astimezone(zone).strftime("%H:%M") for time in (event.start, event.end) if time]
    return "–".join(times)


def steps(legs: tuple[LegData, ...]) -> list[RouteStep]:
    return [RouteStep(leg.minutes, leg.covered, leg.step_free, leg.gate_free) for leg in legs]


def test_every_folder_is_a_conference() -> None:
    folders = sorted(path.name for path in (ROOT / "seeds").iterdir() if path.is_dir())

    assert folders == SLUGS


@pytest.mark.parametrize("slug", SLUGS)
def test_folder_parses_without_a_warning(slug: str) -> None:
    schedule = seeds(slug)

    assert schedule.conference.slug == slug
    assert schedule.warnings == ()


@pytest.mark.parametrize("slug", SLUGS)
def test_icons_are_drawn(slug: str) -> None:
    named = {kind.icon for kind in seeds(slug).types} | {service.icon for service in seeds(slug).services}

    assert named - icon_paths().keys() == set()


@pytest.mark.parametrize("slug", SLUGS)
def test_guessed_end_stands_as_tentative_and_says_so(slug: str) -> None:
    usual = {kind.key: dt.timedelta(minutes=kind.default_minutes) for kind in seeds(slug).types}
    guessed = [event for event in seeds(slug).events if "the end shown" in event.abstract.lower()]

    assert guessed or slug == "iclr-2024"
    assert [event.key for event in guessed if event.status != "tentative"] == []
    assert [event.key for event in guessed if event.start and event.end and event.end - event.start != usual[event.type]] == []


@pytest.mark.parametrize("slug", SLUGS)
def test_event_without_an_hour_is_tentative(slug: str) -> None:
    assert {event.status for event in seeds(slug).events if event.start is None} == {"tentative"}


@pytest.mark.parametrize("slug", SLUGS)
def test_notes_name_their_source(slug: str) -> None:
    noted = [event for event in seeds(slug).events if event.notes or event.notes_source]

    assert [event.key for event in noted if not (event.notes and event.notes_source)] == []


def test_iclr_2025_has_six_invited_talks_on_their_days() -> None:
    talks = of_type("iclr-2025", "invited-talk")

    assert [(talk.day, talk.people[0].person, talk.title, talk.room) for talk in talks] == [
        ("2025-04-24", "zico-kolter", "Building Safe and Robust AI Systems", ""),
        ("2025-04-24", "song-chun-zhu", "Framework, Prototype, Definition and Benchmark", "hall-1"),
        ("2025-04-25", "yi-ma", "Pursuing the Nature of Intelligence", ""),
        ("2025-04-25", "dawn-song", "Towards Building Safe and Secure AI: Lessons and Open Challenges", ""),
        ("2025-04-26", "danqi-chen", "Training Language Models in Academia: Challenge or Calling?", ""),
        ("2025-04-26", "tim-rocktaschel", "Open-Endedness, World Models, and the Automation of Innovation", ""),
    ]
    assert {talk.start for talk in talks} == {None}
    assert {talk.recording_from for talk in talks} == {dt.date(2025, 5, 28)}


def test_iclr_2025_gives_hours_only_where_a_source_does() -> None:
    timed = [event for event in seeds("iclr-2025").events if event.start and not event.session]

    assert [(event.key, event.day[-2:], hours("iclr-2025", event), event.room, event.status) for event in timed] == [
        ("registration-early", "23", "14:00–19:00", "", "confirmed"),
        ("registration-24", "24", "07:30–08:30", "", "tentative"),
        ("registration-25", "25", "08:00–09:00", "", "tentative"),
        ("registration-26", "26", "08:00–09:00", "", "tentative"),
        ("registration-27", "27", "08:00–09:00", "", "tentative"),
        ("registration-28", "28", "08:00–09:00", "", "tentative"),
        ("posters-thu-afternoon", "24", "15:00–17:30", "posters", "confirmed"),
        ("posters-fri-afternoon", "25", "15:00–17:30", "posters", "tentative"),
        ("verifai", "27", "08:55–17:05", "garnet-218-219", "confirmed"),
        ("cv4chl", "27", "08:30–17:30", "peridot-204-205", "confirmed"),
        ("mlgenx", "27", "09:00–18:00", "garnet-212-213", "confirmed"),
        ("weight-space-learning", "27", "09:00–17:30", "topaz-220-225", "confirmed"),
        ("data-fm", "28", "09:00–17:00", "hall-4-4", "tentative"),
        ("sci-fm", "28", "08:00–17:10", "hall-4-5", "tentative"),
    ]


def test_iclr_2025_workshops_hold_what_is_in_them() -> None:
    events = {event.key: event for event in seeds("iclr-2025").events}
    inside = [event for event in events.values() if event.session and events[event.session].type == "workshop"]

    assert len(inside) == 91
    for event in inside:
        workshop = events[event.session]
        assert (event.room, event.day) == (workshop.room, workshop.day)
        assert None not in (event.start, event.end, workshop.start, workshop.end)
        assert workshop.start <= event.start < event.end <= workshop.end  # type: ignore[operator]


def test_iclr_2025_posters_hang_on_their_boards() -> None:
    posters = of_type("iclr-2025", "poster")

    assert [(poster.board, poster.session, poster.paper) for poster in posters] == [
        ("#461", "posters-thu-afternoon", "causal-order"),
        ("#194", "posters-fri-afternoon", "equivariant-denoisers"),
    ]


def test_iclr_2025_socials_are_official_or_not() -> None:
    socials = of_type("iclr-2025", "affinity", "social")

    assert [(social.title, social.type, social.official, social.at_venue, social.day) for social in socials] == [
        ("Muslims in ML social", "affinity", True, None, ""),
        ("Women in Machine Learning social", "affinity", True, None, ""),
        ("LatinX in AI social", "affinity", True, None, ""),
        ("Queer in AI social", "affinity", True, None, ""),
        ("LMSys afterparty", "social", False, None, ""),
    ]


def test_iclr_2025_awards_go_to_papers_and_their_talks() -> None:
    schedule = seeds("iclr-2025")

    assert [(award.name, award.level, award.paper, award.event) for award in schedule.awards] == [
        ("Test of Time", "winner", "adam", "test-of-time-adam"),
        ("Test of Time", "runner-up", "nmt", "test-of-time-nmt"),
        ("Outstanding Paper", "winner", "safety-alignment", "oral-safety-alignment"),
        ("Outstanding Paper", "winner", "learning-dynamics", "oral-learning-dynamics"),
        ("Outstanding Paper", "winner", "alphaedit", "oral-alphaedit"),
        ("Outstanding Paper", "honourable-mention", "data-shapley", "oral-data-shapley"),
        ("Outstanding Paper", "honourable-mention", "sam-2", "oral-sam-2"),
        ("Outstanding Paper", "honourable-mention", "faster-cascades", "oral-faster-cascades"),
    ]
    papers = {paper.key: paper for paper in schedule.papers}
    assert [award.paper for award in schedule.awards if not papers[award.paper].tldr or not papers[award.paper].authors] == []


def test_iclr_2025_test_of_time_talk_is_given_from_two_places() -> None:
    adam, nmt = of_type("iclr-2025", "test-of-time")

    assert adam.people == (AppearanceData(person="diederik-kingma"), AppearanceData(person="jimmy-ba", remote=True))
    assert nmt.people == (AppearanceData(person="dzmitry-bahdanau"),)
    assert {adam.day, nmt.day} == {""}


def test_iclr_2025_days_begin_before_the_conference() -> None:
    schedule = seeds("iclr-2025")

    assert [day.key for day in schedule.days] == [f"2025-04-{day}" for day in range(22, 29)]
    assert (schedule.conference.start, schedule.conference.end) == (dt.date(2025, 4, 24), dt.date(2025, 4, 28))


def test_iclr_2025_routes_promise_what_the_source_says() -> None:
    found = {
        route.key: (total_minutes(way), is_dry(way), is_step_free(way), is_gate_free(way))
        for route in seeds("iclr-2025").routes
        for way in [steps(route.legs)]
    }

    assert found == {
        "from-airport": ((15, False), False, False, False),
        "from-downtown": ((30, False), False, False, False),
        "from-expo-station": ((0, False), True, True, True),
        "from-dorsett": ((0, False), False, False, False),
        "from-park-avenue": ((0, False), False, False, False),
        "under-changi-south-avenue": ((0, False), False, True, True),
        "from-city-point": ((0, False), True, True, True),
    }


def test_iclr_2025_counts_as_its_fact_sheet_does() -> None:
    facts = {fact.key: fact.value for fact in seeds("iclr-2025").facts}

    assert facts["participants"] == "11,039"
    assert facts["papers-submitted"] == "11,603"
    assert facts["papers-accepted"] == "3,704"
    assert facts["acceptance-rate"] == "32 %"
    assert [edition.year for edition in seeds("iclr-2025").past_editions] == list(range(2024, 2012, -1))


def test_iclr_2024_has_seven_invited_talks_on_their_days() -> None:
    names = {person.key: person.name for person in seeds("iclr-2024").people}

    assert [(talk.day, names[talk.people[0].person], talk.start) for talk in of_type("iclr-2024", "invited-talk")] == [
        ("2024-05-07", "Priya Donti", None),
        ("2024-05-07", "Kate Downing", None),
        ("2024-05-08", "Raia Hadsell", None),
        ("2024-05-09", "Devi Parikh", None),
        ("2024-05-09", "Jie Tang", None),
        ("2024-05-10", "Moritz Hardt", None),
        ("2024-05-10", "Kyunghyun Cho", None),
    ]


def test_iclr_2024_awards_link_their_papers() -> None:
    schedule = seeds("iclr-2024")
    linked = {paper.key for paper in schedule.papers if [link.kind for link in paper.links] == ["paper"]}

    levels = [(award.name, award.level, award.paper in linked) for award in schedule.awards]

    assert levels == [
        ("Test of Time", "winner", False),
        ("Test of Time", "runner-up", False),
        *[("Outstanding Paper", "winner", True)] * 5,
        *[("Outstanding Paper", "honourable-mention", True)] * 11,
    ]


def test_iclr_2024_workshop_is_in_the_time_of_vienna() -> None:
    workshop = of_type("iclr-2024", "workshop")[0]

    assert (workshop.start, workshop.end) == (
        dt.datetime(2024, 5, 11, 6, 30, tzinfo=dt.UTC),
        dt.datetime(2024, 5, 11, 15, tzinfo=dt.UTC),
    )


def test_iclr_2024_venue_claims_no_coordinates() -> None:
    assert [(venue.name, venue.latitude, venue.longitude) for venue in seeds("iclr-2024").venues] == [("Messe Wien", None, None)]


def test_iclr_2019_keeps_its_rhythm() -> None:
    timed = [event for event in seeds("iclr-2019").events if event.start]

    assert [(event.key, event.day[-2:], hours("iclr-2019", event)) for event in timed] == [
        ("opening", "06", "08:45–09:00"),
        ("keynote-mon-morning", "06", "09:00–10:00"),
        ("keynote-tue-morning", "07", "09:00–10:00"),
        ("posters-tue-morning", "07", "11:00–13:00"),
        ("keynote-wed-morning", "08", "09:00–10:00"),
        ("keynote-thu-morning", "09", "09:00–10:00"),
    ]
    assert len(of_type("iclr-2019", "keynote")) == 8
    assert {kind.key: kind.default_minutes for kind in seeds("iclr-2019").types if kind.key in {"oral", "coffee"}} == {
        "oral": 15,
        "coffee": 30,
    }


def test_iclr_2019_parties_are_elsewhere_and_the_reception_is_not() -> None:
    socials = of_type("iclr-2019", "social")

    assert [(social.title, social.day[-2:], social.official, social.at_venue) for social in socials] == [
        ("Salesforce party", "08", False, False),
        ("Microsoft party", "08", False, False),
        ("Facebook party", "08", False, False),
        ("DeepMind party", "08", False, False),
        ("Closing reception", "09", True, True),
    ]


def test_iclr_2019_workshops_are_five_minutes_away() -> None:
    walk = WalkData(key="main-halls--workshop-rooms", origin="main-halls", destination="workshop-rooms", minutes=5)

    assert seeds("iclr-2019").walks == (walk,)

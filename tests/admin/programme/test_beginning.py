"""What a new conference comes with: days, usual types, a zone and an address; and what follows its dates."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from events.admin.base.pickers import LINE_HEX, TYPE_ICONS
from events.core.db.fields import COLOUR_LINES
from events.models import Conference, Day, EventType, Track
from events.programme.models.beginning import USUAL_TYPES
from tests.admin.pages import errors_of, messages_of, open_form, save, sent_by, url
from tests.factories import at, make_conference, make_day, make_event, make_type

pytestmark = pytest.mark.django_db

TYPED = {"name": "NordML 2027", "start": "2027-03-10", "end": "2027-03-12", "city": "Oslo", "country": "Norway"}


def add(client: Client, **typed: Any) -> Any:
    return save(client, url("add", "conference"), open_form(client, url("add", "conference")), **{**TYPED, **typed})


def change(client: Client, conference: Conference, **typed: Any) -> list[str]:
    address = url("change", "conference", conference.pk)
    answer = save(client, address, open_form(client, address), **typed)
    assert answer.status_code == 302
    return [text for text in messages_of(answer) if "successfully" not in text]


def day_link(day: Day) -> str:
    address = url("changelist", "event")
    query = f"conference__id__exact={day.conference_id}&amp;day__id__exact={day.pk}"
    return f'<a href="{address}?{query}">{day.date:%a %-d %B %Y}</a>'


def days_of(conference: Conference) -> list[str]:
    return [f"{day.date:%d %b}" for day in conference.days.all()]


def test_proposals_end_at_a_moment_by_the_clock_of_the_venue(organiser: Client) -> None:
    conference = make_conference()
    page = organiser.get(url("change", "conference", conference.pk)).text
    assert "Singapore time (Asia/Singapore). The last moment to propose a social; empty: a week after the last day." in page

    change(organiser, conference, proposals_until_0="2025-04-24", proposals_until_1="18:00")
    conference.refresh_from_db()

    assert conference.proposals_until == at("18:00")
    add(organiser, copy_from=conference.pk)
    assert Conference.objects.get(name="NordML 2027").proposals_until is None


def test_new_conference_has_its_days_its_types_a_zone_and_an_address(organiser: Client) -> None:
    add(organiser)

    conference = Conference.objects.get()
    assert (conference.slug, conference.timezone, conference.status) == ("nordml-2027", "Europe/Oslo", "draft")
    assert days_of(conference) == ["10 Mar", "11 Mar", "12 Mar"]
    assert list(conference.types.values_list("name", "slug", "kind")) == [
        ("Session", "session", "session"),
        ("Talk", "talk", "talk"),
        ("Keynote", "keynote", "invited-talk"),
        ("Workshop", "workshop", "session"),
        ("Poster session", "poster-session", "session"),
        ("Social", "social", "social"),
        ("Break", "break", "break"),
        ("Meal", "meal", "break"),
        ("Registration", "registration", "service"),
    ]


@pytest.mark.parametrize(
    ("typed", "zone"),
    [
        pytest.param({"timezone": "Asia/Singapore"}, "Asia/Singapore", id="typed name"),
        pytest.param({"timezone": "tokyo"}, "Asia/Tokyo", id="typed city"),
        pytest.param({"city": "Bergen"}, "Europe/Oslo", id="country with one zone"),
    ],
)
def test_zone_is_found_by_city_and_country(organiser: Client, typed: dict[str, str], zone: str) -> None:
    add(organiser, **typed)

    assert Conference.objects.get().timezone == zone


def test_unknown_place_asks_for_the_zone(organiser: Client) -> None:
    refused = add(organiser, city="", country="")

    assert errors_of(refused) == {"timezone": ["Write a large city of this time zone, such as Oslo."]}
    assert Conference.objects.count() == 0


def test_taken_or_reserved_address_made_of_the_name_is_refused_in_a_sentence(organiser: Client) -> None:
    make_conference(slug="nordml-2027")

    taken, reserved = add(organiser), add(organiser, name="Static")

    sentence = "/nordml-2027/ is the address of ICLR 2025 already: choose another, such as nordml-2027-2."
    assert errors_of(taken) == {"slug": [sentence]}
    assert errors_of(reserved) == {"slug": ["“static” is an address of the site itself: add the year, static-2027."]}


def test_address_of_a_moved_admin_is_reserved_too(organiser: Client, settings: Settings) -> None:
    # The addresses of the process are made before, and stay for the tests after this one.
    assert organiser.get("/organise/").status_code == 200
    settings.ADMIN_PATH = "crew/"

    refused = add(organiser, name="Crew")

    assert errors_of(refused) == {"slug": ["“crew” is an address of the site itself: add the year, crew-2027."]}


def test_address_is_named_as_on_other_pages_and_says_what_it_may_be(organiser: Client) -> None:
    conference = make_conference(slug="demo")

    refused = add(organiser, slug="Übel")
    changed = organiser.get(url("change", "conference", conference.pk))
    listed = organiser.get(url("changelist", "conference"))

    assert errors_of(refused) == {"slug": ["“Übel” is not an address: use a to z, digits and hyphens, such as iclr-2025."]}
    assert [(">Address:<" in page.text, "Slug" in page.text) for page in (refused, changed)] == [(True, False), (True, False)]
    assert "column-address" in listed.text


@pytest.mark.parametrize("name", ["京都会議", "日本会議 🎉", "🎉"])
def test_name_without_latin_letters_asks_for_an_address(organiser: Client, name: str) -> None:
    refused = add(organiser, name=name)

    assert errors_of(refused) == {
        "slug": [f"No address can be made from “{name}”: write one in Latin letters, such as kyoto-2027."]
    }
    assert Conference.objects.count() == 0
    add(organiser, name=name, slug="kyoto-2027")
    assert organiser.get("/organise/").status_code == 200


def test_day_outside_the_dates_is_saved_with_a_warning(organiser: Client) -> None:
    conference = make_conference(name="NordML", start=dt.date(2027, 3, 10), end=dt.date(2027, 3, 12))
    day = {"conference": conference.pk, "date": "2028-03-10", "title": "", "note": ""}

    saved = organiser.post(url("add", "day"), day, follow=True)

    assert messages_of(saved)[0] == (
        "Fri 10 March 2028 is outside the dates of NordML (Wed 10 March 2027 to Fri 12 March 2027): correct the day, or these "
        "dates."
    )
    assert conference.days.count() == 1


@pytest.mark.parametrize("place", ["conference", "day"])
def test_day_with_events_keeps_its_date(organiser: Client, place: str) -> None:
    conference = make_conference()
    busy, free = make_day(conference), make_day(conference, dt.date(2025, 4, 26))
    for _ in range(2):
        make_event(conference, day=busy, start="09:00", end="10:00")
    dates = {busy: "2025-04-23", free: "2025-04-27"}
    if place == "conference":
        address = url("change", "conference", conference.pk)
        typed: dict[str, Any] = {f"days-{number}-date": date for number, date in enumerate(dates.values())}
        refused = save(organiser, address, open_form(organiser, address), **typed)
        del typed["days-0-date"]
        save(organiser, address, open_form(organiser, address), **typed)
    else:
        refused, _ = [
            save(organiser, url("change", "day", day.pk), open_form(organiser, url("change", "day", day.pk)), date=date)
            for day, date in dates.items()
        ]

    sentence = (
        "2 events are on Thu 24 April 2025, so its date stays: add another day, move them there with “Change day …” in the "
        "list of events or in their forms, then delete this one."
    )
    assert errors_of(refused) == {"days-0-date" if place == "conference" else "date": [sentence]}
    assert days_of(conference) == ["24 Apr", "27 Apr"]


def test_longer_conference_gets_the_new_days_only(organiser: Client) -> None:
    conference = make_conference(start=dt.date(2027, 3, 10), end=dt.date(2027, 3, 12))
    for date in (10, 12):
        make_day(conference, dt.date(2027, 3, date))

    told = change(organiser, conference, end="2027-03-14")

    assert days_of(conference) == ["10 Mar", "12 Mar", "13 Mar", "14 Mar"]
    assert told == ["Made: Sat 13 March 2027, Sun 14 March 2027."]


def test_shorter_conference_keeps_days_with_something_on_them_and_names_them(organiser: Client) -> None:
    conference = make_conference(start=dt.date(2027, 3, 10), end=dt.date(2027, 3, 14))
    days = [make_day(conference, dt.date(2027, 3, date)) for date in range(9, 15)]
    for _ in range(2):
        make_event(conference, day=days[4])
    Day.objects.filter(pk=days[5].pk).update(title="Excursion")

    told = change(organiser, conference, end="2027-03-11")

    assert days_of(conference) == ["09 Mar", "10 Mar", "11 Mar", "13 Mar", "14 Mar"]
    assert told == [
        "Deleted, because nothing was on them: Fri 12 March 2027.",
        (
            "Outside the dates, but not deleted, because of a title, a note or an import: "
            f'<a href="{url("change", "day", days[5].pk)}">Sun 14 March 2027</a>.'
        ),
        (
            f"No event was moved: outside the dates attendees see 2 events on {day_link(days[4])}. "
            "Open a day, choose its events, and move them with “Change day …” or “Move by minutes …”."
        ),
    ]


def test_postponed_conference_offers_to_move_its_programme(organiser: Client) -> None:
    conference = make_conference(start=dt.date(2027, 3, 10), end=dt.date(2027, 3, 10), status="draft")
    make_event(conference, day=(day := make_day(conference, dt.date(2027, 3, 10))))
    address = url("move", "conference", conference.pk)

    told = change(organiser, conference, start="2027-03-17", end="2027-03-17")

    assert told == [
        "Made: Wed 17 March 2027.",
        (
            f"No event was moved: outside the dates the schedule has 1 event on {day_link(day)}. "
            f'<a href="{address}?days=7">Move the whole programme by 7 days …</a>, or open a day and move some of it.'
        ),
    ]
    assert sent_by(organiser.get(f"{address}?days=7"))["days"] == "7"


def test_too_long_conference_gets_no_days(organiser: Client) -> None:
    answer = add(organiser, end="2028-03-12")

    assert Day.objects.count() == 0
    assert "No days were made, because NordML 2027 lasts longer than 100 days: check its dates, or add days." in messages_of(
        answer
    )


def test_other_changes_leave_the_days_alone(organiser: Client) -> None:
    conference = make_conference()

    assert (change(organiser, conference, name="Renamed"), days_of(conference)) == ([], [])


def test_icon_and_colour_are_pictures(organiser: Client) -> None:
    conference = make_conference()
    row = make_type(conference, colour="invited", icon="brought-by-a-file")
    address = url("change", "eventtype", row.pk)

    form = open_form(organiser, address)
    save(organiser, address, form)
    kept = EventType.objects.get().icon
    save(organiser, address, form, icon="coffee", colour="break")
    refused = save(organiser, address, open_form(organiser, address), icon="nonsense")

    assert (form["icon"], form["colour"], kept) == ("brought-by-a-file", "invited", "brought-by-a-file")
    assert list(EventType.objects.values_list("icon", "colour")) == [("coffee", "break")]
    assert errors_of(refused) == {"icon": ["“nonsense” is not one of the icons: choose a picture."]}


@pytest.mark.parametrize(
    ("sent", "stored"),
    [
        pytest.param({"colour": "other", "colour_other": "#123abc"}, "#123abc", id="another one"),
        pytest.param({"colour": "", "colour_other": "#123abc"}, "#123abc", id="typed only"),
        pytest.param({"colour": "#b3164b", "colour_other": "#123abc"}, "#b3164b", id="a picture"),
        pytest.param({"colour": "", "colour_other": ""}, "", id="none"),
    ],
)
def test_colour_of_a_track_is_a_picture_or_digits(organiser: Client, sent: dict[str, str], stored: str) -> None:
    track = Track.objects.create(conference=make_conference(), name="Vision", colour="#00ff00")
    address = url("change", "track", track.pk)
    form = open_form(organiser, address)

    save(organiser, address, form, **sent)

    assert (form["colour"], form["colour_other"]) == ("other", "#00ff00")
    assert Track.objects.get().colour == stored


def test_every_usual_type_has_an_icon_that_can_be_picked() -> None:
    assert {usual.icon for usual in USUAL_TYPES} <= set(TYPE_ICONS)
    assert set(LINE_HEX) == set(COLOUR_LINES)

"""The page with numbers about a conference, and its files."""

from __future__ import annotations

import csv
import datetime as dt
import io
import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from events.models import Agenda, BookmarkLevel, Conference, Event, FeedFetch, MissedSearch, UncountedAgendas
from tests.factories import at, make_agenda, make_conference, make_day, make_event

pytestmark = pytest.mark.django_db
PAGE = "/organise/events/conference/numbers/"


@pytest.fixture
def conference(db: None) -> Conference:
    return make_conference(slug="demo")


def talk(conference: Conference, title: str, count: int, **fields: Any) -> Event:
    event = make_event(conference, title=title, **fields)
    for _ in range(count):
        make_agenda(conference, event)
    return event


def rows(client: Client, name: str) -> list[list[str]]:
    text = client.get(f"{PAGE}{name}.csv").content.decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text)))


def bar_rows(page: str, section: str) -> list[list[str]]:
    part = re.search(rf'aria-labelledby="{section}">(.*?)</section>', page, re.DOTALL)
    assert part
    found = re.findall(r'<th scope="row">(.*?)</th>\s*<td class="numbers-count">(.*?)</td>', part[1], re.DOTALL)
    return [list(cells) for cells in found]


def test_events_have_their_number_and_types_their_sum(organiser: Client, conference: Conference) -> None:
    talk(conference, "Full", 7)
    talk(conference, "Few", 3)
    talk(conference, "Empty", 0)

    page = organiser.get(PAGE).text

    assert bar_rows(page, "by-event") == [["Full", "7"], ["Few", "&lt;5"]]
    assert [count for _, count in bar_rows(page, "by-type")] == ["10+"]
    assert [row[0::4] for row in rows(organiser, "events")] == [
        ["Event", "Bookmarks"],
        ["Full", "7"],
        ["Few", "<5"],
        ["Empty", "0"],
    ]


def test_removed_and_uncounted_bookmarks_are_left_out(organiser: Client, conference: Conference) -> None:
    event = talk(conference, "Talk", 6)
    make_agenda(conference, event)[0].bookmark(event, on=False)
    make_agenda(conference)[0].bookmark(event, on=True, level=BookmarkLevel.LATER)
    by_script = make_agenda(conference, event)[0]
    long_ago = timezone.now() - dt.timedelta(days=30)
    Agenda.objects.filter(pk=by_script.pk).update(created_at=long_ago)
    UncountedAgendas.objects.create(
        conference=conference, begun_from=long_ago, begun_until=long_ago + dt.timedelta(hours=1), reason="A script"
    )

    assert rows(organiser, "events")[1][-1] == "7"


def test_hours_are_those_of_the_venue_and_go_on_after_midnight(organiser: Client, conference: Conference) -> None:
    day = make_day(conference)
    talk(conference, "Evening", 6, day=day, start="23:00", end="23:30")
    night = talk(conference, "Night", 5, day=day)
    night.start, night.end = at("23:30") + dt.timedelta(hours=2), at("23:30") + dt.timedelta(hours=3)
    night.save()

    assert rows(organiser, "hours") == [
        ["Day", "Hour", "Bookmarks"],
        ["2025-04-24", "23:00", "5+"],
        ["2025-04-24", "00:00", "0"],
        ["2025-04-24", "01:00", "5+"],
    ]


def test_charts_have_a_title_a_description_and_a_table(organiser: Client, conference: Conference) -> None:
    talk(conference, "Talk", 6, day=make_day(conference), start="09:00", end="10:00")

    page = organiser.get(PAGE).text

    charts = re.findall(r'<svg[^>]*role="img"\s+aria-labelledby="(\S+) (\S+)">', page)
    assert len(charts) == 2
    for title, about in charts:
        assert f'<title id="{title}">' in page
        assert re.search(rf'<desc id="{about}">[^<]*highest is [^<]*</desc>', page)
    assert page.count("<summary>As a table</summary>") == len(charts)
    assert 'style="' not in page.partition('id="content-main"')[2]


def test_ids_of_charts_differ(organiser: Client, conference: Conference) -> None:
    for date in [dt.date(2025, 4, 24), dt.date(2025, 4, 25)]:
        talk(conference, str(date), 6, day=make_day(conference, date), start="09:00", end="10:00")

    ids = re.findall(r' id="([^"]+)"', organiser.get(PAGE).text)

    assert len(ids) == len(set(ids))


def test_feeds_are_counted_by_program(organiser: Client, conference: Conference) -> None:
    for number in range(8):
        agenda = make_agenda(conference)[0]
        read = {"agenda": agenda, "agenda_revision": 1, "conference_revision": 1}
        FeedFetch.objects.create(client="google", at=timezone.now(), **read)
        if number < 2:
            FeedFetch.objects.create(client="iphone", at=timezone.now(), **read)
        FeedFetch.objects.create(client="outlook", at=timezone.now() - dt.timedelta(days=8), **read)

    assert rows(organiser, "calendars") == [
        ["Program", "Feeds"],
        ["Google Calendar", "8"],
        ["Apple Calendar on a phone or tablet", "<5"],
    ]


def test_words_that_look_like_formulas_are_text(organiser: Client, conference: Conference) -> None:
    MissedSearch.objects.create(conference=conference, words="=1+1", askers=5, last_on=dt.date(2025, 4, 24))

    assert rows(organiser, "words")[1] == ["'=1+1", "5", "2025-04-24"]


def test_numbers_are_those_of_the_chosen_conference(organiser: Client, conference: Conference) -> None:
    other = make_conference(slug="other")
    talk(conference, "Here", 6)
    talk(other, "There", 6)

    page = organiser.get(PAGE, {"conference": other.pk}).text

    assert bar_rows(page, "by-event") == [["There", "6"]]


def test_conference_without_anything_has_a_page(organiser: Client, conference: Conference) -> None:
    page = organiser.get(PAGE).text

    assert "Nobody has bookmarked an event yet." in page
    assert [len(rows(organiser, name)) for name in ("events", "types", "hours", "agendas", "calendars", "words")] == [1] * 6


def test_unknown_file_is_not_found(organiser: Client, conference: Conference) -> None:
    assert organiser.get(f"{PAGE}people.csv").status_code == 404


def test_chairs_see_no_numbers(chair: Client, conference: Conference) -> None:
    assert [chair.get(address).status_code for address in (PAGE, f"{PAGE}events.csv")] == [403, 403]


@pytest.mark.parametrize("count", [1, 3])
def test_page_takes_a_fixed_number_of_queries(
    organiser: Client, conference: Conference, count: int, django_assert_num_queries: Any
) -> None:
    for number in range(count):
        talk(conference, f"Talk {number}", 5)

    with django_assert_num_queries(10):
        organiser.get(PAGE)

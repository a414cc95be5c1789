from __future__ import annotations

import datetime as dt

import pytest

from events.models import PastEdition
from events.pages.queries.overview import other_editions, past_editions
from tests.factories import make_conference

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]


def test_past_editions_link_to_those_that_are_here() -> None:
    def edition(slug: str, year: int, **fields: str) -> None:
        make_conference(slug=slug, start=dt.date(year, 5, 1), end=dt.date(year, 5, 9), **fields)

    conference = make_conference(series="ICLR")
    for year in (2023, 2024, 2022):
        PastEdition.objects.create(conference=conference, year=year, place="Somewhere")
    edition("iclr-2024", 2024, series="ICLR")
    edition("iclr-2023", 2023, series="ICLR", status="draft")
    edition("other-2022", 2022, series="Other")

    rows = past_editions(conference)

    assert [(row.edition.year, row.url) for row in rows] == [(2024, "/iclr-2024/"), (2023, ""), (2022, "")]


def test_other_editions_are_the_published_ones_of_the_series() -> None:
    first, second = (make_conference(series="ICLR") for _ in range(2))
    make_conference(series="ICLR", status="draft")
    make_conference(series="NeurIPS")

    assert (other_editions(first), other_editions(second)) == ([second], [first])


def test_conferences_without_a_series_have_nothing_in_common() -> None:
    conference = make_conference()
    make_conference()

    assert other_editions(conference) == []

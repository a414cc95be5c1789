"""Events that are listed under a day on which they do not start."""

from __future__ import annotations

import datetime as dt

import pytest
from django.core.management import call_command

from events.programme.queries.clashes import wrong_days_among
from tests.factories import THURSDAY, at, make_conference, make_day, make_event

pytestmark = pytest.mark.django_db
FRIDAY = THURSDAY + dt.timedelta(days=1)
SENTENCE = (
    "“Opening” is listed under Thu 24 April and starts on Fri 25 April, 09:00. Choose the day Fri 25 April, or another start."
)


@pytest.mark.parametrize(
    ("clock", "date", "wrong"),
    [
        pytest.param("09:00", THURSDAY, False, id="on-its-day"),
        pytest.param("03:59", FRIDAY, False, id="before-the-day-change"),
        pytest.param("04:00", FRIDAY, True, id="at-the-day-change"),
        pytest.param("03:59", THURSDAY, True, id="in-the-night-before"),
    ],
)
def test_day_lasts_from_one_day_change_to_the_next(clock: str, date: dt.date, wrong: bool) -> None:
    conference = make_conference()
    start = at(clock, date)
    make_event(conference, start=start, end=start + dt.timedelta(hours=1))

    assert bool(wrong_days_among([conference])) is wrong


def test_wrong_day_is_told_in_a_sentence_for_its_own_conference_only() -> None:
    conference, other = make_conference(), make_conference()
    for home in (conference, other):
        make_event(home, title="Opening", start=at("09:00", FRIDAY), end=at("10:00", FRIDAY))
    make_event(conference, start=at("09:00", FRIDAY), end=at("10:00", FRIDAY), status="cancelled")
    make_event(conference, day=make_day(conference, FRIDAY))

    assert [(it.sentence, it.conference) for it in wrong_days_among([conference])] == [(SENTENCE, conference)]


def test_check_schedule_tells_wrong_days_and_exits_with_1(capsys: pytest.CaptureFixture[str]) -> None:
    conference = make_conference(slug="iclr-2025")
    make_event(conference, title="Opening", start=at("09:00", FRIDAY), end=at("10:00", FRIDAY))

    with pytest.raises(SystemExit) as ended:
        call_command("check_schedule", "iclr-2025")

    assert (ended.value.code, capsys.readouterr().out) == (
        1,
        f"{SENTENCE}\nNo clashes in ICLR 2025.\n1 event is listed under a day of another date.\n",
    )

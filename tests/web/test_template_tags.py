from __future__ import annotations

import datetime as dt
import re
from zoneinfo import ZoneInfo

import pytest
from django.template import Context, Template
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.html import strip_tags

from events.core.clock import Clock
from events.programme.queries.filters import FilterOption
from events.templatetags.hallway import carry, duration, iso, markdown, markdown_line
from tests.factories import THURSDAY, at
from tests.pages.queries.reading import clock

FRIDAY = THURSDAY + dt.timedelta(days=1)
SATURDAY = THURSDAY + dt.timedelta(days=2)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, ""),
        (0, "0 min"),
        (45, "45 min"),
        (60, "1 h"),
        (90, "1 h 30 min"),
        (1440, "1 d"),
        (1441, "1 d 1 min"),
        (2999, "2 d 1 h 59 min"),
        (-30, "30 min"),
        (59.6, "1 h"),
        (dt.timedelta(minutes=90), "1 h 30 min"),
        (dt.timedelta(seconds=20), "0 min"),
        (-dt.timedelta(minutes=5), "5 min"),
    ],
)
def test_duration(value: dt.timedelta | float | None, words: str) -> None:
    assert duration(value) == words


@pytest.mark.parametrize(("name", "path"), [("x", "M18 6 6 18M6 6l12 12"), ("none-of-ours", ""), ("", "")])
def test_icon_is_in_the_page(name: str, path: str) -> None:
    html = render_to_string("events/web/_icon.html", {"name": name}).strip()

    assert html == f'<svg class="icon" aria-hidden="true" viewBox="0 0 24 24"><path d="{path}"/></svg>'


@pytest.mark.parametrize(("end", "mark"), [("23:59", ""), ("00:00", " <small>next day</small>")])
def test_hours_say_that_they_end_on_the_next_day(end: str, mark: str) -> None:
    start = at("22:00")
    span = {"start": start, "end": start.replace(hour=23, minute=59) if end == "23:59" else start + dt.timedelta(hours=2)}

    with timezone.override(ZoneInfo("Asia/Singapore")):
        shown = Template("{% load hallway %}{% hours start end %}").render(Context(span))

    assert re.sub(r"</?time[^>]*>", "", shown) == f"22:00–{end}{mark}"


@pytest.mark.parametrize(
    ("listed", "start", "end", "shown"),
    [
        pytest.param(None, at("18:00"), at("16:00", FRIDAY), "18:00–16:00 next day", id="nowhere"),
        pytest.param(THURSDAY, at("18:00"), at("16:00", FRIDAY), "18:00–16:00 next day", id="where it begins"),
        pytest.param(THURSDAY, at("18:00"), at("16:00", SATURDAY), "18:00–16:00 Sat", id="where it begins, for days"),
        pytest.param(FRIDAY, at("18:00"), at("16:00", FRIDAY), "from Thu 18:00 until 16:00", id="where it ends"),
        pytest.param(FRIDAY, at("18:00"), at("16:00", SATURDAY), "from Thu 18:00 until 16:00 next day", id="in between"),
        pytest.param(THURSDAY, at("01:00", FRIDAY), at("02:00", FRIDAY), "Fri 25 Apr, 01:00–02:00", id="after midnight"),
        pytest.param(SATURDAY, at("09:00"), at("10:00"), "Thu 24 Apr, 09:00–10:00", id="long over"),
    ],
)
def test_hours_name_another_date_than_that_where_they_are_listed(
    listed: dt.date | None, start: dt.datetime, end: dt.datetime, shown: str
) -> None:
    template = Template("{% load hallway %}{% hours start end listed=listed %}")

    with timezone.override(ZoneInfo("Asia/Singapore")):
        html = template.render(Context({"start": start, "end": end, "listed": listed}))

    assert re.sub(r"<[^>]*>", "", html) == shown


@pytest.mark.parametrize(
    ("now", "shown"),
    [
        pytest.param(clock("23:59"), "16:00 next day", id="the evening before"),
        pytest.param(clock("00:00", FRIDAY), "16:00", id="its date"),
        pytest.param(clock("12:00", THURSDAY - dt.timedelta(days=1)), "16:00 Fri", id="two days before"),
    ],
)
def test_clock_time_says_whether_it_is_today(now: Clock, shown: str) -> None:
    values = {"end": at("16:00", FRIDAY), "clock": now}

    with timezone.override(ZoneInfo("Asia/Singapore")):
        html = Template("{% load hallway %}{% clock_time end clock %}").render(Context(values))

    assert re.sub(r"<[^>]*>", "", html) == shown


def test_iso_is_in_the_zone_that_is_on() -> None:
    times = []
    for zone in ("Asia/Singapore", "America/New_York"):
        with timezone.override(ZoneInfo(zone)):
            times.append(iso(at("09:00")))

    assert [*times, iso(None)] == ["2025-04-24T09:00+08:00", "2025-04-23T21:00-04:00", ""]


@pytest.mark.parametrize(
    ("zone", "tag", "html"),
    [
        pytest.param(
            "Asia/Singapore",
            "{% hours start end %}",
            '<time datetime="2025-04-24T09:00+08:00">09:00</time>–<time datetime="2025-04-24T10:30+08:00">10:30</time>',
            id="at the venue",
        ),
        pytest.param(
            "America/New_York",
            "{% hours start end %}",
            '<time datetime="2025-04-23T21:00-04:00">21:00</time>–<time datetime="2025-04-23T22:30-04:00">22:30</time>',
            id="elsewhere, on the day before",
        ),
        pytest.param(
            "Asia/Singapore",
            '{% hours start end "l j F, H:i" %}',
            '<time datetime="2025-04-24T09:00+08:00">Thursday 24 April, 09:00</time>–'
            '<time datetime="2025-04-24T10:30+08:00">10:30</time>',
            id="the day at the start alone",
        ),
        pytest.param(
            "Asia/Singapore",
            '{% hours start end "<b>" %}',
            '<time datetime="2025-04-24T09:00+08:00">&lt;apr&gt;</time>–<time datetime="2025-04-24T10:30+08:00">10:30</time>',
            id="nothing of a format is markup",
        ),
    ],
)
def test_hours_are_two_times_in_the_zone_that_is_on(zone: str, tag: str, html: str) -> None:
    template = Template("{% load hallway %}" + tag)

    with timezone.override(ZoneInfo(zone)):
        rendered = template.render(Context({"start": at("09:00"), "end": at("10:30")}))

    assert rendered == html


def test_carry_adds_the_moment_one_looks_at() -> None:
    addresses = [carry("/demo/", it) for it in (clock("09:30", pinned=True), clock("09:30"), None)]

    assert addresses == ["/demo/?at=2025-04-24T09:30", "/demo/", "/demo/"]


def test_markdown_is_safe_in_a_template() -> None:
    text = "*Hi* <script>alert(1)</script>"

    page = Template("{% load hallway %}{{ text|markdown }}|{{ text|markdown_line }}").render(Context({"text": text}))

    words = "<em>Hi</em> &lt;script&gt;alert(1)&lt;/script&gt;"
    assert page == f"<p>{words}</p>\n|{words}"


def test_markdown_of_nothing_is_nothing() -> None:
    assert [markdown(""), markdown_line(""), markdown(None), markdown_line(None)] == [""] * 4  # type: ignore[arg-type]


@pytest.mark.parametrize("source", ["{% filter_link choice 'room' %}", "{% include 'events/web/_filter_choices.html' %}"])
def test_count_of_a_filter_does_not_run_into_its_name(source: str) -> None:
    choice = FilterOption("Hall 1", "hall-1", "?room=hall-1", active=False, count=1)

    html = Template("{% load hallway %}" + source).render(Context({"choice": choice, "choices": [choice], "prefix": "room"}))

    assert " ".join(strip_tags(html).split()) == "Hall 1 (1)"


def test_problem_has_the_focus_of_its_page() -> None:
    html = render_to_string("events/web/_problems.html", {"problem": "Too long."})

    assert 'role="alert" tabindex="-1" autofocus>' in html

"""Two gatherings that may be one: hinted at, and never more than that."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.core.spans import Span
from events.core.words import folded_words
from events.proposals.rules import MIN_LIKENESS, Gathering, duplicates, likeness, may_be_duplicates

DAY, NEXT = dt.date(2025, 4, 24), dt.date(2025, 4, 25)


def span(start: int, end: int, date: dt.date = DAY) -> Span:
    midnight = dt.datetime.combine(date, dt.time(), dt.UTC)
    return Span(midnight + dt.timedelta(hours=start), midnight + dt.timedelta(hours=end))


def gathering(title: str, key: int = 1, place: str = "", **known: object) -> Gathering:
    values = {"date": DAY, "span": span(18, 20)} | known
    return Gathering(key, tuple(folded_words(title)), place=tuple(folded_words(place)), **values)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("Queer in AI social", "QUEER in AI – Social!", id="case and punctuation"),
        pytest.param("Soirée française", "Soiree Francaise", id="accents"),
        pytest.param("Women in ML lunch", "Lunch for Women in ML", id="another order"),
        pytest.param("ML Collective", "MLCollective", id="written together"),
        pytest.param("Runners' club", "Runners club", id="an apostrophe"),
        pytest.param("Morning run along the marina", "Morning run, marina", id="said shorter"),
        pytest.param("机器学习 聚会", "机器学习聚会", id="a script without spaces"),
    ],
)
def test_names_are_alike(one: str, other: str) -> None:
    assert likeness(folded_words(one), folded_words(other)) >= MIN_LIKENESS


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("Queer in AI social", "Women in AI social", id="one word makes the difference"),
        pytest.param("Runners", "Rust users", id="a beginning"),
        pytest.param("The", "A", id="words that say nothing"),
        pytest.param("", "", id="nothing is like nothing"),
        pytest.param("!?", "!?", id="no letters"),
    ],
)
def test_names_are_not_alike(one: str, other: str) -> None:
    assert likeness(folded_words(one), folded_words(other)) < MIN_LIKENESS


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        pytest.param({"span": span(19, 21)}, True, id="overlapping"),
        pytest.param({"span": span(20, 22)}, False, id="back to back elsewhere"),
        pytest.param({"span": span(20, 22), "place": "Marina Bay"}, True, id="later in the same place"),
        pytest.param({"span": span(20, 22), "place": "City Hall"}, False, id="later in another place"),
        pytest.param({"span": None}, True, id="hour to be announced"),
        pytest.param({"date": None, "span": None}, True, id="day to be announced"),
        pytest.param({"date": NEXT, "span": span(18, 20, NEXT)}, False, id="the next evening"),
        pytest.param({"date": NEXT, "span": None, "place": "Marina Bay"}, False, id="the next day in the same place"),
    ],
)
def test_time_and_place_decide_between_names_that_are_alike(other: dict[str, object], expected: bool) -> None:
    new = gathering("Runners", place="Marina Bay")

    assert may_be_duplicates(new, gathering("Runners", 2, **other)) == expected  # type: ignore[arg-type]


def test_likest_comes_first_and_itself_never() -> None:
    new = gathering("Queer in AI social")
    near, same = gathering("Queer in AI social dinner", 2), gathering("Queer in AI Social", 3)

    assert duplicates(new, [new, near, gathering("Karaoke", 4), same]) == [same, near]


TITLES = st.text(max_size=40)
DATES = st.sampled_from([None, DAY, NEXT])
SPANS = st.one_of(st.none(), st.builds(lambda start, length: span(start, start + length), st.integers(0, 20), st.integers(1, 6)))


@st.composite
def gatherings(draw: st.DrawFn) -> Gathering:
    return gathering(draw(TITLES), draw(st.integers()), draw(TITLES), date=draw(DATES), span=draw(SPANS))


@given(gatherings(), gatherings())
def test_it_does_not_matter_which_came_first(one: Gathering, other: Gathering) -> None:
    assert may_be_duplicates(one, other) == may_be_duplicates(other, one)
    assert 0 <= likeness(one.words, other.words) <= 1


@given(gatherings())
def test_what_has_a_name_is_like_itself(one: Gathering) -> None:
    assert may_be_duplicates(one, one) == bool(one.words)


@given(gatherings(), st.lists(gatherings(), max_size=6))
def test_hints_are_of_what_is_known_and_in_order_of_likeness(new: Gathering, known: list[Gathering]) -> None:
    found = duplicates(new, known)

    assert [it for it in found if it not in known or it.key == new.key] == []
    told = [likeness(new.words, it.words) for it in found]
    assert told == sorted(told, reverse=True)


@given(st.lists(st.text("abcdefghij", min_size=1, max_size=8), min_size=1, max_size=5), st.randoms())
def test_order_of_the_words_does_not_matter(title: list[str], random: object) -> None:
    mixed = list(title)
    random.shuffle(mixed)  # type: ignore[attr-defined]

    assert likeness(title, mixed) == 1

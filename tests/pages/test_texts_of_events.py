"""Subtitle, description, opt-out and licence on the page of an event, in its calendar entry and in the search."""

from __future__ import annotations

import re

import pytest

from events.models import Event
from tests.calendars.reading import values
from tests.calendars.writing import property_of, written
from tests.factories import make_conference, make_event, make_paper, make_person
from tests.search.queries.asking import result_titles
from tests.search.searching import reindex
from tests.visitors import browser

pytestmark = pytest.mark.django_db
LOGO = "https://logos.example/erde.png"


def make_talk(**fields: object) -> Event:
    values = {"title": "Erde", "language": "de", "start": "09:00", "end": "10:00", "place": "Saal 1"}
    return make_event(make_conference(slug="demo"), **values | fields)


def page_of(event: Event) -> str:
    response = browser().get(event.get_absolute_url())
    assert response.status_code == 200
    return response.text


def prose_of(event: Event) -> str:
    (found,) = re.findall(r'<div class="prose">(.*?)</div>\s*</section>', page_of(event), re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", found).split())


def test_subtitle_is_below_the_title_in_the_language_of_the_event() -> None:
    page = page_of(make_talk(subtitle="Ein <Rundgang>"))

    assert '<p class="event-subtitle" lang="de" dir="auto">Ein &lt;Rundgang&gt;</p>' in page
    assert "event-subtitle" not in page_of(make_event(Event.objects.get().conference, title="Mond"))


@pytest.mark.parametrize(
    ("abstract", "description", "shown"),
    [
        pytest.param("In short.", "At length.", "In short. At length.", id="both"),
        pytest.param("", "At length.", "At length.", id="only-the-description"),
        pytest.param("In short.", "In short. And more.", "In short. And more.", id="abstract-repeated"),
        pytest.param("In short. And more.", "And more.", "In short. And more.", id="description-repeated"),
        pytest.param("Same.", "Same.", "Same.", id="equal"),
        pytest.param("In short.", " \n", "In short.", id="blank"),
    ],
)
def test_description_follows_the_abstract_and_repeats_nothing(abstract: str, description: str, shown: str) -> None:
    event = make_talk(abstract=abstract, description=description)

    assert prose_of(event) == shown
    assert shown in property_of(event, "DESCRIPTION").replace("\\n\\n", " ").replace("\\,", ",")


def test_description_stands_where_the_abstract_of_a_paper_would() -> None:
    event = make_talk(description="Of the talk.")
    event.paper = make_paper(event.conference, make_person(event.conference), title="Erde", abstract="Of the paper.")
    event.save()

    assert prose_of(event) == "Of the talk."


@pytest.mark.parametrize(("do_not_record", "shown"), [(True, 1), (False, 0), (None, 0)])
def test_page_and_calendar_say_that_an_event_is_not_recorded(do_not_record: bool | None, shown: int) -> None:
    event = make_talk(do_not_record=do_not_record)

    assert page_of(event).count('<span class="flag" data-flag="not-recorded">Not recorded</span>') == shown
    assert property_of(event, "DESCRIPTION").count("Not recorded") == shown


def test_page_names_the_licence_of_the_recording() -> None:
    page = page_of(make_talk(recording_license="CC BY 4.0"))

    assert "<dt>Licence of the recording</dt><dd>CC BY 4.0</dd>" in page


def test_no_page_loads_or_names_the_logo() -> None:
    event = make_talk(logo_url=LOGO, export_slug="demo-12-erde", export_number=4711)

    pages = [page_of(event), *(browser().get(url).text for url in ("/demo/", "/demo/schedule/2025-04-24/"))]

    assert [page for page in pages if "logos.example" in page or "demo-12-erde" in page] == []


def test_entry_has_the_subtitle_and_the_language_of_its_title() -> None:
    event = make_talk(subtitle="Ein Rundgang")

    assert "\\nEin Rundgang\\n" in property_of(event, "DESCRIPTION")
    assert values(written(event), "SUMMARY") == [";LANGUAGE=de:Erde"]


def test_entry_has_no_language_that_is_none() -> None:
    event = make_talk()
    Event.objects.update(language="de\r\nSUMMARY:x")

    assert values(written(event), "SUMMARY") == [":Erde"]


@pytest.mark.usefixtures("at_the_venue")
@pytest.mark.parametrize("word", ["Rundgang", "Vulkane"])
def test_subtitle_and_description_are_searched(word: str) -> None:
    event = make_talk(subtitle="Ein Rundgang", description="Über Vulkane.")
    reindex()

    assert result_titles(event.conference, word) == ["Erde"]

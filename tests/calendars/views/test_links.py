from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

from events.calendars.links import CLIENT_REFRESH_TIMES, CalendarLinks, feed_links
from events.core.graphics import qr_svg
from events.core.tokens import new_token

LINKS = CalendarLinks("https://hallway.example/feeds/abc-_1.ics", "ICLR 2025: my agenda")
SVG = "{http://www.w3.org/2000/svg}"


def test_links_take_every_form_that_a_client_needs() -> None:
    assert (LINKS.webcal, LINKS.google) == (
        "webcal://hallway.example/feeds/abc-_1.ics",
        "https://calendar.google.com/calendar/r?cid=webcal%3A%2F%2Fhallway.example%2Ffeeds%2Fabc-_1.ics",
    )


def test_links_to_outlook_carry_address_and_name() -> None:
    query = "url=https%3A%2F%2Fhallway.example%2Ffeeds%2Fabc-_1.ics&name=ICLR%202025%3A%20my%20agenda"

    assert (LINKS.outlook, LINKS.outlook_at_work) == (
        f"https://outlook.live.com/calendar/0/addfromweb?{query}",
        f"https://outlook.office.com/calendar/0/addfromweb?{query}",
    )


def test_address_of_a_feed_is_at_most_120_characters(settings: Any) -> None:
    settings.SITE_URL = f"https://{'programme.' * 5}example.org"

    links = feed_links(new_token(), "ICLR 2025: my agenda")

    assert max(len(links.https), len(links.webcal)) <= 120


def test_feed_links_are_built_from_the_site_and_not_from_a_request(settings: Any) -> None:
    settings.SITE_URL = "https://hallway.example"

    assert feed_links("t0ken", "Name").https == "https://hallway.example/feeds/t0ken.ics"


def test_refresh_times_name_every_client_once() -> None:
    clients = [client for client, _ in CLIENT_REFRESH_TIMES]

    assert clients == ["Google Calendar", "Outlook.com and Outlook on the web", "Apple Calendar", "Thunderbird"]


def test_qr_code_is_black_on_a_white_ground_with_four_modules_around() -> None:
    image = ElementTree.fromstring(qr_svg("webcal://hallway.example/feeds/abc.ics"))

    ground, code = image.iter(f"{SVG}path")
    assert (ground.attrib["fill"], code.attrib["stroke"]) == ("#fff", "#000")
    assert ground.attrib["d"] == "M0 0h37v37h-37z"
    assert code.attrib["d"].startswith("M4 4.5h7")


def test_qr_code_carries_nothing_a_strict_policy_refuses() -> None:
    image = ElementTree.fromstring(qr_svg("webcal://hallway.example/feeds/abc.ics"))

    tags = {element.tag.removeprefix(SVG) for element in image.iter()}
    attributes = {name for element in image.iter() for name in element.attrib}
    assert tags <= {"svg", "g", "path"}
    assert attributes == {"width", "height", "viewBox", "transform", "fill", "stroke", "d"} & attributes

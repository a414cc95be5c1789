"""What pages tell search engines and messengers: description, picture, data of schema.org, sitemaps."""

from __future__ import annotations

import datetime as dt
import io
import json
import re
from html import unescape
from typing import Any
from xml.etree import ElementTree

import pytest
from django.conf import settings
from django.test import Client
from PIL import Image

from events.models import Event, Topic, Venue
from events.pages.link_previews import MAX_DESCRIPTION_CHARS
from events.pages.preview_picture import PreviewPicture, is_drawable
from tests.factories import (
    forms_url,
    make_appearance,
    make_conference,
    make_event,
    make_paper,
    make_person,
    make_room,
    make_zone,
)
from tests.security.world import World

pytestmark = pytest.mark.django_db
LOC = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"


def head(client: Client, path: str) -> dict[str, str]:
    """The properties that a page names in its head, and its canonical address."""
    html = client.get(path).text
    found = dict(re.findall(r'<meta (?:name="[a-z:]+" )?property="([a-z:_]+)" content="([^"]*)">', html))
    canonical = re.search(r'<link rel="canonical" href="([^"]*)">', html)
    return {name: unescape(text) for name, text in found.items()} | ({"canonical": canonical[1]} if canonical else {})


def data(client: Client, path: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/ld\+json">(.*?)</script>', client.get(path).text, re.DOTALL)
    assert found
    value: dict[str, Any] = json.loads(found[1])
    return value


def test_event_has_time_place_people_and_the_beginning_of_its_abstract(client: Client) -> None:
    event = make_event(
        make_conference(), title="Trees & graphs", start="09:00", end="10:00", place="Hall 2", abstract="How *trees* grow."
    )
    for name in ("Ana", "Bo", "Chi", "Dee", "Eli"):
        make_appearance(event, make_person(event.conference, name))

    found = head(client, event.get_absolute_url())

    when = "Thu 24 April 2025, 09:00–10:00 Singapore time (UTC+8)"
    assert found["og:description"] == f"{when} · Hall 2 · Ana, Bo, Chi and 2 more. How trees grow."
    assert found["og:title"] == "Trees & graphs · ICLR 2025"
    assert found["og:image:alt"] == (f"Trees & graphs · {when} · Hall 2 · Ana, Bo, Chi and 2 more · ICLR 2025")
    assert found["og:url"] == found["canonical"] == f"{settings.SITE_URL}{event.get_absolute_url()}"


def test_query_is_not_part_of_the_canonical_address(client: Client) -> None:
    event = make_event(make_conference(), start="09:00", end="10:00")

    found = head(client, f"{event.get_absolute_url()}?at=2025-04-24T09:30&fbclid=1")

    assert found["canonical"] == f"{settings.SITE_URL}{event.get_absolute_url()}"


def test_long_abstract_is_shortened(client: Client) -> None:
    event = make_event(make_conference(), abstract="word " * 1000)

    description = head(client, event.get_absolute_url())["og:description"]

    assert len(description) <= MAX_DESCRIPTION_CHARS
    assert description.endswith("…")


def test_hostile_texts_stay_texts(client: Client) -> None:
    hostile = '</script><script>alert(1)</script>"><b>&amp;'
    event = make_event(make_conference(), title=hostile, abstract=hostile, start="09:00", end="10:00")

    html = client.get(event.get_absolute_url()).text

    assert "<script>alert" not in html
    assert data(client, event.get_absolute_url())["name"] == hostile


def test_data_of_an_event(client: Client) -> None:
    event = make_event(make_conference(country="Singapore"), title="Trees", start="09:00", end="10:00", place="Hall 2")
    make_appearance(event, make_person(event.conference, "Ana"))

    found = data(client, event.get_absolute_url())

    assert {name: found[name] for name in ("@type", "startDate", "endDate", "eventStatus", "performer")} == {
        "@type": "Event",
        "startDate": "2025-04-24T09:00:00+08:00",
        "endDate": "2025-04-24T10:00:00+08:00",
        "eventStatus": "https://schema.org/EventScheduled",
        "performer": [{"@type": "Person", "name": "Ana"}],
    }
    assert found["location"]["name"] == "Hall 2"
    assert found["location"]["address"]["addressLocality"] == "Singapore"
    assert found["superEvent"]["name"] == "ICLR 2025"


def test_room_has_the_address_of_its_venue_and_a_stream_is_a_place_too(client: Client) -> None:
    conference = make_conference(city="Singapore", country="SG")
    room = make_room(conference, "Hall 2")
    Venue.objects.filter(pk=room.zone.venue_id).update(name="EXPO", address="1 Expo Drive", latitude=1.33, longitude=103.96)
    event = make_event(conference, start="09:00", end="10:00", room=room)
    place = {
        "@type": "Place",
        "name": "Hall 2, EXPO",
        "address": {
            "@type": "PostalAddress",
            "streetAddress": "1 Expo Drive",
            "addressLocality": "Singapore",
            "addressCountry": "SG",
        },
        "geo": {"@type": "GeoCoordinates", "latitude": 1.33, "longitude": 103.96},
    }

    there = data(client, event.get_absolute_url())
    event.stream_url = "https://stream.example/1"
    event.revise()
    both = data(client, event.get_absolute_url())

    assert (there["location"], there.get("eventAttendanceMode")) == (place, None)
    assert both["location"] == [place, {"@type": "VirtualLocation", "url": "https://stream.example/1"}]
    assert both["eventAttendanceMode"] == "https://schema.org/MixedEventAttendanceMode"


def test_place_elsewhere_has_no_address_of_the_venue(client: Client) -> None:
    conference = make_conference(city="Singapore", country="SG")
    zone = make_zone(conference, "Harbour", off_site=True)
    Venue.objects.filter(pk=zone.venue_id).update(name="EXPO", address="1 Expo Drive", latitude=1.33, longitude=103.96)
    event = make_event(conference, start="19:00", end="22:00", room=make_room(conference, "Deck", zone=zone))

    location = data(client, event.get_absolute_url())["location"]

    assert (location["name"], location["address"].get("streetAddress"), location.get("geo")) == ("Deck", None, None)


def test_event_without_a_day_has_no_data(client: Client) -> None:
    event = make_event(make_conference())
    Event.objects.filter(pk=event.pk).update(day=None, start=None, end=None)

    assert "application/ld+json" not in client.get(event.get_absolute_url()).text


def test_questions_and_polls_of_an_event_are_previewed(client: Client) -> None:
    event = make_event(make_conference(), title="Trees", start="09:00", end="10:00", takes_questions=True)

    pages = {name: head(client, f"{forms_url(event)}{name}/") for name in ("questions", "polls")}

    assert {name: page["og:title"] for name, page in pages.items()} == {
        "questions": "Questions: Trees · ICLR 2025",
        "polls": "Polls: Trees · ICLR 2025",
    }
    assert [page["canonical"] for page in pages.values()] == [f"{settings.SITE_URL}{forms_url(event)}{it}/" for it in pages]
    assert [page["og:description"][:10] for page in pages.values()] == ["ICLR 2025."] * 2


def test_first_page_of_the_site_is_previewed_and_may_be_listed(client: Client) -> None:
    found = head(client, "/")

    assert (found["og:title"], found["canonical"]) == ("Hallway: conferences", f"{settings.SITE_URL}/")
    assert "noindex" not in client.get("/").text


def test_only_previewed_pages_may_be_listed(client: Client) -> None:
    conference = make_conference()
    event = make_event(conference, start="09:00", end="10:00", takes_questions=True)
    make_appearance(event, make_person(conference))
    home = conference.get_absolute_url()
    hidden = [f"{home}time-zone/", f"{home}screen/", f"{home}files/", f"{forms_url(event)}questions/ask/"]

    pages = {url: "noindex" in client.get(url).text for url in [*hidden, home, event.get_absolute_url(), f"{home}people/"]}

    assert pages == dict.fromkeys(pages, False) | dict.fromkeys(hidden, True)
    assert "Disallow: /*/time-zone/" in client.get("/robots.txt").text


def test_what_the_sitemap_names_may_be_listed(client: Client) -> None:
    sitemap = f"/{World().conference.slug}/sitemap.xml"
    places = re.findall("<loc>([^<]+)</loc>", client.get(sitemap).text)
    pages = [place.removeprefix(settings.SITE_URL) for place in places]

    assert len(pages) > 20
    assert [page for page in pages if "noindex" in client.get(page).text] == []


def test_moved_and_cancelled_events_say_so(client: Client) -> None:
    conference = make_conference()
    moved = make_event(conference, start="09:00", end="10:00")
    cancelled = make_event(conference, start="09:00", end="10:00")
    hour = dt.timedelta(hours=1)
    moved.start, moved.end = moved.start + hour, moved.end + hour  # type: ignore[operator]
    moved.revise()
    cancelled.status = "cancelled"
    cancelled.revise()

    after = data(client, moved.get_absolute_url())

    assert after["eventStatus"] == "https://schema.org/EventRescheduled"
    assert after["previousStartDate"] == "2025-04-24T09:00:00+08:00"
    assert data(client, cancelled.get_absolute_url())["eventStatus"] == "https://schema.org/EventCancelled"
    assert head(client, cancelled.get_absolute_url())["og:description"].startswith("Cancelled")


def test_pages_of_nothing_in_particular_describe_the_conference(client: Client) -> None:
    conference = make_conference(title="Learning Representations", country="Singapore")
    make_event(conference, start="09:00", end="10:00")

    pages = [head(client, f"/{conference.slug}/{path}") for path in ("", "venue/", "people/", "search/?q=x")]

    sentence = "ICLR 2025: Learning Representations. 24–28 April 2025, Singapore."
    assert [page["og:description"] for page in pages] == [sentence] * 4
    assert data(client, f"/{conference.slug}/")["startDate"] == "2025-04-24"


@pytest.mark.parametrize("path", ["agenda/", "agenda/devices/", "missing/", "time-zone/"])
def test_pages_of_one_visitor_are_not_previewed(client: Client, path: str) -> None:
    conference = make_conference()
    make_event(conference, start="09:00", end="10:00")

    assert head(client, f"/{conference.slug}/{path}") == {}


@pytest.mark.parametrize(
    ("start", "end", "text"),
    [
        ("2025-04-24", "2025-04-24", "24 April 2025"),
        ("2025-04-24", "2025-04-28", "24–28 April 2025"),
        ("2025-04-24", "2025-05-02", "24 April – 2 May 2025"),
        ("2025-12-30", "2026-01-02", "30 December 2025 – 2 January 2026"),
    ],
)
def test_dates_are_said_once(client: Client, start: str, end: str, text: str) -> None:
    conference = make_conference(start=dt.date.fromisoformat(start), end=dt.date.fromisoformat(end), city="")

    assert head(client, f"/{conference.slug}/")["og:description"] == f"ICLR 2025. {text}."


def test_picture_of_an_event_is_kept_under_its_version_alone(client: Client) -> None:
    event = make_event(make_conference(), title="Trees", start="09:00", end="10:00")
    address = head(client, event.get_absolute_url())["og:image"].removeprefix(settings.SITE_URL)

    named, unnamed = client.get(address), client.get(address.partition("?")[0])
    other = client.get(address.partition("?")[0] + "?version=" + "x" * 5000)
    event.title = "Forests"
    event.revise()

    assert Image.open(io.BytesIO(named.content)).size == (1200, 630)
    assert named["Cache-Control"] == "public, max-age=31536000, immutable"
    assert unnamed.content == named.content == other.content
    assert unnamed["Cache-Control"] == other["Cache-Control"] == "public, max-age=300"
    assert client.get(address).content != named.content
    assert client.get(address)["Cache-Control"] == "public, max-age=300"
    assert head(client, event.get_absolute_url())["og:image"] != f"{settings.SITE_URL}{address}"


def test_draft_has_no_picture(client: Client) -> None:
    event = make_event(make_conference(), status="draft", announce=False)

    assert client.get(f"{forms_url(event)}preview.png").status_code == 404


@pytest.mark.parametrize("title", ["", "天気予報", "ال" * 40, "x" * 300, "Łódź – Ñandú ﬁ • ₂", "a\u0301 \u200b", "🎉 Party"])
def test_any_title_makes_a_picture(title: str) -> None:
    picture = PreviewPicture(title=title, time="Thu", place=title, people=title, conference="ICLR", colour="#000000")

    assert Image.open(io.BytesIO(picture.png())).size == (1200, 630)


def test_title_in_letters_that_the_face_lacks_is_left_out() -> None:
    foreign = PreviewPicture(title="天気", time="Thu", place="", people="", conference="ICLR", colour="")
    latin = PreviewPicture(title="ICLR", time="Thu", place="", people="", conference="", colour="")

    assert not is_drawable("天気")
    assert is_drawable("Łódź, Ñandú, Ștefan")
    assert foreign.png() == latin.png()


def locations(client: Client, path: str) -> list[str]:
    return [str(loc.text) for loc in ElementTree.fromstring(client.get(path).content).iter(LOC)]


def test_sitemap_lists_what_is_public_and_leads_to_pages(client: Client) -> None:
    conference = make_conference()
    event, draft = make_event(conference, start="09:00", end="10:00"), make_event(conference, status="draft", announce=False)
    person = make_person(conference)
    make_appearance(event, person)
    hidden = make_person(conference, "Nobody")
    paper = make_paper(conference, person)
    shown_once = make_paper(conference, person)
    make_event(conference, kind="talk", paper=shown_once)
    make_conference(status="draft", slug="secret-2027")
    topics = [Topic.objects.create(conference=conference, area=area) for area in ("Trees", "Secrets")]
    make_event(conference, kind="talk", topic=topics[0])

    found = locations(client, f"/{conference.slug}/sitemap.xml")

    assert f"{settings.SITE_URL}{event.get_absolute_url()}" in found
    assert f"{settings.SITE_URL}{paper.get_absolute_url()}" in found
    assert f"{settings.SITE_URL}/{conference.slug}/topics/trees/" in found
    text = "\n".join(found)
    assert "secrets" not in text
    assert not [row for row in (draft, hidden, shown_once) if str(row.guid) in text]
    paths = [url.removeprefix(settings.SITE_URL) for url in found]
    assert [path for path in paths if client.get(path).status_code != 200] == []
    assert locations(client, "/sitemap.xml") == [f"{settings.SITE_URL}/{conference.slug}/sitemap.xml"]
    assert f"Sitemap: {settings.SITE_URL}/sitemap.xml" in client.get("/robots.txt").text


@pytest.mark.parametrize("count", [1, 3])
def test_sitemap_takes_the_same_queries_for_more_rows(client: Client, count: int, django_assert_num_queries: Any) -> None:
    conference = make_conference()
    for _ in range(count):
        event = make_event(conference, start="09:00", end="10:00")
        make_appearance(event, make_person(conference))
        make_paper(conference)

    with django_assert_num_queries(7):
        client.get(f"/{conference.slug}/sitemap.xml")


def test_icon_for_programs_that_read_no_page(client: Client) -> None:
    response = client.get("/favicon.ico")

    assert sorted(Image.open(io.BytesIO(response.content)).info["sizes"]) == [(16, 16), (32, 32), (48, 48)]

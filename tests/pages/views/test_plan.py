from __future__ import annotations

import re

import pytest

from events.models import Conference, FloorPlan
from tests.factories import make_agenda, make_conference, make_event, make_room, make_walk
from tests.venue.drawn import HOSTILE, drawing, make_plan
from tests.visitors import browser

pytestmark = pytest.mark.django_db
AT = "at=2025-04-24T09:30"


@pytest.fixture
def conference() -> Conference:
    conference = make_conference(slug="demo")
    hall, garnet = make_room(conference, "Hall 1"), make_room(conference, "Garnet <213>")
    make_plan(conference, "Level 1", hall)
    make_plan(conference, "Level 2", garnet, position=1)
    make_walk(conference, hall.zone, garnet.zone, 6)
    return conference


def page(query: str = AT, **cookies: str) -> str:
    response = browser(**cookies).get(f"/demo/venue/?{query}")
    assert response.status_code == 200
    return response.text


def links(text: str) -> list[tuple[str, str]]:
    """Where the areas on the plan lead to, and what they say aloud."""
    return re.findall(r'<a class="area"[^>]* href="([^"]+)"[^>]* aria-label="([^"]*)"', text)


def test_plan_leads_to_the_room_in_the_list(conference: Conference) -> None:
    hall = conference.rooms.get(name="Hall 1")
    make_event(conference, title="Keynote", start="09:00", end="10:00", room=hall)

    text = page()

    assert links(text) == [(f"#room-{hall.pk}", "Hall 1. Now: Keynote")]
    assert text.count(f'id="room-{hall.pk}"') == 1


def test_list_leads_to_the_room_on_the_plan(conference: Conference) -> None:
    hall, garnet = conference.rooms.order_by("-name")

    text = page("floor=level-2")

    assert re.findall(r'<a class="spot" href="([^"]+)"', text) == [
        f"/demo/venue/?floor=level-2#area-room-{garnet.pk}",
        f"/demo/venue/?floor=level-1#area-room-{hall.pk}",
    ]
    assert links(text) == [(f"#room-{garnet.pk}", "Garnet &lt;213&gt;")]
    assert text.count(f'id="area-room-{garnet.pk}"') == 1


def test_floors_are_links_that_keep_the_moment(conference: Conference) -> None:
    text = page(f"{AT}&floor=level-2")

    assert re.findall(r'<a class="chip" href="([^"]+)"( aria-current="page")?', text.partition('aria-label="Floors"')[2]) == [
        ("/demo/venue/?floor=level-1&amp;at=2025-04-24T09:30#plan", ""),
        ("/demo/venue/?floor=level-2&amp;at=2025-04-24T09:30#plan", ' aria-current="page"'),
    ]


def test_one_floor_needs_no_choice(conference: Conference) -> None:
    FloorPlan.objects.filter(name="Level 2").delete()

    assert 'aria-label="Floors"' not in page()


def test_venue_without_a_plan_shows_none(conference: Conference) -> None:
    FloorPlan.objects.all().delete()

    text = page()

    assert [it for it in ('id="plan"', 'class="spot"', "plan-sheet", "next-room") if it in text] == []


def test_next_room_is_told_and_framed_on_the_plan(conference: Conference) -> None:
    hall, garnet = conference.rooms.order_by("-name")
    keynote = make_event(conference, start="09:00", end="10:00", room=hall)
    panel = make_event(conference, title="Panel", start="10:30", end="11:00", room=garnet)
    _, token = make_agenda(conference, keynote, panel)

    elsewhere, here, nobody = page(AT, token=token), page(f"{AT}&floor=level-2", token=token), page(f"{AT}&floor=level-2")

    assert ["6 min walk from Hall 1" in it for it in (elsewhere, here, nobody)] == [True, True, False]
    frame = '<polygon class="area-next" points="0,40 100,40 100,120 0,120"/>'
    assert [(it.count(frame), it.count(">Next 10:30</text>")) for it in (elsewhere, here, nobody)] == [(0, 0), (1, 1), (0, 0)]
    way = f'<a href="/demo/venue/?floor=level-2&amp;at=2025-04-24T09:30#area-room-{garnet.pk}">On the plan: Level 2</a>'
    assert [way in it for it in (elsewhere, here, nobody)] == [True, True, False]


def test_drawing_is_an_image_and_nothing_of_it_is_on_the_page(conference: Conference) -> None:
    FloorPlan.objects.filter(name="Level 1").update(drawing=HOSTILE)

    text = page()

    (url,) = re.findall(r'<img class="plan-drawing" src="([^"]+)" alt="">', text)
    response = browser().get(url)
    assert (response.status_code, response["Content-Type"], response.text) == (200, "image/svg+xml; charset=utf-8", HOSTILE)
    assert [it for it in ("evil.example", "alert(1)", "foreignObject") if it in text] == []


def test_drawing_of_a_conference_that_is_not_published_is_not_served(conference: Conference) -> None:
    FloorPlan.objects.filter(name="Level 1").update(drawing=drawing("<rect/>"))
    (url,) = re.findall(r'src="([^"]+\.svg)"', page())
    found = [browser().get(url).status_code]

    conference.status = "draft"
    conference.save()

    assert [*found, browser().get(url).status_code] == [200, 404]


def test_plan_without_a_drawing_has_no_image(conference: Conference) -> None:
    assert "plan-drawing" not in page()
    assert browser().get("/demo/venue/plans/d41d8cd98f00b204e9800998ecf8427e.svg").status_code == 404

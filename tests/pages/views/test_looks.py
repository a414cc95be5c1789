"""The logo, header picture and icon of a conference, wherever they are shown."""

from __future__ import annotations

import io
import json
import re

import pytest
from django.conf import settings
from django.core.files.storage import default_storage
from django.test import Client
from PIL import Image

from events.models import Conference, Room
from events.pages.link_previews import conference_picture
from events.screens.queries import screen_address_of
from tests.factories import make_conference, make_room
from tests.pictures import drawn_on_nothing, picture

pytestmark = pytest.mark.django_db


def with_looks() -> Conference:
    return make_conference(
        slug="demo",
        logo=drawn_on_nothing("#16181d"),
        header_picture=picture(2400, 960, "#2c6e2f"),
        header_alt="The harbour",
        icon=picture(300, 300, "#b3164b"),
    )


def image(response_content: bytes) -> Image.Image:
    return Image.open(io.BytesIO(response_content)).convert("RGB")


def images_of(html: str) -> list[str]:
    return re.findall(r"<img[^>]+>", html)


def test_overview_shows_logo_and_header_with_their_sizes(client: Client) -> None:
    conference = with_looks()

    logo, header = images_of(client.get("/demo/").text)[:2]

    assert (f'src="{conference.logo.url}"' in logo, 'data-ground="light"' in logo, 'alt=""' in logo) == (True, True, True)
    assert (conference.logo_width, conference.logo_height) == (321, 161)
    assert 'width="321" height="161"' in logo
    assert 'alt="The harbour"' in header
    assert (conference.header_picture_width, conference.header_picture_height) == (1200, 480)
    assert 'width="1200" height="480"' in header


def test_other_pages_fetch_the_logo_and_no_other_picture(client: Client) -> None:
    with_looks()

    assert [("/media/looks/" in it) for it in images_of(client.get("/demo/about/").text)] == [True]


def test_conference_without_pictures_fetches_none(client: Client) -> None:
    make_conference(slug="demo")

    html = client.get("/demo/").text

    assert (images_of(html), "favicon.svg" in html) == ([], True)


def test_icon_is_that_of_the_conference_in_every_size(client: Client) -> None:
    conference = with_looks()

    found = {size: image(client.get(f"/demo/icon-{size}.png").content) for size in (180, 192, 512)}

    assert {size: (it.size, it.getpixel((5, 5))) for size, it in found.items()} == {
        size: ((size, size), (179, 22, 75)) for size in (180, 192, 512)
    }
    icon = f"/demo/icon-192.png?version={conference.icon_version}"
    assert f'<link rel="icon" href="{icon}" type="image/png">' in client.get("/demo/").text


def test_icon_whose_file_is_gone_is_drawn(client: Client) -> None:
    conference = with_looks()
    default_storage.delete(str(conference.icon.name))

    drawn = image(client.get("/demo/icon-192.png").content)

    assert drawn.getpixel((5, 5)) == (255, 198, 26)


def test_drawn_icon_has_a_dark_colour_that_can_be_seen(client: Client) -> None:
    make_conference(slug="demo", colour="#000030")

    assert max(image(client.get("/demo/icon-192.png").content).getpixel((5, 5))) > 100  # type: ignore[type-var, arg-type]


def test_picture_of_a_shared_link_has_the_logo_on_a_plate() -> None:
    conference = with_looks()
    plain = make_conference(slug="plain")

    shown, without = conference_picture(conference), conference_picture(plain)

    white = sum(1 for pixel in image(shown.png()).crop((700, 20, 1200, 140)).get_flattened_data() if min(pixel) > 240)
    assert (white > 500, shown.version != without.version) == (True, True)
    default_storage.delete(str(conference.logo.name))
    assert len(shown.png()) > 1000


def test_wall_screen_and_paper_have_the_logo(client: Client) -> None:
    conference = with_looks()
    make_room(conference)

    screen = client.get(screen_address_of(Room.objects.get())).text
    paper = client.get("/demo/venue/directions/").text.partition('class="print-foot"')[2]

    assert [it.count(conference.logo.url) for it in (screen, paper)] == [1, 1]


def test_schedule_json_names_the_logo(client: Client) -> None:
    conference = with_looks()

    exported = json.loads(client.get("/demo/schedule.json").getvalue())["schedule"]["conference"]

    assert exported["logo"] == f"{settings.SITE_URL}{conference.logo.url}"

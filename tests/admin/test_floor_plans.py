from __future__ import annotations

import base64
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from events.models import Conference, FloorPlan, PlanArea, Service, Venue
from tests.admin.conftest import logged_in, staff
from tests.admin.pages import errors_of, messages_of, open_form, save, url
from tests.factories import make_conference, make_room, make_zone
from tests.venue.drawn import HOSTILE, drawing, make_plan, svg

pytestmark = pytest.mark.django_db
AREAS = {"areas-TOTAL_FORMS": "1", "areas-INITIAL_FORMS": "0"}


@pytest.fixture
def conference() -> Conference:
    conference = make_conference()
    make_room(conference, "Hall 1")
    return conference


def added(client: Client, conference: Conference, **fields: Any) -> Any:
    """Fill in the form for a new plan, with one area, and press Save."""
    venue = Venue.objects.filter(conference=conference)[0]
    address = f"{url('add', 'floorplan')}?conference={conference.pk}"
    areas = {f"areas-0-{name}": value for name, value in fields.pop("area", {}).items()}
    data = {**open_form(client, address), "venue": venue.pk, "name": "Level 1", **AREAS, **areas, **fields}
    return save(client, address, data if areas else {**data, "areas-TOTAL_FORMS": "0"})


def test_four_numbers_a_room_are_a_plan(organiser: Client, conference: Conference) -> None:
    before = conference.revision

    response = added(organiser, conference, area={"room": conference.rooms.get().pk, "points": "40 40 200 120"})

    assert response.status_code == 302
    plan = FloorPlan.objects.get()
    assert [(str(it), it.points) for it in plan.areas.all()] == [("Hall 1", "40 40 200 120")]
    assert (plan.width, plan.height, plan.drawing) == (1000, 600, "")
    conference.refresh_from_db()
    assert conference.revision > before


@pytest.mark.parametrize(
    ("area", "errors"),
    [
        pytest.param(
            {"label": "Stairs", "points": "1 2 3"},
            {"areas-0-points": ["3 numbers are no area: write left, top, width and height, as 40 40 200 120."]},
            id="three-numbers",
        ),
        pytest.param(
            {"label": "Stairs", "points": "900 0 200 10"},
            {
                "areas-0-points": [
                    "The area reaches from 900,0 to 1100,10, and the plan is 1000 wide and 600 high: move it inside."
                ]
            },
            id="outside",
        ),
        pytest.param(
            {"points": "0 0 9 9"},
            {"areas-0-__all__": ["Choose a room, a zone, a service or a sponsor, or write a label."]},
            id="nothing",
        ),
    ],
)
def test_area_that_cannot_be_drawn_is_refused(
    organiser: Client, conference: Conference, area: dict[str, str], errors: dict[str, list[str]]
) -> None:
    assert errors_of(added(organiser, conference, area=area)) == errors
    assert not FloorPlan.objects.exists()


@pytest.mark.parametrize("name", ["width", "height"])
@pytest.mark.parametrize("value", ["0", "100001", "2147483647"])
def test_plan_without_a_sound_size_is_refused(organiser: Client, conference: Conference, name: str, value: str) -> None:
    response = added(organiser, conference, **{name: value})

    problem = f"{value} is not a possible {name} of a plan: write a number from 1 to 100000; 1000 is usual."
    assert errors_of(response) == {name: [problem]}


def test_area_is_one_thing(organiser: Client, conference: Conference) -> None:
    room = conference.rooms.get()

    response = added(organiser, conference, area={"room": room.pk, "zone": room.zone_id, "points": "0 0 9 9"})

    assert errors_of(response) == {
        "areas-0-__all__": ["Choose one of room, zone, service and sponsor, and leave the others empty."]
    }


def test_room_of_another_building_is_refused(organiser: Client, conference: Conference) -> None:
    hotel = Venue.objects.create(conference=conference, name="Hotel")

    response = added(organiser, conference, venue=hotel.pk, area={"room": conference.rooms.get().pk, "points": "0 0 9 9"})

    assert errors_of(response) == {"areas-0-room": ["Hall 1 is in Singapore EXPO, and this plan is of Hotel."]}


def test_room_of_another_conference_is_refused(organiser: Client, conference: Conference) -> None:
    other = make_room(make_conference(), "Elsewhere")

    response = added(organiser, conference, area={"room": other.pk, "points": "0 0 9 9"})

    assert errors_of(response)["areas-0-room"] == ["Choose one of this conference."]


def test_drawing_is_stored_measured_and_searched_for_rooms(organiser: Client, conference: Conference) -> None:
    response = added(organiser, conference, upload=SimpleUploadedFile("plan.svg", HOSTILE.encode(), "image/svg+xml"))

    plan = FloorPlan.objects.get()
    assert (plan.width, plan.height, plan.drawing) == (800, 400, HOSTILE)
    assert [(it.room, it.points) for it in plan.areas.all()] == [(conference.rooms.get(), "0,0 100,0 100,50 0,50")]
    assert messages_of(response)[:2] == [
        "1 area found in the drawing: Hall 1. Delete below what you do not want.",
        "Pictures that are not shown because they are linked, not embedded: 2. Embed them in the SVG and upload it again.",
    ]


def test_rooms_that_are_on_no_plan_are_named(organiser: Client, conference: Conference) -> None:
    make_plan(conference, "Level 2", make_room(conference, "Peridot"))
    for number in range(12):
        make_room(conference, f"Garnet {number:02}")

    response = added(organiser, conference, upload=svg('<rect id="hall-1" width="9" height="8"/>'))

    named = ", ".join(f"Garnet {number:02}" for number in range(10))
    remedy = "Type their areas below, or upload a drawing whose elements are named like them: garnet-00."
    assert messages_of(response)[:2] == [
        "1 area found in the drawing: Hall 1. Delete below what you do not want.",
        f"Not on any plan yet: {named} and 2 more. {remedy}",
    ]


@pytest.mark.parametrize(
    ("file", "words"),
    [
        pytest.param(
            SimpleUploadedFile("plan.png", b"\x89PNG", "image/png"),
            "plan.png: is no SVG drawing: export the plan as SVG, not as PDF, PNG or a web page.",
            id="picture",
        ),
        pytest.param(
            SimpleUploadedFile("plan.svg", b'\n<!DOCTYPE svg [<!ENTITY a "b">]><svg/>'),
            "plan.svg, line 2: declares a document type or entities, which no drawing needs: take the <!DOCTYPE …> out.",
            id="entities",
        ),
        pytest.param(
            SimpleUploadedFile("plan.svg", b"<svg><rect/></svg>"),
            'plan.svg, line 1: is shown by no browser: write xmlns="http://www.w3.org/2000/svg" into its <svg>.',
            id="no-namespace",
        ),
    ],
)
def test_drawing_that_cannot_be_taken_is_refused(
    organiser: Client, conference: Conference, file: SimpleUploadedFile, words: str
) -> None:
    file.seek(0)

    assert errors_of(added(organiser, conference, upload=file)) == {"upload": [words]}
    assert not FloorPlan.objects.exists()


def test_new_drawing_moves_the_rooms_it_names_and_no_others(organiser: Client, conference: Conference) -> None:
    hall, garnet = conference.rooms.get(), make_room(conference, "Garnet", make_zone(conference))
    plan = make_plan(conference, "Level 1", hall, garnet, "Stairs")
    address = url("change", "floorplan", plan.pk)

    save(organiser, address, open_form(organiser, address), upload=svg('<rect id="hall-1" width="9" height="8"/>'))

    areas = {str(area): area.points for area in plan.areas.all()}
    assert areas == {"Hall 1": "0,0 9,0 9,8 0,8", "Garnet": "120 40 100 80", "Stairs": "240 40 100 80"}


def test_new_drawing_may_be_smaller_than_the_rooms_it_moves(organiser: Client, conference: Conference) -> None:
    plan = make_plan(conference, "Level 1", "Stairs", conference.rooms.get())
    address = url("change", "floorplan", plan.pk)

    save(
        organiser,
        address,
        open_form(organiser, address),
        upload=svg('<rect id="hall-1" width="9" height="8"/>', view="0 0 210 300"),
    )

    assert {str(area): area.points for area in plan.areas.all()} == {"Hall 1": "0,0 9,0 9,8 0,8", "Stairs": "0 40 100 80"}


def test_room_of_two_names_in_a_drawing_is_one_area(organiser: Client, conference: Conference) -> None:
    shapes = '<rect id="hall-1" width="9" height="8"/><rect id="room-hall-1" width="99" height="88"/>'

    added(organiser, conference, upload=svg(shapes))

    assert [(area.room, area.points) for area in PlanArea.objects.all()] == [(conference.rooms.get(), "0,0 9,0 9,8 0,8")]


def test_new_drawing_and_a_plan_that_is_gone_change_the_pages(organiser: Client, conference: Conference) -> None:
    plan = make_plan(conference, "Level 1", "Stairs")
    address = url("change", "floorplan", plan.pk)
    pages = ["plan-drawing" not in Client().get(f"/{conference.slug}/venue/").text]

    save(organiser, address, open_form(organiser, address), upload=svg("<text>Way out</text>"))
    pages.append("plan-drawing" in Client().get(f"/{conference.slug}/venue/").text)
    organiser.post(url("delete", "floorplan", plan.pk), {"post": "yes"})
    pages.append("plan-sheet" not in Client().get(f"/{conference.slug}/venue/").text)

    assert pages == [True, True, True]
    assert not FloorPlan.objects.exists()


def test_huge_upload_is_refused_without_being_read(organiser: Client, conference: Conference) -> None:
    file = SimpleUploadedFile("plan.svg", b"<svg>" + b" " * 2**22)

    errors = errors_of(added(organiser, conference, upload=file))

    assert errors == {"upload": ["plan.svg: is larger than 2 MB: take pictures and hidden layers out, and export it again."]}


def test_areas_must_fit_the_new_drawing(organiser: Client, conference: Conference) -> None:
    plan = make_plan(conference, "Level 1", "Hall", "Stairs")
    address = url("change", "floorplan", plan.pk)

    response = save(organiser, address, open_form(organiser, address), upload=svg("<rect/>", view="0 0 210 300"))

    assert list(errors_of(response)) == ["areas-1-points"]
    plan.refresh_from_db()
    assert plan.drawing == ""


def test_drawing_is_taken_out_again(organiser: Client, conference: Conference) -> None:
    plan = make_plan(conference, "Level 1", width=800, height=400, drawing=drawing("<rect/>"))
    address = url("change", "floorplan", plan.pk)

    save(organiser, address, open_form(organiser, address), take_out="on")

    plan.refresh_from_db()
    assert (plan.drawing, plan.width, plan.height) == ("", 800, 400)


def test_form_shows_the_plan_as_attendees_see_it(organiser: Client, conference: Conference) -> None:
    plan = make_plan(conference, "Level 1", conference.rooms.get(), "Stairs")

    page = organiser.get(url("change", "floorplan", plan.pk)).text

    assert page.count('<polygon points="') == 2
    assert (page.count("<line "), page.count(">50</text>"), page.count(">950</text>")) == (30, 2, 1)
    assert "events/css/venue/plan.css" in page


def test_form_shows_a_drawing_before_its_conference_is_published(organiser: Client, conference: Conference) -> None:
    conference.status = "draft"
    conference.save()
    plan = make_plan(conference, "Level 1", width=800, height=400, drawing=drawing("<rect/>"))

    page = organiser.get(url("change", "floorplan", plan.pk)).text

    image = base64.b64encode(drawing("<rect/>").encode()).decode()
    assert f'<img class="plan-drawing" src="data:image/svg+xml;base64,{image}" alt="">' in page


def test_organisers_alone_change_plans(conference: Conference, chair: Client) -> None:
    plan = make_plan(conference, "Level 1")

    assert chair.get(url("changelist", "floorplan")).status_code == 403
    assert chair.post(url("change", "floorplan", plan.pk), {"name": "Mine"}).status_code == 403


def test_who_only_looks_is_offered_no_upload(conference: Conference) -> None:
    looker = staff("Looker")
    looker.user_permissions.set(Permission.objects.filter(codename__in=["view_floorplan", "view_planarea"]))
    plan = make_plan(conference, "Level 1", "Stairs")

    page = logged_in(looker).get(url("change", "floorplan", plan.pk)).text

    assert 'type="file"' not in page
    assert page.count('<polygon points="') == 1


def test_services_are_areas_too(organiser: Client, conference: Conference) -> None:
    desk = Service.objects.create(conference=conference, name="Registration")

    added(organiser, conference, upload=svg('<circle id="service-registration" r="9"/>'))

    assert [area.service for area in PlanArea.objects.all()] == [desk]

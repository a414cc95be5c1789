"""Floors for tests: areas by what they are of, and drawings as organisers upload them."""

from __future__ import annotations

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

from events.models import Conference, FloorPlan, PlanArea, Room, Service, Venue, Zone
from tests.factories import make_zone


def make_plan(conference: Conference, name: str = "Level 1", *places: Room | Zone | Service | str, **fields: Any) -> FloorPlan:
    """Each place is 100 wide, in a row from the left; a text is only words."""
    make_zone(conference)
    venue = Venue.objects.filter(conference=conference)[0]
    plan = FloorPlan.objects.create(conference=conference, venue=venue, name=name, **fields)
    for number, place in enumerate(places):
        of = {"label": place} if isinstance(place, str) else {type(place).__name__.lower(): place}
        PlanArea.objects.create(plan=plan, points=f"{number * 120} 40 100 80", **of)
    return plan


def drawing(inside: str, root: str = 'viewBox="0 0 800 400"') -> str:
    names = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    return f"<svg {names} {root}>{inside}</svg>"


def svg(inside: str, name: str = "plan.svg", view: str = "0 0 800 400") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, drawing(inside, f'viewBox="{view}"').encode(), "image/svg+xml")


HOSTILE = drawing(
    '<script>document.title = "taken over"; fetch("https://evil.example/")</script>'
    '<rect id="room-hall-1" width="100" height="50" onclick="alert(1)"/>'
    '<a href="javascript:alert(1)"><circle r="20"/></a><image href="https://evil.example/x.png" width="9" height="9"/>'
    '<style>@import url("https://evil.example/x.css"); rect { fill: url(https://evil.example/#x) }</style>'
    '<use href="https://evil.example/x.svg#x"/><image href="/healthz" width="9" height="9"/>'
    '<foreignObject width="9" height="9"><body xmlns="http://www.w3.org/1999/xhtml"><iframe src="https://evil.example/"/>'
    '<img src="x" onerror="document.title = 1"/><meta http-equiv="refresh" content="0;url=https://evil.example/"/></body>'
    '</foreignObject><text x="9" y="20">&lt;/svg>&lt;img src=x onerror=alert(1)></text>'
    '<set attributeName="onmouseover" to="alert(1)"/>',
    'viewBox="0 0 800 400" onload="document.title = 2; alert(1)"',
)

"""Plans in databases from before drawings were images."""

from __future__ import annotations

from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.db import connection

from events.models import FloorPlan
from events.venue.rules.drawing import read_drawing
from tests.factories import make_conference
from tests.venue.drawn import make_plan

pytestmark = pytest.mark.django_db

INSIDE = (
    '<g fill="none" stroke="#333" transform="translate(5 5)"><path d="M0,0 L10,10z"/></g><text x="1" y="2">Hall 1</text></svg>'
)
CLEANED = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 400">{INSIDE}'
WITH_FONT = f'<svg xmlns="http://www.w3.org/2000/svg" font-family="sans-serif" viewBox="0 0 800 400">{INSIDE}'


def test_drawing_that_was_cleaned_is_shown_in_a_font_like_that_of_the_page() -> None:
    plan = make_plan(make_conference(), "Level 1", "Stairs", drawing=CLEANED, imported={"drawing": CLEANED, "width": 800})
    typed = make_plan(plan.conference, "Level 2", "Stairs", imported={"drawing": ""})
    by_hand = make_plan(plan.conference, "Level 3", drawing=CLEANED.replace("Hall", "Room"), imported={"drawing": CLEANED})

    import_module("events.migrations.0009_name_fonts_in_drawings").name_fonts(apps, SimpleNamespace(connection=connection))

    stored = {it.name: (it.drawing, it.imported) for it in FloorPlan.objects.all()}
    assert stored == {
        "Level 1": (WITH_FONT, {"drawing": WITH_FONT, "width": 800}),
        typed.name: ("", {"drawing": ""}),
        by_hand.name: (WITH_FONT.replace("Hall", "Room"), {"drawing": WITH_FONT}),
    }
    found = read_drawing(WITH_FONT.encode(), file="drawing")
    assert (found.width, found.height, found.texts) == (800, 400, {"hall-1"})

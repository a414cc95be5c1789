"""A photo of a person or of a way comes with words for who cannot see it."""

from __future__ import annotations

import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from events.models import Leg, Person, Route, StartingPoint
from tests.admin.pages import errors_of, open_form, save, sent_by, url
from tests.factories import make_conference, make_person, make_zone

pytestmark = pytest.mark.django_db


ALT = "Say in words what the photo shows, for people who cannot see it."


def a_photo() -> SimpleUploadedFile:
    buffer = io.BytesIO()
    Image.new("RGB", (8, 8), "red").save(buffer, "PNG")
    return SimpleUploadedFile("me.png", buffer.getvalue(), "image/png")


def test_photo_of_a_person_without_words_gets_their_name(organiser: Client) -> None:
    person = make_person(make_conference())
    data = open_form(organiser, url("change", "person", person.pk))

    save(organiser, url("change", "person", person.pk), data, photo=a_photo())
    named = Person.objects.get().photo_alt
    data = open_form(organiser, url("change", "person", person.pk))
    save(organiser, url("change", "person", person.pk), data, photo_alt="Ada, writing.")

    stored = Person.objects.get()
    assert (named, stored.photo.name.endswith(".webp"), stored.photo_alt) == ("Photo of Ada Lovelace", True, "Ada, writing.")


def test_file_survives_another_mistake_in_the_form(organiser: Client) -> None:
    person = make_person(make_conference())
    address = url("change", "person", person.pk)

    refused = save(organiser, address, open_form(organiser, address), photo=a_photo(), url="not an address")
    waiting = sent_by(refused)
    save(organiser, address, waiting, url="https://example.org/")

    assert list(errors_of(refused)) == ["url"]
    assert "“me.png” is here already" in refused.text
    assert Person.objects.get().photo.name.endswith(".webp")


def test_file_of_a_leg_survives_a_mistake(organiser: Client) -> None:
    conference = make_conference()
    start = StartingPoint.objects.create(conference=conference, name="Station", slug="station")
    route = Route.objects.create(conference=conference, start=start, zone=make_zone(conference), title="On foot")
    Leg.objects.create(route=route, instruction="Take the lift.")
    address = url("change", "route", route.pk)

    refused = save(organiser, address, open_form(organiser, address), **{"legs-0-photo": a_photo()})
    save(organiser, address, sent_by(refused), **{"legs-0-photo_alt": "The lift."})

    assert errors_of(refused) == {"legs-0-photo_alt": [ALT]}
    assert Leg.objects.get().photo.name.endswith(".webp")


def test_file_that_waits_is_its_senders_only(organiser: Client, other_organiser: Client) -> None:
    person = make_person(make_conference())
    address = url("change", "person", person.pk)
    refused = save(organiser, address, open_form(organiser, address), photo=a_photo(), url="not an address")

    save(other_organiser, address, sent_by(refused), url="https://example.org/")

    assert (Person.objects.get().url, Person.objects.get().photo.name) == ("https://example.org/", "")


def test_photo_of_a_leg_needs_words(organiser: Client) -> None:
    conference = make_conference()
    start = StartingPoint.objects.create(conference=conference, name="Station", slug="station")
    route = Route.objects.create(conference=conference, start=start, zone=make_zone(conference), title="On foot")
    data = open_form(organiser, url("change", "route", route.pk))
    leg = {"legs-TOTAL_FORMS": 1, "legs-0-instruction": "Take the lift.", "legs-0-mode": "lift", "legs-0-position": 0}
    leg |= {f"legs-0-{field}": "unknown" for field in ("covered", "step_free", "gate_free")}

    refused = save(organiser, url("change", "route", route.pk), data, **leg, **{"legs-0-photo": a_photo()})

    assert (errors_of(refused), Leg.objects.count()) == ({"legs-0-photo_alt": [ALT]}, 0)


def test_file_that_is_no_photo_is_refused(organiser: Client) -> None:
    person = make_person(make_conference())
    data = open_form(organiser, url("change", "person", person.pk))
    svg = SimpleUploadedFile("me.svg", b"<svg onload='alert(1)' xmlns='http://www.w3.org/2000/svg'/>", "image/svg+xml")

    response = save(organiser, url("change", "person", person.pk), data, photo=svg, photo_alt="Ada")

    assert (list(errors_of(response)), Person.objects.get().photo.name) == (["photo"], "")

"""The photo of a speaker is where the talk is."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import make_appearance, make_conference, make_event, make_person

pytestmark = pytest.mark.django_db

PHOTO = re.compile(r'<img[^>]+src="/media/people/ada.webp" alt="([^"]*)"')


def test_photo_is_on_the_page_of_the_talk_in_invited_talks_and_among_people(client: Client) -> None:
    conference = make_conference()
    talk = make_event(conference, kind="invited-talk", start="09:00", end="10:00")
    make_appearance(talk, make_person(conference, photo="people/ada.webp", photo_alt="Ada, writing."))
    make_appearance(talk, make_person(conference, "Grace Hopper"))

    pages = {
        name: client.get(reverse(f"events:{name}", args=[conference.slug])).text for name in ("invited-talk-list", "person-list")
    }
    pages["event-detail"] = client.get(talk.get_absolute_url()).text

    # In the list the name is beside it, and is not read twice.
    assert {name: PHOTO.findall(page) for name, page in pages.items()} == {
        "event-detail": ["Ada, writing."],
        "invited-talk-list": ["Ada, writing."],
        "person-list": [""],
    }

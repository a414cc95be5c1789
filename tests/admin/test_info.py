"""Organisers write pages, enter sponsors and upload pictures; each message says what was changed."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from events.models import Conference, InfoPage, PagePicture, SearchEntry, Sponsor, SponsorLevel
from events.search.indexing import reindex, stale_conferences
from tests.admin.pages import errors_of, open_form, save, url
from tests.factories import make_conference
from tests.pictures import drawn_on_nothing, picture, svg_picture
from tests.search.queries.asking import result_titles

pytestmark = pytest.mark.django_db
SVG_REFUSAL = "An SVG drawing can contain scripts and is not taken: export it as PNG, 1000 pixels wide, and upload that."


def notes(response: Any) -> list[str]:
    return [str(message) for message in get_messages(response.wsgi_request) if message.level_tag == "info"]


def test_new_page_is_a_draft_with_its_pictures(organiser: Client) -> None:
    conference = make_conference()
    address = f"{url('add', 'infopage')}?conference={conference.pk}"
    data = open_form(organiser, address) | {"title": "Wi-Fi", "slug": "wi-fi", "text": "![](map)"}
    picture_row = {"pictures-TOTAL_FORMS": 1, "pictures-0-name": "map", "pictures-0-alt": "Exits", "pictures-0-position": 0}

    refused = save(organiser, address, data, **picture_row | {"pictures-0-photo": svg_picture()})
    save(organiser, address, data, **picture_row | {"pictures-0-photo": picture(800, 400)})

    page, stored = InfoPage.objects.get(), PagePicture.objects.get()
    assert errors_of(refused) == {"pictures-0-photo": [SVG_REFUSAL]}
    assert (page.is_public, page.conference) == (False, conference)
    assert (stored.photo.name.endswith(".webp"), stored.photo_width, stored.photo_height) == (True, 800, 400)


def test_picture_of_a_page_needs_words(organiser: Client) -> None:
    page = InfoPage.objects.create(conference=make_conference(), title="Wi-Fi", slug="wi-fi")
    data = open_form(organiser, url("change", "infopage", page.pk))
    row = {"pictures-TOTAL_FORMS": 1, "pictures-0-name": "map", "pictures-0-photo": picture(), "pictures-0-position": 0}

    response = save(organiser, url("change", "infopage", page.pk), data, **row)

    assert (list(errors_of(response)), PagePicture.objects.count()) == (["pictures-0-alt"], 0)


def test_saving_a_page_changes_every_page_of_the_conference(organiser: Client) -> None:
    page = InfoPage.objects.create(conference=make_conference(), title="Wi-Fi", slug="wi-fi")
    before = Conference.objects.get().revision

    data = open_form(organiser, url("change", "infopage", page.pk))
    save(organiser, url("change", "infopage", page.pk), data, is_public="on")

    assert (InfoPage.objects.get().is_public, Conference.objects.get().revision) == (True, before + 1)


def found_after_commit(conference: Conference) -> dict[str, list[str]]:
    """What a server finds once it has compared what the revision says has changed."""
    for stale in stale_conferences():
        reindex(stale)
    return {word: result_titles(conference, word) for word in ("visa", "passport")}


@pytest.mark.both_databases
def test_search_follows_a_page_that_is_edited_published_withdrawn_and_deleted(organiser: Client) -> None:
    conference = make_conference()
    page = InfoPage.objects.create(conference=conference, title="Visa", slug="visa", text="Ask early.")
    found = [found_after_commit(conference)]
    early, passport = "Ask early.", "Bring a passport."
    for is_public, text in [(True, early), (True, passport), (False, passport), (True, passport)]:
        data = open_form(organiser, url("change", "infopage", page.pk))
        data.pop("is_public", None)
        save(organiser, url("change", "infopage", page.pk), data | ({"is_public": "on"} if is_public else {}), text=text)
        found.append(found_after_commit(conference))
    organiser.post(url("delete", "infopage", page.pk), {"post": "yes"})
    found.append(found_after_commit(conference))

    nothing, by_title = {"visa": [], "passport": []}, {"visa": ["Visa"], "passport": []}
    by_both = {"visa": ["Visa"], "passport": ["Visa"]}
    assert found == [nothing, by_title, by_both, nothing, by_both, nothing]
    assert (InfoPage.objects.count(), SearchEntry.objects.count()) == (0, 0)


def test_dark_logo_of_a_sponsor_gets_a_plate_and_says_so(organiser: Client) -> None:
    level = SponsorLevel.objects.create(conference=make_conference(), name="Gold")
    address = f"{url('add', 'sponsor')}?conference={level.conference_id}"
    data = open_form(organiser, address) | {"name": "Acme", "level": level.pk}

    response = save(organiser, address, data, logo=drawn_on_nothing("#16181d"))

    assert Sponsor.objects.get().logo_ground == "light"
    assert notes(response) == ["Logo: parts of it are too dark for dark pages: there it has a white plate."]


def test_level_of_another_conference_is_not_taken(organiser: Client) -> None:
    foreign = SponsorLevel.objects.create(conference=make_conference(), name="Gold")
    address = f"{url('add', 'sponsor')}?conference={make_conference().pk}"

    response = save(organiser, address, open_form(organiser, address) | {"name": "Acme", "level": foreign.pk})

    assert errors_of(response) == {"level": ["Choose one of this conference."]}


def test_looks_of_a_conference_are_corrected_with_a_sentence(organiser: Client) -> None:
    conference = make_conference()
    address = url("change", "conference", conference.pk)
    looks = {"header_picture": picture(1200, 1200), "header_alt": "The harbour", "icon": picture(300, 300)}

    response = save(organiser, address, open_form(organiser, address), **looks, colour="#FFE600")

    stored = Conference.objects.get()
    assert (stored.header_picture_width, stored.header_picture_height) == (1200, 480)
    assert (stored.colour, bool(stored.icon)) == ("#FFE600", True)
    assert [note.partition(":")[0] for note in notes(response)] == ["Colour", "Header picture"]


@pytest.mark.parametrize(
    ("field", "file", "problem"),
    [
        ("logo", svg_picture, SVG_REFUSAL),
        ("icon", lambda: picture(90, 90), "would be blurred: use one of 180 × 180 or more."),
        ("header_picture", lambda: picture(300, 120), "would be blurred: use one of 600 × 100 or more."),
        ("logo", lambda: SimpleUploadedFile("x.png", b"\x89PNG\r\n\x1a\nnothing"), "not a complete JPEG, PNG or WebP"),
    ],
)
def test_unfit_picture_is_refused_with_its_remedy(organiser: Client, field: str, file: Any, problem: str) -> None:
    conference = make_conference()
    address = url("change", "conference", conference.pk)

    response = save(organiser, address, open_form(organiser, address), header_alt="x", **{field: file()})

    assert problem in errors_of(response)[field][0]
    assert getattr(Conference.objects.get(), field).name == ""


def test_header_needs_words(organiser: Client) -> None:
    address = url("change", "conference", make_conference().pk)

    response = save(organiser, address, open_form(organiser, address), header_picture=picture(1200, 480))

    assert list(errors_of(response)) == ["header_alt"]

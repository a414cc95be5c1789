"""Visitors of the pages of sign-up lists."""

from __future__ import annotations

from django.test import Client
from django.urls import reverse

from events.models import Agenda, Event, SignUp
from tests.factories import make_agenda
from tests.visitors import browser


def url_of(own: SignUp) -> str:
    return reverse("events:sign-up", args=[own.event.conference.slug, own.event.guid])


def holder(own: SignUp, *picks: Event) -> tuple[Client, Agenda]:
    agenda, token = make_agenda(own.event.conference, *picks)
    return browser(token=token), agenda


def shown_message(client: Client, url: str) -> str:
    """The messages on the page that comes next."""
    text = client.get(url).text
    return " ".join(text.partition('id="status"')[2].partition("</div>\n    <p")[0].split())

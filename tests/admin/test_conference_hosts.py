"""Host names of a conference, in its form."""

from __future__ import annotations

import pytest
from django.test import Client

from events.models import ConferenceHost
from tests.admin.pages import open_form, url
from tests.factories import make_conference

pytestmark = pytest.mark.django_db
HOST = "2027.nordml.example"


def test_organiser_adds_a_name_that_no_other_conference_has(organiser: Client) -> None:
    ConferenceHost.objects.create(conference=make_conference(slug="nordml-2027"), name=HOST)
    other = make_conference(slug="other")
    address = url("change", "conference", other.pk)
    data = open_form(organiser, address) | {"hosts-TOTAL_FORMS": "1", "hosts-0-conference": str(other.pk)}

    refused = organiser.post(address, data | {"hosts-0-name": HOST})
    saved = organiser.post(address, data | {"hosts-0-name": "other.example"})

    assert "This name leads to another conference: remove it there first." in refused.text
    assert saved.status_code == 302
    assert list(other.hosts.values_list("name", flat=True)) == ["other.example"]

"""A session with more inside than its form can show."""

from __future__ import annotations

import pytest
from django.test import Client

from events.models import Event
from tests.admin.pages import LATER, asks, messages_of, move, open_form, picked, save, sent_by, url
from tests.factories import at, make_conference, make_event

pytestmark = pytest.mark.django_db

MANY = 101


@pytest.fixture
def posters(db: None) -> Event:
    session = make_event(make_conference(), title="Posters", start="09:00", end="10:00")
    first = make_event(session.conference, title="Poster 0", kind="poster", session=session, start="09:00", end="10:00")
    shared = {it.attname: getattr(first, it.attname) for it in Event._meta.concrete_fields if it.name not in {"id", "guid"}}
    Event.objects.bulk_create(Event(**{**shared, "title": f"Poster {number}"}) for number in range(1, MANY))
    Event.objects.record_changes(quiet=True)
    return session


def test_form_links_to_the_list_of_what_is_inside(organiser: Client, posters: Event) -> None:
    page = organiser.get(url("change", "session", posters.pk))

    address = f"{url('changelist', 'session')}?conference__id__exact={posters.conference_id}&session__id__exact={posters.pk}"
    assert f'<a href="{address.replace("&", "&amp;")}">101 talks inside: open their list</a>' in page.text
    assert organiser.get(address).context["cl"].result_count == MANY
    assert not [name for name in sent_by(page) if name.startswith("children-")]


def test_form_of_fewer_has_their_rows(organiser: Client, posters: Event) -> None:
    posters.children.last().delete()

    page = organiser.get(url("change", "session", posters.pk))

    assert (sent_by(page)["children-TOTAL_FORMS"], "open their list" in page.text) == ("100", False)


def test_rows_are_saved_also_if_they_are_too_many_by_then(organiser: Client, posters: Event) -> None:
    address, last = url("change", "session", posters.pk), posters.children.last()
    Event.objects.filter(pk=last.pk).update(session=None)
    data = open_form(organiser, address)
    Event.objects.filter(pk=last.pk).update(session=posters)

    save(organiser, address, data, **{"children-0-title": "First of all"})

    assert posters.children.filter(title="First of all").count() == 1


def test_save_without_a_change_changes_nothing(organiser: Client, posters: Event) -> None:
    before = list(Event.objects.order_by("pk").values())

    response = save(organiser, url("change", "session", posters.pk), open_form(organiser, url("change", "session", posters.pk)))

    assert (response.status_code, list(Event.objects.order_by("pk").values())) == (302, before)


def test_move_shows_its_impact_and_takes_along_what_is_inside(organiser: Client, posters: Event) -> None:
    picked(6, posters.children.get(title="Poster 7"))

    page = move(organiser, posters, **LATER)
    done = save(organiser, url("change", "session", posters.pk), sent_by(page))

    assert (asks(page), page.context["impact"]["counts"][0]) == (True, ("6", "have one of these in their agenda"))
    assert "101 talks inside: otherwise they stay behind" in page.text
    assert set(Event.objects.values_list("start", "end")) == {(at("11:00"), at("12:00"))}
    assert messages_of(done)[0].endswith("; and 93 more.")

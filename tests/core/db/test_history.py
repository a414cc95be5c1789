from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from simple_history.utils import update_change_reason

from events.models import Event, InvitedTalk, Session, Social
from tests.factories import at, make_conference, make_event

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("proxy", "kind"), [(Session, "talk"), (InvitedTalk, "invited-talk"), (Social, "social")])
def test_history_is_one_for_an_event_and_its_proxies(proxy: type[Event], kind: str) -> None:
    event = make_event(make_conference(), kind=kind, title="One", announce=False)

    through_proxy = proxy.objects.get(pk=event.pk)
    through_proxy.title = "Two"
    through_proxy.save()
    event.title = "Three"
    event.save()

    titles = ["Three", "Two", "One"]
    assert [it.title for it in event.history.all()] == titles
    assert [it.title for it in through_proxy.history.all()] == titles


def test_history_says_who_changed_what() -> None:
    event = make_event(make_conference(), title="One", announce=False)
    organiser = User.objects.create_user("organiser")

    event.title = "Two"
    event._history_user = organiser
    event.save()
    update_change_reason(event, "Typo")

    new, old = event.history.all()
    assert (new.history_user, new.history_change_reason, new.history_type) == (organiser, "Typo", "~")
    assert [(it.field, it.old, it.new) for it in new.diff_against(old).changes] == [("title", "One", "Two")]


def test_history_leaves_out_what_is_computed() -> None:
    event = make_event(make_conference(), start="09:00", end="10:00")
    event.start = at("09:30")
    event.revise()

    new, old = event.history.all()

    assert [it.field for it in new.diff_against(old).changes] == ["start"]


def test_deleting_a_proxy_is_remembered() -> None:
    event = make_event(make_conference(), kind="social", announce=False)

    Social.objects.get(pk=event.pk).delete()

    assert [it.history_type for it in Event.history.order_by("pk")] == ["+", "-"]


@pytest.mark.parametrize(
    ("proxy", "kinds"),
    [
        (Session, ["session", "talk", "poster", "break", "service"]),
        (InvitedTalk, ["invited-talk"]),
        (Social, ["social"]),
    ],
)
def test_proxies_hold_their_kinds_only(proxy: type[Event], kinds: list[str]) -> None:
    conference = make_conference()
    for kind in ["invited-talk", "session", "talk", "poster", "social", "break", "service"]:
        make_event(conference, kind=kind, title=kind, announce=False)

    assert list(proxy.objects.order_by("pk").values_list("title", flat=True)) == kinds

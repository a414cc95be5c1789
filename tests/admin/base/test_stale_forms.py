"""A form of what somebody else has changed meanwhile is refused, and says what changed."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group
from django.test import Client

from events.models import Announcement, Event, Leg, Route, StaffRole, StartingPoint
from events.staff.models import MODERATORS, ROOM_HELPERS, SOCIAL_CHAIRS
from tests.admin.conftest import staff
from tests.admin.pages import errors_of, open_form, save, sent_by, url
from tests.factories import make_conference, make_event, make_zone

pytestmark = pytest.mark.django_db


def test_stale_form_is_refused_and_says_who_changed_what(organiser: Client, other_organiser: Client) -> None:
    event = make_event(make_conference(), title="Old", start="09:00", end="10:00")
    address = url("change", "session", event.pk)
    mine, theirs = open_form(organiser, address), open_form(other_organiser, address)
    save(other_organiser, address, theirs, title="Theirs", start_1="09:30")

    response = save(organiser, address, mine, title="Mine")

    assert errors_of(response) == {
        "__all__": [
            (
                "Edsger changed this after you opened it: Title: Old → Theirs; "
                "Start: 24 Apr 2025 09:00, Singapore → 24 Apr 2025 09:30, Singapore. "
                "Nothing is saved yet, and what you typed is still here. Check it, and save again to keep it."
            )
        ]
    }
    assert ('value="Mine"' in response.text, Event.objects.get().title) == (True, "Theirs")


def test_stale_form_saved_again_after_the_message_is_saved(organiser: Client, other_organiser: Client) -> None:
    event = make_event(make_conference(), title="Old")
    address = url("change", "session", event.pk)
    mine = open_form(organiser, address)
    save(other_organiser, address, open_form(other_organiser, address), title="Theirs")
    refused = save(organiser, address, mine, title="Mine")
    seen = refused.context["adminform"].form.data["version"]

    save(organiser, address, mine, title="Mine", version=seen)

    assert Event.objects.get().title == "Mine"


def test_what_both_did_not_edit_together_is_saved_together(organiser: Client, other_organiser: Client) -> None:
    row = Announcement.objects.create(conference=make_conference(), title="Lunch", text="In hall 1")
    address = url("change", "announcement", row.pk)
    mine = open_form(organiser, address)
    save(other_organiser, address, open_form(other_organiser, address), text="In hall 2", urgent="on")

    refused = save(organiser, address, mine, title="Lunch is late")
    save(organiser, address, sent_by(refused))

    assert errors_of(refused)["__all__"][0].startswith(
        "Edsger changed this after you opened it: Text → In hall 2; Urgent → yes. Nothing is saved yet"
    )
    assert refused.text.count("Changed meanwhile: here is the new value.") == 2
    row.refresh_from_db()
    assert (row.title, row.text, row.urgent) == ("Lunch is late", "In hall 2", True)


def test_words_that_both_edited_stand_beside_each_other_in_full(organiser: Client, other_organiser: Client) -> None:
    row = Announcement.objects.create(conference=make_conference(), title="Lunch", text="In hall 1")
    address, theirs = url("change", "announcement", row.pk), f"In hall 2. {'Take the stairs. ' * 20}And <b>do not run</b>."
    mine = open_form(organiser, address)
    save(other_organiser, address, open_form(other_organiser, address), text=theirs)

    refused = save(organiser, address, mine, text="In hall 3")

    assert sent_by(refused)["text"] == "In hall 3"
    assert f"Stored meanwhile: {theirs}".replace("<", "&lt;").replace(">", "&gt;") in refused.text


def test_stale_row_of_a_table_says_in_the_row_what_is_stored(organiser: Client, other_organiser: Client) -> None:
    conference = make_conference()
    start = StartingPoint.objects.create(conference=conference, name="Station", slug="station")
    route = Route.objects.create(conference=conference, start=start, zone=make_zone(conference), title="By train")
    Leg.objects.create(route=route, instruction="Walk on.")
    address = url("change", "route", route.pk)
    mine = open_form(organiser, address)
    save(other_organiser, address, open_form(other_organiser, address), **{"legs-0-instruction": "Turn left."})

    errors = errors_of(save(organiser, address, mine, **{"legs-0-instruction": "Turn right."}))

    assert errors["legs-0-instruction"] == ["Stored meanwhile: Turn left."]
    assert errors["legs-0-__all__"][0].startswith("Edsger changed this after you opened it: Instruction → Turn left.")


def test_stale_talk_inside_is_refused(organiser: Client, other_organiser: Client) -> None:
    conference = make_conference()
    session = make_event(conference, start="09:00", end="10:00")
    talk = make_event(conference, kind="talk", title="Old", start="09:00", end="09:15", session=session)
    mine = open_form(organiser, url("change", "session", session.pk))
    theirs = open_form(other_organiser, url("change", "session", talk.pk))
    save(other_organiser, url("change", "session", talk.pk), theirs, title="Theirs")

    response = save(organiser, url("change", "session", session.pk), mine, title="New name of the session")

    assert list(errors_of(response)) == ["children-0-__all__"]
    assert list(Event.objects.order_by("pk").values_list("title", flat=True)) == [session.title, "Theirs"]


def test_form_of_a_deleted_event_is_refused(organiser: Client) -> None:
    event = make_event(make_conference(), status="draft")
    data = open_form(organiser, url("change", "session", event.pk))
    event.delete()

    response = save(organiser, url("change", "session", event.pk), data, title="Back from the dead")

    assert (response.status_code, Event.objects.count()) == (302, 0)


def test_closed_account_stays_closed_when_an_older_form_of_it_is_saved(organiser: Client, other_organiser: Client) -> None:
    member, conference = staff("Ada"), make_conference()
    address, role = url("change", "staffmember", member.pk), Group.objects.get(name=MODERATORS)
    mine, theirs = open_form(organiser, address), open_form(other_organiser, address)
    save(other_organiser, address, {name: it for name, it in theirs.items() if name != "is_active"})

    given = {"staff_roles-0-group": role.pk, "staff_roles-0-conference": conference.pk}
    refused = save(organiser, address, mine, **given)

    assert errors_of(refused)["__all__"][0].startswith("Edsger changed this after you opened it: May log in → no. ")
    member.refresh_from_db()
    assert (member.is_active, StaffRole.objects.count()) == (False, 0)
    save(organiser, address, sent_by(refused))
    member.refresh_from_db()
    assert (member.is_active, [it.group for it in StaffRole.objects.all()]) == (False, [role])


def test_role_for_every_conference_is_not_taken_back_by_an_older_form(organiser: Client, other_organiser: Client) -> None:
    member = staff("Ada", SOCIAL_CHAIRS)
    address = url("change", "staffmember", member.pk)
    mine = open_form(organiser, address)
    moderators = Group.objects.get(name=MODERATORS)
    save(other_organiser, address, open_form(other_organiser, address), group=moderators.pk)

    refused = save(organiser, address, mine)

    assert "Edsger changed this after you opened it: Every conference → Moderators." in errors_of(refused)["__all__"][0]
    assert list(member.groups.all()) == [moderators]


def test_role_in_one_conference_is_not_taken_back_by_an_older_form(organiser: Client, other_organiser: Client) -> None:
    member, conference = staff("Ada"), make_conference()
    chairs, moderators, helpers = (Group.objects.get(name=name) for name in (SOCIAL_CHAIRS, MODERATORS, ROOM_HELPERS))
    StaffRole.objects.create(user=member, group=chairs, conference=conference)
    address = url("change", "staffmember", member.pk)
    mine = open_form(organiser, address)
    save(other_organiser, address, open_form(other_organiser, address), **{"staff_roles-0-group": moderators.pk})

    errors = errors_of(save(organiser, address, mine, **{"staff_roles-0-group": helpers.pk}))

    assert errors["staff_roles-0-group"] == ["Stored meanwhile: Moderators"]
    assert errors["staff_roles-0-__all__"][0].startswith("Edsger changed this after you opened it: Role → Moderators.")
    assert StaffRole.objects.get().group == moderators


def test_sign_in_makes_no_form_of_an_account_stale(organiser: Client) -> None:
    member = staff("Ada")
    address = url("change", "staffmember", member.pk)
    mine = open_form(organiser, address)
    Client().force_login(member)

    assert save(organiser, address, mine).status_code == 302

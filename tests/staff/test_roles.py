"""Roles in single conferences: what they allow, which conference they are worked with in, and who gives them."""

from __future__ import annotations

import datetime as dt

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from events.admin.notices import send_notices
from events.imports.following_mail import organisers
from events.mail.models import Letter
from events.models import Conference, Event, Proposal, StaffRole
from events.staff.models import MODERATORS, ORGANISERS, SOCIAL_CHAIRS
from tests.admin.pages import act, messages_of, open_form, save
from tests.factories import at, make_conference, make_event
from tests.staff.signing_in import PASSWORD, make_staff

pytestmark = pytest.mark.django_db
INVITE = "/organise/events/staffmember/add/"
STAFF = "/organise/events/staffmember/"
ADA = "ada@example.org"
LIST_QUERIES = 12


@pytest.fixture
def old() -> Conference:
    return make_conference(slug="nordml-2026", name="NordML 2026", start=dt.date(2026, 3, 1), end=dt.date(2026, 3, 3))


@pytest.fixture
def new() -> Conference:
    return make_conference(slug="nordml-2027", name="NordML 2027", start=dt.date(2027, 3, 1), end=dt.date(2027, 3, 3))


def group(name: str) -> Group:
    return Group.objects.get(name=name)


def member(name: str, *roles: tuple[str, Conference]) -> User:
    user = User.objects.create_user(name, email=f"{name.lower()}@example.org", password=PASSWORD, is_staff=True)
    for role, conference in roles:
        StaffRole.objects.create(user=user, group=group(role), conference=conference)
    return user


def fresh(user: User) -> User:
    """As the next request reads it."""
    return User.objects.get(pk=user.pk)


def browser(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def choose(client: Client, conference: Conference) -> None:
    client.post(reverse("admin:current_conference"), {"conference": conference.pk})


def social(conference: Conference, title: str = "Runners") -> Event:
    return make_event(conference, kind="social", title=title, start="18:00", end="20:00", status="draft", announce=False)


def edit(conference: Event) -> str:
    return reverse("admin:events_social_change", args=[conference.pk])


def test_chair_of_one_edition_edits_its_socials_and_nothing_of_another(old: Conference, new: Conference) -> None:
    chair, theirs, other = browser(member("Chair", (SOCIAL_CHAIRS, new))), social(new), social(old, "Swimmers")

    assert save(chair, edit(theirs), open_form(chair, edit(theirs)), title="Walkers").status_code == 302
    assert chair.post(edit(other), {"title": "Mine"}).status_code == 302
    act(chair, "social", "publish", [other])

    theirs.refresh_from_db()
    other.refresh_from_db()
    assert (theirs.title, other.title, other.status) == ("Walkers", "Swimmers", "draft")
    assert "Swimmers" not in chair.get(reverse("admin:events_social_changelist", query={"conference__id__exact": "all"})).text


def test_posted_conference_of_another_edition_is_refused(old: Conference, new: Conference) -> None:
    client = browser(member("Boss", (ORGANISERS, new)))
    page = reverse("admin:events_venue_add")

    answer = save(client, page, open_form(client, page), name="Hall", conference=str(old.pk))

    assert "Select a valid choice" in answer.text
    assert not old.venues.exists()


def test_roles_of_two_editions_are_never_mixed(old: Conference, new: Conference) -> None:
    user = member("Both", (ORGANISERS, old), (MODERATORS, new))
    client, page = browser(user), reverse("admin:events_session_changelist")

    choose(client, old)
    as_organiser = client.get(page).status_code
    choose(client, new)

    assert (as_organiser, client.get(page).status_code) == (200, 403)
    assert client.get(f"{page}?conference__id__exact={old.pk}").status_code == 403
    assert client.get(reverse("admin:events_conference_change", args=[old.pk])).status_code in {302, 403}


def test_header_offers_the_conferences_of_ones_roles_alone(old: Conference, new: Conference) -> None:
    make_conference(slug="other", name="Elsewhere")
    client = browser(member("Chair", (SOCIAL_CHAIRS, old), (SOCIAL_CHAIRS, new)))

    page = client.get("/organise/")

    assert {str(it) for it in page.context["organised_conferences"]} == {str(old), str(new)}
    assert "Elsewhere" not in page.text


def test_conference_without_a_role_is_not_chosen(old: Conference, new: Conference) -> None:
    client = browser(member("Chair", (SOCIAL_CHAIRS, new)))

    choose(client, old)

    assert client.get("/organise/").context["current_conference"] == new


def test_form_of_another_of_ones_editions_says_so(old: Conference, new: Conference) -> None:
    client, event = browser(member("Chair", (SOCIAL_CHAIRS, old), (SOCIAL_CHAIRS, new))), social(old)
    choose(client, new)

    answer = client.get(edit(event))

    assert messages_of(answer)[1:] == [f"That is of {old}, and you work on {new}: switch at the top, then open it again."]
    assert answer.status_code == 302


def test_role_that_is_taken_away_is_gone_at_once(new: Conference) -> None:
    user = member("Chair", (SOCIAL_CHAIRS, new))
    client, event = browser(user), social(new)
    assert client.get(edit(event)).status_code == 200

    StaffRole.objects.all().delete()

    assert client.get(edit(event)).status_code == 403
    assert event.title not in client.get(new.get_absolute_url()).text


def test_backend_answers_for_the_current_and_for_a_named_conference(old: Conference, new: Conference) -> None:
    user = member("Chair", (SOCIAL_CHAIRS, new))
    everywhere = make_staff()

    assert fresh(user).has_perm("events.change_social")
    assert fresh(user).has_perm("events.change_social", new)
    assert not fresh(user).has_perm("events.change_social", old)
    assert not fresh(user).has_perm("events.change_session", new)
    assert everywhere.has_perm("events.change_session", old)
    assert not everywhere.has_perm("events.change_session", social(old))


def test_closed_account_has_no_role(new: Conference) -> None:
    user = member("Chair", (SOCIAL_CHAIRS, new))
    User.objects.filter(pk=user.pk).update(is_active=False)

    assert not fresh(user).has_perm("events.change_social", new)
    assert not fresh(user).has_module_perms("events")


def test_role_gives_no_permission_of_another_app(new: Conference) -> None:
    powerful = Group.objects.create(name="Powerful")
    powerful.permissions.set(Permission.objects.filter(codename__in=["change_user", "add_conference", "view_logentry"]))
    user = member("Eve")
    StaffRole.objects.create(user=user, group=powerful, conference=new)

    assert fresh(user).get_all_permissions() == set()


def test_role_adds_nothing_to_a_group_for_every_conference(old: Conference, new: Conference) -> None:
    user = member("Chair", (ORGANISERS, new))
    user.groups.add(group(SOCIAL_CHAIRS))

    assert not fresh(user).has_perm("events.change_session", new)
    assert fresh(user).has_perm("events.change_social", old)


def test_drafts_on_public_pages_are_those_of_the_role(old: Conference, new: Conference) -> None:
    theirs, other = social(new), social(old)
    client = browser(member("Chair", (SOCIAL_CHAIRS, new)))

    assert [client.get(it.get_absolute_url()).status_code for it in (theirs, other)] == [200, 404]


def test_draft_conference_is_shown_to_those_with_a_role_there(old: Conference, new: Conference) -> None:
    Conference.objects.update(status="draft")
    client = browser(member("Chair", (SOCIAL_CHAIRS, new)))

    assert [client.get(it.get_absolute_url()).status_code for it in (old, new)] == [404, 200]
    assert client.get("/organise/").context["current_conference"] == new


# Who gives roles.


def test_organiser_of_all_invites_for_one_conference(client: Client, old: Conference, new: Conference) -> None:
    client.force_login(make_staff())

    client.post(INVITE, {"email": ADA, "group": group(SOCIAL_CHAIRS).pk, "conference": new.pk})

    ada = User.objects.get(username=ADA)
    assert ([str(it) for it in ada.staff_roles.all()], ada.groups.count()) == ([f"Social chairs: {new}"], 0)
    assert f"Social chairs: {new}" in Letter.objects.get().text
    assert f"Social chairs: {new}" in client.get(STAFF).text


def test_invitation_begins_with_the_conference_that_is_organised(client: Client, old: Conference, new: Conference) -> None:
    client.force_login(make_staff())
    before = open_form(client, INVITE)["conference"]

    client.post("/organise/current-conference/", {"conference": old.pk})

    assert (before, open_form(client, INVITE)["conference"]) == (str(new.pk), str(old.pk))


def test_organiser_of_one_conference_invites_to_it_alone(old: Conference, new: Conference) -> None:
    client = browser(member("Boss", (ORGANISERS, new)))

    for conference in (str(old.pk), ""):
        answer = client.post(INVITE, {"email": ADA, "group": group(ORGANISERS).pk, "conference": conference})
        assert "errorlist" in answer.text
    client.post(INVITE, {"email": ADA, "group": group(MODERATORS).pk, "conference": new.pk})

    assert str(old) not in client.get(INVITE).text
    assert [str(it) for it in User.objects.get(username=ADA).staff_roles.all()] == [f"Moderators: {new}"]


def test_somebody_with_a_role_elsewhere_gets_one_here_too(old: Conference, new: Conference) -> None:
    chair = member("Chair", (SOCIAL_CHAIRS, old))
    client = browser(member("Boss", (ORGANISERS, new)))
    assert "Chair" not in client.get(STAFF).context["cl"].queryset.values_list("username", flat=True)

    client.post(INVITE, {"email": chair.email, "group": group(SOCIAL_CHAIRS).pk, "conference": new.pk})

    page = client.get(STAFF).text
    assert set(chair.staff_roles.values_list("conference__slug", flat=True)) == {old.slug, new.slug}
    assert str(old) not in page
    assert f"Social chairs: {new}" in page
    assert fresh(chair).has_usable_password()


def test_account_for_every_conference_gets_no_role(new: Conference) -> None:
    make_staff("Grace", email=ADA)
    client = browser(member("Boss", (ORGANISERS, new)))

    answer = client.post(INVITE, {"email": ADA, "group": group(ORGANISERS).pk, "conference": new.pk})

    assert "cannot get a role" in answer.text
    assert StaffRole.objects.count() == 1


def test_organiser_of_one_conference_takes_away_its_role_alone(old: Conference, new: Conference) -> None:
    chair = member("Chair", (SOCIAL_CHAIRS, old), (SOCIAL_CHAIRS, new))
    client, page = browser(member("Boss", (ORGANISERS, new))), f"{STAFF}{chair.pk}/change/"
    form = open_form(client, page)
    mine, theirs = chair.staff_roles.get(conference=new), chair.staff_roles.get(conference=old)
    assert form["staff_roles-0-id"] == str(mine.pk)

    save(client, page, {**form, "staff_roles-0-id": str(theirs.pk), "staff_roles-0-DELETE": "on"})
    save(client, page, {**form, "staff_roles-0-DELETE": "on", "group": str(group(ORGANISERS).pk), "is_active": ""})

    chair = fresh(chair)
    assert (list(chair.staff_roles.all()), chair.groups.count(), chair.is_active) == ([theirs], 0, True)
    assert client.get(page).status_code == 302


def test_organiser_of_one_conference_gives_no_role_in_another(old: Conference, new: Conference) -> None:
    chair = member("Chair", (SOCIAL_CHAIRS, new))
    client, page = browser(member("Boss", (ORGANISERS, new))), f"{STAFF}{chair.pk}/change/"
    added = {"staff_roles-1-group": str(group(ORGANISERS).pk), "staff_roles-1-conference": str(old.pk)}

    answer = save(client, page, open_form(client, page), **added)

    assert "Select a valid choice" in answer.text
    assert chair.staff_roles.count() == 1


def test_organiser_of_one_conference_manages_no_other_organiser(new: Conference) -> None:
    other = member("Other", (ORGANISERS, new))
    client = browser(member("Boss", (ORGANISERS, new)))

    assert client.post(f"{STAFF}{other.pk}/change/", {}).status_code == 403


def test_nobody_asks_for_the_beginning_of_a_hash(client: Client) -> None:
    client.force_login(make_staff())

    assert client.get(f"{STAFF}?password__startswith=argon2").status_code == 400


def test_uploads_go_to_the_conference_of_the_role_alone(old: Conference, new: Conference) -> None:
    client = browser(member("Boss", (ORGANISERS, new)))

    page = client.get(reverse("admin:events_conference_programme"))

    assert [it.pk for it in page.context["form"].fields["conference"].queryset] == [new.pk]
    assert "slug" not in page.context["form"].fields


# Mail.


def test_notices_go_to_those_with_a_role_there(old: Conference, new: Conference) -> None:
    member("Old", (SOCIAL_CHAIRS, old))
    member("New", (SOCIAL_CHAIRS, new))
    member("Both", (SOCIAL_CHAIRS, old), (SOCIAL_CHAIRS, new))
    now = at("12:00")
    Proposal.objects.create(conference=new, token_hash="x", title="Chess", created_at=now, updated_at=now)

    send_notices(now + dt.timedelta(minutes=1))

    assert set(Letter.objects.values_list("to", flat=True)) == {"new@example.org", "both@example.org"}


def test_followed_addresses_are_mailed_about_to_those_with_a_role_there(old: Conference, new: Conference) -> None:
    member("Old", (ORGANISERS, old))
    boss = member("New", (ORGANISERS, new))
    member("Chair", (SOCIAL_CHAIRS, new))
    everywhere = make_staff(email="grace@example.org")

    assert set(organisers(new)) == {boss, everywhere}


def test_page_of_a_member_names_the_account(new: Conference) -> None:
    chair = member("Chair", (SOCIAL_CHAIRS, new))

    page = browser(member("Boss", (ORGANISERS, new))).get(f"{STAFF}{chair.pk}/change/")

    form = page.context["adminform"]
    shown = {
        field.field["name"]: field.contents() for fieldset in form for line in fieldset for field in line if field.is_readonly
    }
    assert shown["user_name"] == "Chair"


# Queries.


@pytest.mark.parametrize("count", [1, 3])
def test_list_of_staff_asks_as_often_for_many(
    new: Conference, django_assert_num_queries: DjangoAssertNumQueries, count: int
) -> None:
    for number in range(count):
        member(f"Chair {number}", (SOCIAL_CHAIRS, new))
    client = browser(member("Boss", (ORGANISERS, new)))
    client.get(STAFF)

    with django_assert_num_queries(LIST_QUERIES):
        client.get(STAFF)


def test_groups_cost_no_query_for_roles(client: Client, new: Conference) -> None:
    client.force_login(make_staff())
    with CaptureQueriesContext(connection) as queries:
        client.get("/organise/events/room/")

    assert not [it for it in queries.captured_queries if "staffrole" in it["sql"]]

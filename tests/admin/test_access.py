"""Who may open and send what: every page of the admin, for everybody."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import NoReverseMatch, get_resolver, reverse

from events.models import (
    Amenity,
    Appearance,
    Award,
    Change,
    Conference,
    Event,
    FollowedSource,
    ImportRun,
    InfoPage,
    Link,
    Poll,
    Question,
    Route,
    Service,
    Session,
    Social,
    Sponsor,
    SponsorLevel,
    StartingPoint,
    Topic,
    Track,
    UncountedAgendas,
)
from events.programme.models.changes import Announcement, ChangeGroup, ChangeGroupKind
from tests.admin.conftest import logged_in, staff
from tests.admin.pages import act, errors_of, open_form, save, url
from tests.factories import (
    THURSDAY,
    make_agenda,
    make_appearance,
    make_conference,
    make_day,
    make_event,
    make_paper,
    make_person,
    make_room,
    make_type,
    make_walk,
    make_zone,
)
from tests.proposals.proposing import make_proposal
from tests.venue.drawn import make_plan

pytestmark = pytest.mark.django_db
EVERYTHING = {"changelist": 200, "add": 200, "change": 200, "history": 200, "delete": 200}
PUBLIC = EVERYTHING | {"delete": 403}  # attendees know of it, or it is undone
LOOKED_UP = dict.fromkeys(EVERYTHING, 302) | {"add": 403}
READ = {"changelist": 200, "add": 403, "change": 200, "history": 200, "delete": 403}
NOTHING = dict.fromkeys(EVERYTHING, 403)
MATRIX: dict[str, tuple[dict[str, int], dict[str, int]]] = {
    # model: (organiser, social chair)
    "amenity": (EVERYTHING, NOTHING),
    "announcement": (EVERYTHING, NOTHING),
    "award": (EVERYTHING, NOTHING),
    "change": (READ, NOTHING),
    "changegroup": (READ, NOTHING),
    "conference": (PUBLIC, READ),
    "day": (EVERYTHING, READ),
    "event": (LOOKED_UP, NOTHING),
    "eventtype": (EVERYTHING, READ),
    "floorplan": (EVERYTHING, NOTHING),
    "followedsource": (EVERYTHING, NOTHING),
    "importrun": (READ, NOTHING),
    "infopage": (EVERYTHING, NOTHING),
    "invitedtalk": (PUBLIC, NOTHING),
    "paper": (EVERYTHING, NOTHING),
    "person": (EVERYTHING, READ),
    "poll": (EVERYTHING, NOTHING),
    "proposal": (READ, READ),
    "question": (READ, NOTHING),
    "room": (EVERYTHING, READ),
    "route": (EVERYTHING, NOTHING),
    "service": (EVERYTHING, NOTHING),
    "session": (PUBLIC, NOTHING),
    "social": (PUBLIC, PUBLIC),
    "sponsor": (EVERYTHING, NOTHING),
    "sponsorlevel": (EVERYTHING, NOTHING),
    "staffmember": (PUBLIC, NOTHING),
    "startingpoint": (EVERYTHING, NOTHING),
    "topic": (EVERYTHING, NOTHING),
    "track": (EVERYTHING, READ),
    "uncountedagendas": (PUBLIC, NOTHING),
    "venue": (EVERYTHING, NOTHING),
    "walk": (EVERYTHING, NOTHING),
    "zone": (EVERYTHING, READ),
}


def make_one_of_each() -> Conference:
    conference = make_conference()
    hall, hotel = make_zone(conference), make_zone(conference, "Hotel")
    make_walk(conference, hall, hotel)
    room, paper = make_room(conference, zone=hall), make_paper(conference, make_person(conference))
    for kind in ("session", "invited-talk", "social"):
        make_event(conference, kind=kind, room=room)
    Track.objects.create(conference=conference, name="Theory")
    Topic.objects.create(conference=conference, area="Learning")
    Award.objects.create(conference=conference, name="Best paper", year=2025, paper=paper)
    Announcement.objects.create(conference=conference, title="Welcome")
    Service.objects.create(conference=conference, name="Desk", zone=hall)
    start = StartingPoint.objects.create(conference=conference, name="Hotel", slug="hotel")
    Route.objects.create(conference=conference, start=start, zone=hall, title="On foot")
    ImportRun.objects.create(conference=conference, slug=conference.slug, file_name="iclr.xml", digest="0" * 64)
    Change.objects.create(event=Session.objects.get(), field="title", old="A", new="B")
    ChangeGroup.objects.create(conference=conference, kind=ChangeGroupKind.IMPORT, title="Programme updated")
    make_proposal(conference)
    make_plan(conference)
    FollowedSource.objects.create(conference=conference, url="https://example.org/schedule.xml")
    InfoPage.objects.create(conference=conference, title="Wi-Fi", slug="wi-fi")
    level = SponsorLevel.objects.create(conference=conference, name="Gold")
    Sponsor.objects.create(conference=conference, level=level, name="Acme")
    Amenity.objects.create(conference=conference, name="Decaf")
    long_ago = dt.datetime(2001, 1, 1, tzinfo=dt.UTC)
    span = {"begun_from": long_ago, "begun_until": long_ago + dt.timedelta(hours=1)}
    UncountedAgendas.objects.create(conference=conference, reason="A script", **span)
    event = make_event(conference, takes_questions=True)
    Poll.objects.create(event=event, question="Open weights?")
    Question.objects.create(event=event, agenda=make_agenda(conference)[0], text="Why?", name="Amber Lynx 12")
    return conference


def answers(client: Client, model: type[Any], pages: dict[str, int]) -> dict[str, int]:
    key = model._default_manager.values_list("pk", flat=True).first()
    name = model._meta.model_name or ""
    return {page: client.get(url(page, name, *([] if page in {"changelist", "add"} else [key]))).status_code for page in pages}


def test_matrix_names_every_model_of_the_admin() -> None:
    registered = {model._meta.model_name for model in admin.site._registry if model._meta.app_label == "events"}

    assert registered == set(MATRIX)


def models() -> dict[str, type[Any]]:
    return {model._meta.model_name or "": model for model in admin.site._registry if model._meta.model_name in MATRIX}


def test_pages_open_for_whom_they_are(organiser: Client, chair: Client) -> None:
    make_one_of_each()

    found = {
        name: tuple(answers(client, model, EVERYTHING) for client in (organiser, chair, Client()))
        for name, model in models().items()
    }

    assert found == {name: (*expected, dict.fromkeys(EVERYTHING, 302)) for name, expected in MATRIX.items()}


def test_posts_of_a_social_chair_change_socials_only(chair: Client) -> None:
    make_one_of_each()
    found, expected = {}, {}

    for name, model in models().items():
        key = model._default_manager.values_list("pk", flat=True).first()
        for page in ("change", "add", "delete") if name not in {"event", "change", "importrun"} else ():
            address = url(page, name, *([] if page == "add" else [key]))
            found[name, page] = chair.post(address, {"title": "Mine", "name": "Mine", "post": "yes", "_save": "Save"}).status_code
            allowed = (name == "social" and page != "delete") or (name == "proposal" and page == "change")
            expected[name, page] = 200 if allowed else 403

    assert found == expected


def test_posts_without_the_csrf_token_are_refused() -> None:
    make_one_of_each()
    client = Client(enforce_csrf_checks=True)
    client.force_login(staff("Grace", "Organisers"))
    addresses = [reverse(f"admin:{name}") for name in ("index", "login", "logout", "jsi18n", "autocomplete")]
    addresses += [url(page, name) for page in ("changelist", "add") for name in MATRIX]

    statuses = {address: client.post(address, {"action": "publish"}).status_code for address in addresses}

    assert statuses == dict.fromkeys(addresses, 403)


def test_anonymous_visitors_are_sent_to_log_in_from_every_address() -> None:
    make_one_of_each()

    for address in every_address():
        response = Client().get(address)

        assert (address, response.status_code, "/login/" in response.headers.get("Location", "")) == (address, 302, True)


def every_address() -> list[str]:
    """All that the admin answers to, but the way in; a number stands for each argument."""
    found = []
    for name, *_ in get_resolver().namespace_dict["admin"][1].reverse_dict.lists():
        if isinstance(name, str) and name not in {"login", "logout", "jsi18n", "app_list", "view_on_site"}:
            for arguments in ([], ["1"], ["csv"]):
                try:
                    found.append(reverse(f"admin:{name}", args=arguments))
                    break
                except NoReverseMatch:
                    continue
    return found


def test_social_chair_writes_a_social(chair: Client) -> None:
    conference = make_conference()
    kind, day = make_type(conference, "social"), make_day(conference)
    data = open_form(chair, f"{url('add', 'social')}?conference={conference.pk}")

    save(chair, url("add", "social"), data, type=kind.pk, title="Board games", day=day.pk, start_1="19:00", end_1="23:00")

    assert list(Social.objects.values_list("title", "type")) == [("Board games", kind.pk)]


def test_social_chair_cannot_turn_a_social_into_a_session(chair: Client) -> None:
    conference = make_conference()
    social, kind = make_event(conference, kind="social"), make_type(conference, "session")
    data = open_form(chair, url("change", "social", social.pk))

    response = save(chair, url("change", "social", social.pk), data, type=kind.pk)

    assert errors_of(response) == {"type": ["Choose one of this conference."]}


@pytest.mark.parametrize("page", ["change", "history", "delete"])
def test_social_chair_opens_no_session_through_the_list_of_socials(chair: Client, page: str) -> None:
    session = make_event(make_conference(), title="Canary")

    response = chair.get(url(page, "social", session.pk), follow=True)

    assert "Canary" not in response.text


def test_social_chair_cancels_no_session_through_the_list_of_socials(chair: Client) -> None:
    session = make_event(make_conference())

    act(chair, "social", "cancel", [session], reason="Because I can.")

    assert Event.objects.get().status == "confirmed"


def test_social_chair_changes_no_talk_inside_a_social(chair: Client) -> None:
    conference = make_conference()
    social = make_event(conference, kind="social", start="19:00", end="20:00")
    talk = make_event(conference, kind="talk", session=social, start="19:00", end="19:15")

    response = act(chair, "social", "move", [social], minutes="10", include="on")

    stored = Event.objects.order_by("pk").values_list("start", flat=True)
    assert (response.status_code, list(stored)) == (403, [social.start, talk.start])


def test_social_chair_is_not_offered_to_delete(chair: Client) -> None:
    social = make_event(make_conference(), kind="social", status="draft")

    page = chair.get(url("changelist", "social"))
    act(chair, "social", "delete_drafts", [social], sure="yes")

    actions = [name for name, _ in page.context["action_form"].fields["action"].choices]
    assert "delete_drafts" not in actions
    assert {"publish", "cancel", "move", "change_room"} < set(actions)
    assert Social.objects.count() == 1


def test_look_up_is_answered_to_whom_it_is_open(organiser: Client, chair: Client) -> None:
    conference, other = make_conference(), make_conference()
    make_person(conference, "Ada Lovelace", affiliation="London")
    make_person(other, "Ada Byron")
    asked = {"app_label": "events", "model_name": "appearance", "field_name": "person", "term": "Ada"}

    replies = [
        client.get(reverse("admin:autocomplete"), {**asked, "conference": conference.pk})
        for client in (organiser, chair, Client())
    ]

    assert [[row["text"] for row in reply.json()["results"]] for reply in replies[:2]] == [["Ada Lovelace (London)"]] * 2
    assert replies[2].status_code == 302


@pytest.mark.parametrize(
    ("model", "field"),
    [("award", "event"), ("award", "paper"), ("session", "session"), ("event", "service")],
)
def test_look_up_of_what_is_not_theirs_is_refused_to_a_social_chair(chair: Client, model: str, field: str) -> None:
    reply = chair.get(reverse("admin:autocomplete"), {"app_label": "events", "model_name": model, "field_name": field})

    assert reply.status_code == 403


def test_look_up_tells_events_of_one_name_apart(organiser: Client) -> None:
    conference = make_conference()
    for start, end in (("09:00", "10:00"), ("14:00", "15:00")):
        make_event(conference, title="Poster session", start=start, end=end)

    asked = {"app_label": "events", "model_name": "award", "field_name": "event", "term": "poster"}
    reply = organiser.get(reverse("admin:autocomplete"), asked)

    assert [row["text"] for row in reply.json()["results"]] == [
        "Poster session (Thu 24 April 2025, 09:00–10:00)",
        "Poster session (Thu 24 April 2025, 14:00–15:00)",
    ]


@pytest.mark.parametrize(
    "query", ["paper__title__startswith=a", "conference__agendas__visitor__tokens__token_hash__startswith=a"]
)
def test_list_answers_no_look_up_across_tables(chair: Client, query: str) -> None:
    make_event(make_conference(), kind="social")

    assert chair.get(f"{url('changelist', 'social')}?{query}").status_code == 400


def test_event_is_sent_to_the_list_of_its_kind(organiser: Client) -> None:
    social = make_event(make_conference(), kind="social")

    response = organiser.get(url("change", "event", social.pk))

    assert response.headers["Location"] == url("change", "social", social.pk)


def test_history_of_a_deleted_event_is_not_shown(organiser: Client) -> None:
    event = make_event(make_conference(), title="Canary", status="draft")
    address = url("history", "session", event.pk)
    event.delete()

    response = organiser.get(address)

    assert (response.status_code, "Canary" in response.text) == (302, False)


def test_person_without_a_group_sees_nothing() -> None:
    make_one_of_each()
    client = logged_in(staff("Nobody"))

    statuses = {client.get(url("changelist", name)).status_code for name in MATRIX}
    lists = client.get(reverse("admin:lists"))

    assert (statuses, lists.context["app_list"]) == ({403}, [])


def test_organisers_hold_no_right_on_agendas() -> None:
    held = Group.objects.get(name="Organisers").permissions.values_list("content_type__model", flat=True)

    assert set(held) & {"agenda", "bookmark"} == set()


@pytest.mark.parametrize("page", ["delete", "delete_drafts"])
def test_deleting_a_draft_names_no_agenda(organiser: Client, page: str) -> None:
    conference = make_conference()
    draft = make_event(conference, status="draft", day=make_day(conference, THURSDAY))
    make_agenda(conference, draft)

    response = organiser.get(url("delete", "session", draft.pk)) if page == "delete" else act(organiser, "session", page, [draft])

    assert "in agenda" not in response.text


def test_inlines_of_a_social_are_the_chairs_to_write(chair: Client) -> None:
    conference = make_conference()
    social, person = make_event(conference, kind="social"), make_person(conference)
    make_appearance(social, make_person(conference, "Mary Somerville"))
    data = open_form(chair, url("change", "social", social.pk))
    added = {"appearances-TOTAL_FORMS": 2, "appearances-1-event": social.pk, "appearances-1-person": person.pk}
    added |= {"appearances-1-role": "host", "appearances-1-position": 1, "appearances-0-DELETE": "on"}
    added |= {"links-TOTAL_FORMS": 1, "links-0-kind": "website", "links-0-url": "https://example.org/", "links-0-position": 0}

    save(chair, url("change", "social", social.pk), data, **added)

    assert list(Appearance.objects.values_list("person", "role")) == [(person.pk, "host")]
    assert list(Link.objects.values_list("event", "url")) == [(social.pk, "https://example.org/")]

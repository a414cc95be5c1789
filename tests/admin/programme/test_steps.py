"""The organisers' pages for the steps of a whole conference, and the undo of an action."""

from __future__ import annotations

import dataclasses
import datetime as dt
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from django.utils import timezone

from events.imports.sync.engine import sync
from events.imports.sync.report import PUBLISHING
from events.models import ChangeGroup, Conference, Event, FormerSlug, PreviewLink, StaffRole, Track
from events.programme.data.place import RoomData
from tests.admin.conftest import logged_in, staff
from tests.admin.pages import act, messages_of, sent_by, url
from tests.factories import THURSDAY, make_agenda, make_conference, make_day, make_event
from tests.factories import at as venue_time
from tests.imports.sync.programmes import at, event, programme, whole_programme

pytestmark = pytest.mark.django_db

NEW_DATE = THURSDAY + dt.timedelta(days=7)


def step(name: str, conference: Conference, *more: Any) -> str:
    return url(name, "conference", conference.pk, *more)


def test_conference_made_by_hand_is_a_draft(organiser: Client) -> None:
    assert Conference().status == "draft"
    assert "status" not in organiser.get(url("add", "conference")).context["adminform"].form.fields


def test_publishing_is_one_page(organiser: Client) -> None:
    conference = make_conference(slug="demo", name="NordML 2027", status="draft")
    make_event(conference, title="Keynote")
    make_event(conference, title="Still open", status="draft")

    page = organiser.get(step("publish", conference))
    done = organiser.post(step("publish", conference), {"note": "Welcome"})

    assert "Publish NordML 2027" in page.text
    assert "Still open" in page.text
    assert messages_of(done) == ["NordML 2027 is published."]
    assert (Conference.objects.get().status, ChangeGroup.objects.get().note) == ("published", "Welcome")


def test_publishing_names_what_an_import_left_unnamed(organiser: Client) -> None:
    data = programme(event("a", room="bar"), venues=(), zones=(), rooms=(RoomData(key="bar", zone="", name="Bar"),))
    named = dataclasses.replace(data.conference, name=data.conference.slug, city="")
    sync(dataclasses.replace(data, conference=named), source="file")
    conference = Conference.objects.get()
    venue = conference.venues.get()

    page = organiser.get(step("publish", conference))
    Conference.objects.update(name="NordML 2027")
    venue.name = "Old Brewery"
    venue.save()
    later = organiser.get(step("publish", conference))

    sentences = (f"Its name is still its address, “{conference.slug}”.", "Its venue has no name")
    links = [f'<a href="{url("change", model, pk)}">' for model, pk in [("conference", conference.pk), ("venue", venue.pk)]]
    assert [text in page.text for text in (*sentences, *links)] == [True] * 4
    assert [text in later.text for text in (*sentences, links[1])] == [False] * 3


def test_taking_back_to_draft_shows_what_it_does(organiser: Client) -> None:
    conference = make_conference(name="Demo")
    make_agenda(conference, make_event(conference))

    page = organiser.get(step("withdraw", conference))
    before = Conference.objects.get().status
    organiser.post(step("withdraw", conference))

    assert "<strong>&lt;5</strong> agendas" in page.text
    assert (before, Conference.objects.get().status) == ("published", "draft")


def test_whole_programme_moves_with_its_impact_shown_and_names_the_empty_day(organiser: Client) -> None:
    conference = make_conference(start=NEW_DATE, end=NEW_DATE)
    make_day(conference, NEW_DATE)
    session = make_event(conference, title="Meet-up", start="18:45", end="21:00")
    make_event(conference, title="Talk", kind="talk", session=session, start="19:00", end="19:30")
    make_event(conference, title="Open", day=None)
    make_agenda(conference, session)

    shown = organiser.post(step("move", conference), {"apply": "1", "days": "7"})
    done = organiser.post(step("move", conference), {**sent_by(shown), "reason": "The venue is closed."})

    assert (shown.context["impact"]["changes"][0], shown.status_code) == (
        ("Meet-up", "Thu 24 Apr 18:45–21:00", "Thu 1 May 18:45–21:00"),
        200,
    )
    assert messages_of(done) == [
        "Moved to other days: “Meet-up” Thu 24 April 2025 → Thu 1 May 2025; “Talk” Thu 24 April 2025 → Thu 1 May 2025.",
        "Unchanged: “Open” has no day yet.",
        (
            f'Nothing is left on <a href="{url("change", "day", session.day_id)}">Thu 24 April 2025</a>, outside the dates: '
            "delete that, once the move is to stay."
        ),
    ]
    assert list(Event.objects.exclude(start=None).order_by("pk").values_list("day__date", "start")) == [
        (NEW_DATE, venue_time("18:45", NEW_DATE)),
        (NEW_DATE, venue_time("19:00", NEW_DATE)),
    ]


@pytest.mark.parametrize(
    ("spans", "words"),
    [
        # Hours from now.
        (
            [(-1, None), (-2, -1), (-1, 1), (1, None)],
            "2 announcements</a> keep their times: change them if they are to move too.",
        ),
        ([(-1, 1)], "1 announcement</a> keeps its time: change it if it is to move too."),
    ],
)
def test_move_of_the_programme_names_the_dates_that_stay(
    organiser: Client, spans: list[tuple[int, int | None]], words: str
) -> None:
    conference = make_conference(start=NEW_DATE, end=NEW_DATE, proposals_until=venue_time("18:00", NEW_DATE))
    make_day(conference, NEW_DATE)
    make_event(conference, title="Meet-up", start="18:45", end="21:00")
    now, hour = timezone.now(), dt.timedelta(hours=1)
    for begins, ends in spans:
        until = None if ends is None else now + ends * hour
        conference.announcements.create(title="Wifi", text="Here.", starts_at=now + begins * hour, until=until)

    done = organiser.post(step("move", conference), {"apply": "1", "days": "7"})

    listed = f"{url('changelist', 'announcement')}?conference__id__exact={conference.pk}"
    assert messages_of(done)[-2:] == [
        "“Proposals until” stays 1 May 2025 18:00, Singapore: change it in this form if it is to move too.",
        f'<a href="{listed}">{words}',
    ]


@pytest.mark.parametrize("method", ["get", "post"])
def test_move_of_a_programme_without_events_says_so(organiser: Client, method: str) -> None:
    conference = make_conference(proposals_until=venue_time("18:00", NEW_DATE))

    page = getattr(organiser, method)(step("move", conference), {"apply": "1", "days": "7"})

    assert messages_of(page) == ["Nothing was moved: this conference has no events yet."]


def test_programme_too_large_for_one_action_is_not_moved(organiser: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("events.admin.programme.actions.MAX_EVENTS_PER_ACTION", 1)
    conference = make_conference()
    for _ in range(2):
        make_event(conference)

    refused = organiser.get(step("move", conference))

    assert messages_of(refused) == ["Choose at most 1 events at once. Import the programme with its new dates."]


def test_slug_changes_on_its_page_only(organiser: Client) -> None:
    conference = make_conference(slug="demo", name="Demo")

    done = organiser.post(step("address", conference), {"slug": "nordml-2027"})

    assert messages_of(done) == ["/nordml-2027/ is its address; /demo/ leads there."]
    assert Conference.objects.get().slug == "nordml-2027"
    assert "slug" not in organiser.get(url("change", "conference", conference.pk)).context["adminform"].form.fields


@pytest.mark.parametrize("slug", ["", "account", "other", "once", "not a slug"])
def test_slug_that_cannot_be_taken_is_refused(organiser: Client, slug: str) -> None:
    conference = make_conference(slug="demo")
    FormerSlug.objects.create(conference=make_conference(slug="other"), slug="once")

    refused = organiser.post(step("address", conference), {"slug": slug})

    assert refused.status_code == 422
    assert list(refused.context["form"].errors) == ["slug"]
    assert Conference.objects.filter(slug="demo").exists()


@pytest.mark.parametrize(
    ("slug", "sentence"),
    [
        ("account", "“account” is an address of the site itself: add the year, account-2025."),
        ("other", "/other/ is the address of NordML already: choose another, such as other-3."),
        ("not a slug", "“not a slug” is not an address: use a to z, digits and hyphens, such as iclr-2025."),
    ],
)
def test_refused_address_is_named_with_what_to_choose(organiser: Client, slug: str, sentence: str) -> None:
    conference, other = make_conference(slug="demo"), make_conference(slug="other", name="NordML")
    FormerSlug.objects.create(conference=other, slug="other-2")

    refused = organiser.post(step("address", conference), {"slug": slug})

    assert refused.context["form"].errors == {"slug": [sentence]}


def test_refused_address_names_no_conference_that_one_does_not_see(db: None) -> None:
    conference = make_conference(slug="demo")
    make_conference(slug="other", name="Secret plans", status="draft")
    member = staff("Ada")
    StaffRole.objects.create(user=member, group=Group.objects.get(name="Organisers"), conference=conference)

    refused = logged_in(member).post(step("address", conference), {"slug": "other"})

    sentence = "/other/ is the address of another conference already: choose another, such as other-2."
    assert refused.context["form"].errors == {"slug": [sentence]}
    assert "Secret plans" not in refused.text


def test_former_slug_is_free_once_it_is_given_up(organiser: Client) -> None:
    conference, other = make_conference(slug="demo"), make_conference(slug="other")
    FormerSlug.objects.create(conference=other, slug="once")

    organiser.post(step("slug_give_up", other, "once"))
    organiser.post(step("address", conference), {"slug": "once"})

    assert sorted(Conference.objects.values_list("slug", flat=True)) == ["once", "other"]


def test_preview_links_are_made_listed_and_withdrawn(organiser: Client) -> None:
    conference = make_conference(slug="demo")

    organiser.post(step("previews", conference), {"label": "Speakers"})
    link = PreviewLink.objects.get()
    listed = organiser.get(step("previews", conference)).text
    organiser.post(step("preview_withdraw", conference, link.pk))

    assert f"/demo/preview/{link.token}/" in listed
    assert "No link yet." in organiser.get(step("previews", conference)).text


def test_conference_that_nobody_uses_is_deleted_with_its_name(organiser: Client) -> None:
    sync(whole_programme(), source="file", hooks=PUBLISHING)
    conference = Conference.objects.get()

    wrong = organiser.post(step("remove", conference), {"name": "Another"})
    kept = Conference.objects.count()
    organiser.post(step("remove", conference), {"name": conference.name})

    assert (wrong.status_code, kept, Conference.objects.count(), Event.objects.count()) == (422, 1, 0, 0)


def test_conference_in_an_agenda_is_not_deleted(organiser: Client) -> None:
    conference = make_conference()
    make_agenda(conference, make_event(conference))

    answer = organiser.post(step("remove", conference), {"name": conference.name})

    assert "cannot be deleted" in answer.text
    assert Conference.objects.count() == 1


def test_action_is_taken_back(organiser: Client) -> None:
    conference = make_conference()
    events = [make_event(conference, start="09:00", end="10:00") for _ in range(2)]
    before = list(Event.objects.order_by("pk").values_list("start", "end", "status"))
    act(organiser, "session", "move", events, minutes="30", reason="Late", apply="1")
    group = ChangeGroup.objects.get()

    page = organiser.get(url("undo", "changegroup", group.pk))
    done = organiser.post(url("undo", "changegroup", group.pk))

    assert "<strong>2</strong> events get back what changed" in page.text
    assert messages_of(done) == ["Taken back: Moved."]
    assert list(Event.objects.order_by("pk").values_list("start", "end", "status")) == before
    assert [it.title for it in ChangeGroup.objects.order_by("pk")] == ["Moved", "Taken back: Moved"]


def undo_page(client: Client) -> str:
    return client.get(url("undo", "changegroup", ChangeGroup.objects.get().pk)).text


def test_undo_says_how_many_have_the_events(organiser: Client) -> None:
    conference = make_conference()
    run = make_event(conference, title="Run", start="09:00", end="10:00")
    yoga = make_event(conference, title="Yoga", start="09:00", end="10:00")
    overlapping = make_event(conference, start="09:00", end="10:00")
    for _ in range(6):
        make_agenda(conference, run, overlapping)
    track = Track.objects.create(conference=conference, name="Sport")
    act(organiser, "session", "change_track", [run, yoga], track=track.pk, apply="1")
    of_track = undo_page(organiser)
    ChangeGroup.objects.all().delete()
    page = act(organiser, "session", "move", [run, yoga], minutes="60", reason="", apply="1")
    act(organiser, "session", "move", [run, yoga], minutes="60", reason="", apply="1", seen=page.context["seen"])
    of_move = undo_page(organiser)

    assert "<strong>6</strong> have one of these in their agenda" in of_track
    assert "<strong>0</strong> get a new clash" in of_track
    assert "<strong>6</strong> have one of these in their agenda" in of_move
    assert "<strong>all</strong> get a new clash" in of_move
    assert "<del>Thu 24 Apr 10:00–11:00</del> → <ins>Thu 24 Apr 09:00–10:00</ins>" in of_move


def test_undo_shows_no_small_numbers(organiser: Client) -> None:
    conference = make_conference()
    event = make_event(conference, start="09:00", end="10:00")
    page = act(organiser, "session", "move", [event], minutes="60", reason="", apply="1")
    nobody = undo_page(organiser)
    for _ in range(4):
        make_agenda(conference, event)
    page = undo_page(organiser)

    assert "Nobody plans to attend any of these events." in nobody
    assert "<strong>&lt;5</strong> have it in their agenda" in page
    assert "Too few people to show more" in page


@pytest.mark.both_databases
def test_undo_of_an_import_counts_new_and_changed_events(organiser: Client) -> None:
    sync(programme(event("one"), event("same")), source="file", hooks=PUBLISHING)
    ChangeGroup.objects.all().delete()
    draft = event("draft", status="draft")
    sync(
        programme(event("one", title="Another", start=at("09:30")), event("same"), event("two"), draft),
        source="file",
        hooks=PUBLISHING,
    )
    conference = Conference.objects.get()
    for _ in range(5):
        make_agenda(conference, Event.objects.get(source_key="one"), Event.objects.get(source_key="two"))
    make_agenda(conference, Event.objects.get(source_key="same"))
    make_agenda(conference, Event.objects.get(source_key="draft"))

    page = undo_page(organiser)

    assert "<strong>5</strong> have one of these in their agenda" in page
    assert "cancelled" in page
    assert "hidden</del>" not in page


@pytest.mark.parametrize("size", [1, 3])
def test_undo_page_takes_as_many_queries_for_three_events_as_for_one(
    organiser: Client, size: int, django_assert_num_queries: Any
) -> None:
    conference = make_conference()
    events = [make_event(conference, start="09:00", end="10:00") for _ in range(size)]
    act(organiser, "session", "move", events, minutes="30", reason="", apply="1")
    for moved in events:
        make_agenda(conference, moved)
    address = url("undo", "changegroup", ChangeGroup.objects.get().pk)
    organiser.get(address)

    with django_assert_num_queries(18):
        organiser.get(address)


def test_action_that_was_edited_since_is_not_taken_back(organiser: Client) -> None:
    event = make_event(make_conference(), title="Old", start="09:00", end="10:00")
    act(organiser, "session", "move", [event], minutes="30", reason="", apply="1")
    event.refresh_from_db()
    event.title = "By hand"
    event.revise()

    refused = organiser.post(url("undo", "changegroup", ChangeGroup.objects.get().pk))

    assert refused.status_code == 409
    assert "Changed again later, which would be lost: event “By hand” (title: “Old” → “By hand”). Write “Old”" in refused.text


def test_chair_takes_back_what_chairs_may_do(chair: Client, organiser: Client) -> None:
    conference = make_conference()
    for kind, model in [("social", "social"), ("session", "session")]:
        act(
            organiser,
            model,
            "move",
            [make_event(conference, kind=kind, start="09:00", end="10:00")],
            minutes="30",
            reason="",
            apply="1",
        )
    of_sessions, of_socials = ChangeGroup.objects.order_by("-pk")

    answers = [chair.post(url("undo", "changegroup", group.pk)).status_code for group in (of_socials, of_sessions)]

    assert answers == [302, 403]

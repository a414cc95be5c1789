"""What chairs decide on the page of a proposal, and what they are told when they cannot."""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client
from django.utils import timezone

from events.models import Event, Letter
from tests.admin.deciding import decide, form_of, lines, page_of, state
from tests.admin.pages import told, url
from tests.factories import at, make_appearance, make_conference, make_event, make_person, make_room, make_type
from tests.proposing import make_correction, make_note, make_proposal, sender_changes

pytestmark = pytest.mark.django_db
PUBLISH = {"decision": "publish"}


def test_chair_publishes_with_one_button(chair: Client) -> None:
    proposal = make_proposal(make_conference(), host="Ada Lovelace", place="The bar", capacity=20)

    response = decide(chair, proposal, "publish")

    event = Event.objects.get()
    assert (response.status_code, response["Location"]) == (302, url("changelist", "proposal"))
    assert (event.title, event.start, event.end, event.place, event.capacity) == (
        *("Board games", at("19:00"), at("21:00")),
        *("The bar", 20),
    )
    assert (state(proposal), event.people_names) == (("published", ""), ["Ada Lovelace"])
    assert told(response) == ["Published as “Board games”. Nothing else waits."]
    assert lines(proposal) == [("Barbara", "Published as “Board games”.")]


def test_chair_puts_right_what_is_published(chair: Client) -> None:
    conference = make_conference()
    room, kind = make_room(conference, "Garnet"), make_type(conference, "social", name="Affinity", position=9)
    proposal = make_proposal(conference, "teh party", place="garnet bar")

    typed = {"title": "The party", "date": "2025-04-23", "start_1": "22:00", "end_1": "01:30", "room": room.pk, "place": ""}
    more = {"official": "on", "at_venue": "true", "type": kind.pk, "hosts": "Ada Lovelace; Grace Hopper"}
    decide(chair, proposal, "publish", **typed, **more)

    event, day = Event.objects.get(), dt.date(2025, 4, 23)
    assert (event.title, event.type, event.room, event.place, event.is_asterisked) == ("The party", kind, room, "", True)
    assert event.day is not None
    assert (event.day.date, event.start, event.end) == (day, at("22:00", day), at("01:30", day + dt.timedelta(days=1)))
    assert event.people_names == ["Ada Lovelace", "Grace Hopper"]


def test_host_who_bears_a_name_of_the_programme_is_pointed_out(chair: Client) -> None:
    conference = make_conference()
    ada = make_person(conference, "Ada Lovelace")
    make_person(make_conference(), "Grace Hopper")
    social = make_event(conference, kind="social")
    make_appearance(social, ada, role="host")

    new = page_of(chair, make_proposal(conference, host="Ada Lovelace; Grace Hopper"))
    hers = page_of(chair, make_correction(social, title="Hers still"))

    assert (new.context["known"], "<strong>Ada Lovelace</strong>" in new.text) == (["Ada Lovelace"], True)
    assert (hers.context["known"], "Nobody has checked" in hers.text) == ([], False)


def test_mistake_of_a_chair_is_told_and_publishes_nothing(chair: Client) -> None:
    proposal = make_proposal(make_conference())

    response = decide(chair, proposal, "publish", title="", start_1="22:00", end_1="21:00", signup_url="javascript:alert(1)")

    errors = response.context["forms"]["publish"].errors
    assert (response.status_code, set(errors), Event.objects.count()) == (200, {"title", "end", "signup_url"}, 0)
    assert (state(proposal)[0], response.text.count("<details open>")) == ("waiting", 1)


@pytest.mark.parametrize(
    ("decision", "status", "line"),
    [("ask", "asked", "Asked back: Which hall?"), ("decline", "declined", "Declined: Which hall?")],
)
def test_decision_in_words_is_kept_and_said(chair: Client, decision: str, status: str, line: str) -> None:
    proposal = make_proposal(make_conference())

    decide(chair, proposal, decision, answer="Which hall?")

    assert (state(proposal), lines(proposal)) == ((status, "Which hall?"), [("Barbara", line)])
    shown = page_of(chair, proposal).text
    assert ("Which hall?" in shown, line in shown) == (True, True)


@pytest.mark.parametrize("decision", ["ask", "decline"])
@pytest.mark.parametrize("answer", ["", "   ", "w" * 2_001, "null\x00byte"])
def test_without_words_that_can_be_read_nobody_is_asked_or_declined(chair: Client, decision: str, answer: str) -> None:
    proposal = make_proposal(make_conference())

    response = decide(chair, proposal, decision, answer=answer)

    assert (response.status_code, state(proposal), "answer" in response.context["forms"][decision].errors) == (
        *(200, ("waiting", "")),
        True,
    )


def test_note_is_dealt_with_beside_the_page_it_came_from(organiser: Client) -> None:
    conference = make_conference()
    keynote = make_event(conference, kind="invited-talk", title="Keynote", announce=True)
    note = make_note(conference, "Its hour is wrong.", event=keynote, page=keynote.get_absolute_url())

    page = page_of(organiser, note)
    decide(organiser, note, "done")

    assert (list(page.context["forms"]), page.context["public_url"]) == (["done", "ask", "decline"], keynote.get_absolute_url())
    assert (page.context["event_url"], page.context["what"]) == (url("change", "invitedtalk", keynote.pk), "Note on “Keynote”")
    assert (state(note), lines(note)) == (("done", ""), [("Grace", "Dealt with.")])


@pytest.mark.parametrize("page", ["https://evil.example/", "//evil.example/", "javascript:alert(1)", "/organise/", "/elsewhere/"])
def test_page_that_is_none_of_the_conference_is_no_link(organiser: Client, page: str) -> None:
    note = make_note(make_conference(), page=page)

    assert f'href="{page}' not in page_of(organiser, note).text.partition('id="content-main"')[2]


def test_chair_is_led_to_no_talk_from_a_note(chair: Client) -> None:
    conference = make_conference()
    talk = make_event(conference, kind="talk", title="Canary", status="draft")
    note = make_note(conference, event=talk, page=talk.get_absolute_url())

    page, queue = page_of(chair, note), chair.get(url("changelist", "proposal"))

    assert ("Canary" in page.text, "Canary" in queue.text, page.context["event_url"]) == (False, False, "")


def test_duplicates_are_offered_and_merged_with_one_button(chair: Client) -> None:
    conference = make_conference()
    event = make_event(conference, kind="social", title="Board games night", start="19:30", end="22:00")
    make_event(conference, kind="social", title="Runners", start="19:00", end="21:00")
    earlier = make_proposal(conference, "Games (board)")
    make_proposal(make_conference(), "Board games")
    proposal = make_proposal(conference, "Board games")

    page = page_of(chair, proposal)
    sent = {"decision": "merge", "version": 1, "event": event.pk}
    chair.post(url("change", "proposal", proposal.pk), sent)

    assert {(twin.field, twin.pk) for twin in page.context["twins"]} == {("event", event.pk), ("other", earlier.pk)}
    assert (state(proposal)[0], proposal.event, Event.objects.count()) == ("merged", event, 2)
    assert lines(proposal) == [("Barbara", "Merged into “Board games night”.")]


def test_proposal_is_merged_into_another(chair: Client) -> None:
    conference = make_conference()
    first, second = make_proposal(conference, "Chess"), make_proposal(conference, "Go")

    decide(chair, second, "merge", other=first.pk, answer="The same evening.")

    assert (state(second), second.merged_into) == (("merged", "The same evening."), first)
    assert url("change", "proposal", first.pk) in page_of(chair, second).text


def test_who_was_merged_into_another_learns_when_it_is_published(chair: Client) -> None:
    conference = make_conference()
    first, second = make_proposal(conference, "Chess"), make_proposal(conference, "Go", mailbox="sender@example.org")
    decide(chair, second, "merge", other=first.pk)
    shown = page_of(chair, first).context["merged"]

    decide(chair, first, "publish")
    sender_changes(first, title="Chess and Go")
    decide(chair, first, "publish")

    event = Event.objects.get()
    assert (shown, event.title) == ([second], "Chess and Go")
    assert [event.get_absolute_url() in it.text for it in Letter.objects.order_by("pk")] == [False, True]


@pytest.mark.parametrize("chosen", ["nothing", "both", "foreign event", "itself", "a talk", "a draft"])
def test_merge_that_leads_nowhere_is_refused(chair: Client, chosen: str) -> None:
    conference, elsewhere = make_conference(), make_conference()
    proposal, other = make_proposal(conference), make_proposal(conference)
    social = make_event(conference, kind="social")
    typed = {
        "nothing": {},
        "both": {"event": social.pk, "other": other.pk},
        "foreign event": {"event": make_event(elsewhere, kind="social").pk},
        "itself": {"other": proposal.pk},
        "a talk": {"event": make_event(conference, kind="talk").pk},
        "a draft": {"event": make_event(conference, kind="social", status="draft").pk},
    }[chosen]

    response = decide(chair, proposal, "merge", **typed)

    assert (response.status_code, state(proposal), bool(response.context["forms"]["merge"].errors)) == (
        200,
        ("waiting", ""),
        True,
    )


def test_change_is_shown_beside_what_is_published(chair: Client) -> None:
    conference = make_conference()
    event = make_event(conference, kind="social", title="Runners", cost="Free", start="18:00", end="20:00")
    make_appearance(event, make_person(conference), role="host")
    correction = make_correction(event, title="Night runners", end=at("22:00"))

    page = page_of(chair, correction)

    assert [(row.label, row.old, row.new, row.mark) for row in page.context["rows"]] == [
        ("Title", "Runners", "Night runners", "● Changed"),
        ("Day and time", "Thu 24 April 2025, 18:00–20:00", "Thu 24 April 2025, 18:00–22:00", "● Changed"),
    ]
    assert [(row.label, row.new) for row in page.context["same"]] == [("Host", "Ada Lovelace"), ("Cost", "Free")]
    assert ("Approve the change" in page.text, "merge" in page.context["forms"]) == (True, False)


def test_approved_change_is_told_with_its_reason(chair: Client) -> None:
    event = make_event(make_conference(), kind="social", title="Runners", start="18:00", end="20:00")
    correction = make_correction(event, title="Night runners")

    response = decide(chair, correction, "publish", reason="Its host asked.")

    event.refresh_from_db()
    assert (event.title, list(event.changes.values_list("field", "reason"))) == ("Night runners", [("title", "Its host asked.")])
    assert told(response) == ["Approved: “Night runners” is changed. Nothing else waits."]


@pytest.mark.parametrize(("take", "cost"), [([], "10 dollars"), (["cost"], "5 dollars")])
def test_what_organisers_changed_too_stays_unless_it_is_ticked(chair: Client, take: list[str], cost: str) -> None:
    event = make_event(make_conference(), kind="social", title="Runners", cost="Free")
    correction = make_correction(event, cost="5 dollars", title="Night runners")
    event.cost = "10 dollars"
    event.revise()

    page = page_of(chair, correction)
    decide(chair, correction, "publish", take=take)

    event.refresh_from_db()
    marks = {row.label: row.mark for row in page.context["rows"]}
    assert marks == {"Title": "● Changed", "Cost": "▲ Changed by both"}
    assert "Cost: 5 dollars instead of 10 dollars" in page.text
    assert (event.title, event.cost) == ("Night runners", cost)


def test_chair_who_comes_second_is_told_who_decided_and_when(organiser: Client, chair: Client) -> None:
    proposal = make_proposal(make_conference(), mailbox="sender@example.org")
    opened = form_of(page_of(organiser, proposal), "decline") | {"answer": "No."}
    decide(chair, proposal, "publish")

    response = organiser.post(url("change", "proposal", proposal.pk), opened)

    proposal.refresh_from_db()
    at_venue = f"{timezone.localtime(proposal.decided_at, proposal.conference.zone):%H:%M}"
    assert (response.status_code, response.context["notice"]) == (
        409,
        f"Published by Barbara at {at_venue}. Nothing of yours was done.",
    )
    assert (state(proposal)[0], len(lines(proposal)), Letter.objects.count(), response.context["forms"]) == (
        "published",
        1,
        1,
        {},
    )


def test_what_the_sender_changed_since_is_not_published_but_shown(chair: Client) -> None:
    proposal = make_proposal(make_conference())
    opened = form_of(page_of(chair, proposal), "publish")
    sender_changes(proposal, title="Something else", cost="1,000 dollars")

    response = chair.post(url("change", "proposal", proposal.pk), opened)

    assert (response.status_code, "look again" in response.context["notice"], Event.objects.count()) == (409, True, 0)
    assert ("1,000 dollars" in response.text, response.context["forms"]["publish"].initial["title"]) == (True, "Something else")
    assert (state(proposal)[0], lines(proposal)) == ("waiting", [])


def test_words_that_came_too_late_stay_typed(chair: Client) -> None:
    proposal = make_proposal(make_conference())
    opened = form_of(page_of(chair, proposal), "ask") | {"answer": "Which of the two bars?"}
    sender_changes(proposal, place="The other bar")

    response = chair.post(url("change", "proposal", proposal.pk), opened)

    assert (response.status_code, "Which of the two bars?</textarea>" in response.text) == (409, True)


def test_form_that_came_too_late_can_be_copied(chair: Client) -> None:
    conference = make_conference()
    room = make_room(conference, "Garnet")
    event = make_event(conference, kind="social", title="Runners", start="18:00", end="20:00")
    correction = make_correction(event, title="Night runners")
    opened = form_of(page_of(chair, correction), "publish") | {
        "title": "Runners by night",
        "room": room.pk,
        "start_1": "18:30",
        "cost": "",
        "reason": "They asked.",
        "hosts": "<b>Ada</b>",
    }
    sender_changes(correction, cost="5 dollars")

    response = chair.post(url("change", "proposal", correction.pk), opened)

    assert dict(response.context["typed"]) == {
        "Title": "Runners by night",
        "Room": "Garnet",
        "Starts": "18:30",
        "Cost": "empty",
        "Reason for attendees": "They asked.",
        "Host": "<b>Ada</b>",
    }
    assert ("Runners by night" in response.text, "<b>Ada</b>" in response.text, state(correction)[0]) == (True, False, "waiting")


@pytest.mark.parametrize("changed", ["title", "hosts"])
def test_change_of_a_social_that_stands_otherwise_now_is_looked_at_again(organiser: Client, chair: Client, changed: str) -> None:
    event = make_event(make_conference(), kind="social", title="Runners")
    correction = make_correction(event, cost="5 dollars")
    opened = form_of(page_of(chair, correction), "publish")
    if changed == "title":
        event.title = "Walkers"
        event.revise()
    else:
        make_appearance(event, make_person(event.conference), role="host")

    response = chair.post(url("change", "proposal", correction.pk), opened)

    event.refresh_from_db()
    words = {"title": "Title: Runners → Walkers", "hosts": "Somebody changed its hosts"}[changed]
    assert (response.status_code, words in response.context["notice"]) == (409, True)
    assert (event.cost, state(correction)[0]) == ("", "waiting")


def test_published_twice_it_is_one_event_and_one_letter(chair: Client) -> None:
    proposal = make_proposal(make_conference(), mailbox="sender@example.org")
    opened = form_of(page_of(chair, proposal), "publish")

    codes = [chair.post(url("change", "proposal", proposal.pk), opened).status_code for _ in range(3)]

    assert (codes, Event.objects.count(), Letter.objects.count(), len(lines(proposal))) == ([302, 409, 409], 1, 1, 1)


def test_sender_who_left_an_address_gets_a_letter_of_each_decision(chair: Client) -> None:
    proposal = make_proposal(make_conference(), mailbox="sender@example.org")

    decide(chair, proposal, "ask", answer="Which hall?")

    assert list(Letter.objects.values_list("to", flat=True)) == ["sender@example.org"]
    assert "sender@example.org" not in page_of(chair, proposal).text


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param({}, id="nothing"),
        pytest.param({"decision": "delete"}, id="a decision there is not"),
        pytest.param({"decision": "done", "version": "1"}, id="one for notes"),
    ],
)
def test_no_decision_is_no_decision(chair: Client, sent: dict[str, str]) -> None:
    proposal = make_proposal(make_conference())

    response = chair.post(url("change", "proposal", proposal.pk), sent)

    assert (response.status_code, state(proposal), lines(proposal)) == (200, ("waiting", ""), [])
    assert response.context["notice"] == "Nothing was done: choose what to do with it."


def test_button_without_a_version_publishes_nothing(chair: Client) -> None:
    proposal = make_proposal(make_conference())

    response = chair.post(url("change", "proposal", proposal.pk), PUBLISH | {"title": "Mine"})

    assert (state(proposal), Event.objects.count()) == (("waiting", ""), 0)
    assert "not of this page" in response.context["notice"]


def test_what_was_pasted_over_lines_becomes_one(chair: Client) -> None:
    proposal = make_proposal(make_conference())

    decide(chair, proposal, "publish", title="Board\r\n  games", place="The\tbar", hosts="Ada\nLovelace")

    event = Event.objects.get()
    assert (event.title, event.place, event.people_names) == ("Board games", "The bar", ["Ada Lovelace"])


def test_hosts_whom_nobody_typed_anew_all_stay(chair: Client) -> None:
    event = make_event(make_conference(), kind="social")
    names = [f"A host; with a name that is long enough to fill a form soon {number}" for number in range(6)]
    for position, name in enumerate(names):
        make_appearance(event, make_person(event.conference, name), role="host", position=position)

    decide(chair, make_correction(event, cost="Free"), "publish")

    event.refresh_from_db()
    assert (event.cost, event.people_names) == ("Free", names)


@pytest.mark.parametrize("version", ["", "0", "-1", "2", "x", "1%00", "99999999999999999999"])
def test_version_that_was_never_shown_publishes_nothing(chair: Client, version: str) -> None:
    proposal = make_proposal(make_conference())

    response = decide(chair, proposal, "publish", version=version)

    assert (response.status_code, state(proposal), Event.objects.count()) == (409, ("waiting", ""), 0)

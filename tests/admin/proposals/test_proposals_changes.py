"""Changes of what is published, and what was sent in twice: approved part by part, or merged."""

from __future__ import annotations

import pytest
from django.test import Client

from events.models import Change, ChangeGroup, Event, Letter
from tests.admin.pages import messages_of, url
from tests.admin.proposals.deciding import decide, lines, page_of, state
from tests.factories import at, make_appearance, make_conference, make_event, make_person
from tests.proposals.proposing import make_correction, make_proposal, sender_changes

pytestmark = pytest.mark.django_db


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
    address = Event.objects.get().get_absolute_url()
    sender_changes(first, title="Chess and Go")
    decide(chair, first, "publish")

    assert (shown, Event.objects.get().title) == ([second], "Chess and Go")
    assert [address in it.text for it in Letter.objects.order_by("pk")] == [False, True]


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


def test_approved_change_is_recorded_with_its_reason(chair: Client) -> None:
    event = make_event(make_conference(), kind="social", title="Runners", start="18:00", end="20:00")
    correction = make_correction(event, title="Night runners")

    response = decide(chair, correction, "publish", reason="Its host asked.")

    event.refresh_from_db()
    assert (event.title, list(event.changes.values_list("field", "reason"))) == ("Night runners", [("title", "Its host asked.")])
    assert messages_of(response) == ["Approved: “Night runners” is changed. No other proposals are waiting."]


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


def test_hosts_whom_nobody_typed_anew_all_stay(chair: Client) -> None:
    event = make_event(make_conference(), kind="social")
    names = [f"A host; with a name that is long enough to fill a form soon {number}" for number in range(6)]
    for position, name in enumerate(names):
        make_appearance(event, make_person(event.conference, name), role="host", position=position)

    decide(chair, make_correction(event, cost="Free"), "publish")

    event.refresh_from_db()
    assert (event.cost, event.people_names) == ("Free", names)


def test_approved_change_is_one_entry(chair: Client) -> None:
    conference = make_conference()
    event = make_event(conference, kind="social", title="Chess", start="19:00", end="21:00")

    decide(chair, make_correction(event, title="Chess and Go", start=at("20:00"), end=at("22:00")), "publish", reason="As asked")

    group = ChangeGroup.objects.get()
    assert (group.kind, group.title, group.by, group.is_public) == ("publication", "Social updated", "Barbara", True)
    assert set(Change.objects.values_list("field", "group")) == {("title", group.pk), ("start", group.pk), ("end", group.pk)}


def test_new_social_is_an_entry_by_itself(chair: Client) -> None:
    decide(chair, make_proposal(make_conference(), "Chess"), "publish")

    assert list(Change.objects.values_list("field", "group")) == [("status", None)]
    assert ChangeGroup.objects.count() == 0

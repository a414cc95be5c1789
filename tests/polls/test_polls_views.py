"""The page of polls, votes, and what nobody may see."""

from __future__ import annotations

import datetime as dt

import pytest
import time_machine
from django.test import Client

from events.core import limits
from events.core.limits import Limit
from events.models import Agenda, Bookmark, Event, Poll, PollVote
from tests.factories import SINGAPORE, make_agenda, make_event
from tests.polls.polling import DURING, WEIGHTS, answer_rows, list_url, make_poll, pressed, vote, vote_url
from tests.visitors import HTMX, browser

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("during")]


def test_result_is_shown_after_the_vote(panel: Event) -> None:
    poll, client = make_poll(panel, votes=(1, 2)), Client()

    before = client.get(list_url(panel)).text
    response = vote(client, poll, 1)
    after = client.get(list_url(panel)).text

    assert answer_rows(before) == ["Yes", "No", "It depends"]
    assert (response.status_code, response["Location"]) == (302, f"{list_url(panel)}#poll-{poll.guid}")
    assert answer_rows(after) == ["Your vote: Yes 50% 2", "No 50% 2", "It depends 0% 0"]
    assert (pressed(before), pressed(after)) == ([], ["1"])
    assert answer_rows(Client().get(list_url(panel)).text) == ["Yes", "No", "It depends"]


def test_page_before_the_vote_has_no_number_of_the_result(panel: Event) -> None:
    make_poll(panel, votes=(7, 0, 0))

    assert 'width="0"' in Client().get(list_url(panel)).text
    assert 'width="100"' not in Client().get(list_url(panel)).text


@pytest.mark.parametrize("later", ["2025-04-24T12:00", "2025-04-30"])
def test_result_of_an_open_poll_is_not_shown_by_a_later_time_in_the_address(panel: Event, later: str) -> None:
    poll = make_poll(panel, votes=(7, 0, 0))

    pages = [Client().get(url, {"at": later}).text for url in (list_url(panel), vote_url(poll), panel.get_absolute_url())]

    assert [answer_rows(page) for page in pages] == [["Yes", "No", "It depends"]] * 3


def test_vote_can_be_changed_and_bookmarks_nothing(panel: Event) -> None:
    poll, client = make_poll(panel), Client()

    for number in (1, 3):
        vote(client, poll, number)

    assert list(PollVote.objects.values_list("answer__number", flat=True)) == [3]
    assert (Agenda.objects.count(), Bookmark.objects.count()) == (1, 0)


def test_vote_by_htmx_answers_with_the_poll(panel: Event) -> None:
    poll, client = make_poll(panel, votes=(1,)), Client()

    page = vote(client, poll, 2, headers=HTMX).text

    assert answer_rows(page) == ["Yes 50% 1", "Your vote: No 50% 1", "It depends 0% 0"]
    assert "You voted for “No”: 50% of 2 votes." in page
    assert "<html" not in page


def test_closed_poll_shows_its_result_to_everybody(panel: Event) -> None:
    make_poll(panel, votes=(2, 1), state="closed")

    page = Client().get(list_url(panel)).text

    assert answer_rows(page) == ["Yes 67% 2", "No 33% 1", "It depends 0% 0"]
    assert ("Poll, closed" in page, "3 votes" in page, 'name="answer"' in page) == (True, True, False)


def test_own_answer_is_marked_in_a_closed_poll(panel: Event) -> None:
    poll, client = make_poll(panel), Client()
    vote(client, poll, 2)
    poll.close(seen="open")

    assert answer_rows(client.get(list_url(panel)).text)[1] == "Your vote: No 100% 1"


def test_open_poll_stands_before_closed_ones(panel: Event) -> None:
    poll = make_poll(panel, question="First?", state="closed")
    make_poll(panel, question="Second?", state="closed")
    poll.open(seen="closed")

    page = Client().get(list_url(panel)).text

    assert page.index("First?") < page.index("Second?")


def test_draft_leaks_nowhere(panel: Event) -> None:
    pages = [list_url(panel), panel.get_absolute_url()]
    before = [Client().get(url).text for url in pages]
    draft = make_poll(panel, "Aye", "Nay", state="draft")

    assert [Client().get(url).text for url in pages] == before
    assert [Client().get(vote_url(draft)).status_code, vote(Client(), draft).status_code] == [404, 404]


def test_poll_of_a_draft_event_is_not_found(panel: Event) -> None:
    poll = make_poll(panel)
    Event.objects.filter(pk=panel.pk).update(status="draft")

    urls = [list_url(panel), vote_url(poll), f"{list_url(panel)}qr.svg"]

    assert [Client().get(url).status_code for url in urls] == [404, 404, 404]
    assert vote(Client(), poll).status_code == 404


def test_poll_of_another_event_is_not_found_here(panel: Event) -> None:
    poll = make_poll(panel)
    other = Event.objects.create(conference=panel.conference, type=panel.type, day=panel.day, title="Other", status="confirmed")
    url = vote_url(poll).replace(str(panel.guid), str(other.guid))

    assert [Client().get(url).status_code, Client().post(url, {"answer": 1}).status_code] == [404, 404]


def test_event_page_has_its_open_poll(panel: Event) -> None:
    poll, client = make_poll(panel), Client()

    vote(client, poll, 3)

    assert answer_rows(client.get(panel.get_absolute_url()).text)[2] == "Your vote: It depends 100% 1"
    assert answer_rows(Client().get(panel.get_absolute_url()).text)[2] == "It depends"


@pytest.mark.parametrize("answer", ["", "0", "4", "-1", "1.0", "<b>", "9" * 5000])
def test_wrong_answer_is_refused_in_a_sentence(panel: Event, answer: str) -> None:
    poll = make_poll(panel)

    by_page, by_htmx = vote(Client(), poll, answer), vote(Client(), poll, answer, headers=HTMX)

    assert (by_page.status_code, by_htmx.status_code) == (422, 200)
    assert all("is none of the answers. Please use the buttons below." in it.text for it in (by_page, by_htmx))
    assert (PollVote.objects.count(), Agenda.objects.count()) == (0, 0)


def test_vote_in_a_closed_poll_is_refused_with_its_result(panel: Event) -> None:
    poll = make_poll(panel, votes=(1,), state="closed")

    by_page, by_htmx = vote(Client(), poll, 2), vote(Client(), poll, 2, headers=HTMX)

    assert (by_page.status_code, by_htmx.status_code) == (422, 200)
    for response in (by_page, by_htmx):
        assert "This poll is closed. Your vote was not counted." in response.text
        assert answer_rows(response.text)[0] == "Yes 100% 1"


@pytest.mark.parametrize("who", ["visitor", "network", "newcomers"])
def test_too_many_votes_are_told_when_to_come_back(panel: Event, monkeypatch: pytest.MonkeyPatch, who: str) -> None:
    monkeypatch.setattr(limits, "POLL_VOTES", Limit("poll", **{"visitor": 99, "network": 99, "newcomers": 99} | {who: 2}))
    poll, (_, token) = make_poll(panel), make_agenda(panel.conference)

    answers = [vote(browser(token=token) if who == "visitor" else Client(), poll, number) for number in (1, 2, 3)]

    assert [it.status_code for it in answers] == [302, 302, 429]
    assert answers[2]["Retry-After"] == "3600"


def test_votes_of_newcomers_over_the_limit_are_stored_and_do_not_count(panel: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "NEWCOMER_POLL_VOTES", Limit("poll newcomer", newcomers=2))
    poll, client = make_poll(panel), Client()

    for voter in (Client(), Client(), client):
        vote(voter, poll, 1)

    assert list(PollVote.objects.order_by("pk").values_list("counts", flat=True)) == [True, True, False]
    assert answer_rows(client.get(list_url(panel)).text)[0] == "Your vote: Yes 100% 2"


def test_vote_from_our_own_page_needs_no_token(panel: Event) -> None:
    poll, client = make_poll(panel), Client(enforce_csrf_checks=True)

    assert vote(client, poll, headers={"origin": "http://testserver"}).status_code == 302
    assert poll.votes.count() == 1


def test_unchanged_page_is_not_sent_again(panel: Event) -> None:
    make_poll(panel)
    client = Client()
    etag = client.get(f"{list_url(panel)}?part=list")["ETag"]

    assert client.get(f"{list_url(panel)}?part=list", headers={"If-None-Match": etag}).status_code == 304


def test_page_asks_for_news_until_the_polls_are_over(panel: Event) -> None:
    asks = f'hx-get="{list_url(panel)}?part=list" hx-trigger="every 30s"'

    assert asks in Client().get(list_url(panel)).text
    assert asks not in Client().get(f"{list_url(panel)}?at=2025-04-24T09:30").text
    with time_machine.travel(DURING + dt.timedelta(hours=2), tick=False):
        assert asks not in Client().get(list_url(panel)).text


def test_votes_are_erased_a_week_after_the_conference(panel: Event) -> None:
    poll = make_poll(panel, votes=(2, 1), state="closed")
    # The last day is Monday 28 April; a week later is 5 May.
    with time_machine.travel(dt.datetime(2025, 5, 5, 23, 59, tzinfo=SINGAPORE), tick=False):
        assert Poll.objects.erase_overdue(dt.datetime(2025, 5, 5, 23, 59, tzinfo=SINGAPORE)) == 0
    with time_machine.travel(dt.datetime(2025, 5, 6, 0, 1, tzinfo=SINGAPORE), tick=False):
        shown = Client().get(list_url(panel)).text
        assert Poll.objects.erase_overdue(dt.datetime(2025, 5, 6, 0, 1, tzinfo=SINGAPORE)) == 1

    assert (poll.votes.count(), poll.answers.count()) == (0, 3)
    assert answer_rows(shown) == ["Yes", "No", "It depends"]
    assert (WEIGHTS in shown, "The votes were erased after the conference." in shown) == (True, True)


@pytest.mark.parametrize("polls", [1, 3])
def test_page_reads_all_polls_in_as_many_queries(panel: Event, polls: int, django_assert_num_queries: object) -> None:
    for number in range(polls):
        make_poll(panel, question=f"{number}?", state="closed", votes=(1, 1))

    with django_assert_num_queries(6):  # type: ignore[operator]
        Client().get(list_url(panel))


def order(page: str, *marks: str) -> bool:
    """Whether all are on the page, in this order."""
    body = page.partition("<body>")[2]
    places = [body.find(mark) for mark in marks]
    return -1 not in places and places == sorted(places)


def test_open_poll_stands_under_the_head_and_its_result_below_the_abstract(panel: Event) -> None:
    Event.objects.filter(pk=panel.pk).update(abstract="All about weights.", takes_questions=True)
    poll = make_poll(panel, votes=(1,))
    url = panel.get_absolute_url()

    assert order(Client().get(url).text, "Add to", "Poll, open now", "Ask a question", "All about weights.")
    poll.close(seen="open")
    after = Client().get(f"{url}?at={DURING:%Y-%m-%dT%H:%M}").text
    assert order(after, "Ask a question", "All about weights.", "Poll, closed")


def test_page_of_the_event_follows_the_poll_and_the_next_one(panel: Event) -> None:
    make_poll(panel, question="First?", state="closed")
    second = make_poll(panel, question="Second?")

    page = Client().get(panel.get_absolute_url()).text

    assert f'hx-select=".poll[data-open], #poll-{second.guid}"' in page
    assert order(page, "Second?", "First?")


def test_overview_leads_to_the_open_poll_of_what_is_on(panel: Event) -> None:
    poll = make_poll(panel)
    overview = panel.conference.get_absolute_url()

    assert order(Client().get(overview).text, "Panel", f'href="{list_url(panel)}"', "Poll open")
    poll.close(seen="open")
    with time_machine.travel(DURING + dt.timedelta(minutes=1)):
        assert "Poll open" not in Client().get(overview).text


def test_overview_leads_to_the_open_poll_of_the_talk_inside(panel: Event) -> None:
    talk = make_event(panel.conference, kind="talk", title="Inside", start="09:00", end="10:00", session=panel)
    make_poll(talk)

    assert f'href="{list_url(talk)}"' in Client().get(panel.conference.get_absolute_url()).text


def test_hall_of_newcomers_on_one_network_counts_at_once(panel: Event) -> None:
    assert limits.NEWCOMER_POLL_VOTES.newcomers == 1_000
    poll = make_poll(panel)

    for _ in range(101):
        vote(Client(), poll, 1)

    poll.close(seen="open")
    assert answer_rows(Client().get(list_url(panel)).text)[0] == "Yes 100% 101"

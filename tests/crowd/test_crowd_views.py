"""Reporting how full it is, and the page that shows it."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any
from uuid import uuid4

import pytest
import time_machine
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from events.agenda.visitor import VISITOR_COOKIE
from events.core import limits
from events.core.limits import Limit
from events.core.tokens import hash_token
from events.models import Agenda, CrowdReport, Event, Service
from tests.factories import at, make_agenda, make_conference, make_event, make_report, make_room, make_walk, make_zone
from tests.visitors import HTMX, browser

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("during_talk")]

NOW = "10:10"


def url_of(event: Event) -> str:
    return reverse("events:crowd-set", args=[event.conference.slug, event.guid])


def part_url(talk: Event) -> str:
    return f"{url_of(talk)}?part=block"


def say(event: Event, state: str = "full", client: Client | None = None, **headers: str) -> HttpResponse:
    return (client or Client()).post(url_of(event), {"state": state}, headers=headers)


def shown_crowd(response: HttpResponse) -> str:
    """What the part of the page says of now."""
    found = re.search(r'class="crowd-now">(.*?)</p>', response.text, re.DOTALL)
    return " · ".join(re.findall(r">([^<>]+)</span>", found[1])) if found else ""


def instead(response: HttpResponse) -> list[str]:
    found = re.findall(r'class="instead-way">(.*?)</li>', response.text, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]*>", " ", it).split()) for it in found]


def message(response: HttpResponse, client: Client) -> str:
    return " ".join(str(it) for it in client.get(response["Location"]).context["messages"])


THANKS = "Thank you: “It’s full”. It will show once others confirm."


def test_report_is_recorded_and_begins_an_agenda(talk: Event) -> None:
    client = Client()

    response = say(talk, client=client)

    assert (response.status_code, response["Location"]) == (302, f"{talk.get_absolute_url()}#crowd")
    assert list(CrowdReport.objects.values_list("state", "weight", "room", "event")) == [("full", 1, talk.room_id, talk.pk)]
    assert Agenda.objects.for_token(response.cookies[VISITOR_COOKIE].value, talk.conference) == CrowdReport.objects.get().agenda
    assert message(response, client) == THANKS


def test_report_is_answered_in_place_for_htmx(talk: Event) -> None:
    response = say(talk, **HTMX)

    assert response.status_code == 200
    assert response.text.lstrip().startswith('<section class="block crowd" id="crowd"')
    assert THANKS in response.text
    assert shown_crowd(response) == "Reported full at 10:10, not confirmed"
    assert VISITOR_COOKIE in response.cookies


def test_answer_includes_the_report_itself(talk: Event) -> None:
    with time_machine.travel(at(NOW), tick=True):
        assert shown_crowd(say(talk, **HTMX)) == "Reported full at 10:10, not confirmed"


def test_one_is_not_full_and_two_who_are_known_are(talk: Event) -> None:
    tokens = [make_agenda(talk.conference)[1] for _ in range(2)]
    Agenda.objects.update(created_at=at("08:00"))

    answers = [say(talk, client=browser(token=token), **HTMX) for token in tokens]

    assert [shown_crowd(it) for it in answers] == ["Reported full at 10:10, not confirmed", "Full, 10:10"]
    assert "Everybody sees it now." in answers[1].text
    assert shown_crowd(Client().get(talk.get_absolute_url())) == "Full, 10:10"


def test_report_shows_within_a_minute_without_a_new_revision(talk: Event) -> None:
    client = Client()
    before = shown_crowd(client.get(talk.get_absolute_url()))
    revision = talk.conference.revision
    make_report(talk, "full", NOW)

    with time_machine.travel(at("10:11"), tick=False):
        after = shown_crowd(client.get(talk.get_absolute_url()))
    talk.conference.refresh_from_db()

    assert (before, after) == ("No recent report", "Full, 10:10")
    assert talk.conference.revision == revision


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["form", "htmx"])
@pytest.mark.parametrize("state", ["", "empty", "FULL", "\x00", "x" * 10_000], ids=["none", "other", "case", "nul", "long"])
def test_wrong_state_is_refused_with_a_message(talk: Event, state: str, headers: dict[str, str]) -> None:
    response = say(talk, state, **headers)

    assert response.status_code == 422
    assert "is not one of the answers. Please use the buttons below." in response.text
    assert (CrowdReport.objects.count(), Agenda.objects.count()) == (0, 0)


NOT_ON = "Not recorded: reports are open from 15 minutes before the start until the end."


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["form", "htmx"])
@pytest.mark.parametrize(
    ("time", "code"),
    [("09:44:59", 409), ("09:45", 302), ("10:59:59", 302), ("11:00", 409)],
    ids=["too-early", "at-the-door", "to-the-end", "over"],
)
def test_only_of_what_is_on_anything_is_noted(talk: Event, time: str, code: int, headers: dict[str, str]) -> None:
    with time_machine.travel(at(time), tick=False):
        response = say(talk, **headers)

    assert response.status_code == (200 if headers and code == 302 else code)
    assert (NOT_ON in response.text) == (code == 409)
    assert CrowdReport.objects.count() == (code == 302)


@pytest.mark.parametrize(
    "fields",
    [{"room": None}, {"status": "cancelled"}, {"start": None, "end": None}],
    ids=["no-room", "cancelled", "to-be-announced"],
)
def test_nothing_is_noted_of_what_has_no_place_or_time(talk: Event, fields: dict[str, None]) -> None:
    Event.objects.update(**fields)

    response = say(talk)

    assert (response.status_code, CrowdReport.objects.count()) == (409, 0)
    assert "Not recorded" in response.text


def test_moment_that_is_only_looked_at_is_none_to_report_of(talk: Event) -> None:
    with time_machine.travel(at("20:00"), tick=False):
        response = Client().post(f"{url_of(talk)}?at=2025-04-24T10:10", {"state": "full"})

    assert (response.status_code, CrowdReport.objects.count()) == (409, 0)


@pytest.mark.parametrize("method", ["get", "post"])
def test_draft_and_event_of_another_conference_are_not_found(talk: Event, method: str) -> None:
    draft = make_event(talk.conference, start="10:00", end="11:00", room=talk.room, status="draft")
    foreign = make_event(make_conference(), start="10:00", end="11:00")
    urls = [url_of(draft), *(reverse("events:crowd-set", args=["demo", guid]) for guid in (foreign.guid, uuid4()))]

    assert [getattr(Client(), method)(url, {"state": "full"}).status_code for url in urls] == [404] * 3
    assert CrowdReport.objects.count() == 0


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["form", "htmx"])
def test_another_place_has_to_wait_half_a_minute(talk: Event, headers: dict[str, str]) -> None:
    other = make_event(talk.conference, start="10:00", end="11:00", room=make_room(talk.conference, "Hall 2"))
    client = Client()
    say(talk, client=client)

    response = say(other, client=client, **headers)

    assert (response.status_code, response["Retry-After"]) == (429, "30")
    assert "You reported another place a moment ago. Try again in half a minute." in response.text
    assert response.get("HX-Reswap") == ("outerHTML" if headers else None)
    assert CrowdReport.objects.get().event == talk


def test_wrong_tap_is_put_right_but_not_for_ever(talk: Event) -> None:
    client = Client()

    codes = [say(talk, state, client).status_code for state in ["full", "open", "full", "open", "full"]]

    assert codes == [302, 302, 302, 302, 429]
    assert CrowdReport.objects.get().state == "open"


def test_network_has_a_limit_that_a_hall_stays_under(talk: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CROWD_REPORTS", Limit("report", network=3))

    responses = [say(talk) for _ in range(4)]

    assert [it.status_code for it in responses] == [302, 302, 302, 429]
    assert responses[3]["Retry-After"] == "3600"
    assert Agenda.objects.count() == 3


def test_many_agendas_made_by_one_fill_no_room(talk: Event) -> None:
    answers = [say(talk, **HTMX) for _ in range(12)]

    assert CrowdReport.objects.count() == 12
    assert {shown_crowd(it) for it in answers} == {"Reported full at 10:10, not confirmed"}


def test_strangers_from_several_networks_are_believed(talk: Event) -> None:
    answers = [
        Client(REMOTE_ADDR=address).post(url_of(talk), {"state": "full"}, headers=HTMX)
        for address in ("192.0.2.1", "192.0.2.1", "192.0.2.2", "2001:db8::1")
    ]

    assert [shown_crowd(it) for it in answers[2:]] == ["Reported full at 10:10, not confirmed", "Full, 10:10"]


def test_known_visitor_counts_however_many_newcomers_share_the_network(talk: Event) -> None:
    for _ in range(6):
        say(talk, "open")
    tokens = [make_agenda(talk.conference)[1] for _ in range(2)]
    Agenda.objects.filter(pk__in=Agenda.objects.order_by("-pk")[:2].values("pk")).update(created_at=at("08:00"))

    answers = [say(talk, client=browser(token=token), **HTMX) for token in tokens]

    assert shown_crowd(answers[1]) == "Full, 10:10"


def test_old_browser_is_led_to_a_page_with_a_token(talk: Event) -> None:
    client = Client(enforce_csrf_checks=True)

    response = client.post(url_of(talk), {"state": "full"})
    page = client.get(response["Location"])
    token = re.search(r'name="csrfmiddlewaretoken" value="(.+?)"', page.text)

    assert (response.status_code, response["Location"]) == (302, url_of(talk))
    assert token
    assert client.post(url_of(talk), {"state": "full", "csrfmiddlewaretoken": token[1]}).status_code == 302
    assert CrowdReport.objects.count() == 1


def test_other_site_says_nothing_for_a_visitor(talk: Event) -> None:
    response = Client(enforce_csrf_checks=True).post(
        url_of(talk), {"state": "full"}, headers={"Origin": "https://elsewhere.example"}
    )

    assert (response.status_code, CrowdReport.objects.count()) == (403, 0)


def test_refresh_is_answered_with_304_until_a_new_report(cached: None, talk: Event, django_assert_num_queries: Any) -> None:
    client = Client()
    first = client.get(part_url(talk))
    with django_assert_num_queries(1):
        again = client.get(part_url(talk), headers={"If-None-Match": first["ETag"]})
    make_report(talk, "full", NOW)
    with time_machine.travel(at("10:11"), tick=False):
        changed = client.get(part_url(talk), headers={"If-None-Match": first["ETag"]})

    assert (first.status_code, again.status_code, changed.status_code) == (200, 304, 200)
    assert again.content == b""
    assert (shown_crowd(first), shown_crowd(changed)) == ("No recent report", "Full, 10:10")
    assert 'hx-trigger="every 60s"' in first.text


def test_part_that_keeps_asking_has_ones_own_way_out(talk: Event) -> None:
    make_event(talk.conference, title="Next door", start="10:00", end="11:00", room=make_room(talk.conference, "Hall 2"))
    must = make_event(talk.conference, title="Must", start="10:00", end="11:00", room=make_room(talk.conference, "Hall 3"))
    make_report(talk, "full", NOW)
    _, token = make_agenda(talk.conference, must)

    anybody, mine = Client().get(part_url(talk)), browser(token=token).get(part_url(talk))

    assert [it.split()[0] for it in instead(anybody)] == ["Must", "Next"]
    assert ("instead-own" in anybody.text, "instead-own" in mine.text) == (False, True)


def test_part_stops_asking_when_it_is_over(talk: Event) -> None:
    with time_machine.travel(at("11:00"), tick=False):
        response = Client().get(part_url(talk))

    assert 'id="crowd"' in response.text
    assert "hx-" not in response.text


def test_page_without_a_script_says_the_same(talk: Event) -> None:
    make_report(talk, "filling", NOW)

    response = Client().get(url_of(talk))

    assert shown_crowd(response) == "Nearly full, 10:10"
    assert re.findall(r'name="state" value="(\w+)"', response.text) == ["full", "filling", "open"]
    assert response.text.count('form="crowd-form"') == 3


def test_line_of_a_service_has_separate_choices(talk: Event) -> None:
    desk = Service.objects.create(conference=talk.conference, name="Registration", room=talk.room)
    hours = make_event(talk.conference, kind="service", start="08:00", end="18:00", service=desk, title="Registration")
    tokens = [make_agenda(talk.conference)[1] for _ in range(2)]
    Agenda.objects.update(created_at=at("08:00"))

    answers = [say(hours, client=browser(token=token), **HTMX) for token in tokens]

    assert shown_crowd(answers[1]) == "Long line, 10:10"
    assert re.findall(r'value="(?:full|filling|open)"[^>]*>([^<]+)<', answers[1].text) == ["Long line", "Short line", "No line"]
    assert instead(answers[1]) == []
    assert shown_crowd(Client().get(talk.get_absolute_url())) == "No recent report"
    services = Client().get(reverse("events:service-list", args=["demo"]))
    assert "Long line, 10:10" in services.text


def test_who_says_it_is_full_hears_where_to_go(talk: Event) -> None:
    garnet = make_zone(talk.conference, "Garnet")
    assert talk.room
    make_walk(talk.conference, talk.room.zone, garnet, 6)
    room = make_room(talk.conference, "Garnet 212", garnet)
    make_event(talk.conference, title="Next door", start="10:00", end="11:00", room=room)

    response = say(talk, **HTMX)

    assert instead(response) == ["Next door Garnet 212 On now · 6 min walk, there at 10:16 · 44 min of 1 h left"]


def test_way_out_goes_with_ones_own_agenda(talk: Event) -> None:
    make_event(talk.conference, title="Next door", start="10:00", end="11:00", room=make_room(talk.conference, "Hall 2"))
    must = make_event(talk.conference, title="Must", start="10:20", end="11:00", room=make_room(talk.conference, "Hall 3"))
    make_event(talk.conference, title="Short", start="10:00", end="10:20", room=make_room(talk.conference, "Hall 4"))
    make_report(talk, "full", NOW)
    _, token = make_agenda(talk.conference, must)

    anybody, mine = Client().get(talk.get_absolute_url()), browser(token=token).get(talk.get_absolute_url())

    assert [it.split()[0] for it in instead(anybody)] == ["Must", "Next", "Short"]
    assert "instead-own" not in anybody.text
    own, _, public = mine.text.partition('<div class="instead">')
    assert [it.split()[0] for it in re.findall(r'instead-way">\s*<p>\s*<a [^>]*>([^<]+)', own)] == ["Must", "Short"]
    assert public


def test_page_does_not_show_reporters(talk: Event) -> None:
    _, token = make_agenda(talk.conference)
    say(talk, client=browser(token=token))
    with time_machine.travel(at("10:12"), tick=False):
        pages = [Client().get(url) for url in (talk.get_absolute_url(), url_of(talk), reverse("events:venue", args=["demo"]))]

    assert not any(str(word) in page.text for page in pages for word in (token, hash_token(token)))
    assert [shown_crowd(page) for page in pages[:2]] == ["Reported full at 10:10, not confirmed"] * 2
    assert "Room:" not in pages[2].text


def test_personal_data_has_the_reports(talk: Event) -> None:
    _, token = make_agenda(talk.conference)
    client = browser(token=token)
    say(talk, client=client)

    data = client.get(reverse("events:data-export", args=["demo"])).json()

    assert data["agendas"][0]["crowd_reports"] == [
        {"event_guid": str(talk.guid), "state": "full", "at": at(NOW).astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")}
    ]

"""Who gets what at which address: one table, and rules for the admin; an address in neither fails."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from events.agenda.visitor import VISITOR_COOKIE
from events.models import Agenda, Bookmark, Event, Note, PrivateEntry
from tests.factories import make_agenda, make_event
from tests.security.addresses import address, names, patterns
from tests.security.admin_rules import (
    CHANGE,
    DELETE,
    LOGIN,
    SITE_TABLE,
    STAFF,
    Answer,
    Row,
    admin_address,
    admin_expected,
    admin_models,
    answer,
    model_pages,
)
from tests.security.world import ROLES, World

READ = Row(200, 405)
WRITE = Row(405, 302)
ASK_AND_WRITE = Row(200, 302)
TABLE = {
    "events:conference-list": READ,
    "events:healthz": READ,
    "events:readyz": READ,
    "events:service-worker": READ,
    "events:favicon": READ,
    "events:sitemap-index": READ,
    "events:robots": READ,
    "events:speculation-rules": READ,
    # Nobody is named to report to: tests/pages/views/test_site.py names somebody.
    "events:security-txt": Row(404, 405),
    "events:media": Row(404, 405),
    # Without METRICS_TOKEN: tests/web/test_metrics.py sets it.
    "events:metrics": Row(404, 405),
    "events:feed": READ,
    "events:recordings-feed": READ,
    "events:conference-detail": READ,
    "events:about": READ,
    "events:info-page": READ,
    "events:sponsor-list": READ,
    "events:announcement-list": READ,
    "events:announcements-feed": READ,
    "events:announcements-dismiss": ASK_AND_WRITE,
    "events:attendance-set": ASK_AND_WRITE,
    "events:screen": READ,
    "events:change-list": READ,
    "events:changes-feed": READ,
    "events:preview-picture": READ,
    "events:sitemap": READ,
    "events:colours": READ,
    "events:offline": READ,
    "events:offline-list": READ,
    "events:manifest": READ,
    "events:icon": READ,
    "events:search": READ,
    "events:file-list": READ,
    "events:embed": READ,
    "events:preview-open": Row(302, 405),
    "events:preview-leave": WRITE,
    "events:time-zone": ASK_AND_WRITE,
    "events:schedule": Row(302, 405),
    "events:schedule-day": READ,
    "events:schedule-calendar": READ,
    "events:day-calendar": READ,
    "events:schedule-xml": READ,
    "events:schedule-json": READ,
    "events:schedule-csv": READ,
    "events:crowd-list": Row(302, 405),
    "events:event-detail": READ,
    "events:event-by-guid": Row(301, 405),
    "events:bookmark-set": ASK_AND_WRITE,
    # It was on years ago: nothing can be said of it now.
    "events:crowd-set": Row(200, 409),
    "events:event-preview-picture": READ,
    "events:present-set": ASK_AND_WRITE,
    "events:sign-up": ASK_AND_WRITE,
    "events:sign-up-calendar": READ,
    # GET redirects to the list, whose forms have a token.
    "events:place-seen": Row(302, 302),
    "events:sign-up-list": READ,
    "events:sign-up-table": READ,
    "events:visit-set": WRITE,
    "events:event-round": READ,
    "events:event-round-qr": READ,
    "events:bookmark-exchange": ASK_AND_WRITE,
    "events:question-list": READ,
    # The conference of this world is over: tests/views/ asks while one is on.
    "events:question-ask": Row(200, 422),
    "events:question-vote": Row(200, 422),
    # It is nobody's of these; who asked it is sent the same way.
    "events:question-withdraw": Row(404, 302),
    "events:poll-list": READ,
    "events:poll-qr": READ,
    "events:question-qr": READ,
    # As for questions: a poll of this world is closed by now.
    "events:poll-vote": Row(200, 422),
    "events:event-calendar": READ,
    "events:invited-talk-list": READ,
    "events:social-list": READ,
    # A year and more after the conference of this world the desk is closed; tests/views/ has it open.
    "events:social-propose": Row(200, 422),
    "events:missing": Row(200, 422),
    "events:proposal": ASK_AND_WRITE,
    # Its conference is over: who comes late is led to what was handed in.
    "events:proposal-change": Row(302, 422),
    "events:person-list": READ,
    "events:person-detail": READ,
    "events:person-calendar": READ,
    "events:papers-csv": READ,
    "events:paper-list": READ,
    "events:paper-detail": READ,
    "events:award-list": READ,
    "events:topic-list": READ,
    "events:topic-detail": READ,
    "events:venue": READ,
    "events:plan-drawing": READ,
    "events:directions": READ,
    "events:directions-qr": READ,
    "events:start-set": ASK_AND_WRITE,
    "events:service-list": READ,
    "events:agenda-detail": READ,
    "events:agenda-gap": READ,
    "events:walking-set": Row(302, 302),
    "events:agenda-changes": ASK_AND_WRITE,
    "events:note": ASK_AND_WRITE,
    "events:private-entry-add": ASK_AND_WRITE,
    "events:private-entry": Row(404, 302, {"agenda holder": 200}),
    "events:agenda-banner": Row(204, 405, {"agenda holder": 200}),
    "events:agenda-calendar": READ,
    "events:feed-options": WRITE,
    "events:feed-reset": WRITE,
    "events:feed-alarm": WRITE,
    "events:feed-qr": Row(404, 405, {"agenda holder": 200}),
    "events:agenda-qr": READ,
    "events:agenda-download": Row(200, 200),
    "events:devices": READ,
    "events:handover-code": Row(302, 200),
    "events:take": Row(200, 422),
    "events:take-code": Row(200, 422),
    "events:data-export": READ,
    "events:sharing": ASK_AND_WRITE,
    "events:link-take-back": WRITE,
    "events:together": READ,
    "events:shared-agenda": READ,
    "events:shared-copy": ASK_AND_WRITE,
    "events:others-sign-out": WRITE,
    "events:device-sign-out": WRITE,
    "events:forget-me": ASK_AND_WRITE,
    # Nobody in this world has an account: they are sent to where one gets one.
    "events:account": Row(302, 405),
    "events:sign-in": ASK_AND_WRITE,
    "events:account-code": Row(302, 422),
    "events:account-code-again": Row(405, 422),
    "events:digests-set": WRITE,
    # The word in its address is only in a mail.
    "events:digests-off": Row(404, 404),
    "events:sign-out": WRITE,
    "events:account-delete": Row(302, 302),
}
ENTRY = {"title": "Dentist", "date": "2025-04-24", "start": "07:00", "end": "07:30"}
SENT = {
    "events:question-ask": {"text": "Which licence is it under?"},
    "events:question-vote": {"on": "1"},
    "events:poll-vote": {"answer": "1"},
    "events:proposal": {"version": "0"},
    "events:sign-in": {"mailbox": "ada@example.org"},
    "events:feed-options": {"feed_cancelled": "struck"},
    "events:feed-alarm": {"on": "1"},
    "events:announcements-dismiss": {"announcement": "0" * 12},
    "events:attendance-set": {"attendance": "virtual"},
    "events:bookmark-set": {"on": "1"},
    "events:crowd-set": {"state": "full"},
    "events:present-set": {"on": "1"},
    "events:note": {"text": "Ask about the proof."},
    "events:private-entry-add": ENTRY,
    "events:private-entry": ENTRY,
    "events:visit-set": {"on": "1"},
    "events:sign-up": {"on": "1", "name": "Ada"},
    "events:agenda-changes": {"upto": "2025-04-24T09:00:00+00:00"},
    "events:time-zone": {"zone": "Europe/Vienna"},
    "events:start-set": {"start": "expo"},
    "events:walking-set": {"dry": "1"},
}

# The sign-in, of organisers without a second factor whom the site asks for none; tests/staff/ has the others.
STAFF_TABLE = {
    "account_login": Row(302, 302),
    "account_logout": Row(405, LOGIN),
    "account_reauthenticate": Row(200, 422),
    "account_reset_password": Row(200, 422),
    "account_reset_password_done": Row(200, 405),
    # The address is nobody's: a page that says so, for everybody.
    "account_reset_password_from_key": Row(200, 422),
    "mfa_authenticate": Row(302, 302),
    "staff_mail": Row(200, 302),
    "mfa_index": Row(200, 405),
    "mfa_list_webauthn": Row(200, 405),
    "mfa_reauthenticate": Row(302, 302),
    "mfa_reauthenticate_webauthn": Row(302, 302),
    # What changes a factor asks for the password first.
    "mfa_activate_totp": Row(302, 302),
    "mfa_deactivate_totp": Row(404, 404),
    "mfa_view_recovery_codes": Row(404, 405),
    "mfa_generate_recovery_codes": Row(302, 302),
    "mfa_add_webauthn": Row(302, 302),
    "mfa_remove_webauthn": Row(302, 302),
}
OUTSIDE_STAFF = {
    "account_login": Row(200, 422),
    "account_logout": Row(405, LOGIN),
    **{name: row for name, row in STAFF_TABLE.items() if name.startswith("account_reset")},
}


def ask(world: World, role: str, method: str, addresses: dict[str, str]) -> dict[str, Answer]:
    """What this role gets at each address, one browser for each so that logging out logs nobody else out."""
    return {
        name: answer(getattr(world.client(role), method.lower())(url, SENT.get(name, {}) if method == "POST" else None))
        for name, url in addresses.items()
    }


def test_every_address_has_a_row() -> None:
    ruled = TABLE.keys() | STAFF_TABLE.keys() | SITE_TABLE.keys() | model_pages().keys()
    nobody_knows = [f"{name} has no row in {__name__}: say there who gets what." for name in patterns() if name not in ruled]
    gone = [f"{name} has a row in {__name__} and no address." for name in ruled if name not in patterns()]

    assert [*nobody_knows, *gone] == []


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_address_gives_each_role_what_the_table_says(world: World, method: str, role: str) -> None:
    answers = ask(world, role, method, {name: address(name, world) for name in names()})

    assert answers == {name: row.expected(method, role) for name, row in TABLE.items()}


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_admin_gives_each_role_what_the_rules_say(world: World, method: str, role: str) -> None:
    urls = {name: admin_address(name, world) for name in patterns() if name.startswith("admin:")}

    answers = ask(world, role, method, urls)

    assert answers == {name: admin_expected(name, method, role) for name in urls}


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_sign_in_of_organisers_gives_each_role_what_the_table_says(world: World, method: str, role: str) -> None:
    urls = {name: reverse(name, args=[1] * len(patterns()[name].gaps)) for name in STAFF_TABLE}

    answers = ask(world, role, method, urls)

    outside = dict.fromkeys(STAFF_TABLE, Row(LOGIN, LOGIN)) | OUTSIDE_STAFF
    assert answers == {name: row.expected(method, role) for name, row in (STAFF_TABLE if role in STAFF else outside).items()}


def test_visitors_agendas_are_not_in_the_admin() -> None:
    assert [model for model in admin_models() if model in {Agenda, Bookmark, Note, PrivateEntry}] == []


@pytest.mark.parametrize("page", [CHANGE, "history", DELETE])
def test_social_chair_reaches_no_talk_through_the_socials(world: World, page: str) -> None:
    url = reverse(f"admin:events_social_{page}", args=[world.keynote.pk])

    responses = [world.client("social chair").get(url), world.client("social chair").post(url, {"post": "yes", "title": "Mine"})]

    # The list of socials has no such row, and says so on the index.
    refused = [(403, "") if page == DELETE else (302, reverse("admin:index"))] * 2
    assert [(it.status_code, it.get("Location", "")) for it in responses] == refused
    world.keynote.refresh_from_db()
    assert world.keynote.title == "Open science for all"


@pytest.mark.parametrize(("role", "expected"), [("social chair", 403), ("organiser", 302)])
def test_only_an_organiser_deletes_a_draft(world: World, role: str, expected: int) -> None:
    draft = make_event(world.conference, kind="social", status="draft", announce=False)

    response = world.client(role).post(reverse("admin:events_social_delete", args=[draft.pk]), {"post": "yes"})

    assert response.status_code == expected
    assert Event.objects.filter(pk=draft.pk).exists() == (expected == 403)


@pytest.mark.parametrize(
    ("role", "model", "field", "expected"),
    [
        pytest.param("anonymous", "social", "room", LOGIN, id="nobody looks up anything"),
        pytest.param("agenda holder", "social", "room", LOGIN, id="an agenda opens no look-up"),
        pytest.param("social chair", "social", "room", 200, id="a chair looks up rooms"),
        pytest.param("social chair", "award", "paper", 403, id="a chair looks up no papers"),
        pytest.param("social chair", "award", "event", 403, id="a chair looks up no talks"),
        pytest.param("organiser", "award", "paper", 200, id="an organiser looks up papers"),
        pytest.param("organiser", "agenda", "owner", 403, id="an organiser looks up no visitors"),
    ],
)
def test_look_up_asks_for_the_same_permissions(world: World, role: str, model: str, field: str, expected: Answer) -> None:
    query = {"app_label": "events", "model_name": model, "field_name": field, "term": "a"}

    response = world.client(role).get(reverse("admin:autocomplete"), query)

    assert answer(response) == expected


def other(world: World) -> Client:
    """Somebody else's browser, with an agenda of their own."""
    client = world.client("anonymous")
    client.cookies[VISITOR_COOKIE] = make_agenda(world.conference, world.undated)[1]
    return client


def picks(world: World) -> set[str]:
    return set(world.agenda.events.values_list("title", flat=True))


@pytest.mark.parametrize(
    "act",
    [
        pytest.param(lambda client, world: client.post(address("events:bookmark-set", world), {"on": "0"}), id="unbookmark"),
        pytest.param(lambda client, world: client.post(address("events:feed-reset", world)), id="reset the feed"),
    ],
)
def test_visitor_changes_nobody_elses_agenda(world: World, act: Callable[[Client, World], HttpResponse]) -> None:
    before, serial = picks(world), world.agenda.feed_serial

    response = act(other(world), world)

    world.agenda.refresh_from_db()
    assert response.status_code == 302
    assert (picks(world), world.agenda.feed_serial) == (before, serial)


def test_agenda_of_one_conference_is_none_of_another(world: World) -> None:
    page = world.client("agenda holder").get(reverse("events:agenda-detail", args=[world.edition.slug]))

    assert page.context["count"] == 0

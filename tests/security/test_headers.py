"""What every answer carries, whatever it says: no inline script, no frame, no guessing of types, no needless cookie."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import pytest
from django.conf import settings as plain_settings
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from events.pages.queries import overview
from events.web.middleware import PERMISSIONS_POLICY
from tests.security.addresses import CALENDARS, address, names
from tests.security.admin_rules import admin_address
from tests.security.world import World

POLICY = {
    "default-src": "'self'",
    "img-src": "'self' data:",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}
# A photo is shown as a picture, whatever is inside it.
MEDIA_POLICY = {"default-src": "'none'", "sandbox": ""}
# So is a drawing, which may have styles, pictures and fonts inside it.
DRAWING_POLICY = MEDIA_POLICY | {"style-src": "'unsafe-inline'", "img-src": "data:", "font-src": "data:"}
GUARDS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": PERMISSIONS_POLICY,
}
FOR_ALL = {"Cross-Origin-Resource-Policy": "cross-origin"}
NO_DOCUMENT = {"Permissions-Policy": ""}
ACCOUNT = [f"events:{name}" for name in ("account", "sign-in", "account-code", "account-delete")]
# Their address is a secret, or they show it.
OF_DEVICES = [
    f"events:{name}"
    for name in ("devices", "handover-code", "take", "take-code", "data-export", "sharing", "together", "forget-me")
]
BY_LINK = ["events:shared-agenda", "events:shared-copy"]
OF_DESK = [f"events:{name}" for name in ("question-ask", "social-propose", "missing", "proposal", "proposal-change")]
OF_HOST = ["events:sign-up-list", "events:sign-up-table"]
SECRET = {
    **dict.fromkeys(ACCOUNT, "same-origin"),
    "events:feed": "no-referrer",
    "events:recordings-feed": "no-referrer",
    "events:agenda-calendar": "same-origin",
    "events:feed-qr": "same-origin",
    "events:preview-open": "same-origin",
    **dict.fromkeys([*OF_DEVICES, *BY_LINK, *OF_DESK], "same-origin"),
    **dict.fromkeys(OF_HOST, "no-referrer"),
}
PAGE = "private, no-cache"
# Other sites may frame it: it has no script, no form and no cookie.
EMBED_POLICY = {
    "default-src": "'none'",
    **dict.fromkeys(("style-src", "font-src", "img-src"), "'self'"),
    **dict.fromkeys(("base-uri", "form-action"), "'none'"),
    "frame-ancestors": "*",
}
# Programs of other sites may read these files.
OPEN = [
    f"events:{name}"
    for name in (
        *("schedule-calendar", "day-calendar", "person-calendar", "event-calendar", "sign-up-calendar"),
        *("announcements-feed", "changes-feed"),
        *("schedule-xml", "schedule-json", "schedule-csv", "papers-csv"),
    )
]
# Their address is the secret; no view of them reads a cookie.
OF_FEEDS = {"events:feed", "events:recordings-feed"}
CACHING = {
    **dict.fromkeys(ACCOUNT, "private, no-store"),
    "events:healthz": "no-store",
    "events:readyz": "no-store",
    "events:embed": "public, max-age=0, s-maxage=15, stale-while-revalidate=60, stale-if-error=600",
    "events:robots": "public, max-age=3600",
    "events:speculation-rules": "public, max-age=86400",
    "events:colours": "public, max-age=300",
    "events:service-worker": "no-cache",
    "events:event-by-guid": "no-cache",
    "events:manifest": "public, max-age=300",
    "events:icon": "public, max-age=86400",
    "events:favicon": "public, max-age=86400",
    "events:preview-picture": "public, max-age=300",
    "events:event-preview-picture": "public, max-age=300",
    "events:sitemap": "public, max-age=300",
    "events:sitemap-index": "public, max-age=300",
    "events:offline-list": "private, no-store",
    "events:preview-open": "private, no-store",
    "events:changes-feed": "public, max-age=300",
    "events:event-calendar": "public, max-age=300",
    "events:schedule-calendar": "public, max-age=300",
    "events:day-calendar": "public, max-age=300",
    "events:person-calendar": "public, max-age=300",
    "events:schedule-xml": "public, max-age=300",
    "events:schedule-json": "public, max-age=300",
    "events:schedule-csv": "public, max-age=300",
    "events:papers-csv": "public, max-age=300",
    "events:agenda-calendar": "private, no-store",
    "events:feed-qr": "private, no-store",
    "events:agenda-qr": "private, no-store",
    "events:announcements-feed": "public, max-age=300",
    "events:sign-up-calendar": "public, max-age=300",
    **dict.fromkeys([*OF_DEVICES, *BY_LINK, *OF_DESK, *OF_HOST], "private, no-store"),
    "events:directions-qr": "private, no-store",
    "events:event-round-qr": "private, no-store",
    "events:plan-drawing": "public, max-age=31536000, immutable",
}
ADMIN = ["admin:index", "admin:login", "admin:events_social_changelist", "admin:events_social_change", "admin:events_route_add"]


def policy(response: HttpResponse) -> dict[str, str]:
    rules = [rule.strip().partition(" ") for rule in response.get("Content-Security-Policy", "").split(";") if rule.strip()]
    return {name: value for name, _, value in rules}


def guards(response: HttpResponse) -> dict[str, str]:
    return {name: response.get(name, "") for name in GUARDS}


def broken(world: World, **options: Any) -> HttpResponse:
    with patch.object(overview, "overview", side_effect=RuntimeError("Nobody may read this")):
        return Client(raise_request_exception=False).get(f"/{world.conference.slug}/", **options)


ANSWERS: dict[str, tuple[int, Callable[[World], HttpResponse]]] = {
    "redirect": (302, lambda world: Client().get("/iclr-2025/schedule/")),
    "missing slash": (301, lambda world: Client().get("/iclr-2025/schedule")),
    "not known": (404, lambda world: Client().get("/iclr-2025/nothing/")),
    "no such conference": (404, lambda world: Client().get("/never-was/")),
    "no such photo": (404, lambda world: Client().get("/media/people/nobody.webp")),
    "no such static file": (404, lambda world: Client().get("/static/nothing.css")),
    "wrong method": (405, lambda world: Client().post("/iclr-2025/talks/")),
    "wrong input": (422, lambda world: Client().post(address("events:bookmark-set", world), {"on": "maybe"})),
    "wrong host": (400, lambda world: Client().get("/", headers={"host": "evil.example"})),
    "no token": (403, lambda world: Client(enforce_csrf_checks=True).post("/iclr-2025/agenda/calendar/reset/")),
    "no origin": (302, lambda world: Client(enforce_csrf_checks=True).post("/iclr-2025/time-zone/")),
    "not changed": (304, lambda world: not_changed("/iclr-2025/schedule.ics")),
    "our fault": (500, broken),
    "htmx": (200, lambda world: Client().get(world.day.get_absolute_url(), headers={"hx-request": "true"})),
    "bookmark by htmx": (
        200,
        lambda world: Client().post(address("events:bookmark-set", world), {"on": "1"}, headers={"hx-request": "true"}),
    ),
    "the admin's door": (302, lambda world: Client().get("/organise/")),
    "not for chairs": (403, lambda world: world.client("social chair").get("/organise/events/award/")),
    "static file": (200, lambda world: static_file("plan.svg")),
    "style": (200, lambda world: static_file("look.css")),
    "script": (200, lambda world: static_file("look.js")),
}


def static_file(name: str) -> HttpResponse:
    (plain_settings.STATIC_ROOT / name).write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    response = Client().get(f"/static/{name}")
    response.getvalue()  # reads to the end and so closes the file; close() would close the connection too
    return response


def not_changed(url: str) -> HttpResponse:
    return Client().get(url, headers={"if-none-match": Client().get(url)["ETag"]})


def answers_of(world: World, role: str) -> dict[str, HttpResponse]:
    return {name: world.client(role).get(address(name, world)) for name in names()}


def test_answer_carries_policy_and_guards(world: World) -> None:
    answers = answers_of(world, "agenda holder")

    secret = {name: {"Referrer-Policy": referrer} for name, referrer in SECRET.items()}
    policies = dict.fromkeys(names(), POLICY) | {"events:plan-drawing": DRAWING_POLICY, "events:embed": EMBED_POLICY}
    assert {name: policy(it) for name, it in answers.items()} == policies
    for_all = [name for name, it in answers.items() if it.get("Access-Control-Allow-Origin") == "*"]
    special = {name: secret.get(name, {}) | (FOR_ALL if name in for_all else {}) for name in names()}
    special |= dict.fromkeys(["events:colours", "events:service-worker"], NO_DOCUMENT)
    # For pages of other sites that show a link.
    for name in ("events:preview-picture", "events:event-preview-picture"):
        special[name] |= {"Cross-Origin-Resource-Policy": "cross-origin"}
    special["events:embed"] |= {"X-Frame-Options": ""}
    expected = {name: GUARDS | special[name] for name in names()}
    assert sorted(for_all) == sorted(OPEN)
    assert {name: guards(it) for name, it in answers.items()} == expected


def test_page_may_use_nothing_of_the_device_that_it_does_not_need(world: World) -> None:
    rules = Client().get("/")["Permissions-Policy"].split(", ")

    denied = {rule.removesuffix("=()") for rule in rules if rule.endswith("=()")}
    own = {rule.removesuffix("=(self)") for rule in rules if rule.endswith("=(self)")}
    assert {"camera", "microphone", "geolocation", "payment", "usb"} <= denied
    # Scripts copy links and keep screens awake.
    assert own == {"clipboard-write", "screen-wake-lock", "publickey-credentials-create", "publickey-credentials-get"}
    assert len(denied) + len(own) == len(rules)


@pytest.mark.parametrize("role", ["anonymous", "agenda holder"])
def test_private_answer_varies_by_cookie(world: World, role: str) -> None:
    answers = answers_of(world, role)

    private = {name for name, it in answers.items() if "private" in it["Cache-Control"]}
    assert {name for name in private if "Cookie" not in varies_by(answers[name])} == OF_FEEDS & private
    shared = {name for name, it in answers.items() if "s-maxage" in it["Cache-Control"]}
    assert {name for name in names() if name not in private and "Cookie" in varies_by(answers[name])} == shared


def varies_by(response: HttpResponse) -> list[str]:
    return [name.strip() for name in response.get("Vary", "").split(",")]


@pytest.mark.parametrize("kind", ANSWERS)
def test_answer_of_any_kind_carries_policy_and_guards(world: World, kind: str) -> None:
    status, ask = ANSWERS[kind]

    response = ask(world)

    assert response.status_code == status
    assert policy(response) == POLICY
    for_all = FOR_ALL if kind in {"not changed", "static file", "style", "script"} else {}
    assert guards(response) == GUARDS | for_all | (NO_DOCUMENT if kind in {"style", "script"} else {})


@pytest.mark.parametrize("name", ADMIN)
def test_admin_carries_policy_and_guards(world: World, name: str) -> None:
    response = world.client("organiser").get(admin_address(name, world))

    assert policy(response) == POLICY
    assert guards(response) == GUARDS | {"Referrer-Policy": response["Referrer-Policy"]}
    assert response["Referrer-Policy"] in {"strict-origin-when-cross-origin", "same-origin", "no-referrer"}


def test_photo_is_a_picture_and_nothing_else(world: World) -> None:
    photo = plain_settings.MEDIA_ROOT / "people" / "ada.svg"
    photo.parent.mkdir(exist_ok=True)
    photo.write_text("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>")

    response = Client().get("/media/people/ada.svg")
    response.getvalue()  # reads to the end and so closes the file; close() would close the connection too

    assert policy(response) == MEDIA_POLICY
    assert guards(response) == GUARDS


def test_error_of_ours_tells_nothing_of_itself(world: World) -> None:
    response = broken(world)

    assert "Nobody may read this" not in response.text
    assert "Something went wrong" in response.text


def test_visitor_without_an_account_gets_no_cookie_but_the_one_forms_need(world: World) -> None:
    answers = answers_of(world, "anonymous")

    has_form = [name for name, it in answers.items() if b"csrfmiddlewaretoken" in it.content]
    expected = {name: {"csrftoken"} for name in has_form}
    # It names the link behind which drafts are, to who opened it.
    expected["events:preview-open"] = {"hallway_preview"}
    assert {name: set(it.cookies) for name, it in answers.items() if it.cookies} == expected


@pytest.mark.parametrize("name", sorted(CALENDARS))
def test_calendar_has_no_form_and_so_no_cookie(world: World, name: str) -> None:
    assert dict(world.client("agenda holder").get(address(name, world)).cookies) == {}


def test_cache_keeps_only_what_is_the_same_for_everybody(world: World) -> None:
    answers = answers_of(world, "agenda holder")

    assert {name: it["Cache-Control"] for name, it in answers.items()} == {name: CACHING.get(name, PAGE) for name in names()}


@pytest.mark.parametrize("name", ["hallway", "csrftoken"])
def test_cookie_is_for_this_site_and_no_script(world: World, name: str) -> None:
    client = Client()
    client.get(address("events:time-zone", world))
    client.post(address("events:bookmark-set", world), {"on": "1"})

    cookie = client.cookies[name]

    assert (cookie["httponly"], cookie["samesite"], cookie["domain"], cookie["path"]) == (True, "Lax", "", "/")


def test_agenda_never_travels_in_the_clear_on_a_real_site(world: World, settings: Settings) -> None:
    settings.SECURE = True
    client = Client()

    client.post(address("events:bookmark-set", world), {"on": "1"})

    cookie = client.cookies["__Host-hallway"]
    assert (cookie["secure"], cookie["httponly"], cookie["domain"], cookie["path"]) == (True, True, "", "/")


def manage(*command: str, **env: str) -> subprocess.CompletedProcess[str]:
    """A command in a process of its own, with nothing of this one's settings."""
    plain = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "LANG", "VIRTUAL_ENV"}}
    return subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=plain_settings.BASE_DIR,
        env=plain | {"DATABASE_URL": "sqlite:///:memory:"} | env,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


LONG_KEY = "a-key-of-fifty-characters-and-more-that-nobody-guesses-0123456789"


@pytest.mark.slow
@pytest.mark.parametrize("behind", ["true", "false"])
def test_settings_of_a_real_site_pass_every_check(behind: str) -> None:
    command = ["check", "--deploy", "--fail-level", "WARNING"]

    done = manage(*command, SITE_URL="https://hallway.example", SECRET_KEY=LONG_KEY, BEHIND_PROXY=behind)

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "System check identified no issues (3 silenced).\n"


@pytest.mark.parametrize(
    "key",
    [pytest.param("", marks=pytest.mark.slow), pytest.param("short", marks=pytest.mark.slow), "x" * 49],
    ids=["none", "short", "almost"],
)
def test_real_site_does_not_start_with_a_guessable_key(key: str) -> None:
    done = manage("check", SITE_URL="https://hallway.example", SECRET_KEY=key)

    assert done.returncode == 1
    assert "SITE_URL is https: set SECRET_KEY to a random text of at least 50 characters." in done.stderr


def test_cookies_of_organisers_are_from_this_host_alone_on_a_real_site() -> None:
    code = (
        "from django.conf import settings as s;"
        "print(s.SESSION_COOKIE_NAME, s.SESSION_COOKIE_SECURE, s.SESSION_COOKIE_PATH, s.SESSION_COOKIE_DOMAIN);"
        "print(s.CSRF_COOKIE_NAME, s.CSRF_COOKIE_SECURE, s.CSRF_COOKIE_PATH, s.CSRF_COOKIE_DOMAIN)"
    )

    done = manage("shell", "--no-imports", "-c", code, SITE_URL="https://hallway.example", SECRET_KEY=LONG_KEY)

    assert done.stdout.splitlines() == ["__Host-sessionid True / None", "__Host-csrftoken True / None"]


@pytest.mark.parametrize("contact", ["security@example.org", "javascript:alert(1)", "mailto:a@example.org\nExpires: never"])
def test_site_does_not_start_with_a_contact_that_is_no_address(contact: str) -> None:
    done = manage("check", SECURITY_CONTACT=contact)

    assert done.returncode == 1
    assert "SECURITY_CONTACT is an address to report weaknesses to: write it as mailto:… or https:…." in done.stderr


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        (
            "METRICS_TOKEN",
            "short",
            "METRICS_TOKEN is part of a secret address: use 20 or more letters, digits, hyphens and underscores.",
        ),
        ("METRICS_TOKEN", "with/slash/and/a/few/more", "METRICS_TOKEN is part of a secret address: use 20 or more"),
        (
            "SENTRY_DSN",
            "sentry.example.org",
            "SENTRY_DSN is not the address of a project in Sentry: copy it from there, as https://KEY@HOST/",
        ),
        ("LOG_FORMAT", "xml", "LOG_FORMAT is “xml”: choose text, or json for an object a line."),
    ],
)
def test_site_does_not_start_with_an_unusable_setting(name: str, value: str, sentence: str) -> None:
    done = manage("check", **{name: value})

    assert done.returncode == 1
    assert sentence in done.stderr


@pytest.mark.parametrize(("asked", "more"), [({}, ""), ({"HSTS_SUBDOMAINS": "true"}, "; includeSubDomains; preload")])
def test_real_site_speaks_https_only(asked: dict[str, str], more: str) -> None:
    code = (
        "from django.test import Client; c = Client(headers={'host': 'hallway.example'});"
        "r = c.get('/iclr-2025/'); s = c.get('/robots.txt', secure=True);"
        "print(r.status_code, r['Location'], s['Strict-Transport-Security'])"
    )

    done = manage("shell", "--no-imports", "-c", code, SITE_URL="https://hallway.example", SECRET_KEY=LONG_KEY, **asked)

    assert done.stdout.split("\n")[-2:] == [
        f"301 https://hallway.example/iclr-2025/ max-age=31536000{more}",
        "",
    ]

"""What each role gets at the pages of the admin: a table of its own pages, and rules for those of models."""

from __future__ import annotations

from typing import NamedTuple

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model
from django.http import HttpResponse
from django.urls import reverse

from events.models import Event, Poll
from tests.security.world import World

Answer = int | str
LOGIN = "login"
STAFF = ("social chair", "organiser")
VIEW, ADD, CHANGE, DELETE = "view", "add", "change", "delete"


class Row(NamedTuple):
    """What every role gets, and which roles get something else."""

    get: Answer
    post: Answer
    get_by_role: dict[str, Answer] = {}
    post_by_role: dict[str, Answer] = {}

    def expected(self, method: str, role: str) -> Answer:
        return self.get_by_role.get(role, self.get) if method == "GET" else self.post_by_role.get(role, self.post)


# The admin's own pages, for those who may enter it; everybody else is sent to its login.
SITE_TABLE = {
    "admin:index": Row(200, 200),
    "admin:lists": Row(200, 200),
    # Nobody chose one.
    "admin:current_conference": Row(405, 302),
    "admin:login": Row(302, 302),
    "admin:logout": Row(405, 200),
    "admin:password_change": Row(200, 200),
    "admin:password_change_done": Row(200, 405),
    "admin:autocomplete": Row(403, 405),
    "admin:jsi18n": Row(200, 405),
    "admin:view_on_site": Row(302, 302),
    "admin:app_list": Row(200, 200),
    "admin:auth_user_password_change": Row(403, 403),
    "admin:organise/P<url>.": Row(404, 404),
    # Whole programmes are the organisers'; a file that is not waiting sends them back to the form.
    "admin:events_conference_programme": Row(200, 422),
    "admin:events_conference_programme_preview": Row(302, 302),
    "admin:events_conference_programme_columns": Row(302, 302),
    # Nothing waits in this world, and nobody answers at its address.
    "admin:events_followedsource_look": Row(405, 302),
    "admin:events_followedsource_waiting_preview": Row(302, 302),
    "admin:events_followedsource_waiting_columns": Row(302, 302),
    # The conference of this world is published already.
    "admin:events_conference_publish": Row(302, 302),
    "admin:events_conference_withdraw": Row(200, 302),
    "admin:events_conference_address": Row(200, 422),
    "admin:events_conference_slug_give_up": Row(405, 302),
    "admin:events_conference_copy": Row(200, 422),
    "admin:events_conference_move": Row(200, 200),
    "admin:events_conference_previews": Row(200, 302),
    "admin:events_conference_preview_withdraw": Row(405, 302),
    # Nobody typed its name.
    "admin:events_conference_remove": Row(200, 422),
    # This one has nothing that could be taken back.
    "admin:events_changegroup_undo": Row(200, 409),
    # Organisers took the conference back to draft before (above), so that nobody has the event; a chair writes nothing.
    "admin:events_session_message": Row(200, 302),
    "admin:events_invitedtalk_message": Row(200, 302),
    "admin:events_social_message": Row(200, 302, post_by_role={"social chair": 422}),
    # What is decided on stage stands in a form that says what was seen.
    "admin:events_question_stage": Row(200, 405),
    "admin:events_question_decide": Row(405, 422),
    "admin:events_question_newcomers": Row(200, 422),
    "admin:events_poll_state": Row(405, 302),
    "admin:events_event_timetable": Row(200, 405),
    # Nobody chose an event.
    "admin:events_event_move": Row(302, 302),
    "admin:events_room_pressure": Row(200, 405),
    "admin:events_room_report": Row(405, 302),
    "admin:events_room_board": Row(200, 405),
    "admin:events_room_board_report": Row(405, 302),
    "admin:events_conference_numbers": Row(200, 405),
    "admin:events_conference_numbers_csv": Row(200, 405),
}
OF_CONFERENCE = {
    f"admin:events_conference_{name}"
    for name in ("copy", "publish", "withdraw", "address", "slug_give_up", "move", "previews", "preview_withdraw", "remove")
}
FOR_ORGANISERS = OF_CONFERENCE | {
    "admin:events_session_message",
    "admin:events_invitedtalk_message",
    "admin:events_changegroup_undo",
    "admin:events_followedsource_look",
    "admin:events_followedsource_waiting_preview",
    "admin:events_followedsource_waiting_columns",
    "admin:events_conference_programme",
    "admin:events_conference_programme_preview",
    "admin:events_conference_programme_columns",
    "admin:events_question_stage",
    "admin:events_question_decide",
    "admin:events_question_newcomers",
    "admin:events_poll_state",
    "admin:events_event_timetable",
    "admin:events_event_move",
    "admin:events_room_pressure",
    "admin:events_room_report",
    "admin:events_room_board",
    "admin:events_room_board_report",
    "admin:events_conference_numbers",
    "admin:events_conference_numbers_csv",
}
# Lists that go out and come in as spreadsheets, for those who may change and add their rows.
SPREADSHEETS = {"session", "invitedtalk", "social", "paper", "person", "room"}
SHEET_PAGES = {
    "export": Row(200, 200),
    "template": Row(200, 200),
    "import": Row(200, 422),
    "import_preview": Row(302, 302),
}
COPIED = {"session", "invitedtalk", "social"}
OUTSIDE = {"admin:login": Row(200, 422), "admin:logout": Row(302, 302)}
READ_BY_CHAIRS = {"conference", "day", "eventtype", "room", "zone", "person", "track"}
# Attendees know of these in the world: they are cancelled, not deleted. What organisers do not count is undone.
KNOWN = {"uncountedagendas", "conference", "service", "invitedtalk", "session", "social"}


def answer(response: HttpResponse) -> Answer:
    at_the_door = response.status_code == 302 and response["Location"].startswith(reverse("admin:login"))
    return LOGIN if at_the_door else response.status_code


def admin_models() -> list[type[Model]]:
    return list(admin.site._registry)


def model_pages() -> dict[str, tuple[type[Model], str]]:
    """The name of each model's pages, with the model and what the page does."""
    found = {}
    for model in admin_models():
        label, name = model._meta.app_label, str(model._meta.model_name)
        pages = {f"{label}_{name}_{page}": page for page in ["changelist", ADD, CHANGE, DELETE, "history"]}
        pages[f"organise/{label}/{name}/<path:object_id>/"] = "shortcut"
        if name in SPREADSHEETS:
            pages |= {f"{label}_{name}_{page}": page for page in SHEET_PAGES}
        if name in COPIED:
            pages |= {f"{label}_{name}_duplicate": ADD}
        found |= {f"admin:{url_name}": (model, page) for url_name, page in pages.items()}
    return found


def permissions(role: str, name: str) -> set[str]:
    """What each role may do with a model of ours; nobody here administers accounts."""
    if name == "proposal":
        # It is decided, by both; nobody makes one up or makes one disappear.
        return {VIEW, CHANGE}
    if name in {"staffmember", "logentry"}:
        # The first account is an organiser's, which only a superuser manages. Nobody edits the log.
        return ({VIEW, ADD} if name == "staffmember" else {VIEW}) if role == "organiser" else set()
    if role == "organiser":
        read = name in {"change", "changegroup", "event", "importrun", "question"}
        return {VIEW} if read else {VIEW, ADD, CHANGE, DELETE} - ({DELETE} if name in KNOWN else set())
    return {VIEW, ADD, CHANGE} if name == "social" else {VIEW} if name in READ_BY_CHAIRS else set()


def admin_expected(name: str, method: str, role: str) -> Answer:
    if role not in STAFF:
        return OUTSIDE[name].expected(method, role) if name in OUTSIDE else LOGIN
    if name in SITE_TABLE:
        allowed = role == "organiser" or name not in FOR_ORGANISERS
        return SITE_TABLE[name].expected(method, role) if allowed else 403
    model, page = model_pages()[name]
    label, model_name = model._meta.app_label, str(model._meta.model_name)
    if page == "shortcut":
        return 302
    held = permissions(role, model_name) if label == "events" or model is LogEntry else set()
    if page in SHEET_PAGES:
        return SHEET_PAGES[page].expected(method, role) if {ADD, CHANGE} <= held else 403
    needed = {"changelist": VIEW, "history": VIEW, CHANGE: VIEW if method == "GET" else CHANGE}.get(page, page)
    if model is Event and page != ADD:
        # It sends on to the list that shows the event's kind.
        needed, found = VIEW, 302
    else:
        # The form of an opened poll has no fields, so nothing about it can be wrong.
        found = 302 if (model, page, method) == (Poll, CHANGE, "POST") else 200
    return found if needed in held else 403


def admin_address(name: str, world: World) -> str:
    event = [world.keynote.conference.slug, world.keynote.guid]
    special = {
        "admin:organise/P<url>.": lambda: f"{reverse('admin:index')}nothing/of/ours/",
        "admin:view_on_site": lambda: admin_of_event(world),
        "admin:app_list": lambda: reverse(name, args=["events"]),
        "admin:events_question_stage": lambda: reverse(name, args=event),
        "admin:events_question_decide": lambda: reverse(name, args=[*event, world.question.guid]),
        "admin:events_question_newcomers": lambda: reverse(name, args=[*event, world.question.guid]),
        "admin:events_poll_state": lambda: reverse(name, args=[world.poll.guid]),
        "admin:events_room_report": lambda: reverse(name, args=[world.hall_room.pk]),
        "admin:events_conference_numbers_csv": lambda: reverse(name, args=["events"]),
        "admin:events_session_message": lambda: reverse(name, args=[world.talk.pk]),
        "admin:events_invitedtalk_message": lambda: reverse(name, args=[world.keynote.pk]),
        "admin:events_social_message": lambda: reverse(name, args=[world.social.pk]),
        "admin:events_room_board_report": lambda: reverse(name, args=[world.hall_room.pk]),
        "admin:events_followedsource_look": lambda: reverse(name, args=[world.followed.pk]),
        "admin:events_changegroup_undo": lambda: reverse(name, args=[world.change_group.pk]),
        "admin:auth_user_password_change": lambda: reverse(name, args=[world.staff("organiser").pk]),
    }
    if name in special:
        return special[name]()
    if name in OF_CONFERENCE:
        more = {"slug_give_up": ["iclr-1999"], "preview_withdraw": [1]}.get(name.partition("_conference_")[2], [])
        return reverse(name, args=[world.conference.pk, *more])
    if name.endswith(("_preview", "_programme_columns", "_waiting_columns")):
        return reverse(name, args=["a-file-nobody-sent"])
    if name.endswith(("_export", "_template")):
        return f"{reverse(name, args=['csv'])}?conference__id__exact={world.conference.pk}"
    if name not in model_pages() or name.endswith(("_changelist", "_add", "_import", "_programme")):
        return reverse(name)
    return address_of_row(name)


def address_of_row(name: str) -> str:
    model, page = model_pages()[name]
    row = model._default_manager.order_by("pk").first()
    assert row is not None, f"The world of these tests has no {model._meta.verbose_name}."
    label = f"{model._meta.app_label}_{model._meta.model_name}"
    own = f"admin:{label}_{CHANGE if page == 'shortcut' else page}"
    url = reverse(name if name.endswith("_duplicate") else own, args=[row.pk])
    return url.removesuffix("change/") if page == "shortcut" else url


def admin_of_event(world: World) -> str:
    return reverse("admin:view_on_site", args=[ContentType.objects.get_for_model(Event).pk, world.keynote.pk])

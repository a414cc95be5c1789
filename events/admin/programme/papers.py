"""Papers, awards and people."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import admin
from django.db.models import Count, Prefetch, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from events.admin.base.clash_rows import event_change_url, may_view_kind
from events.admin.base.model_admin import FORMFIELD_OVERRIDES, HallwayAdmin, HallwayInline
from events.admin.base.scope import InUseFilter, label_of
from events.admin.base.visible import visible_to
from events.admin.kept_files import KeptFileInput, KeptFilesAdmin
from events.admin.spreadsheets.other_sheets import PaperSheet, PersonSheet
from events.admin.spreadsheets.pages import SpreadsheetAdmin
from events.core.photos import PhotoField
from events.programme.models.event import Event
from events.programme.models.labels import Status
from events.programme.models.papers import Authorship, Award, Link, Paper
from events.programme.models.people import Person

MAX_SHOWN_AUTHORS = 5
MAX_SHOWN_EVENTS = 10


class AuthorshipInline(HallwayInline):
    model = Authorship
    fields = ["person", "position"]
    autocomplete_fields = ["person"]
    verbose_name = "author"
    verbose_name_plural = "authors"

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("person")


class LinkInline(HallwayInline):
    model = Link
    fields = ["kind", "url", "title", "position"]


class AwardInline(HallwayInline):
    model = Award
    fields = ["name", "level", "year", "event", "position"]
    autocomplete_fields = ["event"]
    show_change_link = True

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("event__conference", "event__day")


class PaperAdmin(SpreadsheetAdmin, HallwayAdmin):
    sheet = PaperSheet
    change_list_template = "admin/list.html"
    list_display = ["title", "authors", "topic", "is_public", "conference"]
    list_filter = ["conference", "is_public", ("topic", InUseFilter)]
    search_fields = ["title", "authorships__person__name"]
    list_select_related = ["conference", "topic"]
    ordering = ["-conference__start", "title"]
    autocomplete_fields = ["topic"]
    fields = ["conference", "title", "tldr", "abstract", "topic", "is_public"]
    inlines = [AuthorshipInline, LinkInline, AwardInline]

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        changelist = super().get_changelist_instance(request)
        authors = Prefetch("authorships", queryset=Authorship.objects.select_related("person"))
        changelist.result_list = changelist.result_list.prefetch_related(authors)
        return changelist

    @admin.display(description="authors")
    def authors(self, paper: Paper) -> str:
        names = [authorship.person.name for authorship in paper.authorships.all()]
        more = len(names) - MAX_SHOWN_AUTHORS
        return ", ".join(names[:MAX_SHOWN_AUTHORS]) + (f" and {more} more" if more > 0 else "") or "—"


class AwardAdmin(HallwayAdmin):
    list_display = ["name", "level", "year", "paper", "event", "position", "conference"]
    list_filter = ["conference", "level", "year", "name"]
    search_fields = ["name", "paper__title", "event__title"]
    list_select_related = ["conference", "paper", "event"]
    ordering = ["-conference__start", "position"]
    autocomplete_fields = ["paper", "event"]
    fields = ["conference", ("name", "level", "year"), "paper", "event", "citation", "position"]


@dataclass(frozen=True)
class LinkedRows:
    """The first rows that name a person, as labels with addresses; an address is empty where the user may not open it."""

    title: str
    rows: list[tuple[str, str]]
    more: int


class PersonAdmin(SpreadsheetAdmin, KeptFilesAdmin):
    change_form_template = "admin/person_form.html"
    formfield_overrides = {**FORMFIELD_OVERRIDES, PhotoField: {"widget": KeptFileInput}}
    sheet = PersonSheet
    change_list_template = "admin/list.html"
    list_display = ["name", "affiliation", "events_of", "papers_of", "conference"]
    list_filter = ["conference"]
    search_fields = ["name", "affiliation"]
    list_select_related = ["conference"]
    ordering = ["-conference__start", "sort_key", "pk"]
    fields = ["conference", ("name", "sort_name"), "affiliation", "bio", "url", "photo", "photo_alt"]

    def get_queryset(self, request: HttpRequest) -> Any:
        counts = {"event_count": Count("appearances", distinct=True), "paper_count": Count("authorships", distinct=True)}
        return super().get_queryset(request).annotate(**counts)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        _, *rest = super().get_deleted_objects(objs, request)
        shown = [part for person in objs for part in self._name_and_events(person, request)]
        return (shown, *rest)

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any) -> HttpResponse:
        person: Person | None = kwargs.get("obj")
        named_in = [it for it in self._named_in(person, request) if it.rows] if person else []
        return super().render_change_form(request, context | {"named_in": named_in}, *args, **kwargs)

    def _named_in(self, person: Person, request: HttpRequest) -> list[LinkedRows]:
        def event_url(event: Event) -> str:
            return event_change_url(event.pk, event.type.kind) if may_view_kind(event.type.kind, request) else ""

        events = _linked_rows("Events", _events_showing(person, request), _event_label, event_url)
        if not request.user.has_perm("events.view_paper"):
            return [events]
        papers = Paper.objects.filter(authorships__person=person)
        return [events, _linked_rows("Papers", papers, str, lambda paper: reverse("admin:events_paper_change", args=[paper.pk]))]

    def _name_and_events(self, person: Person, request: HttpRequest) -> list[Any]:
        """Its name, and below it the events that name it, for attendees too."""
        events = _events_showing(person, request)
        named = [_event_label(it) for it in events[:MAX_SHOWN_EVENTS]]
        more = events.count() - len(named) if len(named) == MAX_SHOWN_EVENTS else 0
        if not named:
            return [str(person)]
        return [f"{person} disappears from these, and attendees see it:", [*named, *([f"and {more} more"] if more > 0 else [])]]

    @admin.display(description="events", ordering="event_count")
    def events_of(self, person: Any) -> int:
        count: int = person.event_count
        return count

    @admin.display(description="papers", ordering="paper_count")
    def papers_of(self, person: Any) -> int:
        count: int = person.paper_count
        return count


def _events_showing(person: Person, request: HttpRequest) -> QuerySet[Event]:
    """Those in which the person appears, and those of the person's papers."""
    events = person.conference.events.showing(person).in_order()
    return visible_to(request, events.select_related("conference", "day", "type"))


def _event_label(event: Event) -> str:
    return f"{label_of(event)}, a draft" if event.status == Status.DRAFT else label_of(event)


def _linked_rows(title: str, rows: QuerySet[Any], label: Callable[[Any], str], url: Callable[[Any], str]) -> LinkedRows:
    shown = [(label(row), url(row)) for row in rows[:MAX_SHOWN_EVENTS]]
    return LinkedRows(title, shown, rows.count() - len(shown) if len(shown) == MAX_SHOWN_EVENTS else 0)

"""Limits forms, choices and filters to one conference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import admin
from django.contrib.admin.widgets import AutocompleteSelect, RelatedFieldWidgetWrapper
from django.core.exceptions import FieldDoesNotExist
from django.db import models
from django.http import HttpRequest, QueryDict

from events.admin.base.current import current_conference, organised_conferences
from events.admin.base.keys import is_key
from events.admin.base.times import span_text
from events.admin.base.visible import visible_to
from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.programme.models.people import Person
from events.staff.roles import confinement

CONFERENCE_FILTER_PARAM = "conference__id__exact"
FILTER_PARAMS = (CONFERENCE_FILTER_PARAM, "event__conference__id__exact")
EVERY_CONFERENCE = "all"
LISTED_PARAM = "listed_conference"
"""Sent by the form around a list: an action concerns what its page showed, whichever conference is the current one by now."""


class ScopedAutocompleteSelect(AutocompleteSelect):
    """Searches rows of one conference. ``known`` has labels by key, so that a formset needs no query per row."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.conference_id: int | None = None
        self.known: dict[str, str] = {}

    def get_url(self) -> str:
        url = super().get_url()
        return f"{url}?conference={self.conference_id}" if self.conference_id else url

    def optgroups(self, name: str, value: Any, attr: dict[str, Any] | None = None) -> Any:
        chosen = [str(v) for v in value if v not in {None, ""}]
        if not all(v in self.known for v in chosen):
            return super().optgroups(name, value, attr)
        options = [] if self.is_required else [self.create_option(name, "", "", selected=False, index=0)]
        options += [self.create_option(name, v, self.known[v], selected=True, index=1) for v in chosen]
        return [(None, options, 0)]


class ScopedRelatedWrapper(RelatedFieldWidgetWrapper):
    """The add and change buttons of a field, for rows of one conference; without a delete button."""

    conference_id: int | None = None
    extra_params: Mapping[str, str] = {}
    """What the form of the add button starts with."""

    @classmethod
    def from_wrapper(cls, stock: RelatedFieldWidgetWrapper) -> ScopedRelatedWrapper:
        add, change = stock.can_add_related, stock.can_change_related
        return cls(stock.widget, stock.rel, stock.admin_site, add, change, can_view_related=stock.can_view_related and not change)

    def get_context(self, name: str, value: Any, attrs: Any) -> Any:
        context = super().get_context(name, value, attrs)
        if self.conference_id:
            context["url_params"] += f"&{urlencode({'conference': self.conference_id, **self.extra_params})}"
        return context


def label_of(row: models.Model) -> str:
    """The row's name, with what tells it from others of the same name."""
    if isinstance(row, Event):
        when = f"{row.day}, {span_text(row.start, row.end, row.conference.zone)}" if row.day else "day to be announced"
        return f"{row.title} ({when})"
    if isinstance(row, Person) and row.affiliation:
        return f"{row.name} ({row.affiliation})"
    return str(row)


def belongs_to_conference(model: type[models.Model]) -> bool:
    try:
        return model._meta.get_field("conference").related_model is Conference
    except FieldDoesNotExist:
        return False


def find_conference(key: object, among: models.QuerySet[Conference] | None = None) -> Conference | None:
    """The conference with this primary key; None for anything that is not one."""
    if isinstance(key, Conference):
        return key
    text = str(key or "")
    if not is_key(text):
        return None
    return (Conference.objects.all() if among is None else among).filter(pk=int(text)).first()


def _organised(request: HttpRequest, key: object) -> Conference | None:
    return next((it for it in organised_conferences(request) if str(it.pk) == str(key)), None)


def requested_conference(request: HttpRequest) -> Conference | None:
    """The conference in the query string, or in the filters of the list that led here."""
    came_from = QueryDict(request.GET.get("_changelist_filters", ""))
    keys = [request.GET.get("conference"), *(args.get(name) for args in (request.GET, came_from) for name in FILTER_PARAMS)]
    return _organised(request, next(filter(None, keys), ""))


def default_conference(request: HttpRequest) -> Conference | None:
    return requested_conference(request) or current_conference(request)


def limit_to_conference(fields: Mapping[str, forms.Field], conference: Conference | None) -> None:
    conference = conference if conference and conference.pk else None
    for field in fields.values():
        if not isinstance(field, forms.ModelChoiceField) or field.queryset is None:
            continue
        rows = field.queryset
        if not belongs_to_conference(rows.model):
            continue
        if issubclass(rows.model, Event):
            rows = rows.select_related("conference", "day")
        field.queryset = rows.filter(conference=conference)
        field.error_messages["invalid_choice"] = "Choose one of this conference."
        field.label_from_instance = label_of  # type: ignore[method-assign, assignment]
        for control in (field.widget, autocomplete_widget(field)):
            if isinstance(control, (ScopedRelatedWrapper, ScopedAutocompleteSelect)):
                control.conference_id = conference.pk if conference else None


def autocomplete_widget(field: forms.Field) -> ScopedAutocompleteSelect | None:
    control: Any = getattr(field.widget, "widget", field.widget)
    return control if isinstance(control, ScopedAutocompleteSelect) else None


def filtered_conference(request: HttpRequest) -> Conference | None:
    return _organised(request, request.GET.get(CONFERENCE_FILTER_PARAM))


def show_current_conference(request: HttpRequest, path: str) -> None:
    """Filter a list whose address names no conference: by the current one, or by that of the page whose form was sent.

    ``path`` leads from a row to its conference. The filter is in all links of the list, so that they stay as they are
    when another conference becomes the current one.
    """
    is_named = any(name == path or name.startswith(f"{path}__") for name in request.GET)
    # Whoever has roles sees rows of one conference. An address that names another one, or all, leads to that one's.
    if is_named and not (request.method == "GET" and confinement(request.user)):
        return
    current = current_conference(request)
    key = request.POST.get(LISTED_PARAM, "") if request.method == "POST" else current and current.pk
    if key:
        args: Any = request.GET.copy()
        args[f"{path}__id__exact"] = str(key)
        request.GET = args


@dataclass(frozen=True)
class ListScope:
    """What a list says about the conferences it shows: ``shown``, or all of them."""

    shown: Conference | None
    current: Conference | None
    name: str
    search: str

    @property
    def key(self) -> object:
        return self.shown.pk if self.shown else EVERY_CONFERENCE

    @property
    def every_query(self) -> str:
        return self._query(EVERY_CONFERENCE)

    @property
    def current_query(self) -> str:
        return self._query(self.current.pk if self.current else "")

    def _query(self, key: object) -> str:
        return urlencode({self.name: key} | ({"q": self.search} if self.search else {}))


def list_scope(request: HttpRequest, path: str) -> ListScope | None:
    """None where there is nothing to choose, and where the list is filtered in another way."""
    conferences, name = organised_conferences(request), f"{path}__id__exact"
    key = request.GET.get(name, "")
    shown = _organised(request, key)
    if len(conferences) < 2 or not (shown or key == EVERY_CONFERENCE):
        return None
    return ListScope(shown, current_conference(request), name, request.GET.get("q", ""))


class VisibleFilter(admin.RelatedFieldListFilter):
    """Offers only related rows that the user may see."""

    def field_choices(self, field: Any, request: HttpRequest, model_admin: admin.ModelAdmin) -> Any:
        shown = models.Q(pk__in=visible_to(request, field.remote_field.model._default_manager.order_by()))
        ordering = self.field_admin_ordering(field, request, model_admin)
        return field.get_choices(include_blank=False, ordering=ordering, limit_choices_to=shown)


class ConferenceFilter(admin.RelatedFieldListFilter):
    """Offers the conferences that the user organises, and all of them, which is a value: without one it is the current one."""

    def field_choices(self, field: Any, request: HttpRequest, model_admin: admin.ModelAdmin) -> Any:
        return [(it.pk, str(it)) for it in organised_conferences(request)]

    @property
    def shows_every(self) -> bool:
        return EVERY_CONFERENCE in (self.lookup_val or ())

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        return queryset if self.shows_every else super().queryset(request, queryset)

    def choices(self, changelist: Any) -> Iterator[Any]:
        _, *each = super().choices(changelist)
        query = changelist.get_query_string({self.lookup_kwarg: EVERY_CONFERENCE}, [self.lookup_kwarg_isnull])
        yield {"selected": self.shows_every, "query_string": query, "display": "All conferences"}
        yield from each


class InUseFilter(admin.RelatedFieldListFilter):
    """Offers only related rows that are in use, of the filtered conference."""

    def field_choices(self, field: Any, request: HttpRequest, model_admin: admin.ModelAdmin) -> Any:
        rows = visible_to(request, model_admin.model._default_manager.all())
        chosen = filtered_conference(request)
        if chosen and belongs_to_conference(model_admin.model):
            rows = rows.filter(conference=chosen)
        used = models.Q(pk__in=rows.order_by().values(field.name))
        ordering = self.field_admin_ordering(field, request, model_admin)
        return field.get_choices(include_blank=False, ordering=ordering, limit_choices_to=used)

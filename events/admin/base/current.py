"""The conference that an organiser works on: the chosen one, else the one that is on, else the next to start."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Exists, Model, OuterRef
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone

from events.admin.base.keys import is_key
from events.admin.base.visible import path_to_conference, visible_to
from events.programme.models.conference import HIDDEN_SOURCE, Conference
from events.staff.models import CurrentConference
from events.staff.roles import confinement, forget_confinement, running_or_next
from events.web.request import next_url

READ_ONCE = "hallway_organised_conferences"


def organised_conferences(request: HttpRequest) -> list[Any]:
    """Those that the user sees, with ``is_chosen``, the latest first. They are read once in a request.

    Whoever has roles sees one at a time, so that what they may do in one of them never counts in another.
    """
    if not hasattr(request, READ_ONCE):
        setattr(request, READ_ONCE, _read_conferences(request))
    return list(getattr(request, READ_ONCE))


def _read_conferences(request: HttpRequest) -> list[Any]:
    rows = visible_to(request, Conference.objects.exclude(source=HIDDEN_SOURCE))
    if not request.user.has_perm("events.view_conference"):
        # Moderators see nothing of drafts.
        rows = rows.published()
    chosen = CurrentConference.objects.filter(user=request.user.pk, conference=OuterRef("pk"))
    return list(rows.annotate(is_chosen=Exists(chosen)).defer("imported", "about"))


def choosable_conferences(request: HttpRequest) -> list[Any]:
    """Those that the user may work on: also the others in which they have a role."""
    confined = confinement(request.user)
    return list(confined.conferences) if confined else organised_conferences(request)


def current_conference(request: HttpRequest) -> Conference | None:
    conferences = organised_conferences(request)
    chosen = next((it for it in conferences if it.is_chosen), None)
    return chosen or running_or_next(conferences, timezone.now())


def choose_conference(request: HttpRequest, conference: Conference) -> None:
    CurrentConference.choose(request.user, conference)
    forget_confinement(request.user)
    if hasattr(request, READ_ONCE):
        delattr(request, READ_ONCE)


def conference_elsewhere(request: HttpRequest, model: type[Model], key: str) -> Conference | None:
    """Of a row that is not found: another conference of the user's roles, in which they see it."""
    confined, path = confinement(request.user), path_to_conference(model)
    if not (confined and path and is_key(key)):
        return None
    found = model._default_manager.filter(pk=int(key)).values_list(path, flat=True).first()
    conference = next((it for it in confined.conferences if it.pk == found), None)
    needed = f"{model._meta.app_label}.view_{model._meta.model_name}"
    return conference if conference and request.user.has_perm(needed, conference) else None


class CurrentConferenceForm(forms.Form):
    conference = forms.TypedChoiceField(coerce=int)

    def __init__(self, *args: Any, conferences: Sequence[Conference], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.by_key = {it.pk: it for it in conferences}
        self.fields["conference"].choices = [(key, str(it)) for key, it in self.by_key.items()]  # type: ignore[attr-defined]


def current_conference_view(request: HttpRequest) -> HttpResponse:
    """Set the conference, and return to ``next``, a page of the admin."""
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    form = CurrentConferenceForm(request.POST, conferences=choosable_conferences(request))
    if form.is_valid():
        conference = form.by_key[form.cleaned_data["conference"]]
        choose_conference(request, conference)
        messages.success(request, f"You organise {conference} now.")
    else:
        messages.error(request, "Nothing was changed: choose a conference of the list at the top. Somebody may have deleted it.")
    return redirect(_way_back(request))


def _way_back(request: HttpRequest) -> str:
    first_page = reverse("admin:index")
    address = next_url(request, first_page)
    return address if address.startswith(first_page) else first_page

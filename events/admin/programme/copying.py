"""The page “Copy from an earlier edition” of a conference."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path

from events.admin.base.visible import visible_to
from events.admin.programme.steps import ConferenceStepsAdmin
from events.programme.models.conference import Conference
from events.venue.copying import copy_edition, missing_parts


class EditionForm(forms.Form):
    source = forms.ModelChoiceField(Conference.objects.none(), label="Copy from", empty_label="Choose an edition")

    def __init__(self, *args: Any, editions: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field: Any = self.fields["source"]
        field.queryset = editions


class CopyEditionAdmin(ConferenceStepsAdmin):
    def get_urls(self) -> list[URLPattern]:
        return [path("<int:pk>/copy/", self._step(self.copy_view), name="events_conference_copy"), *super().get_urls()]

    def copy_view(self, request: HttpRequest, conference: Conference) -> HttpResponse:
        editions = visible_to(request, Conference.objects.exclude(pk=conference.pk))
        form = EditionForm(self._answers(request, editions), editions=editions)
        source: Conference | None = form.cleaned_data["source"] if form.is_bound and form.is_valid() else None
        if source is not None and request.method == "POST":
            copied = copy_edition(source, conference)
            self.log_change(request, conference, f"Copied from {source}")
            what = ", ".join(map(str, copied)) or f"nothing: {conference} has all of it already"
            return self._done(request, conference, f"Copied from {source}: {what}.")
        return self._page(
            *(request, conference, "admin/conference_copy.html", f"Copy into {conference}"),
            form=form,
            source=source,
            parts=missing_parts(source, conference) if source else [],
            is_alone=not editions.exists(),
        )

    def _answers(self, request: HttpRequest, editions: Any) -> Any:
        """What was chosen; the only other edition needs no choice."""
        if request.method == "POST" or "source" in request.GET:
            return request.POST if request.method == "POST" else request.GET
        only = list(editions.values_list("pk", flat=True)[:2])
        return {"source": only[0]} if len(only) == 1 else None

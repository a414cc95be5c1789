"""A message to everybody who has an event in their agenda."""

from __future__ import annotations

from typing import cast

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path

from events.admin.base.model_admin import HallwayAdmin
from events.agenda.models.bookmarks import Bookmark
from events.agenda.rules.impact import Impact
from events.core.limits import EVENT_MESSAGES
from events.programme.models.event import Event
from events.programme.models.messages import send_message
from events.programme.rules.changes import MESSAGE_FIELD

MAX_MESSAGE_CHARS = 500
TOO_MANY_MESSAGES_TEXT = (
    f"This event had {EVENT_MESSAGES.in_all} messages within a day. Wait until tomorrow, or write an announcement."
)


class MessageForm(forms.Form):
    text = forms.CharField(
        label="Message",
        max_length=MAX_MESSAGE_CHARS,
        widget=forms.Textarea(attrs={"rows": 4, "autofocus": True}),
        help_text=f"At most {MAX_MESSAGE_CHARS} characters. It cannot be taken back.",
    )

    def clean_text(self) -> str:
        """One paragraph, as changes are."""
        return " ".join(self.cleaned_data["text"].split())


class MessageAdmin(HallwayAdmin):
    """Adds the page to the admin of events."""

    def get_urls(self) -> list[URLPattern]:
        name = f"events_{self.model._meta.model_name}_message"
        page = path("<int:pk>/message/", self.admin_site.admin_view(self.message_view), name=name)
        return [page, *super().get_urls()]

    def message_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        event = self.get_object(request, str(pk))
        if event is None:
            raise Http404
        if not self.has_change_permission(request, event):
            raise PermissionDenied
        if not Event.objects.public().filter(pk=event.pk).exists():
            return self._done(request, event, "Nobody has it in their agenda: attendees do not see it.", messages.WARNING)
        form = MessageForm(request.POST if request.method == "POST" else None)
        if form.is_valid() and not EVENT_MESSAGES.allows(in_all=str(event.pk)):
            form.add_error(None, TOO_MANY_MESSAGES_TEXT)
        if form.is_valid():
            send_message(event, form.cleaned_data["text"])
            self.log_change(request, event, f"Message to those who have it: {form.cleaned_data['text']}")
            return self._done(request, event, "Sent. They read it on their agenda and on the page of the event.")
        return self._page(request, event, form)

    def _page(self, request: HttpRequest, event: Event, form: MessageForm) -> HttpResponse:
        title = f"Tell all who have “{event.title}”"
        context = {
            **self.admin_site.each_context(request),
            "opts": self.model._meta,
            "original": event,
            "shown_conference": event.conference,
            "title": title,
            "form": form,
            "count": Impact(have=Bookmark.objects.filter(event=event, removed_at=None).count()).shown_total,
            "earlier": event.changes.filter(field=MESSAGE_FIELD),
        }
        status = 422 if form.errors else 200
        page = TemplateResponse(request, "admin/event_message.html", context, status=status)
        return cast(HttpResponse, self._render_in_venue_time(event.conference, lambda: page))

    def _done(self, request: HttpRequest, event: Event, sentence: str, level: int = messages.SUCCESS) -> HttpResponse:
        messages.add_message(request, level, sentence)
        return redirect(f"admin:events_{self.model._meta.model_name}_change", event.pk)

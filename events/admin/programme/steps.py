"""Pages for the steps of a whole conference: publish, back to draft, another address, preview links, delete."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from functools import wraps
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse

from events.admin.base.model_admin import HallwayAdmin
from events.admin.programme.conference_forms import ADDRESS_ERRORS, refuse_taken_address
from events.agenda.queries.reach import agendas_in_use, reach_of
from events.core.db.fields import plain_text
from events.programme.models.conference import Conference, FormerSlug
from events.programme.models.publication import change_slug, delete_conference, publish_conference, withdraw_conference
from events.programme.queries.publication import publication_review
from events.staff.models import MAX_PREVIEW_LINKS, PreviewLink

StepView = Callable[[HttpRequest, Conference], HttpResponse]


class ReleaseNoteForm(forms.Form):
    note = forms.CharField(
        label="Release note",
        max_length=2_000,
        required=False,
        validators=[plain_text],
        widget=forms.Textarea(attrs={"rows": 4, "class": "vLargeTextField"}),
        help_text="Optional. Attendees read it on the page of changes, as the text of this entry.",
    )


class AddressForm(forms.ModelForm):
    class Meta:
        model = Conference
        fields = ["slug"]
        labels = {"slug": "New address"}
        error_messages = ADDRESS_ERRORS

    def __init__(self, *args: Any, seen: QuerySet[Conference], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.seen = seen

    def clean_slug(self) -> str:
        slug: str = self.cleaned_data["slug"]
        refuse_taken_address(slug, self.instance, self.seen, self.instance.start.year)
        return slug


class PreviewLinkForm(forms.ModelForm):
    class Meta:
        model = PreviewLink
        fields = ["label"]


class NameForm(forms.Form):
    name = forms.CharField(label="Its name", max_length=100, help_text="As it stands above, to be sure that it is this one.")

    def __init__(self, *args: Any, conference: Conference, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.conference = conference

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name != self.conference.name:
            raise ValidationError(f"Write “{self.conference.name}”.")
        return name


class ConferenceStepsAdmin(HallwayAdmin):
    def get_urls(self) -> list[URLPattern]:
        pages: dict[str, StepView] = {
            "publish": self.publish_view,
            "withdraw": self.withdraw_view,
            "address": self.address_view,
            "previews": self.previews_view,
            "remove": self.remove_view,
        }
        steps = [path(f"<int:pk>/{name}/", self._step(view), name=f"events_conference_{name}") for name, view in pages.items()]
        withdraw = self.admin_site.admin_view(self.preview_withdraw_view)
        give_up = self.admin_site.admin_view(self.former_slug_give_up_view)
        return [
            *steps,
            path("<int:pk>/previews/<int:link>/", withdraw, name="events_conference_preview_withdraw"),
            path("<int:pk>/address/<slug:slug>/", give_up, name="events_conference_slug_give_up"),
            *super().get_urls(),
        ]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> Any:
        context = {"may_remove": super().has_delete_permission(request), **(extra_context or {})}
        return super().change_view(request, object_id, form_url, context)

    def _step(self, view: StepView) -> Callable[..., HttpResponse]:
        @wraps(view)
        def step_view(request: HttpRequest, pk: int) -> HttpResponse:
            if request.method not in {"GET", "HEAD", "POST"}:
                return HttpResponseNotAllowed(["GET", "POST"])
            return view(request, self._conference_or_404(request, pk))

        return self.admin_site.admin_view(step_view)

    def _conference_or_404(self, request: HttpRequest, pk: int) -> Conference:
        if not self.has_change_permission(request):
            raise PermissionDenied
        conference: Conference | None = self.get_queryset(request).filter(pk=pk).first()
        if conference is None:
            raise Http404
        return conference

    def _page(self, request: HttpRequest, conference: Conference, template: str, title: str, **context: Any) -> HttpResponse:
        request.current_app = self.admin_site.name
        values = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "media": self.media,
            "original": conference,
            "title": title,
            **context,
        }
        form = context.get("form")
        return TemplateResponse(request, template, values, status=422 if form is not None and form.errors else 200)

    def _done(self, request: HttpRequest, conference: Conference, sentence: str, level: int = messages.SUCCESS) -> HttpResponse:
        self.message_user(request, sentence, level)
        return redirect("admin:events_conference_change", conference.pk)

    def publish_view(self, request: HttpRequest, conference: Conference) -> HttpResponse:
        if not conference.is_draft:
            return self._done(request, conference, f"{conference} is published already.", messages.WARNING)
        form = ReleaseNoteForm(request.POST if request.method == "POST" else None)
        if form.is_valid():
            group = publish_conference(conference, note=form.cleaned_data["note"], by=request.user.get_username())
            if group is None:
                return self._done(
                    request, conference, f"{conference} was published meanwhile, by somebody else.", messages.WARNING
                )
            self.log_change(request, conference, "Published")
            return self._done(request, conference, f"{conference} is published.")
        review = publication_review(conference)
        return self._page(request, conference, "admin/conference_publish.html", f"Publish {conference}", review=review, form=form)

    def withdraw_view(self, request: HttpRequest, conference: Conference) -> HttpResponse:
        if conference.is_draft:
            return self._done(request, conference, f"{conference} is a draft already.", messages.WARNING)
        if request.method == "POST":
            if not withdraw_conference(conference):
                return self._done(
                    request, conference, f"{conference} was taken back meanwhile, by somebody else.", messages.WARNING
                )
            self.log_change(request, conference, "Taken back to draft")
            return self._done(request, conference, f"{conference} is a draft: only organisers see it.")
        return self._page(
            *(request, conference, "admin/conference_withdraw.html", f"Take {conference} back to draft"),
            reach=reach_of(conference),
        )

    def address_view(self, request: HttpRequest, conference: Conference) -> HttpResponse:
        # A copy: the form writes into its row what was typed, also if it is refused.
        typed = request.POST if request.method == "POST" else None
        form = AddressForm(typed, instance=copy(conference), seen=self.get_queryset(request))
        if form.is_valid() and form.cleaned_data["slug"] != conference.slug:
            former = conference.slug
            try:
                change_slug(conference, form.cleaned_data["slug"])
            except ValidationError as error:
                form.add_error("slug", ValidationError(error.messages))
            else:
                self.log_change(request, conference, f"Address changed from {former}")
                return self._done(request, conference, f"/{form.cleaned_data['slug']}/ is its address; /{former}/ leads there.")
        return self._page(
            *(request, conference, "admin/conference_address.html", f"Address of {conference}"),
            form=form,
            reach=reach_of(conference),
            former_slugs=conference.former_slugs.all(),
            site=settings.SITE_URL,
        )

    def former_slug_give_up_view(self, request: HttpRequest, pk: int, slug: str) -> HttpResponse:
        conference = self._conference_or_404(request, pk)
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        if FormerSlug.objects.filter(conference=conference, slug=slug).delete()[0]:
            self.log_change(request, conference, f"Former address {slug} given up")
            self.message_user(request, f"/{slug}/ leads nowhere now: another conference can take it.", messages.SUCCESS)
        return redirect("admin:events_conference_address", conference.pk)

    def previews_view(self, request: HttpRequest, conference: Conference) -> HttpResponse:
        form = PreviewLinkForm(request.POST if request.method == "POST" else None)
        if form.is_valid():
            link = PreviewLink.begin(conference, form.cleaned_data["label"], request.user.get_username())
            if link is None:
                form.add_error(None, f"{MAX_PREVIEW_LINKS} links are the most: withdraw one first.")
            else:
                self.log_change(request, conference, f"Preview link made: {link}")
                return redirect("admin:events_conference_previews", conference.pk)
        links = [
            (link, settings.SITE_URL + reverse("events:preview-open", args=[conference.slug, link.token]) if link.token else "")
            for link in conference.preview_links.active()
        ]
        return self._page(
            request, conference, "admin/conference_previews.html", f"Preview links of {conference}", form=form, links=links
        )

    def preview_withdraw_view(self, request: HttpRequest, pk: int, link: int) -> HttpResponse:
        conference = self._conference_or_404(request, pk)
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        for row in conference.preview_links.active().filter(pk=link):
            row.revoke()
            self.log_change(request, conference, f"Preview link withdrawn: {row}")
            self.message_user(request, f"Withdrawn: {row}. Whoever has it sees no drafts any more.", messages.SUCCESS)
        return redirect("admin:events_conference_previews", conference.pk)

    def remove_view(self, request: HttpRequest, conference: Conference) -> HttpResponse:
        """Delete a conference in which nobody has anything, once its name is typed."""
        if not super().has_delete_permission(request):
            raise PermissionDenied
        name, form = conference.name, NameForm(request.POST if request.method == "POST" else None, conference=conference)
        is_used = agendas_in_use(conference).exists()
        if form.is_valid() and not is_used:
            with transaction.atomic():
                conference.lock()
                # Somebody may have bookmarked something while the name was typed.
                is_used = agendas_in_use(conference).exists()
                if not is_used:
                    self.log_deletions(request, Conference.objects.filter(pk=conference.pk))
                    delete_conference(conference)
            if not is_used:
                self.message_user(request, f"Deleted: {name}.", messages.SUCCESS)
                return redirect("admin:events_conference_changelist")
        return self._page(
            *(request, conference, "admin/conference_remove.html", f"Delete {conference}"),
            form=form,
            is_used=is_used,
            event_count=conference.events.count(),
        )

"""A whole programme from one file: handed in, looked at, and taken in as it was looked at."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path

from events.admin import kept as uploads
from events.admin.kept import KeptFile
from events.admin.previews import context_of, preview_of, run_digest
from events.admin.scope import asked_for
from events.admin.upload_forms import ProgrammeForm
from events.importers.document import Document
from events.importers.errors import ScheduleParseError
from events.importers.formats import FORMATS
from events.models import Conference, ImportRun
from events.sync import SyncError, keep_unopened, run_import

PURPOSE = "programme"
GONE = "That file is not waiting any more: it was taken in or put aside, or an hour has passed. Send it again."
MOVED = "The programme has changed since you looked. Nothing is written yet: this is what the file would do now."


class Moved(Exception):  # noqa: N818 - not a mistake, but news
    """What would happen is no longer what was looked at."""


class ProgrammeUpload(admin.ModelAdmin):
    """The pages behind “Import a programme”."""

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        return [
            path("programme/", wrap(self.programme_view), name="events_conference_programme"),
            path("programme/<slug:token>/", wrap(self.programme_preview_view), name="events_conference_programme_preview"),
            *super().get_urls(),
        ]

    def may_import(self, request: HttpRequest) -> bool:
        user: Any = request.user
        allowed: bool = user.has_perms(
            ["events.change_conference", "events.add_conference", "events.change_event", "events.add_event"]
        )
        return allowed

    def _admit(self, request: HttpRequest) -> None:
        if not self.may_import(request):
            raise PermissionDenied

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        return super().changelist_view(request, {"may_import": self.may_import(request), **(extra_context or {})})

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> Any:
        context = {"may_import": self.may_import(request), **(extra_context or {})}
        return super().change_view(request, object_id, form_url, context)

    def programme_view(self, request: HttpRequest) -> HttpResponse:
        self._admit(request)
        sent = request.method == "POST"
        form = ProgrammeForm(request.POST, request.FILES) if sent else ProgrammeForm(initial={"conference": asked_for(request)})
        if form.is_valid():
            given = form.cleaned_data
            conference: Conference | None = given["conference"]
            options = {
                "slug": conference.slug if conference else given["slug"],
                "create": conference is None,
                "format": given["format"],
                "timezone": given["timezone"],
                "allow_cancel": given["allow_cancel"],
            }
            try:
                waiting = self._look(request, given["file"].name, given["file"].read(), options)
                return redirect("admin:events_conference_programme_preview", waiting.token)
            except (ScheduleParseError, SyncError) as error:
                form.add_error("file", _in_words(error))
        context = {"title": "Import a programme", "form": form, "formats": FORMATS}
        return self._page(request, "admin/programme_import.html", context, 422 if form.errors else 200)

    def _look(self, request: HttpRequest, name: str, content: bytes, options: dict[str, Any]) -> KeptFile:
        """Keep the file with what it would do; raises what ``run_import`` raises, with nothing kept but the record of it."""
        revision = _revision(options["slug"])
        try:
            document = Document.of(name, content)
        except ScheduleParseError as error:
            keep_unopened(name, content, error, slug=options["slug"], user=request.user)
            raise
        run = run_import(document, user=request.user, dry_run=True, keep_refused=True, **options)
        return uploads.keep(request.user, PURPOSE, name, content, {**preview_of(run), "revision": revision}, **options)

    def programme_preview_view(self, request: HttpRequest, token: str) -> HttpResponse:
        self._admit(request)
        waiting = uploads.find(request.user, PURPOSE, token)
        if waiting is None:
            self.message_user(request, GONE, messages.WARNING)
            return redirect("admin:events_conference_programme")
        if request.method == "POST":
            return self._decide(request, waiting)
        preview, slug = waiting.preview, waiting.options["slug"]
        label = next((it.label for it in FORMATS if it.name == preview["format"]), preview["format"])
        context = {
            **context_of(request, preview["counts"], preview["report"]),
            "title": f"What {waiting.name} would change",
            "kept": waiting,
            "empty": preview["empty"],
            "about": f"{'The new conference' if waiting.options['create'] else 'Programme of'} {slug}, read as {label}",
        }
        return self._page(request, "admin/import_preview.html", context)

    def _decide(self, request: HttpRequest, waiting: KeptFile) -> HttpResponse:
        """The file is taken away first: of two who press the button at once, one finds nothing to do."""
        content = waiting.take()
        if content is None:
            self.message_user(request, GONE, messages.WARNING)
            return redirect("admin:events_conference_programme")
        if "confirm" not in request.POST:
            self.message_user(request, f"Put aside: {waiting.name}. Nothing was changed.")
            return redirect("admin:events_conference_changelist")
        try:
            run = self._take_in(request, waiting, content)
        except Moved:
            return self._look_again(request, waiting, content)
        except (ScheduleParseError, SyncError) as error:
            self.message_user(request, f"Nothing was changed. {_in_words(error)}", messages.ERROR)
            return redirect("admin:events_conference_programme")
        self.message_user(request, f"Taken in from {run.file_name}: {run.summary}.", messages.SUCCESS)
        return redirect("admin:events_importrun_change", run.pk)

    def _take_in(self, request: HttpRequest, waiting: KeptFile, content: bytes) -> ImportRun:
        """Read and compare again, and write if that says what was looked at; raises Moved and what ``run_import`` raises."""

        def accept(run: ImportRun) -> None:
            if run_digest(run) != waiting.preview["digest"]:
                raise Moved

        if _revision(waiting.options["slug"]) != waiting.preview["revision"]:
            raise Moved
        return run_import(Document.of(waiting.name, content), user=request.user, accept=accept, **waiting.options)

    def _look_again(self, request: HttpRequest, waiting: KeptFile, content: bytes) -> HttpResponse:
        try:
            again = self._look(request, waiting.name, content, waiting.options)
        except (ScheduleParseError, SyncError) as error:
            self.message_user(request, f"Nothing was changed. {_in_words(error)}", messages.ERROR)
            return redirect("admin:events_conference_programme")
        self.message_user(request, MOVED, messages.WARNING)
        return redirect("admin:events_conference_programme_preview", again.token)

    def _page(self, request: HttpRequest, template: str, context: dict[str, Any], status: int = 200) -> HttpResponse:
        request.current_app = self.admin_site.name
        common = {"opts": self.opts, "media": self.media, "is_nav_sidebar_enabled": False}
        values = {**self.admin_site.each_context(request), **common, **context}
        return TemplateResponse(request, template, values, status=status)


def _revision(slug: str) -> int | None:
    return Conference.objects.filter(slug=slug).values_list("revision", flat=True).first()


def _in_words(error: Exception) -> str:
    return str(error).replace("needs --allow-cancel", "needs a tick at the bottom of this form")

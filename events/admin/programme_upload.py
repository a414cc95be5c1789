"""A whole programme from one file: handed in, looked at, and taken in as it was looked at."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from events.admin import kept as uploads
from events.admin.kept import KeptFile
from events.admin.previewed_upload import MovedError, PreviewedUpload
from events.admin.previews import preview_of, run_digest
from events.admin.scope import asked_for
from events.admin.upload_forms import ProgrammeForm
from events.importers.document import Document
from events.importers.errors import ScheduleParseError
from events.importers.formats import FORMATS
from events.models import Conference, ImportRun
from events.sync import SyncError, keep_unopened, run_import


class ProgrammeUpload(PreviewedUpload):
    """The pages behind “Import a programme”."""

    upload_path = "programme"
    upload_errors = (ScheduleParseError, SyncError)

    def may_upload(self, request: HttpRequest) -> bool:
        user: Any = request.user
        allowed: bool = user.has_perms(
            ["events.change_conference", "events.add_conference", "events.change_event", "events.add_event"]
        )
        return allowed

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        return super().changelist_view(request, {"may_import": self.may_upload(request), **(extra_context or {})})

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> Any:
        context = {"may_import": self.may_upload(request), **(extra_context or {})}
        return super().change_view(request, object_id, form_url, context)

    def upload_view(self, request: HttpRequest) -> HttpResponse:
        self.admit(request)
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
                return self.to_preview(self.look(request, given["file"].name, given["file"].read(), options))
            except (ScheduleParseError, SyncError) as error:
                form.add_error("file", self.words(error))
        context = {"title": "Import a programme", "form": form, "formats": FORMATS}
        return self.page(request, "admin/programme_import.html", context, 422 if form.errors else 200)

    def look(self, request: HttpRequest, name: str, content: bytes, options: dict[str, Any]) -> KeptFile:
        revision = _revision(options["slug"])
        try:
            document = Document.of(name, content)
        except ScheduleParseError as error:
            keep_unopened(name, content, error, slug=options["slug"], user=request.user)
            raise
        run = run_import(document, user=request.user, dry_run=True, keep_refused=True, **options)
        label = next((it.label for it in FORMATS if it.name == run.format), run.format)
        about = f"{'The new conference' if options['create'] else 'Programme of'} {options['slug']}, read as {label}"
        preview = {**preview_of(run), "about": about, "revision": revision}
        return uploads.keep(request.user, self.upload_name, name, content, preview, **options)

    def write(self, request: HttpRequest, waiting: KeptFile, content: bytes) -> HttpResponse:
        def accept(run: ImportRun) -> None:
            if run_digest(run) != waiting.preview["digest"]:
                raise MovedError

        if _revision(waiting.options["slug"]) != waiting.preview["revision"]:
            raise MovedError
        run = run_import(Document.of(waiting.name, content), user=request.user, accept=accept, **waiting.options)
        self.message_user(request, f"Taken in from {run.file_name}: {run.summary}.", messages.SUCCESS)
        return redirect("admin:events_importrun_change", run.pk)

    def words(self, error: Exception) -> str:
        return str(error).replace("needs --allow-cancel", "needs a tick at the bottom of this form")


def _revision(slug: str) -> int | None:
    return Conference.objects.filter(slug=slug).values_list("revision", flat=True).first()

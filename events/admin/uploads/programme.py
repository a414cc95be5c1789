"""Import of a whole programme from one file, and the list of import runs."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.validators import validate_slug
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from events.admin.base.current import choose_conference
from events.admin.base.fields import ReasonField, ZoneField
from events.admin.base.model_admin import HallwayAdmin
from events.admin.base.scope import requested_conference
from events.admin.base.visible import visible_to
from events.admin.uploads.columns import ColumnsPage
from events.admin.uploads.preview import (
    PreviewedUploadAdmin,
    PreviewOutdatedError,
    UploadField,
    UploadForm,
    import_report_context,
)
from events.core.db.fields import free_slug
from events.core.parsing.errors import (
    MAX_IMPORT_EVENTS,
    MAX_TEXT_BYTES,
    MAX_UPLOAD_BYTES,
    ScheduleParseError,
    TimeZoneNeededError,
)
from events.imports.formats import registry
from events.imports.formats.document import Document
from events.imports.formats.registry import IMPORT_FORMATS
from events.imports.models import MAX_SOURCE_NAME_CHARS, ImportRun
from events.imports.pending import PendingUpload
from events.imports.previews import IMPORT_COUNT_FIELDS, conference_revision, preview_programme, run_digest
from events.imports.runs import record_unopened_file, run_import
from events.imports.sync.report import SyncError, TooManyCancelledError
from events.imports.type_choices import KIND_CHOICE, TYPE_CHOICE, TheirType
from events.programme.models.conference import HIDDEN_SOURCE, Conference
from events.programme.models.labels import EventType, Kind

OTHER_PART_REMEDY = "If it is another part of the programme, give it a source of its own."
NEW_CONFERENCE_LABEL = "A new one, named below"


class ProgrammeForm(UploadForm):
    conference = forms.ModelChoiceField(
        Conference.objects.exclude(source=HIDDEN_SOURCE), required=False, empty_label=NEW_CONFERENCE_LABEL
    )
    slug = forms.CharField(
        label="Address of a new conference",
        max_length=60,
        required=False,
        help_text="Only for a new one. The first part of every address, in lower case: iclr-2026.",
        validators=[validate_slug, free_slug],
    )
    file = UploadField(
        max_bytes=MAX_UPLOAD_BYTES,
        help_text=f"At most {MAX_TEXT_BYTES // 2**20} MB of XML or calendar and {MAX_IMPORT_EVENTS:,} events. "
        "A larger file is imported on the server, with the command import_schedule.",
    )
    format = forms.ChoiceField(required=False, help_text="Detected from the content; choose one only if that fails.")
    timezone = ZoneField(
        label="Time zone",
        max_length=60,
        required=False,
        help_text="Only for a file that names none: that of the venue. Write a city, such as Oslo. "
        "Leave empty for that of the conference.",
    )
    source = forms.CharField(
        max_length=MAX_SOURCE_NAME_CHARS,
        required=False,
        help_text="Only if several files feed one conference: a name for what this one is, such as Socials, the same each time. "
        "Each source cancels only what it brought. Empty: the name of the format.",
    )
    allow_cancel = forms.BooleanField(
        label="Cancel more than a fifth of the events if the file no longer has them",
        required=False,
        help_text="Otherwise such a file is refused, because it is probably incomplete.",
    )
    reason = ReasonField(
        help_text="Shown with each change that attendees see: “The hall is being repaired.” You can also write it on the preview."
    )

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        chosen: Any = self.fields["conference"]
        chosen.queryset = visible_to(request, chosen.queryset)
        if not request.user.has_perm(ADD_PERMISSION):
            del self.fields["slug"]
            chosen.required, chosen.empty_label = True, None
        choice: Any = self.fields["format"]
        choice.choices = [("", "By its content"), *((it.name, it.label) for it in registry.IMPORT_FORMATS)]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        conference, slug = cleaned.get("conference"), cleaned.get("slug", "").strip().lower()
        if conference and slug:
            self.add_error("slug", "Choose a conference or name a new one, not both.")
        elif not conference and not slug and not {"conference", "slug"} & self.errors.keys():
            self.add_error("conference", "Choose the conference, or name a new one below.")
        elif slug and Conference.objects.filter(slug=slug).exists():
            self.add_error("slug", f"There is a conference “{slug}”: choose it above.")
        cleaned["slug"] = slug
        return cleaned


IMPORT_PERMISSIONS = ("events.change_conference", "events.change_event", "events.add_event")
ADD_PERMISSION = "events.add_conference"


def may_import_into(request: HttpRequest, options: Mapping[str, Any]) -> bool:
    """``options`` of a file that waits; those of one whose form has mistakes name no conference yet."""
    if options.get("create"):
        return request.user.has_perm(ADD_PERMISSION)
    slug = options.get("slug")
    return slug is None or visible_to(request, Conference.objects.filter(slug=slug)).exists()


class TypeRow(TheirType):
    """A type of the file, as a row of the preview's form."""

    @property
    def field(self) -> str:
        return f"type-{self.key}"


class ProgrammePreviewAdmin(ColumnsPage):
    """The pages that show what the file of a programme would change, and import it."""

    upload_errors = (ScheduleParseError, SyncError)

    def can_upload(self, request: HttpRequest) -> bool:
        user: Any = request.user
        allowed: bool = user.has_perms(IMPORT_PERMISSIONS)
        return allowed

    def find_waiting(self, request: HttpRequest, purpose: str, token: str) -> PendingUpload | None:
        """None too for one that would change a conference that the user does not see, or no longer."""
        waiting = super().find_waiting(request, purpose, token)
        return waiting if waiting and may_import_into(request, waiting.options) else None

    def preview_view(self, request: HttpRequest, token: str) -> HttpResponse:
        waiting = self.find_waiting(request, self.upload_name, token) if "columns" in request.POST else None
        if waiting and "columns" in waiting.options:
            self.check_upload_permission(request)
            return self.change_columns(request, waiting)
        return super().preview_view(request, token)

    def preview_file(self, request: HttpRequest, name: str, content: bytes, options: dict[str, Any]) -> PendingUpload:
        try:
            document = Document.from_upload(name, content)
        except ScheduleParseError as error:
            record_unopened_file(name, content, error, slug=options["slug"], user=request.user)
            raise
        _, preview = preview_programme(document, user=request.user, impact_of=self.impact_of_import, keep_refused=True, **options)
        return self.store_waiting(request, self.upload_name, name, content, preview, options)

    @abstractmethod
    def impact_of_import(self, slot_changes: Mapping[int, Mapping[str, Any]]) -> dict[str, Any] | None:
        """What the changed days, hours, rooms, places and statuses do to agendas, for ``admin/_impact.html``."""

    def preview_context(self, waiting: PendingUpload) -> dict[str, Any]:
        types = [TypeRow(*row) for row in waiting.preview["types"]]
        ours = EventType.objects.filter(conference__slug=waiting.options["slug"]).order_by("position", "name")
        return {
            "is_draft": waiting.preview["is_draft"],
            "types": types,
            "has_columns": "columns" in waiting.options,
            "kinds": [(f"{KIND_CHOICE}{kind.value}", kind.label.partition(":")[0]) for kind in Kind],
            "our_types": [(f"{TYPE_CHOICE}{row.slug}", row.name, row.slug) for row in ours],
        }

    def answers(self, request: HttpRequest, waiting: PendingUpload) -> dict[str, Any]:
        """Only the choices that differ from what the preview showed are stored, so that a better guess counts later."""
        chosen = dict(waiting.options.get("types", {}))
        for row in (TypeRow(*row) for row in waiting.preview["types"]):
            sent = request.POST.get(row.field, row.choice)
            if sent != row.choice:
                chosen[row.key] = sent[:80]
        return {"types": chosen} if chosen or "types" in waiting.options else {}

    def import_file(self, request: HttpRequest, waiting: PendingUpload, content: bytes) -> HttpResponse:
        def accept(run: ImportRun) -> None:
            if run_digest(run) != waiting.preview["digest"]:
                raise PreviewOutdatedError

        if conference_revision(waiting.options["slug"]) != waiting.preview["revision"]:
            raise PreviewOutdatedError
        run = run_import(Document.from_upload(waiting.name, content), user=request.user, accept=accept, **waiting.options)
        if run.conference and waiting.preview["revision"] is None:
            choose_conference(request, run.conference)
        self.message_user(request, f"Imported from {run.file_name}: {run.summary}.", messages.SUCCESS)
        return redirect("admin:events_importrun_change", run.pk)


class ProgrammeUploadAdmin(ProgrammePreviewAdmin, PreviewedUploadAdmin):
    """The pages behind “Import a programme”."""

    upload_path = "programme"

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        return super().changelist_view(request, {"may_import": self.can_upload(request), **(extra_context or {})})

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> Any:
        context = {"may_import": self.can_upload(request), **(extra_context or {})}
        return super().change_view(request, object_id, form_url, context)

    def upload_view(self, request: HttpRequest) -> HttpResponse:
        self.check_upload_permission(request)
        form = (
            ProgrammeForm(request.POST, request.FILES, kept=self.kept_upload(request), request=request)
            if request.method == "POST"
            else ProgrammeForm(initial={"conference": requested_conference(request)}, request=request)
        )
        if form.is_valid():
            given = form.cleaned_data
            conference: Conference | None = given["conference"]
            options = {
                "slug": conference.slug if conference else given["slug"],
                "create": conference is None,
                **{name: given[name] for name in ("format", "timezone", "source", "allow_cancel", "reason")},
            }
            try:
                return self._read_upload(request, form, options)
            except TimeZoneNeededError as error:
                form.add_error("timezone", f"{error}.")
            except TooManyCancelledError as error:
                form.add_error("allow_cancel", error.with_remedy(f"tick this to cancel them. {OTHER_PART_REMEDY}"))
            except (ScheduleParseError, SyncError, forms.ValidationError) as error:
                form.add_error("file", error if isinstance(error, forms.ValidationError) else str(error))
        if form.errors:
            self.keep_file(request, form)
        context = {"title": "Import a programme", "form": form, "formats": IMPORT_FORMATS}
        return self.render_page(request, "admin/programme_import.html", context, 422 if form.errors else 200)

    def _read_upload(self, request: HttpRequest, form: ProgrammeForm, options: dict[str, Any]) -> HttpResponse:
        name, content = form.sent_file()
        if not self.has_columns(name, content, options):
            return self.upload_previewed(form, self.preview_file(request, name, content, options))
        answer = self.ask_for_columns(request, name, content, options)
        form.forget()
        return answer

    def error_text(self, error: Exception) -> str:
        if isinstance(error, TooManyCancelledError):
            return error.with_remedy(f"upload it again and tick that they are cancelled. {OTHER_PART_REMEDY}")
        return str(error)


class ImportRunAdmin(HallwayAdmin):
    change_form_template = "admin/import_run.html"
    list_display = ["started_at", "file_name", "conference", "who", "format", "result", "outcome_text"]
    list_display_links = ["started_at", "file_name"]
    list_filter = ["conference", "outcome", "format"]
    search_fields = ["file_name", "user_name", "digest", "slug"]
    list_select_related = ["conference"]
    date_hierarchy = "started_at"
    ordering = ["-started_at", "-pk"]
    fields = [
        "conference",
        "who",
        ("started_at", "finished_at"),
        "file_name",
        ("format", "source"),
        "result",
        "reason",
        ("size", "digest"),
    ]
    readonly_fields = ["who", "result"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: ImportRun | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_queryset(self, request: HttpRequest) -> Any:
        rows = super().get_queryset(request)
        rows = rows.annotate(undone_at=F("group__undone_at"))
        # The list does not show the reports, which may have two thousand lines each.
        return rows if getattr(request.resolver_match, "kwargs", {}).get("object_id") else rows.defer("report")

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> Any:
        run = self.get_object(request, object_id)
        context = (
            import_report_context(request, {name: getattr(run, name) for name in IMPORT_COUNT_FIELDS}, run.report) if run else {}
        )
        return super().change_view(request, object_id, form_url, {**context, **(extra_context or {})})

    @admin.display(description="who", ordering="user_name")
    def who(self, run: ImportRun) -> str:
        return run.user_name or ("by itself, from its address" if run.followed_id else "the command line")

    @admin.display(description="outcome", ordering="outcome")
    def result(self, run: ImportRun) -> str:
        undone_at = run.undone_at  # type: ignore[attr-defined]
        return f"Taken back on {timezone.localtime(undone_at):%-d %B %Y, %H:%M}" if undone_at else run.get_outcome_display()

    @admin.display(description="what")
    def outcome_text(self, run: ImportRun) -> str:
        return run.summary if run.outcome == "done" else run.reason[:120]

"""Pages to export a list and to import a file, with its preview."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, cast

from django import forms
from django.contrib import messages
from django.contrib.admin.options import IncorrectLookupParameters
from django.db import IntegrityError, transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.text import capfirst

from events.admin.base.fields import ReasonField
from events.admin.base.scope import default_conference, filtered_conference, find_conference
from events.admin.base.visible import visible_to
from events.admin.spreadsheets.headers import UnknownColumn
from events.admin.spreadsheets.sheets import MistakesError, PlannedRow, Sheet
from events.admin.spreadsheets.tables import (
    LEAVE_OUT,
    READ_AS_GUESSED,
    SPREADSHEET_FORMATS,
    CellTooLongError,
    UnknownColumnsError,
    read_table,
    write_table,
)
from events.admin.uploads.preview import (
    PreviewedUploadAdmin,
    PreviewOutdatedError,
    UploadField,
    UploadForm,
)
from events.core.parsing.table_files import TableError
from events.imports.models import ImportOutcome, ImportRun
from events.imports.pending import PendingUpload
from events.imports.previews import preview_data, run_digest
from events.imports.runs import error_text
from events.imports.sync.report import SyncReport
from events.programme.models.conference import Conference

MAX_SHOWN_MISTAKES = 100
MAX_SHEET_REPORT_LINES = 2000
MAX_NAMED_NEW_PEOPLE = 50


class SpreadsheetForm(UploadForm):
    conference = forms.ModelChoiceField(Conference.objects.all(), help_text="Only its rows are read and changed.")
    file = UploadField(max_bytes=16 * 2**20, help_text="CSV or XLSX, as exported.")
    reason = ReasonField(
        help_text="Shown with each change that attendees see: “The hall is being repaired.” Not stored if nothing changes."
    )
    columns = forms.ChoiceField(
        label="Columns that are unknown here",
        choices=[
            ("", "Refuse the file"),
            (LEAVE_OUT, "Leave these out"),
            (READ_AS_GUESSED, "Read as guessed, leave out the rest"),
        ],
        required=False,
        widget=forms.RadioSelect,
    )


class SpreadsheetUpload(NamedTuple):
    name: str
    content: bytes
    reason: str = ""
    unknown_columns: str = ""


def import_sheet(
    sheet_class: type[Sheet],
    upload: SpreadsheetUpload,
    conference: Conference,
    user: Any,
    *,
    expected: str | None = None,
    on_planned: Callable[[Mapping[int, Mapping[str, Any]]], None] | None = None,
) -> ImportRun:
    """Compare the file with the list; with ``expected``, the digest of the previewed run, also write it.

    ``on_planned`` gets the slots that a preview would change. A preview takes no lock; writing locks the conference. Raises
    TableError or MistakesError with only the refused import run written, and PreviewOutdatedError if the rows have changed
    since the preview.
    """
    about = {
        "conference": conference,
        "slug": conference.slug,
        "user": user,
        "user_name": user.get_username(),
        "file_name": "".join(it for it in upload.name if it.isprintable())[:255],
        "size": len(upload.content),
        "digest": hashlib.sha256(upload.content).hexdigest(),
        "format": f"spreadsheet ({sheet_class.noun})",
        "finished_at": timezone.now(),
    }

    def planned() -> tuple[Sheet, list[PlannedRow], ImportRun]:
        sheet = sheet_class(conference, user)
        plan = sheet.plan(read_table(upload.content, sheet.known_columns, unknown=upload.unknown_columns, is_room=sheet.is_room))
        report = sheet_report(sheet, plan)
        return (
            sheet,
            plan,
            ImportRun(**about, outcome=ImportOutcome.DONE, report=report.as_json(MAX_SHEET_REPORT_LINES), **report.counts()),
        )

    try:
        if expected is None:
            sheet, plan, run = planned()
            if on_planned:
                on_planned(sheet.slot_changes(plan))
            return run
        with transaction.atomic():
            conference.lock()
            sheet, plan, run = planned()
            if expected != run_digest(run):
                raise PreviewOutdatedError
            run.group = sheet.store(plan, upload.reason, upload.name)
            run.save()
        return run
    except (TableError, MistakesError, IntegrityError) as error:
        if isinstance(error, IntegrityError):
            error = MistakesError(["The rows contradict each other, or rows that are there: nothing was changed."])
        ImportRun.objects.create(**about, outcome=ImportOutcome.REFUSED, reason=error_text(error))
        raise error


def sheet_report(sheet: Sheet, planned: Sequence[PlannedRow]) -> SyncReport:
    lines = [sheet.report_line(it) for it in planned if it.is_new or it.differences]
    created = sum(it.is_new for it in planned)
    report = SyncReport(created=created, changed=len(lines) - created, unchanged=len(planned) - len(lines), lines=lines)
    report.clashes = sheet.clashes(planned)
    people = sheet.people
    report.warnings += people.similar_names.values()
    if plain := [person.name for key, person in people.new.items() if key not in people.similar_names]:
        more = " …" if len(plain) > MAX_NAMED_NEW_PEOPLE else ""
        report.warnings.append(f"New people ({len(plain)}): {'; '.join(plain[:MAX_NAMED_NEW_PEOPLE])}{more}")
    return report


class SpreadsheetAdmin(PreviewedUploadAdmin):
    """Adds export and import to a list."""

    sheet: ClassVar[type[Sheet]]
    upload_path = "import"
    upload_errors = (TableError, MistakesError)

    def get_urls(self) -> list[URLPattern]:
        name = f"{self.opts.app_label}_{self.opts.model_name}_export"
        template_name = f"{self.opts.app_label}_{self.opts.model_name}_template"
        return [
            path("export/<slug:kind>/", self.admin_site.admin_view(self.export_view), name=name),
            path("template/<slug:kind>/", self.admin_site.admin_view(self.template_view), name=template_name),
            *super().get_urls(),
        ]

    def impact_of_import(self, slot_changes: Mapping[int, Mapping[str, Any]]) -> dict[str, Any] | None:
        """What changed events do to agendas, for ``admin/_impact.html``; rows of most lists are no events."""
        return None

    def can_upload(self, request: HttpRequest) -> bool:
        return self.has_change_permission(request) and self.has_add_permission(request)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        context = {"spreadsheets": self.can_upload(request), "kinds": SPREADSHEET_FORMATS}
        return super().changelist_view(request, {**context, **(extra_context or {})})

    @property
    def _list_url(self) -> str:
        return reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist")

    # Export.

    def export_view(self, request: HttpRequest, kind: str) -> HttpResponse:
        self.check_upload_permission(request)
        if kind not in SPREADSHEET_FORMATS:
            raise Http404
        try:
            rows = self.get_changelist_instance(request).queryset
        except IncorrectLookupParameters:
            return redirect(f"{self._list_url}?e=1")
        try:
            conference = self._conference_of_list(request, rows)
            if conference is not None:
                return self._file(request, kind, conference, rows)
            self.message_user(request, "A file is of one conference: choose it in the filter first.", messages.WARNING)
        except CellTooLongError as error:
            self.message_user(request, str(error), messages.ERROR)
        return redirect(f"{self._list_url}?{request.GET.urlencode()}")

    def _conference_of_list(self, request: HttpRequest, rows: Any) -> Conference | None:
        conferences = list(rows.order_by().values_list("conference", flat=True).distinct()[:2])
        if len(conferences) == 1:
            return find_conference(conferences[0])
        return None if conferences else filtered_conference(request) or default_conference(request)

    def _file(self, request: HttpRequest, kind: str, conference: Conference, rows: Any) -> HttpResponse:
        sheet = self.sheet(conference, request.user)
        chosen = sheet.stored().filter(pk__in=rows.order_by().values("pk"))
        content = write_table(kind, [column.name for column in sheet.columns], [sheet.cells_of(row) for row in chosen])
        return self._download(kind, content, f"{conference.slug}-{self.opts.verbose_name_plural}-{timezone.localdate():%Y-%m-%d}")

    def _download(self, kind: str, content: bytes, name: str) -> HttpResponse:
        file_name = f"{name}.{kind}".replace(" ", "-")
        return HttpResponse(
            content, SPREADSHEET_FORMATS[kind][0], headers={"Content-Disposition": f'attachment; filename="{file_name}"'}
        )

    def template_view(self, request: HttpRequest, kind: str) -> HttpResponse:
        """A table with our columns and two example rows that can be imported."""
        self.check_upload_permission(request)
        conferences = visible_to(request, Conference.objects.all())
        conference = find_conference(request.GET.get("conference", ""), conferences) or default_conference(request)
        if kind not in SPREADSHEET_FORMATS or conference is None:
            raise Http404
        try:
            headers, rows = self.sheet(conference, request.user).template
        except MistakesError as error:
            return self.send_back(request, str(error), messages.WARNING)
        return self._download(kind, write_table(kind, headers, rows), f"{self.opts.verbose_name_plural}-template")

    # Import.

    def upload_view(self, request: HttpRequest) -> HttpResponse:
        self.check_upload_permission(request)
        default = default_conference(request)
        sent = request.method == "POST"
        form = (
            SpreadsheetForm(request.POST, request.FILES, kept=self.kept_upload(request))
            if sent
            else SpreadsheetForm(initial={"conference": default})
        )
        conferences = visible_to(request, Conference.objects.all())
        cast(forms.ModelChoiceField, form.fields["conference"]).queryset = conferences
        mistakes: list[str] = []
        unknown: list[UnknownColumn] = []
        if form.is_valid():
            given = form.cleaned_data
            options = {"conference": given["conference"].pk, "reason": given["reason"], "columns": given["columns"]}
            try:
                return self.upload_previewed(form, self.preview_file(request, *form.sent_file(), options))
            except UnknownColumnsError as error:
                unknown = error.columns
                form.add_error("columns", str(error))
            except (TableError, forms.ValidationError) as error:
                form.add_error("file", error if isinstance(error, forms.ValidationError) else str(error))
            except MistakesError as error:
                mistakes = error.sentences
        if form.errors:
            self.keep_file(request, form)
        elif mistakes:
            form.forget()
        if not unknown and not form["columns"].value():
            del form.fields["columns"]
        chosen = find_conference(form["conference"].value(), conferences) or default
        context = {
            "title": f"Import {self.opts.verbose_name_plural} from a spreadsheet",
            "form": form,
            "columns": self.sheet(chosen, request.user).known_columns[1:] if chosen else [],
            "conference": chosen,
            "kinds": SPREADSHEET_FORMATS,
            "unknown": unknown,
            "mistakes": mistakes[:MAX_SHOWN_MISTAKES],
            "more_mistakes": max(0, len(mistakes) - MAX_SHOWN_MISTAKES),
        }
        return self.render_page(request, "admin/spreadsheet_import.html", context, 422 if form.errors or mistakes else 200)

    def find_waiting(self, request: HttpRequest, purpose: str, token: str) -> PendingUpload | None:
        waiting = super().find_waiting(request, purpose, token)
        if waiting is None or purpose != self.upload_name:
            return waiting
        return waiting if find_conference(waiting.options["conference"], visible_to(request, Conference.objects.all())) else None

    def preview_file(self, request: HttpRequest, name: str, content: bytes, options: dict[str, Any]) -> PendingUpload:
        conference = Conference.objects.get(pk=options["conference"])
        upload = SpreadsheetUpload(name, content, options["reason"], options["columns"])
        slot_changes: list[Mapping[int, Mapping[str, Any]]] = []
        run = import_sheet(self.sheet, upload, conference, request.user, on_planned=slot_changes.append)
        impact = self.impact_of_import(slot_changes[0])
        preview = {**preview_data(run), "impact": impact, "about": f"{capfirst(self.opts.verbose_name_plural)} of {conference}"}
        return self.store_waiting(request, self.upload_name, name, content, preview, options)

    def import_file(self, request: HttpRequest, waiting: PendingUpload, content: bytes) -> HttpResponse:
        conference = Conference.objects.get(pk=waiting.options["conference"])
        upload = SpreadsheetUpload(waiting.name, content, waiting.options["reason"], waiting.options["columns"])
        run = import_sheet(self.sheet, upload, conference, request.user, expected=waiting.preview["digest"])
        text = f"Imported from {run.file_name}: {run.created} new, {run.changed} changed, {run.unchanged} unchanged."
        if run.group and run.group.edits:
            undo = reverse("admin:events_changegroup_undo", args=[run.group.pk])
            text = format_html('{} <a href="{}">Undo …</a>', text, undo)
        self.message_user(request, text, messages.SUCCESS)
        return redirect(f"{self._list_url}?conference__id__exact={conference.pk}")

"""The pages of a list's spreadsheets: export, import, a preview of what would change, and the button that does it."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib import messages
from django.contrib.admin.options import IncorrectLookupParameters
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.text import capfirst

from events.admin import kept as uploads
from events.admin.filters import filtered_conference
from events.admin.kept import KeptFile
from events.admin.previewed_upload import PreviewedUpload
from events.admin.previews import preview_of
from events.admin.scope import find_conference, usual_conference
from events.admin.spreadsheets.running import Upload, take_in
from events.admin.spreadsheets.sheets import MistakesError, Sheet
from events.admin.spreadsheets.tables import KINDS, TableError, TooLongError, write_table
from events.admin.upload_forms import SpreadsheetForm
from events.models import Conference

MISTAKES_SHOWN = 100


class Spreadsheets(PreviewedUpload):
    """A list that goes out as a spreadsheet and comes in as one."""

    sheet: ClassVar[type[Sheet]]
    upload_path = "import"
    upload_errors = (TableError, MistakesError)

    def get_urls(self) -> list[URLPattern]:
        name = f"{self.opts.app_label}_{self.opts.model_name}_export"
        return [path("export/<slug:kind>/", self.admin_site.admin_view(self.export_view), name=name), *super().get_urls()]

    def may_upload(self, request: HttpRequest) -> bool:
        return self.has_change_permission(request) and self.has_add_permission(request)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        context = {"spreadsheets": self.may_upload(request), "kinds": KINDS}
        return super().changelist_view(request, {**context, **(extra_context or {})})

    @property
    def _list_url(self) -> str:
        return reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist")

    # Out.

    def export_view(self, request: HttpRequest, kind: str) -> HttpResponse:
        """The list as it is filtered, of one conference."""
        self.admit(request)
        if kind not in KINDS:
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
        except TooLongError as error:
            self.message_user(request, str(error), messages.ERROR)
        return redirect(f"{self._list_url}?{request.GET.urlencode()}")

    def _conference_of_list(self, request: HttpRequest, rows: Any) -> Conference | None:
        found = list(rows.order_by().values_list("conference", flat=True).distinct()[:2])
        if len(found) == 1:
            return find_conference(found[0])
        return None if found else filtered_conference(request) or usual_conference(request)

    def _file(self, request: HttpRequest, kind: str, conference: Conference, rows: Any) -> HttpResponse:
        sheet = self.sheet(conference, request.user)
        chosen = sheet.stored().filter(pk__in=rows.order_by().values("pk"))
        content = write_table(kind, [column.name for column in sheet.columns], [sheet.cells_of(row) for row in chosen])
        name = f"{conference.slug}-{self.opts.verbose_name_plural}-{timezone.localdate():%Y-%m-%d}.{kind}".replace(" ", "-")
        return HttpResponse(content, KINDS[kind][0], headers={"Content-Disposition": f'attachment; filename="{name}"'})

    # In.

    def upload_view(self, request: HttpRequest) -> HttpResponse:
        self.admit(request)
        usual = usual_conference(request)
        sent = request.method == "POST"
        form = SpreadsheetForm(request.POST, request.FILES) if sent else SpreadsheetForm(initial={"conference": usual})
        mistakes: list[str] = []
        if form.is_valid():
            given = form.cleaned_data
            options = {"conference": given["conference"].pk, "reason": given["reason"]}
            try:
                return self.to_preview(self.look(request, given["file"].name, given["file"].read(), options))
            except TableError as error:
                form.add_error("file", str(error))
            except MistakesError as error:
                mistakes = error.sentences
        chosen = find_conference(form["conference"].value()) or usual
        context = {
            "title": f"Import {self.opts.verbose_name_plural} from a spreadsheet",
            "form": form,
            "columns": self.sheet(chosen, request.user).known_columns[1:] if chosen else [],
            "mistakes": mistakes[:MISTAKES_SHOWN],
            "more_mistakes": max(0, len(mistakes) - MISTAKES_SHOWN),
        }
        return self.page(request, "admin/spreadsheet_import.html", context, 422 if form.errors or mistakes else 200)

    def find_upload(self, request: HttpRequest, token: str) -> KeptFile | None:
        waiting = super().find_upload(request, token)
        return waiting if waiting and find_conference(waiting.options["conference"]) else None

    def look(self, request: HttpRequest, name: str, content: bytes, options: dict[str, Any]) -> KeptFile:
        conference = Conference.objects.get(pk=options["conference"])
        run = take_in(self.sheet, Upload(name, content, options["reason"]), conference, request.user)
        preview = {**preview_of(run), "about": f"{capfirst(self.opts.verbose_name_plural)} of {conference}"}
        return uploads.keep(request.user, self.upload_name, name, content, preview, **options)

    def write(self, request: HttpRequest, waiting: KeptFile, content: bytes) -> HttpResponse:
        conference = Conference.objects.get(pk=waiting.options["conference"])
        upload = Upload(waiting.name, content, waiting.options["reason"])
        run = take_in(self.sheet, upload, conference, request.user, expected=waiting.preview["digest"])
        words = f"Taken in from {run.file_name}: {run.created} new, {run.changed} changed, {run.unchanged} as they were."
        self.message_user(request, words, messages.SUCCESS)
        return redirect(f"{self._list_url}?conference__id__exact={conference.pk}")

"""The pages of a list's spreadsheets: export, import, a look at what would change, and the button that does it."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib import admin, messages
from django.contrib.admin.options import IncorrectLookupParameters
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.text import capfirst

from events.admin import kept as uploads
from events.admin.filters import filtered_conference
from events.admin.kept import KeptFile
from events.admin.previews import context_of, preview_of
from events.admin.scope import find_conference, usual_conference
from events.admin.spreadsheets.running import MistakesError, MovedError, Upload, take_in
from events.admin.spreadsheets.sheets import Sheet
from events.admin.spreadsheets.tables import TableError
from events.admin.spreadsheets.writing import KINDS, TooLongError
from events.admin.upload_forms import SpreadsheetForm
from events.models import Conference, ImportRun

MISTAKES_SHOWN = 100
GONE = "That file is not waiting any more: it was taken in or put aside, or an hour has passed. Send it again."
MOVED = "The programme has changed since you looked. Nothing is written yet: this is what the file would do now."


class Spreadsheets(admin.ModelAdmin):
    """A list that goes out as a spreadsheet and comes in as one."""

    sheet: ClassVar[type[Sheet]]

    def get_urls(self) -> list[URLPattern]:
        name = f"{self.opts.app_label}_{self.opts.model_name}"
        wrap = self.admin_site.admin_view
        return [
            path("export/<slug:kind>/", wrap(self.export_view), name=f"{name}_export"),
            path("import/", wrap(self.import_view), name=f"{name}_import"),
            path("import/<slug:token>/", wrap(self.preview_view), name=f"{name}_import_preview"),
            *super().get_urls(),
        ]

    def may_use_spreadsheets(self, request: HttpRequest) -> bool:
        return self.has_change_permission(request) and self.has_add_permission(request)

    def _admit(self, request: HttpRequest) -> None:
        if not self.may_use_spreadsheets(request):
            raise PermissionDenied

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        context = {"spreadsheets": self.may_use_spreadsheets(request), "kinds": KINDS}
        return super().changelist_view(request, {**context, **(extra_context or {})})

    def _url(self, page: str, *args: str) -> str:
        return reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_{page}", args=args)

    # Out.

    def export_view(self, request: HttpRequest, kind: str) -> HttpResponse:
        """The list as it is filtered, of one conference."""
        self._admit(request)
        if kind not in KINDS:
            raise Http404
        back = f"{self._url('changelist')}?{request.GET.urlencode()}"
        try:
            rows = self.get_changelist_instance(request).queryset
        except IncorrectLookupParameters:
            return redirect(f"{self._url('changelist')}?e=1")
        conference = self._conference_of_list(request, rows)
        if conference is None:
            self.message_user(request, "A file is of one conference: choose it in the filter first.", messages.WARNING)
            return HttpResponseRedirect(back)
        try:
            return self._file(request, kind, conference, rows)
        except TooLongError as error:
            self.message_user(request, str(error), messages.ERROR)
            return HttpResponseRedirect(back)

    def _conference_of_list(self, request: HttpRequest, rows: Any) -> Conference | None:
        found = list(rows.order_by().values_list("conference", flat=True).distinct()[:2])
        if len(found) == 1:
            return find_conference(found[0])
        return None if found else filtered_conference(request) or usual_conference(request)

    def _file(self, request: HttpRequest, kind: str, conference: Conference, rows: Any) -> HttpResponse:
        sheet = self.sheet(conference, request.user)
        chosen = sheet.stored().filter(pk__in=rows.order_by().values("pk"))
        # Read at once: import-export would ask for it again, a hundred rows at a time.
        dataset = sheet.export(list(chosen))
        content_type, write = KINDS[kind]
        content = write(list(dataset.headers), [list(row) for row in dataset])
        name = f"{conference.slug}-{self.opts.verbose_name_plural}-{timezone.localdate():%Y-%m-%d}.{kind}".replace(" ", "-")
        return HttpResponse(content, content_type, headers={"Content-Disposition": f'attachment; filename="{name}"'})

    # In.

    def import_view(self, request: HttpRequest) -> HttpResponse:
        self._admit(request)
        sent = request.method == "POST"
        form = SpreadsheetForm(request.POST, request.FILES) if sent else SpreadsheetForm(initial=self._initial(request))
        mistakes: list[str] = []
        if form.is_valid():
            given = form.cleaned_data
            upload = Upload(given["file"].name, given["file"].read(), given["reason"])
            try:
                return redirect(self._url("import_preview", self._look(request, upload, given["conference"]).token))
            except TableError as error:
                form.add_error("file", str(error))
            except MistakesError as error:
                mistakes = [*error.general, *map(str, error.mistakes)]
        return self._import_page(request, form, mistakes)

    def _initial(self, request: HttpRequest) -> dict[str, Any]:
        return {"conference": usual_conference(request)}

    def _import_page(self, request: HttpRequest, form: SpreadsheetForm, mistakes: list[str]) -> HttpResponse:
        chosen = find_conference(form["conference"].value()) or usual_conference(request)
        context = {
            "title": f"Import {self.opts.verbose_name_plural} from a spreadsheet",
            "form": form,
            "columns": self.sheet(chosen, request.user).known_columns[1:] if chosen else [],
            "mistakes": mistakes[:MISTAKES_SHOWN],
            "more_mistakes": max(0, len(mistakes) - MISTAKES_SHOWN),
        }
        return self._page(request, "admin/spreadsheet_import.html", context, 422 if form.errors or mistakes else 200)

    def _look(self, request: HttpRequest, upload: Upload, conference: Conference) -> KeptFile:
        """Keep the file with what it would do; raises what ``take_in`` raises, with nothing kept."""
        run = take_in(self.sheet, upload, conference, request.user)
        options = {"conference": conference.pk, "reason": upload.reason}
        return uploads.keep(request.user, self._purpose, upload.name, upload.content, preview_of(run), **options)

    @property
    def _purpose(self) -> str:
        return f"spreadsheet:{self.opts.model_name}"

    def preview_view(self, request: HttpRequest, token: str) -> HttpResponse:
        self._admit(request)
        waiting = uploads.find(request.user, self._purpose, token)
        conference = find_conference(waiting.options["conference"]) if waiting else None
        if waiting is None or conference is None:
            self.message_user(request, GONE, messages.WARNING)
            return redirect(self._url("import"))
        if request.method == "POST":
            return self._decide(request, waiting, conference)
        preview = waiting.preview
        context = {
            **context_of(request, preview["counts"], preview["report"]),
            "title": f"What {waiting.name} would change",
            "kept": waiting,
            "conference": conference,
            "empty": preview["empty"],
            "about": f"{capfirst(self.opts.verbose_name_plural)} of {conference}",
        }
        return self._page(request, "admin/import_preview.html", context)

    def _decide(self, request: HttpRequest, waiting: KeptFile, conference: Conference) -> HttpResponse:
        """The file is taken away first: of two who press the button at once, one finds nothing to do."""
        content = waiting.take()
        if content is None:
            self.message_user(request, GONE, messages.WARNING)
            return redirect(self._url("import"))
        if "confirm" not in request.POST:
            self.message_user(request, f"Put aside: {waiting.name}. Nothing was changed.")
            return redirect(self._url("changelist"))
        upload = Upload(waiting.name, content, waiting.options["reason"])
        try:
            run = take_in(self.sheet, upload, conference, request.user, expected=waiting.preview["digest"])
        except MovedError:
            return self._look_again(request, upload, conference)
        except MistakesError as error:
            return self._refuse(request, error)
        self.message_user(request, self._told(run), messages.SUCCESS)
        return redirect(f"{self._url('changelist')}?conference__id__exact={conference.pk}")

    def _look_again(self, request: HttpRequest, upload: Upload, conference: Conference) -> HttpResponse:
        try:
            again = self._look(request, upload, conference)
        except (TableError, MistakesError) as error:
            return self._refuse(request, error)
        self.message_user(request, MOVED, messages.WARNING)
        return redirect(self._url("import_preview", again.token))

    def _refuse(self, request: HttpRequest, error: Exception) -> HttpResponse:
        self.message_user(request, f"Nothing was changed. {error}", messages.ERROR)
        return redirect(self._url("import"))

    def _told(self, run: ImportRun) -> str:
        return f"Taken in from {run.file_name}: {run.created} new, {run.changed} changed, {run.unchanged} as they were."

    def _page(self, request: HttpRequest, template: str, context: dict[str, Any], status: int = 200) -> HttpResponse:
        request.current_app = self.admin_site.name
        common = {"opts": self.opts, "media": self.media, "is_nav_sidebar_enabled": False}
        values = {**self.admin_site.each_context(request), **common, **context}
        return TemplateResponse(request, template, values, status=status)

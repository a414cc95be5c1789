"""The page on which organisers say what the columns of a spreadsheet are, with what would be read."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path

from events.admin.uploads.preview import MAX_SHOWN_MESSAGES, PreviewAdmin
from events.core.parsing.errors import ScheduleParseError
from events.imports.column_choices import chosen_by_hand, remembered_columns
from events.imports.formats.document import Document
from events.imports.formats.registry import SPREADSHEET_FORMAT, detect_format
from events.imports.formats.spreadsheet.choices import ColumnChoices
from events.imports.formats.spreadsheet.fields import SHEET_FIELDS, TALK_PREFIX
from events.imports.formats.spreadsheet.look import SheetLook, look_at_sheet
from events.imports.formats.spreadsheet.moments import DAY_FIRST, MONTH_FIRST
from events.imports.formats.spreadsheet.sheet import ForeignSheet
from events.imports.pending import PendingUpload
from events.imports.runs import ImportOptions, import_hints, record_unopened_file
from events.imports.sync.report import SyncError, TooManyCancelledError
from events.programme.models.conference import Conference

MAX_MADE_NAMES = 30
FIELD_CHOICES = [
    ("", "Leave it out"),
    ("An event", [(each.name, each.label) for each in SHEET_FIELDS if not each.name.startswith(TALK_PREFIX)]),
    ("Talks inside a row", [(each.name, each.label) for each in SHEET_FIELDS if each.name.startswith(TALK_PREFIX)]),
]


class ColumnsForm(forms.Form):
    """A field for each column, in the order of the sheet, after those about the sheet."""

    sheet = forms.ChoiceField(required=False)
    header_row = forms.IntegerField(
        label="Row of the headers", required=False, min_value=1, help_text="Empty: found by its words.", max_value=100_000
    )
    dates = forms.ChoiceField(
        label="Dates such as 4/5/2026",
        required=False,
        choices=[("", "By the whole column"), (DAY_FIRST, "4 May: the day first"), (MONTH_FIRST, "April 5: the month first")],
    )

    def __init__(self, sheet: ForeignSheet, choices: ColumnChoices, data: Any = None) -> None:
        initial = {
            "sheet": sheet.sheet if len(sheet.read) == 1 else "",
            "dates": choices.dates,
            "header_row": choices.header_row or None,
        }
        super().__init__(data, initial=initial)
        self.table = sheet
        if len(sheet.sheets) > 1:
            names: Any = self.fields["sheet"]
            together = [("", f"The {len(sheet.alike)} with the same headers")] if len(sheet.alike) > 1 else []
            names.choices = [*together, *((name, name) for name in sheet.sheets)]
        else:
            del self.fields["sheet"]
        self.fields["header_row"].widget.attrs["placeholder"] = str(sheet.header_row)
        for place, header in enumerate(sheet.headers):
            self.fields[f"column-{place}"] = forms.ChoiceField(
                label=header, choices=FIELD_CHOICES, required=False, initial=sheet.fields[header]
            )

    @property
    def about_sheet(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if not name.startswith("column-")]

    @property
    def columns(self) -> list[tuple[forms.BoundField, list[str]]]:
        """The field of each column that has a value, with its first values."""
        listed = [(self[f"column-{place}"], self.table.samples(header)) for place, header in enumerate(self.table.headers)]
        return [(field, samples) for field, samples in listed if samples]

    @property
    def headers(self) -> str:
        """The headers as sent back, because another sheet or row has others."""
        return json.dumps(self.table.headers)


def sent_choices(request: HttpRequest) -> ColumnChoices:
    """The choices of the form, whatever was sent: unknown fields and orders are guessed."""
    try:
        headers = json.loads(request.POST.get("headers", "[]"))
    except (ValueError, RecursionError):
        headers = []
    names = headers if isinstance(headers, list) else []
    columns = {
        name: request.POST[f"column-{place}"]
        for place, name in enumerate(names)
        if isinstance(name, str) and f"column-{place}" in request.POST
    }
    row = request.POST.get("header_row", "").strip()
    sent = {"columns": columns, "dates": request.POST.get("dates", ""), "sheet": request.POST.get("sheet", "")}
    return ColumnChoices.from_json({**sent, "header_row": row})


def _empty_answers(request: HttpRequest) -> dict[str, Any]:
    return {"dates": "", "header_row": 0, **({"sheet": ""} if "sheet" in request.POST else {})}


class ColumnsPage(PreviewAdmin):
    """The step between the upload of a spreadsheet and its preview."""

    def get_urls(self) -> list[URLPattern]:
        name = f"{self.upload_name}_columns"
        view = self.admin_site.admin_view(self.columns_view)
        return [path(f"{self.upload_path}/<slug:token>/columns/", view, name=name), *super().get_urls()]

    @property
    def columns_purpose(self) -> str:
        return f"{self.upload_name}_columns"

    def has_columns(self, name: str, content: bytes, options: dict[str, Any]) -> bool:
        """Whether the file is a spreadsheet, by the chosen format or by its content."""
        if chosen := options["format"]:
            return bool(chosen == SPREADSHEET_FORMAT)
        try:
            return detect_format(Document.from_upload(name, content)).name == SPREADSHEET_FORMAT
        except ScheduleParseError:
            return False

    def ask_for_columns(self, request: HttpRequest, name: str, content: bytes, options: dict[str, Any]) -> HttpResponse:
        """Lead to the page of columns; raise ScheduleParseError for a file that is no table or needs a time zone."""
        try:
            self._look(name, content, options, options.get("columns", {}))
        except ScheduleParseError as error:
            document = Document(name, {name: content})
            record_unopened_file(document.name, content, error, slug=options["slug"], user=request.user)
            raise
        waiting = self.store_waiting(request, self.columns_purpose, name, content, {}, options)
        return redirect(f"admin:{self.upload_name}_columns", waiting.token)

    def change_columns(self, request: HttpRequest, waiting: PendingUpload) -> HttpResponse:
        """Go back from the preview."""
        content = waiting.pop_content()
        if content is None:
            return self.send_back(request, self.gone_message, messages.WARNING)
        return self.ask_for_columns(request, waiting.name, content, waiting.options)

    def columns_left(self, request: HttpRequest, waiting: PendingUpload) -> HttpResponse:
        return self.send_back(request, f"Discarded: {waiting.name}. Nothing was changed.", messages.INFO)

    def columns_view(self, request: HttpRequest, token: str) -> HttpResponse:
        self.check_upload_permission(request)
        waiting = self.find_waiting(request, self.columns_purpose, token)
        content = waiting.read_content() if waiting else None
        if waiting is None or content is None:
            return self.send_back(request, self.gone_message, messages.WARNING)
        if "leave" in request.POST:
            waiting.pop_content()
            return self.columns_left(request, waiting)
        is_sent = request.method == "POST"
        # Empty answers are answers: they replace what is remembered.
        chosen = {**_empty_answers(request), **sent_choices(request).as_json()} if is_sent else waiting.options.get("columns", {})
        problem = ""
        try:
            look = self._look(waiting.name, content, waiting.options, chosen)
        except ScheduleParseError as error:
            return self.send_back(request, str(error), messages.ERROR)
        conference = Conference.objects.filter(slug=waiting.options["slug"]).first()
        if is_sent:
            chosen = chosen_by_hand(look.sheet, remembered_columns(conference), chosen)
        options = {**waiting.options, "columns": chosen}
        if "confirm" in request.POST and not look.refusal:
            options["allow_cancel"] = options["allow_cancel"] or "allow_cancel" in request.POST
            try:
                preview = self.preview_file(request, waiting.name, content, options)
                waiting.pop_content()
                return self.redirect_to_preview(preview)
            except TooManyCancelledError as error:
                other = "If it is another part of the programme, upload it again with a source of its own."
                problem = error.with_remedy(f"tick that they are cancelled, at the end of this page. {other}")
            except (ScheduleParseError, SyncError) as error:
                problem = str(error)
        return self._columns_page(request, waiting, look, chosen, conference, problem)

    def _look(self, name: str, content: bytes, options: dict[str, Any], columns: dict[str, Any]) -> SheetLook:
        conference = Conference.objects.filter(slug=options["slug"]).first()
        hints = import_hints(conference, options["slug"], ImportOptions(timezone=options["timezone"], columns=columns))
        return look_at_sheet(Document.from_upload(name, content), hints)

    def _columns_page(
        self,
        request: HttpRequest,
        waiting: PendingUpload,
        look: SheetLook,
        chosen: dict[str, Any],
        conference: Conference | None,
        problem: str,
    ) -> HttpResponse:
        hints = import_hints(conference, waiting.options["slug"], ImportOptions(columns=chosen))
        choices = ColumnChoices.from_json(hints.columns)
        context = {
            "title": f"Columns of {waiting.name}",
            "form": ColumnsForm(look.sheet, choices),
            "look": look,
            "notes": list(replace(look.sheet, chosen=choices.columns).notes()),
            "problem": problem,
            "may_cancel": bool(problem) and not waiting.options["allow_cancel"],
            "problems": look.problems[:MAX_SHOWN_MESSAGES],
            "more_problems": max(0, len(look.problems) - MAX_SHOWN_MESSAGES),
            "skipped": look.skipped[:MAX_SHOWN_MESSAGES],
            "made": list(_made(look)),
        }
        return self.render_page(request, "admin/import_columns.html", context, 422 if problem else 200)


def _made(look: SheetLook) -> list[tuple[int, str, list[str]]]:
    """Number, part and first names of what the rows name."""
    if look.data is None:
        return []
    data, kinds = look.data, Counter(event.type for event in look.data.events)
    parts = [
        ("day", "days", [f"{row.date:%a %-d %b %Y}" for row in data.days]),
        ("room", "rooms", [row.name for row in data.rooms]),
        ("type", "types", [f"{row.name} ({kinds[row.key]})" for row in data.types]),
        ("track", "tracks", [row.name for row in data.tracks]),
        ("person", "people", [row.name for row in data.people]),
        ("paper", "papers", [row.title for row in data.papers]),
    ]
    return [(len(names), one if len(names) == 1 else many, names[:MAX_MADE_NAMES]) for one, many, names in parts if names]

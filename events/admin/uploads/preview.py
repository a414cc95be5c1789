"""Base of the pages that preview an upload before importing it, and the report they show."""

from __future__ import annotations

import dataclasses
from abc import ABCMeta, abstractmethod
from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import UploadedFile
from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path

from events.admin.base.fields import ReasonField
from events.imports import pending
from events.imports.pending import PendingUpload
from events.imports.sync.edits import TABLES
from events.imports.sync.report import REPORT_VERBS

REPORT_PAGE_SIZE = 50
MAX_OPEN_MESSAGES = 12
MAX_SHOWN_MESSAGES = 100
IMPORT_COUNT_LABELS = {
    "created": "new",
    "changed": "changed",
    "cancelled": "cancelled",
    "kept": "kept as it is here",
    "skipped": "left out",
    "unchanged": "unchanged",
    "elsewhere": "kept by another source",
    "other_rows": "other rows (days, rooms, people …)",
}
ABOUT_LABELS = {
    "time": "Time",
    "room": "Room",
    "title": "Title",
    "people": "People",
    "words": "Words only",
    "looks": "Order and colour only",
    "exports": "In exports only",
}
ONLY_GROUPS = {"words", "looks", "exports"}
"""Groups of rows in which nothing else differs."""
UPLOAD_GONE_MESSAGE = (
    "That file is no longer available: it was imported or discarded, or an hour has passed. Please upload it again."
)
PREVIEW_OUTDATED_MESSAGE = (
    "The programme has changed since the preview. Nothing is imported yet: this is what the file would change now."
)

ANSWERS_CHANGED_MESSAGE = "Nothing is imported yet: this is what the file would change with your choices."


class PreviewOutdatedError(Exception):
    """The import would no longer do what the preview showed."""


class UploadField(forms.FileField):
    """A file with a maximum size."""

    def __init__(self, *, max_bytes: int, **kwargs: Any) -> None:
        super().__init__(label="File", max_length=255, allow_empty_file=True, **kwargs)
        self.max_bytes = max_bytes

    def clean(self, data: Any, initial: Any = None) -> Any:
        file: UploadedFile | None = super().clean(data, initial)
        if file is None:
            return None
        if file.size is not None and file.size > self.max_bytes:
            raise forms.ValidationError(f"The file is larger than {self.max_bytes // 2**20} MB.")
        if not file.size:
            raise forms.ValidationError("The file is empty.")
        return file


class UploadForm(forms.Form):
    """A form whose file stays chosen while other fields are corrected: it waits like a file that is previewed."""

    def __init__(self, *args: Any, kept: PendingUpload | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.kept: PendingUpload | None = None
        if kept:
            self.keep(kept)

    def keep(self, kept: PendingUpload) -> None:
        self.kept, file = kept, self.fields["file"]
        file.required = file.widget.is_required = False

    def forget(self) -> None:
        if self.kept:
            self.kept.pop_content()
            self.kept, file = None, self.fields["file"]
            file.required = file.widget.is_required = True

    def sent_file(self) -> tuple[str, bytes]:
        """Return name and content of the file; raise ValidationError if the one that was kept is gone."""
        if file := self.cleaned_data.get("file"):
            file.seek(0)
            return file.name, file.read()
        content = self.kept.read_content() if self.kept else None
        if self.kept is None or content is None:
            raise forms.ValidationError(UPLOAD_GONE_MESSAGE)
        return self.kept.name, content


class PreviewForm(forms.Form):
    """What can still be answered on the preview."""

    reason = ReasonField(
        help_text="Shown with each change that attendees see: “The hall is being repaired.” Not stored if nothing changes."
    )


def import_report_context(request: HttpRequest, counts: dict[str, int], report: dict[str, Any]) -> dict[str, Any]:
    """Context of ``admin/_import_report.html``."""
    lines = report.get("lines", [])
    chosen = request.GET.get("show", "")
    of_verb = [line for line in lines if line["verb"] == chosen] if chosen in REPORT_VERBS else lines
    about = request.GET.get("about", "")
    groups = {name: [line for line in of_verb if _is_about(line, name)] for name in ABOUT_LABELS}
    shown = groups.get(about, of_verb)
    return {
        "groups": [(name, ABOUT_LABELS[name], len(found)) for name, found in groups.items()],
        "about_chosen": about if about in ABOUT_LABELS else "",
        "counts": [
            (number, IMPORT_COUNT_LABELS[name]) for name, number in counts.items() if number or name in {"created", "changed"}
        ],
        "chips": [(verb, IMPORT_COUNT_LABELS[verb], sum(line["verb"] == verb for line in lines)) for verb in REPORT_VERBS],
        "chosen": chosen if chosen in REPORT_VERBS else "",
        "page": _report_page(request, shown),
        "verb_words": IMPORT_COUNT_LABELS,
        "left_out": report.get("left_out", 0),
        "made": [
            {**made, "noun": TABLES[made["part"]].row_label if made["count"] == 1 else made["part"]}
            for made in report.get("made", [])
        ],
        "clashes": _folded_messages(report.get("clashes", [])),
        "warnings": _folded_messages(report.get("warnings", [])),
    }


def _is_about(line: dict[str, Any], group: str) -> bool:
    about = list(line.get("about", ()))
    return about == [group] if group in ONLY_GROUPS else group in about


def _folded_messages(sentences: list[str]) -> dict[str, Any]:
    """The first few sentences, those behind a fold, and the number of the rest."""
    return {
        "count": len(sentences),
        "first": sentences[:MAX_OPEN_MESSAGES],
        "more": sentences[MAX_OPEN_MESSAGES:MAX_SHOWN_MESSAGES],
        "rest": max(0, len(sentences) - MAX_SHOWN_MESSAGES),
    }


def _report_page(request: HttpRequest, lines: list[dict[str, Any]]) -> Page[Any]:
    paginator = Paginator([{**line, "words": IMPORT_COUNT_LABELS[line["verb"]]} for line in lines], REPORT_PAGE_SIZE)
    return paginator.get_page(request.GET.get("page"))


class AbstractAdminType(ABCMeta, forms.MediaDefiningClass):
    """Allows abstract methods in a ModelAdmin, whose metaclass is MediaDefiningClass."""


class PreviewAdmin(admin.ModelAdmin, metaclass=AbstractAdminType):
    """Base of admins with a file that waits for a decision. Subclasses define the preview and the import."""

    upload_path: ClassVar[str]
    upload_errors: ClassVar[tuple[type[Exception], ...]]
    """What ``preview_file`` and ``import_file`` raise for a file that is refused."""
    gone_message = UPLOAD_GONE_MESSAGE

    @abstractmethod
    def can_upload(self, request: HttpRequest) -> bool: ...

    @abstractmethod
    def preview_file(self, request: HttpRequest, name: str, content: bytes, options: dict[str, Any]) -> PendingUpload:
        """Store the file with its preview, or raise one of ``upload_errors``."""

    @abstractmethod
    def import_file(self, request: HttpRequest, waiting: PendingUpload, content: bytes) -> HttpResponse:
        """Import the file. Raises PreviewOutdatedError if it would no longer do what the preview showed."""

    def error_text(self, error: Exception) -> str:
        return str(error)

    @property
    def upload_name(self) -> str:
        return f"{self.opts.app_label}_{self.opts.model_name}_{self.upload_path}"

    def get_urls(self) -> list[URLPattern]:
        view, name = self.admin_site.admin_view(self.preview_view), f"{self.upload_name}_preview"
        return [path(f"{self.upload_path}/<slug:token>/", view, name=name), *super().get_urls()]

    def check_upload_permission(self, request: HttpRequest) -> None:
        if not self.can_upload(request):
            raise PermissionDenied

    def redirect_to_preview(self, waiting: PendingUpload) -> HttpResponse:
        return redirect(f"admin:{self.upload_name}_preview", waiting.token)

    def store_waiting(
        self, request: HttpRequest, purpose: str, name: str, content: bytes, preview: dict[str, Any], options: dict[str, Any]
    ) -> PendingUpload:
        return pending.store_upload(request.user, purpose, name, content, preview, **options)

    def find_waiting(self, request: HttpRequest, purpose: str, token: str) -> PendingUpload | None:
        return pending.find_upload(request.user, purpose, token)

    def preview_view(self, request: HttpRequest, token: str) -> HttpResponse:
        self.check_upload_permission(request)
        waiting = self.find_waiting(request, self.upload_name, token)
        if waiting is None:
            return self.send_back(request, self.gone_message, messages.WARNING)
        is_answered = bool({"confirm", "again"} & request.POST.keys())
        form = PreviewForm(request.POST if is_answered else None, initial=waiting.options)
        if request.method == "POST" and (not is_answered or form.is_valid()):
            return self._decide(request, waiting)
        context = {
            **import_report_context(request, waiting.preview["counts"], waiting.preview["report"]),
            "title": f"What {waiting.name} would change",
            "confirm_words": "Import it",
            "leave_words": "Nothing would change: discard it" if waiting.preview["empty"] else "Discard it",
            "empty": waiting.preview["empty"],
            "about": waiting.preview["about"],
            "impact": waiting.preview.get("impact"),
            "form": form,
            **self.preview_context(waiting),
        }
        return self.render_page(request, "admin/import_preview.html", context, 422 if form.errors else 200)

    def preview_context(self, waiting: PendingUpload) -> dict[str, Any]:
        """What the preview of this list shows beside the report."""
        return {}

    def answers(self, request: HttpRequest, waiting: PendingUpload) -> dict[str, Any]:
        """Options that the preview's form answers and that change what the file does."""
        return {}

    def _decide(self, request: HttpRequest, waiting: PendingUpload) -> HttpResponse:
        """Remove the file first: of two requests at once, only one imports it."""
        answers = self.answers(request, waiting)
        content = waiting.pop_content()
        if content is None:
            return self.send_back(request, self.gone_message, messages.WARNING)
        if "confirm" not in request.POST and "again" not in request.POST:
            return self.discarded(request, waiting)
        changed = any(waiting.options.get(name) != value for name, value in answers.items())
        reason = {"reason": request.POST["reason"].strip()} if "reason" in request.POST else {}
        waiting = dataclasses.replace(waiting, options={**waiting.options, **reason, **answers})
        try:
            if changed or "again" in request.POST:
                return self._preview_again(request, waiting, content, ANSWERS_CHANGED_MESSAGE)
            try:
                return self.import_file(request, waiting, content)
            except PreviewOutdatedError:
                return self._preview_again(request, waiting, content, PREVIEW_OUTDATED_MESSAGE)
        except self.upload_errors as error:
            return self.refused(request, waiting, error)

    def discarded(self, request: HttpRequest, waiting: PendingUpload) -> HttpResponse:
        """Answer after the file was left and removed."""
        self.message_user(request, f"Discarded: {waiting.name}. Nothing was changed.")
        return redirect(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist")

    def refused(self, request: HttpRequest, waiting: PendingUpload, error: Exception) -> HttpResponse:
        """Answer after the file was removed and could not be imported."""
        return self.send_back(request, f"Nothing was changed. {self.error_text(error)}", messages.ERROR)

    def _preview_again(self, request: HttpRequest, waiting: PendingUpload, content: bytes, text: str) -> HttpResponse:
        again = self.preview_file(request, waiting.name, content, waiting.options)
        self.message_user(request, text, messages.WARNING)
        return self.redirect_to_preview(again)

    @abstractmethod
    def send_back(self, request: HttpRequest, text: str, level: int) -> HttpResponse:
        """Say this on the page from which the file came."""

    def render_page(self, request: HttpRequest, template: str, context: dict[str, Any], status: int = 200) -> HttpResponse:
        request.current_app = self.admin_site.name
        common = {"opts": self.opts, "media": self.media, "is_nav_sidebar_enabled": False}
        values = {**self.admin_site.each_context(request), **common, **context}
        return TemplateResponse(request, template, values, status=status)


class PreviewedUploadAdmin(PreviewAdmin):
    """Base of admins with an upload. Subclasses define its form."""

    @abstractmethod
    def upload_view(self, request: HttpRequest) -> HttpResponse: ...

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.upload_view)
        return [path(f"{self.upload_path}/", view, name=self.upload_name), *super().get_urls()]

    @property
    def _form_purpose(self) -> str:
        """Of a file that waits while the other fields of its form are corrected."""
        return f"{self.upload_name}_form"

    def kept_upload(self, request: HttpRequest) -> PendingUpload | None:
        return self.find_waiting(request, self._form_purpose, request.POST.get("kept_file", ""))

    def keep_file(self, request: HttpRequest, form: UploadForm) -> None:
        """Store the chosen file of a form with errors in other fields; drop one that is refused."""
        if "file" in form.errors:
            form.forget()
        elif file := getattr(form, "cleaned_data", {}).get("file"):
            file.seek(0)
            if form.kept:
                form.kept.pop_content()
            form.keep(self.store_waiting(request, self._form_purpose, file.name, file.read(), {}, {}))

    def upload_previewed(self, form: UploadForm, waiting: PendingUpload) -> HttpResponse:
        if form.kept:
            form.kept.pop_content()
        return self.redirect_to_preview(waiting)

    def send_back(self, request: HttpRequest, text: str, level: int) -> HttpResponse:
        self.message_user(request, text, level)
        return redirect(f"admin:{self.upload_name}")

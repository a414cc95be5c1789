"""An upload in three pages: the form, a preview of what the file would change, and the button that does it."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path

from events.admin import kept as uploads
from events.admin.kept import KeptFile
from events.admin.previews import context_of

GONE = "That file is not waiting any more: it was taken in or put aside, or an hour has passed. Send it again."
MOVED = "The programme has changed since you looked. Nothing is written yet: this is what the file would do now."


class MovedError(Exception):
    """What would happen is no longer what was looked at."""


class PreviewedUpload(admin.ModelAdmin):
    """Subclasses say what is asked for, what a file would do, and how it is written."""

    upload_path: ClassVar[str]
    upload_errors: ClassVar[tuple[type[Exception], ...]]
    """What ``look`` and ``write`` raise for a file that is refused."""

    def may_upload(self, request: HttpRequest) -> bool:
        raise NotImplementedError

    def upload_view(self, request: HttpRequest) -> HttpResponse:
        """The form."""
        raise NotImplementedError

    def look(self, request: HttpRequest, name: str, content: bytes, options: dict[str, Any]) -> KeptFile:
        """Store the file with what it would do, and ``about`` what; one that is refused leaves nothing but the record of it."""
        raise NotImplementedError

    def write(self, request: HttpRequest, waiting: KeptFile, content: bytes) -> HttpResponse:
        """Take the file in if it does what was looked at, else raise MovedError."""
        raise NotImplementedError

    def words(self, error: Exception) -> str:
        return str(error)

    @property
    def upload_name(self) -> str:
        return f"{self.opts.app_label}_{self.opts.model_name}_{self.upload_path}"

    def get_urls(self) -> list[URLPattern]:
        wrap, name = self.admin_site.admin_view, self.upload_name
        return [
            path(f"{self.upload_path}/", wrap(self.upload_view), name=name),
            path(f"{self.upload_path}/<slug:token>/", wrap(self.preview_view), name=f"{name}_preview"),
            *super().get_urls(),
        ]

    def admit(self, request: HttpRequest) -> None:
        if not self.may_upload(request):
            raise PermissionDenied

    def to_preview(self, waiting: KeptFile) -> HttpResponse:
        return redirect(f"admin:{self.upload_name}_preview", waiting.token)

    def find_upload(self, request: HttpRequest, token: str) -> KeptFile | None:
        return uploads.find(request.user, self.upload_name, token)

    def preview_view(self, request: HttpRequest, token: str) -> HttpResponse:
        self.admit(request)
        waiting = self.find_upload(request, token)
        if waiting is None:
            return self._send_back(request, GONE, messages.WARNING)
        if request.method == "POST":
            return self._decide(request, waiting)
        context = {
            **context_of(request, waiting.preview["counts"], waiting.preview["report"]),
            "title": f"What {waiting.name} would change",
            "kept": waiting,
            "empty": waiting.preview["empty"],
            "about": waiting.preview["about"],
        }
        return self.page(request, "admin/import_preview.html", context)

    def _decide(self, request: HttpRequest, waiting: KeptFile) -> HttpResponse:
        """The file is taken away first: of two who press the button at once, one finds nothing to do."""
        content = waiting.take()
        if content is None:
            return self._send_back(request, GONE, messages.WARNING)
        if "confirm" not in request.POST:
            self.message_user(request, f"Put aside: {waiting.name}. Nothing was changed.")
            return redirect(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist")
        try:
            try:
                return self.write(request, waiting, content)
            except MovedError:
                again = self.look(request, waiting.name, content, waiting.options)
        except self.upload_errors as error:
            return self._send_back(request, f"Nothing was changed. {self.words(error)}", messages.ERROR)
        self.message_user(request, MOVED, messages.WARNING)
        return self.to_preview(again)

    def _send_back(self, request: HttpRequest, words: str, level: int) -> HttpResponse:
        self.message_user(request, words, level)
        return redirect(f"admin:{self.upload_name}")

    def page(self, request: HttpRequest, template: str, context: dict[str, Any], status: int = 200) -> HttpResponse:
        request.current_app = self.admin_site.name
        common = {"opts": self.opts, "media": self.media, "is_nav_sidebar_enabled": False}
        values = {**self.admin_site.each_context(request), **common, **context}
        return TemplateResponse(request, template, values, status=status)

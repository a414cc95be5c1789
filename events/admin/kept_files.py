"""A file that was chosen in a form stays chosen when the form is shown again because of a mistake."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from django import forms
from django.contrib.admin.widgets import AdminFileWidget
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from events.admin.base.model_admin import HallwayAdmin
from events.imports.pending import PendingUpload, find_upload, store_upload

KEPT_SUFFIX = "-kept"
MAX_KEPT_BYTES = 16 * 2**20
# A route has many legs, each with a photo.
MAX_KEPT_FILES = 40
PURPOSE = "a form"
RESTORED_KEY = "restored_files"


class KeptFileInput(AdminFileWidget):
    """Also shows the picture that is stored, and the file that waits."""

    kept: PendingUpload | None = None

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        context = {
            "control": super().render(name, value, attrs, renderer),
            "photo": value if self.is_initial(value) else None,
            "kept": self.kept,
            "name": f"{name}{KEPT_SUFFIX}",
        }
        return SafeString(render_to_string("admin/_kept_file.html", context))


def restore_files(request: HttpRequest) -> dict[str, PendingUpload]:
    """Treat files that wait as sent again, unless another one was chosen; return them by the names of their fields."""
    restored = {}
    for key, token in request.POST.items():
        name = key.removesuffix(KEPT_SUFFIX)
        if name == key or name in request.FILES:
            continue
        upload = find_upload(request.user, PURPOSE, str(token))
        content = upload.read_content() if upload else None
        if upload and content is not None:
            request.FILES[name] = SimpleUploadedFile(upload.name, content)
            restored[name] = upload
    return restored


def keep_files(request: HttpRequest, form_list: list[forms.BaseForm], restored: Mapping[str, PendingUpload]) -> None:
    """Store the files of forms that were refused for something else, and show that they wait."""
    for form in form_list:
        for name, field in form.fields.items():
            sent_as = form.add_prefix(name)
            file, widget = request.FILES.get(sent_as), field.widget
            if file and isinstance(widget, KeptFileInput) and name not in form.errors and (file.size or 0) <= MAX_KEPT_BYTES:
                widget.kept = restored.get(sent_as) or _stored(request, file)


def _stored(request: HttpRequest, file: Any) -> PendingUpload:
    file.seek(0)
    return store_upload(request.user, PURPOSE, str(file.name), file.read(), {}, most=MAX_KEPT_FILES)


class KeptFilesAdmin(HallwayAdmin):
    """The form of a row with a file, or with rows inside it that have one."""

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> Any:
        restored = restore_files(request) if request.method == "POST" else {}
        context = {RESTORED_KEY: restored, **(extra_context or {})}
        response = super().changeform_view(request, object_id, form_url, context)
        if response.status_code == HTTPStatus.FOUND:
            # They are saved with the form.
            for upload in restored.values():
                upload.pop_content()
        return response

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method == "POST" and request.FILES:
            inside = [form for it in context["inline_admin_formsets"] for form in it.formset.forms]
            keep_files(request, [context["adminform"].form, *inside], context.get(RESTORED_KEY, {}))
        return super().render_change_form(request, context, *args, **kwargs)

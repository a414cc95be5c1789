"""Refusal of files that no form asks for (only the admin has fields for files), and the end of refused bodies."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.files.uploadhandler import FileUploadHandler, StopUpload
from django.http import HttpRequest, UnreadablePostError
from django.http.response import HttpResponseBase
from django.shortcuts import render

# The largest body that the proxies of deploy/ forward.
MAX_BODY_BYTES = 40 * 2**20
CHUNK_BYTES = 2**16


class UnwantedFileHandler(FileUploadHandler):
    """Stops reading at the first file, unless a signed-in organiser sends it to the admin."""

    request: HttpRequest

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        if not self._is_wanted():
            self.request.__dict__["unwanted_file"] = self.file_name
            # The form is not parsed further; read_to_the_end drops the rest.
            raise StopUpload(connection_reset=True)

    def _is_wanted(self) -> bool:
        user = getattr(self.request, "user", None)
        return self.request.path_info.startswith(f"/{settings.ADMIN_PATH}") and bool(user and user.is_active and user.is_staff)

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        # For the handlers after this one, which store it.
        return raw_data

    def file_complete(self, file_size: int) -> None:
        return None


def refuse_unwanted_files(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Answer 422 to a form with a file that it has no field for; after ``AuthenticationMiddleware``."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if request.method == "POST" and request.content_type == "multipart/form-data":
            # Reads the form, and calls the handlers.
            request.POST  # noqa: B018
            if "unwanted_file" in request.__dict__:
                return render(request, "422_file.html", status=422)
        return get_response(request)

    return middleware


def read_to_the_end(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Read and drop what is left of a body that was refused, up to ``MAX_BODY_BYTES``; before all other middleware.

    The server closes a connection whose request it has not read. The sender then sees a broken connection instead of the answer,
    and the visitor of a proxy 502.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if request.META.get("CONTENT_LENGTH", "") in {"", "0"}:
            return response
        # The sender may have left.
        with contextlib.suppress(UnreadablePostError):
            for _ in range(MAX_BODY_BYTES // CHUNK_BYTES):
                if not request.read(CHUNK_BYTES):
                    break
        return response

    return middleware

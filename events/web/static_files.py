"""Static files, also of a version that was installed after this process started."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.http import HttpRequest
from whitenoise.middleware import WhiteNoiseMiddleware


class StaticFilesMiddleware(WhiteNoiseMiddleware):
    """WhiteNoise lists the files once, at its start. Pages of a newer process name files that were collected later."""

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        super().__init__(get_response)
        self._listed_at = self._collected_at()

    def __call__(self, request: HttpRequest) -> Any:
        path = request.path_info
        if not self.autorefresh and path.startswith(self.static_prefix) and path not in self.files:
            self._list_new_files()
        return super().__call__(request)

    def _list_new_files(self) -> None:
        collected_at = self._collected_at()
        if collected_at != self._listed_at:
            self.add_files(self.static_root, prefix=self.static_prefix)
            self._listed_at = collected_at

    def _collected_at(self) -> float:
        """When static files were last collected, which writes their manifest; 0 if never."""
        try:
            return (Path(self.static_root) / "staticfiles.json").stat().st_mtime
        except OSError:
            return 0

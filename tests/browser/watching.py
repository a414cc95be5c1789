"""An eye on a page while it is walked through."""

from __future__ import annotations

from playwright.sync_api import ConsoleMessage, Dialog, Page, Request

# Chromium says so of a page that was left before its first frame.
ABORTED_TRANSITION = "Transition was aborted"
# What Playwright says where it keeps a page without its worker (conftest).
BLOCKED_WORKER = "Service Worker registration blocked by Playwright"


class Watch:
    """What a page must not do: complain in the console, break the policy, or talk to anybody else."""

    def __init__(self, page: Page, origin: str) -> None:
        self.origin = origin
        self.complaints: list[str] = []
        self.foreign: list[str] = []
        page.on("console", self._console)
        page.on("pageerror", lambda error: self._complain(str(error)))
        page.on("request", self._request)
        page.on("dialog", self._dialog)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self._complain(message.text)

    def _complain(self, text: str) -> None:
        if ABORTED_TRANSITION not in text and BLOCKED_WORKER not in text:
            self.complaints.append(text)

    def _request(self, request: Request) -> None:
        if not request.url.startswith((self.origin, "data:")):
            self.foreign.append(request.url)

    def _dialog(self, dialog: Dialog) -> None:
        self.complaints.append(f"dialog: {dialog.message}")
        dialog.dismiss()

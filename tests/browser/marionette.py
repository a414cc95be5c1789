"""Debian's Firefox by Marionette, its own remote protocol: JSON in length-prefixed messages over a socket."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

FIREFOX = shutil.which(os.environ.get("FIREFOX") or "firefox-esr")
HOW_TO_HAVE_FIREFOX = "apt install firefox-esr, or name one: FIREFOX=/path/to/firefox"
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
PATIENCE = 60  # seconds
# Silent towards the outside, and no port that another Firefox may have: 0 lets the system choose.
PREFERENCES = {
    "marionette.port": 0,
    "app.update.disabledForTesting": True,
    "browser.aboutwelcome.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "devtools.console.stdout.content": True,
    "extensions.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,",
    "toolkit.telemetry.server": "",
    "ui.prefersReducedMotion": 1,
}

# Errors in pages, and not in Firefox's own files. They are then forgotten.
ERRORS = """(() => {
  const { infoFlag, warningFlag } = Ci.nsIScriptError
  const errors = Services.console.getMessageArray()
    .filter((it) => it instanceof Ci.nsIScriptError && it.sourceName.startsWith("http"))
    .filter((it) => !(it.flags & (infoFlag | warningFlag)))
  Services.console.reset()
  return errors.map((it) => `${it.category}: ${it.errorMessage}`)
})()"""


class MarionetteError(Exception):
    """What Firefox answered instead of a result."""


class Firefox:
    def __init__(self, port: int, output: Path) -> None:
        self.output, self.heard = output, 0
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=2 * PATIENCE)
        self.numbers = iter(range(1, 1_000_000))
        self._read()
        self.command("WebDriver:NewSession", {"timeouts": {"implicit": 5_000, "pageLoad": 1000 * PATIENCE}})

    def command(self, name: str, parameters: dict[str, Any] | None = None) -> Any:
        message = json.dumps([0, next(self.numbers), name, parameters or {}]).encode()
        self.socket.sendall(str(len(message)).encode() + b":" + message)
        _, _, error, result = self._read()
        if error:
            raise MarionetteError(f"{name}: {error['error']}: {error['message']}")
        return result.get("value", result) if isinstance(result, dict) else result

    def _read(self) -> Any:
        size = b""
        while (byte := self._receive(1)) != b":":
            size += byte
        return json.loads(self._receive(int(size)))

    def _receive(self, count: int) -> bytes:
        received = b""
        while len(received) < count:
            part = self.socket.recv(count - len(received))
            if not part:
                raise MarionetteError("Firefox has ended.")
            received += part
        return received

    def goto(self, url: str) -> None:
        self.command("WebDriver:Navigate", {"url": url})

    def evaluate(self, expression: str) -> Any:
        return self.command("WebDriver:ExecuteScript", {"script": f"return {expression}", "args": []})

    def wait_for(self, expression: str) -> None:
        """Until it is true."""
        until = time.monotonic() + PATIENCE
        while not self.evaluate(expression):
            if time.monotonic() > until:
                raise MarionetteError(f"Never true: {expression}")
            time.sleep(0.05)

    def click(self, selector: str) -> None:
        found = self._find(selector)
        # Firefox scrolls what is clicked just into view, which may be below a bar.
        centre = "arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })"
        self.command("WebDriver:ExecuteScript", {"script": centre, "args": [{ELEMENT: found}]})
        self.command("WebDriver:ElementClick", {"id": found})

    def type(self, selector: str, text: str) -> None:
        self.command("WebDriver:ElementSendKeys", {"id": self._find(selector), "text": text})

    def _find(self, selector: str) -> str:
        found: str = self.command("WebDriver:FindElement", {"using": "css selector", "value": selector})[ELEMENT]
        return found

    def set_width(self, width: int) -> None:
        """The width of the page in its window: windows are never narrower than 450 px."""
        self._evaluate_in_window(f"Object.assign(gBrowser.selectedBrowser.style, {{ minWidth: 0, maxWidth: '{width}px' }})")

    def errors(self) -> list[str]:
        """What the console shows as errors: of scripts, of the content security policy, and what scripts wrote there."""
        found: list[str] = self._evaluate_in_window(ERRORS)
        lines = self.output.read_text(errors="replace").splitlines()
        written = [line for line in lines[self.heard :] if line.startswith("console.error:")]
        self.heard = len(lines)
        return [*found, *written]

    def _evaluate_in_window(self, expression: str) -> Any:
        self.command("Marionette:SetContext", {"value": "chrome"})
        try:
            return self.evaluate(expression)
        finally:
            self.command("Marionette:SetContext", {"value": "content"})


@contextmanager
def firefox() -> Iterator[Firefox]:
    """A Firefox without a window and with a new profile."""
    assert FIREFOX
    with tempfile.TemporaryDirectory() as folder:
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items()]
        (Path(folder) / "user.js").write_text("\n".join(lines))
        options = ["--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile", folder]
        environment = os.environ | {"MOZ_DISABLE_CONTENT_SANDBOX": "1", "HOME": folder, "MOZ_CRASHREPORTER_DISABLE": "1"}
        output = Path(folder) / "output"
        with output.open("wb") as file:
            process = subprocess.Popen([FIREFOX, *options], env=environment, stdout=file, stderr=subprocess.DEVNULL)
        try:
            browser = Firefox(_port_of(Path(folder), process), output)
            with browser.socket:
                yield browser
        finally:
            process.terminate()
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _port_of(profile: Path, process: subprocess.Popen[bytes]) -> int:
    """Firefox writes the port that the system chose into its profile."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and process.poll() is None:
        try:
            return int((profile / "MarionetteActivePort").read_text())
        except (OSError, ValueError):
            time.sleep(0.1)
    raise MarionetteError("Firefox has not started.")

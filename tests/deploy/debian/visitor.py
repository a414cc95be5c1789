"""A visitor inside the machine: bookmarks one event after the other until the input ends, and writes what was acknowledged."""

from __future__ import annotations

import http.client
import itertools
import re
import ssl
import sys
import threading
import time

HOST, DAY = sys.argv[1:]
COOKIE = re.compile(r"(__Host-hallway)=([^;]+)")


def ask(path: str, body: str | None = None, cookie: str = "") -> tuple[int, str, str]:
    """Status, text and the visitor's cookie."""
    headers = {"Cookie": cookie, "Origin": f"https://{HOST}", "Content-Type": "application/x-www-form-urlencoded"}
    client = http.client.HTTPSConnection(HOST, timeout=60, context=ssl.create_default_context())
    try:
        client.request("POST" if body else "GET", path, body, headers)
        response = client.getresponse()
        found = COOKIE.search(response.headers.get("Set-Cookie", ""))
        return response.status, response.read().decode(), "=".join(found.groups()) if found else cookie
    finally:
        client.close()


def main() -> None:
    over, cookie = threading.Event(), ""
    threading.Thread(target=lambda: (sys.stdin.read(), over.set()), daemon=True).start()
    events = list(dict.fromkeys(re.findall(r"/[\w-]+/events/([0-9a-f-]{36})/", ask(DAY)[1])))
    for event in itertools.cycle(events):
        if over.wait(0.1):
            return
        try:
            status, _, cookie = ask(f"/{DAY.split('/')[1]}/events/{event}/bookmark/", "on=1", cookie)
        except OSError as error:
            status = 0
            time.sleep(0.2)
            print("failed", type(error).__name__, flush=True)  # noqa: T201 - read by the test
        if status:
            print("acknowledged" if status == 302 else f"failed {status}", event, flush=True)  # noqa: T201


if __name__ == "__main__":
    main()

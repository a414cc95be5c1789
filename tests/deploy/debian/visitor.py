"""A visitor inside the machine: sets and resets bookmarks until the input ends, and writes each answer: status, on, event."""

from __future__ import annotations

import http.client
import itertools
import json
import re
import ssl
import sys
import threading

HOST, CONFERENCE = sys.argv[1:]
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
    days = json.loads(ask(f"/{CONFERENCE}/schedule.json")[1])["schedule"]["conference"]["days"]
    events = sorted({event["guid"] for day in days for room in day["rooms"].values() for event in room})
    # Each is bookmarked in the first round, and given up in the next.
    for on, event in ((on, event) for on in itertools.cycle("10") for event in events):
        if over.wait(0.1):
            return
        try:
            status, _, cookie = ask(f"/{CONFERENCE}/events/{event}/bookmark/", f"on={on}", cookie)
        except OSError:
            status = 0
        print(status, on, event, flush=True)  # noqa: T201 - read by the test


if __name__ == "__main__":
    main()

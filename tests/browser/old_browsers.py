"""Chromium without what browsers of 2022 lack: the names of newer features become unknown ones in styles, pages and scripts."""

from __future__ import annotations

import re

from playwright.sync_api import BrowserContext, Route

# Written so that Chromium drops the declaration, the rule or the condition, as an old browser does.
UNKNOWN = "unknown-to-old-browsers"
_NEVER_TRUE = f"@media ({UNKNOWN})"

# iPhones up to iOS 15, Safari 15.4: the oldest one with @layer, without which pages are plain text.
_IN_ALL = [
    (re.compile(r"light-dark\("), f"{UNKNOWN}("),
    (re.compile(r"oklch\(from "), f"{UNKNOWN}(from "),
    (re.compile(r"color-mix\("), f"{UNKNOWN}("),
    (re.compile(r":popover-open"), f":{UNKNOWN}"),
    (re.compile(r"@container[^{]*"), _NEVER_TRUE),
    (re.compile(r"@media[^{]*[<>][^{]*"), _NEVER_TRUE),
    (re.compile(r"text-wrap:"), f"-{UNKNOWN}:"),
]
_IN_2022 = [
    (re.compile(r":has\("), f":{UNKNOWN}("),
    (re.compile(r"selector\(:has"), f"selector(:{UNKNOWN}"),
    (re.compile(r"\b([\d.]+)dv([hw])\b"), r"\1unknown\2"),
    (re.compile(r"\b(translate|rotate|scale):"), rf"-{UNKNOWN}-\1:"),
]
STYLES = {"Safari 15": _IN_ALL, "Chrome 99 and Firefox 97": _IN_ALL + _IN_2022}

_SCRIPT = """
for (const name of ["popover", "showPopover", "hidePopover", "togglePopover"]) delete HTMLElement.prototype[name];
delete Element.prototype.checkVisibility;
"""
_SCRIPT_2022 = """
delete HTMLElement.prototype.inert;
for (const name of ["closest", "matches", "querySelector", "querySelectorAll"]) {
  for (const one of [Element, Document, DocumentFragment]) {
    const native = one.prototype[name];
    if (native) one.prototype[name] = function (selector) {
      if (selector.includes(":has(")) throw new SyntaxError(`:has() is unknown: ${selector}`);
      return native.call(this, selector);
    };
  }
}
"""


def make_old(context: BrowserContext, browser: str) -> None:
    context.add_init_script(_SCRIPT + ("" if browser == "Safari 15" else _SCRIPT_2022))
    context.route("**/*.css", lambda route: _answer_old(route, browser))
    context.route(lambda url: not url.endswith((".css", ".js", ".svg", ".woff2")), _without_popover)


# Address and browser to the rewritten styles: the same files come with each page.
_rewritten: dict[tuple[str, str], str] = {}


def _answer_old(route: Route, browser: str) -> None:
    key = (browser, route.request.url)
    if key not in _rewritten or "/static/" not in route.request.url:
        text = route.fetch().text()
        for pattern, replacement in STYLES[browser]:
            text = pattern.sub(replacement, text)
        _rewritten[key] = text
    route.fulfill(body=_rewritten[key], content_type="text/css; charset=utf-8")


def _without_popover(route: Route) -> None:
    if route.request.resource_type != "document":
        route.continue_()
        return
    answer = route.fetch(max_redirects=0)
    text = re.sub(r"\bpopover(target)?\b", r"data-no-popover\1", answer.text())
    route.fulfill(response=answer, body=text)

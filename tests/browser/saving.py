"""What the service worker saved, as a test sees it."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, Page

SAVED_IN_TIME = 20_000  # milliseconds
NOTE = "caches.match('/offline/notes/demo').then((it) => it && it.json())"
KEYS = """Promise.all((await caches.keys()).map(async (name) => {
  const keys = await (await caches.open(name)).keys();
  return [name.replace(/release-.*/, 'release'), keys.map((key) => key.url.replace(location.origin, ''))];
})).then(Object.fromEntries)"""
STARS = """Promise.all((await caches.keys()).map(async (name) => {
  const cache = await caches.open(name);
  const texts = await Promise.all((await cache.keys()).map(async (key) => (await cache.match(key)).text()));
  return texts.filter((text) => /<button class="bookmark"[^>]*aria-pressed="true"/.test(text)).length;
})).then((counts) => counts.reduce((sum, count) => sum + count, 0))"""


def until(page: Page, expression: str, timeout: int = SAVED_IN_TIME) -> Any:
    """Poll, because the policy forbids what ``wait_for_function`` evaluates."""
    value = None
    for _ in range(timeout // 100):
        value = page.evaluate(f"async () => {expression}")
        if value:
            return value
        page.wait_for_timeout(100)
    raise AssertionError(f"after {timeout} ms {expression} is {value}")


def save_pages(page: Page, address: str = "/demo/") -> None:
    """Open a page and wait until everything is saved and the worker answers for pages."""
    page.goto(address)
    until(page, f"{NOTE}.then((note) => note?.renewed !== undefined && Boolean(navigator.serviceWorker.controller))")


def cached(page: Page) -> dict[str, list[str]]:
    return dict(page.evaluate(f"async () => {KEYS}"))


def line(page: Page) -> Locator:
    return page.locator("#offline-line")

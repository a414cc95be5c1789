from __future__ import annotations

import datetime as dt

import pytest

from events.web.caching import is_current

ETAG = '"abc123"'
NEWEST = dt.datetime(2025, 4, 24, 9, 30, 15, 700_000, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        pytest.param({"If-None-Match": '"abc123"'}, True, id="quoted"),
        pytest.param({"If-None-Match": 'W/"abc123"'}, True, id="weak"),
        pytest.param({"If-None-Match": '"x", W/"abc123","y"'}, True, id="list"),
        pytest.param({"If-None-Match": "*"}, True, id="any"),
        pytest.param({"If-None-Match": '"abc123-gzip"'}, True, id="compressed-by-apache"),
        pytest.param({"If-None-Match": '"abc123;br"'}, True, id="compressed-by-another"),
        pytest.param({"If-None-Match": '"abc124"'}, False, id="another"),
        pytest.param({"If-None-Match": "abc123"}, False, id="not-quoted-is-no-tag"),
        pytest.param({"If-None-Match": '"abc123x", "xabc123"'}, False, id="part-of-another"),
        pytest.param({"If-None-Match": ""}, False, id="empty"),
        pytest.param({"If-None-Match": '"' * 999}, False, id="quotes"),
        pytest.param({"If-None-Match": '"x"', "If-Modified-Since": "Thu, 24 Apr 2025 09:30:15 GMT"}, False, id="tag-wins"),
        pytest.param({"If-Modified-Since": "Thu, 24 Apr 2025 09:30:15 GMT"}, True, id="same-second"),
        pytest.param({"If-Modified-Since": "Thu, 24 Apr 2025 09:30:14 GMT"}, False, id="a-second-before"),
        pytest.param({"If-Modified-Since": "Fri, 25 Apr 2025 00:00:00 GMT"}, True, id="later"),
        pytest.param({"If-Modified-Since": "yesterday"}, False, id="no-date"),
        pytest.param({}, False, id="nothing-asked"),
    ],
)
def test_is_current_when_the_client_has_this_version(headers: dict[str, str], *, expected: bool) -> None:
    assert is_current(headers, ETAG, lambda: NEWEST) is expected


def test_is_current_is_false_when_nothing_was_ever_changed() -> None:
    assert is_current({"If-Modified-Since": "Fri, 25 Apr 2025 00:00:00 GMT"}, ETAG, lambda: None) is False

from __future__ import annotations

import pytest

from events.calendars.health import CLIENT_NAMES, CLIENT_PATTERNS, OTHER_CLIENT, client_kind
from events.models import FeedFetch

CHROME = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0 Safari/537.36"
SAFARI = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Safari/604.1"


@pytest.mark.parametrize(
    ("user_agent", "kind"),
    [
        ("Google-Calendar-Importer", "google"),
        ("Mozilla/5.0 (compatible; Google-Calendar-Importer)", "google"),
        ("iOS/17.1 (21B74) dataaccessd/1.0", "iphone"),
        ("dataaccessd/1.0 (Mac OS X)", "iphone"),
        ("macOS/14.1 (23B74) CalendarAgent/988", "mac"),
        ("Mac OS X/10.15.7 (19H2) CalendarAgent/930.5.1", "mac"),
        ("Mac+OS+X/10.10.5 (14F27) CalendarAgent/316.1", "mac"),
        ("Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.17126; Pro)", "outlook"),
        ("Mozilla/4.0 (compatible; ms-office; MSOffice 16)", "outlook"),
        ("Microsoft.Exchange/15.20 (Windows NT 10.0; Win64; x64)", "outlook"),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.4.0", "thunderbird"),
        ("Nextcloud Webcal Service", "nextcloud"),
        ("ICSx5/2.2.4 (at.bitfire.icsdroid; ktor) Android/14", "icsx5"),
        ("vdirsyncer/0.19.3", "vdirsyncer"),
        ("Evolution/3.46.4", "gnome"),
        (CHROME, "browser"),
        (SAFARI, "browser"),
        ("curl/7.88.1", "other"),
        ("", "other"),
        ("x" * 100_000 + "Google-Calendar-Importer", "other"),
        ("\x00\ud800<script>", "other"),
    ],
)
def test_kind_of_client(user_agent: str, kind: str) -> None:
    assert client_kind(user_agent) == kind


def test_every_kind_has_a_name_and_fits_its_column() -> None:
    kinds = [*(kind for kind, _, _ in CLIENT_PATTERNS), OTHER_CLIENT]

    assert list(CLIENT_NAMES) == kinds
    assert max(len(kind) for kind in kinds) <= FeedFetch._meta.get_field("client").max_length

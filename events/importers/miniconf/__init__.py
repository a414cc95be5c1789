"""Mini-Conf's sitedata (ICLR 2020's dialect, the standard one, ACL 2020's socials) into ScheduleData."""

from __future__ import annotations

from events.importers.miniconf.site import parse
from events.importers.miniconf.sitedata import recognises

__all__ = ["parse", "recognises"]

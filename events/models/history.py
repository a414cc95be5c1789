"""Who changed what, also when a row is saved through one of its proxies."""

from __future__ import annotations

from typing import Any

from django.db.models.signals import post_delete, post_save, pre_delete
from simple_history.models import HistoricalRecords


class SharedRecords(HistoricalRecords):
    """One history for a model and its proxies; the library by itself sees only saves of the model's own class."""

    def finalize(self, sender: Any, **kwargs: Any) -> None:
        if not (sender._meta.proxy and issubclass(sender, self.cls)):
            super().finalize(sender, **kwargs)
            return
        for signal, handler in [(post_save, self.post_save), (post_delete, self.post_delete), (pre_delete, self.pre_delete)]:
            signal.connect(handler, sender=sender, weak=False)
        sender._meta.simple_history_manager_attribute = self.manager_name

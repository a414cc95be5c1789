"""What Prometheus reads from the database: the mail that waits, and the imports."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Count, Min
from django.utils import timezone
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from events.imports.models import ImportOutcome, ImportRun
from events.mail.models import Letter


class DatabaseCollector(Collector):
    def collect(self) -> Iterator[GaugeMetricFamily]:
        letters = Letter.objects.aggregate(count=Count("pk"), oldest=Min("created_at"))
        age = (timezone.now() - letters["oldest"]).total_seconds() if letters["oldest"] else 0.0
        yield GaugeMetricFamily("hallway_mail_letters", "Letters that wait in the outbox.", letters["count"])
        yield GaugeMetricFamily("hallway_mail_oldest_seconds", "Age of the oldest of them; 0 without one.", max(age, 0.0))
        runs = GaugeMetricFamily("hallway_import_runs", "Imports that are on record, by outcome.", labels=["outcome"])
        counts = dict(ImportRun.objects.order_by().values_list("outcome").annotate(Count("pk")))
        for outcome in ImportOutcome:
            runs.add_metric([outcome.value], counts.get(outcome.value, 0))
        yield runs


def database_metrics() -> bytes:
    registry = CollectorRegistry()
    registry.register(DatabaseCollector())
    return generate_latest(registry)

"""Look at the addresses whose programmes conferences follow."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from events.admin.programme.import_impact import import_impact
from events.core.fetching import PUBLIC_INTERNET
from events.doctor.models import CommandRun
from events.imports.following import follow
from events.imports.models import FollowedSource
from events.mail.outbox import deliver
from events.programme.models.conference import Conference


class Command(BaseCommand):
    help = "Look at the addresses whose programmes conferences follow, apply what may be applied; each 15 minutes, from cron."
    internet = PUBLIC_INTERNET

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--conference", default="", metavar="SLUG", help="only those of this conference, also if they failed")

    def handle(self, *args: Any, **options: Any) -> None:
        now, slug = timezone.now(), options["conference"]
        if slug and not Conference.objects.filter(slug=slug).exists():
            raise CommandError(f"There is no conference “{slug}”.")
        sources = FollowedSource.objects.followed(now).filter(conference__slug=slug) if slug else FollowedSource.objects.due(now)
        for source in sources.select_related("conference"):
            look = follow(source, impact_of=import_impact, internet=self.internet)
            self.stdout.write(f"{source.conference.slug}, {source}: {look.result}. {look.text}")
        deliver()
        CommandRun.objects.record("follow_sources")

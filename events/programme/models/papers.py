"""Papers with their authors, awards and links."""

from __future__ import annotations

import uuid
from functools import cached_property

from django.db import models
from django.db.models import Q
from django.urls import reverse
from simple_history.models import HistoricalRecords

from events.core.db.fields import LineField, ProseField, WebAddressField
from events.programme.models.conference import Conference, Imported, Revisable, unique_guid, unique_source
from events.programme.models.labels import Topic


class PaperQuerySet(models.QuerySet["Paper"]):
    def public(self) -> PaperQuerySet:
        return self.filter(is_public=True, conference__status="published")


class Paper(Imported, Revisable):
    """A work; each time it is shown (oral, poster, workshop) is an event."""

    event_paths = ("paper",)

    conference = models.ForeignKey(Conference, models.CASCADE, related_name="papers")
    guid = models.UUIDField(default=uuid.uuid4, editable=False)
    title = LineField(max_length=500)
    tldr = LineField("TL;DR", max_length=1000, blank=True, help_text="One sentence; shown in lists.")
    abstract = ProseField(help_text="Markdown and $TeX$.")
    topic = models.ForeignKey(Topic, models.SET_NULL, null=True, blank=True, related_name="papers")
    is_public = models.BooleanField("public", default=True)
    history = HistoricalRecords(excluded_fields=["imported"])

    objects = PaperQuerySet.as_manager()

    class Meta:
        ordering = ["title", "pk"]
        constraints = [unique_guid("paper"), unique_source("paper")]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("events:paper-detail", args=[self.conference.slug, self.guid])

    @cached_property
    def author_names(self) -> list[str]:
        return [authorship.person.name for authorship in self.authorships.all()]


class Authorship(models.Model):
    paper = models.ForeignKey(Paper, models.CASCADE, related_name="authorships")
    person = models.ForeignKey("events.Person", models.CASCADE, related_name="authorships")
    position = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["position", "pk"]
        constraints = [models.UniqueConstraint(fields=["paper", "person"], name="authorship_once")]

    def __str__(self) -> str:
        return f"{self.person}, author {self.position + 1}"


class AwardLevel(models.TextChoices):
    WINNER = "winner", "Winner"
    RUNNER_UP = "runner-up", "Runner-up"
    HONOURABLE_MENTION = "honourable-mention", "Honourable mention"


class AwardQuerySet(models.QuerySet["Award"]):
    def public(self) -> AwardQuerySet:
        return self.filter(Q(paper=None) | Q(paper__is_public=True))


class Award(Imported, Revisable):
    conference = models.ForeignKey(Conference, models.CASCADE, related_name="awards")
    name = LineField(max_length=100, help_text="Outstanding paper, Test of time …")
    level = models.CharField(max_length=30, choices=AwardLevel, default=AwardLevel.WINNER)
    year = models.PositiveIntegerField()
    paper = models.ForeignKey(Paper, models.CASCADE, null=True, blank=True, related_name="awards")
    event = models.ForeignKey(
        "events.Event", models.SET_NULL, null=True, blank=True, related_name="awards", help_text="Its talk."
    )
    citation = ProseField(help_text="Why the committee chose it.")
    position = models.PositiveIntegerField(default=0)

    objects = AwardQuerySet.as_manager()

    class Meta:
        ordering = ["position", "pk"]
        constraints = [unique_source("award")]

    def __str__(self) -> str:
        return f"{self.name} {self.year}: {self.get_level_display().lower()}"


class LinkKind(models.TextChoices):
    PAPER = "paper", "Paper"
    CODE = "code", "Code"
    SLIDES = "slides", "Slides"
    POSTER = "poster", "Poster"
    VIDEO = "video", "Video"
    WEBSITE = "website", "Website"
    SOURCE = "source", "Source"


class Link(models.Model):
    """A typed address of one event or one paper."""

    event = models.ForeignKey("events.Event", models.CASCADE, null=True, blank=True, related_name="links")
    paper = models.ForeignKey(Paper, models.CASCADE, null=True, blank=True, related_name="links")
    kind = models.CharField(max_length=20, choices=LinkKind, default=LinkKind.WEBSITE)
    title = LineField(max_length=200, blank=True)
    url = WebAddressField(blank=False)
    position = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["position", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(event__isnull=False, paper__isnull=True) | Q(event__isnull=True, paper__isnull=False),
                name="link_has_one_owner",
            ),
        ]

    def __str__(self) -> str:
        return self.title or self.get_kind_display()

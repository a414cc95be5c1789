"""Sponsors and exhibitors, by level."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import models
from django.urls import reverse

from events.core.db.fields import LineField, WebAddressField
from events.core.pictures import Ground, LogoField
from events.programme.models.conference import Conference, Revisable


class SponsorLevel(Revisable):
    conference = models.ForeignKey(Conference, models.CASCADE, related_name="sponsor_levels")
    name = LineField(max_length=60, help_text="As the heading of the list: Gold, Exhibitors.")
    in_overview = models.BooleanField(
        "logos on the overview",
        default=False,
        help_text="In one line at the end of the overview.",
    )
    position = models.PositiveIntegerField(default=0, help_text="Low numbers come first.")

    class Meta:
        ordering = ["position", "name", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["conference", "name"],
                name="sponsor_level_unique_name",
                violation_error_message="This conference has that level already.",
            )
        ]

    def __str__(self) -> str:
        return self.name


class Sponsor(Revisable):
    conference = models.ForeignKey(Conference, models.CASCADE, related_name="sponsors")
    level = models.ForeignKey(SponsorLevel, models.RESTRICT, related_name="sponsors")
    name = LineField(max_length=100)
    url = WebAddressField("website")
    about = LineField(max_length=300, blank=True, help_text="One or two sentences.")
    booth = LineField(max_length=40, blank=True, help_text="As on its sign: B12. An area of a floor plan makes it a link.")
    logo = LogoField(upload_to="sponsors/", blank=True)
    logo_ground = models.CharField(max_length=10, choices=Ground, blank=True, default="", editable=False)
    logo_width = models.PositiveIntegerField(null=True, editable=False)
    logo_height = models.PositiveIntegerField(null=True, editable=False)
    position = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["position", "name", "pk"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return f"{reverse('events:sponsor-list', args=[self.conference.slug])}#sponsor-{self.pk}"

    def clean(self) -> None:
        if self.level_id and self.level.conference_id != self.conference_id:
            raise ValidationError({"level": "This level belongs to another conference."})

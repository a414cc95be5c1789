"""People and their appearances in events."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.urls import reverse
from simple_history.models import HistoricalRecords

from events.core.db.fields import LineField, ProseField, SortKeyField, WebAddressField
from events.core.photos import PhotoField
from events.programme.models.conference import Conference, Imported, Revisable, unique_guid, unique_source
from events.programme.models.labels import public_within
from events.programme.models.papers import Authorship


class PersonQuerySet(models.QuerySet["Person"]):
    def public(self) -> PersonQuerySet:
        writing = Authorship.objects.filter(person=OuterRef("pk"), paper__is_public=True, paper__conference__status="published")
        # Written out, so that the database reads the events of one person and not all events for each person.
        appearing = Appearance.objects.filter(public_within("event"), person=OuterRef("pk"))
        return self.filter(Exists(writing) | Exists(appearing))


class Person(Imported, Revisable):
    quiet_fields = Revisable.quiet_fields | {"sort_key"}
    event_paths = (
        "appearances__person",
        "paper__authorships__person",
    )

    conference = models.ForeignKey(Conference, models.CASCADE, related_name="people")
    guid = models.UUIDField(default=uuid.uuid4, editable=False)
    name = LineField(max_length=200)
    sort_name = LineField(max_length=200, blank=True, help_text="How lists order the name; the last word leads if empty.")
    sort_key = SortKeyField()
    affiliation = LineField(max_length=300, blank=True)
    bio = ProseField()
    url = WebAddressField("own website")
    photo = PhotoField(upload_to="people/", blank=True)
    photo_alt = LineField("what the photo shows", max_length=500, blank=True)
    history = HistoricalRecords(excluded_fields=["imported", "sort_key"])

    objects = PersonQuerySet.as_manager()

    class Meta:
        ordering = ["sort_key", "pk"]
        verbose_name_plural = "people"
        constraints = [
            unique_guid("person"),
            unique_source("person"),
            models.CheckConstraint(
                condition=Q(photo="") | ~Q(photo_alt=""),
                name="person_photo_has_alt",
                violation_error_message="Say in words what the photo shows.",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("events:person-detail", args=[self.conference.slug, self.guid])

    def clean(self) -> None:
        if self.photo and not self.photo_alt:
            self.photo_alt = f"Photo of {self.name}"


class Role(models.TextChoices):
    SPEAKER = "speaker", "Speaker"
    HOST = "host", "Host"
    MODERATOR = "moderator", "Moderator"
    PANELLIST = "panellist", "Panellist"


class Appearance(models.Model):
    """One person in one event, with a role."""

    event = models.ForeignKey("events.Event", models.CASCADE, related_name="appearances")
    person = models.ForeignKey(Person, models.CASCADE, related_name="appearances")
    role = models.CharField(max_length=20, choices=Role, default=Role.SPEAKER)
    remote = models.BooleanField("joins remotely", default=False)
    position = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["position", "pk"]
        constraints = [models.UniqueConstraint(fields=["event", "person", "role"], name="appearance_once_per_role")]

    def __str__(self) -> str:
        return f"{self.person}, {self.get_role_display().lower()}" + (" (remote)" if self.remote else "")

"""Pages that organisers write: a code of conduct, Wi-Fi, visa, child care."""

from __future__ import annotations

from typing import Any, Self

from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.urls import reverse
from django.utils import timezone

from events.core.db.fields import LineField, ProseField
from events.core.photos import PhotoField
from events.programme.drafts import drafts_are_shown
from events.programme.models.conference import Conference, Revisable

DATED_FIELDS = ("title", "text")
"""Of which a change is a change of the page; its place in the menu is none."""


class InfoPageQuerySet(models.QuerySet["InfoPage"]):
    def public(self) -> Self:
        return self.all() if drafts_are_shown() else self.filter(is_public=True, conference__status="published")


class InfoPage(Revisable):
    quiet_fields = Revisable.quiet_fields | {"changed_at"}

    conference = models.ForeignKey(Conference, models.CASCADE, related_name="info_pages")
    title = LineField(max_length=60, help_text="As in the menu: Code of conduct.")
    slug = models.SlugField(max_length=60, help_text="The last part of its address: code-of-conduct.")
    text = ProseField(help_text="Markdown. ## begins a heading, - a list. ![](map) shows the picture “map” from below.")
    is_public = models.BooleanField(
        "public", default=False, help_text="Without this it is a draft: only organisers and holders of a preview link see it."
    )
    position = models.PositiveIntegerField(default=0, help_text="Its place in the menu: low numbers come first.")
    changed_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = InfoPageQuerySet.as_manager()

    class Meta:
        ordering = ["position", "title", "pk"]
        verbose_name = "page"
        constraints = [
            models.UniqueConstraint(
                fields=["conference", "slug"],
                name="info_page_unique_slug",
                violation_error_message="Another page of this conference has that address.",
            )
        ]

    def __str__(self) -> str:
        return self.title

    def save(self, *args: Any, **kwargs: Any) -> None:
        stored = InfoPage.objects.filter(pk=self.pk).values_list(*DATED_FIELDS).first()
        if stored != tuple(getattr(self, name) for name in DATED_FIELDS):
            self.changed_at = timezone.now()
        super().save(*args, **kwargs)

    def get_absolute_url(self) -> str:
        return reverse("events:info-page", args=[self.conference.slug, self.slug])


class PagePicture(models.Model):
    """A picture of a page; one that the text does not mention by name is shown below it."""

    page = models.ForeignKey(InfoPage, models.CASCADE, related_name="pictures")
    name = models.SlugField(max_length=60, help_text="For the text: map.")
    photo = PhotoField("picture", upload_to="pages/")
    alt = LineField("what the picture shows", max_length=500)
    photo_width = models.PositiveIntegerField(null=True, editable=False)
    photo_height = models.PositiveIntegerField(null=True, editable=False)
    position = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["position", "pk"]
        verbose_name = "picture"
        constraints = [
            models.UniqueConstraint(
                fields=["page", "name"],
                name="page_picture_unique_name",
                violation_error_message="Another picture of this page has that name.",
            )
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        with transaction.atomic():
            super().save(*args, **kwargs)
            self._date_page()

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        with transaction.atomic():
            self._date_page()
            return super().delete(*args, **kwargs)

    def clean(self) -> None:
        if not self.alt.strip():
            raise ValidationError({"alt": "Say in words what the picture shows, for people who cannot see it."})

    def _date_page(self) -> None:
        InfoPage.objects.filter(pk=self.page_id).update(changed_at=timezone.now())

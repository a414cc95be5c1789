"""The look of a conference: its logo, the picture above its overview, and its icon."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from events.core.db.fields import LineField
from events.core.pictures import Ground, HeaderField, IconField, LogoField

PICTURES_HELP_TEXT = "A JPEG, PNG or WebP picture."
MEASURED_FIELDS = ("logo_ground", "logo_width", "logo_height", "header_picture_width", "header_picture_height")
"""What is read from the pictures when they are stored."""
HEADER_HELP_TEXT = f"{PICTURES_HELP_TEXT} Above the overview before and after the conference, 1200 × 480 pixels or in this shape."


class ConferenceLooks(models.Model):
    """The columns have defaults in the database, because an earlier release does not write them."""

    logo = LogoField(
        upload_to="looks/",
        blank=True,
        default="",
        db_default="",
        help_text=f"{PICTURES_HELP_TEXT} Beside the name on pages, wall screens, paper and the pictures of shared links.",
    )
    logo_ground = models.CharField(max_length=10, choices=Ground, blank=True, default="", db_default="", editable=False)
    logo_width = models.PositiveIntegerField(null=True, editable=False)
    logo_height = models.PositiveIntegerField(null=True, editable=False)
    header_picture = HeaderField(
        upload_to="looks/",
        blank=True,
        default="",
        db_default="",
        help_text=HEADER_HELP_TEXT,
    )
    header_alt = LineField("what the header picture shows", max_length=500, blank=True, default="", db_default="")
    header_picture_width = models.PositiveIntegerField(null=True, editable=False)
    header_picture_height = models.PositiveIntegerField(null=True, editable=False)
    icon = IconField(
        upload_to="looks/",
        blank=True,
        default="",
        db_default="",
        help_text=f"{PICTURES_HELP_TEXT} A square, at least 180 pixels wide, for tabs and home screens.",
    )

    class Meta:
        abstract = True


# Of the model, because a constraint of an abstract class would need a name with placeholders.
HEADER_HAS_ALT = models.CheckConstraint(
    condition=Q(header_picture="") | ~Q(header_alt=""),
    name="conference_header_has_alt",
    violation_error_message="Say in words what the header picture shows.",
)

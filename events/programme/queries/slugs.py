"""Where the former address of a conference leads."""

from __future__ import annotations

from events.programme.models.conference import Conference, FormerSlug


def present_slug(former: str) -> str | None:
    """Return the slug of the published conference that once had ``former``, if any."""
    conferences = Conference.objects.public().filter(pk__in=FormerSlug.objects.filter(slug=former).values("conference"))
    return conferences.values_list("slug", flat=True).first()

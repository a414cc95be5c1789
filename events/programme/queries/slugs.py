"""Where the former address of a conference leads, and its host names."""

from __future__ import annotations

from events.programme.models.conference import Conference, ConferenceHost, ConferenceStatus, FormerSlug


def present_slug(former: str) -> str | None:
    """Return the slug of the published conference that once had ``former``, if any."""
    conferences = Conference.objects.public().filter(pk__in=FormerSlug.objects.filter(slug=former).values("conference"))
    return conferences.values_list("slug", flat=True).first()


def slug_by_host() -> dict[str, str]:
    """Return the slugs of published conferences by their host names."""
    hosts = ConferenceHost.objects.filter(conference__status=ConferenceStatus.PUBLISHED)
    return dict(hosts.values_list("name", "conference__slug"))

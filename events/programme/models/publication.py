"""The steps of a whole conference: it is published, goes back to draft, gets another slug."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from events.programme.models.changes import ChangeGroup, ChangeGroupKind
from events.programme.models.conference import Conference, ConferenceStatus, FormerSlug


def publish_conference(conference: Conference, *, note: str = "", by: str = "") -> ChangeGroup | None:
    """Publish a draft, as one entry among the changes; None if somebody else published it meanwhile.

    A later publication is an entry only if it has a note or something differs from what attendees saw before.
    """
    with transaction.atomic():
        stored = Conference.objects.select_for_update().get(pk=conference.pk)
        if stored.status == ConferenceStatus.PUBLISHED:
            return None
        stored.status = ConferenceStatus.PUBLISHED
        stored.save()
        stored.bump_revision()
        is_first = not stored.change_groups.filter(kind=ChangeGroupKind.PUBLICATION).exists()
        group = ChangeGroup.objects.create(
            conference=stored,
            kind=ChangeGroupKind.PUBLICATION,
            title=f"{stored} is published{'' if is_first else ' again'}",
            note=note,
            by=by,
            is_public=is_first or bool(note),
        )
        stored.events.record_changes(group=group)
    return group


def withdraw_conference(conference: Conference) -> bool:
    """Make a published conference a draft again; False if it is one already. Agendas and snapshots stay for its return."""
    with transaction.atomic():
        stored = Conference.objects.select_for_update().get(pk=conference.pk)
        if stored.status == ConferenceStatus.DRAFT:
            return False
        stored.status = ConferenceStatus.DRAFT
        stored.save()
        stored.bump_revision()
    return True


def change_slug(conference: Conference, slug: str) -> None:
    """Addresses with the former slug lead to the new ones. Raise ValidationError if somebody took the slug meanwhile."""
    with transaction.atomic():
        stored = Conference.objects.select_for_update().get(pk=conference.pk)
        if stored.slug == slug:
            return
        former, stored.slug = stored.slug, slug
        stored.full_clean()
        FormerSlug.objects.filter(conference=stored, slug=slug).delete()
        FormerSlug.objects.update_or_create(slug=former, defaults={"conference": stored, "until": timezone.now()})
        stored.save()
        stored.bump_revision()


def delete_conference(conference: Conference) -> None:
    """Delete it with all that belongs to it; the caller has made sure that nobody loses anything."""
    with transaction.atomic():
        # Sessions and talks point to each other and to rooms and days, which must not go before them.
        conference.events.all().delete()
        conference.delete()

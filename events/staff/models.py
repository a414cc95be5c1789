"""Who organises, and on which conference; preview links, at which a conference is seen with its drafts."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth.models import Group, User, UserManager
from django.db import models
from django.utils import timezone

from events.core.db.fields import LineField
from events.core.db.writing import serialized_write
from events.core.tokens import SecretAddress, hash_token
from events.programme.models.conference import Conference

MAX_PREVIEW_LINKS = 20
ORGANISERS, SOCIAL_CHAIRS, MODERATORS, ROOM_HELPERS = "Organisers", "Social chairs", "Moderators", "Room helpers"
STAFF_GROUP_NAMES = (ORGANISERS, SOCIAL_CHAIRS, MODERATORS, ROOM_HELPERS)


class StaffMemberManager(UserManager["StaffMember"]):
    use_in_migrations = False

    def get_queryset(self) -> models.QuerySet[StaffMember]:
        return super().get_queryset().filter(is_staff=True)


class StaffMember(User):
    """Somebody who may enter the admin, or is invited to."""

    quiet_fields = frozenset({"password", "last_login"})

    objects: ClassVar[StaffMemberManager] = StaffMemberManager()

    class Meta:
        proxy = True
        ordering = ["username"]
        verbose_name = "member of staff"
        verbose_name_plural = "staff"

    @property
    def is_invited(self) -> bool:
        """True until the password is chosen."""
        return self.is_active and not self.has_usable_password()


class StaffRole(models.Model):
    """What somebody may do in one conference: what the group may. Groups of the account itself count for every conference."""

    user = models.ForeignKey(User, models.CASCADE, related_name="staff_roles")
    group = models.ForeignKey(Group, models.CASCADE, related_name="staff_roles", verbose_name="role")
    conference = models.ForeignKey(Conference, models.CASCADE, related_name="staff_roles")

    class Meta:
        ordering = ["conference", "group", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["user", "group", "conference"],
                name="staff_role_once",
                violation_error_message="They have this role already.",
            )
        ]

    def __str__(self) -> str:
        return f"{self.group.name}: {self.conference}"


class PreviewLinkQuerySet(models.QuerySet["PreviewLink"]):
    def active(self) -> PreviewLinkQuerySet:
        return self.filter(revoked_at=None)

    def alive(self, token: str) -> PreviewLink | None:
        """The link of this token with its conference, unless it was withdrawn."""
        return self.active().filter(token_hash=hash_token(token)).select_related("conference").first()


class PreviewLink(SecretAddress):
    """Shows the programme with its drafts to whoever has the address, until an organiser withdraws it."""

    salt = "hallway.preview-link"

    conference = models.ForeignKey(Conference, models.CASCADE, related_name="preview_links")
    label = LineField("for whom", max_length=60, blank=True, help_text="Only organisers see this: speakers, the co-chairs.")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    created_by = models.CharField(max_length=150, blank=True, editable=False)
    revoked_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = PreviewLinkQuerySet.as_manager()

    class Meta:
        ordering = ["created_at", "pk"]

    def __str__(self) -> str:
        return self.label or f"Link of {self.created_at:%Y-%m-%d}"

    @classmethod
    def begin(cls, conference: Conference, label: str, created_by: str) -> PreviewLink | None:
        """None if the conference has ``MAX_PREVIEW_LINKS`` already."""
        with serialized_write():
            conference.lock()
            if conference.preview_links.active().count() >= MAX_PREVIEW_LINKS:
                return None
            link = cls(conference=conference, label=label, created_by=created_by)
            link.make_token()
            link.save(force_insert=True)
        return link

    def revoke(self) -> None:
        type(self).objects.active().filter(pk=self.pk).update(revoked_at=timezone.now())


class CurrentConference(models.Model):
    """The conference that an organiser chose to work on. The header of the admin names it, also after the next sign-in."""

    user = models.OneToOneField(User, models.CASCADE, related_name="+")
    conference = models.ForeignKey(Conference, models.CASCADE, related_name="+")

    def __str__(self) -> str:
        return f"{self.user}: {self.conference}"

    @staticmethod
    def choose(user: Any, conference: Conference) -> None:
        """In one statement, so that two requests at once do no harm."""
        rows = [CurrentConference(user=user, conference=conference)]
        CurrentConference.objects.bulk_create(rows, update_conflicts=True, unique_fields=["user"], update_fields=["conference"])


class MailChoice(models.Model):
    """What a member of staff is mailed about, and when the last such letter was written."""

    user = models.OneToOneField(User, models.CASCADE, related_name="mail_choice")
    proposals = models.BooleanField("Proposals that wait for a decision", default=True, db_default=True)
    faults = models.BooleanField("What attendees report as missing or wrong", default=True, db_default=True)
    questions = models.BooleanField("Questions that are held back", default=True, db_default=True)
    rooms = models.BooleanField("Rooms that attendees report as full", default=True, db_default=True)
    programmes = models.BooleanField("Programmes at addresses that are followed", default=True, db_default=True)
    mailed_at = models.DateTimeField(null=True, blank=True, editable=False)

    def __str__(self) -> str:
        return f"Mail of {self.user}"

    @classmethod
    def of(cls, user: User) -> MailChoice:
        """The stored choice, or a new one with everything on, which is not stored."""
        return cls.objects.filter(user=user).first() or cls(user=user)

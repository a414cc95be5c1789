"""What rows have in common: where they came from, and that attendees see them change."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from django.apps import apps
from django.db import models, transaction
from django.db.models import F, Q

if TYPE_CHECKING:
    from events.models.conference import Conference
    from events.models.event import EventQuerySet


class Imported(models.Model):
    """A row that a file may have brought, and the values it brought last, so that hand edits are told from old values."""

    source = models.CharField(max_length=60, blank=True, editable=False)
    source_key = models.CharField(max_length=200, blank=True, editable=False)
    imported = models.JSONField(default=dict, blank=True, editable=False)

    class Meta:
        abstract = True


class Revisable(models.Model):
    """A row attendees see: saved through revise(), it moves the conference's revision if anything changed."""

    quiet_fields: ClassVar[frozenset[str]] = frozenset({"source", "source_key", "imported"})
    event_paths: ClassVar[tuple[str, ...]] = ()
    """How an event refers to this row, where its card or calendar entry shows it."""
    announces_quietly: ClassVar[bool] = False

    class Meta:
        abstract = True

    def home(self) -> Conference:
        """The conference this row belongs to."""
        conference: Conference = getattr(self, "conference")  # noqa: B009 - each subclass has the field, the base cannot
        return conference

    def is_changed(self) -> bool:
        """Whether saving would write anything attendees can see."""
        names = [f.attname for f in self._meta.concrete_fields if f.name not in self.quiet_fields]
        stored = type(self)._base_manager.filter(pk=self.pk).values(*names).first()
        return stored is None or any(getattr(self, name) != value for name, value in stored.items())

    def touched_events(self) -> EventQuerySet:
        """The events whose card or calendar entry shows this row."""
        events: EventQuerySet = apps.get_model("events", "Event").objects.all()
        if not self.event_paths:
            return events.none()
        return events.filter(pk__in=events.filter(Q(*((path, self) for path in self.event_paths), _connector=Q.OR)).values("pk"))

    def revise(self, *, reason: str = "") -> bool:
        """Save if anything changed, and let everything that shows this row say so; False when nothing did."""
        with transaction.atomic():
            if not self.is_changed():
                return False
            self.home().hold()
            self.save()
            self.home().bump()
            self.touched_events().announce(reason=reason, quiet=self.announces_quietly)
        return True


def unique_source(name: str, owner: str = "conference") -> models.UniqueConstraint:
    """One row per source and key; rows made by hand have neither."""
    return models.UniqueConstraint(
        fields=[owner, "source", "source_key"],
        condition=~Q(source_key=""),
        name=f"{name}_unique_in_source",
        violation_error_message="This source has brought that key already.",
    )


def plus_one(field: str) -> F:
    """An increment done by the database, so that two at once both count."""
    return F(field) + 1  # type: ignore[return-value]

"""What roles allow: the conference that their holders work on, and their permissions there."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any, NamedTuple

from django.contrib.auth.backends import BaseBackend, ModelBackend
from django.contrib.auth.models import Permission, User
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from events.core.clock import programme_date
from events.programme.models.conference import HIDDEN_SOURCE, Conference
from events.staff.models import CurrentConference, StaffRole

CONFINEMENT_READ_ONCE = "hallway_confinement"
PERMISSIONS_READ_ONCE = "hallway_role_permissions"
APP_LABEL = "events"
WHOLE_SITE_CODENAMES = (
    *("add_conference", "delete_conference"),
    *("add_conferencehost", "change_conferencehost", "delete_conferencehost"),
)
"""What reaches beyond one conference, which no role gives: other conferences, and the host names of the site."""

HAS_PERMISSION_EVERYWHERE = Q(groups__permissions__isnull=False) | Q(user_permissions__isnull=False)


class Confinement(NamedTuple):
    """The conferences in which somebody has a role, the latest first, and the one they work on: they see nothing of others."""

    conferences: tuple[Conference, ...]
    current: Conference | None

    def names(self, slug: str) -> bool:
        return any(it.slug == slug for it in self.conferences)


def confinement(user: Any) -> Confinement | None:
    """None for those whose permissions count for every conference: roles add nothing to them. It is read once in a request."""
    if user.is_superuser or ModelBackend().get_all_permissions(user):
        return None
    if not hasattr(user, CONFINEMENT_READ_ONCE):
        setattr(user, CONFINEMENT_READ_ONCE, _read_confinement(user))
    found: Confinement = getattr(user, CONFINEMENT_READ_ONCE)
    return found


def _read_confinement(user: Any) -> Confinement:
    if not user.is_active:
        return Confinement((), None)
    chosen = CurrentConference.objects.filter(user=user.pk, conference=OuterRef("pk"))
    mine = StaffRole.objects.filter(user=user.pk, conference=OuterRef("pk"))
    rows = Conference.objects.exclude(source=HIDDEN_SOURCE).filter(Exists(mine)).annotate(is_chosen=Exists(chosen))
    conferences: tuple[Any, ...] = tuple(rows.defer("imported", "about"))
    current = next((it for it in conferences if it.is_chosen), None)
    return Confinement(conferences, current or running_or_next(conferences, timezone.now()))


def forget_confinement(user: Any) -> None:
    """After another conference was chosen."""
    for name in (CONFINEMENT_READ_ONCE, PERMISSIONS_READ_ONCE):
        if hasattr(user, name):
            delattr(user, name)


def organises_everything(user: User) -> bool:
    """The same as having no confinement, in one query, where no permission is asked for."""
    return user.is_superuser or User.objects.filter(HAS_PERMISSION_EVERYWHERE, pk=user.pk).exists()


def running_or_next(conferences: Sequence[Conference], now: dt.datetime) -> Conference | None:
    """The one that is on, the last to have begun first; else the next to start; else the last that ended."""
    dated = [(it, programme_date(now, it.zone)) for it in conferences]
    running = [it for it, today in dated if it.start <= today <= it.end]
    coming = [it for it, today in dated if today < it.start]
    if running:
        return max(running, key=lambda it: it.start)
    if coming:
        return min(coming, key=lambda it: it.start)
    return max(conferences, key=lambda it: it.end, default=None)


class RoleBackend(BaseBackend):
    """Permissions by roles, beside Django's own by groups.

    Without an object they are those in the conference that the user works on; with a conference, those in it.
    """

    def get_group_permissions(self, user_obj: Any, obj: Any = None) -> set[str]:
        confined = confinement(user_obj)
        if not user_obj.is_active or not (obj is None or isinstance(obj, Conference)):
            return set()
        if confined is None:
            return set() if obj is None else ModelBackend().get_all_permissions(user_obj)
        conference = obj or confined.current
        return _permissions_in(user_obj, conference) if conference else set()

    def has_module_perms(self, user_obj: Any, app_label: str) -> bool:
        return app_label == APP_LABEL and bool(self.get_group_permissions(user_obj))

    def with_perm(
        self, perm: str, is_active: bool = True, include_superusers: bool = False, obj: Conference | None = None
    ) -> QuerySet[User]:
        """Those who have the permission by a role in this conference."""
        app_label, _, codename = perm.partition(".")
        if app_label != APP_LABEL or codename in WHOLE_SITE_CODENAMES or obj is None:
            return User.objects.none()
        giving = Permission.objects.filter(content_type__app_label=APP_LABEL, codename=codename)
        roles = StaffRole.objects.filter(user=OuterRef("pk"), conference=obj, group__permissions__in=giving)
        everywhere = User.objects.filter(HAS_PERMISSION_EVERYWHERE)
        return User.objects.filter(Exists(roles), is_active=is_active).exclude(pk__in=everywhere.values("pk"))


def _permissions_in(user: Any, conference: Conference) -> set[str]:
    if not hasattr(user, PERMISSIONS_READ_ONCE):
        setattr(user, PERMISSIONS_READ_ONCE, {})
    known: dict[int, set[str]] = getattr(user, PERMISSIONS_READ_ONCE)
    if conference.pk not in known:
        given = Permission.objects.filter(group__staff_roles__user=user.pk, group__staff_roles__conference=conference)
        ours = given.filter(content_type__app_label=APP_LABEL).exclude(codename__in=WHOLE_SITE_CODENAMES)
        known[conference.pk] = {f"{APP_LABEL}.{codename}" for codename in ours.order_by().values_list("codename", flat=True)}
    return known[conference.pk]

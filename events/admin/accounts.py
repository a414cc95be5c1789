"""The accounts of organisers: who has a second factor, and its removal for a lost phone."""

from __future__ import annotations

from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import HttpRequest

from events.admin.base.instants import InstantColumns
from events.admin.base.titles import PlainTitlesAdmin
from events.staff.second_factor import forget_second_factor, with_second_factor


class AccountAdmin(InstantColumns, PlainTitlesAdmin, UserAdmin):
    list_display = ("username", "email", "is_staff", "second_factor", "last_login")
    actions = ("second_factor_forget",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        return with_second_factor(super().get_queryset(request))

    @admin.display(description="second factor", boolean=True, ordering="has_second_factor")
    def second_factor(self, user: User) -> bool:
        return bool(user.has_second_factor)  # type: ignore[attr-defined]

    @admin.action(description="Remove the second factor (lost phone)", permissions=["superuser"])
    def second_factor_forget(self, request: HttpRequest, users: QuerySet[User]) -> None:
        for user in users:
            had_one = forget_second_factor(user)
            self.log_change(request, user, "Removed the second factor.")
            words = "has no second factor any more and is logged out" if had_one else "had no second factor"
            messages.success(request, f"“{user}” {words}.")

    def has_superuser_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_active and request.user.is_superuser)

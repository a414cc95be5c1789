"""Who organises: invitations, groups, and closing an account."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.models import Group, User
from django.core.exceptions import ValidationError
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from events.admin.base.instants import InstantColumns
from events.admin.base.model_admin import CheckedActionsAdmin
from events.core.limits import INVITATIONS
from events.staff.models import ORGANISERS, STAFF_GROUP_NAMES, StaffMember
from events.staff.passwords import PASSWORD_LINK_TTL, send_invitation
from events.staff.second_factor import end_sessions, with_second_factor

MAX_MAILBOX_CHARS = 150
TOO_MANY_INVITATIONS_TEXT = f"You have sent {INVITATIONS.visitor} invitations within an hour. Wait an hour, then go on."


class GroupField(forms.ModelChoiceField):
    """One of the groups of organisers."""

    def __init__(self) -> None:
        super().__init__(Group.objects.filter(name__in=STAFF_GROUP_NAMES).order_by("pk"), label="Group", empty_label=None)


class InvitationForm(forms.ModelForm):
    email = forms.EmailField(
        label="Mail address", max_length=MAX_MAILBOX_CHARS, help_text="The invitation is sent to it at once."
    )
    group = GroupField()

    class Meta:
        model = StaffMember
        fields: tuple[str, ...] = ()

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        if "email" in values and "group" in values:
            values["email"] = values["email"].lower()
            # Locked, so that two organisers cannot invite the same person at once.
            Group.objects.select_for_update().get(pk=values["group"].pk)
            self._refuse_known(values["email"])
        return values

    def _refuse_known(self, mailbox: str) -> None:
        known = User.objects.filter(Q(username=mailbox) | Q(email__iexact=mailbox, is_staff=True)).first()
        if known:
            text = f"The account {known} has this address already: select it in the list to send its invitation again."
            self.add_error("email", ValidationError(text))


class StaffMemberForm(forms.ModelForm):
    group = GroupField()

    class Meta:
        model = StaffMember
        fields = ("is_active",)
        labels = {"is_active": "May log in"}
        help_texts = {"is_active": "Without it the account is closed at once, also where it is logged in now."}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["group"] = self.instance.groups.filter(name__in=STAFF_GROUP_NAMES).first()


class StaffMemberAdmin(InstantColumns, CheckedActionsAdmin):
    """Organisers invite, and manage everybody but other organisers; these are managed by superusers."""

    list_display = ("username", "group_names", "state", "has_second_factor", "last_login")
    list_display_links = ("username",)
    list_filter = ("groups", "is_active")
    search_fields = ("username", "email")
    actions = ("invite_again",)
    readonly_fields = ("account", "email", "last_login")

    def get_queryset(self, request: HttpRequest) -> QuerySet[StaffMember]:
        return with_second_factor(super().get_queryset(request)).prefetch_related("groups")

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        return super().get_form(request, obj, change, **kwargs, form=StaffMemberForm if obj else InvitationForm)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return ["account", "email", "last_login", "group", "is_active"] if obj else ["email", "group"]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return super().get_readonly_fields(request, obj) if obj else ()

    def has_change_permission(self, request: HttpRequest, obj: StaffMember | None = None) -> bool:
        return super().has_change_permission(request) and (obj is None or may_manage(request.user, obj))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Accounts are closed: what they changed stays theirs."""
        return False

    def save_form(self, request: HttpRequest, form: forms.ModelForm, change: bool) -> Any:
        """A new account is made here, where the group is known."""
        member = super().save_form(request, form, change)
        if not change:
            member.username = member.email = form.cleaned_data["email"]
            member.is_staff = True
            member.set_unusable_password()
        return member

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        member, group = form.instance, form.cleaned_data["group"]
        member.groups.remove(*Group.objects.filter(name__in=STAFF_GROUP_NAMES).exclude(pk=group.pk))
        member.groups.add(group)
        if not member.is_active:
            end_sessions(member)
        if not change:
            self._invite(request, member)

    @admin.action(description="Send the invitation again", permissions=["add"])
    def invite_again(self, request: HttpRequest, members: QuerySet[StaffMember]) -> None:
        for member in members:
            if member.is_invited and member.email:
                self._invite(request, member)
            else:
                messages.warning(request, f"{member} has a password, or no mail address, and needs no invitation.")

    def _invite(self, request: HttpRequest, member: StaffMember) -> None:
        if not INVITATIONS.allows(visitor=str(request.user.pk)):
            messages.error(request, f"No mail was sent to {member}. {TOO_MANY_INVITATIONS_TEXT}")
            return
        send_invitation(member, ", ".join(group_names(member)), request.user.get_username())
        messages.success(request, f"A mail goes to {member}. The address in it works once, for {PASSWORD_LINK_TTL.days} days.")

    @admin.display(description="account")
    def account(self, member: StaffMember) -> str:
        return member.get_username()

    @admin.display(description="group")
    def group_names(self, member: StaffMember) -> str:
        return "Superuser" if member.is_superuser else ", ".join(group_names(member))

    @admin.display(description="state")
    def state(self, member: StaffMember) -> str:
        return "Closed" if not member.is_active else "Invited" if member.is_invited else "Active"

    @admin.display(description="second factor", boolean=True)
    def has_second_factor(self, member: StaffMember) -> bool:
        return bool(member.has_second_factor)  # type: ignore[attr-defined]


def group_names(member: StaffMember) -> list[str]:
    return [group.name for group in member.groups.all()]


def may_manage(user: Any, member: StaffMember) -> bool:
    """Superusers manage all others; organisers those who are neither superusers nor organisers with a password."""
    if member.pk == user.pk or member.is_superuser:
        return False
    return bool(user.is_superuser or member.is_invited or ORGANISERS not in group_names(member))

"""Who organises: invitations, roles, and closing an account."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.models import Group, User
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import Prefetch, Q, QuerySet
from django.http import HttpRequest, HttpResponse

from events.admin.base.current import current_conference
from events.admin.base.forms import CompleteFormSet, VersionedForm
from events.admin.base.instants import InstantColumns
from events.admin.base.model_admin import CheckedActionsAdmin
from events.admin.base.titles import PlainTitlesAdmin
from events.admin.base.visible import visible_to
from events.core.limits import INVITATIONS
from events.programme.models.conference import HIDDEN_SOURCE, Conference
from events.staff.models import ORGANISERS, STAFF_GROUP_NAMES, StaffMember, StaffRole
from events.staff.passwords import PASSWORD_LINK_TTL, send_invitation
from events.staff.roles import confinement
from events.staff.second_factor import end_sessions, with_second_factor

MAX_MAILBOX_CHARS = 150
EVERY_CONFERENCE_LABEL = "Every conference"
TOO_MANY_INVITATIONS_TEXT = f"You have sent {INVITATIONS.visitor} invitations within an hour. Wait an hour, then go on."


class GroupField(forms.ModelChoiceField):
    """One of the groups of organisers."""

    def __init__(self, **kwargs: Any) -> None:
        groups = Group.objects.filter(name__in=STAFF_GROUP_NAMES).order_by("pk")
        super().__init__(groups, **{"label": "Role", "empty_label": None, **kwargs})


class InvitationForm(forms.ModelForm):
    email = forms.EmailField(
        label="Mail address", max_length=MAX_MAILBOX_CHARS, help_text="The invitation is sent to it at once."
    )
    group = GroupField()
    conference = forms.ModelChoiceField(Conference.objects.none(), required=False, empty_label=EVERY_CONFERENCE_LABEL)
    request: ClassVar[HttpRequest]
    """Of whoever invites. Each request has a class of its own."""
    known: StaffMember | None = None
    """The account of this address, which gets the role; None if one is to be made."""

    class Meta:
        model = StaffMember
        fields: tuple[str, ...] = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field: Any = self.fields["conference"]
        field.queryset = offered_conferences(self.request)
        self.initial.setdefault("conference", current_conference(self.request))
        if confinement(self.request.user):
            field.required, field.empty_label = True, None

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        if {"email", "group", "conference"} <= values.keys():
            values["email"] = values["email"].lower()
            # Locked, so that two organisers cannot invite the same person at once.
            Group.objects.select_for_update().get(pk=values["group"].pk)
            self.known = self._known(values["email"], values["conference"])
        return values

    def _known(self, mailbox: str, conference: Conference | None) -> StaffMember | None:
        """Somebody who has roles may get another one. Everything else about a known account is changed in the list."""
        known = User.objects.filter(Q(username=mailbox) | Q(email__iexact=mailbox, is_staff=True)).first()
        if known is None:
            return None
        member = StaffMember.objects.filter(pk=known.pk, is_active=True).first() if conference else None
        if member and confinement(member):
            return member
        text = f"The account {known} has this address already: select it in the list to send its invitation again."
        if confinement(self.request.user):
            text = f"The account of {mailbox} cannot get a role: it is closed, or not for one conference. Ask who organises all."
        self.add_error("email", ValidationError(text))
        return None


class StaffMemberForm(VersionedForm):
    group = GroupField(
        label=EVERY_CONFERENCE_LABEL,
        required=False,
        empty_label="Nothing: only the roles below",
        help_text="It counts for every conference, and roles for single ones then add nothing.",
    )

    class Meta:
        model = StaffMember
        fields = ("is_active",)
        labels = {"is_active": "May log in"}
        help_texts = {"is_active": "Without it the account is closed at once, also where it is logged in now."}

    stored_elsewhere = ("group",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["group"] = self.instance.groups.filter(name__in=STAFF_GROUP_NAMES).first()


class RoleInline(admin.TabularInline):
    """Roles in the conferences that the user sees."""

    model = StaffRole
    form = VersionedForm
    formset = CompleteFormSet
    extra = 1
    fields = ("group", "conference", "version")
    verbose_name = "role in one conference"
    verbose_name_plural = "roles in single conferences"

    def get_queryset(self, request: HttpRequest) -> QuerySet[StaffRole]:
        return visible_to(request, super().get_queryset(request))

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        field: Any = super().formfield_for_foreignkey(db_field, request, **kwargs)
        if db_field.name == "group":
            return GroupField(empty_label="---------")
        if db_field.name == "conference":
            field.queryset = offered_conferences(request)
            # Without the buttons that add and change one.
            field.widget.can_add_related = field.widget.can_change_related = field.widget.can_delete_related = False
        return field

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_change_permission(request, obj) and (obj is None or may_manage(request, obj))

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_add_permission(request, obj) and (obj is None or may_manage(request, obj))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_delete_permission(request, obj) and (obj is None or may_manage(request, obj))


class StaffMemberAdmin(InstantColumns, CheckedActionsAdmin, PlainTitlesAdmin):
    """Organisers invite, and manage everybody but other organisers; these are managed by superusers.

    Who organises one conference sees those who have a role there, and gives and takes roles there.
    """

    list_display = ("username", "roles", "state", "has_second_factor", "last_login")
    list_display_links = ("username",)
    list_filter = ("groups", "is_active")
    search_fields = ("username", "email")
    actions = ("invite_again",)
    readonly_fields = ("user_name", "email", "last_login")
    inlines = (RoleInline,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[StaffMember]:
        members, roles = super().get_queryset(request), visible_to(request, StaffRole.objects.order_by())
        if confinement(request.user):
            members = members.filter(pk__in=roles.values("user"))
        shown = Prefetch("staff_roles", roles.select_related("group", "conference").order_by("-conference__start", "group"))
        return with_second_factor(members).prefetch_related("groups", shown)

    def get_list_filter(self, request: HttpRequest) -> Any:
        return ("is_active",) if confinement(request.user) else super().get_list_filter(request)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """As Django's own list of accounts does: nobody asks for the beginning of a password's hash."""
        return not lookup.startswith("password") and super().lookup_allowed(lookup, value, request)

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        changed = forms.ModelForm if confinement(request.user) else StaffMemberForm
        form: Any = super().get_form(request, obj, change, **kwargs, form=changed if obj else InvitationForm)
        if not obj:
            form.request = request
        return form

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        if obj is None:
            return ["email", "group", "conference"]
        return ["user_name", "email", "last_login", *([] if confinement(request.user) else ["group", "version"]), "is_active"]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        if obj is None:
            return ()
        # An account may have roles in other conferences too: taking away the role here is enough.
        return (*super().get_readonly_fields(request, obj), *(["is_active"] if confinement(request.user) else []))

    def get_inlines(self, request: HttpRequest, obj: Any) -> Any:
        return super().get_inlines(request, obj) if obj else ()

    def history_view(self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """It names all conferences in which somebody got a role."""
        if confinement(request.user):
            raise PermissionDenied
        return super().history_view(request, object_id, extra_context)

    def has_change_permission(self, request: HttpRequest, obj: StaffMember | None = None) -> bool:
        return super().has_change_permission(request) and (obj is None or may_manage(request, obj))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Accounts are closed: what they changed stays theirs."""
        return False

    def save_form(self, request: HttpRequest, form: Any, change: bool) -> Any:
        """A new account is made here, where the role is known."""
        member = super().save_form(request, form, change)
        if change:
            return member
        if form.known:
            form.instance = form.known
            return form.known
        member.username = member.email = form.cleaned_data["email"]
        member.is_staff = True
        member.set_unusable_password()
        return member

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        if change or not form.known:
            super().save_model(request, obj, form, change)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        member, given = form.instance, form.cleaned_data
        if conference := given.get("conference"):
            StaffRole.objects.get_or_create(user=member, group=given["group"], conference=conference)
        elif "group" in given:
            groups = [given["group"]] if given["group"] else []
            member.groups.remove(*member.groups.filter(name__in=STAFF_GROUP_NAMES).exclude(pk__in=[it.pk for it in groups]))
            member.groups.add(*groups)
        if not member.is_active:
            end_sessions(member)
        if not change:
            self._invite_new(request, member)

    def _invite_new(self, request: HttpRequest, member: User) -> None:
        if member.has_usable_password():
            text = f"{member.email or member} has an account, and the role counts at once: say so, no mail is sent."
            messages.success(request, text)
        else:
            self._invite(request, member)

    @admin.action(description="Send the invitation again", permissions=["add"])
    def invite_again(self, request: HttpRequest, members: QuerySet[StaffMember]) -> None:
        for member in members:
            if member.is_invited and member.email:
                self._invite(request, member)
            else:
                messages.warning(request, f"{member} has a password, or no mail address, and needs no invitation.")

    def _invite(self, request: HttpRequest, member: User) -> None:
        if not INVITATIONS.allows(visitor=str(request.user.pk)):
            messages.error(request, f"No mail was sent to {member}. {TOO_MANY_INVITATIONS_TEXT}")
            return
        groups = [*(f"“{name}” for every conference" for name in group_names(member)), *(f"“{it}”" for it in roles_of(member))]
        send_invitation(member, ", ".join(groups), request.user.get_username())
        messages.success(request, f"A mail goes to {member}. The address in it works once, for {PASSWORD_LINK_TTL.days} days.")

    @admin.display(description="account")
    def user_name(self, member: StaffMember) -> str:
        return member.get_username()

    @admin.display(description="roles")
    def roles(self, member: StaffMember) -> str:
        return "Superuser" if member.is_superuser else ", ".join(role_names(member))

    @admin.display(description="state")
    def state(self, member: StaffMember) -> str:
        return "Closed" if not member.is_active else "Invited" if member.is_invited else "Active"

    @admin.display(description="second factor", boolean=True)
    def has_second_factor(self, member: StaffMember) -> bool:
        return bool(member.has_second_factor)  # type: ignore[attr-defined]


def group_names(member: User) -> list[str]:
    return [group.name for group in member.groups.all()]


def roles_of(member: User) -> list[str]:
    """Those for single conferences that the user sees."""
    return [str(role) for role in member.staff_roles.all()]


def role_names(member: User) -> list[str]:
    return [*(f"{name}: {EVERY_CONFERENCE_LABEL.lower()}" for name in group_names(member)), *roles_of(member)]


def offered_conferences(request: HttpRequest) -> QuerySet[Conference]:
    return visible_to(request, Conference.objects.exclude(source=HIDDEN_SOURCE))


def may_manage(request: HttpRequest, member: StaffMember) -> bool:
    """Superusers manage all others; organisers those who are neither superusers nor organisers with a password."""
    if member.pk == request.user.pk or member.is_superuser:
        return False
    names = group_names(member)
    if confinement(request.user):
        names += visible_to(request, StaffRole.objects.filter(user=member.pk)).values_list("group__name", flat=True)
    return bool(request.user.is_superuser or member.is_invited or ORGANISERS not in names)

"""django-allauth's forms of new passwords and the second factor, with our limits and log."""

from __future__ import annotations

import contextlib
import logging
import re
import struct
from collections.abc import Iterator
from typing import Any

from allauth.account.adapter import get_adapter as get_account_adapter
from allauth.account.forms import ResetPasswordForm, UserTokenForm
from allauth.core import context
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base.forms import AuthenticateForm, BaseAuthenticateForm, ReauthenticateForm
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.webauthn.forms import AddWebAuthnForm, AuthenticateWebAuthnForm, ReauthenticateWebAuthnForm
from django import forms
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError

from events.staff.models import MailChoice, StaffMember
from events.staff.passwords import count_password_mail
from events.staff.sign_in import check_sign_in, code_accepted, count_code, is_first_use, log_sign_in

MAX_CREDENTIAL_CHARS = 20_000
# JSON can write characters that no text contains.
SURROGATE_PATTERN = re.compile(r"\\u[dD][89a-fA-F]")


@contextlib.contextmanager
def counted(user: User) -> Iterator[None]:
    """Count a try before it is checked, and write a line if it is wrong."""
    count_code(context.request, user)
    try:
        yield
    except ValidationError:
        log_sign_in(logging.WARNING, "wrong second factor", context.request, user.get_username())
        raise
    code_accepted(user)


def use_once(user: User, code: str) -> None:
    if not is_first_use(user, code):
        raise get_adapter().validation_error("incorrect_code")


class CountedCodeForm(BaseAuthenticateForm):
    """A field ``code`` whose tries are counted; a code of an app is accepted once."""

    def clean_code(self) -> str:
        with counted(self.user):
            code: str = super().clean_code()
            if self.authenticator.type == Authenticator.Type.TOTP:
                use_once(self.user, code)
        return code


class SecondFactorForm(CountedCodeForm, AuthenticateForm):
    def clean_code(self) -> str:
        check_sign_in(context.request, self.user)
        code: str = super().clean_code()
        return code


class SecondFactorAgainForm(CountedCodeForm, ReauthenticateForm):
    pass


class AuthenticatorAppForm(ActivateTOTPForm):
    """Tries are not counted: the page shows the secret."""

    def clean_code(self) -> str:
        code: str = super().clean_code()
        use_once(self.user, code)
        return code


@contextlib.contextmanager
def well_formed() -> Iterator[None]:
    """fido2 raises many exceptions when it parses what no browser sends."""
    try:
        yield
    except (AttributeError, LookupError, RecursionError, TypeError, ValueError, struct.error) as error:
        raise get_adapter().validation_error("incorrect_code") from error


class CredentialField(forms.JSONField):
    """What a browser answers for a passkey: one object of some kilobytes."""

    def to_python(self, value: Any) -> Any:
        with well_formed():
            if isinstance(value, str):
                value.encode()
                if len(value) > MAX_CREDENTIAL_CHARS or SURROGATE_PATTERN.search(value):
                    raise ValueError(value[:100])
            return super().to_python(value)

    def bound_data(self, data: Any, initial: Any) -> None:
        """A refused one is not shown again: it is of no use, and may be no text that a page can contain."""

    def prepare_value(self, value: Any) -> str:
        return ""


class PasskeyForm(AuthenticateWebAuthnForm):
    credential = CredentialField(widget=forms.HiddenInput)

    def clean_credential(self) -> Authenticator:
        check_sign_in(context.request, self.user)
        with counted(self.user), well_formed():
            return super().clean_credential()


class PasskeyAgainForm(ReauthenticateWebAuthnForm):
    credential = CredentialField(widget=forms.HiddenInput)

    def clean_credential(self) -> Authenticator:
        with counted(self.user), well_formed():
            return super().clean_credential()


class PasskeyAddForm(AddWebAuthnForm):
    credential = CredentialField(widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        with well_formed():
            values: dict[str, Any] = super().clean()
        return values


class PasswordForgottenForm(ResetPasswordForm):
    def clean_email(self) -> str:
        """Finds active organisers alone: attendees have no password."""
        mailbox: str = self.cleaned_data["email"]
        count_password_mail(context.request, mailbox)
        self.users = list(StaffMember.objects.filter(is_active=True, email__iexact=mailbox))
        return mailbox


class NewPasswordTokenForm(UserTokenForm):
    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean()
        if not (self.reset_user.is_staff and self.reset_user.is_active):
            raise get_account_adapter().validation_error("invalid_password_reset")
        return values


class MailChoiceForm(forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = MailChoice
        fields = ("proposals", "faults", "questions", "rooms", "programmes")

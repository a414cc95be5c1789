"""The forms of accounts: mailbox, mailed code, digests."""

from __future__ import annotations

from django import forms


class MailboxForm(forms.Form):
    mailbox = forms.EmailField(
        max_length=254,
        error_messages={
            "required": "Enter your mail address.",
            "invalid": "That is not a mail address. Enter one like ada@example.org.",
            "max_length": "That is too long for a mail address.",
        },
    )

    def clean_mailbox(self) -> str:
        mailbox: str = self.cleaned_data["mailbox"]
        # Look-alike letters would be somebody else's mailbox; capitals never make another mailbox.
        if not mailbox.isascii():
            raise forms.ValidationError("Only the letters a to z, digits and signs are allowed.")
        return mailbox.lower()


class SignInCodeForm(forms.Form):
    """``take`` adds the bookmarks of this browser to the account."""

    code = forms.CharField(max_length=100, error_messages={"required": "Enter the code from the mail."})
    take = forms.BooleanField(required=False)


ON_OR_OFF = [("1", "on"), ("0", "off")]


class DigestsForm(forms.Form):
    """The wanted states: ``on`` of digests, and of ``alerts``. A choice that is not sent does not change."""

    on = forms.TypedChoiceField(choices=ON_OR_OFF, coerce=lambda value: value == "1", required=False, empty_value=None)
    alerts = forms.TypedChoiceField(choices=ON_OR_OFF, coerce=lambda value: value == "1", required=False, empty_value=None)

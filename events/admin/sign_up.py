"""The sign-up list of an event, inside the event's form."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join

from events.admin.base.forms import HallwayForm, HallwayFormSet
from events.admin.base.model_admin import HallwayAdmin, HallwayInline
from events.programme.models.event import Event
from events.sign_up.models import Seat, SeatState, SignUp, free_by_number

NEW_HOST_LINK, END_HOST_LINK = "new", "end"
SEAT_NUMBERS_PATTERN = re.compile(r"([0-9]{1,7})(?:\s*[-–]\s*([0-9]{1,7}))?")
MAX_LISTED_SEAT_NAMES = 200


class SignUpAdminForm(HallwayForm):
    host_link = forms.ChoiceField(
        label="Host’s list",
        required=False,
        choices=[("", "Leave as it is"), (NEW_HOST_LINK, "Create a new link"), (END_HOST_LINK, "Withdraw the link")],
        help_text="Anyone with the link can read the list. It is shown only once, after saving.",
    )
    free = forms.CharField(
        label="Remove from the list",
        required=False,
        max_length=200,
        help_text="Numbers on the list, such as 3, 17-40. Their places go to the waiting list; their agendas show it.",
    )
    sure = forms.BooleanField(
        label="Delete anyway",
        required=False,
        help_text="Tick this to delete a list with people on it. They lose their places and are not notified.",
    )

    class Meta:
        help_texts = {"places": "With fewer places, nobody loses theirs. More places go to the waiting list, in order."}

    def clean_free(self) -> list[tuple[int, int]]:
        """First and last numbers of ranges."""
        ranges = []
        for part in re.split(r"[,;]", self.cleaned_data["free"]):
            if not part.strip():
                continue
            numbers = SEAT_NUMBERS_PATTERN.fullmatch(part.strip())
            if numbers is None:
                raise ValidationError(f"“{part.strip()[:40]}” is not a number on the list: write them as 3, 17-40.")
            first, last = (int(number or numbers[1]) for number in numbers.groups())
            if last < first:
                raise ValidationError(f"“{part.strip()}” ends before it begins: write {last}-{first}.")
            ranges.append((first, last))
        return ranges


class SignUpFormSet(HallwayFormSet):
    def clean(self) -> None:
        super().clean()
        for form in self.deleted_forms:
            taken, waiting = seat_counts(form.instance)
            if taken + waiting and not form.cleaned_data.get("sure"):
                text = f"{taken} have a place on this list and {waiting} are waiting. Tick “Delete anyway” to delete it."
                raise ValidationError(text)


class SignUpInline(HallwayInline):
    model = SignUp
    form = SignUpAdminForm
    formset = SignUpFormSet
    fields = ["places", "waiting_list", "seats_summary", "free", "host_link", "sure"]
    readonly_fields = ["seats_summary"]
    verbose_name = "sign-up list on this site"
    verbose_name_plural = "sign-up on this site"

    @admin.display(description="so far")
    def seats_summary(self, sign_up: SignUp) -> str:
        """Counts, and the names that were given."""
        if not sign_up.pk:
            return "—"
        taken, waiting = seat_counts(sign_up)
        seats = Seat.objects.alive().filter(sign_up=sign_up).exclude(name="").order_by("number")[:MAX_LISTED_SEAT_NAMES]
        names = format_html_join(", ", "{} ({})", ((seat.name, seat.number) for seat in seats))
        address = "the host has a link" if sign_up.host_token_hash else "the host has no link"
        return format_html(
            "{} of {} taken, {} waiting; {}.{}{}", taken, sign_up.places, waiting, address, " " if names else "", names
        )


class EventSignUpAdmin(HallwayAdmin):
    """The admin of events that may have a sign-up list."""

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        super().save_formset(request, form, formset, change)
        if formset.model is SignUp:
            for row in formset.forms:
                if row.instance.pk and row not in formset.deleted_forms and row.has_changed():
                    self._apply_sign_up_form(request, row.instance, row.cleaned_data)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        self._warn_of_late_deadline(request, form.instance)

    def _warn_of_late_deadline(self, request: HttpRequest, event: Event) -> None:
        until, start = event.signup_until, event.start
        if until and start and until > start and SignUp.objects.filter(event=event).exists():
            until_text, start_text = map(event.conference.moment_text, (until, start))
            text = f"“Sign-up until”, {until_text}, is after the start: the list closes when it starts, {start_text}."
            self.message_user(request, text, messages.WARNING)

    def _apply_sign_up_form(self, request: HttpRequest, sign_up: SignUp, answers: dict[str, Any]) -> None:
        if answers.get("free"):
            freed = free_by_number(sign_up, answers["free"])
            text = f"Removed from the list: {freed} of those numbers. Their places went to the waiting list."
            none = "Nobody was removed: none of those numbers is on the list."
            self.message_user(request, text if freed else none, messages.SUCCESS if freed else messages.WARNING)
        sign_up.lock_and_fill()
        taken, _ = seat_counts(sign_up)
        if taken > sign_up.places:
            are = "place is" if taken == 1 else "places are"
            text = f"{taken} {are} taken, {taken - sign_up.places} more than there are now. Nobody loses a place."
            self.message_user(request, text, messages.WARNING)
        if answers.get("host_link") == NEW_HOST_LINK:
            path = reverse("events:sign-up-list", args=[sign_up.event.conference.slug, sign_up.new_host_token()])
            text = f"The host’s list: {settings.SITE_URL}{path} – send it to the host now. It is not shown again."
            self.message_user(request, text, messages.SUCCESS)
        elif answers.get("host_link") == END_HOST_LINK:
            sign_up.revoke_host_token()
            self.message_user(request, "The host’s link no longer works.", messages.SUCCESS)


def seat_counts(sign_up: SignUp) -> tuple[int, int]:
    """Seats taken, and entries on the waiting list."""
    states = list(Seat.objects.alive().filter(sign_up=sign_up).values_list("state", flat=True))
    return states.count(SeatState.TAKEN), states.count(SeatState.WAITING)

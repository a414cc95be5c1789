"""An event's own list of places, inside the event's form."""

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

from events.admin.base import HallwayAdmin
from events.admin.controls import HallwayInline
from events.admin.forms import HallwayForm, HallwayFormSet
from events.models import Seat, SeatState, SignUp
from events.models.places import free

NEW, END = "new", "end"
NUMBERS = re.compile(r"([0-9]{1,7})(?:\s*[-–]\s*([0-9]{1,7}))?")
MOST_NAMES = 200


class SignUpForm(HallwayForm):
    host_link = forms.ChoiceField(
        label="Host’s list",
        required=False,
        choices=[("", "Leave as it is"), (NEW, "Make a new address"), (END, "Take the address back")],
        help_text="Whoever has the address reads the list. It is shown once, after saving.",
    )
    free = forms.CharField(
        label="Take off the list",
        required=False,
        max_length=200,
        help_text="Numbers of the list, as 3, 17-40. Their places go to who waits; their agendas say so.",
    )
    sure = forms.BooleanField(
        label="They may lose it",
        required=False,
        help_text="To delete a list with people on it, tick this too: all of them lose their places, and nobody is told.",
    )

    class Meta:
        help_texts = {"places": "Fewer than are taken throws nobody out. More are given to who waits, in order."}

    def clean_free(self) -> list[tuple[int, int]]:
        """From one number to another, each."""
        found = []
        for text in re.split(r"[,;]", self.cleaned_data["free"]):
            if not text.strip():
                continue
            numbers = NUMBERS.fullmatch(text.strip())
            if numbers is None:
                raise ValidationError(f"“{text.strip()[:40]}” is no number of the list: write them as 3, 17-40.")
            first, last = numbers.groups()
            found.append((int(first), int(last or first)))
        return found


class SignUpFormSet(HallwayFormSet):
    def clean(self) -> None:
        super().clean()
        for form in self.deleted_forms:
            has, wait = counts(form.instance)
            if has + wait and not form.cleaned_data.get("sure"):
                words = (
                    f"On this list are {has} with a place and {wait} who wait. Tick “They may lose it” to delete it all the same."
                )
                raise ValidationError(words)


class SignUpInline(HallwayInline):
    model = SignUp
    form = SignUpForm
    formset = SignUpFormSet
    fields = ["places", "waiting_list", "standing", "free", "host_link", "sure"]
    readonly_fields = ["standing"]
    verbose_name = "list of places given out here"
    verbose_name_plural = "places given out here"

    @admin.display(description="so far")
    def standing(self, own: SignUp) -> str:
        """How many, and the names that were given; who did not give one is nobody here."""
        if not own.pk:
            return "—"
        has, wait = counts(own)
        seats = Seat.objects.alive().filter(sign_up=own).exclude(name="").order_by("number")[:MOST_NAMES]
        names = format_html_join(", ", "{} ({})", ((seat.name, seat.number) for seat in seats))
        address = "the host has an address" if own.host_token_hash else "the host has no address"
        return format_html("{} of {} taken, {} in line; {}.{}{}", has, own.places, wait, address, " " if names else "", names)


class WithSignUp(HallwayAdmin):
    """The admin of events that may have a list."""

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        super().save_formset(request, form, formset, change)
        if formset.model is SignUp:
            for row in formset.forms:
                if row.instance.pk and row not in formset.deleted_forms and row.has_changed():
                    self._after(request, row.instance, row.cleaned_data)

    def _after(self, request: HttpRequest, own: SignUp, wanted: dict[str, Any]) -> None:
        if wanted.get("free"):
            freed = free(own, wanted["free"])
            words = f"Off the list: {freed} of those numbers. Their agendas say so, and their places went to who waited."
            self.message_user(request, words, messages.SUCCESS if freed else messages.WARNING)
        own.fill_up()
        has, _ = counts(own)
        if has > own.places:
            words = f"Taken already: {has} places, {has - own.places} more than there are now. Nobody is thrown out."
            self.message_user(request, words, messages.WARNING)
        if wanted.get("host_link") == NEW:
            path = reverse("events:sign-up-list", args=[own.event.conference.slug, own.new_host_token()])
            words = f"The host’s list: {settings.SITE_URL}{path} – send it to the host now. It is not shown again."
            self.message_user(request, words, messages.SUCCESS)
        elif wanted.get("host_link") == END:
            own.take_back_host_token()
            self.message_user(request, "The host’s address opens nothing any more.", messages.SUCCESS)


def counts(own: SignUp) -> tuple[int, int]:
    """How many have a place, and how many wait."""
    states = list(Seat.objects.alive().filter(sign_up=own).values_list("state", flat=True))
    return states.count(SeatState.TAKEN), states.count(SeatState.WAITING)

"""Forms of conferences and their labels: a zone by its city, an address from the name, pictures to choose from."""

from __future__ import annotations

from itertools import count
from typing import Any, ClassVar, cast
from zoneinfo import ZoneInfo

from django import forms
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Count
from django.utils import timezone
from django.utils.html import format_html
from django.utils.text import slugify

from events.admin.base.fields import ZoneField
from events.admin.base.forms import HallwayForm
from events.admin.base.pickers import TYPE_ICONS
from events.admin.base.times import long_date
from events.admin.programme.action_forms import ActionPlan
from events.admin.programme.new_zone import KeptTimesField
from events.core.db.fields import is_of_the_site
from events.core.time_zones import zone_of_place
from events.programme.models.conference import HIDDEN_SOURCE, Conference, Day, FormerSlug
from events.programme.models.labels import MAX_NUMBERED_CHARS

ADDRESS_ERRORS = {"slug": {"invalid": "“%(value)s” is not an address: use a to z, digits and hyphens, such as iclr-2025."}}


def refuse_taken_address(slug: str, conference: Conference, seen: models.QuerySet[Conference], year: int) -> None:
    """``seen`` are the conferences that may be named."""
    if is_of_the_site(slug):
        raise ValidationError(f"“{slug}” is an address of the site itself: add the year, {slug}-{year}.")
    taken = Conference.objects.filter(slug=slug).exclude(pk=conference.pk)
    if taken.exists():
        owner = seen.filter(slug=slug).first() or "another conference"
        raise ValidationError(f"/{slug}/ is the address of {owner} already: choose another, such as {_free_address(slug)}.")


def _free_address(slug: str) -> str:
    short = slug[:MAX_NUMBERED_CHARS]
    taken = {it for model in (Conference, FormerSlug) for it in model.objects.values_list("slug", flat=True)}
    return next(it for number in count(2) if (it := f"{short}-{number}") not in taken)


class ConferenceForm(HallwayForm):
    timezone = ZoneField(
        label="Time zone",
        max_length=60,
        required=False,
        help_text="Of the venue. Write a city or a country and choose from the list; empty: that of the city above.",
    )
    keep = KeptTimesField()
    copy_from = forms.ModelChoiceField(
        Conference.objects.exclude(source=HIDDEN_SOURCE),
        required=False,
        label="Earlier edition",
        empty_label="None: begin with the usual types",
        help_text="Its venue, rooms, plans, walks, directions, services and types are copied; the next page says what comes.",
    )

    class Meta:
        labels: ClassVar = {"slug": "Address"}
        error_messages: ClassVar = ADDRESS_ERRORS

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.moves: ActionPlan | None = None
        """What another time zone does to the events."""
        if self.instance.pk:
            self.fields.pop("copy_from", None)
        if "proposals_until" in self.fields:
            # Django does not escape help texts, and the name of a city is free text.
            zone = format_html("{} ({})", self.instance.zone_name, self.instance.timezone)
            text = "{}. The last moment to propose a social; empty: a week after the last day."
            self.fields["proposals_until"].help_text = format_html(text, zone)
        if "slug" in self.fields:
            self.fields["slug"].required = False
            self.fields["slug"].help_text = "The first part of every address: iclr-2025. Empty: made from the name."

    def clean_slug(self) -> str:
        name = self.cleaned_data.get("name", "")
        slug: str = self.cleaned_data["slug"] or slugify(name)[:60].strip("-")
        if name and not slug:
            raise ValidationError(f"No address can be made from “{name}”: write one in Latin letters, such as kyoto-2027.")
        start = self.cleaned_data.get("start") or timezone.now()
        refuse_taken_address(slug, self.instance, Conference.objects.exclude(source=HIDDEN_SOURCE), start.year)
        return slug

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if "timezone" in self.fields and not cleaned.get("timezone") and "timezone" not in self.errors:
            cleaned["timezone"] = zone_of_place(cleaned.get("city") or "", cleaned.get("country") or "")
            if not cleaned["timezone"]:
                self.add_error("timezone", "Write a large city of this time zone, such as Oslo.")
        if self.instance.pk and cleaned.get("timezone") and cleaned["timezone"] != self.initial["timezone"]:
            self._plan_moves(ZoneInfo(cleaned["timezone"]), cleaned.get("keep", ""))
        return cleaned

    def _plan_moves(self, zone: ZoneInfo, answer: str) -> None:
        try:
            self.moves = cast(KeptTimesField, self.fields["keep"]).plan(Conference.objects.get(pk=self.instance.pk), zone, answer)
        except ValidationError as error:
            self.add_error("keep", error)


class DayForm(HallwayForm):
    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        # Its events start on the date it had: attendees would read that they moved.
        if self.instance.pk and "date" in self.changed_data and "date" in cleaned:
            day = Day.objects.annotate(event_count=Count("events")).get(pk=self.instance.pk)
            if day.event_count:
                self.add_error("date", _busy_day_text(day, day.event_count))
        return cleaned


def _busy_day_text(day: Day, count: int) -> str:
    events, them, their = ("1 event is", "it", "its form") if count == 1 else (f"{count} events are", "them", "their forms")
    return (
        f"{events} on {long_date(day.date)}, so its date stays: add another day, move {them} there with “Change day …” "
        f"in the list of events or in {their}, then delete this one."
    )


class TypeForm(HallwayForm):
    """Also for services, which have an icon too."""

    def clean_icon(self) -> str:
        icon: str = self.cleaned_data["icon"]
        # What an import brought stays until another one is chosen.
        if icon and icon not in TYPE_ICONS and icon != self.initial.get("icon"):
            raise ValidationError(f"“{icon}” is not one of the icons: choose a picture.")
        return icon

"""Floors as drawings: an SVG to upload, areas to type, and how it looks."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString

from events.admin.base import HallwayAdmin
from events.admin.controls import HallwayInline
from events.admin.filters import InUse
from events.admin.forms import HallwayForm
from events.importers.drawing import LARGEST, Drawing, read_drawing
from events.importers.errors import ScheduleParseError
from events.models import FloorPlan, PlanArea
from events.models.plans import places_by_name
from events.queries.plans import preview
from events.schedule.clock import Clock
from events.schedule.plans import Ruler

HEAVY = 300_000
UPLOAD = (
    "At most 2 MB. What you upload is cleaned: shapes, text and colours stay. Elements whose id or layer’s name is a room’s, "
    "as hall-1, become its area. Width and height are then the drawing’s, and names that it does not write are added."
)


class FloorPlanForm(HallwayForm):
    upload = forms.FileField(label="SVG drawing", required=False, help_text=UPLOAD)
    take_out = forms.BooleanField(
        label="Take the drawing out", required=False, help_text="Then the areas are drawn, in Hallway’s own look."
    )
    drawing: Drawing | None = None

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        file = cleaned.get("upload")
        if isinstance(file, UploadedFile) and cleaned.get("venue"):
            self.instance.venue = cleaned["venue"]
            self.drawing = self._read(file)
            self.instance.draw(self.drawing)
            cleaned |= {"width": self.drawing.width, "height": self.drawing.height}
        elif cleaned.get("take_out"):
            self.instance.draw(None)
        return cleaned

    def _read(self, file: UploadedFile) -> Drawing:
        try:
            wanted = frozenset(places_by_name(self.instance))
            # One byte too many is enough to be refused.
            return read_drawing(file.read(LARGEST + 1), file=str(file.name)[:60], wanted=wanted)
        except ScheduleParseError as error:
            raise ValidationError({"upload": f"{error}."}) from error


class PlanAreaInline(HallwayInline):
    model = PlanArea
    fields = ["points", "room", "zone", "service", "label"]
    autocomplete_fields = ["room", "zone", "service"]
    verbose_name = "area"
    verbose_name_plural = "areas: a room, a zone, a service, or only words"

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("room__zone__venue", "zone__venue", "service", "plan__venue")


@admin.register(FloorPlan)
class FloorPlanAdmin(HallwayAdmin):
    form = FloorPlanForm
    list_display = ["name", "venue", "width", "height", "is_drawn", "position", "conference"]
    list_filter = ["conference", ("venue", InUse)]
    search_fields = ["name", "venue__name"]
    list_select_related = ["conference", "venue"]
    ordering = ["-conference__start", "position", "name"]
    autocomplete_fields = ["venue"]
    fields = ["conference", "venue", "name", ("width", "height"), "upload", "take_out", "position", "preview"]
    readonly_fields = ["preview"]
    inlines = [PlanAreaInline]

    class Media:
        css = {"all": ["events/css/tokens.css", "events/css/plan.css"]}

    def get_readonly_fields(self, request: HttpRequest, obj: FloorPlan | None = None) -> list[str]:
        measured = ["width", "height"] if obj and obj.drawing else []
        return [*super().get_readonly_fields(request, obj), *measured]

    def get_fieldsets(self, request: HttpRequest, obj: FloorPlan | None = None) -> Any:
        """Nothing to take out, nothing to look at: then neither is offered."""
        (name, first), *rest = super().get_fieldsets(request, obj)
        gone = {"take_out"} if not (obj and obj.drawing) else set()
        gone |= set() if obj else {"preview"}
        gone |= set() if self.has_change_permission(request, obj) else {"upload", "take_out"}
        return [(name, {**first, "fields": [it for it in first["fields"] if it not in gone]}), *rest]

    @admin.display(boolean=True, description="drawn")
    def is_drawn(self, obj: FloorPlan) -> bool:
        return bool(obj.drawing)

    @admin.display(description="as attendees see it, under a ruler")
    def preview(self, obj: FloorPlan) -> SafeString:
        zone = obj.conference.zone
        plan = preview(obj, Clock(timezone.now(), zone, zone))
        return render_to_string("events/_plan.html", {"plan": plan, "ruler": Ruler(plan.width, plan.height)})

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        super().save_formset(request, form, formset, change)
        if form.drawing:
            form.moved = True
            self._tell(request, form.drawing, form.instance.place(form.drawing.areas))

    def _tell(self, request: HttpRequest, drawing: Drawing, placed: list[PlanArea]) -> None:
        """What was found in the drawing, and what of it was not taken."""
        if placed:
            count = f"{len(placed)} area{'' if len(placed) == 1 else 's'}"
            named = ", ".join(str(area) for area in placed)
            messages.info(request, f"{count} found in the drawing: {named}. Delete below what you do not want.")
        if drawing.left_out:
            told = ", ".join(f"{count} × {name}" for name, count in drawing.left_out.items())
            remedy = "If something is missing below, export the drawing as plain SVG, with clones and symbols made into shapes."
            messages.warning(request, f"Left out of the drawing, because a page must not carry it: {told}. {remedy}")
        if len(drawing.svg) > HEAVY:
            weight = f"{len(drawing.svg) // 1000} kB"
            messages.warning(request, f"The drawing weighs {weight} on every visit: simplify it, where you can.")

"""Plans of floors: an SVG to upload, areas to type, and how it looks."""

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
from events.importers.cells import key_of
from events.importers.drawing import MAX_BYTES, Drawing, read_drawing
from events.importers.errors import ScheduleParseError
from events.models import FloorPlan, PlanArea, Room
from events.models.plans import places_by_name
from events.queries.plans import preview
from events.schedule.clock import Clock
from events.schedule.plans import Ruler

MAX_NAMED = 10
UPLOAD = (
    "At most 2 MB. Attendees get the file as you upload it, with hidden layers and notes. Elements whose id or layer’s name "
    "is a room’s, as hall-1, become its area. Width and height are then the drawing’s, and names it does not write are added."
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
            names = frozenset(places_by_name(self.instance))
            # One byte too many is enough to be refused.
            return read_drawing(file.read(MAX_BYTES + 1), file=str(file.name)[:60], names=names)
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
            self._report(request, form, form.instance.place(form.drawing.areas))

    def _report(self, request: HttpRequest, form: FloorPlanForm, placed: list[PlanArea]) -> None:
        """Which rooms were found, which are on no plan, and what of the drawing attendees will not see."""
        if placed:
            count = f"{len(placed)} area{'' if len(placed) == 1 else 's'}"
            named = ", ".join(map(str, placed))
            messages.info(request, f"{count} found in the drawing: {named}. Delete below what you do not want.")
        missing = list(Room.objects.filter(zone__venue=form.instance.venue, zone__off_site=False, areas=None))
        if missing:
            named = ", ".join(map(str, missing[:MAX_NAMED]))
            more = f" and {len(missing) - MAX_NAMED} more" if len(missing) > MAX_NAMED else ""
            remedy = f"Type their areas below, or upload a drawing whose elements are named like them: {key_of(missing[0].name)}."
            messages.info(request, f"On no plan yet: {named}{more}. {remedy}")
        if form.drawing and form.drawing.linked_images:
            problem = f"Pictures in the drawing that are not shown, because they lie elsewhere: {form.drawing.linked_images}."
            messages.warning(request, f"{problem} Embed them in the SVG and upload it again.")

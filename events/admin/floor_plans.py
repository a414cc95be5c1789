"""Floor plans: the uploaded SVG, the areas, and a preview."""

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

from events.admin.base.forms import HallwayForm
from events.admin.base.model_admin import HallwayInline
from events.admin.base.scope import InUseFilter
from events.admin.kept_files import KeptFileInput, KeptFilesAdmin
from events.core.clock import Clock
from events.core.parsing.cells import key_of
from events.core.parsing.errors import ScheduleParseError
from events.pages.queries.plans import floor_plan_preview
from events.programme.models.venue import Room
from events.venue.models import FloorPlan, PlanArea, places_by_name
from events.venue.rules.drawing import MAX_DRAWING_BYTES, Drawing, read_drawing
from events.venue.rules.plans import Ruler

MAX_NAMED_ROOMS = 10
DRAWING_HELP_TEXT = (
    "At most 2 MB. Attendees get the file unchanged, with hidden layers and notes. An element whose id or layer name is that "
    "of a room (hall-1) becomes the room’s area. Width and height come from the drawing; missing room names are added."
)


class FloorPlanForm(HallwayForm):
    upload = forms.FileField(label="SVG drawing", required=False, widget=KeptFileInput, help_text=DRAWING_HELP_TEXT)
    take_out = forms.BooleanField(
        label="Remove the drawing", required=False, help_text="The areas are then drawn in Hallway’s style."
    )
    drawing: Drawing | None = None

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        file = cleaned.get("upload")
        if isinstance(file, UploadedFile) and cleaned.get("venue"):
            self.instance.venue = cleaned["venue"]
            self.drawing = self._read(file)
            self.instance.set_drawing(self.drawing)
            cleaned |= {"width": self.drawing.width, "height": self.drawing.height}
        elif cleaned.get("take_out"):
            self.instance.set_drawing(None)
        return cleaned

    def _read(self, file: UploadedFile) -> Drawing:
        try:
            names = frozenset(places_by_name(self.instance))
            # One byte over the limit is enough to refuse the file.
            return read_drawing(file.read(MAX_DRAWING_BYTES + 1), file=str(file.name)[:60], names=names)
        except ScheduleParseError as error:
            raise ValidationError({"upload": f"{error}."}) from error


class PlanAreaInline(HallwayInline):
    model = PlanArea
    fields = ["points", "room", "zone", "service", "sponsor", "label"]
    autocomplete_fields = ["room", "zone", "service"]
    verbose_name = "area"
    verbose_name_plural = "areas: a room, a zone, a service, a sponsor, or only a label"

    def get_queryset(self, request: HttpRequest) -> Any:
        return (
            super().get_queryset(request).select_related("room__zone__venue", "zone__venue", "service", "sponsor", "plan__venue")
        )


class FloorPlanAdmin(KeptFilesAdmin):
    form = FloorPlanForm
    list_display = ["name", "venue", "width", "height", "is_drawn", "position", "conference"]
    list_filter = ["conference", ("venue", InUseFilter)]
    search_fields = ["name", "venue__name"]
    list_select_related = ["conference", "venue"]
    ordering = ["-conference__start", "position", "name"]
    autocomplete_fields = ["venue"]
    fields = ["conference", "venue", "name", ("width", "height"), "upload", "take_out", "position", "preview"]
    readonly_fields = ["preview"]
    inlines = [PlanAreaInline]

    class Media:
        css = {"all": ["events/admin/floor_plan.css", "events/css/venue/plan.css"]}

    def get_readonly_fields(self, request: HttpRequest, obj: FloorPlan | None = None) -> list[str]:
        measured = ["width", "height"] if obj and obj.drawing else []
        return [*super().get_readonly_fields(request, obj), *measured]

    def get_fieldsets(self, request: HttpRequest, obj: FloorPlan | None = None) -> Any:
        """Leave out the fields that have nothing to remove or to show."""
        (name, first), *rest = super().get_fieldsets(request, obj)
        hidden = [] if obj and obj.drawing else ["take_out"]
        hidden += [] if obj else ["preview"]
        hidden += [] if self.has_change_permission(request, obj) else ["upload", "take_out"]
        return [(name, {**first, "fields": [it for it in first["fields"] if it not in hidden]}), *rest]

    @admin.display(boolean=True, description="drawn")
    def is_drawn(self, obj: FloorPlan) -> bool:
        return bool(obj.drawing)

    @admin.display(description="preview with a ruler")
    def preview(self, obj: FloorPlan) -> SafeString:
        zone = obj.conference.zone
        plan = floor_plan_preview(obj, Clock(timezone.now(), zone, zone))
        return render_to_string("events/venue/_plan.html", {"plan": plan, "ruler": Ruler(plan.width, plan.height)})

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        super().save_formset(request, form, formset, change)
        if form.drawing:
            form.moved = True
            self._report(request, form, form.instance.place_areas(form.drawing.areas))

    def _report(self, request: HttpRequest, form: FloorPlanForm, placed: list[PlanArea]) -> None:
        """Messages on the rooms that were found, those on no plan, and pictures that are not shown."""
        if placed:
            count = f"{len(placed)} area{'' if len(placed) == 1 else 's'}"
            named = ", ".join(map(str, placed))
            messages.info(request, f"{count} found in the drawing: {named}. Delete below what you do not want.")
        missing = list(Room.objects.filter(zone__venue=form.instance.venue, zone__off_site=False, areas=None))
        if missing:
            named = ", ".join(map(str, missing[:MAX_NAMED_ROOMS]))
            more = f" and {len(missing) - MAX_NAMED_ROOMS} more" if len(missing) > MAX_NAMED_ROOMS else ""
            remedy = f"Type their areas below, or upload a drawing whose elements are named like them: {key_of(missing[0].name)}."
            messages.info(request, f"Not on any plan yet: {named}{more}. {remedy}")
        if form.drawing and form.drawing.linked_images:
            problem = f"Pictures that are not shown because they are linked, not embedded: {form.drawing.linked_images}."
            messages.warning(request, f"{problem} Embed them in the SVG and upload it again.")

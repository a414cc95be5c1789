"""What is asked when a file is handed in."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.core.validators import validate_slug

from events.admin.event_forms import ReasonField
from events.importers import formats
from events.importers.limits import LARGEST
from events.models import Conference
from events.models.validators import free_slug, time_zone

NEW = "A new one, named below"


class UploadField(forms.FileField):
    """A file of a size that is read at all."""

    def __init__(self, *, largest: int, **kwargs: Any) -> None:
        super().__init__(label="File", max_length=255, allow_empty_file=True, **kwargs)
        self.largest = largest

    def clean(self, data: Any, initial: Any = None) -> Any:
        file: UploadedFile = super().clean(data, initial)
        if file.size is not None and file.size > self.largest:
            raise forms.ValidationError(f"The file is larger than {self.largest // 2**20} MB.")
        if not file.size:
            raise forms.ValidationError("The file is empty.")
        return file


class SpreadsheetForm(forms.Form):
    conference = forms.ModelChoiceField(Conference.objects.all(), help_text="Its rows alone are read and written.")
    file = UploadField(largest=16 * 2**20, help_text="CSV or XLSX, as the export gives it.")
    reason = ReasonField(
        help_text="Shown beside each change that attendees see: “The hall is being repaired.” Forgotten if nothing changes."
    )


class ProgrammeForm(forms.Form):
    conference = forms.ModelChoiceField(Conference.objects.all(), required=False, empty_label=NEW)
    slug = forms.CharField(
        label="Address of a new conference",
        max_length=60,
        required=False,
        help_text="Only for a new one. The first part of every address, in small letters: iclr-2026.",
        validators=[validate_slug, free_slug],
    )
    file = UploadField(largest=LARGEST)
    format = forms.ChoiceField(required=False, help_text="Found by what is in the file; choose one only if that goes wrong.")
    timezone = forms.CharField(
        label="Time zone",
        max_length=60,
        required=False,
        help_text="Only for a file whose times name none. Empty: that of the conference. Written as Asia/Singapore.",
        validators=[time_zone],
    )
    allow_cancel = forms.BooleanField(
        label="Cancel more than a fifth of the events if the file no longer has them",
        required=False,
        help_text="Otherwise such a file is refused: it is more often cut off than meant.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choice: Any = self.fields["format"]
        choice.choices = [("", "By its content"), *((it.name, it.label) for it in formats.FORMATS)]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        conference, slug = cleaned.get("conference"), cleaned.get("slug", "").strip().lower()
        if conference and slug:
            self.add_error("slug", "Choose a conference or name a new one, not both.")
        elif not conference and not slug and "conference" not in self.errors and "slug" not in self.errors:
            self.add_error("conference", "Choose the conference, or name a new one below.")
        elif slug and Conference.objects.filter(slug=slug).exists():
            self.add_error("slug", f"There is a conference “{slug}”: choose it above.")
        cleaned["slug"] = slug
        return cleaned

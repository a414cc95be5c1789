"""Parts of the forms of events."""

from __future__ import annotations

from typing import Any

ABOUT_FIELDS = ("conference", "type", "title", "subtitle", "language", "status", "abstract", "description")
ABOUT_FIELDSET: Any = (None, {"fields": [*ABOUT_FIELDS, "track", "topic"]})
WHEN_AND_WHERE_FIELDSET: Any = ("When and where", {"fields": ["day", ("start", "end"), "room", "place"]})
REASON_FIELDSET: Any = ("Tell those who come", {"fields": ["reason"]})
AUDIENCE_FIELDS = ("official", "audience", "capacity", "cost", "access_notes", "takes_questions")
SIGN_UP_FIELDS = ("signup_url", "signup_state", "signup_checked_at", "signup_until")
RECORDING_CONSENT_FIELDS = ("do_not_record", "recording_license")
RECORDING_FIELDSET: Any = (
    "Stream and recording",
    {
        "fields": [
            "overflow_room",
            "stream_url",
            "recording_url",
            "recording_from",
            "recording_offset",
            *RECORDING_CONSENT_FIELDS,
        ],
        "classes": ["collapse"],
    },
)
EXPORT_FIELDSET: Any = ("In exports", {"fields": ["export_number", "export_slug", "logo_url"], "classes": ["collapse"]})

"""What is in the admin; agendas and bookmarks are the visitors' own, and are not."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from django.contrib import admin

from events.admin import (
    amenities,
    changes,
    conference,
    directions,
    floor_plans,
    imports,
    labels,
    papers,
    people,
    place,
    programme,
    proposals,
    questions,
    services,
)

__all__ = [
    "amenities",
    "changes",
    "conference",
    "directions",
    "floor_plans",
    "imports",
    "labels",
    "papers",
    "people",
    "place",
    "programme",
    "proposals",
    "questions",
    "services",
]

# allauth's own table stays empty: an attendee's mailbox stands with their user.
admin.site.unregister(EmailAddress)

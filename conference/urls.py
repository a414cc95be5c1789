"""Every address: the admin, and the app at the root."""

from __future__ import annotations

from django.conf import settings
from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path(settings.ADMIN_PATH, include("events.staff.urls")),
    path(settings.ADMIN_PATH, admin.site.urls),
    path("", include("events.urls")),
]

handler404 = "events.pages.views.errors.not_found"
handler500 = "events.pages.views.errors.fault_or_server_error"

"""Pictures of shared links, and sitemaps."""

from __future__ import annotations

from uuid import UUID

from django import forms
from django.http import Http404, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.http import conditional_page, require_safe

from events.core.byte_cache import PROCESS_CACHE
from events.pages.link_previews import conference_picture, event_picture
from events.pages.preview_picture import PreviewPicture
from events.pages.queries import event as event_queries
from events.pages.queries import sitemap as sitemap_queries
from events.programme.models.conference import Conference
from events.web.caching import LASTING_CACHE_CONTROL, PUBLIC_CACHE_CONTROL
from events.web.request import Request, conference_view


class VersionForm(forms.Form):
    """The version in the address of a picture."""

    version = forms.CharField(max_length=12, required=False)


@require_safe
@conference_view
def conference_preview_picture(request: Request, conference: Conference) -> HttpResponse:
    return _picture_response(request, conference_picture(conference))


@require_safe
@conference_view
def event_preview_picture(request: Request, conference: Conference, guid: UUID) -> HttpResponse:
    event = event_queries.event_of_preview(conference, guid)
    if event is None:
        raise Http404
    return _picture_response(request, event_picture(event))


def _picture_response(request: Request, picture: PreviewPicture) -> HttpResponse:
    """An address of another version must not be kept: the picture is not the one that it names."""
    form = VersionForm(request.GET)
    lasts = form.is_valid() and form.cleaned_data["version"] == picture.version
    body = PROCESS_CACHE.get_or_build(("preview", picture.version), picture.png)
    headers = {"Cache-Control": LASTING_CACHE_CONTROL if lasts else PUBLIC_CACHE_CONTROL}
    # A picture is for pages of other sites.
    headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return HttpResponse(body, content_type="image/png", headers=headers)


@require_safe
def sitemap_index(request: Request) -> HttpResponse:
    context = {"addresses": sitemap_queries.sitemap_addresses()}
    headers = {"Cache-Control": PUBLIC_CACHE_CONTROL}
    body = render_to_string("events/web/sitemap_index.xml", context)
    return HttpResponse(body, content_type="application/xml", headers=headers)


@require_safe
@conditional_page
@conference_view
def sitemap(request: Request, conference: Conference) -> HttpResponse:
    body = sitemap_queries.sitemap_xml(conference, request.clock)
    return HttpResponse(body, content_type="application/xml", headers={"Cache-Control": PUBLIC_CACHE_CONTROL})

"""django-allauth's pages for organisers, in the look of the admin and for those alone who may see them."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from allauth.account import views as account_views
from allauth.account.adapter import get_adapter
from allauth.mfa.base import views as factor_views
from allauth.mfa.recovery_codes import views as recovery_views
from allauth.mfa.totp import views as app_views
from allauth.mfa.webauthn import views as passkey_views
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth import logout
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse, reverse_lazy
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods, require_POST

from events.staff.forms import MailChoiceForm
from events.staff.models import MailChoice
from events.staff.second_factor import factors_of, is_verified, may_enter
from events.web.caching import no_store
from events.web.request import next_url

View = Callable[..., HttpResponse]


def in_admin_look(view: View) -> View:
    """Add what templates of the admin read; a form with mistakes answers with status 422."""

    @wraps(view)
    def with_context(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        if isinstance(response, TemplateResponse):
            frame = {**admin.site.each_context(request), "is_nav_sidebar_enabled": False, "may_enter": may_enter(request)}
            response.context_data = {**frame, **(response.context_data or {})}
            if options := response.context_data.get("js_data"):
                response.context_data["passkey_options"] = json.dumps(options, cls=DjangoJSONEncoder)
            if request.method == "POST" and response.status_code == 200:
                response.status_code = 422
        return response

    return require_http_methods(["GET", "HEAD", "POST"])(no_store(with_context))


def for_staff(view: View, *, shows_factor: bool = False) -> View:
    """Whoever has a second factor shows it first, unless that is what the page asks for.

    Otherwise a session that is older than the factor, opened with the password alone, could remove it.
    """

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path(), settings.LOGIN_URL)
        if not request.user.is_staff:
            raise PermissionDenied
        if not shows_factor and not is_verified(request) and factors_of(request.user).exists():
            return HttpResponseRedirect(f"{factor_page(request)}?{urlencode({'next': request.path})}")
        return view(request, *args, **kwargs)

    return in_admin_look(guarded)


def factor_page(request: HttpRequest) -> str:
    methods = get_adapter(request).get_reauthentication_methods(request.user)
    return next(str(method["url"]) for method in methods if method["id"].startswith("mfa_reauthenticate"))


def sign_in_or_enter(request: HttpRequest) -> HttpResponse:
    """Lead whoever is signed in to the page they wanted, or to set up the second factor that they lack."""
    if request.user.is_authenticated and request.user.is_staff:
        return redirect(next_url(request, reverse("admin:index")) if may_enter(request) else "mfa_index")
    if request.user.is_authenticated and request.method == "POST":
        # An account that is no organiser's any more: django-allauth would ask it for no second factor.
        logout(request)
    return cast(HttpResponse, account_views.login(request))


def cancel(request: HttpRequest) -> HttpResponse:
    """End a sign-in between password and second factor; also a session that has none and may not enter."""
    return cast(HttpResponse, account_views.logout(request))


def choose_mail(request: HttpRequest) -> HttpResponse:
    """What the user is mailed about; nothing without a mail address."""
    choice = MailChoice.of(cast(User, request.user))
    form = MailChoiceForm(request.POST if request.method == "POST" else None, instance=choice)
    if form.is_valid():
        # Of the choices only: a letter may be written meanwhile, which sets the time of the last one.
        MailChoice.objects.update_or_create(user=cast(User, request.user), defaults=form.cleaned_data)
        messages.success(request, "Your choice is saved.")
        return redirect("staff_mail")
    return TemplateResponse(request, "staff/mail.html", {"form": form, "heading": "Mail"})


sign_in = in_admin_look(sign_in_or_enter)
second_factor = in_admin_look(factor_views.authenticate)
password_forgotten = in_admin_look(account_views.password_reset)
password_mail_sent = in_admin_look(account_views.password_reset_done)
password_new = in_admin_look(account_views.PasswordResetFromKeyView.as_view(success_url=reverse_lazy("account_login")))
sign_in_cancel = no_store(require_POST(cancel))
password_again = for_staff(account_views.reauthenticate)
second_factor_again = for_staff(factor_views.reauthenticate, shows_factor=True)
passkey_again = for_staff(passkey_views.reauthenticate_webauthn, shows_factor=True)
mail_choices = for_staff(choose_mail)
factor_list = for_staff(factor_views.index)
app_add = for_staff(app_views.activate_totp)
app_remove = for_staff(app_views.deactivate_totp)
recovery_codes = for_staff(recovery_views.view_recovery_codes)
recovery_codes_replace = for_staff(recovery_views.generate_recovery_codes)
passkey_add = for_staff(passkey_views.add_webauthn)
passkey_remove = for_staff(passkey_views.remove_webauthn)

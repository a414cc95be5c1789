"""Every address of django-allauth that this site has, below ADMIN_PATH; the names are those that django-allauth looks up."""

from __future__ import annotations

from django.urls import path

from events.staff import views

urlpatterns = [
    # Before the admin's own page of this address.
    path("login/", views.sign_in, name="account_login"),
    path("login/code/", views.second_factor, name="mfa_authenticate"),
    path("login/cancel/", views.sign_in_cancel, name="account_logout"),
    path("password/", views.password_forgotten, name="account_reset_password"),
    path("password/sent/", views.password_mail_sent, name="account_reset_password_done"),
    path("new-password/<str:key>-<str:uidb36>/", views.password_new, name="account_reset_password_from_key"),
    path("account/", views.factor_list, name="mfa_index"),
    # Where one arrives after removing a passkey.
    path("account/", views.factor_list, name="mfa_list_webauthn"),
    path("account/mail/", views.mail_choices, name="staff_mail"),
    path("account/password/", views.password_again, name="account_reauthenticate"),
    path("account/code/", views.second_factor_again, name="mfa_reauthenticate"),
    path("account/passkey/", views.passkey_again, name="mfa_reauthenticate_webauthn"),
    path("account/app/", views.app_add, name="mfa_activate_totp"),
    path("account/app/remove/", views.app_remove, name="mfa_deactivate_totp"),
    path("account/recovery-codes/", views.recovery_codes, name="mfa_view_recovery_codes"),
    path("account/recovery-codes/replace/", views.recovery_codes_replace, name="mfa_generate_recovery_codes"),
    path("account/passkeys/add/", views.passkey_add, name="mfa_add_webauthn"),
    path("account/passkeys/<int:pk>/remove/", views.passkey_remove, name="mfa_remove_webauthn"),
]

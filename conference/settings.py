"""All settings; what differs between machines comes from the environment (README lists every name)."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import re
import secrets
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from conference.environment import (
    admin_path,
    cache_config,
    database_config,
    env,
    host_names,
    mail_addresses,
    mail_sender,
    service,
    site_url,
    whole_number,
    yes_or_no,
)

# Only this user may read the database, its -wal and -shm, the key, photos and uploads. It is set here because manage.py and the
# server read the settings before they make a file.
os.umask(0o077)

BASE_DIR = Path(__file__).resolve().parent.parent

HOST = env.str("HOST", "127.0.0.1")
PORT = whole_number("PORT", 8000)
DEBUG = yes_or_no("DEBUG", False)
SITE_URL = site_url(env.str("SITE_URL")) if "SITE_URL" in env else f"http://{HOST}:{PORT}"
SITE = urlsplit(SITE_URL)
SECURE = SITE.scheme == "https"


def own_secret_key(path: Path) -> str:
    """A key made on first use and kept beside the database, so that a fresh machine needs no setting."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        # A link is made whole and once: of two first starts one makes the key, and both read it. Temporary files have mode 0600.
        with tempfile.NamedTemporaryFile("w", dir=path.parent, prefix="secret-key-") as file:
            file.write(secrets.token_urlsafe(50))
            file.flush()
            with contextlib.suppress(FileExistsError):
                os.link(file.name, path)
    return path.read_text().strip()


SECRET_KEY = env.str("SECRET_KEY", "")
if SECURE and len(SECRET_KEY) < 50:
    raise ImproperlyConfigured("SITE_URL is https: set SECRET_KEY to a random text of at least 50 characters.")
# None where the environment has the key.
SECRET_KEY_FILE = None if SECRET_KEY else BASE_DIR / "var" / "secret-key"
if SECRET_KEY_FILE:
    SECRET_KEY = own_secret_key(SECRET_KEY_FILE)
# Former keys, so that secret addresses made with them can still be shown.
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])

BEHIND_PROXY = yes_or_no("BEHIND_PROXY", False)
# Proxies in a row, each of which adds the address of its client to X-Forwarded-For.
TRUSTED_PROXIES = whole_number("TRUSTED_PROXIES", 1 if BEHIND_PROXY else 0)

ALLOWED_HOSTS = [SITE.hostname or "", "localhost", "127.0.0.1", "[::1]", *host_names(env.list("ALLOWED_HOSTS", default=[]))]
CSRF_TRUSTED_ORIGINS = [SITE_URL]
CSRF_FAILURE_VIEW = "events.pages.views.errors.csrf_failed"

INSTALLED_APPS = [
    "events.admin.apps.HallwayAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.humanize",
    "django.contrib.staticfiles",
    "django_htmx",
    "simple_history",
    # Of its pages, those of the organisers' sign-in have an address (events/staff/urls.py).
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "events",
]

MIDDLEWARE = [
    "events.web.overload.refuse_late",
    "events.web.uploads.read_to_the_end",
    # Before the others, so that static files, redirects and refusals carry their headers too.
    "events.web.middleware.isolate",
    # Before Django refuses their names.
    "events.web.hosts.lead_to_conferences",
    "django.middleware.security.SecurityMiddleware",
    "events.web.middleware.FramePolicyMiddleware",
    "events.web.static_files.StaticFilesMiddleware",
    "events.web.middleware.private_by_default",
    "events.web.middleware.noindex_admin",
    "events.web.prefetching.guard_prefetches",
    "events.web.middleware.feed_shortcut",
    "django_htmx.middleware.HtmxMiddleware",
    "events.agenda.page_cache.page_cache_middleware",
    "events.web.middleware.GZipPagesMiddleware",
    # Reads pages, so before they are compressed.
    "events.web.style_preloads.preload_styles",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "events.web.middleware.CsrfByOriginMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "events.web.uploads.refuse_unwanted_files",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "simple_history.middleware.HistoryRequestMiddleware",
    "events.staff.previews.DraftsMiddleware",
    "events.agenda.visitor.AgendaGoneMiddleware",
    "events.pages.views.errors.explain_form_addresses",
]

ROOT_URLCONF = "conference.urls"
WSGI_APPLICATION = "conference.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "events.pages.context_processors.page_frame",
            ],
        },
    },
]


DATABASE_SCHEMES = {"sqlite", "postgres", "postgresql", "psql", "pgsql"}


def make_folder_of(file: Path) -> None:
    """One folder and none above it, which are missing where the path has a slip."""
    try:
        file.parent.mkdir(exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(
            f"DATABASE_URL names {file}, whose folder cannot be made: {error.strerror}. Correct the path, or make the folder."
        ) from error


def database() -> dict[str, Any]:
    """DATABASE_URL, or an SQLite file; SQLite is set up so that a conference's writes queue instead of failing."""
    text = env.str("DATABASE_URL", f"sqlite:///{BASE_DIR / 'var' / 'hallway.sqlite3'}")
    examples = "sqlite:////folder/file.sqlite3 or postgres://user:password@host:5432/name"
    config = service("DATABASE_URL", text, DATABASE_SCHEMES, database_config, examples)
    if config["ENGINE"] == "django.db.backends.sqlite3":
        config["OPTIONS"] = {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA mmap_size=0;",
        }
        # Opening the file for every request would cost more than most requests do.
        config["CONN_MAX_AGE"] = 60
        if not config["NAME"].startswith(":"):
            make_folder_of(Path(config["NAME"]))
    else:
        config["ENGINE"] = "events.core.db.postgresql"
        # For a connection; while the database is away, nobody waits (events/core/db/postgresql, which asks for connect_timeout).
        pool = {"min_size": 2, "max_size": 8, "max_waiting": 64, "timeout": 3, "reconnect_timeout": 1}
        # A host that vanishes closes no connection: a request that waits for it ends after at most 20 seconds.
        vanished = {"tcp_user_timeout": 10_000, "keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 2}
        # PostgreSQL plans a statement anew each time unless it is prepared, which takes most of its time (decision 035).
        planned = {"server_side_binding": True, "prepare_threshold": 1}
        config["OPTIONS"] = {"pool": pool, "connect_timeout": 2, **vanished, **planned, **config.get("OPTIONS", {})}
    return config


DATABASES = {"default": database()}
cache_text = env.str("CACHE_URL", "locmemcache://hallway")
CACHES = {"default": service("CACHE_URL", cache_text, env.CACHE_SCHEMES, cache_config, "rediscache://host:6379/0")}
if CACHES["default"]["BACKEND"] == "django.core.cache.backends.redis.RedisCache":
    # Requests go on while Redis is away (decision 044).
    CACHES["default"]["BACKEND"] = "events.core.redis_cache.FallbackRedisCache"

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in [
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    ]
]

# Groups count for every conference, roles for one (decision 059).
AUTHENTICATION_BACKENDS = ["django.contrib.auth.backends.ModelBackend", "events.staff.roles.RoleBackend"]

# Organisers sign in with a password, and with a second factor where the site is public.
REQUIRE_SECOND_FACTOR = yes_or_no("REQUIRE_SECOND_FACTOR", SECURE)
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "admin:index"
ACCOUNT_ADAPTER = "events.staff.adapters.StaffAccountAdapter"
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_AUTHENTICATED_LOGIN_REDIRECTS = False
ACCOUNT_LOGOUT_REDIRECT_URL = "account_login"
ACCOUNT_EMAIL_VERIFICATION = "none"
# An unknown address gets no mail, and the page does not say whether an organiser has it.
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_FORMS = {
    "reset_password": "events.staff.forms.PasswordForgottenForm",
    "user_token": "events.staff.forms.NewPasswordTokenForm",
}
MFA_ADAPTER = "events.staff.adapters.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_TOTP_ISSUER = f"Hallway {SITE.hostname}"
# The clocks of phones differ: the codes before and after the current one are valid too.
MFA_TOTP_TOLERANCE = 1
MFA_FORMS = {
    "authenticate": "events.staff.forms.SecondFactorForm",
    "authenticate_webauthn": "events.staff.forms.PasskeyForm",
    "reauthenticate": "events.staff.forms.SecondFactorAgainForm",
    "reauthenticate_webauthn": "events.staff.forms.PasskeyAgainForm",
    "add_webauthn": "events.staff.forms.PasskeyAddForm",
    "activate_totp": "events.staff.forms.AuthenticatorAppForm",
}
# Theirs are counted in the cache, which each process has for itself; events/core/limits.py counts in the database.
ACCOUNT_RATE_LIMITS = MFA_RATE_LIMITS = False

LANGUAGE_CODE = "en-gb"
FORMAT_MODULE_PATH = "conference.formats"
TIME_ZONE = "UTC"
USE_I18N = True
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "var" / "static"
MEDIA_URL = "/media/"
# Machines that share a database share these two folders.
MEDIA_ROOT = BASE_DIR / env.str("MEDIA_ROOT", "var/media")
FILE_UPLOAD_PERMISSIONS = 0o600
# Uploads that organisers preview before importing; shared by the workers, never served.
UPLOAD_ROOT = BASE_DIR / env.str("UPLOAD_ROOT", "var/uploads")
# Finished exports, which all processes of a site share; it may be deleted at any time. A rehearsal with another database or
# address has another folder.
site_parts = [SITE_URL, *(str(DATABASES["default"].get(part, "")) for part in ("HOST", "PORT", "NAME"))]
EXPORT_ROOT = BASE_DIR / "var" / "exports" / hashlib.sha256("\n".join(site_parts).encode()).hexdigest()[:16]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if not DEBUG
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}

# Every mail is written down before it is sent; by what, says MAIL_URL.
MAIL_EXAMPLES = "smtp+tls://user:password@host:587 or smtp://host:25"
MAIL = service("MAIL_URL", env.str("MAIL_URL", "consolemail://"), env.EMAIL_SCHEMES, env.email_url_config, MAIL_EXAMPLES)
LETTER_BACKEND = MAIL["EMAIL_BACKEND"]
EMAIL_BACKEND = "events.mail.outbox.OutboxBackend"
EMAIL_HOST, EMAIL_PORT = MAIL.get("EMAIL_HOST") or "localhost", MAIL.get("EMAIL_PORT") or 25
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = MAIL.get("EMAIL_HOST_USER") or "", MAIL.get("EMAIL_HOST_PASSWORD") or ""
EMAIL_USE_TLS, EMAIL_USE_SSL = MAIL.get("EMAIL_USE_TLS", False), MAIL.get("EMAIL_USE_SSL", False)
EMAIL_FILE_PATH = MAIL.get("EMAIL_FILE_PATH") or None
EMAIL_TIMEOUT = 30
MAIL_FROM = env.str("MAIL_FROM", "").strip()
DEFAULT_FROM_EMAIL = SERVER_EMAIL = mail_sender(MAIL_FROM) if MAIL_FROM else f"Hallway <hallway@{SITE.hostname}>"
# Who gets mail about errors; none without addresses.
ADMINS = [(address, address) for address in mail_addresses(env.list("ADMINS", default=[]))]
EMAIL_SUBJECT_PREFIX = f"[{SITE.hostname}] "

# Messages live in a signed cookie: a visitor without an account gets no session.
MESSAGE_STORAGE = "django.contrib.messages.storage.cookie.CookieStorage"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 14
# Browsers take cookies with this prefix from this host alone, not from its sub-domains and siblings.
SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = ("__Host-sessionid", "__Host-csrftoken") if SECURE else ("sessionid", "csrftoken")
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SECURE_SSL_REDIRECT = SECURE
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics/"]
SECURE_HSTS_SECONDS = 60 * 60 * 24 * 365 if SECURE else 0
# Browsers use https for this host alone; for all hosts below it, and in browsers' own lists, only where that is asked for.
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = yes_or_no("HSTS_SUBDOMAINS", False) and SECURE
# W002 knows Django's own middleware only: FramePolicyMiddleware inherits from it.
SILENCED_SYSTEM_CHECKS = ["security.W002", "security.W005", "security.W021"]
SECURE_REFERRER_POLICY = "strict-origin-when-cross-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if BEHIND_PROXY else None
X_FRAME_OPTIONS = "DENY"


# Megabytes that each process may cache: pages, personal fragments, entries of calendars; 0 caches none.
PAGE_CACHE_MB = whole_number("PAGE_CACHE_MB", 72)
# Browsers save pages for times without network. Never with DEBUG: they would keep static files whose names have no hash.
OFFLINE = yes_or_no("OFFLINE", True) and not DEBUG
CALENDAR_PRODUCT = "-//Hallway//Hallway 0.1//EN"
ADMIN_PATH = admin_path(env.str("ADMIN_PATH", "organise/"))
SECURITY_CONTACT = env.str("SECURITY_CONTACT", "")
if SECURITY_CONTACT and (not SECURITY_CONTACT.startswith(("mailto:", "https:")) or not SECURITY_CONTACT.isprintable()):
    raise ImproperlyConfigured("SECURITY_CONTACT is an address to report weaknesses to: write it as mailto:… or https:….")
DATA_UPLOAD_MAX_NUMBER_FIELDS = 5000
FILE_UPLOAD_HANDLERS = [
    "events.web.uploads.UnwantedFileHandler",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]
SIMPLE_HISTORY_HISTORY_ID_USE_UUID = False

# Figures for Prometheus at /metrics/<token>/; without a token nothing is counted.
METRICS_TOKEN = env.str("METRICS_TOKEN", "")
if METRICS_TOKEN and not re.fullmatch(r"[A-Za-z0-9_-]{20,}", METRICS_TOKEN):
    raise ImproperlyConfigured(
        "METRICS_TOKEN is part of a secret address: use 20 or more letters, digits, hyphens and underscores."
    )
if METRICS_TOKEN:
    MIDDLEWARE.insert(0, "events.web.metrics.count_requests")

SENTRY_DSN = env.str("SENTRY_DSN", "")
if SENTRY_DSN and not re.fullmatch(r"https?://\w+(:\w*)?@[^/@\s]+(/[^@\s]*)?/\d+", SENTRY_DSN):
    raise ImproperlyConfigured(
        "SENTRY_DSN is not the address of a project in Sentry: copy it from there, as https://KEY@HOST/NUMBER."
    )
if SENTRY_DSN and importlib.util.find_spec("sentry_sdk") is None:
    raise ImproperlyConfigured("SENTRY_DSN is set, but sentry-sdk is not installed: run make install with this setting.")

LOG_LEVEL = env.str("LOG_LEVEL", "").strip() or "INFO"
if LOG_LEVEL not in {"DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"}:
    raise ImproperlyConfigured(f"LOG_LEVEL is “{LOG_LEVEL}”: choose DEBUG, INFO, WARNING, ERROR or CRITICAL.")
LOG_FORMAT = env.str("LOG_FORMAT", "text")
if LOG_FORMAT not in {"text", "json"}:
    raise ImproperlyConfigured(f"LOG_FORMAT is “{LOG_FORMAT}”: choose text, or json for an object a line.")
LOG_HANDLERS = ["console", "mail-to-admins"] if ADMINS else ["console"]
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    # A feed's address is a secret, and addresses are what request loggers write.
    "filters": {
        "hide-feed-tokens": {"()": "events.web.redaction.HideFeedTokens"},
        "one-line-per-refusal": {"()": "events.web.redaction.OneLinePerRefusal"},
        "once-per-hour": {"()": "events.web.error_mail.OncePerHour"},
    },
    "formatters": {
        "text": {"()": "events.web.redaction.DiscreetFormatter"},
        "json": {"()": "events.web.redaction.JSONFormatter"},
    },
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT, "filters": ["one-line-per-refusal"]},
        "mail-to-admins": {
            "class": "events.web.error_mail.ErrorMailHandler",
            "level": "ERROR",
            "formatter": "text",
            "filters": ["once-per-hour", "hide-feed-tokens"],
        },
    },
    "loggers": {
        "events": {"handlers": LOG_HANDLERS, "level": LOG_LEVEL},
        # Django's own setting sends errors nowhere while DEBUG is off.
        "django": {"handlers": LOG_HANDLERS, "level": LOG_LEVEL},
        **{name: {"filters": ["hide-feed-tokens"]} for name in ["django.request", "django.security.csrf", "django.server"]},
        # Silent unless the server runs with --access-log.
        "granian.access": {"handlers": ["console"], "level": "INFO", "propagate": False, "filters": ["hide-feed-tokens"]},
    },
}
DEFAULT_EXCEPTION_REPORTER = "events.web.redaction.DiscreetReporter"
DEFAULT_EXCEPTION_REPORTER_FILTER = "events.web.redaction.DiscreetFilter"

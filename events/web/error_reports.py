"""Sends errors to Sentry, with SENTRY_DSN: which error and where in the code, and nothing of a visitor.

The text of an error, its variables and its request may quote what somebody wrote, or an address that is a secret. They stay in
the log of the server. What is sent is chosen here field by field, so that a new version of the library adds none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings

if TYPE_CHECKING:
    from sentry_sdk.types import Event, Hint

EVENT_FIELDS = ("event_id", "timestamp", "level", "logger", "platform", "release", "environment", "server_name")
FRAME_FIELDS = ("filename", "abs_path", "function", "module", "lineno", "in_app", "pre_context", "context_line", "post_context")


def start_error_reports() -> None:
    import sentry_sdk  # noqa: PLC0415 - installed and loaded only where it is used
    from sentry_sdk.integrations.atexit import AtexitIntegration  # noqa: PLC0415
    from sentry_sdk.integrations.dedupe import DedupeIntegration  # noqa: PLC0415
    from sentry_sdk.integrations.django import DjangoIntegration  # noqa: PLC0415
    from sentry_sdk.integrations.excepthook import ExcepthookIntegration  # noqa: PLC0415
    from sentry_sdk.integrations.logging import LoggingIntegration  # noqa: PLC0415
    from sentry_sdk.integrations.threading import ThreadingIntegration  # noqa: PLC0415

    sentry_sdk.init(
        dsn=settings.SENTRY_DSN,
        default_integrations=False,
        auto_enabling_integrations=False,
        integrations=[
            DjangoIntegration(transaction_style="function_name", middleware_spans=False, signals_spans=False),
            LoggingIntegration(level=None),
            ExcepthookIntegration(),
            ThreadingIntegration(propagate_scope=False),
            AtexitIntegration(callback=lambda pending, timeout: None),
            DedupeIntegration(),
        ],
        before_send=only_where,
        before_breadcrumb=lambda crumb, hint: None,
        include_local_variables=False,
        max_request_body_size="never",
        send_default_pii=False,
        auto_session_tracking=False,
        send_client_reports=False,
    )


def only_where(event: Event, hint: Hint) -> Event | None:
    """Keep the kinds of errors and the places in the code; of our own log messages, the text in the code without its values."""
    found: dict[str, Any] = dict(event)
    kept: dict[str, Any] = {name: found[name] for name in EVENT_FIELDS if name in found}
    if errors := (found.get("exception") or {}).get("values"):
        kept["exception"] = {"values": [only_place(error) for error in errors]}
    # Other loggers may have written a value into the text.
    if str(found.get("logger")).startswith("events.") and "logentry" in found:
        kept["logentry"] = {"message": found["logentry"]["message"]}
    # The name of a view; any other source may be an address.
    if (found.get("transaction_info") or {}).get("source") == "component":
        kept["transaction"] = found["transaction"]
    return kept if "exception" in kept or "logentry" in kept else None  # type: ignore[return-value]


def only_place(error: dict[str, Any]) -> dict[str, Any]:
    frames = (error.get("stacktrace") or {}).get("frames") or []
    kept_frames = [{name: frame[name] for name in FRAME_FIELDS if name in frame} for frame in frames]
    return {"type": error.get("type"), "module": error.get("module"), "stacktrace": {"frames": kept_frames}}

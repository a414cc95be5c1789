"""The page on which a proposal is decided, as a chair uses it."""

from __future__ import annotations

from typing import Any

from django.contrib.admin.models import LogEntry
from django.test import Client

from events.models import Proposal
from tests.admin.pages import url


def page_of(client: Client, proposal: Proposal) -> Any:
    return client.get(url("change", "proposal", proposal.pk))


def form_of(page: Any, decision: str) -> dict[str, Any]:
    """What one form of the page would send."""
    form, sent = page.context["forms"][decision], {"decision": decision, "version": page.context["original"].version}
    for bound in form.visible_fields():
        value = bound.value()
        widget = bound.field.widget
        # A form that was sent and comes back has the parts as they were typed.
        parts = (value if isinstance(value, list) else widget.decompress(value)) if hasattr(widget, "decompress") else None
        if parts is None:
            sent[bound.html_name] = getattr(value, "pk", value)
        else:
            names = widget.widgets_names
            sent |= {f"{bound.html_name}{name}": part for name, part in zip(names, parts, strict=True)}
    if decision == "publish":
        sent |= {"event_version": page.context["event_version"], "seen": page.context.get("seen", "")}
    return {name: value for name, value in sent.items() if value not in {None, False}}


def decide(client: Client, proposal: Proposal, decision: str, /, **typed: Any) -> Any:
    """Open the page, type, and press the button."""
    page = page_of(client, proposal)
    return client.post(url("change", "proposal", proposal.pk), form_of(page, decision) | typed)


def state(proposal: Proposal) -> tuple[str, str]:
    proposal.refresh_from_db()
    return proposal.status, proposal.answer


def lines(proposal: Proposal) -> list[tuple[str, str]]:
    found = LogEntry.objects.filter(object_id=str(proposal.pk)).order_by("pk")
    return [(entry.user.get_username(), entry.get_change_message()) for entry in found]

"""News of what somebody handed in, where they left a mail address: only when a chair has decided."""

from __future__ import annotations

from django.conf import settings
from django.template.loader import render_to_string

from events.mail.outbox import post
from events.models import Letter, Proposal, limits
from events.models.writing import short_write
from events.queries.desk import led_to


def tell_decision(proposal: Proposal) -> Letter | None:
    """Write what was decided to its sender; in no word of the sender's own, so that nobody mails anything through us."""
    if not proposal.mailbox:
        return None
    proposal.refresh_from_db()
    conference = proposal.conference
    with short_write():
        if not limits.DECISION_MAILS.allows(mailbox=limits.mailbox_key(proposal.mailbox)):
            return None
        event = led_to(proposal)
        context = {
            "proposal": proposal,
            "conference": conference,
            "url": settings.SITE_URL + proposal.url if proposal.url else "",
            "event_url": settings.SITE_URL + event.get_absolute_url() if event else "",
        }
        text = render_to_string("events/desk_letter.txt", context).strip() + "\n"
        headers = {"Auto-Submitted": "auto-generated"}
        return post(proposal.mailbox, f"{conference}: what you sent to the chairs", text, headers=headers)

"""What a visitor may do with the secret itself: take it to another device, change it, give it up with everything it opens."""

from __future__ import annotations

from events.models.accounts import Account
from events.models.agenda import Agenda, digest, new_token
from events.models.feeds import FeedFetch
from events.models.merging import held, merge_visitors, replace_visitor
from events.models.places import release_all
from events.models.questions import Question
from events.models.sharing import Handover, ReadLink
from events.models.writing import short_write


def take_over(code: str, own: str, *, replace: bool = False) -> str:
    """Use up the code; the secret to go on with, which opens what both had. Empty for a code that opens nothing."""
    with short_write():
        token = Handover.use(code)
        # Looked at with everything locked: a secret that was merged away meanwhile is dead.
        if not token or not any(it.token_hash == digest(token) for it in held(token, own)):
            return ""
        if own:
            (replace_visitor if replace else merge_visitors)(own, token)
    return token


def sign_out_elsewhere(token: str) -> str:
    """A new secret for the same agendas: no other device, calendar or reader gets in by what it knows of the old one."""
    fresh = new_token()
    with short_write():
        Account.follow(token, fresh)
        agendas = held(token)
        for agenda in agendas:
            agenda.replaced_feeds.create(token_hash=agenda.feed_token_hash)
            agenda.token_hash = digest(fresh)
            agenda.feed_serial += 1
            agenda.feed_token_hash = digest(agenda.feed_token(fresh))
            agenda.save(update_fields=["token_hash", "feed_serial", "feed_token_hash"])
        FeedFetch.objects.filter(agenda__in=agendas).delete()
        ReadLink.objects.filter(agenda__in=agendas).take_back()
    return fresh


def forget(token: str) -> int:
    """Delete all that is kept for this visitor, at every conference, and their account; how many agendas that was."""
    with short_write():
        if account := Account.objects.of(token):
            account.end()
        agendas = held(token)
        release_all(agendas)
        Question.objects.filter(agenda__in=agendas).disown()
        Agenda.objects.filter(pk__in=[it.pk for it in agendas]).delete()
    return len(agendas)

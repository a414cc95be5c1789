"""What a visitor does with all browsers and agendas at once: connect another browser, sign out, be deleted."""

from __future__ import annotations

from django.utils.crypto import constant_time_compare

from events.agenda.lifecycle import LIFECYCLE
from events.agenda.merging import locked_agendas, merge_visitors, replace_visitor
from events.agenda.models.sharing import Handover, ReadLink
from events.agenda.models.visitors import AccessToken, Account, Visitor
from events.core.db.writing import serialized_write
from events.core.tokens import hash_token


def redeem_handover(code: str, token: str, *, replace: bool = False) -> str:
    """Use the code in the browser with this token. Return the browser's new token, empty if the code is not valid."""
    with serialized_write():
        there = Handover.find_visitor(code)
        if there is None:
            return ""
        here = Visitor.objects.lock_by_token(token, there)
        if not Handover.use_up(code) or not there.agendas.exists():
            return ""
        if here == there:
            return token
        if here:
            (replace_visitor if replace else merge_visitors)(here, there)
        return there.new_token()


def sign_out(token: str) -> None:
    AccessToken.objects.filter(token_hash=hash_token(token)).end()


def sign_out_device(token: str, mark: str) -> bool:
    """End the access of another browser of this visitor, and the codes that it may have made. False if none has this mark."""
    with serialized_write():
        visitor = Visitor.objects.lock_by_token(token)
        others = visitor.tokens.exclude(token_hash=hash_token(token)) if visitor else AccessToken.objects.none()
        marked = [it.pk for it in others if constant_time_compare(it.mark, mark)]
        if visitor is None or not marked:
            return False
        others.filter(pk__in=marked).end()
        visitor.handovers.all().delete()
    return True


def sign_out_everywhere(token: str) -> Visitor | None:
    """End the access of all browsers, and everything they may know: codes, feed addresses, read links."""
    with serialized_write():
        visitor = Visitor.objects.lock_by_token(token)
        if visitor is None:
            return None
        visitor.tokens.all().end()
        visitor.handovers.all().delete()
        agendas = locked_agendas(visitor)
        for agenda in agendas:
            agenda.reset_feed()
        ReadLink.objects.filter(agenda__in=agendas).revoke()
    return visitor


def sign_out_elsewhere(token: str) -> str:
    """End the access of all other browsers. Return the new token of this one, empty without a visitor."""
    with serialized_write():
        visitor = sign_out_everywhere(token)
        return visitor.new_token() if visitor else ""


def forget_visitor(token: str) -> int:
    """Delete everything that is stored of this visitor, with the account. Return the number of deleted agendas."""
    with serialized_write():
        visitor = Visitor.objects.lock_by_token(token)
        if visitor is None:
            return 0
        if account := Account.objects.filter(visitor=visitor).first():
            account.end()
        agendas = locked_agendas(visitor)
        LIFECYCLE.release(agendas)
        visitor.end()
    return len(agendas)

"""What a visitor does about all browsers and agendas at once: let another browser in, sign out, be forgotten."""

from __future__ import annotations

from events.models.accounts import Account
from events.models.merging import locked_agendas, merge_visitors, replace_visitor
from events.models.places import release_all
from events.models.questions import Question
from events.models.sharing import Handover, ReadLink
from events.models.tokens import digest
from events.models.visitors import AccessToken, Visitor
from events.models.writing import short_write


def take_over(code: str, token: str, *, replace: bool = False) -> str:
    """Use the code in the browser with this token; its token from now on. Empty for a code that opens nothing."""
    with short_write():
        there = Handover.look(code)
        if there is None:
            return ""
        here = Visitor.objects.locked(token, there)
        if not Handover.use(code) or not there.agendas.exists():
            return ""
        if here == there:
            return token
        if here:
            (replace_visitor if replace else merge_visitors)(here, there)
        return there.new_token()


def sign_out(token: str) -> None:
    """End the access of this browser alone."""
    AccessToken.objects.filter(token_hash=digest(token)).delete()


def sign_out_everywhere(token: str) -> Visitor | None:
    """End the access of all browsers, and of everything they may know: codes, calendar addresses, links to read."""
    with short_write():
        visitor = Visitor.objects.locked(token)
        if visitor is None:
            return None
        visitor.tokens.all().delete()
        visitor.handovers.all().delete()
        agendas = locked_agendas(visitor)
        for agenda in agendas:
            agenda.reset_feed()
        ReadLink.objects.filter(agenda__in=agendas).take_back()
    return visitor


def sign_out_elsewhere(token: str) -> str:
    """The same for all browsers but this one; its new token."""
    with short_write():
        visitor = sign_out_everywhere(token)
        return visitor.new_token() if visitor else ""


def forget(token: str) -> int:
    """Delete all that is stored of this visitor, at every conference, and the account; how many agendas that was."""
    with short_write():
        visitor = Visitor.objects.locked(token)
        if visitor is None:
            return 0
        if account := Account.objects.filter(visitor=visitor).first():
            account.end()
        agendas = locked_agendas(visitor)
        release_all(agendas)
        Question.objects.filter(agenda__in=agendas).disown()
        visitor.delete()
    return len(agendas)

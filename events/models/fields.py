"""Field shapes used by many models, so that each says only what is its own."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Any

from django.db import models

from events.models.validators import WEB_ADDRESS, plain_text, web_address

if TYPE_CHECKING:
    TextLine = models.CharField[str, str]
    TextBlock = models.TextField[str, str]
else:
    TextLine, TextBlock = models.CharField, models.TextField


class LineField(TextLine):
    """One line of text that any screen, database and calendar can hold."""

    default_validators = [plain_text]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("max_length", 300)
        super().__init__(*args, **kwargs)


class ProseField(TextBlock):
    """Markdown with $TeX$, up to 100,000 characters."""

    default_validators = [plain_text]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("max_length", 100_000)
        kwargs.setdefault("blank", True)
        super().__init__(*args, **kwargs)


class WebAddressField(TextLine):
    """An http or https address; anything else never becomes a link."""

    default_validators = [web_address]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("max_length", 500)
        kwargs.setdefault("blank", True)
        super().__init__(*args, **kwargs)

    def from_db_value(self, value: str | None, expression: Any, connection: Any) -> str | None:
        """What got in past every form and is no address is read as none."""
        return value if not value or WEB_ADDRESS.match(value) else ""


class SortKeyField(TextLine):
    """How lists order a person: by ``sort_name``, else by the last word of ``name``; without case and accents."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs |= {"max_length": 410, "blank": True, "editable": False}
        super().__init__(*args, **kwargs)

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        value = sort_key(getattr(model_instance, "name", ""), getattr(model_instance, "sort_name", ""))
        setattr(model_instance, self.attname, value)
        return value


def sort_key(name: str, sort_name: str = "") -> str:
    first, _, last = name.strip().rpartition(" ")
    decomposed = unicodedata.normalize("NFKD", sort_name or f"{last} {first}")
    return "".join(it for it in decomposed if not unicodedata.combining(it)).casefold().strip()[:410]

"""Model fields and their validators, and a history that proxies share."""

from __future__ import annotations

import re
import unicodedata
import zoneinfo
from typing import TYPE_CHECKING, Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.db.models.signals import post_delete, post_save, pre_delete
from django.http.request import validate_host
from simple_history.models import HistoricalRecords

from events.core.parsing.cells import with_line_feeds
from events.core.parsing.languages import MAX_LANGUAGE_CHARS, language_tag


class SharedRecords(HistoricalRecords):
    """A history that also records saves of proxies; simple_history only records those of the model's own class."""

    def finalize(self, sender: Any, **kwargs: Any) -> None:
        if not (sender._meta.proxy and issubclass(sender, self.cls)):
            super().finalize(sender, **kwargs)
            return
        for signal, handler in [(post_save, self.post_save), (post_delete, self.post_delete), (pre_delete, self.pre_delete)]:
            signal.connect(handler, sender=sender, weak=False)
        sender._meta.simple_history_manager_attribute = self.manager_name


COLOUR_LINES = {
    "invited": "Invited talk (blue)",
    "session": "Session and oral (teal)",
    "poster": "Poster (purple)",
    "workshop": "Workshop and tutorial (green)",
    "social": "Social (crimson)",
    "affinity": "Affinity and mentoring (orange)",
    "break": "Break and service (grey)",
}
WEB_ADDRESS = re.compile(r"https?://[^\s\x00-\x20\x7f-\x9f<>\"]+\Z", re.IGNORECASE)
# Most texts; the categories of the characters of others are looked up one by one.
PRINTABLE_LINES = re.compile(r"[\n\r\t\x20-\x7e\xa0-\ud7ff]*")
# At least two labels, the last of which is no number: not an address.
HOST_NAME = re.compile(r"(?=.{4,253}\Z)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])\Z")
HEX_COLOUR = re.compile(r"#[0-9a-fA-F]{6}\Z")

# The first parts of addresses that are not conferences.
RESERVED_SLUGS = frozenset({"account", "feeds", "healthz", "media", "metrics", "organise", "readyz", "robots", "static"})

hex_colour = RegexValidator(HEX_COLOUR, "Write a colour as # and six hexadecimal digits, such as #1747B8.")


def line_colour(value: str) -> None:
    if value not in COLOUR_LINES and not HEX_COLOUR.match(value):
        raise ValidationError(f"“{value}” is not a colour: write {', '.join(COLOUR_LINES)}, or # and six hexadecimal digits.")


def is_of_the_site(slug: str) -> bool:
    """Whether pages of the site itself or its admin are below this address."""
    return slug in RESERVED_SLUGS or settings.ADMIN_PATH.startswith(f"{slug}/")


def free_slug(value: str) -> None:
    if is_of_the_site(value):
        raise ValidationError(f"“{value}” is an address of the site itself: add the year, {value}-2025.")


def free_host(value: str) -> None:
    """Refuse what is no host name, and the names that lead to the site itself."""
    if not HOST_NAME.match(value):
        raise ValidationError(
            f"“{value}” is not a host name: write it in small letters and without https://, such as 2027.example.org; "
            "other letters than a to z in the form that begins with xn--."
        )
    if validate_host(value, settings.ALLOWED_HOSTS):
        raise ValidationError(f"“{value}” is a name of this site itself: choose another one.")


def time_zone(value: str) -> None:
    try:
        zoneinfo.ZoneInfo(value)
    except (ValueError, OSError, zoneinfo.ZoneInfoNotFoundError) as error:
        raise ValidationError(f"“{value}” is not a time zone: write a name such as Asia/Singapore.") from error


def plain_text(value: str) -> None:
    """Refuse what nobody can read, and what databases, calendars and XML cannot store: control characters, lone surrogates."""
    if not PRINTABLE_LINES.fullmatch(value):
        for position, character in enumerate(value, start=1):
            if unicodedata.category(character) in {"Cc", "Cs"} and character not in "\n\r\t":
                raise ValidationError(
                    f"Character {position} (U+{ord(character):04X}) cannot be shown: delete it and type the text again."
                )
    if value and all(unicodedata.category(character)[0] in "CZ" for character in value):
        raise ValidationError("There are only invisible characters: delete them and type the text again.")


def web_address(value: str) -> None:
    if not WEB_ADDRESS.match(value):
        raise ValidationError(f"“{value}” is not a web address: it starts with https:// and has no spaces.")


def language_code(value: str) -> None:
    if language_tag(value) != value:
        raise ValidationError(f"“{value[:40]}” is not a language: write its code, as de or pt-BR, or its name in English.")


if TYPE_CHECKING:
    TextLine = models.CharField[str, str]
    TextBlock = models.TextField[str, str]
else:
    TextLine, TextBlock = models.CharField, models.TextField


class LineField(TextLine):
    """One line without control characters."""

    default_validators = [plain_text]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("max_length", 300)
        super().__init__(*args, **kwargs)


class ProseFormField(forms.CharField):
    """Browsers send each line end as two characters, which would differ from the stored one, and count twice."""

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        return with_line_feeds(text) if text else text


class ProseField(TextBlock):
    """Markdown with $TeX$, up to 100,000 characters; lines end with a line feed, as those of imports."""

    default_validators = [plain_text]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("max_length", 100_000)
        kwargs.setdefault("blank", True)
        super().__init__(*args, **kwargs)

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        return with_line_feeds(text) if text else text

    def get_prep_value(self, value: Any) -> Any:
        return self.to_python(super().get_prep_value(value))

    def formfield(self, **kwargs: Any) -> Any:
        return super().formfield(**{"form_class": ProseFormField, **kwargs})


class WebAddressField(TextLine):
    """An http or https address; anything else is never shown as a link."""

    default_validators = [web_address]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("max_length", 500)
        kwargs.setdefault("blank", True)
        super().__init__(*args, **kwargs)

    def from_db_value(self, value: str | None, expression: Any, connection: Any) -> str | None:
        # A direct write to the database may have stored something else.
        return value if not value or WEB_ADDRESS.match(value) else ""


class LanguageField(TextLine):
    """A tag of BCP 47; a form also takes a name, “German”. Empty: that of the conference, or unknown."""

    default_validators = [language_code]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs |= {"max_length": MAX_LANGUAGE_CHARS, "blank": True, "default": "", "db_default": ""}
        super().__init__(*args, **kwargs)

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        return (language_tag(text) or text) if text else text


class SortKeyField(TextLine):
    """The key that sorts people: ``sort_name``, else the last word of ``name``; without case and accents."""

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
    letters = "".join(character for character in decomposed if not unicodedata.combining(character))
    return letters.casefold().strip()[:410]

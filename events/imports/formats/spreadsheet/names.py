"""Names of people in one cell, with their institutions and roles."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from events.imports.formats.texts import is_placeholder

MAX_CELL_PEOPLE_CHARS = 20_000
DEGREES = re.compile(r"(ph\.?\s?d|m\.?d|m\.?b\.?a|m\.?sc|b\.?sc|jr|sr|ii|iii|esq)\.?", re.IGNORECASE)
_ROLES = {"host": "host", "moderator": "moderator", "chair": "moderator", "panellist": "panellist", "panelist": "panellist"}
_ROLE_WORDS = {*_ROLES, "speaker", "remote"}
_ROLE_BEFORE_NAMES = re.compile(
    r"\s*(?:(?P<moderator>(?:session\s+)?chairs?|moderators?|leitung|moderation)|(?P<host>hosts?)"
    r"|(?P<panellist>panell?ists?|panel)|(?P<speaker>speakers?))\s*:",
    re.IGNORECASE,
)
# “von und zu” is in one name.
_AND = re.compile(r"\s+(?:and|und(?!(?<=\b[Vv]on und) zu\b)|et|&)\s+")
_BRACKETS_OR_AND = re.compile(rf"([(\[][^()\[\]]*[)\]])|{_AND.pattern}")
_BRACKETS_OR_SLASH = re.compile(r"([(\[][^()\[\]]*[)\]])|\s+/\s+")
_BRACKETS = re.compile(r"\s*[(\[]([^()\[\]]*)[)\]]\s*")
_GUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_INSTITUTION = re.compile(
    r"\b(?:univ\w*|institut\w*|college|school|academy|lab|labs|laborator\w*|tech\w*|gmbh|inc|ltd|llc|ag|corp\w*|company|group"
    r"|foundation|cent(?:er|re)|studios?|research|association|society|ministry|department|hospital|bank|museum|team)\b",
    re.IGNORECASE,
)
_MAIL = re.compile(r"<?[^\s<>@;,]{1,254}@[^\s<>;,]+>?")


class NamedPerson(NamedTuple):
    name: str
    affiliation: str = ""
    role: str = ""
    remote: bool = False
    guid: str = ""


def split_names(text: str) -> list[str]:
    """Return the names of a text such as “Ada Example, PhD, Grace Example”, between commas or semicolons.

    >>> split_names("Ada Example, PhD, Grace Example")
    ['Ada Example, PhD', 'Grace Example']
    """
    return _joined_degrees(re.split("[,;]", text[:MAX_CELL_PEOPLE_CHARS]))


def is_surname_first(cells: Iterable[str]) -> bool:
    """Return whether a column writes “Surname, Name”: each of its cells with several people does.

    >>> is_surname_first(["Example, Ada; Example, Grace", "Example, Emil"]), is_surname_first(["Ada Example, Emil Example"])
    (True, False)
    """
    several = [parts for cell in cells if len(parts := _parts(cell)) > 1]
    return bool(several) and all(_is_surname_first(part) for parts in several for part in parts)


def _parts(text: str) -> list[str]:
    return [part for part in _split_outside(_MAIL.sub(" ", text[:MAX_CELL_PEOPLE_CHARS]), ";\n|") if part.strip(" ,*")]


def _is_surname_first(part: str) -> bool:
    surname, comma, name = _BRACKETS.sub(" ", part).partition(",")
    return bool(comma and surname.strip() and name.strip()) and "," not in name and not DEGREES.fullmatch(name.strip())


def split_people(text: str, *, surname_first: bool = False) -> list[NamedPerson]:
    """Return the people of a cell: between semicolons or line breaks, else commas, “and” and “ / ”; never a mail address.

    “Chair:” before names is their role, up to the next semicolon or line break. In a column of ``is_surname_first`` a cell
    with one comma is one person.

    >>> split_people("Example, Ada (1); Example, Grace (1,2)")[0].name
    'Ada Example'
    >>> split_people("Ada Example (University of Somewhere) and Grace Example <grace@example.org>")[0].affiliation
    'University of Somewhere'
    """
    # Without runs of blanks, which take quadratic time in the patterns.
    lines = (" ".join(line.split()) for line in text[:MAX_CELL_PEOPLE_CHARS].splitlines())
    shown = _MAIL.sub(" ", "\n".join(filter(None, lines)))
    parts = _split_outside(shown, ";\n|")
    if any(map(_ROLE_BEFORE_NAMES.match, parts)):
        people = [person for part in parts for person in _people_after_role(part, surname_first=surname_first)]
    else:
        people = _people_in(shown, surname_first=surname_first)
    return [
        person._replace(name=" ".join(person.name.split()))
        for person in people
        if person.name.strip(" ,") and not is_placeholder(person.name)
    ]


def _people_after_role(text: str, *, surname_first: bool) -> list[NamedPerson]:
    match = _ROLE_BEFORE_NAMES.match(text)
    role = (match.lastgroup or "") if match else ""
    people = _people_in(text[match.end() :] if match else text, surname_first=surname_first)
    return [person._replace(role=person.role or role) for person in people]


def _people_in(text: str, *, surname_first: bool) -> list[NamedPerson]:
    outside = _BRACKETS.sub(" ", text)
    is_one = surname_first and _is_surname_first(text)
    # The numbers of institutions stand behind each “Surname, Name”.
    if is_one or re.search(r"[;\n|]", outside) or re.search(r"[(\[][\d, ]+[)\]]\W*$", text):
        parts = [part for part in _split_outside(text, ";\n|") if part.strip(" ,*")]
        people = [person for person in map(_person, parts) if not is_placeholder(person.name)]
        if all(person.name.count(",") == 1 and not DEGREES.fullmatch(person.name.split(",")[1].strip()) for person in people):
            # “Surname, Name”.
            people = [person._replace(name=" ".join(reversed(person.name.split(",")))) for person in people]
        return people
    parted = _BRACKETS_OR_AND.sub(lambda match: match[1] or "\n", text)
    if not _INSTITUTION.search(outside):
        parted = _BRACKETS_OR_SLASH.sub(lambda match: match[1] or "\n", parted)
    return [_person(name) for part in _split_outside(parted, "\n") for name in _joined_degrees(_split_outside(part, ","))]


def may_name_institution(text: str) -> bool:
    """Return whether what is behind the only comma of a cell may be no second person.

    >>> may_name_institution("Ana Example, Example Tech"), may_name_institution("Ana Example, Bo Example")
    (True, False)
    """
    parts = _joined_degrees(re.split(r"[,;\n|()\[\]]", text))
    if len(parts) != 2 or text.count(",") != 1 or _MAIL.search(text) or _AND.search(text) or any(map(is_placeholder, parts)):
        return False
    return any(" " not in part for part in parts) or bool(_INSTITUTION.search(parts[1]))


def _split_outside(text: str, marks: str) -> list[str]:
    """Split at marks that are not inside brackets."""
    parts, depth, begin = [], 0, 0
    for place, character in enumerate(text):
        depth = max(0, depth + (character in "([") - (character in ")]"))
        if character in marks and not depth:
            parts.append(text[begin:place])
            begin = place + 1
    return [*parts, text[begin:]]


def _joined_degrees(parts: list[str]) -> list[str]:
    names: list[str] = []
    for part in map(str.strip, parts):
        if names and DEGREES.fullmatch(part):
            names[-1] += f", {part}"
        elif part:
            names.append(part)
    return names


def _person(text: str) -> NamedPerson:
    affiliation = role = guid = ""
    remote = False
    for inside in _BRACKETS.findall(text):
        words = [word.strip() for word in inside.casefold().split(",")]
        if _ROLE_WORDS.issuperset(words):
            role = next((_ROLES[word] for word in words if word in _ROLES), role)
            remote = remote or "remote" in words
        elif _GUID.fullmatch(words[0]):
            guid = words[0]
        elif not re.fullmatch(r"[\d\s,.*]*", inside):
            affiliation = inside.strip()
    return NamedPerson(_BRACKETS.sub(" ", text).strip(" ,*"), affiliation, role, remote, guid)

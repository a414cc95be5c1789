"""Letters that pass for others: what a name looks like, whatever it is written with."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

# Pairs of what is written and what it passes for, after accents and capitals are gone; i, l and 1 are one stroke.
_PAIRS = """
0o 1l 2z 3e 4a 5s 6b 7t 8b 9g il |l !l @a $s €e £l +t
ıl łl øo đd ðd ħh ŧt ɑa ɡg ɩl ʏy ɪl ʟl ǀl
аa вb гr дd еe зe ѕs иn іl јj кk мm нh оo пn рp сc тt уy хx ѵv ьb ԁd ԛq ԝw һh ӏl яr ɢg
αa βb γy δd εe ζz ηn ιl κk μu νv οo πn ρp ςs σo τt υu χx ωw ϲc ϳj
օo սu հh ոn ցg զq
""".split()
_LOOK = str.maketrans({pair[0]: pair[1] for pair in _PAIRS})
# A capital may look like one letter and its small one like another.
_CAPITALS = str.maketrans("ΗΝΡΥΜΒ", "hnpymb")
_STROKES = (("rn", "m"), ("vv", "w"))
_WORD = re.compile(r"[^\W_]+")
# Together they are one way of writing.
_EAST_ASIAN = frozenset({"CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "LATIN"})


# Letters that are no marks, and that nobody sees: the fillers of Hangul.
_UNSEEN = frozenset("\u115f\u1160\u3164\uffa0")
# "SQUARED LATIN CAPITAL LETTER Y", "LATIN LETTER SMALL CAPITAL Y" and flags' letters are a Y to everybody but a computer.
_DRAWN = re.compile(r".*\b(?:LATIN|REGIONAL).* (?:LETTER|CAPITAL) ([A-Z])")


def looks_of(name: str) -> list[str]:
    """The words of a name as a reader sees them: without accents, capitals, signs and letters of other scripts."""
    return list(_looks_of(name))


@lru_cache(2**15)
def _looks_of(name: str) -> tuple[str, ...]:
    # Kept, because every name that is chosen is compared with all that are in a programme.
    decomposed = unicodedata.normalize("NFKD", name).translate(_CAPITALS)
    seen = "".join(_drawn(it) for it in decomposed if is_seen(it) and unicodedata.category(it) not in {"Mn", "Me"})
    return tuple(_WORD.findall(seen.casefold().translate(_LOOK)))


def _drawn(letter: str) -> str:
    found = None if letter.isascii() else _DRAWN.fullmatch(unicodedata.name(letter, ""))
    return found[1] if found else letter


def is_seen(letter: str) -> bool:
    """Whether it is more than an instruction to who draws letters."""
    return unicodedata.category(letter) != "Cf" and letter not in _UNSEEN


def strokes(word: str) -> str:
    """Two letters that stand close enough are one."""
    for written, seen in _STROKES:
        word = word.replace(written, seen)
    return word


def mixes_scripts(name: str) -> bool:
    """Whether letters of scripts stand together that nobody writes together."""
    scripts = {unicodedata.name(it, "?").split()[0] for it in unicodedata.normalize("NFKC", name) if it.isalpha()}
    return len(scripts) > 1 and not scripts <= _EAST_ASIAN


def near(a: str, b: str) -> bool:
    """Equal, or for five letters and more, apart by one letter: another, one more, one less, or two exchanged."""
    if a == b:
        return True
    if min(len(a), len(b)) < 5 or abs(len(a) - len(b)) > 1:
        return False
    first = next((place for place, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    rest_a, rest_b = a[first:], b[first:]
    if len(a) != len(b):
        longer, shorter = (rest_a, rest_b) if len(a) > len(b) else (rest_b, rest_a)
        return longer[1:] == shorter
    return rest_a[1:] == rest_b[1:] or (rest_a[:2] == rest_b[1::-1] and rest_a[2:] == rest_b[2:])
